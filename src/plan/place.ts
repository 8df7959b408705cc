/** Where something was written, as it is kept in a plan. */
import { positionAt } from '../text/index.ts';
import type { Mark } from './draft.ts';
import type { Place } from './node.ts';

export function placeOf({ source, span }: Mark): Place {
  return { file: source.name, ...positionAt(source, span.start) };
}
