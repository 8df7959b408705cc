/** Carriage returns without a line feed: old editors end lines so, and elsewhere nobody sees them. */
import { type Edit, span } from '../text/index.ts';
import { type Reader, report } from './reader.ts';

export function reportReturns(r: Reader): void {
  const edits: Edit[] = [];
  for (let at = r.text.indexOf('\r'); at !== -1; at = r.text.indexOf('\r', at + 1)) {
    if (r.text[at + 1] !== '\n') edits.push({ span: span(at, at + 1), text: '\n' });
  }
  const [first] = edits;
  if (!first) return;
  report(r, 'TOO3005', first.span, 'a carriage return without a line feed ends no line', {
    help: 'Save the file with the line ends of Unix or Windows.',
    // Beside other line ends one may as well stand in a text.
    fix: { title: 'end the lines with line feeds', edits, ...(r.text.includes('\n') && { guess: true as const }) },
  });
}
