/**
 * Most expressions are made of paths, calls, literals and everyday operators. They are read here, without tokens and
 * without acorn, whose set-up alone takes longer than they do.
 * 1. What is read is the very tree that the whole parser gives, and nothing in it is to be reported.
 * 2. Whatever is not surely so is left to the whole parser: the answer is then undefined, and nothing has happened.
 * 3. An attempt looks at a bounded number of parts, so failed ones do not add up.
 */
import type { BinaryOp, Expression, LogicalExpression } from './expression.ts';
import type { HyphenNames } from './hyphen-names.ts';
import { isHiddenMember } from './left-out.ts';

interface Reader {
  readonly text: string;
  /** In a condition braces are parentheses. */
  readonly condition: boolean;
  readonly hyphens: HyphenNames | undefined;
  at: number;
  /** Where the last part ends. */
  last: number;
  parts: number;
  depth: number;
}

interface Operator {
  readonly op: BinaryOp | LogicalExpression['op'];
  readonly kind: 'binary' | 'logical';
  /** What binds tighter has more. */
  readonly rank: number;
}

const BLANK = 32;
const BANG = 33;
const DOUBLE_QUOTE = 34;
const DOLLAR = 36;
const AND = 38;
const QUOTE = 39;
const OPEN = 40;
const CLOSE = 41;
const TIMES = 42;
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const LESS = 60;
const EQUAL = 61;
const GREATER = 62;
const QUESTION = 63;
const BACKSLASH = 92;
const UNDERSCORE = 95;
const BRACE = 123;
const BAR = 124;
const END_BRACE = 125;

const mostParts = 100;
const mostDepth = 20;
const longestText = 500;

/** Words that are no name, or not everywhere. */
const words: ReadonlySet<string> = new Set(
  `await async break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public
  return static super switch this throw true try typeof var void while with yield arguments not and or is eq AND OR`
    .trim()
    .split(/\s+/),
);
const constants: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
]);

const or: Operator = { op: '||', kind: 'logical', rank: 1 };
const orElse: Operator = { op: '??', kind: 'logical', rank: 1 };
const and: Operator = { op: '&&', kind: 'logical', rank: 2 };
const plus: Operator = { op: '+', kind: 'binary', rank: 5 };
const minus: Operator = { op: '-', kind: 'binary', rank: 5 };
const times: Operator = { op: '*', kind: 'binary', rank: 6 };
const comparisons = {
  '==': { op: '==', kind: 'binary', rank: 3 },
  '===': { op: '===', kind: 'binary', rank: 3 },
  '!=': { op: '!=', kind: 'binary', rank: 3 },
  '!==': { op: '!==', kind: 'binary', rank: 3 },
  '<': { op: '<', kind: 'binary', rank: 4 },
  '<=': { op: '<=', kind: 'binary', rank: 4 },
  '>': { op: '>', kind: 'binary', rank: 4 },
  '>=': { op: '>=', kind: 'binary', rank: 4 },
} as const satisfies Record<string, Operator>;

/** The expression of the hole that begins at `start`, and where its `}` is. */
export function plainHole(
  text: string,
  start: number,
  hyphens: HyphenNames | undefined,
): { readonly expression: Expression; readonly end: number } | undefined {
  const reader: Reader = { text, condition: false, hyphens, at: start, last: start, parts: 0, depth: 0 };
  const expression = whole(reader);
  return expression !== undefined && codeAt(reader) === END_BRACE ? { expression, end: reader.at } : undefined;
}

/** The expression that the text from `start` to `end` is. */
export function plainExpression(
  text: string,
  start: number,
  end: number,
  hyphens: HyphenNames | undefined,
  condition: boolean,
): Expression | undefined {
  const reader: Reader = { text, condition, hyphens, at: start, last: start, parts: 0, depth: 0 };
  const expression = whole(reader);
  return reader.at === end ? expression : undefined;
}

/** With a choice, which binds loosest; the blanks behind it are read. */
function whole(r: Reader): Expression | undefined {
  if (++r.depth > mostDepth) return undefined;
  blanks(r);
  const start = r.at;
  const test = chain(r, 0);
  if (test === undefined) return undefined;
  if (codeAt(r) !== QUESTION) {
    r.depth--;
    return test;
  }
  const next = r.text.charCodeAt(r.at + 1);
  if (next === QUESTION || next === DOT) return undefined;
  r.at++;
  const then = whole(r);
  if (then === undefined || codeAt(r) !== COLON) return undefined;
  r.at++;
  const otherwise = whole(r);
  if (otherwise === undefined) return undefined;
  r.depth--;
  return { kind: 'conditional', start, end: r.last, test, then, else: otherwise };
}

