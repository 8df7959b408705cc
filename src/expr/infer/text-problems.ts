/** What is wrong with printing a value in a text. */
import type { Expression, ExpressionProblem } from '../expression.ts';
import { membersOf, type ValueType } from './value-type.ts';

const none: readonly ExpressionProblem[] = [];

/** Only functions: records print as JSON, lists joined, and what is missing as nothing. */
export function textProblems(expression: Expression, type: ValueType): readonly ExpressionProblem[] {
  if (type.kind !== 'function' && type.kind !== 'union') return none;
  const members = membersOf(type).filter(({ kind }) => kind !== 'null' && kind !== 'undefined');
  if (members.length === 0 || !members.every(({ kind }) => kind === 'function')) return none;
  const [only] = members;
  const method = only?.kind === 'function' && only.call !== undefined && members.length === 1 ? only : undefined;
  const { start, end } = expression;
  if (method?.self === undefined || method.call?.params.some((param) => !param.optional)) {
    return [{ code: 'TOO3263', start, end, message: 'this is a function, and has no text', help: 'Call it.' }];
  }
  return [
    {
      code: 'TOO3263',
      start: end,
      end,
      message: `"${method.name ?? ''}" is a function, and has no text`,
      help: 'Write "()" after it to call it.',
      replacement: '()',
    },
  ];
}
