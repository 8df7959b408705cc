/**
 * Finds a text in a text, in linear time. The machine's own search is quick for short needles and quadratic for long
 * ones that almost match, so those are looked for here with the table of Knuth, Morris and Pratt.
 */
import { spendLook } from './budget.ts';
import type { Runtime } from './value.ts';

/** The first place at or after `from`, or -1. */
export type Finder = (from: number) => number;

export function finder(rt: Runtime, text: string, needle: string): Finder {
  if (needle.length > longNeedle) return longFinder(rt, text, needle);
  return (from) => {
    const found = text.indexOf(needle, from);
    spendLook(rt.budget, Math.max(0, (found === -1 ? text.length : found) - from) + needle.length);
    return found;
  };
}

/** The last place at or before `from`, or -1. */
export function findLast(rt: Runtime, text: string, needle: string, from: number): number {
  if (needle.length <= longNeedle) {
    spendLook(rt.budget, text.length * Math.max(1, needle.length / 4));
    return text.lastIndexOf(needle, from);
  }
  const find = longFinder(rt, text, needle);
  let last = -1;
  for (let at = find(0); at !== -1 && at <= from; at = find(at + 1)) last = at;
  return last;
}

const longNeedle = 16;

/** Asked with rising places it goes on where it stopped; a table for each finder. */
function longFinder(rt: Runtime, text: string, needle: string): Finder {
  rt.budget.spend(needle.length / 4);
  const table = borders(needle);
  // `matched` characters of the needle stand before `at`.
  let at = 0;
  let matched = 0;
  let asked = 0;
  return (from) => {
    if (from !== asked) {
      // Goes on from the longest match that begins at or after `from`.
      while (matched > 0 && at - matched < from) matched = table[matched - 1] ?? 0;
      if (matched === 0 && at < from) at = from;
    }
    const start = at;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      while (matched > 0 && needle.charCodeAt(matched) !== code) matched = table[matched - 1] ?? 0;
      if (needle.charCodeAt(matched) === code) matched++;
      if (matched === needle.length) {
        rt.budget.spend(1 + (at - start) / 4);
        const found = ++at - matched;
        matched = table[matched - 1] ?? 0;
        asked = found;
        return found;
      }
    }
    rt.budget.spend(1 + (at - start) / 4);
    asked = text.length;
    return -1;
  };
}

/** For each prefix: the longest of its ends that the needle begins with. */
function borders(needle: string): Int32Array {
  const table = new Int32Array(needle.length);
  let length = 0;
  for (let i = 1; i < needle.length; i++) {
    const code = needle.charCodeAt(i);
    while (length > 0 && needle.charCodeAt(length) !== code) length = table[length - 1] ?? 0;
    if (needle.charCodeAt(length) === code) length++;
    table[i] = length;
  }
  return table;
}
