/**
 * The decoder sees how a value is written, the reader what it is for. Of what both have found wrong with one value the
 * reader's words count, because it knows what was made of it; the decoder may know the edit.
 */
import type { Diagnostic, Span } from '../../text/index.ts';
import { isWithin } from './spoiled.ts';

export function toldOnce(
  decoded: readonly Diagnostic[],
  found: readonly Diagnostic[],
  spoiled: readonly Span[],
): Diagnostic[] {
  const told = isWithin(spoiled);
  const known = new Map(decoded.map((d) => [keyOf(d.span), d]));
  // Where the decoder saw no comment there is none: the lines of a text block.
  const read = found.filter(({ code, span }) => !told(span) && (code !== 'TOO3025' || known.has(keyOf(span))));
  const said = new Set<string>();
  // A line of a text that reads as a key: it has no key and no value.
  const isText = isWithin(read.flatMap((d) => (d.code === 'TOO4005' ? [d.span] : [])));
  const own = read.map((d): Diagnostic => {
    const key = keyOf(d.span);
    said.add(key);
    // Where no list belongs, or one that has another form, its length is not missing.
    if (d.code === 'TOO4024' || d.code === 'TOO4003') said.add(`list ${d.span.start}`);
    const fix = known.get(key)?.code === d.code ? known.get(key)?.fix : undefined;
    return fix && !d.fix ? { ...d, fix: { title: fix.title, edits: fix.edits } } : d;
  });
  return [
    ...decoded.filter(({ code, severity, span }) => {
      if (isText(span)) return false;
      if (code === 'TOO3033') return !said.has(`list ${span.start}`);
      return severity !== 'warning' || !said.has(keyOf(span));
    }),
    ...own,
  ];
}

function keyOf({ start, end }: Span): string {
  return `${start} ${end}`;
}
