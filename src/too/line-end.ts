/** The end of a line: a comment, or nothing. */
import { takeForeignComment, takeLineMark } from './habit.ts';
import { isBlank } from './line.ts';
import {
  currentLine,
  END,
  nextLine,
  peek,
  quote,
  type Reader,
  report,
  skipBlanks,
  skipRest,
  takeComment,
  textEnd,
} from './reader.ts';

/** Ends a line whose tokens are all read. What is left but a comment is an error. */
export function endLine(r: Reader, what: string, options: { readonly hash?: 'anywhere' } = {}): void {
  const before = r.text.charCodeAt(r.at - 1);
  skipBlanks(r);
  if (peek(r) === 35) {
    const touching = !isBlank(r.text.charCodeAt(r.at - 1)) && before !== 58;
    if (touching && options.hash !== 'anywhere') touchingComment(r);
    takeComment(r);
  } else if (peek(r) !== END && !takeForeignComment(r) && !takeLineMark(r, what)) {
    const span = { start: r.at, end: textEnd(r) };
    report(r, 'TOO1107', span, `unexpected ${quote(r, span)} after ${what}.`, {
      help: 'End the line here; a comment starts with "#".',
    });
    skipRest(r);
  }
  skipBlanks(r);
  if (peek(r) === 35) takeComment(r);
  nextLine(r);
}

function touchingComment(r: Reader): void {
  const span = { start: r.at, end: currentLine(r).end };
  report(r, 'TOO1006', span, 'a comment starts here without a blank before it.', {
    help: 'Put a blank before "#".',
    fix: { title: 'put a blank before "#"', edits: [{ span: { start: r.at, end: r.at }, text: ' ' }] },
  });
}
