/** Where something was written, as it is kept in a plan. */
import { positionAt } from '../text/index.ts';
import type { Mark } from './draft.ts';
import type { Place } from './node.ts';

export function placeOf({ source, span }: Mark): Place {
  const { line, column } = positionAt(source, span.start);
  return { file: source.name, line, column };
}
