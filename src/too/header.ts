/** Reads what headers are made of: names, colons, and the text that should not be there. */
import type { Edit, Span } from '../text/index.ts';
import { takeForeignComment, takeTextMark } from './habit.ts';
import { endLine } from './line-end.ts';
import { toTypeName, toValueName } from './names.ts';
import {
  backOverBlanks,
  currentLine,
  match,
  nextLine,
  peek,
  quote,
  type Reader,
  report,
  skipBlanks,
  take,
  takeMark,
  takeWord,
  textEnd,
} from './reader.ts';
import type { TokenKind } from './token.ts';
import type { Word } from './tree.ts';

const VALUE_NAME = /[a-z](?:[a-z0-9_-]*[a-z0-9_])?/y;
const TYPE_NAME = /[A-Z][A-Za-z0-9]*/y;
/** What ends anything that a person could have meant as a name. Looked for by itself: a name may be longer than what an expression can keep. */
const NAME_END = /[\s:?()[\]{},=#`+：，（）？]/g;

/** A name such as `review-all`. A malformed one is reported and read as it should have been written. */
export function readValueName(r: Reader, kind: TokenKind, what: string, words = false): Word | undefined {
  skipBlanks(r);
  const loose = looseName(r) + (words ? moreWords(r) : '');
  if (loose === '') return undefined;
  if (match(r, VALUE_NAME) === loose) return takeWord(r, kind, loose.length);
  const span = take(r, 'unknown', loose.length);
  const better = toValueName(loose);
  report(r, 'TOO1105', span, `${quote(r, span)} cannot be the name of ${what}.`, {
    help: 'Names are lower-case letters, digits, "_" and "-", start with a letter and do not end in "-".',
    ...(better && { fix: { title: `replace with "${better}"`, edits: [{ span, text: better }] } }),
  });
  return { text: better ?? loose, span };
}

/** A name such as `ReviewResult`. */
export function readTypeName(r: Reader, what: string): Word | undefined {
  skipBlanks(r);
  const loose = looseName(r);
  if (loose === '') return undefined;
  if (match(r, TYPE_NAME) === loose) return takeWord(r, 'type', loose.length);
  const span = take(r, 'unknown', loose.length);
  const better = toTypeName(loose);
  report(r, 'TOO1105', span, `${quote(r, span)} cannot be the name of ${what}.`, {
    help: 'Struct names are letters and digits and start with a capital.',
    ...(better && { fix: { title: `replace with "${better}"`, edits: [{ span, text: better }] } }),
  });
  return { text: better ?? loose, span };
}

/** What stands where a name should, up to an arrow: with `???` before a colon, that too. */
function looseName(r: Reader): string {
  NAME_END.lastIndex = r.at;
  const word = r.text.slice(r.at, NAME_END.test(r.text) ? NAME_END.lastIndex - 1 : r.text.length);
  if (word !== '') {
    const arrow = word.indexOf('->');
    return arrow === -1 ? word : word.slice(0, arrow);
  }
  const odd = match(r, /[^\s:()#]+(?=[ \t\f]*:)/y);
  return odd.startsWith('->') || odd === '?' ? '' : odd;
}

/** What follows the first word of a name that was written as several: `my review:`. */
function moreWords(r: Reader): string {
  const whole = match(
    r,
    /[A-Za-z][A-Za-z0-9_-]*(?:[ \t\f]+[A-Za-z][A-Za-z0-9_-]*)+(?=[ \t\f]*(?:[({]|->|:[ \t\f]*(?:[#`]|\r?$)))/my,
  );
  return whole === '' || whole.includes('->') ? '' : whole.slice(looseName(r).length);
}

export function missingName(r: Reader, what: string, example: string): Word {
  const span = { start: r.at, end: r.at };
  report(r, 'TOO1105', span, `${what} needs a name.`, { help: `Write "${example}".` });
  return { text: '', span };
}

/** The colon that ends a header; a missing one is reported with the place where it belongs. */
export function readColon(r: Reader, what: string): Span | undefined {
  const colon = takeMark(r, ':');
  if (colon) return colon;
  const rest = r.text.slice(r.at, textEnd(r));
  const trimmed = rest.replace(/^[ \t\f]+/, '');
  if (trimmed === '{') return openBrace(r, what);
  // Text before a last colon is the mistake then, not the colon.
  if (trimmed.endsWith(':') && !/^(?:\/\/|--|;)/.test(trimmed)) {
    skipBlanks(r);
    const span = { start: r.at, end: r.at + trimmed.length - 1 };
    report(r, 'TOO1107', span, `unexpected ${quote(r, span)} in the header of ${what}.`);
    take(r, 'unknown', span.end - span.start);
    return take(r, 'punctuation', 1);
  }
  // What else stands there is reported at the end of the line; behind a colon it would be taken for a body.
  if (trimmed !== '' && !/^(?:\/\/|--|;)/.test(trimmed)) return undefined;
  report(r, 'TOO1106', { start: r.at, end: r.at }, `the header of ${what} ends in ":".`, {
    fix: { title: 'add ":"', edits: [{ span: { start: r.at, end: r.at }, text: ':' }] },
  });
  return undefined;
}

/** `{` for the colon, and a `}` on a line of its own further down: one mistake. */
function openBrace(r: Reader, what: string): Span {
  const start = r.at;
  skipBlanks(r);
  const brace = take(r, 'unknown', 1);
  const closing = passClosingBrace(r);
  report(r, 'TOO1106', brace, `the header of ${what} ends in ":", not "{".`, {
    help: 'A body is the indented lines below its header; there are no braces.',
    fix: {
      title: closing.length > 0 ? 'replace the braces' : 'replace with ":"',
      edits: [{ span: { start, end: brace.end }, text: ':' }, ...closing],
    },
  });
  return brace;
}

const LONGEST_BODY = 500;

/** The line of nothing but `}` that belongs to a `{` here is passed over later; the edit that removes it. */
export function passClosingBrace(r: Reader): Edit[] {
  const own = currentLine(r).indent;
  for (let i = r.line + 1; i < Math.min(r.lines.length, r.line + LONGEST_BODY); i++) {
    const line = r.lines[i];
    if (!line || line.text === line.end || line.indent > own) continue;
    if (line.end !== line.text + 1 || r.text[line.text] !== '}') break;
    r.ignored.add(i);
    return [{ span: { start: line.start, end: line.next }, text: '' }];
  }
  return [];
}

/** How text on the header line would be written below it; a guess if that is not plain. */
export type Moved = (text: string) => { readonly text: string; readonly guess?: true };

export const movedBelow: Moved = (text) => ({ text: `  ${text}` });

/**
 * After the colon of a header that takes no value: the end of the line. Or (false) text, which is reported; the cursor
 * stands on it, so that it can be read as what it would be below.
 */
export function endHeader(r: Reader, what: string, help: string, moved: Moved): boolean {
  skipBlanks(r);
  const code = peek(r);
  if (code === -1 || code === 35) {
    endLine(r, what);
    return true;
  }
  if (takeForeignComment(r)) {
    nextLine(r);
    return true;
  }
  const span = { start: r.at, end: textEnd(r) };
  if (takeTextMark(r, what)) return true;
  const { start, text } = currentLine(r);
  const below = moved(r.text.slice(span.start, span.end));
  report(r, 'TOO1503', span, `the body of ${what} cannot stand on the header line.`, {
    help,
    fix: {
      title: 'move it below',
      ...(below.guess && { guess: true }),
      edits: [
        {
          span: { start: backOverBlanks(r, r.at), end: span.end },
          text: `${r.eol}${r.text.slice(start, text)}${below.text}`,
        },
      ],
    },
  });
  return false;
}
