/**
 * Text to expression. It never throws: what is wrong is reported, in the offsets of the text. An expression with
 * problems is there to be looked at for others, and cannot be computed: what was refused in it has no name.
 */
import * as acorn from 'acorn';
import type { Expression, ExpressionProblem } from './expression.ts';
import { convertExpression } from './expression-convert.ts';
import { maskExpression } from './expression-mask.ts';
import { scanExpression } from './expression-scan.ts';
import { isProse, missing, prose, syntaxProblem } from './expression-syntax.ts';
import type { Scan } from './expression-token.ts';
import { hyphenNames, type Ids } from './hyphen-names.ts';
import { plainExpression } from './plain-expression.ts';

export interface ParsedExpression {
  readonly expression?: Expression;
  /** In the order of their places. */
  readonly problems: readonly ExpressionProblem[];
}

export interface ParseOptions {
  readonly start?: number;
  readonly end?: number;
  /** The ids that may be read: one with hyphens is one name. */
  readonly names?: Ids;
}

const acornOptions: acorn.Options = {
  ecmaVersion: 2024,
  sourceType: 'script',
  preserveParens: true,
  allowHashBang: false,
};

export function parseExpression(text: string, options: ParseOptions = {}): ParsedExpression {
  return parseText(text, options, false);
}

/** `until`, `skipIf`, `condition`: one expression in which `{` and `}` read as parentheses. */
export function parseCondition(text: string, options: ParseOptions = {}): ParsedExpression {
  return parseText(text, options, true);
}

/** Parses what was scanned already, from `start` to where the scan ended. */
export function parseScanned(text: string, start: number, scan: Scan, condition: boolean): ParsedExpression {
  const { tokens, end } = scan;
  if (!scan.broken && tokens.every((token) => token.text === ';')) return { problems: [missing(start, end)] };
  const { problems, code, garbled } = maskExpression(text, start, end, scan, condition);
  if (code === undefined) return { problems: inOrder(problems) };
  const context = { text, start, end, tokens, condition };
  const tree = readTree(code);
  if (tree instanceof SyntaxError) {
    const at = (tree as SyntaxError & { readonly pos?: number }).pos ?? 0;
    const message = tree.message.replace(/ \(\d+:\d+\)$/, '');
    if (isProse(tokens)) return { problems: [prose(context)] };
    return { problems: inOrder([...problems, syntaxProblem(message, start + at, context)]) };
  }
  const found = [...problems];
  const expression = convertExpression(tree, found, text, start);
  // A token that was changed into nothing, such as `;` at the end, is reported already.
  const rest = tokens.find((token) => token.end > start + tree.end && code[token.start - start] !== ' ');
  if (rest !== undefined) {
    if (isProse(tokens)) return { problems: [prose(context)] };
    return { problems: inOrder([...found, syntaxProblem('Unexpected token', rest.start, context)]) };
  }
  if (found.length === 0) return { expression, problems: [] };
  return { ...(!garbled && { expression: onlyToLookAt(expression) }), problems: inOrder(found) };
}

/** Begins with what has no name, so that computing it fails at once; it is of any type. */
function onlyToLookAt(expression: Expression): Expression {
  const { start, end } = expression;
  const nothing: Expression = { kind: 'name', start, end, name: '' };
  return { kind: 'sequence', start, end, expressions: [nothing, expression, nothing] };
}

function parseText(text: string, options: ParseOptions, condition: boolean): ParsedExpression {
  const { start = 0, end = text.length, names } = options;
  const hyphens = names && hyphenNames(names);
  const plain = plainExpression(text, start, end, hyphens, condition);
  if (plain !== undefined) return { expression: plain, problems: [] };
  const scan = scanExpression(text, { start, end, hole: false, hyphens });
  return parseScanned(text, start, scan, condition);
}

function readTree(code: string): acorn.Expression | SyntaxError {
  try {
    return acorn.parseExpressionAt(code, 0, acornOptions);
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
}

function inOrder(problems: readonly ExpressionProblem[]): ExpressionProblem[] {
  return [...problems].sort((a, b) => a.start - b.start || a.end - b.end);
}
