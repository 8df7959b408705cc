/**
 * GBNF read strictly, as llama.cpp reads it: which grammars are valid, which texts they match, and random texts made from
 * them. It knows nothing of the grammars that are tested with it.
 *
 * Groups and repetitions become rules of their own, as in llama.cpp: `x*` is `x x* | `, so a grammar is only rules of
 * alternatives of characters and names. Names have letters, digits and dashes: older versions take no underscore.
 */

/** From and to, both included. */
export type Range = readonly [number, number];

export type Element =
  | { readonly kind: 'chars'; readonly ranges: readonly Range[]; readonly not: boolean }
  | { readonly kind: 'rule'; readonly name: string };

export type Alternative = readonly Element[];

export interface Grammar {
  readonly rules: ReadonlyMap<string, readonly Alternative[]>;
  /** The names that stand in the text, in its order. */
  readonly names: readonly string[];
}

/** More repetitions are refused by llama.cpp. */
const mostRepetitions = 2000;
const lastCodePoint = 0x10ffff;

/** Throws an error that says where the text is no GBNF. */
export function readGrammar(text: string): Grammar {
  const points = Array.from(text);
  const rules = new Map<string, Alternative[]>();
  const names: string[] = [];
  let at = 0;
  skip(true);
  while (at < points.length) readRule();
  return { rules, names };

  function readRule(): void {
    const name = readName();
    skip(false);
    if (points.slice(at, at + 3).join('') !== '::=') fail('expected ::=');
    at += 3;
    skip(true);
    if (rules.has(name)) fail(`the rule ${name} is defined twice`);
    names.push(name);
    // Holds the place, so that rules made from groups stand behind it.
    rules.set(name, []);
    rules.set(name, readAlternatives(name, false));
    if (points[at] === '\r') at++;
    if (at < points.length && points[at] !== '\n') fail('expected the end of the line');
    skip(true);
  }

  function readAlternatives(owner: string, nested: boolean): Alternative[] {
    const all = [readSequence(owner, nested)];
    while (points[at] === '|') {
      at++;
      skip(true);
      all.push(readSequence(owner, nested));
    }
    return all;
  }

  function readSequence(owner: string, nested: boolean): Alternative {
    let done: Element[] = [];
    let last: Element[] = [];
    for (;;) {
      const char = points[at] ?? '';
      if (char === '"') take(readLiteral());
      else if (char === '[') take([readClass()]);
      else if (char === '.') {
        at++;
        take([{ kind: 'chars', ranges: [], not: true }]);
      } else if (isNameChar(char)) take([{ kind: 'rule', name: readName() }]);
      else if (char === '(') {
        at++;
        skip(true);
        const name = freshName(owner);
        rules.set(name, []);
        rules.set(name, readAlternatives(owner, true));
        if (points[at] !== ')') fail('expected )');
        at++;
        take([{ kind: 'rule', name }]);
      } else if (char === '*' || char === '+' || char === '?' || char === '{') {
        const [least, most] = readTimes(nested);
        if (last.length === 0) fail('nothing stands before the repetition');
        last = repeated(owner, last, least, most);
      } else return [...done, ...last];
      skip(nested);
    }
    function take(elements: Element[]): void {
      done = [...done, ...last];
      last = elements;
    }
  }

  function repeated(owner: string, item: readonly Element[], least: number, most: number): Element[] {
    const all: Element[] = [];
    for (let i = 0; i < least; i++) all.push(...item);
    if (most === Number.POSITIVE_INFINITY) {
      const name = freshName(owner);
      rules.set(name, [[...item, { kind: 'rule', name }], []]);
      all.push({ kind: 'rule', name });
      return all;
    }
    let inner: Element[] = [];
    for (let i = least; i < most; i++) {
      const name = freshName(owner);
      rules.set(name, [[...item, ...inner], []]);
      inner = [{ kind: 'rule', name }];
    }
    return [...all, ...inner];
  }

  function readTimes(nested: boolean): [number, number] {
    const char = points[at++];
    if (char === '*') return [0, Number.POSITIVE_INFINITY];
    if (char === '+') return [1, Number.POSITIVE_INFINITY];
    if (char === '?') return [0, 1];
    skip(nested);
    const least = readInteger();
    let most = least;
    skip(nested);
    if (points[at] === ',') {
      at++;
      skip(nested);
      most = isDigit(points[at] ?? '') ? readInteger() : Number.POSITIVE_INFINITY;
      skip(nested);
    }
    if (points[at] !== '}') fail('expected }');
    at++;
    if (least >= mostRepetitions || (most !== Number.POSITIVE_INFINITY && most >= mostRepetitions))
      fail('too many repetitions');
    if (most < least) fail('the repetition ends before it begins');
    return [least, most];
  }

  function readInteger(): number {
    let digits = '';
    while (isDigit(points[at] ?? '')) digits += points[at++];
    if (digits === '') fail('expected a number');
    return Number(digits);
  }

  function readLiteral(): Element[] {
    const all: Element[] = [];
    at++;
    while (points[at] !== '"') {
      const char = readChar();
      all.push({ kind: 'chars', ranges: [[char, char]], not: false });
    }
    at++;
    return all;
  }

  function readClass(): Element {
    const ranges: Range[] = [];
    at++;
    const not = points[at] === '^';
    if (not) at++;
    while (points[at] !== ']') {
      const from = readChar();
      let to = from;
      if (points[at] === '-' && points[at + 1] !== ']') {
        at++;
        to = readChar();
      }
      if (to < from) fail('the range ends before it begins');
      ranges.push([from, to]);
    }
    at++;
    if (ranges.length === 0) fail('an empty class');
    return { kind: 'chars', ranges, not };
  }

  function readChar(): number {
    const char = points[at];
    if (char === undefined) fail('the text ends in a literal');
    at++;
    if (char !== '\\') return (char as string).codePointAt(0) ?? 0;
    const letter = points[at++] ?? '';
    const width = { x: 2, u: 4, U: 8 }[letter];
    if (width !== undefined) {
      const digits = points.slice(at, at + width).join('');
      if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length !== width) fail(`expected ${width} hexadecimal digits`);
      at += width;
      const value = Number.parseInt(digits, 16);
      if (value > lastCodePoint) fail('no such code point');
      return value;
    }
    const plain = { t: 9, r: 13, n: 10, '\\': 92, '"': 34, '[': 91, ']': 93 }[letter];
    if (plain === undefined) fail(`unknown escape \\${letter}`);
    return plain as number;
  }

  function readName(): string {
    const start = at;
    while (isNameChar(points[at] ?? '')) at++;
    if (at === start) fail('expected the name of a rule');
    return points.slice(start, at).join('');
  }

  /** Blanks and comments, and line breaks where they are allowed. */
  function skip(lines: boolean): void {
    for (;;) {
      const char = points[at] ?? '';
      if (char === '#') while (at < points.length && points[at] !== '\n' && points[at] !== '\r') at++;
      else if (char === ' ' || char === '\t' || (lines && (char === '\n' || char === '\r'))) at++;
      else return;
    }
  }

  /** The underscore keeps it apart from all names that can be written. */
  function freshName(owner: string): string {
    return `${owner}_${rules.size}`;
  }

  function fail(message: string): void {
    const before = points.slice(0, at).join('').split('\n');
    throw new Error(`line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${message}`);
  }
}

