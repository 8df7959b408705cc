/** Reads texts: on the header line, in an indented block, between fences. */
import { isBlank, type Line } from './line.ts';
import { endLine } from './line-end.ts';
import { isItemHeader, isRoughHeader, startOf } from './line-kind.ts';
import { noteIndent } from './margin.ts';
import { dedent, undent } from './raw.ts';
import {
  backOverBlanks,
  currentLine,
  isDone,
  match,
  nextLine,
  passTo,
  peek,
  quote,
  type Reader,
  report,
  skipBlanks,
  skipRest,
  take,
  takeComment,
  takeTo,
  textEnd,
} from './reader.ts';
import type { Fenced, Indented, Inline } from './tree.ts';

const HASH = 35;
const FENCE = /`{3,}/y;
/** Whether the header line has nothing more than a comment: its text is on the lines below. */
export function restIsEmpty(r: Reader): boolean {
  skipBlanks(r);
  const code = peek(r);
  return code === -1 || code === HASH;
}

export function atFence(r: Reader): boolean {
  return match(r, FENCE) !== '';
}

/** Text up to the end of the line or a comment. The cursor stands on its first character. */
export function readInline(r: Reader, what: string, asBlock?: (text: string) => string): Inline {
  const span = takeTo(r, 'text', textEnd(r));
  const text = r.text.slice(span.start, span.end);
  skipBlanks(r);
  if (peek(r) === HASH) {
    const start = r.at;
    takeComment(r);
    if (/[A-Za-z0-9]/.test(r.text.charAt(start + 1))) {
      const end = currentLine(r).end;
      const whole = r.text.slice(span.start, end);
      report(
        r,
        'TOO1005',
        { start, end },
        `${quote(r, { start, end })} is read as a comment, not as part of ${what}.`,
        {
          help: asBlock
            ? 'Put the text on the lines below, where "#" is literal, or put a blank after "#" if a comment is meant.'
            : 'Put a blank after "#" if a comment is meant; a value with " #" in it needs frontmatter and quotes.',
          ...(asBlock && {
            fix: {
              title: 'put the text on a line of its own',
              edits: [{ span: { start: backOverBlanks(r, span.start), end }, text: asBlock(whole) }],
            },
          }),
        },
      );
    }
  }
  nextLine(r);
  return { kind: 'inline', span, text };
}

/** The lines deeper than `indent`, if the next line that is not blank is deeper. */
export function readIndented(r: Reader, indent: number): Indented | undefined {
  const last = lastDeeper(r, indent);
  if (last === undefined) return undefined;
  skipBlankLines(r);
  const lines = r.lines.slice(r.line, last + 1);
  for (let i = r.line; i <= last; i++) noteIndent(r, i);
  const start = r.at;
  const end = r.lines[last]?.end ?? start;
  takeTo(r, 'raw', end);
  r.line = last;
  const text = dedent(r.text, lines);
  nextLine(r);
  return { kind: 'indented', span: { start, end }, text };
}

/** A fence whose backticks are at the cursor. Frontmatter is read in caps only. */
export function readFenced(r: Reader, what: string, withFrontmatter: boolean): Fenced {
  const count = match(r, FENCE).length;
  const open = take(r, 'fence', count);
  skipBlanks(r);
  const line = r.text.slice(r.at, currentLine(r).end);
  const rest = (line.includes('#') ? line.slice(0, line.indexOf('#')) : line).trimEnd();
  if (trailingBackticks(rest) >= count) return oneLineFence(r, open, rest);
  const word = match(r, /[^ \t\f\r\n#]+/y);
  const language = word
    ? { text: word, span: take(r, word === 'md' ? 'language' : 'unknown', word.length) }
    : undefined;
  if (language && word !== 'md') {
    report(r, 'TOO1202', language.span, `a fence may only be marked "md", not ${quote(r, language.span)}.`, {
      help: 'Write "```md" or "```".',
      fix: { title: 'replace with "md"', edits: [{ span: language.span, text: 'md' }] },
    });
    skipRest(r);
    nextLine(r);
  } else endLine(r, 'the opening fence');
  const first = r.line;
  const close = findClose(r, count);
  if (close === undefined) return unterminated(r, what, open, count);
  const closing = r.lines[close] as Line;
  const frontmatter = withFrontmatter ? readFrontmatter(r, close) : undefined;
  const contentLines = r.lines.slice(frontmatter ? r.line : first, close);
  const start = r.at;
  const lastLine = contentLines.at(-1);
  if (lastLine) {
    takeTo(r, 'content', lastLine.end);
    r.line = close - 1;
    nextLine(r);
  }
  if (closing.indent > 0) warnOfHeaders(r, what, open, first, close);
  takeTo(r, 'blank', closing.text);
  const end = take(r, 'fence', backticks(r, closing));
  endLine(r, 'the closing fence');
  return {
    kind: 'fenced',
    span: { start: open.start, end: end.end },
    open,
    ...(language && { language }),
    ...(frontmatter && { frontmatter }),
    ...(lastLine && lastLine.end > start && { content: { start, end: lastLine.end } }),
    close: end,
    text: undent(r.text, contentLines, closing.indent),
  };
}

/** Opened and closed on one line: the text between the fences is read as if it stood there alone. */
function oneLineFence(r: Reader, open: Fenced['open'], whole: string): Fenced {
  const span = { start: open.start, end: r.at + whole.length };
  const text = whole.slice(0, whole.length - trailingBackticks(whole)).trim();
  take(r, 'unknown', whole.length);
  report(r, 'TOO1202', span, 'a fence cannot open and close on one line.', {
    help: 'Put the text on lines of its own between the fences, or leave the fences out.',
    ...(text !== '' && { fix: { title: 'leave the fences out', edits: [{ span, text }] } }),
  });
  endLine(r, 'the fence');
  const start = span.start + r.text.slice(span.start, span.end).indexOf(text, open.end - open.start);
  const content = text === '' ? {} : { content: { start, end: start + text.length } };
  return { kind: 'fenced', span, open, ...content, close: { start: span.end, end: span.end }, text };
}

/** Blank lines at the cursor. */
export function skipBlankLines(r: Reader): void {
  while (!isDone(r) && currentLine(r).text === currentLine(r).end) {
    takeTo(r, 'blank', currentLine(r).end);
    nextLine(r);
  }
}

/** Index of the last line that is not blank in the run of lines deeper than `indent`, if there is one. */
export function lastDeeper(r: Reader, indent: number): number | undefined {
  let last: number | undefined;
  for (let i = r.line; i < r.lines.length; i++) {
    const line = r.lines[i] as Line;
    if (line.text === line.end) continue;
    if (line.indent <= indent) break;
    last = i;
  }
  return last;
}

/** A declaration in the first column, in a fence that is indented: the fence was perhaps meant to close before it. */
function warnOfHeaders(r: Reader, what: string, open: Fenced['open'], first: number, close: number): void {
  for (let i = first; i < close; i++) {
    const line = r.lines[i] as Line;
    if (line.start !== line.text || !isItemHeader(r.text, line)) continue;
    const span = { start: line.text, end: line.end };
    report(r, 'TOO1204', span, `${quote(r, span)} is part of the text of ${what}, not a declaration.`, {
      related: [{ source: r.source, span: open, message: 'the fence opens here' }],
      help: 'Close the fence above it; if it is text, indent it like the fence.',
    });
    return;
  }
}

function readFrontmatter(r: Reader, close: number): Fenced['frontmatter'] {
  const first = r.lines[r.line] as Line;
  if (r.line >= close || !isDashes(r, first)) return undefined;
  for (let i = r.line + 1; i < close; i++) {
    const line = r.lines[i] as Line;
    if (!isDashes(r, line)) continue;
    const span = takeTo(r, 'frontmatter', line.end);
    r.line = i;
    nextLine(r);
    return span;
  }
  report(r, 'TOO1203', { start: first.text, end: first.text + 3 }, 'this frontmatter is never closed.', {
    help: 'End it with a line of "---".',
  });
  return undefined;
}

function isDashes(r: Reader, line: Line): boolean {
  if (!r.text.startsWith('---', line.text)) return false;
  for (let at = line.text + 3; at < line.end; at++) if (!isBlank(r.text.charCodeAt(at))) return false;
  return true;
}

function trailingBackticks(text: string): number {
  let at = text.length;
  while (at > 0 && text.charCodeAt(at - 1) === 96) at--;
  return text.length - at;
}

/** Index of the line that closes a fence of `count` backticks. */
function findClose(r: Reader, count: number): number | undefined {
  r.closers ??= longestCloser(r);
  // Asked first, so that fences that never close do not each walk to the end of the file.
  if ((r.closers[r.line] ?? 0) < count) return undefined;
  let i = r.line;
  while (backticks(r, r.lines[i] as Line) < count) i++;
  return i;
}

/** For each line, the most backticks that a line from there on would close with. */
function longestCloser(r: Reader): Uint32Array {
  const longest = new Uint32Array(r.lines.length + 1);
  for (let i = r.lines.length - 1; i >= 0; i--) {
    longest[i] = Math.max(longest[i + 1] ?? 0, backticks(r, r.lines[i] as Line));
  }
  return longest;
}

/** How many backticks a line of nothing else has. */
function backticks(r: Reader, line: Line): number {
  let at = line.text;
  while (at < line.end && r.text.charCodeAt(at) === 96) at++;
  const count = at - line.text;
  while (at < line.end && isBlank(r.text.charCodeAt(at))) at++;
  return at === line.end ? count : 0;
}

function unterminated(r: Reader, what: string, open: Fenced['open'], count: number): Fenced {
  const start = r.at;
  const first = r.line;
  while (!isDone(r) && !isRoughHeader(r.text, currentLine(r)) && !isSpoiltClose(r, count)) r.line++;
  if (!isDone(r) && isSpoiltClose(r, count)) return spoiltClose(r, what, open, first);
  report(r, 'TOO1201', open, `the fence of ${what} is never closed.`, {
    help: `End it with a line of ${count} backticks.`,
  });
  const lines = r.lines.slice(first, r.line);
  takeTo(r, 'content', lines.at(-1)?.next ?? start);
  const end = lines.at(-1)?.end ?? start;
  const content = end > start ? { content: { start, end } } : {};
  return { kind: 'fenced', span: { start: open.start, end: r.at }, open, ...content, text: undent(r.text, lines, 0) };
}

/** A line that would close the fence, but for a comment or some text behind it. */
function isSpoiltClose(r: Reader, count: number): boolean {
  const line = currentLine(r);
  // Looked at only where it can be one: a file may have very many lines in a fence that is never closed.
  if (r.text.charCodeAt(line.text) !== 96) return false;
  const ticks = /^(`+)[ \t]+[^`\s][^`]*$/.exec(startOf(r.text, line))?.[1];
  return ticks !== undefined && ticks.length >= count;
}

function spoiltClose(r: Reader, what: string, open: Fenced['open'], first: number): Fenced {
  const line = currentLine(r);
  const lines = r.lines.slice(first, r.line);
  const start = r.at;
  const end = lines.at(-1)?.end ?? start;
  passTo(r, 'content', line.start);
  passTo(r, 'blank', line.text);
  const close = take(r, 'fence', match(r, FENCE).length);
  const rest = { start: close.end, end: line.end };
  report(
    r,
    'TOO1201',
    { start: line.text, end: line.end },
    `the fence of ${what} is not closed here: nothing may follow it.`,
    {
      fix: { title: 'remove what follows', guess: true, edits: [{ span: rest, text: '' }] },
    },
  );
  nextLine(r);
  const content = end > start ? { content: { start, end } } : {};
  const text = undent(r.text, lines, line.indent);
  return { kind: 'fenced', span: { start: open.start, end: close.end }, open, ...content, close, text };
}
