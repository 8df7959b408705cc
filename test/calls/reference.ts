/**
 * The protocol once more, from its description alone: the whole text at once, as naive as it can be, for comparison with
 * the scanner. It looks again at what it has seen whenever that is simpler, so it is quadratic, and meant for short texts.
 * Option `repair` is not known here.
 */
import type { CallDiagnosticCode, EndReason, FinishInfo, ScanOptions } from '../../src/calls/event.ts';

export interface ReferenceText {
  readonly type: 'text';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface ReferenceCall {
  readonly type: 'call';
  readonly index: number;
  readonly toolName: string;
  readonly rawArgs: string;
  readonly body: string;
  readonly complete: boolean;
  readonly reason: EndReason;
  readonly start: number;
  readonly end: number;
  readonly inFence: boolean;
  readonly lineStart: boolean;
}

export interface ReferenceDiagnostic {
  readonly code: CallDiagnosticCode;
  readonly start: number;
  readonly end: number;
}

export interface Reference {
  readonly segments: readonly (ReferenceText | ReferenceCall)[];
  readonly diagnostics: readonly ReferenceDiagnostic[];
}

/** What scanning in text found at one marker. */
type Header =
  | { readonly kind: 'closed'; readonly content: string; readonly end: number }
  | { readonly kind: 'line break' | 'marker' | 'too long' | 'end of input' };

/** Where a body goes to, and where scanning goes on after it. */
interface Body {
  readonly end: number;
  readonly reason: EndReason;
  /** The end of the call: behind its end marker, or where it broke off. */
  readonly callEnd: number;
  /** Behind the end marker; for a call that broke off, behind the end marker that would have been its own. */
  readonly next: number;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

type Report = (code: CallDiagnosticCode, start: number, end: number) => void;

// Patterns are without the flag u: they are about units, and halves of pairs are units like others.
const emoji = '\\ud83d\\udee0';
const selector = '[\\ufe0e\\ufe0f]';
/** The bytes F0 9F 9B A0 of the emoji, and EF B8 8F or 8E of its selector, in Latin 1, Windows 1252 and Windows 1254. */
const wrongEmoji = '[\\u00f0\\u011f][\\u009f\\u0178][\\u009b\\u203a][\\u00a0 ]';
const wrongSelector = '\\u00ef\\u00b8[\\u008f\\u008e\\u017d\\ufffd]?';
/** A low half that stands behind a high one is the end of a whole character, which is not damaged. */
const half = '\\ud83d|(?<![\\ud800-\\udbff])\\udee0';
/** Text in a wrong encoding is so as a whole, but a selector may have come later. */
const damage = `(?:(?:\\ufffd{1,7}|${half}|${wrongEmoji})${selector}?|${wrongEmoji}${wrongSelector})`;

const anyMarker = new RegExp(`${emoji}${selector}?\\[`, 'g');
const strictMarker = new RegExp(`${emoji}\\ufe0f\\[`, 'g');
const anyEnd = new RegExp(`${emoji}${selector}?\\[/end\\]`, 'g');
const strictEnd = new RegExp(`${emoji}\\ufe0f\\[/end\\]`, 'g');
const spaced = new RegExp(`${emoji}${selector}?[ \\t]{1,3}\\[`, 'g');
const damaged = new RegExp(`${damage}\\[`, 'g');
/** In a body only the end matters. */
const spacedEnd = new RegExp(`${spaced.source}/end\\]`, 'gi');
const damagedEnd = new RegExp(`${damaged.source}/end\\]`, 'gi');
/** Not behind an emoji, which has rules of its own; not behind damage; not escaped. */
const bareEnd = new RegExp(`(?<!${emoji}${selector}?[ \\t]{0,3})(?<!${damage})(?<!\\\\)\\[/end\\]`, 'gi');

export function reference(text: string, options: ScanOptions, info: FinishInfo = {}): Reference {
  const marker = options.strict ? strictMarker : anyMarker;
  const known = options.knownTools === undefined ? undefined : new Set<unknown>(options.knownTools);
  const calls: ReferenceCall[] = [];
  /** The calls, each with the rest of its body if that was too long: there are no fences in there. */
  const covered: Range[] = [];
  const diagnostics: ReferenceDiagnostic[] = [];
  const report: Report = (code, start, end) => diagnostics.push({ code, start, end });
  /** Where the text that is being scanned begins, and where scanning goes on. */
  let textStart = 0;
  let scan = 0;
  /** Whether an invented result waits for its end. */
  let invented = false;

  for (;;) {
    const found = search(marker, text, scan);
    if (found === undefined) break;
    const { start, end: open } = found;
    const header = readHeader(text, open, options);
    scan = open;
    if (header.kind === 'too long') report('header-too-long', start, open);
    if (header.kind === 'end of input') {
      if (text.slice(open).trim() !== '') report('unterminated', start, text.length);
      // A marker in this header has no end either: that is the same mistake.
      break;
    }
    if (header.kind !== 'closed') continue;

    const { content, end: headerEnd } = header;
    const [name = ''] = content.trim().split(/\s/);
    const rawArgs = content.trim().slice(name.length).trim();
    const lineStart = /(?:^\ufeff?|\n)[ \t]*$/.test(text.slice(0, start));
    if (name === '') {
      report('empty-header', start, headerEnd);
      continue;
    }
    if (content === '/end') {
      if (!invented) report('stray-end', start, headerEnd);
      invented = false;
      continue;
    }
    if (name.toLowerCase() === '/end') {
      report('near-miss-end', start, headerEnd);
      continue;
    }
    if (name === 'result') {
      report('fabricated-result', start, headerEnd);
      invented = true;
      continue;
    }
    if (known !== undefined && !known.has(name)) {
      const looksMeant = lineStart && /^[A-Za-z][A-Za-z0-9_-]*$/.test(name) && /^\r?\n/.test(text.slice(headerEnd));
      if (!options.unknownCalls || !looksMeant) continue;
    }

    diagnosePart(text, textStart, start, false, options, report);
    if (rawArgs.includes('[') || rawArgs.endsWith('\\') || rawArgs.split('"').length % 2 === 0) {
      report('header-bracket-suspect', start, headerEnd);
    }
    const lineBreak = /^\r?\n/.exec(text.slice(headerEnd))?.[0] ?? '';
    const bodyStart = headerEnd + lineBreak.length;
    const body = readBody(text, bodyStart, options, info);
    if (body.reason === 'unterminated' || body.reason === 'length') report('unterminated', start, headerEnd);
    diagnosePart(text, bodyStart, body.end, true, options, report);
    diagnoseBody(text, bodyStart, body.end, marker, report);
    calls.push({
      type: 'call',
      index: calls.length,
      toolName: name,
      rawArgs,
      body: text.slice(bodyStart, body.end),
      complete: body.reason === 'end',
      reason: body.reason,
      start,
      end: body.callEnd,
      inFence: isInFence(text, covered, start),
      lineStart,
    });
    covered.push({ start, end: body.next });
    invented = false;
    textStart = body.next;
    scan = body.next;
  }

  diagnosePart(text, textStart, text.length, false, options, report);
  return { segments: fillWithText(text, calls), diagnostics: sortDiagnostics(diagnostics) };
}

/** By start, then by code. */
export function sortDiagnostics<D extends ReferenceDiagnostic>(diagnostics: readonly D[]): D[] {
  return [...diagnostics].sort((a, b) => a.start - b.start || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0));
}

function readHeader(text: string, open: number, options: ScanOptions): Header {
  const marker = options.strict ? strictMarker : anyMarker;
  const inner = options.literalHeader ? undefined : search(marker, text, open);
  for (let at = open; at < text.length; at++) {
    if (text[at] === ']') return { kind: 'closed', content: text.slice(open, at), end: at + 1 };
    if (text[at] === '\n' && !options.multilineHeader) return { kind: 'line break' };
    // Unit by unit: it is a marker when its bracket is read, if the header may still be that long.
    if (at - open >= (options.maxHeader ?? 4096)) return { kind: 'too long' };
    if (at + 1 === inner?.end) return { kind: 'marker' };
  }
  return { kind: 'end of input' };
}

function readBody(text: string, start: number, options: ScanOptions, info: FinishInfo): Body {
  const ending = search(options.strict ? strictEnd : anyEnd, text, start);
  const length = (ending?.start ?? text.length) - start;
  const next = ending?.end ?? text.length;
  const maxBody = options.maxBody ?? Number.POSITIVE_INFINITY;
  if (length > maxBody) {
    const splits = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(start + maxBody - 1));
    const cut = start + maxBody - (splits ? 1 : 0);
    return { end: cut, reason: 'too-long', callEnd: cut, next };
  }
  if (ending !== undefined) return { end: ending.start, reason: 'end', callEnd: next, next };
  return { end: next, reason: info.reason === 'length' ? 'length' : 'unterminated', callEnd: next, next };
}

