/** Where a part of a value stands in the file, by its pointer. */
import type { Span } from '../text/index.ts';
import type { Given } from './case.ts';

/** RFC 6901; of what is not there, where it is missing. `key`: where its name stands, and not its value. */
export function placeIn({ tree, entry }: Given, pointer: string, part: 'key' | 'value' = 'value'): Span {
  let at = tree;
  let span = entry.key.span;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
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
  return part === 'key' || at.kind === 'object' || at.kind === 'array' ? span : at.span;
}
