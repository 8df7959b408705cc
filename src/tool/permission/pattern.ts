/**
 * Patterns of rules. `*` stands for any characters, none included; nothing else in a pattern is special.
 * 1. In paths `*` stops at `/`, `**` does not; `**` with the slash behind it may stand for nothing, and so may a last slash with
 *    `**` behind it.
 * 2. In addresses scheme, host, port and path are compared one by one, so no part can pose as another.
 * 3. In all others, as in commands, `*` goes over everything; a last ` *` may stand for nothing.
 * 4. The time is at most the length of the pattern times that of the text.
 */
import { domainToASCII } from 'node:url';
import { fitsPattern } from '../../text/index.ts';

/** Of commands and other texts. */
export function fitsText(pattern: string, text: string): boolean {
  return fitsPattern(pattern, text) || (pattern.endsWith(' *') && text === pattern.slice(0, -2));
}

/** Whether some words of a text fit, one after the other; letter case does not matter. */
export function fitsWords(pattern: string, text: string): boolean {
  const words = folded(pattern)
    .replace(/^(?:\* +)+/, '')
    .replace(/(?: +\*)+$/, '');
  return fitsPattern(`* ${words} *`, ` ${folded(text)} `);
}

type Token = string | typeof star | typeof stars | typeof folders | typeof inside | typeof below;
const star = 1;
const stars = 2;
/** Nothing, or anything that ends with a slash; always with `inside` behind it. */
const folders = 3;
const inside = 4;
/** At the end: nothing, or a slash and anything. */
const below = 5;

/** Tries all that the pattern may stand for at once, so it never goes back. */
export function fitsPath(pattern: string, path: string): boolean {
  const tokens = tokensOf(pattern);
  const reach = (into: Set<number>, state: number): void => {
    if (into.has(state)) return;
    into.add(state);
    const token = tokens[state];
    if (token === folders) reach(into, state + 2);
    if (typeof token === 'number' && token !== inside) reach(into, state + 1);
  };
  let states = new Set<number>();
  reach(states, 0);
  for (const char of path) {
    const next = new Set<number>();
    for (const state of states) {
      const token = tokens[state];
      // Behind the last slash everything fits.
      if (token === below && char === '/') return true;
      if (token === char || (token === inside && char === '/')) reach(next, state + 1);
      if (token === stars || token === inside || (token === star && char !== '/')) reach(next, state);
    }
    if (next.size === 0) return false;
    states = next;
  }
  return states.has(tokens.length);
}

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; ) {
    const atStart = at === 0 || pattern[at - 1] === '/';
    if (pattern.startsWith('/**', at) && at + 3 === pattern.length && at > 0) {
      tokens.push(below);
      at += 3;
    } else if (atStart && pattern.startsWith('**/', at)) {
      tokens.push(folders, inside);
      at += 3;
    } else if (pattern.startsWith('**', at)) {
      tokens.push(stars);
      at += 2;
      while (pattern[at] === '*') at++;
    } else if (pattern[at] === '*') {
      tokens.push(star);
      at++;
    } else {
      const char = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
      tokens.push(char);
      at += char.length;
    }
  }
  return tokens;
}

const addressPattern = /^(?:([a-z*]+):\/\/)?(\[[^\]]*\]|[^/:?#[\]@\s]+)(?::([0-9]+|\*))?([/?].*)?$/i;

/** `strict`: for `allow`. Otherwise a port that is not said is any, and hosts may be written with `*` anywhere. */
export function fitsAddress(pattern: string, address: string, strict: boolean): boolean {
  const parts = addressPattern.exec(pattern);
  if (parts === null || !URL.canParse(address)) return !strict && fitsWords(pattern, address);
  const [, scheme = 'http*', host = '', port, path] = parts;
  const url = new URL(address);
  if (strict && (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')) return false;
  // `example.com*` would let `example.com.evil.org` in.
  if (strict && host.replace(/^\*\./, '').includes('*') && host !== '*') return false;
  const name = url.hostname.replace(/\.$/, '');
  return (
    fitsPattern(scheme.toLowerCase(), url.protocol.slice(0, -1)) &&
    fitsPattern(asciiHost(host), strict ? url.hostname : name) &&
    (port === undefined ? !strict || url.port === '' : port === '*' || port === portOf(url)) &&
    (path === undefined || fitsPattern(path, url.pathname + url.search))
  );
}

function asciiHost(host: string): string {
  const lower = host.toLowerCase();
  if (/^[\x21-\x7e]*$/.test(lower)) return lower;
  const rest = lower.replace(/^\*\./, '');
  return lower.slice(0, lower.length - rest.length) + (domainToASCII(rest) || rest);
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

/** Letter case, normal form and invisible characters do not matter to rules that refuse. */
export function folded(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}