/** What llama.cpp refuses, or what can only be a mistake: undefined, unused, endless and left-recursive rules. */
export function grammarProblems({ rules, names }: Grammar): string[] {
  const problems: string[] = [];
  if (!rules.has('root')) return ['there is no rule root'];
  const used = new Set(['root']);
  // A set grows while it is gone through.
  for (const name of used) {
    for (const element of (rules.get(name) ?? []).flat()) if (element.kind === 'rule') used.add(element.name);
  }
  for (const name of used) if (!rules.has(name)) problems.push(`${name} is not defined`);
  for (const name of names) if (!used.has(name)) problems.push(`${name} is not used`);
  const costs = leastCosts(rules);
  for (const name of rules.keys()) if (!Number.isFinite(costs.get(name))) problems.push(`${name} never ends`);
  for (const name of rules.keys()) if (isLeftRecursive(rules, costs, name)) problems.push(`${name} is left-recursive`);
  return problems;
}

/** Whether the grammar derives exactly this text. */
export function matches({ rules }: Grammar, text: string): boolean {
  const stacks = createStacks(rules);
  let current = stacks.advance((rules.get('root') ?? []).map((alternative) => stacks.push(alternative, 0, undefined)));
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    const next: (Stack | undefined)[] = [];
    for (const stack of current) {
      const element = stack?.alternative[stack.at];
      if (stack === undefined || element?.kind !== 'chars' || !isIn(element, point)) continue;
      next.push(stacks.push(stack.alternative, stack.at + 1, stack.below));
    }
    current = stacks.advance(next);
    if (current.length === 0) return false;
  }
  return current.includes(undefined);
}

