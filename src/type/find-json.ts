/**
 * Finds JSON in what a model wrote: the whole text, else every outermost object and list in it.
 * 1. Time is linear: a failed try is paid from a budget of a few looks at the text; when that is spent, the search goes
 *    on behind the failure instead of behind its first character.
 * 2. Nothing is picked out of damaged JSON: what began as JSON and broke is skipped up to its closing bracket, since a
 *    part of it would be taken for the whole.
 */
import { type DamagedJson, parseLenient, skipBlanks } from './lenient-json.ts';

export interface FoundJson {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
  /** It is the whole text. */
  readonly whole: boolean;
  /** It stands directly behind the opening line of a code fence. */
  readonly fenced: boolean;
  readonly repairs: readonly string[];
}

const looks = 8;

/** Calls `visit` for each value in order, and gives the damage that tells most, if there was any. */
export function findJson(text: string, visit: (found: FoundJson) => void): DamagedJson | undefined {
  const whole = parseWhole(text);
  if (whole.ok) {
    visit(whole.found);
    return undefined;
  }
  let worst: DamagedJson | undefined = whole.damage;
  let budget = looks * text.length;
  const opener = /[[{]/g;
  for (let at = nextMatch(opener, text, 0); at !== -1; ) {
    const result = parseLenient(text, at);
    let next: number;
    if (result.ok) {
      const { value, end, repairs } = result;
      visit({ value, start: at, end, whole: false, fenced: isFenced(text, at), repairs });
      next = end;
    } else {
      worst = worse(worst, result);
      budget -= result.at - at + 1;
      if (result.meant) next = endOfDamage(text, result);
      else next = budget > 0 ? at + 1 : Math.max(at + 1, result.at);
    }
    at = nextMatch(opener, text, next);
  }
  return worst;
}

/** The whole text as one value, blanks and comments around it allowed. */
export function parseWhole(
  text: string,
): { readonly ok: true; readonly found: FoundJson } | { readonly ok: false; readonly damage: DamagedJson } {
  const before = skipBlanks(text, 0);
  const start = before?.at ?? 0;
  const result = parseLenient(text, start);
  if (!result.ok) return { ok: false, damage: result };
  const after = skipBlanks(text, result.end);
  if (after?.at !== text.length) {
    const at = after?.at ?? result.end;
    const message = 'there is more text after the end of the JSON';
    return { ok: false, damage: { ok: false, start, at, message, meant: false, cut: false, depth: 0 } };
  }
  const { value } = result;
  const repairs = [...new Set([...(before?.repairs ?? []), ...result.repairs, ...after.repairs])];
  return { ok: true, found: { value, start, end: result.end, whole: true, fenced: false, repairs } };
}

/** `line 3, column 5`, for people. */
export function placeIn(text: string, offset: number): string {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    start = at + 1;
  }
  return `line ${line}, column ${offset - start + 1}`;
}

function worse(a: DamagedJson | undefined, b: DamagedJson): DamagedJson {
  if (a === undefined || (b.meant && !a.meant)) return b;
  if (a.meant && !b.meant) return a;
  // The text can end inside one value only, and that is what went wrong last.
  if (b.cut && b.meant) return b;
  return b.at - b.start > a.at - a.start ? b : a;
}

/** Where broken JSON most likely ends: its brackets are balanced, a code fence starts, or nothing is left. */
function endOfDamage(text: string, damage: DamagedJson): number {
  let { depth } = damage;
  for (let at = damage.at; at < text.length; at++) {
    const char = text[at];
    if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') {
      depth--;
      if (depth <= 0) return at + 1;
    } else if (char === '\n' && text.startsWith('```', at + 1)) return at + 1;
  }
  return text.length;
}

/** Whether only blanks and the fence's language lie between three backticks and `at`. */
function isFenced(text: string, at: number): boolean {
  let back = at - 1;
  while (back >= 0 && /\s/.test(text[back] ?? '')) back--;
  const stop = back - 20;
  while (back >= 0 && back > stop && /[A-Za-z0-9_+-]/.test(text[back] ?? '')) back--;
  return back >= 2 && text.startsWith('```', back - 2);
}

function nextMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