/** What is reported in text, and with an end behind it in bodies too. */
function diagnosePart(
  text: string,
  from: number,
  to: number,
  inBody: boolean,
  { strict }: ScanOptions,
  report: Report,
): void {
  const part = text.slice(from, to);
  if (strict) {
    const pattern = new RegExp(`${emoji}\\ufe0e?\\[${inBody ? '/end\\]' : ''}`, 'gi');
    for (const { index, 0: match } of part.matchAll(pattern)) {
      report('damaged-marker', from + index, from + index + match.length);
    }
  }
  const patterns = [
    ['spaced-marker', inBody ? spacedEnd : spaced],
    ['damaged-marker', inBody ? damagedEnd : damaged],
    ['near-miss-end', bareEnd],
  ] as const;
  for (const [code, pattern] of patterns) {
    for (const { index, 0: match } of part.matchAll(pattern)) {
      report(code, from + index, from + index + match.length);
    }
  }
}

function diagnoseBody(text: string, from: number, to: number, marker: RegExp, report: Report): void {
  const part = text.slice(from, to);
  for (const { index, 0: match } of part.matchAll(marker)) {
    const [start, open] = [from + index, from + index + match.length];
    if (open < text.length && !/^[\s\]/]/.test(text.slice(open))) report('nested-start', start, open);
    const content = /^([^[\]\n]{0,16})\]/.exec(text.slice(open, to))?.[1];
    // The exact end marker is not in the body, so it need not be looked for.
    if (content !== undefined && /^\s*\/end(?:\s|$)/i.test(content)) {
      report('near-miss-end', start, open + content.length + 1);
    }
  }
}

