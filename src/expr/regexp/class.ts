/**
 * Classes, `[…]`, and properties, `\p{…}`. What they hold is asked of the native engine, one character at a time, so
 * only their extent, and with the flag v their strings, are read here.
 */
import { canonical, isCaseless } from './case-fold.ts';
import { type CharSet, charSet, setOfSource } from './char-set.ts';
import { RegExpSyntaxError } from './error.ts';
import { isLead, isTrail, readEscape } from './escape.ts';
import type { Flags } from './flags.ts';
import type { Node } from './node.ts';

const stringProperty =
  /^\{(?:Basic_Emoji|Emoji_Keycap_Sequence|RGI_(?:Modifier|Flag|Emoji_Modifier|Emoji_Flag|Emoji_Tag|Emoji_ZWJ)_Sequence|RGI_Emoji)\}/;

/** Longer than the longest of them. */
const propertyLength = 40;

/** After the bracket that closes the class at `at`, or after the pattern when none does. */
export function classEnd(pattern: string, at: number, nested: boolean): number {
  let open = 0;
  for (let end = at; end < pattern.length; end++) {
    const char = pattern.charAt(end);
    if (char === '\\') end++;
    else if (char === '[') open = nested ? open + 1 : 1;
    else if (char === ']' && --open === 0) return end + 1;
  }
  return pattern.length + 1;
}

/** A class or property that stands at `at`. */
export function readClass(source: string, at: number, flags: Flags): Node {
  const found = flags.sets ? stringsIn(source, at) : [];
  const set = tryClass(source, at, flags);
  if (found.length === 0) return { kind: 'set', set };
  const native = new RegExp(`^(?:${source})$`, flags.ofClass);
  // The longest is tried first, single characters before the empty string.
  const strings = [...new Set(found)].filter((string) => native.test(string)).sort((a, b) => b.length - a.length);
  const nodes = strings.filter((string) => string !== '').map((string) => stringNode(string, flags));
  nodes.push({ kind: 'set', set });
  if (strings.includes('')) nodes.push({ kind: 'sequence', nodes: [] });
  return nodes.length === 1 ? (nodes[0] as Node) : { kind: 'choice', nodes };
}

/** A character that stands for itself, or for all its cases. */
export function charNode(code: number, flags: Flags): Node {
  if (flags.ignoreCase && !isCaseless(code)) {
    const own = canonical(code, flags.unicode);
    return { kind: 'set', set: charSet((other) => canonical(other, flags.unicode) === own) };
  }
  // Half a pair is a character of its own only where its other half does not stand beside it.
  if (flags.unicode && (isLead(code) || isTrail(code))) return { kind: 'set', set: charSet((other) => other === code) };
  return { kind: 'char', code };
}

function tryClass(source: string, at: number, flags: Flags): CharSet {
  try {
    return setOfSource(source, flags.ofClass);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const reason = error.message.slice(error.message.lastIndexOf(': ') + 2);
    throw new RegExpSyntaxError(reason.charAt(0).toLowerCase() + reason.slice(1), at);
  }
}

function stringNode(string: string, flags: Flags): Node {
  return { kind: 'sequence', nodes: Array.from(string, (char) => charNode(char.codePointAt(0) as number, flags)) };
}

/** The strings of all `\q{a|bc}` in a class that are not one character; what remains of them, the native engine says. */
function stringsIn(source: string, at: number): string[] {
  const strings: string[] = [];
  for (let next = 0; next < source.length; next++) {
    if (source.charAt(next) !== '\\') continue;
    next++;
    const char = source.charAt(next);
    if (char === 'p' && stringProperty.test(source.slice(next + 1, next + 1 + propertyLength)))
      throw new RegExpSyntaxError('properties of strings, such as \\p{RGI_Emoji}, are left out', at + next - 1);
    if (char === 'q' && source.charAt(next + 1) === '{') next = addStrings(source, next + 2, strings);
  }
  return strings;
}

function addStrings(source: string, at: number, strings: string[]): number {
  let parts: string[] = [];
  for (let next = at; next < source.length; ) {
    const char = String.fromCodePoint(source.codePointAt(next) as number);
    if (char === '|' || char === '}') {
      if (parts.length !== 1) strings.push(parts.join(''));
      parts = [];
      if (char === '}') return next;
      next++;
    } else if (char === '\\') {
      // Only punctuation is not an escape of its own here; `\b` is a backspace in classes.
      const read = readEscape(source, next + 1, true);
      const raw = source.charAt(next + 1);
      parts.push(read !== undefined ? String.fromCodePoint(read.code) : raw === 'b' ? '\b' : raw);
      next = read?.end ?? next + 2;
    } else {
      parts.push(char);
      next += char.length;
    }
  }
  return source.length;
}
