/** Escapes in a pattern that stand for one character. */

export interface Escaped {
  readonly code: number;
  readonly end: number;
}

const controls: Readonly<Record<string, number>> = { f: 12, n: 10, r: 13, t: 9, v: 11 };

/**
 * Reads what follows the backslash before `at`. Undefined when there is no such escape, which happens with the flags
 * u and v only: without them every character stands for itself, and `\c` for a backslash before a "c".
 */
export function readEscape(pattern: string, at: number, unicode: boolean): Escaped | undefined {
  const char = pattern.charAt(at);
  const control = controls[char];
  if (control !== undefined) return { code: control, end: at + 1 };
  if (char >= '0' && char <= '9') return readOctal(pattern, at, unicode);
  if (char === 'c') {
    const letter = pattern.charAt(at + 1);
    if (/^[A-Za-z]$/.test(letter)) return { code: letter.charCodeAt(0) & 31, end: at + 2 };
    return unicode ? undefined : { code: 92, end: at };
  }
  if (char === 'x') {
    const code = readHex(pattern, at + 1, 2);
    if (code >= 0) return { code, end: at + 3 };
  }
  if (char === 'u') {
    const read = readUnicode(pattern, at, unicode);
    if (read !== undefined) return read;
  }
  if (!unicode) return { code: pattern.charCodeAt(at), end: at + 1 };
  return /^[\^$\\.*+?()[\]{}|/]$/.test(char) ? { code: char.charCodeAt(0), end: at + 1 } : undefined;
}

/** `uHHHH`, and with code points also `u{H…}` and a pair `uHHHH\uHHHH`. */
export function readUnicode(pattern: string, at: number, codePoints: boolean): Escaped | undefined {
  if (codePoints && pattern.charAt(at + 1) === '{') return readBraced(pattern, at + 2);
  const code = readHex(pattern, at + 1, 4);
  if (code < 0) return undefined;
  if (codePoints && isLead(code) && pattern.startsWith('\\u', at + 5)) {
    const trail = readHex(pattern, at + 7, 4);
    if (isTrail(trail)) return { code: pair(code, trail), end: at + 11 };
  }
  return { code, end: at + 5 };
}

export function isLead(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

export function isTrail(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}

export function pair(lead: number, trail: number): number {
  return ((lead - 0xd800) << 10) + (trail - 0xdc00) + 0x10000;
}

function readOctal(pattern: string, at: number, unicode: boolean): Escaped | undefined {
  const first = pattern.charCodeAt(at) - 48;
  if (unicode) return first === 0 && !/^[0-9]$/.test(pattern.charAt(at + 1)) ? { code: 0, end: at + 1 } : undefined;
  if (first > 7) return { code: first + 48, end: at + 1 };
  let code = first;
  let end = at + 1;
  while (end < at + 3) {
    const digit = pattern.charCodeAt(end) - 48;
    if (!(digit >= 0 && digit <= 7) || code * 8 + digit > 0o377) break;
    code = code * 8 + digit;
    end++;
  }
  return { code, end };
}

function readBraced(pattern: string, at: number): Escaped | undefined {
  let code = 0;
  let end = at;
  for (let digit = hexDigit(pattern, end); digit >= 0; digit = hexDigit(pattern, end)) {
    code = code * 16 + digit;
    if (code > 0x10ffff) return undefined;
    end++;
  }
  return end > at && pattern.charAt(end) === '}' ? { code, end: end + 1 } : undefined;
}

/** -1 when there are not that many digits. */
function readHex(pattern: string, at: number, length: number): number {
  let code = 0;
  for (let end = at; end < at + length; end++) {
    const digit = hexDigit(pattern, end);
    if (digit < 0) return -1;
    code = code * 16 + digit;
  }
  return code;
}

function hexDigit(pattern: string, at: number): number {
  const char = pattern.charAt(at);
  return /^[0-9A-Fa-f]$/.test(char) ? Number.parseInt(char, 16) : -1;
}
