/** What Tab offers: commands and prompts at the beginning, what a command takes, and files behind `@`. */
import { fileMark } from './file-words.ts';

export type Wanted =
  /** `from`: where what is completed begins in the text. */
  | { readonly kind: 'command'; readonly from: number; readonly start: string }
  | { readonly kind: 'argument'; readonly from: number; readonly start: string; readonly command: string }
  | { readonly kind: 'file'; readonly from: number; readonly start: string };

export function wantedAt(text: string, at: number): Wanted | undefined {
  const before = text.slice(0, at);
  const command = /^\/([^\s]*)$/.exec(before);
  if (command) return { kind: 'command', from: 0, start: command[1] ?? '' };
  const argument = /^\/([a-z]+)[ \t]+(\S*)$/.exec(before);
  if (argument && argument[1] !== undefined && !(argument[2] ?? '').startsWith('@')) {
    const start = argument[2] ?? '';
    return { kind: 'argument', from: at - start.length, start, command: argument[1] };
  }
  const file = /(?:^|[\s(])@(?:"([^"\n]*)|([^\s@"]*))$/.exec(before);
  if (!file) return undefined;
  const start = file[1] ?? file[2] ?? '';
  return { kind: 'file', from: at - start.length - (file[1] === undefined ? 1 : 2), start };
}

/** Those that begin so, in order, each once. */
export function offersOf(start: string, names: Iterable<string>): readonly string[] {
  const lower = start.toLowerCase();
  return [...new Set(names)].filter((name) => name.toLowerCase().startsWith(lower)).sort();
}

/** What is written in the place of what stands there; what is whole ends with a blank. */
export function written(wanted: Wanted, offer: string): string {
  if (wanted.kind === 'command') return `/${offer} `;
  if (wanted.kind === 'argument') return `${offer} `;
  // Within a folder one goes on: a quotation mark that is open stays so.
  if (!offer.endsWith('/')) return `${fileMark(offer)} `;
  return /\s/.test(offer) ? `@"${offer}` : `@${offer}`;
}

/** How all of them begin. */
export function commonStart(offers: readonly string[]): string {
  const [first = '', ...rest] = offers;
  let length = first.length;
  for (const other of rest) {
    let same = 0;
    while (same < length && first[same] === other[same]) same++;
    length = same;
  }
  // Not in the middle of a character.
  const isHalf = /[\ud800-\udbff]/.test(first[length - 1] ?? '');
  return first.slice(0, isHalf ? length - 1 : length);
}

/** The same for what is not whole yet. */
export function begun(wanted: Wanted, start: string): string {
  if (wanted.kind === 'command') return `/${start}`;
  if (wanted.kind === 'argument') return start;
  return /\s/.test(start) ? `@"${start}` : `@${start}`;
}
