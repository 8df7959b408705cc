/** Headers of an indented service that are written one by one, as `headers.Name = value`: its text has swallowed them. */
import { type Diagnostic, diagnostic, span } from '../text/index.ts';
import type { CapText } from './cap.ts';
import type { Line } from './lines.ts';

const dotted = /^headers\.([A-Za-z0-9_-]+)[ \t]*[=:][ \t]*(.*\S)[ \t]*$/i;

/** One report for all of them: together they are the one property. */
export function dottedHeaders(cap: CapText, lines: readonly Line[]): Diagnostic[] {
  const found = lines.flatMap((line) => {
    const [, name, value] = dotted.exec(line.text) ?? [];
    return name === undefined ? [] : [{ line, text: `${name}: ${value}` }];
  });
  const [first, ...more] = found;
  if (first === undefined) return [];
  const written = `headers = ${found.map(({ text }) => text).join(', ')}`;
  const message = `service "${cap.name}" has no "headers": this line is read as text, because headers are one property.`;
  const edits = [
    { span: span(first.line.start, first.line.end), text: written },
    ...more.map(({ line }) => ({
      span: span(line.lineStart, Math.min(line.end + 1, cap.source.text.length)),
      text: '',
    })),
  ];
  return [
    diagnostic('TOO5223', cap.source, span(first.line.start, first.line.end), message, {
      help: `Write "${written}".`,
      // Lines with others between them would have to be moved.
      ...(isRun(found.map(({ line }) => lines.indexOf(line))) && { fix: { title: 'write them as one', edits } }),
    }),
  ];
}

function isRun(places: readonly number[]): boolean {
  return places.every((place, i) => place === (places[0] ?? 0) + i);
}
