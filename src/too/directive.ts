/** Reads one directive of a thunk: `key op value, value`. */
import { closest, didYouMean, type Span } from '../text/index.ts';
import { lastDeeper } from './block.ts';
import { endLine } from './line-end.ts';
import { isThunkLine, startOf } from './line-kind.ts';
import { directiveKeys, isOneOf } from './names.ts';
import {
  backOverBlanks,
  currentLine,
  match,
  nextLine,
  peek,
  quote,
  type Reader,
  report,
  skipBlanks,
  skipRest,
  take,
  takeMark,
  takeTo,
  takeWord,
  textEnd,
} from './reader.ts';
import type { Directive, DirectiveKey, DirectiveOp, Word } from './tree.ts';

const VALUE = /[A-Za-z0-9_./:@-]+/y;
const VALUES = /^(?:- *)?[A-Za-z0-9_./:@-]+(?:[ \t]*,[ \t]*[A-Za-z0-9_./:@-]+)*,?$/;
const LOOSE_VALUE = /[^ \t\f\r\n,#]+(?:[ \t\f]+(?!#|\/\/)[^ \t\f\r\n,#]+)*/y;

/** The cursor stands on the key, which is `word`. A misspelt one is reported and read as what was meant. */
export function readDirective(r: Reader, word: string): Directive | undefined {
  const start = r.at;
  const known = isOneOf(word, directiveKeys);
  const keySpan = take(r, known ? 'key' : 'unknown', word.length);
  const key = known ? word : unknownKey(r, word, keySpan);
  if (!key) {
    skipRest(r);
    nextLine(r);
    return undefined;
  }
  const { op, opSpan, written } = readOperator(r);
  const wrong = written !== op;
  if (wrong && known && !hasValuesBelow(r)) wrongOperator(r, key, opSpan, written, op);
  const values = readValues(r, key, opSpan, known ? (wrong ? 'TOO1611' : 'TOO1602') : undefined);
  if (values.length > 0 && hasValuesBelow(r) && belowAreValues(r)) readBelow(r, key, opSpan, values, 'TOO1604');
  endLine(r, `the values of "${key}"`);
  const end = values.at(-1)?.span.end ?? opSpan.end;
  return { kind: 'directive', span: { start, end }, key, keySpan, op, opSpan, values };
}

/** The values of a directive whose operator is missing, which has been reported. */
export function readValuesOnly(r: Reader, key: DirectiveKey, keySpan: Span): Directive {
  const opSpan = { start: r.at, end: r.at };
  const values = readValues(r, key, opSpan, undefined);
  endLine(r, `the values of "${key}"`);
  const end = values.at(-1)?.span.end ?? keySpan.end;
  return { kind: 'directive', span: { start: keySpan.start, end }, key, keySpan, op: '=', opSpan, values };
}

/** What to do about a word that is no directive: `model: x` is mended together with its colon. */
function unknownKey(r: Reader, word: string, span: Span): DirectiveKey | undefined {
  const better = closest(word, directiveKeys) as DirectiveKey | undefined;
  const colon = match(r, /[ \t\f]*:/y);
  const edit = colon
    ? { span: { start: span.start, end: span.end + colon.length }, text: `${better} =` }
    : { span, text: better ?? '' };
  report(r, 'TOO1601', span, `unknown directive "${word}".${didYouMean(better)}`, {
    help: 'Directives are models, tools, skills, services, psyches, hands, handoffs and recall.',
    ...(better && { fix: { title: `replace with "${edit.text}"`, edits: [edit] } }),
  });
  return better;
}

function readOperator(r: Reader): { op: DirectiveOp; opSpan: Span; written: string } {
  for (const op of ['+=', '-='] as const) {
    const opSpan = takeMark(r, op, 'operator');
    if (opSpan) return { op, opSpan, written: op };
  }
  skipBlanks(r);
  const written = match(r, /:=|==|=\+|[:=]/y);
  const opSpan = take(r, written === '=' ? 'operator' : 'unknown', written.length);
  return { op: written === '=+' ? '+=' : '=', opSpan, written };
}

function wrongOperator(r: Reader, key: string, span: Span, written: string, op: DirectiveOp): void {
  report(r, 'TOO1611', span, `directive "${key}" takes "=", "+=" or "-=", not "${written}".`, {
    fix: { title: `replace with "${op}"`, edits: [{ span, text: written === ':' ? ` ${op}` : op }] },
  });
}

/** Nothing more on this line, and a deeper line directly below. */
function hasValuesBelow(r: Reader): boolean {
  skipBlanks(r);
  const line = currentLine(r);
  const below = r.lines[r.line + 1];
  const atEnd = peek(r) === -1 || peek(r) === 35;
  return atEnd && below !== undefined && below.text < below.end && below.indent > line.indent;
}

/** `code` is that of values on the lines below; without one that has been reported. */
function readValues(r: Reader, key: string, op: Span, code: 'TOO1602' | 'TOO1611' | undefined): Word[] {
  const values: Word[] = [];
  if (readBracketed(r, values)) return values;
  let comma: Span | undefined;
  let missing = false;
  for (;;) {
    skipBlanks(r);
    const next = peek(r);
    const atEnd = next === -1 || next === 35;
    if (hasValuesBelow(r)) {
      readBelow(r, key, comma ?? op, values, code && comma ? 'TOO1603' : code);
      return values;
    }
    if (atEnd && !comma) {
      report(r, 'TOO1602', op, `directive "${key}" has no value.`, { help: `Write "${key} = …", or remove the line.` });
      return values;
    }
    // The comma behind a missing item has been reported with it.
    if (atEnd && missing) return values;
    missing = atEnd || next === 44;
    if (missing) emptyItem(r, comma, next === 44, comma === undefined);
    else readValue(r, key, values);
    comma = takeMark(r, ',');
    if (!comma) return values;
  }
}

function readValue(r: Reader, key: string, values: Word[]): void {
  const loose = match(r, LOOSE_VALUE);
  if (match(r, VALUE) === loose) {
    values.push(takeWord(r, 'value', loose.length));
    return;
  }
  const span = take(r, 'unknown', Math.max(1, loose.length));
  const words = wordsIn(r, span);
  const bare = loose.replace(/^["'`“”‘’«]|["'`“”‘’»]$/g, '');
  const isQuoted = bare.length === loose.length - 2 && /^[A-Za-z0-9_./:@-]+$/.test(bare);
  const isList = /^[A-Za-z0-9_./:@-]+(?:[ \t\f;|&]+[A-Za-z0-9_./:@-]+)+$/.test(loose);
  const better = isQuoted ? bare : isList ? words.map((word) => word.text).join(', ') : undefined;
  report(r, 'TOO1604', span, `${quote(r, span)} cannot be a value of "${key}".`, {
    help: 'Values are letters, digits and any of "_ . / : @ -", separated by commas, without quotes.',
    ...(better && {
      fix: { title: `replace with "${better}"`, ...(isList && { guess: true }), edits: [{ span, text: better }] },
    }),
  });
  if (better) for (const word of words) values.push(word);
}

/** `[a, b]`, as other languages write lists: one report. */
function readBracketed(r: Reader, values: Word[]): boolean {
  skipBlanks(r);
  const close = { '[': ']', '(': ')', '{': '}' }[r.text[r.at] ?? ''];
  if (close === undefined || r.text[r.at + 1] === r.text[r.at]) return false;
  const end = textEnd(r);
  if (r.text[end - 1] !== close) return false;
  const span = takeTo(r, 'unknown', end);
  const words = wordsIn(r, span);
  const inner = words.map((word) => word.text).join(', ');
  report(r, 'TOO1604', span, 'a list of values has no brackets.', {
    help: 'Write the values one after the other, separated by commas.',
    ...(inner !== '' && { fix: { title: `replace with "${inner}"`, edits: [{ span, text: inner }] } }),
  });
  for (const word of words) values.push(word);
  return true;
}

/** Whether the line below is a value or a list of them, and nothing that a thunk has. */
function belowAreValues(r: Reader): boolean {
  const below = r.lines[r.line + 1];
  const text = below ? startOf(r.text, below) : '';
  return VALUES.test(text) && !isThunkLine(text);
}

/** Values on deeper lines below the directive, with or without dashes: one report for all of them. */
function readBelow(
  r: Reader,
  key: string,
  at: Span,
  values: Word[],
  code: 'TOO1602' | 'TOO1603' | 'TOO1604' | 'TOO1611' | undefined,
): void {
  const { indent } = currentLine(r);
  const index = r.line;
  r.line++;
  const last = lastDeeper(r, indent) ?? r.line;
  r.line = index;
  const words: Word[] = [];
  let simple = peek(r) === -1;
  for (const { text, end } of r.lines.slice(index + 1, last + 1)) {
    const dash = /^-[ \t]+/.exec(r.text.slice(text, Math.min(end, text + 20)))?.[0].length ?? 0;
    for (const word of wordsIn(r, { start: text + dash, end })) words.push(word);
    simple &&= /^[A-Za-z0-9_./:@,"' \t-]*$/.test(r.text.slice(text, end));
  }
  if (code) {
    const joined = [...values, ...words].map((word) => word.text).join(', ');
    const start = values[0]?.span.start ?? backOverBlanks(r, code === 'TOO1611' ? at.start : at.end);
    const span = { start, end: r.lines[last]?.end ?? start };
    const text = values[0] ? joined : code === 'TOO1611' ? ` = ${joined}` : ` ${joined}`;
    report(r, code, at, `the values of "${key}" must stand behind "=" on its own line.`, {
      help: `Write "${key} = a, b".`,
      ...(simple && words.length > 0 && { fix: { title: 'join the lines', edits: [{ span, text }] } }),
    });
  }
  for (const word of words) values.push(word);
  takeTo(r, 'unknown', r.lines[last]?.end ?? r.at);
  r.line = last;
}

/** The values that stand in a text, whatever else does. */
function wordsIn(r: Reader, { start, end }: Span): Word[] {
  const words: Word[] = [];
  for (const found of r.text.slice(start, end).matchAll(/[A-Za-z0-9_./:@-]+/g)) {
    const from = start + found.index;
    words.push({ text: found[0], span: { start: from, end: from + found[0].length } });
  }
  return words;
}

function emptyItem(r: Reader, comma: Span | undefined, another: boolean, first: boolean): void {
  const span = comma ?? { start: r.at, end: r.at + 1 };
  const nothingElse = first && r.text.slice(r.at + 1, textEnd(r)).trim() === '';
  report(r, 'TOO1603', span, another ? 'an item is missing between commas.' : 'a comma stands after the last item.', {
    ...(!nothingElse && { fix: { title: 'remove ","', edits: [{ span, text: '' }] } }),
  });
}
