/** Single UTF-16 units, by their numbers: what the readers of this folder ask about them. */

export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const SLASH = 0x2f;
export const OPEN = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE = 0x5d;

/** A space or a tab. */
export function isBlank(unit: number): boolean {
  return unit === SPACE || unit === TAB;
}

/** What `trim` takes away and `\s` matches; nearly always a space. */
export function isWhite(unit: number): boolean {
  if (unit <= SPACE) return unit === SPACE || (unit >= TAB && unit <= CR);
  return unit >= 0xa0 && /\s/.test(String.fromCharCode(unit));
}

/** The first half of a surrogate pair. */
export function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** The second half of a surrogate pair. */
export function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
