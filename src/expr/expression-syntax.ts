/** Acorn's errors in plain words, at the token they are about. */
import type { ExpressionProblem } from './expression.ts';
import { endsOperand, type Token } from './expression-token.ts';

export interface SyntaxContext {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly Token[];
  readonly condition: boolean;
}

/** `at` is where acorn stopped, in the offsets of the text. */
export function syntaxProblem(message: string, at: number, context: SyntaxContext): ExpressionProblem {
  const { tokens, text } = context;
  // Of a number acorn may name the place directly behind it.
  const index = tokenAt(tokens, /radix|Numeric/.test(message) ? at - 1 : at);
  const token = tokens[index];
  const before = tokens[index - 1];
  if (token === undefined) return endsEarly(context);
  const { start, end } = token;
  const malformed = (words: string, help: string): ExpressionProblem => {
    return { code: 'TOO3206', start, end, message: words, help };
  };
  const written = shorten(text.slice(start, end));
  if (token.kind === 'regexp') {
    const reason = message.startsWith('Invalid regular expression: ')
      ? message.slice(message.lastIndexOf(': ') + 2)
      : '';
    const why = reason === '' ? 'its flags are not known' : `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
    return malformed(`this is not a regular expression: ${why}`, 'Write it as in JavaScript: "/pattern/flags".');
  }
  if (message.startsWith('Identifier directly after number')) {
    const number = before?.kind === 'number' ? before : token;
    const words = `"${shorten(text.slice(number.start, end))}" is neither a number nor a name`;
    return { ...malformed(words, 'A name cannot begin with a digit; put text into quotes.'), start: number.start };
  }
  if (token.kind === 'number' && message !== 'Unexpected token') {
    return malformed(`"${written}" is not a number`, 'Write it with digits, and at most one point.');
  }
  if ((token.kind === 'string' || token.kind === 'template') && message !== 'Unexpected token') {
    return malformed(
      'a backslash in this string is followed by something it has no meaning for',
      'Write "\\\\" for a backslash.',
    );
  }
  const place = { code: 'TOO3202', start, end } as const;
  if (message.startsWith('Logical expressions and coalesce')) {
    const words = '"??" cannot stand beside "&&" or "||" without parentheses';
    return { ...place, message: words, help: 'Put one of the two into parentheses.' };
  }
  if (message.startsWith('Argument name clash')) {
    return { ...place, message: `two parameters are named "${written}"`, help: 'Give them different names.' };
  }
  if (/keyword|reserved/.test(message)) {
    const words = `"${written}" is a word of JavaScript and cannot be a name`;
    return { ...place, message: words, help: 'Give it another name.' };
  }
  if (/rvalue|pattern|Parenthesized|Binding/i.test(message)) {
    const words = 'what stands before "=>" is not a list of parameters';
    return { ...place, message: words, help: 'Write "x => …" or "(x, y) => …"; to compare write ">=".' };
  }
  const help = unexpectedHelp(token, before, tokens[index + 1], context);
  return { ...place, message: `unexpected "${written}"`, ...(help !== undefined && { help }) };
}

/** Words side by side, three of them at least, with nothing of an expression between them. */
export function isProse(tokens: readonly Token[]): boolean {
  let words = 0;
  for (const token of tokens) {
    if (token.kind === 'word' && !token.member) words++;
    else if (token.kind !== 'mark' || !sentenceMarks.has(token.text)) return false;
  }
  const isBeside = (token: Token, index: number) => token.kind === 'word' && tokens[index + 1]?.kind === 'word';
  return words > 2 && tokens.filter(isBeside).length > 1;
}

const sentenceMarks: ReadonlySet<string> = new Set([',', '.', '?', '!', ':', ';', '-']);

export function prose({ tokens, start, end, condition }: SyntaxContext): ExpressionProblem {
  return {
    code: 'TOO3202',
    start: tokens[0]?.start ?? start,
    end: tokens.at(-1)?.end ?? end,
    message: `these words are no ${condition ? 'condition' : 'expression'}`,
    help: condition ? 'Write a comparison, such as "{input.topic} === \'\'".' : 'Write one, such as "input.name".',
  };
}

export function missing(start: number, end: number): ExpressionProblem {
  return {
    code: 'TOO3201',
    start,
    end,
    message: 'there is no expression here',
    help: 'Write one, such as "input.name".',
  };
}

function endsEarly({ tokens, start, end }: SyntaxContext): ExpressionProblem {
  const last = tokens.at(-1);
  if (last === undefined) return missing(start, end);
  const place = { code: 'TOO3202', start: last.start, end: last.end } as const;
  const choice = tokens.some((token) => token.kind === 'mark' && token.text === '?');
  const help = choice ? 'A choice is written "test ? one : other".' : 'Write the rest of it.';
  return {
    ...place,
    message: `the expression ends too early: something is missing behind "${shorten(last.text)}"`,
    help,
  };
}

function unexpectedHelp(
  token: Token,
  before: Token | undefined,
  next: Token | undefined,
  context: SyntaxContext,
): string | undefined {
  if (token.text === ':' && context.condition)
    return 'In a condition braces read as parentheses: there are no records.';
  if (token.text === '**') return 'Put the part before it into parentheses.';
  if (token.text === '=>') return 'Write "x => …" or "(x, y) => …"; to compare write ">=".';
  if (token.text === ')' && before?.text === '(') return 'Write an expression between the parentheses.';
  if (token.text === '?' || token.text === ':') return 'A choice is written "test ? one : other".';
  if (endsOperand(before) && (token.kind !== 'mark' || token.text === '{' || token.text === '[')) {
    return 'An operator is missing before it.';
  }
  if (token.kind === 'mark' && !endsOperand(before)) return 'A value is missing before it.';
  return next === undefined ? 'Take it out.' : undefined;
}

/** The index of the token at `at`, or of the first behind it. */
function tokenAt(tokens: readonly Token[], at: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.end ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}