/** Operands and the operators between them that bind tighter than `rank`. */
function chain(r: Reader, rank: number): Expression | undefined {
  const start = r.at;
  let left = operand(r);
  let above: Operator | undefined;
  while (left !== undefined) {
    blanks(r);
    const operator = operatorAt(r);
    if (operator === undefined || operator.rank <= rank) return left;
    // These two do not mix without parentheses.
    if (above !== undefined && (above === orElse) !== (operator === orElse) && operator.kind === 'logical')
      return undefined;
    above = operator.kind === 'logical' ? operator : above;
    r.at += operator.op.length;
    blanks(r);
    const right = chain(r, operator.rank);
    if (right === undefined || (operator.kind === 'logical' && mixes(operator, right, r))) return undefined;
    const end = r.last;
    left = { kind: operator.kind, start, end, op: operator.op, left, right } as Expression;
  }
  return undefined;
}

/** `a ?? b && c`, which JavaScript refuses, while `a ?? (b && c)` is fine. */
function mixes({ op }: Operator, right: Expression, r: Reader): boolean {
  return right.kind === 'logical' && (op === '??') !== (right.op === '??') && right.end === r.last;
}

function operand(r: Reader): Expression | undefined {
  if (++r.parts > mostParts) return undefined;
  const start = r.at;
  const code = r.text.charCodeAt(start);
  if (code === BANG || code === MINUS) {
    const next = r.text.charCodeAt(start + 1);
    if (next === EQUAL || next === MINUS || ++r.depth > mostDepth) return undefined;
    r.at++;
    blanks(r);
    const inner = operand(r);
    r.depth--;
    return inner && { kind: 'unary', start, end: r.last, op: code === BANG ? '!' : '-', operand: inner };
  }
  const value = first(r, code);
  return value && links(r, start, value);
}

/** What a path begins with. */
function first(r: Reader, code: number): Expression | undefined {
  if (code === QUOTE || code === DOUBLE_QUOTE) return string(r, code);
  if (code >= ZERO && code <= NINE) return number(r);
  if (code === OPEN || (code === BRACE && r.condition)) {
    r.at++;
    const inner = whole(r);
    if (codeAt(r) !== (code === OPEN ? CLOSE : END_BRACE)) return undefined;
    r.last = ++r.at;
    return inner;
  }
  return word(r);
}

/** The members and calls behind a value that begins at `start`. */
function links(r: Reader, start: number, value: Expression): Expression | undefined {
  let path: Expression | undefined = value;
  while (path !== undefined) {
    if (++r.parts > mostParts) return undefined;
    const code = codeAt(r);
    if (code === DOT) {
      const nameStart = r.at + 1;
      const end = wordEnd(r.text, nameStart);
      const name = r.text.slice(nameStart, end);
      if (end === nameStart || isHiddenMember(name)) return undefined;
      r.at = r.last = end;
      path = { kind: 'member', start, end, object: path, name, nameStart, optional: false };
    } else if (code === OPEN) {
      const callee: Expression = path;
      const args = list(r);
      path = args && { kind: 'call', start, end: r.last, callee, args, optional: false };
    } else return path;
  }
  return undefined;
}

/** The arguments of a call, from one parenthesis to the other. */
function list(r: Reader): Expression[] | undefined {
  const args: Expression[] = [];
  r.at++;
  blanks(r);
  while (args.length > 0 || codeAt(r) !== CLOSE) {
    const body = arrowAt(r);
    const argument = body === 0 ? whole(r) : arrow(r, body);
    if (argument === undefined) return undefined;
    args.push(argument);
    const code = codeAt(r);
    if (code === CLOSE) break;
    if (code !== COMMA) return undefined;
    r.at++;
    blanks(r);
  }
  r.last = ++r.at;
  return args;
}

/** `item => …` or `(item) => …`: the place behind the `=>`; 0 where it is something else. */
function arrowAt({ text, at: start }: Reader): number {
  const isOpen = text.charCodeAt(start) === OPEN;
  const nameStart = isOpen ? start + 1 : start;
  const nameEnd = wordEnd(text, nameStart);
  if (nameEnd === nameStart || (isOpen && text.charCodeAt(nameEnd) !== CLOSE)) return 0;
  let at = isOpen ? nameEnd + 1 : nameEnd;
  while (text.charCodeAt(at) === BLANK) at++;
  return text.charCodeAt(at) === EQUAL && text.charCodeAt(at + 1) === GREATER ? at + 2 : 0;
}

