/** A list where names are declared, as other tools have it (`agents[1]:` with `- name: writer`): what was meant. */
import type { Edit } from '../../text/index.ts';
import type { ToonArray, ToonEntry, ToonObject, ToonString } from '../../toon/index.ts';
import { indentOf, type Reader, written } from './reader.ts';

interface Named {
  readonly item: ToonObject;
  readonly entry: ToonEntry;
  readonly name: ToonString;
}

/** The entries of the block that was meant; items without a name are left out. */
export function namedEntries(list: ToonArray): ToonEntry[] {
  return namedItems(list).map(({ item, entry, name: { text, span, quoted } }) => {
    const entries = item.entries.filter((other) => other !== entry);
    return { key: { text, span, quoted }, value: { ...item, entries }, span: item.span };
  });
}

/** The edits that make the block of it; undefined where they are not certain. */
export function namedBlock(r: Reader, { key, value }: ToonEntry): Edit[] | undefined {
  if (value.kind !== 'array') return undefined;
  const named = namedItems(value);
  if (named.length < value.items.length || named.length === 0) return undefined;
  const indent = indentOf(r, key.span.start);
  if (value.header?.form === 'table') {
    const lines = named.flatMap(({ item, entry: own, name }) => [
      `\n${indent}  ${written(r, name.span)}:`,
      ...item.entries.flatMap((entry) =>
        entry === own ? [] : [`\n${indent}    ${entry.key.text}: ${written(r, entry.value.span)}`],
      ),
    ]);
    return [{ span: { start: key.span.end, end: value.span.end }, text: `:${lines.join('')}` }];
  }
  // In a list the fields stand where they belong, if the name stands on the line of the hyphen.
  const edits = named.flatMap(({ item, entry, name }): Edit[] => {
    const start = item.span.start - 2;
    if (item.entries[0] !== entry || !r.source.text.startsWith(`\n${indent}  - `, start - indent.length - 3)) return [];
    return [{ span: { start, end: entry.span.end }, text: `${written(r, name.span)}:` }];
  });
  if (edits.length < named.length) return undefined;
  return value.header ? [{ span: value.header.span, text: '' }, ...edits] : edits;
}

function namedItems(list: ToonArray): Named[] {
  return list.items.flatMap((item): Named[] => {
    if (item.kind !== 'object') return [];
    const entry = ['name', 'id'].flatMap((text) => item.entries.find(({ key }) => key.text === text) ?? [])[0];
    return entry?.value.kind === 'string' ? [{ item, entry, name: entry.value }] : [];
  });
}
