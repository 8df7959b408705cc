/** Group names, and a first look over a pattern for its groups: escapes mean other things when there are some. */
import { classEnd } from './class.ts';
import { isLead, isTrail, pair, readUnicode } from './escape.ts';
import type { Flags } from './flags.ts';

export interface GroupCount {
  readonly total: number;
  readonly named: boolean;
}

export interface GroupName {
  readonly name: string;
  /** After the `>`. */
  readonly end: number;
}

export function countGroups(pattern: string, flags: Flags): GroupCount {
  let total = 0;
  let named = false;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    if (char === '\\') at++;
    else if (char === '[') at = classEnd(pattern, at, flags.sets) - 1;
    else if (char === '(') {
      const hasName = isNamed(pattern, at);
      if (hasName) named = true;
      if (hasName || pattern.charAt(at + 1) !== '?') total++;
    }
  }
  return { total, named };
}

/** True when the bracket at `at` opens a group with a name: `(?<`, but not `(?<=` and `(?<!`. */
export function isNamed(pattern: string, at: number): boolean {
  const next = pattern.charAt(at + 3);
  return pattern.startsWith('(?<', at) && next !== '=' && next !== '!';
}

/** Reads `name>`; undefined when it is not a name. */
export function readGroupName(pattern: string, at: number): GroupName | undefined {
  const parts: string[] = [];
  for (let end = at; end < pattern.length; ) {
    const unit = pattern.charCodeAt(end);
    if (unit === 62) return parts.length === 0 ? undefined : { name: parts.join(''), end: end + 1 };
    let code = unit;
    if (unit === 92) {
      const read = pattern.charAt(end + 1) === 'u' ? readUnicode(pattern, end + 1, true) : undefined;
      if (read === undefined) return undefined;
      code = read.code;
      end = read.end;
    } else {
      end++;
      const trail = pattern.charCodeAt(end);
      if (isLead(unit) && isTrail(trail)) {
        code = pair(unit, trail);
        end++;
      }
    }
    const char = String.fromCodePoint(code);
    if (!(parts.length === 0 ? /^[$_\p{ID_Start}]$/u : /^(?:[$\p{ID_Continue}]|\u200c|\u200d)$/u).test(char))
      return undefined;
    parts.push(char);
  }
  return undefined;
}
