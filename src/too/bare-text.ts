/** Reads prose that stands directly in a thunk: one report for all of it, and it is read as the message it was meant to be. */
import type { DiagnosticExtra, Edit } from '../text/index.ts';
import type { Line } from './line.ts';
import { dedent } from './raw.ts';
import { nextLine, passTo, quote, type Reader, report, textEnd } from './reader.ts';
import type { Body } from './thunk-block.ts';

/** `startsLine` tells lines of the thunk from text. */
export function readBareText(r: Reader, body: Body, indent: number, startsLine: (line: Line) => boolean): void {
  const first = r.line;
  const start = r.lines[first] as Line;
  const span = { start: r.at, end: textEnd(r) };
  let last = first;
  for (let i = first + 1; i < r.lines.length; i++) {
    const line = r.lines[i] as Line;
    if (line.text === line.end) continue;
    const own = line.indent > start.indent;
    if (line.indent <= indent || (!own && (r.text.charCodeAt(line.text) === 35 || startsLine(line)))) break;
    last = i;
  }
  const lines = r.lines.slice(first, last + 1);
  const above = blockAbove(r, body, first);
  report(r, 'TOO1607', span, `${quote(r, span)} stands outside a block.`, adviceFor(r, lines, above));
  const end = r.lines[last]?.end ?? r.at;
  body.blocks.push({
    kind: 'block',
    span: { start: span.start, end },
    block: 'user',
    key: span,
    value: { kind: 'indented', span: { start: start.start, end }, text: dedent(r.text, lines) },
  });
  passTo(r, 'unknown', end);
  r.line = last;
  nextLine(r);
}

interface Above {
  readonly name: string;
  /** The blanks before it. */
  readonly margin: string;
  /** A comment stands between the header and the text. */
  readonly comment: boolean;
}

/** The block above that has no text of its own, if nothing but blank lines and comments stand between. */
function blockAbove(r: Reader, body: Body, first: number): Above | undefined {
  const block = body.blocks.at(-1);
  if (!block || block.value) return undefined;
  const header = r.text.slice(block.span.end, r.lines[first]?.start);
  const below = header.slice(header.indexOf('\n') + 1);
  if (below.length > 2000 || !/^(?:[ \t\f]*(?:#[^\n]*)?\r?\n)*$/.test(below)) return undefined;
  const start = r.text.lastIndexOf('\n', block.span.start - 1) + 1;
  return { name: block.block, margin: r.text.slice(start, block.span.start), comment: below.includes('#') };
}

function adviceFor(r: Reader, lines: readonly Line[], above: Above | undefined): DiagnosticExtra {
  const written = lines.filter((line) => line.text < line.end);
  const deepen = written.map((line) => ({ span: { start: line.text, end: line.text }, text: '  ' }));
  if (above?.comment) {
    return { help: `The comment above it ended "${above.name}:"; put the comment elsewhere, or indent it deeper.` };
  }
  if (above) {
    return {
      help: `The text of "${above.name}:" must be indented deeper than it.`,
      fix: { title: 'indent it', edits: reindent(written, `${above.margin}  `) },
    };
  }
  const [first] = written;
  const margin = first ? r.text.slice(first.start, first.text) : '';
  const [head, ...rest] = deepen;
  return {
    help: 'A thunk holds directives and blocks; put text for the model under "user:".',
    ...(head && {
      fix: {
        title: 'put it under "user:"',
        guess: true,
        edits: [{ ...head, text: `user:${r.eol}${margin}  ` }, ...rest],
      },
    }),
  };
}

/** The lines below a new margin; how deep they are among each other stays. */
function reindent(lines: readonly Line[], margin: string): Edit[] {
  const least = Math.min(...lines.slice(0, 1000).map((line) => line.indent));
  return lines.map((line) => ({
    span: { start: line.start, end: line.text },
    text: margin + ' '.repeat(Math.max(0, line.indent - least)),
  }));
}
