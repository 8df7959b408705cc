/**
 * When two characters are the same but for their case: `Canonicalize` of ECMAScript.
 * 1. Without u and v a code unit stands for its upper case, unless that is longer, or ASCII for what is not.
 * 2. With u or v a code point stands for its simple case folding. JavaScript has no function for it, so another
 *    member of the same class is taken: the lower case of the upper case. Which member it is does not matter.
 */

/** Canonical forms by code; -1 where it is not known yet. */
const pages: Int32Array[] = [];

/** Same folding, though neither is the other's upper or lower case. */
const twins = new Map([
  [0x1fd3, 0x390],
  [0x1fe3, 0x3b0],
  [0xfb05, 0xfb06],
]);

export function canonical(code: number, unicode: boolean): number {
  if (code < 128) {
    if (unicode) return code >= 65 && code <= 90 ? code + 32 : code;
    return code >= 97 && code <= 122 ? code - 32 : code;
  }
  return unicode ? folded(code) : upper(code);
}

/** True when no other character can stand for it. */
export function isCaseless(code: number): boolean {
  const char = String.fromCodePoint(code);
  return char.toUpperCase() === char && char.toLowerCase() === char;
}

function upper(code: number): number {
  const changed = String.fromCharCode(code).toUpperCase();
  if (changed.length !== 1) return code;
  const result = changed.charCodeAt(0);
  return result < 128 ? code : result;
}

function folded(code: number): number {
  const page = pages[code >> 8] ?? newPage(code >> 8);
  const known = page[code & 255] as number;
  if (known >= 0) return known;
  const result = findFolded(code);
  page[code & 255] = result;
  return result;
}

function newPage(index: number): Int32Array {
  const page = new Int32Array(256).fill(-1);
  pages[index] = page;
  return page;
}

function findFolded(code: number): number {
  if (isCaseless(code)) return code;
  const other = twins.get(code) ?? single(single(code, 'toUpperCase'), 'toLowerCase');
  if (other === code) return code;
  // Not every upper case folds: that of the dotless i is "I", which folds to "i".
  const same = new RegExp(`^\\u{${code.toString(16)}}$`, 'iu').test(String.fromCodePoint(other));
  return same ? other : code;
}

/** The changed character when it still is one, else the character itself. */
function single(code: number, change: 'toUpperCase' | 'toLowerCase'): number {
  const changed = String.fromCodePoint(code)[change]();
  const result = changed.codePointAt(0) as number;
  return changed.length === (result > 0xffff ? 2 : 1) ? result : code;
}
