/** Values that may not be there where one is needed. */
import type { Expression, IndexExpression, MemberExpression } from '../expression.ts';
import { type Context, report } from './context.ts';
import { isNullish, mayBeNullish, membersOf, type ValueType, withoutNullish } from './value-type.ts';
import { subject } from './words.ts';

/** Reports what reads a member of something that may be missing, and goes on as if it were there. */
export function readThrough(node: MemberExpression | IndexExpression, type: ValueType, context: Context): ValueType {
  if (!mayBeNullish(type)) return type;
  const at = node.kind === 'member' ? dotBefore(node.nameStart, context) : after(node.object, '[', context);
  report(context, {
    code: 'TOO3254',
    start: at,
    end: at + 1,
    message: `${subject(node.object, context)} ${mayBe(type)}, and reading ${reading(node)} of it would fail`,
    help: 'Write "?." to go on without it, or give another value with "??".',
    ...(sign(at, context) === (node.kind === 'member' ? '.' : '[') && {
      replacement: node.kind === 'member' ? '?.' : '?.[',
    }),
  });
  return withoutNullish(type);
}

/** Reports a value that may be missing where JavaScript throws without one. */
export function needValue(
  expression: Expression,
  type: ValueType,
  instead: string | undefined,
  context: Context,
): ValueType {
  if (!mayBeNullish(type)) return type;
  const { start, end } = expression;
  const text = context.text?.slice(start, end);
  const simple = expression.kind === 'name' || expression.kind === 'member' || expression.kind === 'chain';
  report(context, {
    code: 'TOO3254',
    start,
    end,
    message: `${subject(expression, context)} ${mayBe(type)}, and a value is needed here`,
    help: instead === undefined ? 'Give another value with "??".' : `Write "?? ${instead}" for the case without it.`,
    ...(simple && text !== undefined && instead !== undefined && { replacement: `(${text} ?? ${instead})` }),
  });
  return withoutNullish(type);
}

/** Reports a call of what may be missing. */
export function callThrough(callee: Expression, type: ValueType, context: Context): ValueType {
  if (!mayBeNullish(type)) return type;
  const at = after(callee, '(', context);
  report(context, {
    code: 'TOO3254',
    start: at,
    end: at + 1,
    message: `${subject(callee, context)} ${mayBe(type)}, and calling it would fail`,
    help: 'Write "?.(" to call it only when it is there.',
    ...(sign(at, context) === '(' && { replacement: '?.(' }),
  });
  return withoutNullish(type);
}

export function mayBe(type: ValueType): string {
  const nothing = membersOf(type)
    .filter(isNullish)
    .map(({ kind }) => kind);
  const surely = nothing.length === membersOf(type).length;
  return `${surely ? 'is' : 'may be'} ${nothing.join(' or ')}`;
}

function reading(node: MemberExpression | IndexExpression): string {
  if (node.kind === 'member') return `"${node.name}"`;
  return node.index.kind === 'literal' ? `[${String(node.index.value)}]` : 'an item';
}

/** The dot stands before the name, with blanks around it at most. */
function dotBefore(nameStart: number, context: Context): number {
  let at = nameStart - 1;
  while (at > 0 && /\s/.test(sign(at, context))) at--;
  return at;
}

/** The bracket stands after the value, with blanks and closing parentheses before it at most. */
function after(expression: Expression, bracket: string, context: Context): number {
  let at = expression.end;
  while (sign(at, context) !== bracket && /[\s)]/.test(sign(at, context))) at++;
  return at;
}

function sign(at: number, context: Context): string {
  return context.text?.charAt(at) ?? '';
}
