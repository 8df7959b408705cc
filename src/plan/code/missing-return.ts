/** Code that runs and gives nothing: nearly always a value without the word `return` before it. */
import type { BlockStatement, Statement } from 'acorn';
import { parseExpressionAt } from 'acorn';
import type { CodeProblem } from './problem.ts';
import { wrapCode } from './wrap.ts';

const help = 'Write "return" before the value of the step.';

/** `body` is absent when the text is no code; then only a bare object is told from other mistakes. */
export function missingReturn(text: string, body: BlockStatement | undefined): CodeProblem | undefined {
  const object = bareObject(text);
  if (object) return object;
  if (body === undefined) return undefined;
  const { shift } = wrapCode('');
  const last = body.body.at(-1);
  if (last === undefined) {
    return { code: 'TOO3306', start: 0, end: text.length, message: 'the code is empty: the step has no value', help };
  }
  if (last.type === 'ThrowStatement') return undefined;
  const start = last.start - shift;
  const end = last.end - shift;
  return {
    code: 'TOO3306',
    start,
    end,
    message: 'the code returns nothing, and the step needs a value',
    help,
    ...(isValue(last) && { replacement: `return ${text.slice(start, end)}` }),
  };
}

/** `{ a: 1, b: 2 }` is a block to JavaScript, and mostly a wrong one. */
function bareObject(text: string): CodeProblem | undefined {
  const start = text.search(/\S/);
  const end = text.trimEnd().length;
  if (
    start === -1 ||
    text[start] !== '{' ||
    text[end - 1] !== '}' ||
    !/^\{\s*(?:['"]|[\p{ID_Start}$_][\p{ID_Continue}$]*\s*[:,}]|\.\.\.)/u.test(text.slice(start, start + 200))
  )
    return undefined;
  try {
    if (parseExpressionAt(text, start, { ecmaVersion: 'latest', allowAwaitOutsideFunction: true }).end !== end)
      return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  return {
    code: 'TOO3306',
    start,
    end,
    message: 'an object without "return" before it: the step has no value',
    help,
    replacement: `return ${text.slice(start, end)}`,
  };
}

/** Whether the last statement may be what was meant to be returned. */
function isValue(statement: Statement | { type: string }): boolean {
  if (statement.type !== 'ExpressionStatement' || !('expression' in statement)) return false;
  const { expression } = statement;
  if (expression.type === 'AssignmentExpression' || expression.type === 'UpdateExpression') return false;
  const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return true;
  const { object } = call.callee;
  return !(object.type === 'Identifier' && object.name === 'console');
}
