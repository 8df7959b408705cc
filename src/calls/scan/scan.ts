/**
 * Finds tool calls in a text that comes in pieces. `parse` is this scanner fed with one piece; there is no other reader.
 *
 * Its job is the syntax alone: what is text, what is a header, what is a body. What the arguments mean is the business of
 * `map.ts`; whether a call may run, that of `verdict.ts`. `fence.ts` and `suspect.ts` are told what was emitted and only
 * add to it.
 *
 * Invariants (each has a test of its number in `test/calls/invariants.test.ts`):
 *  1. Any chunking gives the same result as the whole text.
 *  2. Lossless: text, headers, dropped line breaks, bodies and end markers, put together by their offsets, are the input.
 *  3. Nothing is retracted: what was told stays true, and offsets only go forward (a diagnostic may point back).
 *  4. At most 3 units are held back in text, 8 in a body, 1 after a header, and an open header up to `maxHeader`
 *     (with `repair` 12 in text and 17 in a body, because broken markers are longer).
 *  5. No piece that is told splits a code point that is whole in the input.
 *  6. Linear time for every input and every chunking: each unit is looked at a bounded number of times.
 *  7. A call is complete only when its end marker came.
 */

import type { CallDiagnosticCode, CallEvent, DiagnosticEvent, EndReason, FinishInfo, ScanOptions } from '../event.ts';
import { EMOJI, RESULT, toolName } from '../marker.ts';
import { BACKSLASH, CLOSE, CR, isHigh, isLow, isWhite, LF, OPEN, QUOTE, SLASH, SPACE } from '../unit.ts';
import { damageBefore, longestDamage, markerPrefixAtEnd } from './damage.ts';
import { createFenceTracker } from './fence.ts';
import { endOfWords, isSuspect, plainUntil, shorten, startOfWords, wordAt } from './header-words.ts';
import { cutHint, hints, strayAfter } from './hint.ts';
import { describe, longestUnknown, readOptions } from './settings.ts';
import { createWatcher } from './suspect.ts';

export interface Scanner {
  /** What became certain with this piece. */
  readonly push: (chunk: string) => CallEvent[];
  /** The text is over: what was held back, and the end of a call that is still open. */
  readonly finish: (info?: FinishInfo) => CallEvent[];
}

/** `after`: behind the `]` of a header; `decide`: the same, but what follows decides whether it is a call; `over`: in what is left of a body that was too long. */
type State = 'text' | 'header' | 'decide' | 'after' | 'body' | 'over' | 'done';

const emojiHigh = EMOJI.charCodeAt(0);
const emojiLow = EMOJI.charCodeAt(1);
const emojiSelector = 0xfe0f;
const textSelector = 0xfe0e;
const endTail = '/end]';
const undecided = -1;
/** A shorter buffer is not worth more than one search. */
const short = 48;

