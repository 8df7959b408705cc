/**
 * The decoder sees how a value is written, the reader what it is for. Of what both have found wrong with one value the
 * reader's words count, because it knows what was made of it; the decoder may know the edit.
 */
import type { Diagnostic, Span } from '../../text/index.ts';

export function toldOnce(decoded: readonly Diagnostic[], read: readonly Diagnostic[]): Diagnostic[] {
  const known = new Map(decoded.map((d) => [keyOf(d.span), d]));
  const said = new Set<string>();
  const texts = new Set(read.flatMap((d) => (d.code === 'TOO4005' ? [d.span.start] : [])));
  const own = read.map((d): Diagnostic => {
    const key = keyOf(d.span);
    said.add(key);
    // A list of one plain type has a form without a length.
    if (d.code === 'TOO4024') said.add(`list ${d.span.start}`);
    const fix = known.get(key)?.code === d.code ? known.get(key)?.fix : undefined;
    return fix && !d.fix ? { ...d, fix: { title: fix.title, edits: fix.edits } } : d;
  });
  return [
    ...decoded.filter(({ code, severity, span }) => {
      // A line of a text that reads as a key.
      if (code === 'TOO3013' && texts.has(span.start)) return false;
      if (code === 'TOO3033') return !said.has(`list ${span.start}`);
      return severity !== 'warning' || !said.has(keyOf(span));
    }),
    ...own,
  ];
}

function keyOf({ start, end }: Span): string {
  return `${start} ${end}`;
}
