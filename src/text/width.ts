/**
 * How text looks on a terminal: how wide it is, and what is safe to print. A file, a file name or a message can hold escape
 * sequences or characters that turn text around; none leaves here as it is.
 */
import { layout, pictured } from './cells.ts';

/** Latin letters and the signs that our own lines have: each is safe, and takes one cell. */
const plain = /^[\x20-\x7e\xa1-\xac\xae-\u017f\u2013-\u2026\u2039\u203a\u2192\u2713\u2717]*$/;

/** The text with a visible picture for every character that a terminal would obey or hide. It has no line ends. */
export function printable(text: string): string {
  return plain.test(text) ? text : pictured(text);
}

/** How many cells the text takes, drawn from the first column. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  const last = layout(text).at(-1);
  return last === undefined ? 0 : last.column + last.width;
}
