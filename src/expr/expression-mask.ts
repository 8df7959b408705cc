/**
 * What acorn is given instead of the text: equally long, so that offsets stay. Mistakes that the tokens show are
 * reported here and changed into something that can be read, so that one does not hide the next.
 */
import type { ExpressionProblem } from './expression.ts';
import { closers } from './expression-scan.ts';
import { type Change, endsOperand, type Scan, startsOperand, type Token } from './expression-token.ts';

export interface Masked {
  readonly problems: readonly ExpressionProblem[];
  /** Missing where it makes no sense to read on. */
  readonly code?: string;
  /** What it says is not what was meant: it only shows what else is wrong. */
  readonly garbled?: boolean;
}

interface MaskState {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly condition: boolean;
  readonly problems: ExpressionProblem[];
  readonly changes: Change[];
  /** For each open bracket, whether `=` in it gives a parameter of an arrow its default. */
  readonly defaults: boolean[];
  /** Tokens that are dealt with. */
  readonly done: Set<number>;
  garbled: boolean;
}

const statements = new Set(
  'if else for while do switch case default return throw try catch finally var const let break continue debugger with export enum'.split(
    ' ',
  ),
);
const functions = new Set(['function', 'class', 'extends']);
const spelled: ReadonlyMap<string, string> = new Map([
  ['and', '&&'],
  ['AND', '&&'],
  ['or', '||'],
  ['OR', '||'],
  ['is', '=='],
  ['eq', '=='],
]);

export function maskExpression(text: string, start: number, end: number, scan: Scan, condition: boolean): Masked {
  const { tokens } = scan;
  const problems = [...scan.problems];
  const changes = [...scan.changes];
  const state: MaskState = {
    text,
    tokens,
    condition,
    problems,
    changes,
    defaults: [false],
    done: new Set(),
    garbled: false,
  };
  // What follows a statement or a block is no expression either.
  const readable = tokens.every((token, index) => state.done.has(index) || check(state, index, token));
  if (readable && !scan.broken) return { problems, code: apply(text, start, end, changes) };
  // What could not be read may be why these are wrong.
  const own = problems.slice(scan.problems.length).map(({ replacement: _, ...problem }) => problem);
  return { problems: [...scan.problems, ...own] };
}

/** False if there is no reading on. */
function check(state: MaskState, index: number, token: Token): boolean {
  if (token.kind === 'word') return token.member || checkWord(state, index, token);
  if (token.kind === 'mark') return checkMark(state, index, token);
  if (token.kind === 'template') {
    // A piece closes the hole before it and opens the one behind it.
    if (state.text[token.start] === '}' && state.defaults.length > 1) state.defaults.pop();
    if (token.text === '${') state.defaults.push(false);
  }
  return true;
}

function checkWord(state: MaskState, index: number, token: Token): boolean {
  const { tokens } = state;
  const before = tokens[index - 1];
  const next = tokens[index + 1];
  const { start, end, text } = token;
  if (isMark(next, ':')) return true;
  // A word that was taken for an operator is no value.
  const behindValue = endsOperand(before) && !state.done.has(index - 1);
  if (functions.has(text)) {
    const message = `"${text}" has no place in an expression: it only computes a value`;
    const help = 'Write an arrow such as "x => x.name" as an argument, or use "run" or "handler" for code.';
    state.problems.push({ code: 'TOO3213', start, end, message, help });
    return false;
  }
  if (statements.has(text) && (text !== 'let' || next?.kind === 'word')) {
    const message = `"${text}" begins a statement, and an expression only computes a value`;
    const help = statementHelp(text);
    state.problems.push({ code: 'TOO3212', start, end, message, help });
    return false;
  }
  if (text === 'import' || text === 'super') {
    const message = `"${text}" is left out: an expression sees only the values of the workflow`;
    state.problems.push({ code: 'TOO3215', start, end, message, help: 'Use "run" or "handler" for code.' });
    return false;
  }
  if ((text === 'await' || text === 'yield') && startsOperand(next)) {
    const to = behindBlanks(state.text, end);
    const message = `"${text}" is left out: every value is already there when an expression is computed`;
    const place = { code: 'TOO3215', start, end: to, message } as const;
    const replacement = before?.end === start ? ' ' : '';
    state.problems.push({ ...place, help: 'Take it out.', ...(!behindValue && { replacement }) });
    state.changes.push({ start, text: ' '.repeat(to - start) });
    return true;
  }
  const mark = spelled.get(text);
  if (mark !== undefined && behindValue && startsOperand(next)) {
    state.done.add(index);
    const replacement = mark === '==' ? '===' : mark;
    const message = `"${text}" is not an operator`;
    state.problems.push({ code: 'TOO3202', start, end, message, help: `Write "${replacement}".`, replacement });
    state.changes.push({ start, text: mark.padEnd(end - start) });
  } else if (text === 'not' && !behindValue && next?.kind === 'word') {
    state.done.add(index);
    const message = '"not" is not an operator';
    const to = behindBlanks(state.text, end);
    state.problems.push({ code: 'TOO3202', start, end: to, message, help: 'Write "!".', replacement: '!' });
    state.changes.push({ start, text: '!'.padEnd(end - start) });
  }
  return true;
}

