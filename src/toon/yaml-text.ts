/** `key: |` with lines below it: the text block of YAML, which TOON does not have. */
import { type Span, span } from '../text/index.ts';
import { quote } from './quoted.ts';
import { peek, type Reader, report, spoil } from './reader.ts';
import type { ToonArray, ToonString } from './tree.ts';

/** Reads the lines below `key: |` as the list of lines that it is here; undefined if there are none. */
export function takeYamlText(r: Reader, keyEnd: number, rest: Span, indent: number): ToonArray | undefined {
  const lines = takeBlock(r, rest, indent);
  const end = lines?.at(-1)?.span.end;
  if (!lines || end === undefined) return undefined;
  const texts = lines.map((line) => line.text);
  const below = `\n${' '.repeat(indent + 2)}- `;
  const right =
    lines.length === 1 || !r.profile
      ? `: ${quote(texts.join(r.text[rest.start] === '|' ? '\n' : ' '))}`
      : `[${lines.length}]:${texts.map((text) => below + quote(text)).join('')}`;
  reportBlockText(r, rest, { span: span(keyEnd, end), text: right });
  const at = span(rest.start, rest.start);
  const header = { span: at, form: 'list' as const, length: { value: lines.length, span: at } };
  return {
    kind: 'array',
    span: span(rest.start, end),
    items: lines,
    header: { ...header, delimiter: ',', fields: [] },
  };
}

/** The same as an item of a list, where it is one text. */
export function takeYamlItem(r: Reader, rest: Span, indent: number): ToonString | undefined {
  const lines = takeBlock(r, rest, indent);
  const end = lines?.at(-1)?.span.end;
  if (!lines || end === undefined) return undefined;
  const at = span(rest.start, end);
  const text = lines.map((line) => line.text).join('\n');
  reportBlockText(r, rest, { span: at, text: quote(text) });
  spoil(r, at);
  return { kind: 'string', span: at, text, quoted: false };
}

function reportBlockText(r: Reader, rest: Span, edit: { span: Span; text: string }): void {
  report(r, 'TOO3029', rest, 'TOON has no text blocks', {
    help: 'Write the text on one line, quoted, with \\n for a line break; or as an array of lines.',
    fix: { title: 'quote it', edits: [edit], guess: true },
  });
}

/** The lines below the mark, each as a text. */
function takeBlock(r: Reader, rest: Span, indent: number): ToonString[] | undefined {
  const mark = r.text.charCodeAt(rest.start);
  if ((mark !== 124 && mark !== 62) || rest.end - rest.start > 2) return undefined;
  const next = peek(r);
  if (!/^[|>][-+]?$/.test(r.text.slice(rest.start, rest.end)) || !next || next.indent <= indent) return undefined;
  let last = next;
  for (let line = peek(r); line && line.indent > indent; line = peek(r)) {
    last = line;
    r.at++;
  }
  // Blank lines and what would be comments elsewhere are part of the text, and so are blanks beyond the first line's.
  const texts: ToonString[] = [];
  const width = next.text - next.start;
  for (let start = r.text.indexOf('\n', rest.end) + 1; start > 0 && start <= last.start; ) {
    const feed = r.text.indexOf('\n', start);
    const line = r.text.slice(start, feed === -1 ? r.text.length : feed).trimEnd();
    const from = Math.min(width, line.length - line.trimStart().length);
    if (line !== '' || texts.length > 0) {
      const at = span(start + from, start + line.length);
      texts.push({ kind: 'string', span: at, text: line.slice(from), quoted: false });
    }
    start = feed + 1;
  }
  return texts.length > 0 ? texts : undefined;
}