export interface SampleOptions {
  /** A number from 0 to just below 1. */
  readonly random: () => number;
  /** As soon as the text has so many code points, the shortest way to its end is taken. */
  readonly size: number;
  /** Words to write wherever the grammar allows them, or as far as it does. */
  readonly nasty: readonly string[];
}

/** How often a nasty word is begun, in each step. */
const wordChance = 0.2;

/** Makes random texts of the grammar. */
export function createSampler({ rules }: Grammar): (options: SampleOptions) => string {
  const costs = leastCosts(rules);
  const canStart = createStartCheck(rules, costs);
  return ({ random, size, nasty }) => {
    const words = nasty.map((word) => Array.from(word, (char) => char.codePointAt(0) ?? 0));
    const parts: string[] = [];
    const todo: Element[] = [{ kind: 'rule', name: 'root' }];
    /** What is left of the word at hand. */
    let word: readonly number[] = [];
    for (let element = todo.pop(); element !== undefined; element = todo.pop()) {
      if (word.length === 0 && random() < wordChance) word = words[Math.floor(random() * words.length)] ?? [];
      const wanted = word[0];
      if (element.kind === 'chars') {
        const fits = wanted !== undefined && isIn(element, wanted);
        parts.push(String.fromCodePoint(fits ? wanted : pickChar(element, random)));
        word = fits ? word.slice(1) : [];
        continue;
      }
      const all = rules.get(element.name) ?? [];
      let chosen: Alternative | undefined;
      if (parts.length >= size) chosen = all.reduce((a, b) => (costOf(b, costs) < costOf(a, costs) ? b : a));
      else {
        const fitting = wanted === undefined ? [] : all.filter((alternative) => canStart(alternative, wanted));
        const choice = fitting.length > 0 ? fitting : all;
        chosen = choice[Math.floor(random() * choice.length)];
      }
      for (let i = (chosen?.length ?? 0) - 1; i >= 0; i--) todo.push(chosen?.[i] as Element);
    }
    return parts.join('');
  };
}

