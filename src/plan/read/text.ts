/**
 * Texts: names, lines, and long texts with expressions in them.
 * 1. A text knows the place of each of its characters in the file, also of one that was written as a list of lines.
 * 2. A value that TOON reads as something else (`prompt: 42`, `- Note: x`) is reported with the fix that quotes it,
 *    and is read on as the text that was written.
 */
import {
  hasOddQuotes,
  missingHeader,
  quote,
  stringMap,
  type ToonArray,
  type ToonEntry,
  type ToonString,
  type ToonValue,
} from '../../toon/index.ts';
import type { DraftText, Word } from '../draft.ts';
import {
  add,
  describe,
  isNothing,
  type Read,
  type Reader,
  replace,
  report,
  shown,
  uncommented,
  word,
  written,
  wrongKind,
} from './reader.ts';

/** A text that may be written as a list of lines. */
export const longText: Read<DraftText> = (r, entry) => {
  const { value } = entry;
  if (value.kind !== 'array') return lineText(r, entry);
  if (!isPlainList(r, entry, value)) return undefined;
  const lines = value.items.map((item) => itemText(r, item, `a line of "${entry.key.text}"`));
  return notEmpty(r, entry, joined(r, value, lines));
};

/** A text in one piece, with expressions. */
export const lineText: Read<DraftText> = (r, entry) => {
  const { value } = entry;
  if (value.kind === 'string') return notEmpty(r, entry, draftText(r, value));
  return isScalar(value) ? itemText(r, value, `"${entry.key.text}"`) : wrongKind(r, entry, 'a text');
};

/** A text that is not interpolated: a name, a path. */
export const plainWord: Read<Word> = (r, entry) => {
  const value = uncommented(r, entry.value);
  if (value.kind === 'string' && value.text.trim() !== '') return word(r, value.text, value.span);
  const text = lineText(r, { ...entry, value });
  return text && word(r, text.text, text.span);
};

/** One text, or a list of them. */
export const texts: Read<readonly DraftText[]> = (r, entry) => {
  const { key, value } = entry;
  if (value.kind !== 'array') {
    const only = lineText(r, entry);
    return only && [only];
  }
  if (!isPlainList(r, entry, value)) return undefined;
  return value.items.map((item) => itemText(r, item, `an item of "${key.text}"`));
};

export function draftText(r: Reader, value: ToonString): DraftText {
  tellHash(r, value);
  // Most texts are never asked for a place.
  let map: ((offset: number) => number) | undefined;
  const place = (offset: number) => {
    map ??= stringMap(r.source, value);
    return map(offset);
  };
  return { source: r.source, span: value.span, text: value.text, place };
}

/** In a text `#` is hardly ever a comment, and quotes make sure of it. */
export function tellHash(r: Reader, { text, span, quoted }: ToonString): void {
  if (quoted) return;
  const hash = text.startsWith('# ') ? 0 : text.indexOf(' #') + 1;
  if (hash === 0 && !text.startsWith('# ')) return;
  const rest = { start: span.start + hash, end: span.end };
  report(r, 'TOO3025', rest, `${shown(written(r, rest))} is read as part of the text`, {
    help: 'Quote the text; a comment stands on a line of its own.',
    fix: { title: 'quote the text', edits: [{ span, text: quote(text) }], guess: true },
  });
}

/** Whether a value is a list that texts can be read from; reported when not. */
function isPlainList(r: Reader, entry: ToonEntry, value: ToonArray): boolean {
  if (value.header?.form === 'table' || value.header?.form === 'keyed') {
    report(r, 'TOO4003', value.header.span, `"${entry.key.text}" takes texts, not a table`);
    return false;
  }
  checkLength(r, entry, value);
  if (value.items.length === 0) report(r, 'TOO4004', entry.key.span, `"${entry.key.text}" is empty`);
  return value.items.length > 0;
}

/** The decoder takes one block below a bare key for the type of a list; here it is none, and lacks its length. */
export function checkLength(r: Reader, { key }: ToonEntry, value: ToonArray): void {
  if (value.header || value.items.length !== 1 || value.items[0]?.kind !== 'object') return;
  add(r, missingHeader(r.source, key, value));
}

function itemText(r: Reader, value: ToonValue, what: string): DraftText {
  if (value.kind === 'string') return draftText(r, value);
  // An empty item is its hyphen.
  const line = isNothing(value) ? '' : written(r, value.span);
  const text = line.endsWith('"') && hasOddQuotes(line) ? line.slice(0, -1) : line;
  const fixable = !text.includes('\n');
  report(r, 'TOO4005', value.span, `${what} is a text, but this reads as ${describe(value)}`, {
    help: 'Put the text in quotes.',
    ...(fixable && { fix: replace(value.span, isNothing(value) ? '- ""' : quote(text)) }),
  });
  return { source: r.source, span: value.span, text, place: (offset) => value.span.start + offset };
}

function isScalar(value: ToonValue): boolean {
  return value.kind === 'number' || value.kind === 'boolean' || value.kind === 'null';
}

function notEmpty<T extends DraftText>(r: Reader, { key }: ToonEntry, text: T): T | undefined {
  if (text.text.trim() !== '') return text;
  return report(r, 'TOO4004', text.span, `"${key.text}" is empty`);
}

/** Invariant 1 for lines: each keeps its own map, the newline belongs to the line that it ends. */
function joined(r: Reader, value: ToonArray, lines: readonly DraftText[]): DraftText {
  const starts: number[] = [];
  let length = 0;
  for (const line of lines) {
    starts.push(length);
    length += line.text.length + 1;
  }
  const place = (offset: number) => {
    let low = 0;
    let high = lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const line = lines[low];
    return line ? line.place(offset - (starts[low] ?? 0)) : value.span.start;
  };
  return { source: r.source, span: value.span, text: lines.map(({ text }) => text).join('\n'), place };
}
