/** What the scan of an expression carries along: tokens, open brackets, and how deep acorn would have to go. */
import type { ExpressionProblem } from './expression.ts';
import { type Change, isPrefix, type Token } from './expression-token.ts';
import type { HyphenNames } from './hyphen-names.ts';

export interface ScanOptions {
  readonly start: number;
  readonly end: number;
  /** Stop at the `}` that closes the hole around it. */
  readonly hole: boolean;
  readonly hyphens?: HyphenNames | undefined;
  /** Where texts were last found, so that looking for them again and again stays linear. Shared by holes of a text. */
  readonly found?: Map<string, Found>;
}

/** There is none from `from` up to `at`, where there is one, or the text ends. */
export interface Found {
  readonly from: number;
  readonly at: number;
}

export interface Frame {
  /** Empty for the whole expression. */
  readonly open: '' | '(' | '[' | '{' | '${';
  /** Of the token that opens it. */
  readonly index: number;
  nest: number;
  links: number;
}

export interface ScanState {
  readonly text: string;
  readonly end: number;
  readonly hole: boolean;
  readonly hyphens: HyphenNames | undefined;
  readonly tokens: Token[];
  readonly problems: ExpressionProblem[];
  readonly changes: Change[];
  readonly stack: Frame[];
  readonly found: Map<string, Found>;
  at: number;
  /** Frames of the stack that a `}` closes. */
  braces: number;
  /** Ternaries and arrows around the current place. */
  nest: number;
  /** Operators before the current place, in it and in all that is around it. */
  links: number;
  /** Signs directly before the current place. */
  signs: number;
  broken: boolean;
  deep: boolean;
}

/** Brackets, ternaries, arrows and signs may nest this deep. */
export const maxNesting = 200;
/** Acorn keeps every operator of a chain on its stack. */
const maxLinks = 2000;

export function addToken(state: ScanState, kind: Token['kind'], end: number, text?: string): Token {
  const before = state.tokens.at(-1);
  const written = text ?? state.text.slice(state.at, end);
  const member = kind === 'word' && isDot(before);
  const token: Token = { kind, start: state.at, end, text: written, member, mate: -1 };
  state.signs = isPrefix(token, before) ? state.signs + 1 : 0;
  state.tokens.push(token);
  state.at = end;
  return token;
}

export function isDot(token: Token | undefined): boolean {
  return token?.kind === 'mark' && (token.text === '.' || token.text === '?.');
}

/** Opens a frame with the last token. */
export function pushFrame(state: ScanState, open: Frame['open']): void {
  state.stack.push({ open, index: state.tokens.length - 1, nest: 0, links: 0 });
  if (open === '{' || open === '${') state.braces++;
}

export function popFrame(state: ScanState): Frame | undefined {
  const frame = state.stack.pop();
  if (frame === undefined) return undefined;
  clearFrame(state, frame);
  if (frame.open === '{' || frame.open === '${') state.braces--;
  return frame;
}

/** Behind a comma nothing is nested in what stands before it. */
export function clearFrame(state: ScanState, frame: Frame): void {
  state.nest -= frame.nest;
  state.links -= frame.links;
  frame.nest = 0;
  frame.links = 0;
}

/** Reports what keeps acorn from reading the text. */
export function breakScan(state: ScanState, problem: ExpressionProblem): void {
  state.problems.push(problem);
  state.broken = true;
}

export function checkDepth(state: ScanState): void {
  const depth = state.stack.length - 1 + state.nest + state.signs;
  const token = state.tokens.at(-1);
  if (state.deep || token === undefined || (depth <= maxNesting && state.links <= maxLinks)) return;
  state.deep = true;
  breakScan(state, tooDeep(token.start, token.end));
}

export function tooDeep(start: number, end: number): ExpressionProblem {
  const message = 'this is nested too deeply for one expression';
  return { code: 'TOO3207', start, end, message, help: 'Compute a part of it in a step of its own.' };
}

/** The first `needle` at or after `from`, the end of the text if none. */
export function find(state: ScanState, needle: string, from: number): number {
  const last = state.found.get(needle);
  if (last !== undefined && last.from <= from && from <= last.at) return last.at;
  const at = state.text.indexOf(needle, from);
  const found = { from, at: at === -1 ? state.text.length : at };
  state.found.set(needle, found);
  return found.at;
}
