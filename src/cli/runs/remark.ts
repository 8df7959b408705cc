/**
 * A remark on a run, below its lines: a word that says what it is, and what that means. A terminal would break it in the
 * middle of a word; elsewhere it is one line, because logs are searched.
 */
import { displayWidth, type Painter, painter, wrap } from '../../text/index.ts';
import type { Output } from '../context.ts';
import { wrapColumns } from './shown.ts';

const margin = '  ';
/** Of the lines behind the first. */
const indent = '    ';

export interface RemarkOptions {
  /** What it begins with, painted. */
  readonly word?: string;
  readonly color?: keyof Painter;
  /** How wide it may be, its margin included. */
  readonly columns?: number;
}

/** The text must be safe to show. */
export function remarkText(text: string, output: Output, options: RemarkOptions = {}): string {
  const { word = '', color = 'yellow', columns = wrapColumns(output) } = options;
  const [first = '', ...rest] = wrap(text, columns - margin.length, columns - indent.length);
  const painted = word === '' ? '' : painter(output.color)[color](word);
  return [`${margin}${painted}${first.slice(word.length)}`, ...rest.map((line) => indent + line)]
    .map((line) => `${line}\n`)
    .join('');
}

/** The same with something behind it that must stay whole, such as a path: where it does not fit it has a line of its own. */
export function remarkWith(text: string, whole: string, output: Output): string {
  const isOne = margin.length + displayWidth(text) + 1 + displayWidth(whole) <= wrapColumns(output);
  return isOne
    ? `${margin}${text} ${whole}\n`
    : `${remarkText(text.endsWith(':') ? text : `${text}:`, output)}      ${whole}\n`;
}