/** Whether an alternative can begin with a character. */
function createStartCheck(rules: Grammar['rules'], costs: ReadonlyMap<string, number>) {
  const known = new Map<string, boolean>();
  function startsRule(name: string, point: number): boolean {
    const key = `${name} ${point}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const answer = (rules.get(name) ?? []).some((alternative) => starts(alternative, point));
    known.set(key, answer);
    return answer;
  }
  function starts(alternative: Alternative, point: number): boolean {
    for (const element of alternative) {
      if (element.kind === 'chars') return isIn(element, point);
      if (startsRule(element.name, point)) return true;
      if (costs.get(element.name) !== 0) return false;
    }
    return false;
  }
  return starts;
}

function pickChar(element: Extract<Element, { kind: 'chars' }>, random: () => number): number {
  for (let tries = 0; tries < 1000; tries++) {
    const range: Range = element.not
      ? [0x20, random() < 0.8 ? 0x7e : lastCodePoint]
      : (element.ranges[Math.floor(random() * element.ranges.length)] ?? [0, 0]);
    // Mostly what people write: the start of a large range.
    const width = range[1] - range[0] + 1;
    const point = range[0] + Math.floor(random() * (random() < 0.7 ? Math.min(width, 96) : width));
    if (isIn(element, point) && !(point >= 0xd800 && point <= 0xdfff)) return point;
  }
  throw new Error('no character fits');
}

interface Stack {
  readonly alternative: Alternative;
  readonly at: number;
  readonly below: Stack | undefined;
  readonly id: number;
}

/** Stacks that share what is below, each made once, so that equal ones are the same. */
function createStacks(rules: Grammar['rules']) {
  const made = new Map<Alternative, Map<number, Map<number, Stack>>>();
  let count = 0;

  /** What is still to do after an element; `undefined` when nothing is. */
  function push(alternative: Alternative, at: number, below: Stack | undefined): Stack | undefined {
    if (at >= alternative.length) return below;
    const byAt = get(made, alternative, () => new Map<number, Map<number, Stack>>());
    const byBelow = get(byAt, at, () => new Map<number, Stack>());
    return get(byBelow, below?.id ?? -1, () => ({ alternative, at, below, id: count++ }));
  }

  /** Goes into rules until a character or the end is next. */
  function advance(stacks: readonly (Stack | undefined)[]): (Stack | undefined)[] {
    const seen = new Set(stacks);
    const ready: (Stack | undefined)[] = [];
    for (const stack of seen) {
      const element = stack?.alternative[stack.at];
      if (stack === undefined || element?.kind !== 'rule') {
        ready.push(stack);
        continue;
      }
      const rest = push(stack.alternative, stack.at + 1, stack.below);
      for (const alternative of rules.get(element.name) ?? []) seen.add(push(alternative, 0, rest));
    }
    return ready;
  }

  return { push, advance };
}

/** How many characters each rule needs at least; infinite for one that never ends. */
function leastCosts(rules: Grammar['rules']): Map<string, number> {
  const costs = new Map<string, number>();
  for (let changed = true; changed; ) {
    changed = false;
    for (const [name, all] of rules) {
      const cost = Math.min(...all.map((alternative) => costOf(alternative, costs)));
      if (cost < (costs.get(name) ?? Number.POSITIVE_INFINITY)) {
        costs.set(name, cost);
        changed = true;
      }
    }
  }
  return costs;
}

function costOf(alternative: Alternative, costs: ReadonlyMap<string, number>): number {
  let cost = 0;
  for (const element of alternative)
    cost += element.kind === 'chars' ? 1 : (costs.get(element.name) ?? Number.POSITIVE_INFINITY);
  return cost;
}

function isLeftRecursive(rules: Grammar['rules'], costs: ReadonlyMap<string, number>, name: string): boolean {
  const first = new Set<string>();
  const addFirst = (rule: string): void => {
    for (const alternative of rules.get(rule) ?? []) {
      for (const element of alternative) {
        if (element.kind === 'chars') break;
        first.add(element.name);
        if (costs.get(element.name) !== 0) break;
      }
    }
  };
  addFirst(name);
  for (const rule of first) addFirst(rule);
  return first.has(name);
}

function isIn({ ranges, not }: Extract<Element, { kind: 'chars' }>, point: number): boolean {
  return ranges.some(([from, to]) => from <= point && point <= to) !== not;
}

function isNameChar(char: string): boolean {
  return /^[A-Za-z0-9-]$/.test(char);
}

function isDigit(char: string): boolean {
  return /^[0-9]$/.test(char);
}

function get<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
