/** Where a part of a value stands in the file, by its pointer. */
import type { Span } from '../text/index.ts';
import type { Given } from './case.ts';

/** RFC 6901; of what is not there, where it is missing. */
export function placeIn({ tree, entry }: Given, pointer: string): Span {
  let at = tree;
  let span = entry.key.span;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (at.kind === 'object') {
      const found = at.entries.find((each) => each.key.text === key);
      if (found === undefined) return span;
      span = found.key.span;
      at = found.value;
    } else if (at.kind === 'array') {
      const item = at.items[Number(key)];
      if (item === undefined) return span;
      span = item.span;
      at = item;
    } else return span;
  }
  return at.kind === 'object' || at.kind === 'array' ? span : at.span;
}
