/**
 * The cells that a line of text takes on a terminal, and what stands in for characters that must not reach one. For plain text
 * `width.ts` knows the answers without: this takes a moment to load.
 */
import { eastAsianWidth } from 'get-east-asian-width';

/** One thing the terminal draws: `start` and `end` are UTF-16 offsets in the text, `column` and `width` are in cells. */
export interface Cell {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly column: number;
  readonly width: number;
}

const tabStop = 8;

/** A flag made of tag characters is the one use of them that people see. */
const tagFlag = '\\u{1f3f4}[\\u{e0020}-\\u{e007e}]+\\u{e007f}';
const unsafeClass =
  '[\\p{Cc}\\p{Cs}\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]';
const unsafe = new RegExp(`${tagFlag}|${unsafeClass}`, 'gu');

const plainAscii = /^[\x20-\x7e]*$/;
/** Characters that can join others into one drawn thing; a text without them needs no segmenter. */
const joining = /[\p{M}\p{Cf}\p{Emoji_Modifier}\p{Regional_Indicator}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/u;
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]$/u;
const emojiCluster =
  /\p{Emoji}\ufe0f|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}[\u200d\p{Emoji_Modifier}\u{e0020}-\u{e007f}]/u;

let segmenter: Intl.Segmenter | undefined;

/** The text with a visible picture for every character that a terminal would obey or hide. It has no line ends. */
export function pictured(text: string): string {
  return text.replace(unsafe, (found) => (isFlag(found) ? found : picture(found)));
}

/** The cells of one line. A tab goes to the next multiple of eight. */
export function layout(line: string): Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  let start = 0;
  for (const cluster of clusters(line)) {
    const end = start + cluster.length;
    const drawn = draw(cluster, column);
    cells.push({ text: drawn.text, start, end, column, width: drawn.width });
    column += drawn.width;
    start = end;
  }
  return cells;
}

function* clusters(line: string): Generator<string> {
  if (!joining.test(line)) {
    yield* line;
    return;
  }
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(line)) yield segment;
}

function draw(cluster: string, column: number): { text: string; width: number } {
  if (cluster === '\t') {
    const width = tabStop - (column % tabStop);
    return { text: ' '.repeat(width), width };
  }
  if (plainAscii.test(cluster)) return { text: cluster, width: cluster.length };
  const text = pictured(cluster);
  // A picture in the middle parts the cluster: what is drawn is measured, not what was meant.
  if (text !== cluster) {
    const cells = layout(text);
    const last = cells.at(-1);
    return { text: cells.map((cell) => cell.text).join(''), width: last === undefined ? 0 : last.column + last.width };
  }
  if (emojiCluster.test(cluster)) return { text, width: 2 };
  let width = 0;
  for (const character of text) {
    if (!zeroWidth.test(character)) width += eastAsianWidth(character.codePointAt(0) ?? 0);
  }
  // A mark with nothing to sit on would hide in the gutter: it gets the usual dotted circle.
  return width === 0 ? { text: `\u25cc${text}`, width: 1 } : { text, width };
}

function isFlag(found: string): boolean {
  return found.length > 2;
}

/** Unicode has pictures for the oldest controls only; the others are named by number. */
function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
