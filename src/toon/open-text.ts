/** A quoted text that goes on in the lines below it, as other languages allow. */
import { type Edit, type Span, span } from '../text/index.ts';
import type { Line } from './line.ts';
import { decodeText } from './quoted.ts';
import { peek, type Reader, report, spoil, take } from './reader.ts';
import { closingQuote } from './scan.ts';
import type { ToonString } from './tree.ts';

/** Reads it to the line that closes it, if all of them stand deeper than `indent`; undefined if it is none. */
export function takeOpenText(r: Reader, rest: Span, indent: number): ToonString | undefined {
  if (r.text.charCodeAt(rest.start) !== 34 || closingQuote(r.text, rest.start, rest.end) !== -1) return undefined;
  const last = closingLine(r, indent);
  if (last === undefined) return undefined;
  const edits: Edit[] = [];
  const texts = [decodeText(r, rest.start + 1, rest.end)];
  let end = rest.end;
  while (r.at <= last) {
    const line = peek(r);
    if (!line) break;
    const blank = line.blankTo - line.blankFrom;
    take(r, line);
    edits.push({ span: span(end, line.text), text: '\\n'.repeat(1 + blank) });
    for (let i = 0; i < blank; i++) texts.push('');
    texts.push(decodeText(r, line.text, r.at > last ? line.end - 1 : line.end));
    end = line.end;
  }
  const at = span(rest.start, end);
  spoil(r, at);
  report(r, 'TOO3021', rest, 'the text goes on in the next line', {
    help: 'A text ends on its line; a line break inside of it is written \\n.',
    fix: { title: 'join the lines with \\n', edits, guess: true },
  });
  return { kind: 'string', span: at, text: texts.join('\n'), quoted: true, broken: true };
}

/** The number of the line that ends with the closing quote and has no other. */
function closingLine(r: Reader, indent: number): number | undefined {
  let at = r.at;
  for (let line: Line | undefined = peek(r); line && line.indent > indent; line = r.lines[++at]) {
    const close = closingQuote(r.text, line.text - 1, line.end);
    if (close !== -1) return close === line.end - 1 ? at : undefined;
  }
  return undefined;
}
