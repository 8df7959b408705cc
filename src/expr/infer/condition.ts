/** Conditions that decide nothing, because every object and every list counts as true. */
import type { Expression } from '../expression.ts';
import { type Context, report } from './context.ts';
import { printValueType } from './print-value-type.ts';
import { membersOf, type ValueType } from './value-type.ts';
import { subject } from './words.ts';

export function alwaysTrue(expression: Expression, type: ValueType, context: Context): void {
  // `a && list ? … : …` guards something, and may be meant as it is.
  if (expression.kind === 'logical' || expression.kind === 'sequence') return;
  const members = membersOf(type);
  if (members.length === 0) return;
  if (!members.every(({ kind }) => kind === 'record' || kind === 'array' || kind === 'function')) return;
  const listed = members.every(({ kind }) => kind === 'array');
  const text = context.text?.slice(expression.start, expression.end);
  const simple = expression.kind === 'name' || expression.kind === 'member' || expression.kind === 'call';
  report(context, {
    code: 'TOO3260',
    start: expression.start,
    end: expression.end,
    message: `this condition is always true: ${subject(expression, context)} is ${printValueType(type)}${listed ? ', and an empty list counts as true' : ''}`,
    ...(listed && { help: 'Write ".length > 0" to ask whether it has items.' }),
    ...(listed && simple && text !== undefined && { replacement: `${text}.length > 0` }),
  });
}
