/**
 * GBNF in pieces: literals, classes of characters, names, and the rules as they are asked for.
 *
 * Classes are written as what they hold, never as `[^…]`: llama.cpp looks at tokens that are a part of a character, and
 * a negated class refuses each of them that could still become one of the excluded characters. With the hammer excluded
 * like that, a model that spells emoji in bytes could write no other emoji either.
 */

export interface Rules {
  /** The name of a rule that is made when it is first asked for, so that rules may need each other. */
  readonly define: (name: string, make: () => string) => string;
  readonly text: () => string;
}

const last = 0x10ffff;
/** Names of llama.cpp have letters, digits and dashes. */
const noNameChar = /[^A-Za-z0-9]+/g;
const longestName = 40;

export function createRules(): Rules {
  const rules = new Map<string, string>();
  return {
    define(name, make) {
      if (!rules.has(name)) {
        rules.set(name, '');
        rules.set(name, make());
      }
      return name;
    },
    text: () => Array.from(rules, ([name, rule]) => `${name} ::= ${rule}\n`).join(''),
  };
}

/** A name for the rule of something that may be called anything; the number keeps equal names apart. */
export function ruleName(kind: string, number: number, name: string): string {
  const words = name.slice(0, longestName).replace(noNameChar, '-').replace(/^-|-$/g, '');
  return words === '' ? `${kind}-${number}` : `${kind}-${number}-${words}`;
}

/** Whether UTF-8, and so a grammar, can carry it. */
export function isWritable(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

export function literal(text: string): string {
  return `"${Array.from(text, (char) => (char === '"' || char === '\\' ? `\\${char}` : escaped(char))).join('')}"`;
}

/** Exactly these characters. */
export function oneOf(chars: string): string {
  const points = pointsOf(chars);
  if (points.length === 1) return literal(chars);
  const ranges: string[] = [];
  for (let i = 0; i < points.length; ) {
    const from = points[i] ?? 0;
    let to = from;
    while (points[++i] === to + 1) to++;
    ranges.push(rangeOf(from, to));
  }
  return `[${ranges.join('')}]`;
}

/** All characters but these. */
export function anyBut(chars: string): string {
  const ranges: string[] = [];
  let from = 0;
  for (const point of [...pointsOf(chars), last + 1]) {
    if (point > from) ranges.push(rangeOf(from, point - 1));
    from = point + 1;
  }
  return `[${ranges.join('')}]`;
}

/** Alternatives, in parentheses if they need them. */
export function either(all: readonly string[]): string {
  return all.length === 1 ? (all[0] ?? '') : `(${all.join(' | ')})`;
}

function pointsOf(chars: string): number[] {
  const points = new Set(Array.from(chars, (char) => char.codePointAt(0) ?? 0));
  return [...points].sort((a, b) => a - b);
}

function rangeOf(from: number, to: number): string {
  if (to - from < 2) return from === to ? classChar(from) : `${classChar(from)}${classChar(to)}`;
  return `${classChar(from)}-${classChar(to)}`;
}

/** In a class letters and digits stand for themselves; what may mean something else has a number. */
function classChar(point: number): string {
  const char = String.fromCodePoint(point);
  return /^[A-Za-z0-9]$/.test(char) ? char : numbered(point);
}

function escaped(char: string): string {
  const point = char.codePointAt(0) ?? 0;
  if (char === '\n') return '\\n';
  return point >= 0x20 && point < 0x7f ? char : numbered(point);
}

function numbered(point: number): string {
  const digits = point.toString(16).toUpperCase();
  if (point < 0x100) return `\\x${digits.padStart(2, '0')}`;
  return point < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}
