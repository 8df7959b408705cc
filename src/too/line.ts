/** Lines of a `.too` file: where each starts, where its text starts, how deep it is. */
import { type Diagnostic, diagnostic, type Fix, type Source, span } from '../text/index.ts';

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
  onceALine(source.text, lines, FORBIDDEN, (places) => {
    const at = places[0] ?? 0;
    const more = places.length > 1 ? ` (${places.length} such characters on this line)` : '';
    if (source.text[at] === '\r') {
      const message = `a carriage return stands without a line feed${more}.`;
      const help = 'End lines with LF or CRLF.';
      // Only where no line ends otherwise can it be meant as the end of a line.
      const fix = source.text.includes('\n') ? {} : { fix: mend(source, places) };
      found.push(diagnostic('TOO1002', source, span(at, at + 1), message, { help, ...fix }));
      return;
    }
    const message = `control character ${codePoint(source.text, at)} may not stand in a .too file${more}.`;
    found.push(diagnostic('TOO1001', source, span(at, at + 1), message, { fix: mend(source, places) }));
  });
  onceALine(source.text, lines, DIRECTION, (places) => {
    const at = places[0] ?? 0;
    const message = `${codePoint(source.text, at)} changes the direction of the text: what is shown is not what is read.`;
    found.push(diagnostic('TOO1004', source, span(at, at + 1), message, { fix: mend(source, places) }));
  });
  return found;
}

function onceALine(
  text: string,
  lines: readonly Line[],
  pattern: RegExp,
  report: (places: readonly number[]) => void,
): void {
  let line = 0;
  let places: number[] = [];
  for (const match of text.matchAll(pattern)) {
    const here = match.index;
    if (places.length > 0 && here >= (lines[line]?.next ?? text.length)) {
      report(places);
      places = [];
    }
    while (line < lines.length - 1 && here >= (lines[line]?.next ?? 0)) line++;
    places.push(here);
  }
  if (places.length > 0) report(places);
}

/** A lone carriage return becomes a line end, what other systems take for a blank or a line a blank; the rest goes. */
function mend(source: Source, places: readonly number[]): Fix {
  const edits = places.map((at) => {
    const character = source.text[at] ?? '';
    return { span: span(at, at + 1), text: character === '\r' ? '\n' : /[\v\x85]/.test(character) ? ' ' : '' };
  });
  const what = places.length > 1 ? 'them' : 'it';
  return { title: edits.every((edit) => edit.text === '') ? `remove ${what}` : `replace ${what}`, edits };
}

function codePoint(text: string, at: number): string {
  return `U+${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`;
}
