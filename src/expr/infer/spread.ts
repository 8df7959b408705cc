/** `...value` in a list or in arguments. */
import type { Spread } from '../expression.ts';
import { type Context, report, whole } from './context.ts';
import { itemOf } from './member.ts';
import { needValue } from './missing.ts';
import { printValueType } from './print-value-type.ts';
import { anyValue, membersOf, type ValueType } from './value-type.ts';
import { subject } from './words.ts';

const iterable = new Set(['array', 'string', 'literal', 'any']);

/** The type of the items, after what cannot be spread has been reported. */
export function spreadItem(spread: Spread, context: Context): ValueType {
  return itemOf(spreadList(spread, context));
}

export function spreadList(spread: Spread, context: Context): ValueType {
  const { expression } = spread;
  const type = needValue(expression, whole(context.infer(expression)), '[]', context);
  if (membersOf(type).every(({ kind }) => iterable.has(kind))) return type;
  const record = membersOf(type).some(({ kind }) => kind === 'record');
  report(context, {
    code: 'TOO3262',
    start: expression.start,
    end: expression.end,
    message: `${subject(expression, context)} is ${printValueType(type)}, which is no list to spread`,
    ...(record && { help: 'Write "...Object.values(…)" for the values of a record.' }),
  });
  return anyValue;
}
