/** From an offset in a block's text back to the place in the file. */
import type { Source } from '../text/index.ts';
import { splitLines } from './line.ts';
import type { Fenced, Indented, Inline, Reference } from './tree.ts';

export type TextNode = Reference | Inline | Indented | Fenced;

/** Maps ascending or random offsets of `node.text` to offsets of the source. */
export function textMap(source: Source, node: TextNode): (offset: number) => number {
  if (node.kind === 'reference' || node.kind === 'inline') return (offset) => node.span.start + offset;
  const span = node.kind === 'fenced' ? node.content : node.span;
  if (!span) return () => node.span.start;
  const written = source.text.slice(span.start, span.end);
  const ends = splitLines(written).map((line) => span.start + line.end);
  const starts: number[] = [];
  for (let at = 0; ; ) {
    starts.push(at);
    const feed = node.text.indexOf('\n', at);
    if (feed === -1) break;
    at = feed + 1;
  }
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    // What was stripped stood at the start of the line, so its end is the fixed point.
    const textEnd = (starts[low + 1] ?? node.text.length + 1) - 1;
    return Math.max(span.start, (ends[low] ?? span.end) - (textEnd - offset));
  };
}
