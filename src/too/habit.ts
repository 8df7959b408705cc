/** What people bring from other languages and keyboards, named for what it is. */
import type { Span } from '../text/index.ts';
import {
  backOverBlanks,
  currentLine,
  match,
  nextLine,
  passTo,
  peek,
  type Reader,
  report,
  skipBlanks,
  textEnd,
} from './reader.ts';

const COMMENT = /\/\/|\/\*|<!--|--(?=[ \t\f]|\r?$)/my;

/**
 * `// …` and the like, at the cursor: reported, and passed over as the comment it was meant to be. False when the line
 * goes on behind it: what follows the `*` + `/` is then still to be read.
 */
export function takeForeignComment(r: Reader): boolean {
  const mark = match(r, COMMENT);
  if (mark === '') return false;
  const start = r.at;
  const { end } = currentLine(r);
  const close = mark === '/*' ? r.text.indexOf('*/', start + 2) : -1;
  if (close !== -1 && close < end && r.text.slice(close + 2, end).trim() !== '') {
    passTo(r, 'unknown', close + 2);
    skipBlanks(r);
    const span = { start, end: r.at };
    report(r, 'TOO1008', { start, end: close + 2 }, 'a comment starts with "#" and goes to the end of the line.', {
      fix: { title: 'remove it', guess: true, edits: [{ span, text: '' }] },
    });
    return false;
  }
  const text = r.text.slice(start + mark.length, end);
  const closing = /[ \t]*(?:\*\/|-->)[ \t]*$/.exec(text.slice(-40))?.[0].length ?? 0;
  const edits = [{ span: { start, end: start + mark.length }, text: '#' }];
  if (closing > 0) edits.push({ span: { start: end - closing, end }, text: '' });
  report(r, 'TOO1008', { start, end: start + mark.length }, `a comment starts with "#", not "${mark}".`, {
    fix: { title: 'make it a comment', edits },
  });
  passTo(r, 'unknown', end);
  return true;
}

/** `;` or `,` where a line ends: reported with the fix that removes it. */
export function takeLineMark(r: Reader, what: string): boolean {
  const code = peek(r);
  if ((code !== 59 && code !== 44) || textEnd(r) !== r.at + 1) return false;
  const span: Span = { start: r.at, end: r.at + 1 };
  const mark = r.text[r.at];
  passTo(r, 'unknown', span.end);
  report(r, 'TOO1107', span, `no "${mark}" follows ${what}: the line ends there.`, {
    fix: { title: `remove "${mark}"`, edits: [{ span, text: '' }] },
  });
  return true;
}

/** `|`, `>` or quotes in threes behind a colon: other languages need them before a text of several lines. */
export function takeTextMark(r: Reader, what: string): boolean {
  const written = r.text.slice(r.at, textEnd(r));
  if (!/^(?:[|>][-+]?|"""|''')$/.test(written)) return false;
  const span = { start: r.at, end: r.at + written.length };
  report(r, 'TOO1503', span, `"${written}" is not needed: the text of ${what} is the indented lines below it.`, {
    ...(written.length < 3 && {
      fix: {
        title: `remove "${written}"`,
        edits: [{ span: { start: backOverBlanks(r, span.start), end: span.end }, text: '' }],
      },
    }),
  });
  passTo(r, 'unknown', currentLine(r).end);
  nextLine(r);
  return true;
}
