/**
 * A regular expression as a small program, for the subset that can run in linear time: characters, classes, groups, choices,
 * repetitions, `^`, `$`, `\b` and `\B`. What a class or an escape means is left to JavaScript, one character at a time.
 */

export interface Program {
  /** One of the operations below for each step. */
  readonly ops: readonly number[];
  /** Where it goes on, which test it is, or which assertion. */
  readonly first: readonly number[];
  /** Where a choice goes on too. */
  readonly second: readonly number[];
  readonly tests: readonly CharTest[];
  /** It reads code points, as with the flag `u`; else UTF-16 units. */
  readonly unicode: boolean;
}

export type CharTest = (code: number) => boolean;

export const CHAR = 0;
export const CHOICE = 1;
export const JUMP = 2;
export const ASSERT = 3;
export const MATCH = 4;

export const START = 0;
export const END = 1;
export const BOUND = 2;
export const NO_BOUND = 3;

type Node =
  | { readonly kind: 'char'; readonly test: number }
  | { readonly kind: 'assert'; readonly what: number }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'choice'; readonly items: readonly Node[] }
  | { readonly kind: 'repeat'; readonly item: Node; readonly least: number; readonly most: number };

/** With `problem`, what the pattern has that no program here can have. */
export type Compiled = { readonly program: Program } | { readonly problem: string };

const mostSteps = 10_000;
const mostNested = 100;

const quantifier = /\{(\d+)(?:(,)(\d*))?\}/y;
const charClass = /\[(?:[^\]\\]+|\\[\s\S])*\]/y;
const unicodeEscape =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|0(?!\d)|[^\dkbBuxcpP])/y;
const plainEscape = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|0(?!\d)|[^\dkbBuxc])/y;

/** Thrown and caught here only: the problem is kept beside it. */
const stop = new Error('stop');

/** The pattern must be one that JavaScript knows with the flag `u`, or without it. */
export function compilePattern(source: string, unicode: boolean): Compiled {
  const tests: CharTest[] = [];
  let problem = '';
  let at = 0;

  function fail(words: string): never {
    problem = words;
    throw stop;
  }

  function take(expression: RegExp): string | undefined {
    expression.lastIndex = at;
    const [found] = expression.exec(source) ?? [];
    if (found !== undefined) at += found.length;
    return found;
  }

  function readChoice(depth: number): Node {
    if (depth > mostNested) fail('has groups that are nested too deep');
    const items = [readList(depth)];
    while (source[at] === '|') {
      at++;
      items.push(readList(depth));
    }
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'choice', items };
  }

  function readList(depth: number): Node {
    const items: Node[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') items.push(readRepeat(readAtom(depth)));
    return { kind: 'list', items };
  }

  function readAtom(depth: number): Node {
    const unit = source.charAt(at);
    if (unit === '(') return readGroup(depth);
    if (unit === '^' || unit === '$') {
      at++;
      return { kind: 'assert', what: unit === '^' ? START : END };
    }
    if (unit === '[') return charOf(take(charClass) ?? fail('has a class that is not known'));
    if (unit === '\\') return readEscape();
    if (unit === '.') {
      at++;
      return charOf('.');
    }
    const code = (unicode ? source.codePointAt(at) : source.charCodeAt(at)) ?? 0;
    at += code > 0xffff ? 2 : 1;
    return { kind: 'char', test: tests.push((other) => other === code) - 1 };
  }

  function readGroup(depth: number): Node {
    if (/^\(\?<?[=!]/.test(source.slice(at, at + 4))) fail('looks ahead or behind');
    if (take(/\((?:\?:|\?<[^>]*>)?(?!\?)/y) === undefined) fail('has a group that is not known');
    const inside = readChoice(depth + 1);
    at++;
    return inside;
  }

  function readEscape(): Node {
    const bound = take(/\\[bB]/y);
    if (bound !== undefined) return { kind: 'assert', what: bound === '\\b' ? BOUND : NO_BOUND };
    if (/^\\[1-9k]/.test(source.slice(at, at + 2))) fail('refers back to a group');
    return charOf(take(unicode ? unicodeEscape : plainEscape) ?? fail('has an escape that is not known'));
  }

  function charOf(text: string): Node {
    return { kind: 'char', test: tests.push(charTest(text, unicode)) - 1 };
  }

  function readRepeat(item: Node): Node {
    const sign = take(/[*+?]/y) ?? take(quantifier);
    if (sign === undefined) return item;
    take(/\?/y);
    if (sign === '?') return { kind: 'repeat', item, least: 0, most: 1 };
    if (sign.length === 1) return { kind: 'repeat', item, least: sign === '*' ? 0 : 1, most: Number.POSITIVE_INFINITY };
    const [least = '', most] = sign.slice(1, -1).split(',');
    if (most === undefined) return { kind: 'repeat', item, least: Number(least), most: Number(least) };
    return { kind: 'repeat', item, least: Number(least), most: most === '' ? Number.POSITIVE_INFINITY : Number(most) };
  }

  const ops: number[] = [];
  const first: number[] = [];
  const second: number[] = [];
  let written = 0;

  function step(op: number, to = 0): number {
    first.push(to);
    second.push(0);
    return ops.push(op) - 1;
  }

  function write(node: Node): void {
    // Not the steps alone: nothing at all can be repeated too.
    if (++written > mostSteps) fail('is too large');
    if (node.kind === 'char') step(CHAR, node.test);
    else if (node.kind === 'assert') step(ASSERT, node.what);
    else if (node.kind === 'list') for (const item of node.items) write(item);
    else if (node.kind === 'choice') writeChoice(node.items);
    else writeRepeat(node.item, node.least, node.most);
  }

  function writeChoice(items: readonly Node[]): void {
    const ends: number[] = [];
    items.forEach((item, i) => {
      const isLast = i === items.length - 1;
      const choice = isLast ? -1 : step(CHOICE, ops.length + 1);
      write(item);
      if (isLast) return;
      ends.push(step(JUMP));
      second[choice] = ops.length;
    });
    for (const end of ends) first[end] = ops.length;
  }

  function writeRepeat(item: Node, least: number, most: number): void {
    for (let i = 0; i < least; i++) write(item);
    if (most === Number.POSITIVE_INFINITY) {
      const choice = step(CHOICE, ops.length + 1);
      write(item);
      step(JUMP, choice);
      second[choice] = ops.length;
      return;
    }
    const choices: number[] = [];
    for (let i = least; i < most; i++) {
      choices.push(step(CHOICE, ops.length + 1));
      write(item);
    }
    for (const choice of choices) second[choice] = ops.length;
  }

  try {
    // Without the flag `u` they would mean the letters as they stand, which nobody wants.
    if (!unicode && /\\[pPu]\{/.test(source))
      fail('has escapes of Unicode patterns beside others that those do not know');
    write(readChoice(0));
    step(MATCH);
    return { program: { ops, first, second, tests, unicode } };
  } catch (thrown) {
    if (thrown !== stop) throw thrown;
    return { problem };
  }
}

/** Whether a character is what a class, an escape or `.` means. */
function charTest(text: string, unicode: boolean): CharTest {
  const expression = new RegExp(`^(?:${text})$`, unicode ? 'u' : '');
  const ascii = Array.from({ length: 0x80 }, (_, code) => expression.test(String.fromCharCode(code)));
  return (code) => ascii[code] ?? expression.test(String.fromCodePoint(code));
}