function arrow(r: Reader, bodyStart: number): Expression | undefined {
  const { text, at: start } = r;
  const nameStart = text.charCodeAt(start) === OPEN ? start + 1 : start;
  const nameEnd = wordEnd(text, nameStart);
  const name = text.slice(nameStart, nameEnd);
  if (words.has(name)) return undefined;
  r.at = bodyStart;
  const body = whole(r);
  const param = { kind: 'name-pattern', start: nameStart, end: nameEnd, name } as const;
  return body && { kind: 'arrow', start, end: r.last, params: [param], body };
}

function word(r: Reader): Expression | undefined {
  const { text, at: start, hyphens } = r;
  let end = wordEnd(text, start);
  if (end === start) return undefined;
  if (text.charCodeAt(end) === MINUS) end = hyphens?.(text, start, text.length) ?? end;
  const name = text.slice(start, end);
  r.at = r.last = end;
  if (!words.has(name)) return { kind: 'name', start, end, name };
  const value = constants.get(name);
  return value === undefined ? undefined : { kind: 'literal', start, end, value };
}

/** A text with the simplest escapes at most. */
function string(r: Reader, quote: number): Expression | undefined {
  const { text, at: start } = r;
  let read = '';
  let from = start + 1;
  for (let end = from; end < start + longestText; end++) {
    const code = text.charCodeAt(end);
    if (code === quote) {
      r.at = r.last = end + 1;
      return { kind: 'literal', start, end: end + 1, value: read + text.slice(from, end) };
    }
    if (code < BLANK || Number.isNaN(code)) return undefined;
    if (code !== BACKSLASH) continue;
    const meant = escapes.get(text.charAt(end + 1));
    if (meant === undefined) return undefined;
    read += text.slice(from, end) + meant;
    end++;
    from = end + 1;
  }
  return undefined;
}

/** `12` and `0.5`; not `012`, `1e3`, `1.` and `1_000`. */
function number(r: Reader): Expression | undefined {
  const { text, at: start } = r;
  let end = digitsEnd(text, start);
  if (text.charCodeAt(start) === ZERO && end > start + 1) return undefined;
  if (text.charCodeAt(end) === DOT) {
    const from = end + 1;
    end = digitsEnd(text, from);
    if (end === from) return undefined;
  }
  const next = text.charCodeAt(end);
  if (end - start > 15 || next === DOT || isLetter(next) || next > 127 || next === BACKSLASH) return undefined;
  r.at = r.last = end;
  return { kind: 'literal', start, end, value: Number(text.slice(start, end)) };
}

function operatorAt({ text, at }: Reader): Operator | undefined {
  const code = text.charCodeAt(at);
  const next = text.charCodeAt(at + 1);
  switch (code) {
    case AND:
    case BAR:
    case QUESTION:
      if (next !== code || text.charCodeAt(at + 2) === EQUAL) return undefined;
      return code === AND ? and : code === BAR ? or : orElse;
    case EQUAL:
      if (next !== EQUAL) return undefined;
      return text.charCodeAt(at + 2) === EQUAL ? comparisons['==='] : comparisons['=='];
    case BANG:
      if (next !== EQUAL) return undefined;
      return text.charCodeAt(at + 2) === EQUAL ? comparisons['!=='] : comparisons['!='];
    case LESS:
      // `<!--` begins a comment.
      if (next === LESS || next === BANG) return undefined;
      return next === EQUAL ? comparisons['<='] : comparisons['<'];
    case GREATER:
      if (next === GREATER) return undefined;
      return next === EQUAL ? comparisons['>='] : comparisons['>'];
    case PLUS:
    case MINUS:
    case TIMES:
      if (next === EQUAL || next === code) return undefined;
      return code === PLUS ? plus : code === MINUS ? minus : times;
    default:
      return undefined;
  }
}

function codeAt({ text, at }: Reader): number {
  return text.charCodeAt(at);
}

function blanks(r: Reader): void {
  while (r.text.charCodeAt(r.at) === BLANK) r.at++;
}

/** The end of the plain word at `at`; `at` where there is none. */
function wordEnd(text: string, at: number): number {
  let end = at;
  for (; ; end++) {
    const code = text.charCodeAt(end);
    if (isLetter(code) || (end > at && isDigit(code))) continue;
    // What follows may belong to the word in a way that only the parser knows.
    return code > 127 || code === BACKSLASH ? at : end;
  }
}

function digitsEnd(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === UNDERSCORE || code === DOLLAR;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}
