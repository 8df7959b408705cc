/**
 * A set of characters, given by a test that is asked once for each character.
 * The tests that ask the native engine give it one character and never a user's text.
 */

export interface CharSet {
  readonly test: (code: number) => boolean;
  /** By the upper bits of the code, 256 answers each: 0 not asked yet, 1 no, 2 yes. */
  readonly pages: Uint8Array[];
}

export function charSet(test: (code: number) => boolean): CharSet {
  return { test, pages: [] };
}

export function has(set: CharSet, code: number): boolean {
  const page = set.pages[code >> 8];
  const known = page === undefined ? 0 : (page[code & 255] as number);
  return known === 0 ? ask(set, code) : known === 2;
}

/** The characters that a piece of a pattern stands for: a class or an escape that matches one character. */
export function setOfSource(source: string, flagsOfClass: string): CharSet {
  const native = new RegExp(`^(?:${source})$`, flagsOfClass);
  return charSet((code) => native.test(String.fromCodePoint(code)));
}

const shared = new Map<string, CharSet>();

/** As `setOfSource`, kept for all expressions. Only for the few pieces that are the same everywhere, such as `\d`. */
export function sharedSet(source: string, flagsOfClass: string): CharSet {
  const key = `${flagsOfClass}/${source}`;
  const known = shared.get(key);
  if (known !== undefined) return known;
  const set = setOfSource(source, flagsOfClass);
  shared.set(key, set);
  return set;
}

export function isLineEnd(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
}

export const anyChar = charSet(() => true);
export const anyButLineEnd = charSet((code) => !isLineEnd(code));

function ask(set: CharSet, code: number): boolean {
  let page = set.pages[code >> 8];
  if (page === undefined) {
    page = new Uint8Array(256);
    set.pages[code >> 8] = page;
  }
  const is = set.test(code);
  page[code & 255] = is ? 2 : 1;
  return is;
}
