/**
 * What strings and regular expressions do together, on our own engine: the machine's would run without a count.
 * A regular expression is a value and never changes, so every search begins at 0.
 */
import type { RegExpExpression } from '../expression.ts';
import { type CompiledRegExp, compileRegExp, type RegExpMatch } from '../regexp/index.ts';
import { spendText } from './budget.ts';
import { toNumber, toText } from './convert.ts';
import { fail, native } from './failure.ts';
import { finder } from './find.ts';
import { call, isFunction, isRegExp, newRecord, type RegExpValue, type Runtime, regExpValue } from './value.ts';

/** A match of a text or a pattern, as a replacement sees it. */
interface Found {
  readonly index: number;
  readonly end: number;
  readonly groups: readonly (string | undefined)[];
  readonly named?: Readonly<Record<string, string | undefined>>;
}

/** To compile costs the machine as much as some hundred nodes. */
export function makeRegExp(rt: Runtime, pattern: string, flags: string): RegExpValue {
  rt.budget.spend(300 + pattern.length * 16);
  return regExpValue(compile(pattern, flags));
}

/** A literal is compiled once, however often it is evaluated. */
export function literalRegExp(rt: Runtime, node: RegExpExpression): RegExpValue {
  rt.budget.spend(10);
  let compiled = literals.get(node);
  if (!compiled) {
    compiled = compile(node.pattern, node.flags);
    literals.set(node, compiled);
  }
  return regExpValue(compiled);
}

const literals = new WeakMap<RegExpExpression, CompiledRegExp>();

/** What `exec` gives: the texts, with `index`, `input` and `groups` beside them; null if nothing is found. */
export function execute(rt: Runtime, pattern: RegExpValue, text: string): readonly unknown[] | null {
  const found = findAt(rt, pattern, text, 0);
  return found && matchArray(rt, pattern, text, found);
}

export function match(rt: Runtime, text: string, pattern: unknown): unknown {
  const regexp = isRegExp(pattern) ? pattern : patternOf(rt, pattern, '');
  if (!regexp.flags.includes('g')) return execute(rt, regexp, text);
  const all = findAll(rt, regexp, text);
  return all.length === 0 ? null : all.map((found) => text.slice(found.index, found.end));
}

export function matchAll(rt: Runtime, text: string, pattern: unknown): unknown {
  const regexp = isRegExp(pattern) ? pattern : patternOf(rt, pattern, 'g');
  needGlobal(regexp, 'matchAll');
  return findAll(rt, regexp, text).map((found) => matchArray(rt, regexp, text, found));
}

export function search(rt: Runtime, text: string, pattern: unknown): number {
  const regexp = isRegExp(pattern) ? pattern : patternOf(rt, pattern, '');
  return findAt(rt, regexp, text, 0)?.index ?? -1;
}

export function replace(rt: Runtime, text: string, pattern: unknown, replacement: unknown): string {
  if (isRegExp(pattern)) {
    if (pattern.flags.includes('g')) return rebuild(rt, text, findAll(rt, pattern, text), replacement);
    const found = findAt(rt, pattern, text, 0);
    return rebuild(rt, text, found ? [found] : [], replacement);
  }
  const needle = toText(rt, pattern);
  const index = finder(rt, text, needle)(0);
  return rebuild(rt, text, index === -1 ? [] : [{ index, end: index + needle.length, groups: [] }], replacement);
}

export function replaceAll(rt: Runtime, text: string, pattern: unknown, replacement: unknown): string {
  if (isRegExp(pattern)) {
    needGlobal(pattern, 'replaceAll');
    return rebuild(rt, text, findAll(rt, pattern, text), replacement);
  }
  const needle = toText(rt, pattern);
  const find = finder(rt, text, needle);
  const all: Found[] = [];
  const step = Math.max(needle.length, 1);
  for (let index = find(0); index !== -1 && index <= text.length; index = find(index + step)) {
    rt.budget.spend(4);
    all.push({ index, end: index + needle.length, groups: [] });
    if (index === text.length) break;
  }
  return rebuild(rt, text, all, replacement);
}

export function split(rt: Runtime, text: string, separator: unknown, limit: unknown): string[] {
  const most = limit === undefined ? 2 ** 32 - 1 : toNumber(rt, limit) >>> 0;
  if (isRegExp(separator)) return splitByPattern(rt, text, separator, most);
  const needle = toText(rt, separator);
  if (most === 0) return [];
  if (separator === undefined) return [text];
  if (needle === '') {
    const count = Math.min(most, text.length);
    rt.budget.spend(1 + count);
    return text.slice(0, count).split('');
  }
  const pieces: string[] = [];
  const find = finder(rt, text, needle);
  let from = 0;
  for (let at = find(0); at !== -1; at = find(from)) {
    pieces.push(text.slice(from, at));
    if (pieces.length >= most) return pieces;
    from = at + needle.length;
  }
  pieces.push(text.slice(from));
  return pieces;
}

