/** A list below a key without a header: the profile reads one object as the type of an array's items. */
import { type Diagnostic, diagnostic, type Source, span } from '../text/index.ts';
import type { Reader } from './reader.ts';
import type { ToonArray, ToonKey } from './tree.ts';

/**
 * The report for an array without a header that is no relaxation: of plain TOON, and of lists in a workflow that are
 * not types. `colon` is found after the key where it is not given.
 */
export function missingHeader(
  source: Source,
  key: ToonKey,
  array: ToonArray,
  colon: number = source.text.indexOf(':', key.span.end),
): Diagnostic {
  const count = array.items.length;
  // A bracket that is never closed was meant as the header.
  const bracket = key.quoted ? -1 : key.text.indexOf('[');
  const name = bracket === -1 ? key.span.end : key.span.start + bracket;
  const message = `the array ${JSON.stringify(key.text)} does not say how many items it has`;
  return diagnostic('TOO3033', source, span(key.span.start, colon + 1), message, {
    help: `Write their number after the key: ${source.text.slice(key.span.start, name)}[${count}]:`,
    // A quote in the key would keep the bracket from being read, and without a key it would be the root's.
    ...((key.quoted || (name > key.span.start && !key.text.includes('"'))) && {
      fix: { title: `write [${count}]`, edits: [{ span: span(name, colon), text: `[${count}]` }] },
    }),
  });
}

export function reportBareList(r: Reader, key: ToonKey, colon: number, array: ToonArray): void {
  if (r.profile && array.items.length === 1 && array.items[0]?.kind === 'object') {
    r.relaxations.push({ name: 'bare-list', span: key.span });
  } else r.diagnostics.push(missingHeader(r.source, key, array, colon));
}
