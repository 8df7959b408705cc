/** Lines of a `.too` file: where each starts, where its text starts, how deep it is. */
import { type Diagnostic, diagnostic, type Source, span } from '../text/index.ts';

export interface Line {
  readonly start: number;
  /** Offset of the first character that is not a blank; `end` for a blank line. */
  readonly text: number;
  /** Offset of the line end (LF or CRLF), or of the end of the file. */
  readonly end: number;
  /** Where the next line starts. */
  readonly next: number;
  /** Width of the leading blanks: a tab goes to the next multiple of 8, a form feed has none. */
  readonly indent: number;
}

const TAB = 9;
const FORM_FEED = 12;
const SPACE = 32;

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === FORM_FEED;
}

/** The width after one more blank. */
export function widen(width: number, code: number): number {
  if (code === TAB) return width + 8 - (width % 8);
  return code === SPACE ? width + 1 : width;
}

export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (start < text.length) {
    const feed = text.indexOf('\n', start);
    const next = feed === -1 ? text.length : feed + 1;
    let end = feed === -1 ? text.length : feed;
    if (feed > start && text.charCodeAt(feed - 1) === 13) end = feed - 1;
    let at = start;
    let indent = 0;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (!isBlank(code)) break;
      indent = widen(indent, code);
    }
    lines.push({ start, text: at, end, next, indent });
    start = next;
  }
  return lines;
}

const FORBIDDEN = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f]|\r(?!\n)/g;
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

/** A control character other than tab, form feed and line ends; a carriage return alone counts. */
export function isForbidden(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 13) return text.charCodeAt(at + 1) !== 10;
  return code < 32 ? code !== TAB && code !== 10 && code !== FORM_FEED : code >= 127 && code < 160;
}

/** Characters that may stand nowhere, or that hide what a text says. One report a line. */
export function checkCharacters(source: Source, lines: readonly Line[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  onceALine(source.text, lines, FORBIDDEN, (at, count) => {
    const more = count > 1 ? ` (${count} on this line)` : '';
    if (source.text[at] === '\r') {
      const message = `a carriage return stands without a line feed${more}.`;
      const help = 'End lines with LF or CRLF.';
      found.push(diagnostic('TOO1002', source, span(at, at + 1), message, { help }));
      return;
    }
    const name = codePoint(source.text, at);
    const message = `control character ${name} may not stand in a .too file${more}.`;
    const fix = { title: `remove ${name}`, edits: [{ span: span(at, at + 1), text: '' }] };
    found.push(diagnostic('TOO1001', source, span(at, at + 1), message, { fix }));
  });
  onceALine(source.text, lines, DIRECTION, (at) => {
    const name = codePoint(source.text, at);
    const message = `${name} changes the direction of the text: what is shown is not what is read.`;
    const fix = { title: `remove ${name}`, edits: [{ span: span(at, at + 1), text: '' }] };
    found.push(diagnostic('TOO1004', source, span(at, at + 1), message, { fix }));
  });
  return found;
}

function onceALine(
  text: string,
  lines: readonly Line[],
  pattern: RegExp,
  report: (at: number, count: number) => void,
): void {
  let line = 0;
  let first = -1;
  let count = 0;
  for (const match of text.matchAll(pattern)) {
    const here = match.index;
    if (first !== -1 && here < (lines[line]?.next ?? text.length)) {
      count++;
      continue;
    }
    if (first !== -1) report(first, count);
    while (line < lines.length - 1 && here >= (lines[line]?.next ?? 0)) line++;
    first = here;
    count = 1;
  }
  if (first !== -1) report(first, count);
}

function codePoint(text: string, at: number): string {
  return `U+${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`;
}