export function createScanner(options: ScanOptions = {}): Scanner {
  const { strict, unknownCalls, multilineHeader, literalHeader, repair, maxHeader, maxBody, known, longestName } =
    readOptions(options);

  let state: State = 'text';
  /** Most pieces give no event or one, so the list is made when it is needed, and no longer than needed. */
  let out: CallEvent[] | undefined;
  /** What is looked at, where it stands in the whole text, and what of it is done. */
  let buffer = '';
  let base = 0;
  let at = 0;

  /** Where `find` found a marker: the index behind its `[`; where not, the index of what may become one. */
  let found = 0;
  let held = 0;

  // An open header. `head` is what earlier buffers had of it; offsets are absolute.
  let head = '';
  let recent = '';
  let marker = 0;
  let content = 0;
  let closed = 0;
  /** Something in it may have been cut off by its `]`. */
  let isDoubtful = false;
  /** With `literalHeader`: the markers inside, which count when the header does not: start and content, in turn. */
  let inner: number[] = [];
  let innerAt = 0;

  // The open call.
  let index = -1;
  let callStart = 0;
  let callContent = 0;
  let bodyLength = 0;

  /** A made-up result is open: the next end marker is its own. */
  let fabricated = false;
  /** The last header that was none: why an end marker closes nothing. */
  let lost = '';
  let strayHint = '';

  const fence = createFenceTracker();
  /** What the watcher found in what is about to be told. */
  let notes: DiagnosticEvent[] = [];
  const watch = createWatcher(note, strict);

  return {
    push(chunk) {
      if (typeof chunk !== 'string') throw new TypeError(`push takes a string, not ${describe(chunk)}.`);
      if (state === 'done') throw new Error('push after finish: create a new scanner for a new text.');
      if (chunk === '') return [];
      buffer = buffer === '' ? chunk : buffer + chunk;
      while (step());
      unload();
      return taken();
    },
    finish(info) {
      if (state === 'done') throw new Error('finish was called before: create a new scanner for a new text.');
      end(info?.reason === 'length' ? 'length' : 'unterminated');
      state = 'done';
      return taken();
    },
  };

  function taken(): CallEvent[] {
    const events = out ?? [];
    out = undefined;
    return events;
  }

  function emit(event: CallEvent): void {
    if (out === undefined) out = [event];
    else out.push(event);
  }

  /** Keeps what is not told yet. A header may be long and come in small pieces, so it is not looked at from its start. */
  function unload(): void {
    if (state === 'header' || state === 'decide') {
      const part = buffer.slice(Math.max(0, marker - base));
      head += part;
      recent = part.length >= longestDamage ? part.slice(-longestDamage) : (recent + part).slice(-longestDamage);
      at = buffer.length;
    }
    base += at;
    buffer = at === buffer.length ? '' : buffer.slice(at);
    at = 0;
  }

  /** Whether there is more to do with the buffer. */
  function step(): boolean {
    switch (state) {
      case 'text':
        return readText();
      case 'header':
        return readHeader();
      case 'decide':
        return decide();
      case 'after':
        return readBreak();
      case 'body':
        return readBody();
      case 'over':
        return readOver();
      default:
        return false;
    }
  }

  function readText(): boolean {
    if (at === buffer.length) return false;
    const start = find(at, buffer.length, true);
    if (start === undecided) {
      emitText(held);
      return false;
    }
    emitText(start);
    openHeader(start, found);
    return true;
  }

  /**
   * The index of the next marker, with `found` behind its `[`; or `undecided`, with `held` where one may begin.
   * Every marker ends with a bracket, and brackets are rare.
   */
  function find(from: number, to: number, isWatched: boolean): number {
    const start = state === 'body' && buffer.length > short && !repair ? skipCode(from) : from;
    for (let i = buffer.indexOf('[', start); i !== -1 && i < to; i = buffer.indexOf('[', i + 1)) {
      const previous = i > from ? buffer.charCodeAt(i - 1) : 0;
      const length = previous >= 0x80 || (repair && previous === SPACE) ? markerBefore(buffer, from, i) : 0;
      if (length > 0) {
        found = i + 1;
        return i - length;
      }
      // Most brackets follow a letter and hold no slash: nobody could take them for a marker.
      const isPlain = previous > SPACE && previous < 0x80 && i + 1 < to && buffer.charCodeAt(i + 1) !== SLASH;
      if (isWatched && !isPlain) watch.bracket(buffer, base, at, i, state === 'body', -1);
    }
    held = to - heldBefore(from, to);
    return undecided;
  }

  /** Code has many brackets. Up to the next emoji only those of "[/" can be an end, or look like one. */
  function skipCode(from: number): number {
    const emoji = buffer.indexOf(EMOJI, from);
    const end = emoji === -1 ? buffer.length : emoji;
    const code = buffer.slice(from, end);
    for (let i = code.indexOf('[/'); i !== -1; i = code.indexOf('[/', i + 2)) {
      watch.bracket(buffer, base, at, from + i, true, -1);
    }
    // The slash may come with the next piece.
    const last = buffer.length - 1;
    return end > last && buffer.charCodeAt(last) === OPEN && last >= from ? last : end;
  }

  /** How many units before `to` may become a marker with what follows, or are half a code point. */
  function heldBefore(from: number, to: number): number {
    const last = buffer.charCodeAt(to - 1);
    if (to === from || (last < 0x80 && !(repair && last === SPACE))) return 0;
    const tail = buffer.slice(Math.max(from, to - longestDamage), to);
    const half = isHigh(last) ? 1 : 0;
    if (repair) return Math.max(half, markerPrefixAtEnd(tail));
    const length = tail.length - (isSelector(last) ? 1 : 0);
    return tail.endsWith(EMOJI, length) ? tail.length - length + EMOJI.length : half;
  }

  /** How many units right before the `[` at `end` make it a marker. */
  function markerBefore(text: string, from: number, end: number): number {
    let i = end - 1;
    if (isSelector(text.charCodeAt(i))) i--;
    else if (strict) i = from;
    if (i > from && text.charCodeAt(i) === emojiLow && text.charCodeAt(i - 1) === emojiHigh) return end - i + 1;
    return repair ? damageBefore(text.slice(Math.max(from, end - longestDamage), end)) : 0;
  }

  function isSelector(c: number): boolean {
    return c === emojiSelector || (!strict && c === textSelector);
  }

  function openHeader(start: number, after: number): void {
    state = 'header';
    marker = base + start;
    content = base + after;
    at = after;
    head = '';
    recent = '';
    isDoubtful = false;
    inner = [];
    innerAt = 0;
    reportDamage(start, after);
  }

  /** The header goes to its `]`; what cannot stand in it ends it sooner. */
  function readHeader(): boolean {
    let most = content + maxHeader - base;
    for (let i = plainUntil(buffer, at, most); i < buffer.length; i++) {
      const c = buffer.charCodeAt(i);
      if (c === CLOSE) return closeHeader(i);
      if (c === LF && !multilineHeader) return loseHeader(i);
      while (i >= most) {
        i += gather();
        tell('header-too-long', marker, content);
        if (!nextInner()) return leaveHeader(i);
        most = content + maxHeader - base;
      }
      if (c === QUOTE || c === BACKSLASH) isDoubtful = true;
      if (c === OPEN) {
        isDoubtful = true;
        i = innerMarker(i);
        most = content + maxHeader - base;
      }
    }
    at = buffer.length;
    return false;
  }

  /** A marker inside a header: the header starts anew there, or goes on. The index of the `[` is given back. */
  function innerMarker(i: number): number {
    const near = i >= longestDamage ? buffer.slice(i - longestDamage, i) : recent + buffer.slice(0, i);
    // The marker of the header itself is no part of it.
    const from = Math.max(0, near.length - (base + i - content));
    const length = from === near.length ? 0 : markerBefore(near, from, near.length);
    if (length === 0) return i;
    if (literalHeader) {
      inner.push(base + i - length, base + i + 1);
      return i;
    }
    const index = i + gather();
    lost = 'has no "]"';
    emitLost(index - length);
    openHeader(index - length, index + 1);
    return index;
  }

  /** With `literalHeader`: the gathered header is none; whether one that began inside it takes its place. */
  function nextInner(): boolean {
    const start = inner[innerAt];
    const after = inner[innerAt + 1];
    if (start === undefined || after === undefined) return false;
    innerAt += 2;
    emitLost(start - base);
    marker = start;
    content = after;
    return true;
  }

  /** The whole header into the buffer, and `at` to its marker; by how much indices move. */
  function gather(): number {
    const { length } = head;
    if (length > 0) {
      buffer = head + buffer;
      base -= length;
      head = '';
      recent = '';
    }
    at = marker - base;
    return length;
  }

  /** A line break before the `]`: plain text, and so is every marker inside. */
  function loseHeader(i: number): boolean {
    const end = i + gather();
    lost = 'is not closed by "]" on its line';
    emitLost(end);
    state = 'text';
    return true;
  }

  /** Too long: plain text up to here; a marker may just be beginning. */
  function leaveHeader(i: number): boolean {
    const here = i + gather();
    lost = 'is too long';
    emitLost(here - heldBefore(content - base, here));
    state = 'text';
    return true;
  }

  function closeHeader(i: number): boolean {
    const end = i + gather();
    closed = base + end + 1;
    // Once for all markers inside, which share it.
    const stop = endOfWords(buffer, end);
    for (;;) {
      const start = startOfWords(buffer, content - base, stop);
      const name = wordAt(buffer, start, stop, longestName);
      const refusal = refuse(name);
      if (refusal === 'accept') return accept(name, start + name.length, stop);
      if (refusal === 'decide') {
        state = 'decide';
        return true;
      }
      const refused = marker;
      const goesOn = nextInner();
      if (!goesOn) emitLost(end + 1);
      if (refusal !== 'text') tell(refusal, refused, closed, refusal === 'stray-end' ? strayHint : hints[refusal]);
      if (goesOn) continue;
      state = 'text';
      return true;
    }
  }

  /** Why a header is none; `decide` when what follows will tell. */
  function refuse(name: string): 'accept' | 'decide' | 'text' | CallDiagnosticCode {
    // What was lost before is not to blame for what comes behind this one.
    const blamed = lost;
    lost = '';
    if (name === '') {
      lost = 'names no tool';
      return 'empty-header';
    }
    if (name.length === 4 && name.toLowerCase() === '/end') {
      const exact = closed - content === endTail.length && name === '/end';
      if (!exact) return 'near-miss-end';
      if (fabricated) {
        fabricated = false;
        return 'text';
      }
      strayHint = blamed === '' ? hints['stray-end'] : strayAfter(blamed);
      return 'stray-end';
    }
    if (name === RESULT) {
      fabricated = true;
      return 'fabricated-result';
    }
    if (known === undefined || known.has(name)) return 'accept';
    lost = `names "${shorten(name)}", which is not a tool`;
    const isName = name.length <= longestUnknown && toolName.test(name);
    return unknownCalls && isName && fence.atLineStart() ? 'decide' : 'text';
  }

  /** An unknown name is a call only when a line break follows its header. */
  function decide(): boolean {
    gather();
    const next = closed - base;
    const c = buffer.charCodeAt(next);
    if (next === buffer.length || (c === CR && next + 1 === buffer.length)) return false;
    if (c !== LF && !(c === CR && buffer.charCodeAt(next + 1) === LF)) return disown();
    const stop = endOfWords(buffer, next - 1);
    const start = startOfWords(buffer, content - base, stop);
    const name = wordAt(buffer, start, stop, longestName);
    return accept(name, start + name.length, stop);
  }

  /** The name is unknown and nothing says that a call was meant. */
  function disown(): boolean {
    const end = closed - base;
    if (nextInner()) return closeHeader(end - 1);
    emitLost(end);
    state = 'text';
    return true;
  }

  /** A call, with the words between `from` and `to` as its arguments. */
  function accept(name: string, from: number, to: number): boolean {
    const argsStart = startOfWords(buffer, from, to);
    index++;
    callStart = marker;
    callContent = closed;
    bodyLength = 0;
    fabricated = false;
    lost = '';
    const { inFence, atLineStart } = fence;
    emit({
      type: 'call-start',
      index,
      toolName: name,
      rawArgs: buffer.slice(argsStart, to),
      start: marker,
      end: closed,
      inFence: inFence(),
      lineStart: atLineStart(),
    });
    if (isDoubtful && isSuspect(buffer, argsStart, to)) tell('header-bracket-suspect', marker, closed);
    watch.reset();
    at = closed - base;
    state = 'after';
    return true;
  }

  /** The line break that ends the header's line is no part of the body. */
  function readBreak(): boolean {
    if (at === buffer.length) return false;
    const c = buffer.charCodeAt(at);
    if (c === LF) at++;
    else if (c === CR) {
      if (at + 1 === buffer.length) return false;
      if (buffer.charCodeAt(at + 1) === LF) at += 2;
    }
    state = 'body';
    return true;
  }

  /** The body goes to the first end marker; other markers are a part of it. */
  function readBody(): boolean {
    let from = at;
    for (;;) {
      const start = find(from, buffer.length, true);
      if (start === undecided) return !emitBody(held);
      if (buffer.startsWith(endTail, found)) {
        const after = found + endTail.length;
        if (!emitBody(start)) return true;
        at = after;
        reportDamage(start, found);
        closeCall('end', start, after);
        return true;
      }
      if (mayBecomeEnd(found)) return !emitBody(start);
      watch.bracket(buffer, base, at, found - 1, true, start);
      if (isNested(buffer.charCodeAt(found))) note('nested-start', base + start, base + found);
      from = found;
    }
  }

  /** Whether the buffer ends in the middle of an end marker whose `[` is before `after`. */
  function mayBecomeEnd(after: number): boolean {
    return buffer.length - after < endTail.length && endTail.startsWith(buffer.slice(after));
  }

  /** Behind a body that was too long nothing is a marker but the end: what it holds must not run. */
  function readOver(): boolean {
    let from = at;
    for (;;) {
      const start = find(from, buffer.length, false);
      if (start === undecided) emitOver(held);
      else if (buffer.startsWith(endTail, found)) {
        emitOver(found + endTail.length);
        state = 'text';
        return true;
      } else if (mayBecomeEnd(found)) emitOver(start);
      else {
        from = found;
        continue;
      }
      return false;
    }
  }

  function closeCall(reason: EndReason, start: number, end: number): void {
    emit({
      type: 'call-end',
      index,
      complete: reason === 'end',
      reason,
      start: base + start,
      end: base + end,
    });
    fence.breakLine();
    watch.reset();
    state = reason === 'too-long' ? 'over' : 'text';
  }

  function emitText(to: number): void {
    if (to <= at) return;
    const start = base + at;
    const text = cut(to);
    emit({ type: 'text', text, start, end: start + text.length });
    fence.feed(text);
    watch.told(text, start);
    if (notes.length > 0) blame();
    flushNotes();
  }

  /** Headers that are none because of their marker are why an end closes nothing. */
  function blame(): void {
    for (const { code } of notes) {
      if (code === 'spaced-marker') lost = 'has a blank before its "["';
      if (code === 'damaged-marker') lost = 'has a damaged emoji';
    }
  }

  /** A header that is none is text like any other, but nobody has looked at its brackets. */
  function emitLost(to: number): void {
    for (let from = at; find(from, to, true) !== undecided; from = found);
    emitText(to);
  }

  function emitOver(to: number): void {
    if (to <= at) return;
    const start = base + at;
    const text = cut(to);
    emit({ type: 'text', text, start, end: start + text.length });
  }

  /** Whether the body may go on: false when it became too long, and the call is over. */
  function emitBody(to: number): boolean {
    if (to <= at) return true;
    const room = maxBody - bodyLength;
    const isTooLong = to - at > room;
    const end = isTooLong ? at + room - (splitsPair(buffer, at + room, at) ? 1 : 0) : to;
    if (end > at) {
      const start = base + at;
      const text = cut(end);
      bodyLength += text.length;
      emit({ type: 'body', index, text, start, end: start + text.length });
      watch.told(text, start);
    }
    // What lies behind the limit is not looked at.
    if (isTooLong) notes = notes.filter((found) => found.end <= base + at);
    flushNotes();
    if (isTooLong) closeCall('too-long', at, at);
    return !isTooLong;
  }

  function cut(to: number): string {
    const text = at === 0 && to === buffer.length ? buffer : buffer.slice(at, to);
    at = to;
    return text;
  }

  /** In `repair` mode a marker may be broken, and says so. */
  function reportDamage(start: number, after: number): void {
    if (repair && !buffer.startsWith(EMOJI, start)) tell('damaged-marker', base + start, base + after);
  }

  function note(code: CallDiagnosticCode, start: number, end: number): void {
    notes.push({ type: 'diagnostic', code, start, end, hint: hints[code] });
  }

  function flushNotes(): void {
    if (notes.length === 0) return;
    for (const found of notes) emit(found);
    notes = [];
  }

  function tell(code: CallDiagnosticCode, start: number, end: number, hint: string = hints[code]): void {
    emit({ type: 'diagnostic', code, start, end, hint });
  }

  function end(reason: 'length' | 'unterminated'): void {
    const hint = reason === 'length' ? cutHint : hints.unterminated;
    while (state === 'decide') {
      gather();
      disown();
      while (step());
    }
    if (state === 'header') {
      gather();
      const isBlank = buffer.slice(content - base).trim() === '';
      emitLost(buffer.length);
      if (!isBlank) tell('unterminated', marker, base + buffer.length, hint);
    } else if (state === 'text' || state === 'over' || !emitBody(buffer.length)) emitOver(buffer.length);
    else {
      closeCall(reason, at, at);
      tell('unterminated', callStart, callContent, hint);
    }
  }
}

/** Whether a marker in a body looks like the start of a call. */
function isNested(next: number): boolean {
  return next !== CLOSE && next !== SLASH && !isWhite(next);
}

function splitsPair(text: string, at: number, from: number): boolean {
  return at > from && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1));
}
