/**
 * A cursor over the lines of a file that turns text into tokens.
 * Invariant: the tokens joined are always `text.slice(0, at)`; whatever is passed over becomes a token.
 */
import { type Code, type Diagnostic, type DiagnosticExtra, diagnostic, type Source, type Span } from '../text/index.ts';
import { isBlank, isForbidden, type Line } from './line.ts';
import type { Margin } from './margin.ts';
import type { TokenKind, TokenList } from './token.ts';
import type { Word } from './tree.ts';

export interface Reader {
  readonly source: Source;
  readonly text: string;
  readonly lines: readonly Line[];
  readonly tokens: TokenList;
  readonly diagnostics: Diagnostic[];
  /** Index of the line that `at` is in. */
  line: number;
  at: number;
  /** Made with the first fence: see `findClose`. */
  closers: Uint32Array | undefined;
  /** How the item at hand is indented. */
  margin: Margin;
  /** Reads a declaration that stands on a line inside another one; false when they are nested too deeply. */
  readonly readNested: (line: number) => boolean;
}

export const END = -1;

export function currentLine(r: Reader): Line {
  return r.lines[r.line] ?? { start: r.at, text: r.at, end: r.at, next: r.at, indent: 0 };
}

export function isDone(r: Reader): boolean {
  return r.line >= r.lines.length;
}

export function report(r: Reader, code: Code, span: Span, message: string, extra?: DiagnosticExtra): void {
  // A forbidden character has its own report; that it fits nowhere either is no news.
  if (isForbidden(r.text, span.start)) return;
  r.diagnostics.push(diagnostic(code, r.source, span, message, extra));
}

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
  if (!r.text.startsWith(mark, at)) return undefined;
  passTo(r, 'blank', at);
  return take(r, kind, mark.length);
}

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

/** Ends a line whose tokens are all read. What is left but a comment is an error. */
export function endLine(r: Reader, what: string, options: { hash?: 'anywhere' } = {}): void {
  const before = r.text.charCodeAt(r.at - 1);
  skipBlanks(r);
  if (peek(r) === 35) {
    const touching = !isBlank(r.text.charCodeAt(r.at - 1)) && before !== 58;
    if (touching && options.hash !== 'anywhere') {
      const span = { start: r.at, end: currentLine(r).end };
      report(r, 'TOO1006', span, 'a comment starts here without a blank before it.', {
        help: 'Put a blank before "#".',
        fix: { title: 'put a blank before "#"', edits: [{ span: { start: r.at, end: r.at }, text: ' ' }] },
      });
    }
    takeComment(r);
  } else if (peek(r) !== END) {
    const end = textEnd(r);
    const span = { start: r.at, end };
    report(r, 'TOO1107', span, `unexpected ${quote(r, span)} after ${what}.`, {
      help: 'End the line here; a comment starts with "#".',
    });
    skipRest(r);
  }
  nextLine(r);
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