/** By the lines that ended before the call and have no part of a call on them. */
function isInFence(text: string, covered: readonly Range[], start: number): boolean {
  let fence = '';
  let lineStart = 0;
  for (let at = 0; at < start; at++) {
    if (text[at] !== '\n' || covered.some((range) => range.start <= at && at < range.end)) continue;
    const line = text
      .slice(lineStart, at)
      .replace(/\r$/, '')
      .replace(lineStart === 0 ? /^\ufeff/ : '', '');
    const spoilt = covered.some((range) => range.start < at && range.end > lineStart);
    if (!spoilt) fence = fenceAfter(line, fence);
    lineStart = at + 1;
  }
  return fence !== '';
}

/** The characters of the fence that is open after this line, if any. */
function fenceAfter(line: string, fence: string): string {
  const [, run = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
  if (run === '') return fence;
  if (fence === '') return run.startsWith('`') && rest.includes('`') ? '' : run;
  return run[0] === fence[0] && run.length >= fence.length && /^[ \t]*$/.test(rest) ? '' : fence;
}

function fillWithText(text: string, calls: readonly ReferenceCall[]): (ReferenceText | ReferenceCall)[] {
  const segments: (ReferenceText | ReferenceCall)[] = [];
  let from = 0;
  const write = (to: number): void => {
    if (to > from) segments.push({ type: 'text', text: text.slice(from, to), start: from, end: to });
  };
  for (const call of calls) {
    write(call.start);
    segments.push(call);
    from = call.end;
  }
  write(text.length);
  return segments;
}

function search(pattern: RegExp, text: string, from: number): Range | undefined {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  pattern.lastIndex = 0;
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
}
