/**
 * Tree → text in the one style: two blanks, one blank line between items. It works on tokens:
 * only blanks and line ends outside of raw and fenced text are ever changed, so no comment and no text is lost.
 */
import type { Source } from '../text/index.ts';
import { isBlank, splitLines } from './line.ts';
import { dedent } from './raw.ts';
import type { Token } from './token.ts';

type Role = 'blank' | 'comment' | 'use' | 'item' | 'body' | 'raw' | 'verbatim';

interface Piece {
  role: Role;
  /** The tokens of the line, without blanks and line end. */
  readonly tokens: Token[];
  /** How deep it will stand: 0, 1 or 2 levels. */
  depth: number;
  readonly indented: boolean;
}

/** Formats a source that parses without errors. The tokens are those of `parse`. */
export function format(source: Source, tokens: readonly Token[]): string {
  const { text } = source;
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const pieces = settle(text, split(text, tokens));
  const out: string[] = [];
  if (tokens[0]?.kind === 'bom') out.push('\ufeff');
  let previous: Piece | undefined;
  let blanks = 0;
  for (const piece of pieces) {
    if (piece.role === 'blank') {
      blanks++;
      continue;
    }
    if (previous && blankLineBefore(previous, piece, blanks)) out.push(eol);
    out.push(print(text, piece, eol));
    previous = piece;
    blanks = 0;
  }
  return out.join('');
}

/** One piece a line; raw and fenced text are one piece however many lines they have. */
function split(text: string, tokens: readonly Token[]): Piece[] {
  const pieces: Piece[] = [];
  let line: Token[] = [];
  let start = 0;
  const finish = () => {
    const first = line[0];
    pieces.push({
      role: roleOf(text, first),
      tokens: line,
      depth: 0,
      indented: first !== undefined && first.start > start,
    });
    line = [];
  };
  let ended = true;
  for (const token of tokens) {
    if (token.kind === 'bom') start = token.end;
    else if (token.kind === 'newline') {
      finish();
      start = token.end;
      ended = true;
    } else {
      ended = false;
      if (token.kind !== 'blank') line.push(token);
    }
  }
  if (!ended) finish();
  return pieces;
}

function roleOf(text: string, first: Token | undefined): Role {
  switch (first?.kind) {
    case undefined:
      return 'blank';
    case 'comment':
    case 'raw':
      return first.kind;
    case 'frontmatter':
    case 'content':
    case 'fence':
      return 'verbatim';
    case 'keyword':
      return text.startsWith('use', first.start) ? 'use' : 'item';
    default:
      return 'body';
  }
}

/** Gives each piece its depth; a comment goes with what it stands above, or else with what it stands below. */
function settle(text: string, pieces: Piece[]): Piece[] {
  let body = false;
  let level = 0;
  for (const piece of pieces) {
    if (piece.role === 'item' || piece.role === 'use') {
      body = /^(?:struct|thunk)/.test(text.slice(piece.tokens[0]?.start, (piece.tokens[0]?.start ?? 0) + 6));
      level = 0;
    } else if (piece.role === 'body') level = body ? 1 : 0;
    piece.depth =
      piece.role === 'raw'
        ? level + 1
        : piece.role === 'body' || (piece.role === 'comment' && body && piece.indented)
          ? 1
          : 0;
  }
  let next: Role | undefined;
  let touching = false;
  for (const piece of pieces.toReversed()) {
    if (piece.role === 'blank') touching = false;
    else if (piece.role !== 'comment') {
      next = piece.role;
      touching = true;
    } else if (next === 'body') piece.depth = 1;
    else if (touching) piece.depth = 0;
  }
  return pieces;
}

function blankLineBefore(previous: Piece, piece: Piece, blanks: number): boolean {
  if (piece.role === 'raw' || piece.role === 'verbatim')
    return piece.role === 'raw' && isProperty(previous) && blanks > 0;
  if (piece.depth > 0) return blanks > 0 && previous.role !== 'item';
  if (previous.role === 'comment' && previous.depth === 0) return blanks > 0;
  if (previous.role === 'use' && (piece.role === 'use' || piece.role === 'comment')) return blanks > 0;
  return true;
}

function isProperty(piece: Piece): boolean {
  return piece.role === 'body' && piece.tokens[1]?.kind === 'operator';
}

function print(text: string, piece: Piece, eol: string): string {
  if (piece.role === 'verbatim') return printVerbatim(text, piece, eol);
  if (piece.role === 'raw') return printRaw(text, piece, eol);
  let line = '  '.repeat(piece.depth);
  let last: Token | undefined;
  for (const token of piece.tokens) {
    if (last) line += gap(text, last, token);
    line += text.slice(token.start, token.end);
    last = token;
  }
  return trimBlanks(line) + eol;
}

/** A pattern for this would look at inner runs of blanks again and again. */
function trimBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end--;
  return line.slice(0, end);
}

/** The blanks between two tokens of a line. Comments and operators keep the column they were given. */
function gap(text: string, left: Token, right: Token): string {
  const written = text.slice(left.end, right.start);
  if (right.kind === 'comment' || right.kind === 'operator') return /^ +$/.test(written) ? written : ' ';
  if (left.kind === 'fence' || right.kind === 'suffix') return '';
  if (left.kind === 'punctuation' && text[left.start] === '(') return '';
  if (right.kind === 'punctuation' && text[right.start] !== '-') return '';
  return ' ';
}

/** Content and frontmatter as written; of a closing fence only what follows it may go. */
function printVerbatim(text: string, piece: Piece, eol: string): string {
  const [first] = piece.tokens;
  if (!first) return '';
  if (first.kind !== 'fence')
    return text.slice(first.start, first.end) + (/\r?\n/y.exec(text.slice(first.end, first.end + 2))?.[0] ?? eol);
  const lineStart = text.lastIndexOf('\n', first.start) + 1;
  return text.slice(lineStart, first.end) + eol;
}

/** The same text at the depth below its header. Line ends and blank lines stay as they are. */
function printRaw(text: string, piece: Piece, eol: string): string {
  const [raw] = piece.tokens;
  if (!raw) return '';
  const written = text.slice(raw.start, raw.end);
  const lines = splitLines(written);
  const margin = ' '.repeat(piece.depth * 2);
  const texts = dedent(written, lines).split('\n');
  let out = '';
  lines.forEach((line, i) => {
    const end = written.slice(line.end, line.next);
    out += line.text === line.end ? written.slice(line.start, line.end) + end : margin + texts[i] + end;
  });
  return out + eol;
}
