/**
 * Code with a syntax error is read without the part that is wrong, so that the error does not hide what is wrong
 * elsewhere. The part is blanked, which moves no offset; what it declares is not known any more, so every word of it
 * may be one of its names.
 *
 * 1. Where all brackets have partners the part is what stands between two places where a statement may begin; if the
 *    rest cannot be read without it either, it grows, outwards from block to block.
 * 2. Where they do not, nobody knows what belongs to what: the part goes on to the end of the code.
 */
import { tokenizer } from 'acorn';
import { closerOf } from './parse.ts';

export interface Part {
  readonly start: number;
  readonly end: number;
}

/** The parts that may be wrong, from small to large. */
export function wrongParts(code: string, at: number): Part[] {
  const { tokens, isWhole } = tokensOf(code);
  const open = openAt(tokens, isWhole, at);
  if (open.isLoose) return open.from.map((start) => ({ start, end: code.length }));
  const parts: Part[] = [];
  for (let block: Block | undefined = open.block; block && parts.length < mostParts; block = block.outer) {
    for (const isStart of [mayBegin, mustBegin]) {
      const part = partOf(code, tokens, block, at, isStart);
      const last = parts.at(-1);
      const isLarger = last === undefined || part.start < last.start || part.end > last.end;
      if (part.start < part.end && isLarger && !isHead(code, part)) parts.push(part);
    }
  }
  parts.push({ start: parts.at(-1)?.start ?? 0, end: code.length });
  return parts;
}

/** Where the code goes on for sure behind the statement around a place, in no block: behind a semicolon. */
export function endOfStatement(code: string, at: number): number {
  const { tokens } = tokensOf(code);
  return partOf(code, tokens, { first: 0, last: tokens.length, depth: 0 }, at, mustBegin).end;
}

/** Nothing but the word that declares what comes next: without it that is something else. */
function isHead(code: string, { start, end }: Part): boolean {
  return /\b(?:async|catch|class|const|for|function|let|var)\s*\*?\s*;?\s*$/.test(
    code.slice(Math.max(start, end - 40), end),
  );
}

/** With blanks in its place; lines stay. */
export function blank(code: string, { start, end }: Part): string {
  return code.slice(0, start) + code.slice(start, end).replace(/[^\n\r]/g, ' ') + code.slice(end);
}

/** The characters of `before` that are others in `after`, with blanks between. */
export function leftOut(before: string, after: string): string {
  if (before === after) return '';
  return before.replace(/[^\s]/g, (char, at: number) => (char === after[at] ? ' ' : char));
}

const word = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

export function wordsOf(text: string): string[] {
  return text.match(word) ?? [];
}

const mostParts = 6;

interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** How many brackets and templates are open around it. */
  readonly depth: number;
  readonly isFirstOfLine: boolean;
}

/** A pair of braces, or all of the code; the tokens inside are those from `first` to `last`. */
interface Block {
  readonly first: number;
  last: number;
  readonly depth: number;
  readonly outer?: Block;
}

/** As far as the code can be split at all. */
function tokensOf(code: string): { readonly tokens: readonly Token[]; readonly isWhole: boolean } {
  const tokens: Token[] = [];
  const open: string[] = [];
  let before = 0;
  try {
    for (const { type, start, end } of tokenizer(code, { ecmaVersion: 'latest' })) {
      const { label } = type;
      const closes = label === ')' || label === ']' || label === '}' || (label === '`' && open.at(-1) === '`');
      const opens = !closes && (label === '(' || label === '[' || label === '{' || label === '${' || label === '`');
      if (closes) open.pop();
      const isFirstOfLine = /[\n\r]/.test(code.slice(before, start));
      // A text may look like a bracket.
      const text = opens || closes || label === ';' ? label : '';
      tokens.push({ start, end, text, depth: open.length, isFirstOfLine });
      if (opens) open.push(label);
      before = end;
    }
    return { tokens, isWhole: true };
  } catch {
    return { tokens, isWhole: false };
  }
}

type Opened =
  | { readonly isLoose: true; readonly from: readonly number[] }
  | { readonly isLoose: false; readonly block: Block };

/** The innermost block around a place; or, if a bracket has no partner, where the statement with it may begin. */
function openAt(tokens: readonly Token[], isWhole: boolean, at: number): Opened {
  const all: Block = { first: 0, last: tokens.length, depth: 0 };
  const open: { readonly text: string; readonly block?: Block }[] = [];
  let inner: Block = all;
  let found: Block | undefined;
  let near = 0;
  let far = 0;
  for (const [index, token] of tokens.entries()) {
    const { end, text, depth } = token;
    if (found === undefined && end > at) found = inner;
    const before = tokens[index - 1];
    if (depth === 0 && before && token.start <= at) {
      if (mayBegin(token, before)) near = token.start;
      if (mustBegin(token, before)) far = token.start;
    }
    if (text === '' || text === ';' || text === '`') continue;
    if (closerOf(text) !== '') {
      const block = text === '{' ? { first: index + 1, last: index + 1, depth: depth + 1, outer: inner } : undefined;
      open.push({ text, ...(block && { block }) });
      inner = block ?? inner;
      continue;
    }
    const opener = open.pop();
    if (opener === undefined || closerOf(opener.text) !== text) return { isLoose: true, from: [near, far] };
    if (opener.block) {
      opener.block.last = index;
      inner = opener.block.outer ?? all;
    }
  }
  if (!isWhole || open.length > 0) return { isLoose: true, from: [near, far] };
  return { isLoose: false, block: found ?? all };
}

/** A statement may begin in a new line and behind a block. */
function mayBegin(token: Token, before: Token): boolean {
  if (token.text === ')' || token.text === ']' || token.text === '}') return false;
  return token.isFirstOfLine || before.text === '}' || before.text === ';';
}

function mustBegin(_: Token, before: Token): boolean {
  return before.text === ';';
}

/** The part of a block between two places where a statement begins. */
function partOf(
  code: string,
  tokens: readonly Token[],
  { first, last, depth }: Block,
  at: number,
  isStart: (token: Token, before: Token) => boolean,
): Part {
  const whole = first === 0;
  let start = whole ? 0 : (tokens[first - 1]?.end ?? 0);
  let end = last === tokens.length ? code.length : (tokens[last]?.start ?? code.length);
  for (let index = first + 1; index < last; index++) {
    const token = tokens[index];
    const before = tokens[index - 1];
    if (!token || !before || token.depth !== depth || !isStart(token, before)) continue;
    if (token.start <= at) start = token.start;
    else {
      end = token.start;
      break;
    }
  }
  return { start, end };
}
