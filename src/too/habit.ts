/** What people bring from other languages and keyboards, named for what it is. */
import type { Span } from '../text/index.ts';
import { currentLine, match, passTo, peek, type Reader, report, textEnd } from './reader.ts';

const COMMENT = /\/\/|\/\*|<!--|--(?=[ \t\f]|\r?$)/my;

/** `// …` and the like, at the cursor: reported, and passed over as the comment it was meant to be. */
export function takeForeignComment(r: Reader): boolean {
  const mark = match(r, COMMENT);
  if (mark === '') return false;
  const start = r.at;
  const { end } = currentLine(r);
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
