/** Words that fit their place: one line, safe to show, cut where they are too long. */
import { displayWidth, layout, printable } from '../text/index.ts';

/** At most `cells` wide; what is cut ends in `…`. */
export function shorten(text: string, cells: number): string {
  // What lies far behind the cut is not even measured.
  const line = printable(oneLine(text.slice(0, cells * 8)));
  if (displayWidth(line) <= cells && text.length <= cells * 8) return line;
  const kept = layout(line).filter((cell) => cell.column + cell.width < cells);
  return `${kept.map((cell) => cell.text).join('')}…`;
}

/** Line ends and tabs as single blanks. */
export function oneLine(text: string): string {
  return text.replace(/[\s\u2028\u2029]+/gu, ' ').trim();
}
