/** Breaks a text into lines that fit. */
import { layout } from './cells.ts';
import { displayWidth } from './width.ts';

/** At blanks; a longer word is cut where the line ends. `next`: how wide the lines behind the first may be. */
export function wrap(text: string, cells: number, next = cells): readonly string[] {
  if (cells === Number.POSITIVE_INFINITY || displayWidth(text) <= cells) return text === '' ? [] : [text];
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const room = () => (lines.length === 0 ? cells : next);
  const end = () => {
    lines.push(line.trimEnd());
    line = '';
    used = 0;
  };
  for (const [i, word] of text.split(' ').entries()) {
    const width = displayWidth(word);
    const isFirst = i === 0 || (used === 0 && lines.length > 0);
    if (used + (isFirst ? 0 : 1) + width <= room()) {
      line += isFirst ? word : ` ${word}`;
      used += isFirst ? width : width + 1;
      continue;
    }
    if (used > 0) end();
    if (width <= room()) {
      line = word;
      used = width;
      continue;
    }
    for (const cell of layout(word)) {
      if (used > 0 && used + cell.width > room()) end();
      line += cell.text;
      used += cell.width;
    }
  }
  if (line !== '') end();
  return lines;
}
