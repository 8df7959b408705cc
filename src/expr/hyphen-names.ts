/**
 * Ids with hyphens in expressions: `research-web` is one name where it is the id of something, else a subtraction.
 * Ids longer than `longest` are not found, so that a word costs the same however long the text is.
 */

export interface HyphenWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The end of the longest known id with a hyphen that begins at `at`, where a name begins. */
export type HyphenNames = (text: string, at: number, end: number) => number | undefined;

const longest = 256;
const DOLLAR = 36;
const HYPHEN = 45;
const UNDERSCORE = 95;
const wordPart = /^[\p{ID_Continue}$-]$/u;

/** A set of ids, or a map that has them for keys. */
export interface Ids {
  readonly has: (id: string) => boolean;
  readonly keys: () => Iterable<string>;
}

export function hyphenNames(names: Ids): HyphenNames {
  return (text, at, end) => {
    const lengths = lengthsOf(names);
    if (lengths.size === 0) return undefined;
    const last = wordEnd(text, at, Math.min(end, at + longest + 1));
    for (let to = Math.min(last, at + longest); to > at; to--) {
      if ((to < last && text.charCodeAt(to) !== HYPHEN) || !lengths.has(to - at)) continue;
      const name = text.slice(at, to);
      if (name.includes('-') && names.has(name)) return to;
    }
    return undefined;
  };
}

/** Where the word that begins at `at` ends, its hyphens included. */
function wordEnd(text: string, at: number, end: number): number {
  let to = at;
  while (to < end) {
    const code = text.charCodeAt(to);
    if (code < 128) {
      if (!isPart(code)) break;
      to++;
    } else {
      const char = String.fromCodePoint(text.codePointAt(to) ?? code);
      if (!wordPart.test(char) || to + char.length > end) break;
      to += char.length;
    }
  }
  return to;
}

function isPart(code: number): boolean {
  const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return isLetter || (code >= 48 && code <= 57) || code === HYPHEN || code === UNDERSCORE || code === DOLLAR;
}

/** All texts of a file know the same ids. */
const known = new WeakMap<Ids, ReadonlySet<number>>();

/** How long the ids with hyphens are. */
function lengthsOf(names: Ids): ReadonlySet<number> {
  let lengths = known.get(names);
  if (lengths === undefined) {
    lengths = new Set([...names.keys()].filter((name) => name.includes('-')).map((name) => name.length));
    known.set(names, lengths);
  }
  return lengths;
}

/** The whole hyphenated word around the name at `offset`, to look for the id that was meant; none behind a dot. */
export function hyphenWordAt(text: string, offset: number): HyphenWord | undefined {
  let start = offset;
  let end = offset;
  while (offset - start < longest && wordPart.test(text[start - 1] ?? '')) start--;
  while (end - offset < longest && wordPart.test(text[end] ?? '')) end++;
  const [word = ''] = /[\p{ID_Start}$_].*[^-]/u.exec(text.slice(start, end)) ?? [];
  start = text.indexOf(word, start);
  return word.includes('-') && text[start - 1] !== '.' ? { word, start, end: start + word.length } : undefined;
}
