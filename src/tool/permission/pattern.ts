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
  return fitsPattern(anyWords(pattern), ` ${folded(text)} `);
}

/**
 * The same of a text that is open itself: its `*` stands for any characters of one word, its `?` for any one of them. What fits
 * must begin with a word that is not open: any file may be called as a program is.
 */
export function mayFitWords(pattern: string, open: string): boolean {
  const wanted = `${innerWords(pattern)} `;
  /** How much of the pattern can have met the last of what came, for each of its beginnings. */
  let met: boolean[] = Array(wanted.length + 1).fill(false);
  for (const word of folded(open).split(' ')) {
    if (!/[*?]/.test(word)) begin(met, wanted);
    for (const char of `${word} `) {
      met = goOn(met, wanted, char);
      if (met[wanted.length]) return true;
    }
  }
  return false;
}

function begin(met: boolean[], wanted: string): void {
  met[0] = true;
  for (let at = 1; wanted[at - 1] === '*'; at++) met[at] = true;
}

function goOn(met: readonly boolean[], wanted: string, char: string): boolean[] {
  const now = [false];
  for (let at = 1; at <= wanted.length; at++) {
    const last = wanted[at - 1];
    const isLetter = last !== ' ';
    const byOwn = last === '*' && (met[at] === true || now[at - 1] === true);
    const byOpen = char === '*' && (met[at] === true || (isLetter && now[at - 1] === true));
    const byOne = (char === last || (char === '?' && isLetter)) && met[at - 1] === true;
    now.push(byOwn || byOpen || byOne);
  }
  return now;
}

function anyWords(pattern: string): string {
  return `* ${innerWords(pattern)} *`;
}

/** Without stars at its ends: what stands before and behind is not asked for. */
function innerWords(pattern: string): string {
  return folded(pattern)
    .replace(/^(?:\* +)+/, '')
    .replace(/(?: +\*)+$/, '');
}

type Token = string | typeof star | typeof stars | typeof folders | typeof inside | typeof below;
const star = 1;
const stars = 2;
/** Nothing, or anything that ends with a slash; always with `inside` behind it. */
const folders = 3;
const inside = 4;
/** At the end: nothing, or a slash and anything. */
const below = 5;

/** Tries all that the pattern may stand for at once, so it never goes back. `orFolder`: a folder that it lies in will do. */
export function fitsPath(pattern: string, path: string, orFolder = false): boolean {
  const tokens = tokensOf(pattern);
  const end = tokens.length;
  /** The step at which a state was reached last. */
  const reached = new Int32Array(end + 1).fill(-1);
  const reach = (into: number[], state: number, step: number): void => {
    if (reached[state] === step) return;
    reached[state] = step;
    into.push(state);
    const token = tokens[state];
    if (token === folders) reach(into, state + 2, step);
    if (typeof token === 'number' && token !== inside) reach(into, state + 1, step);
  };
  let states: number[] = [];
  let step = 0;
  reach(states, 0, step);
  for (const char of path) {
    if (orFolder && char === '/' && reached[end] === step) return true;
    const next: number[] = [];
    step++;
    for (const state of states) {
      const token = tokens[state];
      // Behind the last slash everything fits.
      if (token === below && char === '/') return true;
      if (token === char || (token === inside && char === '/')) reach(next, state + 1, step);
      if (token === stars || token === inside || (token === star && char !== '/')) reach(next, state, step);
    }
    if (next.length === 0) return false;
    states = next;
  }
  return reached[end] === step;
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
    (path === undefined || (strict ? fitsPlainly(path, url) : mayFit(path, url)))
  );
}

/** Signs that some server takes for a slash or a dot are in no path that is allowed by a part of it. */
function fitsPlainly(path: string, { pathname, search }: URL): boolean {
  if (!/^\/?\*$/.test(path) && /%(?:2e|2f|5c|25|00)|\/\/|;/i.test(pathname)) return false;
  return fitsPattern(path, pathname + search);
}

/** As most servers would read it: without escapes, letter case, empty parts and what stands behind `;`; with or without a query. */
function mayFit(path: string, { pathname, search }: URL): boolean {
  const wanted = folded(path);
  const plain = new URL(
    `http://h${unescaped(pathname)
      .replace(/;[^/]*/g, '')
      .replace(/[\\/]+/g, '/')}`,
  ).pathname;
  const read = [pathname, unescaped(pathname), unescaped(plain)].flatMap((each) => [each, each.replace(/\/$/, '')]);
  return read.some((each) => fitsPattern(wanted, folded(each)) || fitsPattern(wanted, folded(each + search)));
}

/** However often it was escaped. */
function unescaped(text: string): string {
  for (let before = text, turn = 0; ; turn++) {
    const after = before.replace(/(?:%[0-9a-f]{2})+/gi, (codes) =>
      Buffer.from(codes.replaceAll('%', ''), 'hex').toString(),
    );
    if (after === before || turn >= mostEscapes) return after;
    before = after;
  }
}

const mostEscapes = 5;

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
  if (/^[\x21-\x7e]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}
