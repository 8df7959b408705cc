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
const wordPart = /^[\p{ID_Continue}$-]$/u;

export function hyphenNames(names: ReadonlySet<string>): HyphenNames {
  return (text, at, end) => {
    const [word = ''] = /^[\p{ID_Continue}$-]+/u.exec(text.slice(at, Math.min(end, at + longest + 1))) ?? [];
    if (!word.includes('-')) return undefined;
    const lengths = lengthsOf(names);
    for (let length = Math.min(word.length, longest); length > 0; length--) {
      if (!lengths.has(length) || (word[length] ?? '-') !== '-') continue;
      if (names.has(word.slice(0, length))) return at + length;
    }
    return undefined;
  };
}

/** All texts of a file know the same ids. */
const known = new WeakMap<ReadonlySet<string>, ReadonlySet<number>>();

/** How long the ids with hyphens are. */
function lengthsOf(names: ReadonlySet<string>): ReadonlySet<number> {
  let lengths = known.get(names);
  if (lengths === undefined) {
    lengths = new Set([...names].filter((name) => name.includes('-')).map((name) => name.length));
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