function behindBlanks(text: string, at: number): number {
  let to = at;
  while (text[to] === ' ') to++;
  return to;
}

function statementHelp(word: string): string {
  if (word === 'if' || word === 'else') return 'Write "test ? one : other".';
  if (word === 'return') return 'Write only what it returns.';
  if (word === 'let' || word === 'const' || word === 'var') return 'Write the value where it is used.';
  if (word === 'for' || word === 'while') return 'Use a method such as "items.map(item => …)".';
  return 'Use "run" or "handler" for code.';
}

function checkMark(state: MaskState, index: number, token: Token): boolean {
  const { tokens, condition, defaults } = state;
  const next = tokens[index + 1];
  const { start, end, text } = token;
  switch (text) {
    case '(':
    case '[':
    case '{':
      return openBracket(state, index, token);
    case ')':
    case ']':
    case '}':
      if (defaults.length > 1) defaults.pop();
      closeBracket(state, token);
      return condition || !isMark(next, '{') || !isMark(tokens[token.mate], '(') || methodBody(state, next);
    case '=>':
      return condition || !isMark(next, '{') || block(state, index + 1, next);
    case ';':
      semicolon(state, index, token);
      return true;
    case '++':
    case '--':
      step(state, index, token);
      return true;
    case '=':
      if (defaults.at(-1) === true) return true;
      state.problems.push({
        code: 'TOO3211',
        start,
        end,
        message: 'an expression cannot assign. Did you mean "==="?',
        help: 'Write "===" to compare.',
        ...(standsFree(state, index, '===') && { replacement: '===' }),
      });
      // An operator that becomes no other by what stands behind it.
      state.changes.push({ start, text: '%' });
      return true;
    default:
      if (text.endsWith('=') && compound.has(text)) compoundAssignment(state, index, token);
      return true;
  }
}

const compound = new Set('+= -= *= /= %= **= <<= >>= >>>= &= |= ^= &&= ||= ??='.split(' '));

function compoundAssignment(state: MaskState, index: number, token: Token): void {
  const { start, end, text } = token;
  const op = text.slice(0, -1);
  // The others have rules of their own on what may stand beside them.
  const replaceable = op !== '**' && op !== '&&' && op !== '||' && op !== '??' && standsFree(state, index, op);
  const message = `an expression cannot assign with "${text}"`;
  const help = `Write "${op}" to compute the value.`;
  state.problems.push({ code: 'TOO3211', start, end, message, help, ...(replaceable && { replacement: op }) });
  state.changes.push({ start, text: '%'.padEnd(end - start) });
}

/** Whether an operator put there has a value before it, and does not become a part of what it touches. */
function standsFree({ text, tokens }: MaskState, index: number, op: string): boolean {
  const next = text[tokens[index]?.end ?? 0] ?? '';
  const before = tokens[index - 1];
  return (
    endsOperand(before) &&
    before?.text !== '++' &&
    before?.text !== '--' &&
    next !== '=' &&
    next !== op.at(-1) &&
    `${op}${next}` !== '/*'
  );
}

function openBracket(state: MaskState, index: number, token: Token): boolean {
  const { tokens, condition, defaults } = state;
  const { start, text, mate } = token;
  const next = tokens[index + 1];
  const group = text === '(' || (condition && text === '{');
  defaults.push(group ? mate >= 0 && isMark(tokens[mate + 1], '=>') : defaults.at(-1) === true);
  if (!condition || text !== '{') return true;
  state.changes.push({ start, text: '(' });
  if (endsOperand(tokens[index - 1]) && !state.done.has(index - 1)) {
    // As parentheses they would call what stands before them.
    const place = { code: 'TOO3202', start, end: token.end } as const;
    state.problems.push({ ...place, message: 'unexpected "{"', help: 'An operator is missing before it.' });
    state.garbled = true;
  }
  if (next === undefined || mate !== index + 1) return true;
  const message = 'there is nothing between these braces';
  state.problems.push({ code: 'TOO3201', start, end: next.end, message, help: 'Write an expression there.' });
  return false;
}

