/** The words of a header, without reading more of it than there can be a name in. */
import { BACKSLASH, CLOSE, isWhite, LF, OPEN, QUOTE } from '../unit.ts';

/** Where the words start: behind the blanks. */
export function startOfWords(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isWhite(text.charCodeAt(at))) at++;
  return at;
}

/** Where the words end: before the blanks. */
export function endOfWords(text: string, to: number): number {
  let at = to;
  while (at > 0 && isWhite(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Up to white space; of a word that is longer than any name only as much as tells that. */
export function wordAt(text: string, from: number, to: number, most: number): string {
  const end = Math.min(to, from + most + 1);
  for (let at = from; at < end; at++) if (isWhite(text.charCodeAt(at))) return text.slice(from, at);
  return text.slice(from, Math.max(from, end));
}

/** A `]` that was meant to be part of a value ended the header. */
export function isSuspect(text: string, from: number, to: number): boolean {
  let quotes = 0;
  for (let at = from; at < to; at++) {
    const c = text.charCodeAt(at);
    if (c === OPEN) return true;
    if (c === QUOTE) quotes++;
  }
  return quotes % 2 === 1 || (to > from && text.charCodeAt(to - 1) === BACKSLASH);
}

/** As much of a name as helps, and nothing in it that a terminal would obey. */
export function shorten(name: string): string {
  const shown = name.length <= 40 ? name : `${name.slice(0, 39)}…`;
  return shown.replace(/\p{C}/gu, '?');
}

/** How far a header goes on before something in it has to be looked at. */
export function plainUntil(text: string, from: number, to: number): number {
  const end = Math.min(text.length, to);
  for (let at = from; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === CLOSE || unit === OPEN || unit === LF || unit === QUOTE || unit === BACKSLASH) return at;
  }
  return Math.max(from, end);
}
