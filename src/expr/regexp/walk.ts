/** Steps over one character of a text, in either direction. With the flag u or v a pair of surrogates is one. */
import { canonical } from './case-fold.ts';
import { type CharSet, has } from './char-set.ts';
import { isLead, isTrail, pair } from './escape.ts';
import { modeBefore, modeUnicode } from './program.ts';

/** The position after (or before) one character of the set; -1 when there is none. */
export function take(text: string, position: number, set: CharSet, mode: number): number {
  if (mode === 0) return position < text.length && has(set, text.charCodeAt(position)) ? position + 1 : -1;
  const next = skip(text, position, mode);
  return next >= 0 && has(set, charBetween(text, position, next)) ? next : -1;
}

/** The position after (or before) one character; -1 at the end of the text. */
export function skip(text: string, position: number, mode: number): number {
  if ((mode & modeBefore) !== 0) {
    if (position === 0) return -1;
    const isPair =
      (mode & modeUnicode) !== 0 &&
      position > 1 &&
      isTrail(text.charCodeAt(position - 1)) &&
      isLead(text.charCodeAt(position - 2));
    return isPair ? position - 2 : position - 1;
  }
  if (position >= text.length) return -1;
  const isPair =
    (mode & modeUnicode) !== 0 &&
    isLead(text.charCodeAt(position)) &&
    position + 1 < text.length &&
    isTrail(text.charCodeAt(position + 1));
  return isPair ? position + 2 : position + 1;
}

/** The character between two neighbouring positions. */
function charBetween(text: string, a: number, b: number): number {
  const from = a < b ? a : b;
  const unit = text.charCodeAt(from);
  return a - b === 2 || b - a === 2 ? pair(unit, text.charCodeAt(from + 1)) : unit;
}

/** Matches what stands from `from` to `to` once more; the position after (or before) it, or -1. */
export function takeAgain(
  text: string,
  from: number,
  to: number,
  position: number,
  mode: number,
  fold: boolean,
): number {
  const unicode = (mode & modeUnicode) !== 0;
  const backwards = (mode & modeBefore) !== 0;
  let there = backwards ? to : from;
  let here = position;
  while (there !== (backwards ? from : to)) {
    const next = skip(text, here, mode);
    if (next < 0) return -1;
    const nextThere = skip(text, there, mode);
    const a = charBetween(text, there, nextThere);
    const b = charBetween(text, here, next);
    if (a !== b && !(fold && canonical(a, unicode) === canonical(b, unicode))) return -1;
    there = nextThere;
    here = next;
  }
  return here;
}