/** Braces of a condition become parentheses, and a closing bracket becomes the one that fits. */
function closeBracket({ tokens, condition, changes }: MaskState, { start, text, mate }: Token): void {
  const opener = mate < 0 ? undefined : tokens[mate]?.text;
  if (opener !== '(' && opener !== '[' && opener !== '{') return;
  const closer = condition && opener === '{' ? ')' : closers[opener];
  if (closer !== text) changes.push({ start, text: closer });
}

function methodBody(state: MaskState, { start, end }: Token): boolean {
  const message = 'a block of code has no place in an expression';
  const help = 'Write only values: "key: value" in a record; use "run" or "handler" for code.';
  state.problems.push({ code: 'TOO3213', start, end, message, help });
  return false;
}

/** The block of an arrow. One that only returns is read as what it returns. */
function block(state: MaskState, index: number, open: Token): boolean {
  const { text, tokens } = state;
  const { mate } = open;
  const close = tokens[mate];
  const first = tokens[index + 1];
  const message = 'an arrow gives back one expression, not a block of code';
  if (close !== undefined && first?.text === 'return' && first.kind === 'word') {
    let last = mate - 1;
    while (isMark(tokens[last], ';')) last--;
    if (last > index + 1 && !tokens.slice(index + 2, last + 1).some((token) => isMark(token, ';'))) {
      const from = first.end;
      const to = tokens[last]?.end ?? from;
      const place = { code: 'TOO3213', start: open.start, end: close.end, message } as const;
      const replacement = `(${text.slice(from, to).trim()})`;
      state.problems.push({ ...place, help: 'Write what it returns directly behind "=>".', replacement });
      const inside = text.slice(open.start + 1, from).replace(/\S/g, ' ');
      state.changes.push({ start: open.start, text: `(${inside}` }, { start: close.start, text: ')' });
      for (let i = last + 1; i < mate; i++) state.changes.push({ start: tokens[i]?.start ?? 0, text: ' ' });
      for (const i of [index, index + 1, mate]) state.done.add(i);
      for (let i = last + 1; i < mate; i++) state.done.add(i);
      return true;
    }
  }
  const record = isMark(tokens[index + 2], ':') || first === close;
  const help = record ? 'For a record write "=> ({ … })".' : 'Write the value directly behind "=>".';
  state.problems.push({ code: 'TOO3213', start: open.start, end: open.end, message, help });
  return false;
}

function semicolon(state: MaskState, index: number, { start, end }: Token): void {
  const { tokens } = state;
  const next = tokens[index + 1];
  const last = next === undefined || isMark(next, ')', ']', '}');
  const place = { code: 'TOO3212', start, end } as const;
  if (last) {
    const message = 'an expression does not end with ";"';
    const alone = !endsOperand(tokens[index - 1]);
    state.problems.push({ ...place, message, help: 'Take it out.', ...(!alone && { replacement: '' }) });
  } else {
    const message = '";" separates statements, and this is one expression';
    state.problems.push({ ...place, message, help: 'Write one expression, or use "run" or "handler" for code.' });
  }
  state.changes.push({ start, text: last || isMark(next, ';') || !endsOperand(tokens[index - 1]) ? ' ' : ',' });
}

function step(state: MaskState, index: number, { start, end, text }: Token): void {
  const { tokens } = state;
  const sign = text[0] ?? '';
  const message = `an expression cannot assign with "${text}"`;
  const help = `Write "${sign} 1" behind the value to compute the ${sign === '+' ? 'next' : 'previous'} number.`;
  state.problems.push({ code: 'TOO3211', start, end, message, help });
  state.changes.push({ start, text: startsOperand(tokens[index + 1]) ? `${sign} ` : '  ' });
}

function isMark(token: Token | undefined, ...texts: readonly string[]): token is Token & { readonly kind: 'mark' } {
  return token?.kind === 'mark' && texts.includes(token.text);
}

function apply(text: string, start: number, end: number, changes: Change[]): string {
  let code = '';
  let at = start;
  for (const change of changes.sort((a, b) => a.start - b.start)) {
    code += text.slice(at, change.start) + change.text;
    at = change.start + change.text.length;
  }
  return code + text.slice(at, end);
}
