/**
 * Shows a diagnostic to a person: where, what, the line with a caret under it, and how to mend it.
 * The cost of one frame depends on the width of the terminal, not on the length of the line or of the file.
 */

import { type Cell, layout } from './cells.ts';
import { type Painter, painter } from './color.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import { offsetAt, type Position, positionAt, type Source } from './source.ts';
import type { Span } from './span.ts';
import { printable } from './width.ts';
import { wrap } from './wrap.ts';

export interface FrameOptions {
  readonly color: boolean;
  /** The width of the terminal; 80 when it is not known (0 or not a number). */
  readonly columns: number;
  /** Messages are broken at blanks where the terminal ends. Elsewhere one line says all: tools look for it. */
  readonly wrap?: boolean;
}

const fewest = 40;
const most = 500;
const maxRelated = 8;
const numberWidth = 5;

/** The whole frame, lines joined by LF, without one at the end. */
export function renderDiagnostic(d: Diagnostic, options: FrameOptions): string {
  const paint = painter(options.color);
  const columns = usableColumns(options.columns);
  const cells = options.wrap ? columns : Number.POSITIVE_INFINITY;
  const lines = [...headLines(d, cells, paint), ...frame(d.source, d.span, columns, paint, colorOf(paint, d.severity))];
  if (d.help !== undefined) lines.push(...labelled('help', d.help, cells, paint));
  if (d.fix !== undefined) lines.push(...labelled('fix', d.fix.title, cells, paint));
  for (const related of d.related.slice(0, maxRelated)) {
    const place = placeOf(related.source, related.span);
    // Messages made to stand beside the place say "here"; before a place the word is one too many.
    const words = `${printable(related.message.replace(/ here\.?$/, ''))} at ${place}`;
    lines.push(...wrap(words, cells - 3).map((line) => `   ${line}`));
    lines.push(...frame(related.source, related.span, columns, paint, paint.cyan));
  }
  if (d.related.length > maxRelated) lines.push(`   and ${d.related.length - maxRelated} more places`);
  return lines.join('\n');
}

/** `agent.too:12:3  error TOO1601  unknown directive "model".` */
export function oneLine(d: Diagnostic, options: { readonly color: boolean } = { color: false }): string {
  const paint = painter(options.color);
  const kind = paint.bold(colorOf(paint, d.severity)(`${d.severity} ${d.code}`));
  return `${placeOf(d.source, d.span)}  ${kind}  ${printable(d.message)}`;
}

/** The same; what does not fit goes on in lines of its own. */
function headLines(d: Diagnostic, cells: number, paint: Painter): string[] {
  const kind = `${d.severity} ${d.code}`;
  const place = placeOf(d.source, d.span);
  const head = `${place}  ${kind}`;
  const [first = '', ...rest] = wrap(`${head}  ${printable(d.message)}`, cells, cells - 3);
  const painted = `${place}  ${paint.bold(colorOf(paint, d.severity)(kind))}`;
  const isWhole = first.startsWith(head);
  return [isWhole ? painted + first.slice(head.length) : first, ...rest.map((line) => `   ${line}`)];
}

/** A stretch of one line, in offsets of the source: the line, and what to underline in it. */
interface Stretch {
  readonly line: number;
  readonly lineStart: number;
  readonly lineEnd: number;
  readonly start: number;
  readonly end: number;
}

interface Drawn {
  readonly text: string;
  readonly before: number;
  readonly carets: number;
}

function frame(source: Source, span: Span, columns: number, paint: Painter, mark: (text: string) => string): string[] {
  // What is said of a place, not of a text: there is no line to show.
  if (source.text === '') return [];
  const stretches = stretchesOf(source, span);
  const digits = Math.max(numberWidth, ...stretches.map((s) => String(s.line).length + 1));
  const blank = paint.dim(`${' '.repeat(digits)} |`);
  const lines: string[] = [];
  let previous: number | undefined;
  for (const stretch of stretches) {
    if (previous !== undefined && stretch.line > previous + 1) lines.push(paint.dim(`${' '.repeat(digits)} …`));
    previous = stretch.line;
    const drawn = drawLine(source, stretch, columns - digits - 3);
    const gutter = paint.dim(`${String(stretch.line).padStart(digits)} |`);
    lines.push(drawn.text === '' ? gutter : `${gutter} ${drawn.text}`);
    lines.push(`${blank} ${' '.repeat(drawn.before)}${mark('^'.repeat(drawn.carets))}`);
  }
  return lines;
}

/** The first and the last line of the span; a span that ends at the start of a line ends on the line above. */
function stretchesOf(source: Source, span: Span): Stretch[] {
  const start = clamp(span.start, source.text.length);
  const end = Math.max(start, clamp(span.end, source.text.length));
  const first = positionOf(source, start).line;
  let last = positionOf(source, end).line;
  if (last > first && offsetAt(source, { line: last, column: 1 }) === end) last--;
  if (first === last) return [stretch(source, first, start, end)];
  const lastStart = offsetAt(source, { line: last, column: 1 });
  const indent = /^[ \t]*/.exec(source.text.slice(lastStart, Math.min(end, lastStart + most)))?.[0].length ?? 0;
  return [stretch(source, first, start, end), stretch(source, last, lastStart + indent, end)];
}

