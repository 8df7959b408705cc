/** How help is laid out: headings, rows of names and what they mean, examples. */
import type { Painter } from '../text/index.ts';
import type { Example } from './command.ts';

/** Help is written for a terminal of the usual width; a wider one is no easier to read. */
export const columns = 80;

export function examples(list: readonly Example[], paint: Painter): string[] {
  const width = columnOf(list.map((example) => example.run));
  // Beside long commands there is no room: the words go above them, as a comment that can be pasted too.
  if (list.some(({ doc }) => width + doc.length + 6 > columns))
    return list.flatMap(({ run, doc }) => [`  ${paint.dim(`# ${doc}`)}`, `  ${run}`]);
  return list.map(({ run, doc }) => `  ${run.padEnd(width)}  ${paint.dim(`# ${doc}`)}`);
}

export function heading(title: string, paint: Painter): string {
  return paint.bold(title);
}

export function row(name: string, doc: string, width: number, paint: Painter): string {
  const margin = width + 4;
  const text = wrap(doc, columns - margin).join(`\n${' '.repeat(margin)}`);
  return `  ${paint.cyan(name)}${' '.repeat(width - name.length)}  ${text}`;
}

/** Lines of at most `width` characters, where words allow. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

export function columnOf(names: readonly string[]): number {
  return Math.max(...names.map((name) => name.length));
}
