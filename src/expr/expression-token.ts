/** The tokens of an expression, and what can be told from them alone. */
import type { ExpressionProblem } from './expression.ts';

export interface Token {
  readonly kind: 'word' | 'number' | 'string' | 'regexp' | 'template' | 'mark';
  readonly start: number;
  readonly end: number;
  /** As written. Of a piece of a template, what ends it: a backtick or `${`. */
  readonly text: string;
  /** A word behind a dot. */
  readonly member: boolean;
  /** Of a bracket: the index of its partner, or -1. */
  mate: number;
}

/** A change of equal length, so that acorn can read on and every offset stays. */
export interface Change {
  readonly start: number;
  readonly text: string;
}

export interface Scan {
  readonly tokens: readonly Token[];
  readonly problems: ExpressionProblem[];
  readonly changes: Change[];
  /** Where it stopped: at the `}` of a hole, or at the end. */
  readonly end: number;
  /** What keeps acorn from reading it: it is reported, or the hole is open. */
  readonly broken: boolean;
  /** The hole has its `}`. */
  readonly closed: boolean;
}

const prefixWords: ReadonlySet<string> = new Set(['typeof', 'void', 'delete', 'new', 'await', 'yield', 'throw']);
const operatorWords: ReadonlySet<string> = new Set([
  ...prefixWords,
  'in',
  'instanceof',
  'return',
  'case',
  'else',
  'do',
]);
const prefixMarks: ReadonlySet<string> = new Set(['!', '-', '+', '~', '++', '--']);

/** A value may end with it, so that an operator may follow. */
export function endsOperand(token: Token | undefined): boolean {
  switch (token?.kind) {
    case undefined:
      return false;
    case 'word':
      return token.member || !operatorWords.has(token.text);
    case 'template':
      return token.text === '`';
    case 'mark':
      return (
        token.text === ')' || token.text === ']' || token.text === '}' || token.text === '++' || token.text === '--'
      );
    default:
      return true;
  }
}

/** A value may begin with it, and nothing else does. */
export function startsOperand(token: Token | undefined): boolean {
  switch (token?.kind) {
    case undefined:
      return false;
    case 'word':
      return token.text !== 'in' && token.text !== 'instanceof';
    case 'mark':
      return token.text === '(' || token.text === '[' || token.text === '{' || token.text === '!' || token.text === '~';
    default:
      return true;
  }
}

export function isPrefix(token: Token, before: Token | undefined): boolean {
  if (token.kind === 'word') return !token.member && prefixWords.has(token.text);
  return token.kind === 'mark' && prefixMarks.has(token.text) && !endsOperand(before);
}
