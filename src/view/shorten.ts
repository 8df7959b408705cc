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

/** The name of a node: what is cut is its middle, because its own id says most: `outer[1]/…/review`. */
export function shortenName(name: string, cells: number): string {
  const line = printable(name);
  if (displayWidth(line) <= cells) return line;
  const parts = line.split('/');
  const own = parts.pop() ?? '';
  for (let kept = parts.length - 1; kept >= 0; kept--) {
    const short = [...parts.slice(0, kept), '…', own].join('/');
    if (displayWidth(short) <= cells) return short;
  }
  return shorten(own, cells);
}

/** Line ends and tabs as single blanks. */
export function oneLine(text: string): string {
  return text.replace(/[\s\u2028\u2029]+/gu, ' ').trim();
}

/** What a model says of itself stands before what is wrong with it: in a line that names it, or is short, it is left out. */
export function withoutModel(message: string): string {
  return message.replace(/^the model \S+(?: \(https?:[^\s)]*\))?: /, '');
}