function stretch(source: Source, line: number, start: number, end: number): Stretch {
  const lineStart = offsetAt(source, { line, column: 1 });
  const lineEnd = offsetAt(source, { line, column: Number.MAX_SAFE_INTEGER });
  const from = Math.min(Math.max(start, lineStart), lineEnd);
  return { line, lineStart, lineEnd, start: from, end: Math.max(from, Math.min(end, lineEnd)) };
}

/** Only as much of the line is read as can be seen; a cut is shown by `…`. */
function drawLine(source: Source, s: Stretch, budget: number): Drawn {
  const [from, to] = readable(source.text, s, budget);
  const cells = layout(source.text.slice(from, to));
  const caret = caretColumns(cells, s.start - from, s.end - from);
  const total = widthOf(cells);
  const [left, right] = windowOf(caret, total, budget, from > s.lineStart, to < s.lineEnd);
  const cutLeft = left > 0 || from > s.lineStart;
  const shown = cells.filter((cell) => cell.column >= left && cell.column + cell.width <= right);
  const shownStart = shown[0]?.column ?? left;
  const cutRight = to < s.lineEnd || (shown.length > 0 ? widthOf(shown) < total : total > right);
  const shift = shownStart - (cutLeft ? 1 : 0);
  const before = Math.max(cutLeft ? 1 : 0, caret.start - shift);
  const after = Math.min(caret.end, Math.max(widthOf(shown), caret.start + 1)) - shift;
  return {
    text: `${cutLeft ? '…' : ''}${shown.map((cell) => cell.text).join('')}${cutRight ? '…' : ''}`,
    before,
    carets: Math.max(1, after - before),
  };
}

/** The part of a long line around the caret, cut where no character is torn apart. */
function readable(text: string, s: Stretch, budget: number): readonly [number, number] {
  let from = s.lineStart;
  let to = s.lineEnd;
  if (to - from <= budget * 2) return [from, to];
  if (s.start - budget > from) {
    from = s.start - budget;
    // An ASCII character never continues the one before it.
    for (let at = from; at < from + budget / 2; at++) {
      const code = text.charCodeAt(at);
      if (code >= 0x20 && code < 0x7f) return [at, cutBefore(text, Math.min(to, s.start + budget * 2))];
    }
    from = cutBefore(text, from);
  }
  to = cutBefore(text, Math.min(to, s.start + budget * 2));
  return [from, to];
}

/** Moves a cut out of the middle of a surrogate pair. */
function cutBefore(text: string, at: number): number {
  const low = text.charCodeAt(at);
  const high = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff ? at - 1 : at;
}

function caretColumns(cells: readonly Cell[], start: number, end: number): { start: number; end: number } {
  const total = widthOf(cells);
  let first: number | undefined;
  let last = total + 1;
  for (const cell of cells) {
    if (cell.end <= start) continue;
    first ??= cell.column;
    if (cell.start < Math.max(end, start + 1)) last = cell.column + cell.width;
    else break;
  }
  if (first === undefined) return { start: total, end: total + 1 };
  return { start: first, end: end > start ? last : first + 1 };
}

/** Which columns to show: all if they fit, else those around the start of the caret, with room for the dots. */
function windowOf(
  caret: { start: number; end: number },
  total: number,
  budget: number,
  cutLeft: boolean,
  cutRight: boolean,
): readonly [number, number] {
  if (!cutLeft && !cutRight && Math.max(total, caret.start + 1) <= budget) return [0, budget];
  const wanted = Math.min(caret.end, caret.start + Math.ceil(budget / 2));
  if (!cutLeft && wanted < budget) return [0, budget - 1];
  let left = Math.max(0, Math.min(caret.start - Math.floor(budget / 3), cutRight ? total : total + 3 - budget));
  if (left <= 1 && !cutLeft) left = 2;
  return [left, left + budget - 2];
}

function labelled(label: string, text: string, cells: number, paint: Painter): string[] {
  const indent = ' '.repeat(label.length + 5);
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const [first = '', ...rest] = wrap(printable(line), cells - indent.length);
    return [first, ...rest];
  });
  const [first = '', ...rest] = lines;
  return [`   ${paint.bold(`${label}:`)} ${first}`, ...rest.map((line) => indent + line)];
}

function colorOf(paint: Painter, severity: Severity): (text: string) => string {
  return severity === 'error' ? paint.red : severity === 'warning' ? paint.yellow : paint.cyan;
}

function placeOf(source: Source, span: Span): string {
  const { line, column } = positionOf(source, span.start);
  return `${printable(source.name)}:${line}:${column}`;
}

/** The byte order mark has no column of its own; what stands at it is shown at the first. */
function positionOf(source: Source, offset: number): Position {
  const { line, column } = positionAt(source, clamp(offset, source.text.length));
  return { line, column: Math.max(1, column) };
}

function widthOf(cells: readonly Cell[]): number {
  const last = cells.at(-1);
  return last === undefined ? 0 : last.column + last.width;
}

function clamp(offset: number, length: number): number {
  return Number.isNaN(offset) ? 0 : Math.max(0, Math.min(offset, length));
}

function usableColumns(columns: number): number {
  return columns > 0 ? Math.max(fewest, Math.min(columns, most)) : 80;
}
