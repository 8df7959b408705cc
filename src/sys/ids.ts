/** Run ids: 12 random characters of lower-case Crockford base32, and how people shorten them. */
import { randomBytes } from 'node:crypto';

/** Gives `size` random bytes. */
export type Random = (size: number) => Uint8Array;

export type IdMatch =
  | { readonly kind: 'one'; readonly id: string }
  | { readonly kind: 'many'; readonly candidates: readonly string[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' };

/** No i, l, o, u: so that an id can be read aloud. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idLength = 12;
const shownLength = 4;

export function newRunId(random: Random = randomBytes): string {
  let id = '';
  // 32 divides 256, so the five low bits are as even as the bytes.
  for (const byte of random(idLength)) id += alphabet[byte & 31];
  return id;
}

export function isRunId(text: string): boolean {
  return text.length === idLength && isIdText(text);
}

/** Which of the ids a written one means. As Crockford has it: any case, `i` and `l` are 1, `o` is 0. */
export function matchRunId(written: string, ids: Iterable<string>): IdMatch {
  const prefix = written.toLowerCase().replace(/[il]/g, '1').replace(/o/g, '0');
  if (prefix === '' || prefix.length > idLength || !isIdText(prefix)) return { kind: 'malformed' };
  const candidates = new Set<string>();
  for (const id of ids) {
    if (id === prefix) return { kind: 'one', id };
    if (id.startsWith(prefix)) candidates.add(id);
  }
  const [first] = candidates;
  if (first === undefined) return { kind: 'none' };
  return candidates.size === 1 ? { kind: 'one', id: first } : { kind: 'many', candidates: [...candidates].sort() };
}

/** The shortest prefix of each id, of four characters or more, that no other of them begins with. */
export function shortIds(ids: Iterable<string>): Map<string, string> {
  const sorted = [...new Set(ids)].sort();
  const short = new Map<string, string>();
  sorted.forEach((id, i) => {
    // In sorted order only a neighbour can share the longest beginning.
    const shared = Math.max(sharedLength(id, sorted[i - 1] ?? ''), sharedLength(id, sorted[i + 1] ?? ''));
    short.set(id, id.slice(0, Math.max(shownLength, shared + 1)));
  });
  return short;
}

function isIdText(text: string): boolean {
  for (const c of text) if (!alphabet.includes(c)) return false;
  return true;
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
