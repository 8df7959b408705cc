/** A text that is being written, and where in it: what each key makes of it. Characters are what people see as one. */
import { layout } from '../text/index.ts';
import type { KeyName } from './key.ts';

export interface Edit {
  readonly text: string;
  /** Where the next character goes. */
  readonly at: number;
  /** What was taken away last, to be put back. */
  readonly taken: string;
}

export const emptyEdit: Edit = { text: '', at: 0, taken: '' };

export function editOf(text: string, taken = ''): Edit {
  return { text, at: text.length, taken };
}

export function insert(edit: Edit, text: string): Edit {
  return { ...edit, text: edit.text.slice(0, edit.at) + text + edit.text.slice(edit.at), at: edit.at + text.length };
}

/** The same in the place of what stands from `from` to where the next character goes. */
export function replaceBefore(edit: Edit, from: number, text: string): Edit {
  return { ...edit, text: edit.text.slice(0, from) + text + edit.text.slice(edit.at), at: from + text.length };
}

/** Undefined for keys that mean nothing in a text. */
export function editKey(edit: Edit, key: KeyName): Edit | undefined {
  const { text, at, taken } = edit;
  const move = (to: number): Edit => ({ ...edit, at: to });
  const cut = (from: number, to: number): Edit => ({
    text: text.slice(0, from) + text.slice(to),
    at: from,
    taken: to - from > 0 ? text.slice(from, to) : taken,
  });
  switch (key) {
    case 'left':
      return move(before(text, at));
    case 'right':
      return move(behind(text, at));
    case 'word-left':
      return move(wordStart(text, at));
    case 'word-right':
      return move(wordEnd(text, at));
    case 'home':
      return move(lineStart(text, at));
    case 'end':
      return move(lineEnd(text, at));
    case 'newline':
      return insert(edit, '\n');
    case 'backspace':
      return { ...cut(before(text, at), at), taken };
    case 'delete':
      return { ...cut(at, behind(text, at)), taken };
    case 'delete-word':
      return cut(wordStart(text, at), at);
    case 'delete-word-right':
      return cut(at, wordEnd(text, at));
    case 'delete-to-start': {
      // At the beginning of a line it joins it to the one above.
      const start = lineStart(text, at);
      return cut(start === at ? Math.max(0, at - 1) : start, at);
    }
    case 'delete-to-end': {
      const end = lineEnd(text, at);
      return cut(at, end === at ? Math.min(text.length, at + 1) : end);
    }
    case 'put-back':
      return insert(edit, taken);
    default:
      return undefined;
  }
}

export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** Where the character before begins. */
function before(text: string, at: number): number {
  const start = lineStart(text, at);
  if (start === at) return Math.max(0, at - 1);
  let last = start;
  for (const cell of layout(text.slice(start, lineEnd(text, at)))) {
    if (start + cell.start >= at) break;
    last = start + cell.start;
  }
  return last;
}

/** Where the character behind ends. */
function behind(text: string, at: number): number {
  const start = lineStart(text, at);
  const end = lineEnd(text, at);
  if (at === end) return Math.min(text.length, at + 1);
  const cell = layout(text.slice(start, end)).find((each) => start + each.end > at);
  return cell === undefined ? end : start + cell.end;
}

/** Letters, digits and what stands on them; what makes a picture of them is none. */
const wordPart = /^(?!\ufe0f)[\p{L}\p{N}\p{M}_]$/u;

/** By code points: between a word and what is none, characters begin. */
function wordStart(text: string, at: number): number {
  let to = at;
  let isIn = false;
  while (to > 0) {
    const last = text.codePointAt(to - 2) ?? 0;
    const size = to > 1 && last > 0xffff ? 2 : 1;
    const isPart = wordPart.test(text.slice(to - size, to));
    if (isIn && !isPart) break;
    isIn = isPart;
    to -= size;
  }
  return to;
}

function wordEnd(text: string, at: number): number {
  let to = at;
  let isIn = false;
  while (to < text.length) {
    const size = (text.codePointAt(to) ?? 0) > 0xffff ? 2 : 1;
    const isPart = wordPart.test(text.slice(to, to + size));
    if (isIn && !isPart) break;
    isIn = isPart;
    to += size;
  }
  return to;
}
