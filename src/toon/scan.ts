/** Looking through a line with an eye on quotes. Every function takes a range of the text and reads it once. */
import { type Span, span } from '../text/index.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;

/** The offset of the quote that closes the one at `open`, or -1. */
export function closingQuote(text: string, open: number, end: number): number {
  // Texts are long: searching a part of the text is quicker than looking at its characters.
  const rest = text.slice(open + 1, end);
  for (let at = rest.indexOf('"'); at !== -1; at = rest.indexOf('"', at + 1)) {
    let slashes = 0;
    while (rest.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return open + 1 + at;
  }
  return -1;
}

/** The first of up to five given characters outside of quotes, or -1. */
export function findBare(text: string, characters: string, start: number, end: number): number {
  const a = characters.charCodeAt(0);
  const b = characters.charCodeAt(1);
  const c = characters.charCodeAt(2);
  const d = characters.charCodeAt(3);
  const e = characters.charCodeAt(4);
  let quoted = false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) quoted = !quoted;
    else if (quoted) {
      if (code === BACKSLASH && at + 1 < end) at++;
    } else if (code === a || code === b || code === c || code === d || code === e) return at;
  }
  return -1;
}

/** The first such character, quoted or not, or -1. A search of the whole text would go on behind the line. */
export function findIn(text: string, character: string, start: number, end: number): number {
  const wanted = character.charCodeAt(0);
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === wanted) return at;
  return -1;
}

/** The brace that closes the one at `open`, or -1. */
export function closingBrace(text: string, open: number, end: number): number {
  let depth = 0;
  for (let at = open; at < end; at++) {
    at = findBare(text, '{}', at, end);
    if (at === -1) return -1;
    depth += text[at] === '{' ? 1 : -1;
    if (depth === 0) return at;
  }
  return -1;
}

/** The parts between delimiters, without the blanks around them; at least one. */
export function splitCells(text: string, delimiter: string, start: number, end: number): Span[] {
  const cells: Span[] = [];
  for (let from = start; ; ) {
    const at = findBare(text, delimiter, from, end);
    cells.push(trimmed(text, from, at === -1 ? end : at));
    if (at === -1) return cells;
    from = at + 1;
  }
}

/** Only U+0020 is trimmed: every other blank is part of a token. */
export function trimmed(text: string, start: number, end: number): Span {
  let from = start;
  let to = end;
  while (from < to && text.charCodeAt(from) === SPACE) from++;
  while (to > from && text.charCodeAt(to - 1) === SPACE) to--;
  return span(from, to);
}

export function skipSpaces(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) === SPACE) at++;
  return at;
}