function splitByPattern(rt: Runtime, text: string, pattern: RegExpValue, most: number): string[] {
  if (most === 0) return [];
  // Splitting looks at every place, whether or not the pattern is sticky.
  const flags = pattern.flags.replace('y', '');
  const regexp = flags === pattern.flags ? pattern : makeRegExp(rt, pattern.source, flags);
  if (text === '') return findAt(rt, regexp, text, 0) ? [] : [''];
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const found = findAt(rt, regexp, text, at);
    if (found === null || found.index >= text.length) break;
    if (found.end === from) {
      at = advance(text, found.index, regexp);
      continue;
    }
    for (const piece of [text.slice(from, found.index), ...found.groups.slice(1)]) {
      pieces.push(piece as string);
      rt.budget.spend(1);
      if (pieces.length >= most) return pieces;
    }
    from = found.end;
    at = from;
  }
  pieces.push(text.slice(from));
  return pieces;
}

function findAll(rt: Runtime, pattern: RegExpValue, text: string): RegExpMatch[] {
  const all: RegExpMatch[] = [];
  for (let from = 0; from <= text.length; ) {
    const found = findAt(rt, pattern, text, from);
    if (found === null) break;
    all.push(found);
    from = found.end > found.index ? found.end : advance(text, found.end, pattern);
  }
  return all;
}

function findAt(rt: Runtime, pattern: RegExpValue, text: string, from: number): RegExpMatch | null {
  const found = pattern.compiled.exec(text, from, rt.budget);
  rt.budget.spend(found ? 8 + found.groups.length * 2 : 1);
  return found;
}

function advance(text: string, at: number, pattern: RegExpValue): number {
  const wide = pattern.flags.includes('u') || pattern.flags.includes('v');
  return at + (wide && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

function matchArray(rt: Runtime, { compiled }: RegExpValue, text: string, found: RegExpMatch): readonly unknown[] {
  rt.budget.spend(4 + found.groups.length);
  const { index, named, indices } = found;
  const array = Object.assign([...found.groups], { index, input: text, groups: named });
  if (indices === undefined) return array;
  const groups = named && newRecord();
  if (groups) for (const [name, group] of compiled.groupNames) groups[name] = indices[group];
  return Object.assign(array, { indices: Object.assign([...indices], { groups }) });
}

/** The text with what was found replaced. */
function rebuild(rt: Runtime, text: string, all: readonly Found[], replacement: unknown): string {
  const template = isFunction(replacement) ? '' : toText(rt, replacement);
  const parts: string[] = [];
  let length = 0;
  let from = 0;
  const add = (part: string) => {
    length += part.length;
    spendText(rt.budget, part.length);
    parts.push(part);
  };
  for (const found of all) {
    add(text.slice(from, found.index));
    if (isFunction(replacement)) {
      const whole = text.slice(found.index, found.end);
      const args: unknown[] = [whole, ...found.groups.slice(1), found.index, text];
      if (found.named) args.push(found.named);
      add(toText(rt, call(rt, replacement, args)));
    } else {
      expand(template, text, found, add);
    }
    from = found.end;
  }
  add(text.slice(from));
  spendText(rt.budget, length);
  return parts.join('');
}

/** `$1`, `$<name>`, `$&` and the others in a replacement. */
function expand(template: string, text: string, found: Found, add: (part: string) => void): void {
  const lastClose = template.lastIndexOf('>');
  let from = 0;
  for (let at = template.indexOf('$'); at !== -1 && at + 1 < template.length; at = template.indexOf('$', from)) {
    add(template.slice(from, at));
    from = at + 2;
    const next = template.charAt(at + 1);
    if (next === '$') add('$');
    else if (next === '&') add(text.slice(found.index, found.end));
    else if (next === '`') add(text.slice(0, found.index));
    else if (next === "'") add(text.slice(found.end));
    else if (next === '<' && found.named && lastClose >= from) {
      const close = template.indexOf('>', from);
      const name = template.slice(from, close);
      add((Object.hasOwn(found.named, name) ? found.named[name] : undefined) ?? '');
      from = close + 1;
    } else {
      const digits = groupDigits(template, at + 1, found.groups.length - 1);
      if (digits === 0) {
        add('$');
        from = at + 1;
      } else {
        add(found.groups[Number(template.slice(at + 1, at + 1 + digits))] ?? '');
        from = at + 1 + digits;
      }
    }
  }
  add(template.slice(from));
}

/** How many digits name a group that is there: two if they do, else one, else none. */
function groupDigits(template: string, at: number, groups: number): number {
  for (const count of [2, 1]) {
    const digits = template.slice(at, at + count);
    if (digits.length === count && /^\d+$/.test(digits) && Number(digits) >= 1 && Number(digits) <= groups)
      return count;
  }
  return 0;
}

function patternOf(rt: Runtime, pattern: unknown, flags: string): RegExpValue {
  return makeRegExp(rt, pattern === undefined ? '' : toText(rt, pattern), flags);
}

function needGlobal(pattern: RegExpValue, method: string): void {
  if (!pattern.flags.includes('g')) fail('TOO6105', `${method} needs a regular expression with the flag "g"`);
}

function compile(pattern: string, flags: string): CompiledRegExp {
  return native('RegExp', () => compileRegExp(pattern, flags));
}
