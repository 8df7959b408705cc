/** Two lines that differ, as it was and as it is, cut so that where they differ is seen. */
import { type Cell, displayWidth, layout, printable } from '../text/index.ts';

/** What is shown before the place where they differ, where not all fits: a third of the line, but no more than this. */
const mostLead = 20;

/** Each at most so many cells wide. */
export function linePair(
  old: string,
  now: string,
  cells: { readonly old: number; readonly now: number },
): [string, string] {
  const indent = sharedBlanks(old, now);
  const [was, is] = [old.slice(indent), now.slice(indent)];
  const isEnd = was.trimEnd() === is.trimEnd();
  const [first, second] = isEnd ? [withMarks(was), withMarks(is)] : [was, is];
  const from = differsAt(first, second);
  return [around(first, from, cells.old), around(second, from, cells.now)];
}

/** The part of a text around an offset: where something is cut off stands `…`. */
export function around(text: string, offset: number, cells: number): string {
  // What lies far away is not even measured.
  const isNear = text.length <= cells * 8;
  if (isNear && displayWidth(printable(text)) <= cells) return printable(text);
  const middle = beginOf(text, offset);
  const behind = layout(printable(text.slice(middle, middle + cells * 8)));
  const wanted = text.length > middle + cells * 8 ? Number.POSITIVE_INFINITY : widthOf(behind);
  // Where little stands behind it, more can be shown before it.
  const lead = Math.max(Math.min(mostLead, Math.floor(cells / 3)), cells - 1 - wanted);
  const start = beginOf(text, Math.max(0, middle - lead * 8));
  const before = tail(layout(printable(text.slice(start, middle))), lead);
  const isAll = before.isAll && start === 0;
  const room = cells - before.width - (isAll ? 0 : 1);
  const isCut = wanted > room;
  const kept = isCut ? behind.filter(({ column, width }) => column + width < room) : behind;
  return `${isAll ? '' : '…'}${before.text}${kept.map((cell) => cell.text).join('')}${isCut ? '…' : ''}`;
}

function widthOf(line: readonly Cell[]): number {
  const last = line.at(-1);
  return last === undefined ? 0 : last.column + last.width;
}

/** As many of the last cells as have room. */
function tail(line: readonly Cell[], room: number): { text: string; width: number; isAll: boolean } {
  let [start, width] = [line.length, 0];
  for (let cell = line[start - 1]; cell && width + cell.width <= room; cell = line[start - 1]) {
    width += cell.width;
    start--;
  }
  return {
    text: line
      .slice(start)
      .map((cell) => cell.text)
      .join(''),
    width,
    isAll: start === 0,
  };
}

/** The first offset at which two texts differ. */
export function differsAt(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** Of the character that an offset is in, with all that is drawn as one with it. */
function beginOf(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && /^(?:\p{M}|\u200d|[\udc00-\udfff])/u.test(text.charAt(at))) at--;
  return at;
}

function sharedBlanks(a: string, b: string): number {
  const blanks = /^\s*/.exec(a.slice(0, differsAt(a, b)))?.[0] ?? '';
  return blanks.length;
}

/** Blanks at the end can be seen. */
function withMarks(line: string): string {
  return line.replace(/\s+$/, (blanks) => '␠'.repeat(blanks.length));
}
