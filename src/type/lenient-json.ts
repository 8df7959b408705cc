/**
 * Reads one JSON value out of a text, as models write it: trailing commas, comments, single quotes, bare keys, Python's
 * words, raw line breaks and stray backslashes in strings are read, and said. Nothing is guessed: a value that is cut
 * off or ambiguous is damage. It iterates and looks at no character twice.
 */
import { maxNesting } from './type.ts';
import { setOwn } from './validate.ts';

export interface ParsedJson {
  readonly ok: true;
  readonly value: unknown;
  /** The offset after the value. */
  readonly end: number;
  readonly repairs: readonly string[];
}

export interface DamagedJson {
  readonly ok: false;
  readonly start: number;
  /** Where it went wrong. */
  readonly at: number;
  readonly message: string;
  /** It began as JSON does (a quoted key and its colon, a list that went on), so it was meant to be JSON. */
  readonly meant: boolean;
  /** The text ended inside it. */
  readonly cut: boolean;
  /** How many of its brackets are open where it went wrong. */
  readonly depth: number;
  /** What is not closed: the offset of a bracket, a quote or a comment. */
  readonly opened?: number;
}

interface Scan {
  readonly text: string;
  readonly repairs: Set<string>;
  at: number;
  meant: boolean;
  cut: boolean;
  problem: string;
  opened: number | undefined;
}

interface Frame {
  readonly list: boolean;
  readonly value: object;
  readonly open: number;
  count: number;
  key: string;
}

const failed = Symbol('failed');
const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
]);
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

const blanks = /[\s\uFEFF]+/y;
const bareKey = /[A-Za-z_$][A-Za-z0-9_$-]*/y;
const numeral = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const bareWord = /[A-Za-z_$][A-Za-z0-9_$]*/y;
const content = /\S/g;
const restOfWord = /^[A-Za-z0-9.+-]+$/;
const wordPart = /[A-Za-z0-9_.$]/;

/** The value that starts at `start`, after blanks and comments. */
export function parseLenient(text: string, start: number): ParsedJson | DamagedJson {
  const scan = startAt(text, start);
  const stack: Frame[] = [];
  for (;;) {
    if (!skip(scan)) return damage(scan, start, stack.length);
    const char = text[scan.at];
    if (char === '{' || char === '[') {
      if (stack.length >= maxNesting) {
        scan.meant = true;
        fail(scan, `it is nested more than ${maxNesting} levels deep`);
        return damage(scan, start, stack.length);
      }
      stack.push({ list: char === '[', value: char === '[' ? [] : {}, open: scan.at, count: 0, key: '' });
      scan.at++;
    } else {
      const value = readScalar(scan);
      if (value === failed) return damage(scan, start, stack.length);
      const frame = stack.at(-1);
      if (frame === undefined) return parsed(scan, value);
      store(frame, value);
    }
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const next = advance(scan, frame);
      if (next === 'failed') return damage(scan, start, stack.length);
      if (next === 'value') break;
      stack.pop();
      const parent = stack.at(-1);
      if (parent === undefined) return parsed(scan, frame.value);
      store(parent, frame.value);
    }
  }
}

/** Goes over blanks and comments; undefined when a comment never ends. What was left out is said. */
export function skipBlanks(text: string, at: number): { at: number; repairs: readonly string[] } | undefined {
  const scan = startAt(text, at);
  return skip(scan) ? { at: scan.at, repairs: [...scan.repairs] } : undefined;
}

/** Goes to where the next value of a container starts, or over its end. */
function advance(scan: Scan, frame: Frame): 'value' | 'closed' | 'failed' {
  const close = frame.list ? ']' : '}';
  if (!skip(scan)) return 'failed';
  if (take(scan, close)) return 'closed';
  if (frame.count > 0) {
    if (!take(scan, ',')) return unclosed(scan, frame, `"," or "${close}" is missing here`);
    scan.meant = true;
    if (!skip(scan)) return 'failed';
    if (take(scan, close)) {
      scan.repairs.add('left out a trailing comma');
      return 'closed';
    }
  }
  if (scan.at >= scan.text.length) return unclosed(scan, frame, '');
  if (frame.list) return 'value';
  const quoted = scan.text[scan.at] === '"';
  const key = readKey(scan);
  if (key === undefined) return 'failed';
  if (!skip(scan)) return 'failed';
  if (!take(scan, ':')) return unclosed(scan, frame, '":" is missing after the key');
  if (quoted) scan.meant = true;
  if (Object.hasOwn(frame.value, key)) {
    scan.repairs.add(`kept the last value of a key given twice (${JSON.stringify(key.slice(0, 60))})`);
  }
  frame.key = key;
  return 'value';
}

function unclosed(scan: Scan, frame: Frame, otherwise: string): 'failed' {
  if (scan.at < scan.text.length) return fail(scan, otherwise);
  cutOff(scan, frame.open);
  return fail(scan, `the text ends before its "${frame.list ? '[' : '{'}" is closed`);
}

function readKey(scan: Scan): string | undefined {
  const char = scan.text[scan.at];
  if (char === '"' || char === "'") {
    const key = readString(scan, char);
    return typeof key === 'string' ? key : undefined;
  }
  const word = match(scan, bareKey);
  if (word === undefined) {
    fail(scan, 'a key in double quotes is missing here');
    return undefined;
  }
  scan.repairs.add('read keys without quotes');
  return word;
}

