/**
 * Text to tokens, for what acorn cannot do: to find where a hole ends, to read hyphenated ids and the braces of a
 * condition, and to go on behind a mistake.
 * 1. In an expression a `/` begins a regular expression exactly where no value ends before it.
 * 2. Brackets are kept on a stack of our own; how deep acorn would have to go is counted before it is called.
 * 3. Every character is read once. What is not closed before the end of the text ends the scan.
 */
import { endsOperand, type Scan } from './expression-token.ts';
import { scanComment, scanOddQuotes, scanRegExp, scanString, scanTemplate } from './scan-literal.ts';
import {
  addToken,
  breakScan,
  checkDepth,
  clearFrame,
  type Frame,
  isDot,
  popFrame,
  pushFrame,
  type ScanOptions,
  type ScanState,
} from './scan-state.ts';

const blanks = /\s+/y;
const words = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const numbers = /(?:0[xX][\da-fA-F_]*|0[oObB][\d_]*|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?[\d_]+)?)n?/y;
const marks =
  />>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|\*\*|<<|>>|[-+*/%&|^]=|[-+*/%&|^<>=!~?:,;.()[\]{}]/y;
/** What closes each bracket. */
export const closers: Readonly<Record<Frame['open'], string>> = { '': '', '(': ')', '[': ']', '{': '}', '${': '}' };

export function scanExpression(text: string, options: ScanOptions): Scan {
  const state: ScanState = {
    text,
    end: options.end,
    hole: options.hole,
    hyphens: options.hyphens,
    tokens: [],
    problems: [],
    changes: [],
    stack: [{ open: '', index: -1, nest: 0, links: 0 }],
    found: options.found ?? new Map(),
    at: options.start,
    braces: 0,
    nest: 0,
    links: 0,
    signs: 0,
    broken: false,
    deep: false,
  };
  let closed = false;
  while (state.at < state.end && !closed) {
    closed = step(state);
    checkDepth(state);
  }
  // One mistake, one report: what is broken before may be why these are open.
  if ((closed || !options.hole) && !state.broken) {
    for (const frame of state.stack.slice(1)) unclosed(state, frame);
  }
  const { tokens, problems, changes, broken, at: end } = state;
  return { tokens, problems, changes, end, closed, broken: broken || (options.hole && !closed) };
}

/** Reads one token; true at the `}` that ends the hole, which is not read. */
function step(state: ScanState): boolean {
  const { text, at } = state;
  const char = text[at] ?? '';
  if (char === ' ') {
    state.at++;
    return false;
  }
  const word = match(words, state);
  if (word !== undefined) {
    scanWord(state, word);
    return false;
  }
  const next = text[at + 1] ?? '';
  const before = state.tokens.at(-1);
  if (char === '"' || char === "'") {
    if (char === "'" && before?.kind === 'word' && before.end === at && endsOperand(before)) stray(state);
    else scanString(state, char);
  } else if (char === '`') {
    scanTemplate(state, at);
  } else if (char === '/' && (next === '/' || next === '*')) {
    scanComment(state);
  } else if (char === '/' && !endsOperand(before)) {
    scanRegExp(state);
  } else if (isDigit(char) || (char === '.' && isDigit(next))) {
    addToken(state, 'number', match(numbers, state) ?? at + 1);
  } else {
    const mark = match(marks, state);
    if (mark !== undefined) return scanMark(state, mark);
    const blank = match(blanks, state);
    if (blank !== undefined) state.at = blank;
    else if (!scanOddQuotes(state)) stray(state);
  }
  return false;
}

/** The end of what is matched at the current place. */
function match(pattern: RegExp, state: ScanState): number | undefined {
  pattern.lastIndex = state.at;
  return pattern.test(state.text) ? Math.min(pattern.lastIndex, state.end) : undefined;
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9';
}

