/** Regular expressions with the semantics of ECMAScript 2024, whose work is counted and can be stopped. */
import { compileProgram } from './compile.ts';
import { readFlags } from './flags.ts';
import type { RegExpBudget } from './match.ts';
import { parseRegExp } from './parse.ts';
import type { Program } from './program.ts';
import { search } from './search.ts';

export interface RegExpMatch {
  readonly index: number;
  readonly end: number;
  /** The whole match, then the groups. */
  readonly groups: readonly (string | undefined)[];
  /** When there are named groups; in their order in the pattern, and without a prototype. */
  readonly named?: Readonly<Record<string, string | undefined>>;
  /** With the flag d: start and end of each of `groups`. */
  readonly indices?: readonly (readonly [start: number, end: number] | undefined)[];
}

export interface CompiledRegExp {
  /** As `RegExp.prototype.source`: it can stand between slashes. */
  readonly source: string;
  /** As `RegExp.prototype.flags`: sorted. */
  readonly flags: string;
  /** The number of each named group, in their order in the pattern. */
  readonly groupNames: ReadonlyMap<string, number>;
  /**
   * The first match from `lastIndex` on; with the flag y only the one right there. It holds no state: the caller
   * passes 0 when neither g nor y is set, and moves `lastIndex` itself.
   */
  readonly exec: (text: string, lastIndex: number, budget: RegExpBudget) => RegExpMatch | null;
}

/** Throws `RegExpSyntaxError`. */
export function compileRegExp(pattern: string, flagText: string): CompiledRegExp {
  const flags = readFlags(flagText);
  const parsed = parseRegExp(pattern, flags);
  const { names } = parsed;
  const program: Program = compileProgram(parsed, flags);
  return {
    source: sourceOf(pattern),
    flags: flags.text,
    groupNames: names,
    exec: (text, lastIndex, budget) => {
      const found = search(program, text, lastIndex, flags.sticky, budget);
      return found === undefined ? null : matchOf(text, found, names, flags.indices);
    },
  };
}

function matchOf(
  text: string,
  found: Int32Array,
  names: ReadonlyMap<string, number>,
  withIndices: boolean,
): RegExpMatch {
  const groups: (string | undefined)[] = [];
  const indices: ([number, number] | undefined)[] = [];
  for (let at = 0; at < found.length; at += 2) {
    const start = found[at] as number;
    const end = found[at + 1] as number;
    const matched = start >= 0 && end >= 0;
    groups.push(matched ? text.slice(start, end) : undefined);
    if (withIndices) indices.push(matched ? [start, end] : undefined);
  }
  let named: Record<string, string | undefined> | undefined;
  if (names.size > 0) {
    named = Object.create(null) as Record<string, string | undefined>;
    for (const [name, group] of names) named[name] = groups[group];
  }
  return {
    index: found[0] as number,
    end: found[1] as number,
    groups,
    ...(named === undefined ? {} : { named }),
    ...(withIndices ? { indices } : {}),
  };
}

const lineEnds: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** The pattern with slashes and line ends escaped. */
function sourceOf(pattern: string): string {
  if (pattern === '') return '(?:)';
  const parts: string[] = [];
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    let char = pattern.charAt(at);
    const escaped = char === '\\';
    if (escaped) char = pattern.charAt(++at);
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    const lineEnd = lineEnds[char];
    if (lineEnd !== undefined) parts.push(lineEnd);
    else parts.push(escaped || (char === '/' && !inClass) ? `\\${char}` : char);
  }
  return parts.join('');
}
