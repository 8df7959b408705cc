/**
 * A cursor over the lines of a file that turns text into tokens.
 * Invariant: the tokens joined are always `text.slice(0, at)`; whatever is passed over becomes a token.
 */
import {
  type Code,
  type Diagnostic,
  type DiagnosticExtra,
  diagnostic,
  type Source,
  type Span,
  severityOf,
} from '../text/index.ts';
import { isBlank, isForbidden, type Line } from './line.ts';
import type { Margin } from './margin.ts';
import type { TokenKind, TokenList } from './token.ts';
import type { Word } from './tree.ts';

export interface Reader {
  readonly source: Source;
  readonly text: string;
  /** How lines end here, for lines that a fix adds. */
  readonly eol: string;
  readonly lines: Line[];
  readonly tokens: TokenList;
  readonly diagnostics: Diagnostic[];
  /** Index of the line that `at` is in. */
  line: number;
  at: number;
  /** Made with the first fence: see `findClose`. */
  closers: Uint32Array | undefined;
  /** Names of the structs that the file declares; made when a type cannot be read. */
  structs: readonly string[] | undefined;
  /** The item at hand stands inside another one. */
  nested: boolean;
  /** How the item at hand is indented. */
  margin: Margin;
  /** Reads a declaration that stands on a line inside another one; false when they are nested too deeply. */
  readonly readNested: (line: number) => boolean;
  /** Lines that belong to a mistake further up, which has been reported. */
  readonly ignored: Set<number>;
}

export const END = -1;

export function currentLine(r: Reader): Line {
  return r.lines[r.line] ?? { start: r.at, text: r.at, end: r.at, next: r.at, indent: 0 };
}

export function isDone(r: Reader): boolean {
  return r.line >= r.lines.length;
}

export function report(r: Reader, code: Code, span: Span, message: string, extra?: DiagnosticExtra): void {
  // A forbidden character has its own report; that a word with it fits nowhere is no news.
  if (holdsForbidden(r, span)) return;
  const blank = oddBlank(r, span.start);
  r.diagnostics.push(diagnostic(code, r.source, span, message, blank && severityOf(code) === 'error' ? blank : extra));
}

function holdsForbidden(r: Reader, span: Span): boolean {
  const end = Math.max(span.start + 1, Math.min(span.end, span.start + LONGEST_WORD));
  for (let at = span.start; at < end && !isBlank(r.text.charCodeAt(at)); at++) if (isForbidden(r.text, at)) return true;
  return false;
}

/** A character that looks like a blank and is none, where something was reported: it is the likely reason. */
function oddBlank(r: Reader, at: number): DiagnosticExtra | undefined {
  ODD_BLANKS.lastIndex = at;
  if (!ODD_BLANKS.test(r.text)) return undefined;
  const span = { start: at, end: ODD_BLANKS.lastIndex };
  const name = `U+${r.text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`;
  return {
    help: `It begins with ${name}, which looks like a blank and is none.`,
    fix: { title: 'write plain blanks', edits: [{ span, text: ' '.repeat(span.end - span.start) }] },
  };
}

const LONGEST_WORD = 80;
const ODD_BLANKS = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000]+/y;

/** The character at the cursor, or END at the end of the line. */
export function peek(r: Reader): number {
  return r.at < currentLine(r).end ? r.text.charCodeAt(r.at) : END;
}

export function startsWith(r: Reader, word: string): boolean {
  return r.text.startsWith(word, r.at);
}

/** The text a sticky pattern matches at the cursor, or ''. */
export function match(r: Reader, pattern: RegExp): string {
  pattern.lastIndex = r.at;
  // Not `exec`: its result is an object that costs more than the match.
  return pattern.test(r.text) ? r.text.slice(r.at, pattern.lastIndex) : '';
}

/** Moves the cursor to `end`; what it passes is one token. */
export function passTo(r: Reader, kind: TokenKind, end: number): void {
  if (end <= r.at) return;
  r.tokens.kinds.push(kind);
  r.tokens.ends.push(end);
  r.at = end;
}

export function take(r: Reader, kind: TokenKind, length: number): Span {
  const start = r.at;
  passTo(r, kind, start + length);
  return { start, end: r.at };
}

export function takeTo(r: Reader, kind: TokenKind, end: number): Span {
  return take(r, kind, Math.max(0, end - r.at));
}

export function takeWord(r: Reader, kind: TokenKind, length: number): Word {
  const span = take(r, kind, length);
  return { text: r.text.slice(span.start, span.end), span };
}

/** Takes one punctuation mark or operator after blanks, if it is the next thing on the line. */
export function takeMark(r: Reader, mark: string, kind: TokenKind = 'punctuation'): Span | undefined {
  let at = r.at;
  while (isBlank(r.text.charCodeAt(at))) at++;
  if (r.text.startsWith(mark, at)) {
    passTo(r, 'blank', at);
    return take(r, kind, mark.length);
  }
  const twin = fullWidth[mark];
  if (twin === undefined || r.text[at] !== twin) return undefined;
  passTo(r, 'blank', at);
  const span = take(r, 'unknown', 1);
  report(r, 'TOO1611', span, `"${twin}" is a full-width character; write "${mark}".`, {
    fix: { title: `replace with "${mark}"`, edits: [{ span, text: mark }] },
  });
  return span;
}

/** What keyboards for other scripts write for our marks. */
const fullWidth: Readonly<Record<string, string>> = { ':': '：', ',': '，', '(': '（', ')': '）', '?': '？' };

export function skipBlanks(r: Reader): boolean {
  const end = currentLine(r).end;
  let at = r.at;
  while (at < end && isBlank(r.text.charCodeAt(at))) at++;
  const found = at > r.at;
  passTo(r, 'blank', at);
  return found;
}

/** The end of the text on this line that is neither trailing blanks nor a comment after a blank. */
export function textEnd(r: Reader): number {
  const end = currentLine(r).end;
  let last = r.at;
  for (let at = r.at; at < end; at++) {
    const code = r.text.charCodeAt(at);
    if (code === 35 && (at === r.at || isBlank(r.text.charCodeAt(at - 1)))) break;
    if (!isBlank(code)) last = at + 1;
  }
  return last;
}

/** The comment at the cursor, to the end of the line. */
export function takeComment(r: Reader): void {
  passTo(r, 'comment', currentLine(r).end);
}

/** Takes the line end, if there is one, and moves to the next line. */
export function nextLine(r: Reader): void {
  const line = currentLine(r);
  passTo(r, 'unknown', line.end);
  passTo(r, 'newline', line.next);
  r.line++;
}

/** The offset behind the text before an offset: blanks between them belong to neither. */
export function backOverBlanks(r: Reader, offset: number): number {
  let at = offset;
  while (at > 0 && isBlank(r.text.charCodeAt(at - 1))) at--;
  return at;
}

/** The rest of the line, up to a comment, as text that fits nowhere. */
export function skipRest(r: Reader): Span {
  const span = takeTo(r, 'unknown', textEnd(r));
  skipBlanks(r);
  if (peek(r) === 35) takeComment(r);
  return span;
}

/** The text of a span for a message: quoted, on one line, not too long. */
export function quote(r: Reader, span: Span): string {
  const text = r.text.slice(span.start, Math.min(span.end, span.start + 200)).replace(/[ \t\f\r\n]+/g, ' ');
  return `"${text.length > 40 ? `${text.slice(0, 39)}…` : text}"`;
}