function scanWord(state: ScanState, end: number): void {
  const { text, at, hyphens } = state;
  const longer = text[end] !== '-' || isDot(state.tokens.at(-1)) ? undefined : hyphens?.(text, at, state.end);
  addToken(state, 'word', longer ?? end);
  if (longer !== undefined) state.changes.push({ start: at, text: text.slice(at, longer).replaceAll('-', '_') });
}

function scanMark(state: ScanState, end: number): boolean {
  const mark = state.text.slice(state.at, end);
  if (mark === ')' || mark === ']' || mark === '}') return close(state, mark);
  addToken(state, 'mark', end);
  const top = state.stack.at(-1);
  if (mark === '(' || mark === '[' || mark === '{') {
    pushFrame(state, mark);
  } else if (top !== undefined && mark === ',') {
    clearFrame(state, top);
  } else if (top !== undefined && (mark === '?' || mark === '=>')) {
    top.nest++;
    state.nest++;
  } else if (top !== undefined && mark !== '.' && mark !== '?.' && mark !== ':') {
    top.links++;
    state.links++;
  }
  return false;
}

function close(state: ScanState, mark: string): boolean {
  const { stack, at } = state;
  const fits = (frame: Frame | undefined) => frame !== undefined && closers[frame.open] === mark;
  if (mark === '}' && state.braces === 0 && state.hole) return true;
  // What is open inside ends with what is around it.
  if (mark === '}') while (state.braces > 0 && !fits(stack.at(-1))) unclosed(state, popFrame(state));
  else if (!fits(stack.at(-1)) && fits(stack.at(-2)) && stack.at(-1)?.open !== '${') unclosed(state, popFrame(state));
  const top = stack.at(-1);
  const opener = top === undefined || top.open === '' ? undefined : state.tokens[top.index];
  if (mark === '}' && top?.open === '${') {
    popFrame(state);
    scanTemplate(state, opener?.start ?? at);
    return false;
  }
  const token = addToken(state, 'mark', at + 1);
  const place = { code: 'TOO3205', start: at, end: at + 1 } as const;
  if (top === undefined || opener === undefined || top.open === '${') {
    const help = 'Take it out, or write the bracket that opens.';
    breakScan(state, { ...place, message: `"${mark}" closes nothing`, help });
    return false;
  }
  popFrame(state);
  opener.mate = state.tokens.length - 1;
  token.mate = top.index;
  if (!fits(top)) {
    const replacement = closers[top.open];
    const message = `"${mark}" does not close "${top.open}"`;
    state.problems.push({ ...place, message, help: `Write "${replacement}".`, replacement });
  }
  return false;
}

function unclosed(state: ScanState, frame: Frame | undefined): void {
  const opener = frame && state.tokens[frame.index];
  if (frame === undefined || opener === undefined) return;
  const message = `"${frame.open}" is never closed`;
  const help = `Write "${closers[frame.open]}" where it ends.`;
  const start = opener.end - frame.open.length;
  breakScan(state, { code: 'TOO3205', start, end: opener.end, message, help });
}

const strayHelp: ReadonlyMap<string, string> = new Map([
  ['≤', 'Write "<=".'],
  ['≥', 'Write ">=".'],
  ['≠', 'Write "!==".'],
  ['–', 'Write "-".'],
  ['—', 'Write "-".'],
  ['−', 'Write "-".'],
  ['×', 'Write "*".'],
  ['÷', 'Write "/".'],
  ['…', 'Write "...".'],
  ['#', 'Values have no private members: read one as ".name".'],
  ["'", 'An operator is missing before the string.'],
  ['\\', 'A backslash has a meaning only inside of strings.'],
]);

/** A character that has no place here. */
function stray(state: ScanState): void {
  const { text, at, end } = state;
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const help = strayHelp.get(char);
  const shown = /[\p{C}\p{Z}]/u.test(char) ? `the character U+${hex(char)}` : char === '"' ? char : `"${char}"`;
  state.at = Math.min(at + char.length, end);
  breakScan(state, {
    code: 'TOO3202',
    start: at,
    end: state.at,
    message: `unexpected ${shown}`,
    ...(help && { help }),
  });
}

function hex(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
