/** `key: |` with lines below it: the text block of YAML, which TOON does not have. */
import { type Span, span } from '../text/index.ts';
import { quote } from './quoted.ts';
import { peek, type Reader, report } from './reader.ts';
import type { ToonString } from './tree.ts';

/** Reads it as its first line says, without the lines below; undefined if it is none. */
export function takeYamlText(r: Reader, rest: Span, indent: number): ToonString | undefined {
  const first = r.text.charCodeAt(rest.start);
  if ((first !== 124 && first !== 62) || rest.end - rest.start > 2) return undefined;
  const written = r.text.slice(rest.start, rest.end);
  const next = peek(r);
  if (!/^[|>][-+]?$/.test(written) || !next || next.indent <= indent) return undefined;
  const texts: string[] = [];
  let end = rest.end;
  for (let line = peek(r); line && line.indent > indent; line = peek(r)) {
    if (texts.length > 0 && line.blankTo > line.blankFrom) texts.push('');
    texts.push(' '.repeat(Math.max(0, line.indent - next.indent)) + r.text.slice(line.text, line.end));
    end = line.end;
    r.at++;
  }
  const text = quote(texts.join(written.startsWith('|') ? '\n' : ' '));
  report(r, 'TOO3029', rest, 'TOON has no text blocks', {
    help: 'Write the text on one line, quoted, with \\n for a line break; or as an array of lines.',
    fix: { title: 'quote it', edits: [{ span: span(rest.start, end), text }], guess: true },
  });
  return { kind: 'string', span: rest, text: written, quoted: false };
}