function readScalar(scan: Scan): unknown {
  const char = scan.text[scan.at];
  if (char === undefined) {
    cutOff(scan, undefined);
    return failValue(scan, 'the text ends where a value is missing');
  }
  if (char === '"' || char === "'") return readString(scan, char);
  const start = scan.at;
  const number = match(scan, numeral);
  if (number !== undefined) {
    if (!wordPart.test(scan.text[scan.at] ?? '')) return Number(number);
    return failWord(scan, start, 'this is not a number as JSON writes it');
  }
  const word = match(scan, bareWord);
  if (word === undefined) return failWord(scan, start, 'a value is missing here');
  if (!words.has(word)) return failWord(scan, start, 'this word is not JSON: text needs double quotes');
  if (/[A-Z]/.test(word)) scan.repairs.add('read True, False and None as true, false and null');
  return words.get(word);
}

/** A word or number that the end of the text cuts short (`tru`, `1.`) is no mistake of spelling. */
function failWord(scan: Scan, start: number, problem: string): typeof failed {
  scan.at = start;
  if (!restOfWord.test(scan.text.slice(start, start + 60))) return failValue(scan, problem);
  if (start + 60 < scan.text.length) return failValue(scan, problem);
  cutOff(scan, undefined);
  return failValue(scan, 'the text ends inside a value');
}

function readString(scan: Scan, quote: string): string | typeof failed {
  const { text } = scan;
  const start = scan.at;
  const parts: string[] = [];
  let from = start + 1;
  let at = from;
  let raw = false;
  for (; at < text.length; at++) {
    const char = text[at];
    if (char === quote) {
      parts.push(text.slice(from, at));
      scan.at = at + 1;
      if (quote === "'") scan.repairs.add('read text in single quotes');
      if (raw) scan.repairs.add('kept raw line breaks or control characters in text');
      return parts.join('');
    }
    if (char === '\\') {
      parts.push(text.slice(from, at));
      at = readEscape(scan, at, parts);
      from = at + 1;
    } else if (text.charCodeAt(at) < 32) raw = true;
  }
  cutOff(scan, start);
  return failValue(scan, 'the text ends before one of its strings is closed');
}

/** Reads the escape at `at`, and gives the offset of its last character. */
function readEscape(scan: Scan, at: number, parts: string[]): number {
  const next = scan.text[at + 1];
  if (next === undefined) return at;
  const plain = escapes[next];
  if (plain !== undefined) {
    parts.push(plain);
    return at + 1;
  }
  if (next === 'u') {
    const digits = scan.text.slice(at + 2, at + 6);
    if (/^[0-9A-Fa-f]{4}$/.test(digits)) {
      parts.push(String.fromCharCode(Number.parseInt(digits, 16)));
      return at + 5;
    }
  }
  if (next === "'") {
    parts.push("'");
    return at + 1;
  }
  scan.repairs.add('kept a backslash that starts no JSON escape');
  parts.push('\\');
  return at;
}

function skip(scan: Scan): boolean {
  const { text } = scan;
  for (;;) {
    match(scan, blanks);
    if (text[scan.at] !== '/') return true;
    const next = text[scan.at + 1];
    if (next !== '/' && next !== '*') return true;
    const start = scan.at;
    const end = next === '/' ? text.indexOf('\n', start) : text.indexOf('*/', start + 2);
    if (end === -1 && next === '*') {
      cutOff(scan, start);
      fail(scan, 'the text ends before a comment is closed');
      return false;
    }
    scan.repairs.add('left out comments');
    scan.at = end === -1 ? text.length : end + (next === '/' ? 1 : 2);
  }
}

function take(scan: Scan, char: string): boolean {
  if (scan.text[scan.at] !== char) return false;
  scan.at++;
  return true;
}

function match(scan: Scan, sticky: RegExp): string | undefined {
  sticky.lastIndex = scan.at;
  const found = sticky.exec(scan.text)?.[0];
  if (found !== undefined) scan.at += found.length;
  return found;
}

function store(frame: Frame, value: unknown): void {
  if (frame.list) (frame.value as unknown[]).push(value);
  else setOwn(frame.value, frame.key, value);
  frame.count++;
}

function startAt(text: string, at: number): Scan {
  return { text, repairs: new Set(), at, meant: false, cut: false, problem: '', opened: undefined };
}

function cutOff(scan: Scan, opened: number | undefined): void {
  scan.at = scan.text.length;
  scan.cut = true;
  scan.opened = opened;
}

function fail(scan: Scan, problem: string): 'failed' {
  scan.problem = problem;
  return 'failed';
}

function failValue(scan: Scan, problem: string): typeof failed {
  scan.problem = problem;
  return failed;
}

function parsed(scan: Scan, value: unknown): ParsedJson {
  return { ok: true, value, end: scan.at, repairs: [...scan.repairs] };
}

function damage(scan: Scan, start: number, depth: number): DamagedJson {
  const { at, problem, cut, opened } = scan;
  const meant = scan.meant || (cut && depth > 0 && isBegun(scan, start));
  return { ok: false, start, at, message: problem, meant, cut, depth, ...(opened !== undefined && { opened }) };
}

/** Up to the end of the text all was JSON, and more than a bracket. Apostrophes and slashes are in any prose. */
function isBegun(scan: Scan, start: number): boolean {
  const open = scan.opened === undefined ? '' : scan.text[scan.opened];
  if (open === "'" || open === '/') return false;
  content.lastIndex = start + 1;
  return content.test(scan.text);
}
