/** Lines of a TOON document: those with content, the comments and the blanks between them, each once. */
import { type Span, span } from '../text/index.ts';
import type { ToonComment } from './tree.ts';

/** A line with content. */
export interface Line {
  readonly start: number;
  /** Offset of its first character that is not a blank. */
  readonly text: number;
  /** Offset after its last character that is not a blank. */
  readonly end: number;
  /** Columns before the text; a tab goes to the next even one. */
  readonly indent: number;
  /** The blank lines since the line before it, as a range of `Lines.blanks`. */
  readonly blankFrom: number;
  readonly blankTo: number;
}

export interface Lines {
  readonly lines: readonly Line[];
  readonly comments: readonly ToonComment[];
  /** Whole blank lines, with their ends. */
  readonly blanks: readonly Span[];
  /** The leading blanks of lines that have a tab among them. */
  readonly tabs: readonly Span[];
}

const TAB = 9;
const RETURN = 13;
const SPACE = 32;
const HASH = 35;
const DASH = 45;

/** A text that has no line feed at all ends its lines with returns, as old editors do; the reader reports that. */
export function splitLines(text: string): Lines {
  const lines: Line[] = [];
  const comments: ToonComment[] = [];
  const blanks: Span[] = [];
  const tabs: Span[] = [];
  const ending = text.includes('\n') ? '\n' : '\r';
  let blankFrom = 0;
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (start < text.length) {
    const feed = text.indexOf(ending, start);
    const next = feed === -1 ? text.length : feed + 1;
    let end = feed === -1 ? text.length : feed;
    if (end > start && text.charCodeAt(end - 1) === RETURN) end--;
    let at = start;
    let indent = 0;
    let tab = false;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === SPACE) indent++;
      else if (code === TAB) {
        indent += 2 - (indent % 2);
        tab = true;
      } else break;
    }
    if (isBlankRest(text, at, end)) blanks.push(span(start, next));
    else {
      if (tab) tabs.push(span(start, at));
      while (text.charCodeAt(end - 1) === SPACE) end--;
      if (text.charCodeAt(at) === HASH) comments.push(toComment(text, at, end));
      else {
        lines.push({ start, text: at, end, indent, blankFrom, blankTo: blanks.length });
        blankFrom = blanks.length;
      }
    }
    start = next;
  }
  return { lines, comments, blanks, tabs };
}

/** `- x`, or `-` alone. */
export function isItem(text: string, line: Line): boolean {
  if (text.charCodeAt(line.text) !== DASH) return false;
  return line.text + 1 === line.end || text.charCodeAt(line.text + 1) === SPACE;
}

/** `-x`, whose blank was forgotten; a negative number is none. */
export function isTightItem(text: string, line: Line): boolean {
  return text.charCodeAt(line.text) === DASH && /[A-Za-z"{[]/.test(text[line.text + 1] ?? '');
}

function toComment(text: string, at: number, end: number): ToonComment {
  const from = text.charCodeAt(at + 1) === SPACE ? at + 2 : at + 1;
  return { span: span(at, end), text: text.slice(Math.min(from, end), end) };
}

/** Other kinds of blanks count here as well, as in the reference. */
function isBlankRest(text: string, at: number, end: number): boolean {
  if (at === end) return true;
  const code = text.charCodeAt(at);
  return (code < SPACE || code > 126) && text.slice(at, end).trim() === '';
}
