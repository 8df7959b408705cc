/** The methods of strings; those that take a regular expression stand in `matching.ts`. */
import { spendLook, spendText } from './budget.ts';
import { concat, toInteger, toNumber, toText } from './convert.ts';
import { fail, native } from './failure.ts';
import { finder, findLast } from './find.ts';
import { changeCase, localeCompare, spendMarks } from './locale.ts';
import { match, matchAll, replace, replaceAll, search, split } from './matching.ts';
import type { Methods } from './numbers.ts';
import { isRegExp, type Runtime } from './value.ts';

export const stringMethods: Methods<string, 'toString' | 'valueOf'> = {
  at: (rt, self, [index]) => self.at(toInteger(rt, index)),
  charAt: (rt, self, [index]) => self.charAt(toInteger(rt, index)),
  charCodeAt: (rt, self, [index]) => self.charCodeAt(toInteger(rt, index)),
  codePointAt: (rt, self, [index]) => self.codePointAt(toInteger(rt, index)),
  concat: (rt, self, args) => args.reduce((text: string, arg) => concat(rt, text, toText(rt, arg)), self),
  endsWith: (rt, self, [search, end]) => {
    const needle = needleOf(rt, search, 'endsWith');
    return self.endsWith(needle, end === undefined ? undefined : toInteger(rt, end));
  },
  includes: (rt, self, [search, from]) =>
    finder(rt, self, needleOf(rt, search, 'includes'))(startOf(rt, self, from)) !== -1,
  indexOf: (rt, self, [search, from]) => {
    const needle = toText(rt, search);
    const start = startOf(rt, self, from);
    // The empty text is found where one looks, at the end at last.
    return needle === '' ? start : finder(rt, self, needle)(start);
  },
  isWellFormed: (rt, self) => {
    spendLook(rt.budget, self.length);
    return firstLone(self) === -1;
  },
  lastIndexOf: (rt, self, [search, from]) => {
    const position = toNumber(rt, from);
    const start = Number.isNaN(position) ? self.length : Math.min(Math.max(Math.trunc(position), 0), self.length);
    return findLast(rt, self, toText(rt, search), start);
  },
  localeCompare: (rt, self, [that, locales, options]) => localeCompare(rt, self, toText(rt, that), locales, options),
  match: (rt, self, [pattern]) => match(rt, self, pattern),
  matchAll: (rt, self, [pattern]) => matchAll(rt, self, pattern),
  normalize: (rt, self, [form]) => {
    const name = form === undefined ? 'NFC' : toText(rt, form);
    spendMarks(rt, self);
    spendText(rt.budget, self.length * 4);
    return native('normalize', () => self.normalize(name));
  },
  padEnd: (rt, self, [length, filler]) => self + padding(rt, self, length, filler),
  padStart: (rt, self, [length, filler]) => padding(rt, self, length, filler) + self,
  repeat: (rt, self, [count]) => {
    const times = toInteger(rt, count);
    if (times < 0 || times === Number.POSITIVE_INFINITY) return fail('TOO6105', `repeat: ${times} is no count`);
    spendText(rt.budget, self.length * times);
    return self.length === 0 ? '' : self.repeat(times);
  },
  replace: (rt, self, [pattern, replacement]) => replace(rt, self, pattern, replacement),
  replaceAll: (rt, self, [pattern, replacement]) => replaceAll(rt, self, pattern, replacement),
  search: (rt, self, [pattern]) => search(rt, self, pattern),
  slice: (rt, self, [start, end]) =>
    self.slice(toInteger(rt, start), end === undefined ? undefined : toInteger(rt, end)),
  split: (rt, self, [separator, limit]) => split(rt, self, separator, limit),
  startsWith: (rt, self, [search, from]) =>
    self.startsWith(needleOf(rt, search, 'startsWith'), startOf(rt, self, from)),
  substr: (rt, self, [start, length]) =>
    self.substr(toInteger(rt, start), length === undefined ? undefined : toInteger(rt, length)),
  substring: (rt, self, [start, end]) =>
    self.substring(toInteger(rt, start), end === undefined ? undefined : toInteger(rt, end)),
  toLocaleLowerCase: (rt, self, [locales]) => changeCase(rt, self, 'toLocaleLowerCase', locales),
  toLocaleUpperCase: (rt, self, [locales]) => changeCase(rt, self, 'toLocaleUpperCase', locales),
  toLowerCase: (rt, self) => made(rt, self).toLowerCase(),
  toString: (_, self) => self,
  toUpperCase: (rt, self) => made(rt, self).toUpperCase(),
  toWellFormed: (rt, self) => {
    spendText(rt.budget, self.length);
    return wellFormed(self);
  },
  trim: (rt, self) => made(rt, self).trim(),
  trimEnd: (rt, self) => made(rt, self).trimEnd(),
  trimLeft: (rt, self) => made(rt, self).trimStart(),
  trimRight: (rt, self) => made(rt, self).trimEnd(),
  trimStart: (rt, self) => made(rt, self).trimStart(),
  valueOf: (_, self) => self,
};

function made(rt: Runtime, text: string): string {
  spendText(rt.budget, text.length);
  return text;
}

function startOf(rt: Runtime, text: string, from: unknown): number {
  return Math.min(Math.max(toInteger(rt, from), 0), text.length);
}

function needleOf(rt: Runtime, search: unknown, method: string): string {
  if (isRegExp(search)) return fail('TOO6105', `${method} needs a text, not a regular expression`);
  const needle = toText(rt, search);
  spendLook(rt.budget, needle.length);
  return needle;
}

function padding(rt: Runtime, text: string, length: unknown, filler: unknown): string {
  const target = toInteger(rt, length);
  const unit = filler === undefined ? ' ' : toText(rt, filler);
  if (target <= text.length || unit === '') return '';
  spendText(rt.budget, target);
  const missing = target - text.length;
  return unit.repeat(Math.ceil(missing / unit.length)).slice(0, missing);
}

/** Where half of a surrogate pair stands alone. */
function firstLone(text: string, from = 0): number {
  for (let i = from; i < text.length; i++) {
    const code = text.codePointAt(i) ?? 0;
    if (code > 0xffff) i++;
    else if (code >= 0xd800 && code <= 0xdfff) return i;
  }
  return -1;
}

function wellFormed(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let lone = firstLone(text); lone !== -1; lone = firstLone(text, from)) {
    parts.push(text.slice(from, lone), '\ufffd');
    from = lone + 1;
  }
  parts.push(text.slice(from));
  return parts.join('');
}
