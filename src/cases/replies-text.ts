/** The replies that stand in a case, as the script that they would be in a file of their own. */
import { positionAt, type Source } from '../text/index.ts';
import type { ToonEntry } from '../toon/index.ts';

/**
 * The lines are the same, moved to the left, and as far down as they stand in the test file: so whatever is told of a reply
 * has its line there. In TOON only the indentation says what belongs to what.
 */
export function scriptOf(source: Source, { key, span }: ToonEntry): string {
  const { line, column } = positionAt(source, key.span.start);
  const [first = '', ...rest] = source.text.slice(key.span.start, span.end).split('\n');
  const cut = rest.map((each) => (/^\s*$/.test(each.slice(0, column - 1)) ? each.slice(column - 1) : each.trimStart()));
  return `${'\n'.repeat(line - 1)}${[first, ...cut].join('\n')}\n`;
}
