/** Tabs in the indentation: how wide each was meant to be, told by the lines around it. */
import { type Span, span } from '../text/index.ts';
import { isItem, type Line } from './line.ts';
import { type Reader, report } from './reader.ts';

/** A tab mostly stands for a level, sometimes for a blank. */
const WIDTHS = [2, 4, 1, 8];

/** A column where lines stand: those of a list's hyphens, or those of keys. */
interface Column {
  readonly at: number;
  readonly items: boolean;
}

/** The lines, those with tabs in the column where one of the lines before them lets them stand. */
export function settleTabs(text: string, lines: readonly Line[]): readonly Line[] {
  const open: Column[] = [];
  let below = 0;
  return lines.map((line) => {
    const items = isItem(text, line);
    const fits = (column: number) => column === below || isOpen(open, { at: column, items });
    const written = span(line.start, line.text);
    const indent = hasTab(text, written)
      ? (WIDTHS.map((width) => widthOf(text, written, width)).find(fits) ?? line.indent)
      : line.indent;
    while ((open.at(-1)?.at ?? -1) > indent) open.pop();
    keep(open, { at: indent, items });
    if (items) keep(open, { at: indent + 2, items: false });
    const content = items ? indent + 2 : indent;
    below = text.charCodeAt(line.end - 1) === 58 ? content + 2 : -1;
    return indent === line.indent ? line : { ...line, indent };
  });
}

export function reportTabs(r: Reader, tabs: readonly Span[]): void {
  const [first] = tabs;
  if (!first) return;
  const more = tabs.length > 1 ? ` (in ${tabs.length} lines)` : '';
  const columns = new Map(r.lines.map((line) => [line.start, line.indent]));
  const edits = tabs.map((at) => ({ span: at, text: ' '.repeat(columns.get(at.start) ?? widthOf(r.text, at, 2)) }));
  report(r, 'TOO3001', first, `a tab stands in the indentation${more}`, {
    help: 'TOON is indented with blanks, two a level.',
    fix: { title: 'write blanks', edits },
  });
}

export function hasTab(text: string, at: Span): boolean {
  return text.slice(at.start, at.end).includes('\t');
}

function keep(open: Column[], column: Column): void {
  if (!isOpen(open, column)) open.push(column);
}

function isOpen(open: readonly Column[], { at, items }: Column): boolean {
  return open.some((other) => other.at === at && other.items === items);
}

function widthOf(text: string, at: Span, tab: number): number {
  let width = 0;
  for (let i = at.start; i < at.end; i++) width += text[i] === '\t' ? tab - (width % tab) : 1;
  return width;
}
