/** Watches how the lines of one item are indented, and warns once about each thing that misleads the eye. */
import type { Line } from './line.ts';
import { type Reader, report } from './reader.ts';

export interface Margin {
  tabs: boolean;
  blanks: boolean;
  mixed: boolean;
  /** The indent of the first line of the body. */
  body: number | undefined;
  uneven: boolean;
}

export function newMargin(): Margin {
  return { tabs: false, blanks: false, mixed: false, body: undefined, uneven: false };
}

/** Takes note of the leading blanks of a line of a body or of an indented text. */
export function noteIndent(r: Reader, index: number): void {
  const { margin } = r;
  const line = r.lines[index];
  if (!line || line.text === line.end || margin.mixed) return;
  const lead = r.text.slice(line.start, line.text);
  margin.tabs ||= lead.includes('\t');
  margin.blanks ||= lead.includes(' ');
  if (!margin.tabs || !margin.blanks) return;
  margin.mixed = true;
  report(
    r,
    'TOO1003',
    { start: line.start, end: line.text },
    'tabs and blanks are mixed in the indentation of this item.',
    {
      help: 'Indent with blanks; a tab counts to the next multiple of 8.',
    },
  );
}

/** Takes note of a line that stands directly in a body, where all lines should be equally deep. */
export function noteBodyLine(r: Reader, line: Line): void {
  const { margin } = r;
  if (line.indent === 0) return;
  noteIndent(r, r.line);
  margin.body ??= line.indent;
  if (line.indent === margin.body || margin.uneven) return;
  margin.uneven = true;
  const span = { start: line.start, end: line.text };
  report(r, 'TOO1007', span, 'this line is indented differently from the lines above it.', {
    fix: { title: 'indent it alike', edits: [{ span, text: ' '.repeat(margin.body) }] },
  });
}
