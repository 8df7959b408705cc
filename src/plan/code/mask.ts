/**
 * Step ids with hyphens are no names in JavaScript. Before code is parsed each one is masked: its hyphens become a
 * letter, so the parser sees one name of the same length, and no offset moves. The tree then says what it stands for.
 *
 * 1. The longest known id wins, and it ends where the word ends: with `a-b` known, `a-bc` is not masked.
 * 2. What follows a dot is a member, not a step, unless it is `steps.`.
 * 3. Texts, comments and patterns are masked too; that is harmless, since only the names of the tree are looked at.
 */

export interface Masked {
  readonly text: string;
  /** The ids by the offset where they begin. */
  readonly ids: ReadonlyMap<number, string>;
}

const word = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const part = /[\p{ID_Continue}$]+/uy;
const nextStart = /[\p{ID_Continue}$]/gu;

/** A letter of names that nobody writes; whether something is masked is decided by `ids`, never by this letter. */
const stand = '\u00b7';

export function maskIds(text: string, names: ReadonlySet<string>): Masked {
  const known = prefixesOf(names);
  if (known.size === 0 || !text.includes('-')) return { text, ids: new Map() };
  const ids = new Map<number, string>();
  const parts: string[] = [];
  let copied = 0;
  for (let at = wordAfter(text, 0); at !== -1; ) {
    const first = endOf(word, text, at);
    const end = first === -1 || isMember(text, at) ? -1 : longestId(text, at, first, known, names);
    if (end !== -1) {
      const id = text.slice(at, end);
      ids.set(at, id);
      parts.push(text.slice(copied, at), id.replaceAll('-', stand));
      copied = end;
    }
    at = wordAfter(text, Math.max(end, first, endOf(part, text, at)));
  }
  parts.push(text.slice(copied));
  return { text: parts.join(''), ids };
}

/** The word with hyphens that begins here: `research-web` of `research-web.text`. */
export function hyphenWord(text: string, at: number): string {
  let end = endOf(word, text, at);
  while (end !== -1 && text[end] === '-') {
    const next = endOf(part, text, end + 1);
    if (next === -1) break;
    end = next;
  }
  return end === -1 ? '' : text.slice(at, end);
}

/** The names of an id's parts; numbers are none. */
export function partsOf(id: string): string[] {
  return id.split('-').filter((name) => !/^[0-9]/.test(name));
}

function longestId(
  text: string,
  at: number,
  first: number,
  prefixes: ReadonlySet<string>,
  names: ReadonlySet<string>,
): number {
  let best = -1;
  let hyphens = 0;
  for (let end = first; end !== -1; hyphens++) {
    const candidate = text.slice(at, end);
    if (!prefixes.has(candidate)) break;
    if (hyphens > 0 && names.has(candidate)) best = end;
    end = text[end] === '-' ? endOf(part, text, end + 1) : -1;
  }
  return best;
}

/** All code of a file knows the same ids. */
const prefixSets = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

/** Every id with hyphens and what it begins with, up to each hyphen. */
function prefixesOf(names: ReadonlySet<string>): ReadonlySet<string> {
  const before = prefixSets.get(names);
  if (before !== undefined) return before;
  const prefixes = new Set<string>();
  prefixSets.set(names, prefixes);
  for (const name of names) {
    for (let at = name.indexOf('-'); at !== -1; at = name.indexOf('-', at + 1)) {
      prefixes.add(name.slice(0, at));
      prefixes.add(name);
    }
  }
  return prefixes;
}

function isMember(text: string, at: number): boolean {
  let dot = at - 1;
  while (dot >= 0 && /\s/.test(text.charAt(dot))) dot--;
  if (text[dot] === '#') return true;
  if (text[dot] !== '.' || (text[dot - 1] === '.' && text[dot - 2] === '.')) return false;
  return !/(?:^|[^\p{ID_Continue}$.])steps[?!]?$/u.test(text.slice(Math.max(0, dot - 8), dot));
}

function wordAfter(text: string, from: number): number {
  nextStart.lastIndex = from;
  const found = nextStart.exec(text);
  return found === null ? -1 : found.index;
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
