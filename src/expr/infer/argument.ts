/** Whether an argument can be meant, and what to say when it cannot. */
import { closest, didYouMean } from '../../text/index.ts';
import type { Expression } from '../expression.ts';
import { neverEqual, noNumber } from './compare.ts';
import { type Context, report } from './context.ts';
import { itemOf } from './member.ts';
import { needValue } from './missing.ts';
import { printValueType } from './print-value-type.ts';
import { isCallback, type Want } from './signature.ts';
import { isNullish, keep, membersOf, type ValueType } from './value-type.ts';
import { quote, subject } from './words.ts';

export interface ArgumentCheck {
  readonly node: Expression;
  readonly type: ValueType;
  readonly want: Want;
  readonly optional: boolean;
  /** Of the method. */
  readonly name: string;
  readonly self: ValueType;
}

const wrongKinds: Readonly<Partial<Record<Want, readonly string[]>>> = {
  string: ['record', 'array', 'function', 'regexp'],
  pattern: ['record', 'array', 'function', 'date'],
  'global-pattern': ['record', 'array', 'function', 'date'],
  replacer: ['record', 'array', 'regexp'],
  object: ['number', 'boolean'],
  list: ['number', 'boolean', 'record', 'date', 'regexp', 'function'],
};

const wanted: Readonly<Partial<Record<Want, string>>> = {
  string: 'a text',
  number: 'a number',
  pattern: 'a text or a regular expression',
  'global-pattern': 'a text or a regular expression',
  replacer: 'a text or a function',
  object: 'an object or a list',
  list: 'a list',
};

export function wrongArgument(check: ArgumentCheck, context: Context): void {
  const { node, want, name } = check;
  const { start, end } = node;
  if (want === 'object' || want === 'list') needValue(node, check.type, want === 'list' ? '[]' : '{}', context);
  if (want === 'item') {
    neverAmongItems(check, context);
    return;
  }
  if (want === 'global-pattern' && node.kind === 'regexp' && !node.flags.includes('g')) {
    const text = context.text?.slice(start, end);
    report(context, {
      code: 'TOO3257',
      start,
      end,
      message: `${name} needs a regular expression with the flag "g"`,
      ...(text !== undefined && { replacement: `${text}g` }),
    });
    return;
  }
  if (!isWrong(check)) return;
  const method = isCallback(want) && membersOf(check.type).find(({ kind }) => kind === 'function');
  if (method) {
    report(context, {
      code: 'TOO3257',
      start,
      end,
      message: `${subject(node, context)} is a method, and ${name} would call it without its value`,
      help: `Write "x => x.${method.kind === 'function' ? method.name : ''}()".`,
    });
    return;
  }
  const text = context.text?.slice(start, end);
  // `Math.max(scores)` is the one mistake of this kind that everybody makes.
  const spread = want === 'number' && check.optional && membersOf(check.type).every(({ kind }) => kind === 'array');
  report(context, {
    code: 'TOO3257',
    start,
    end,
    message: `${name} takes ${wanted[want] ?? 'a function'} here, and ${subject(node, context)} is ${printValueType(check.type)}`,
    ...(spread &&
      text !== undefined && { help: 'Write "..." before a list to pass its items.', replacement: `...${text}` }),
    ...(isCallback(want) && { help: 'Write an arrow function, such as "x => x.name".' }),
  });
}

function isWrong({ type, want, optional }: ArgumentCheck): boolean {
  const members = membersOf(type);
  if (members.length === 0 || want === 'any') return false;
  if (isCallback(want)) {
    return members.some((member) => {
      // A method that is named without its value has lost it.
      if (member.kind === 'function') return member.self !== undefined && member.self.kind !== 'function';
      return member.kind !== 'any' && !(optional && member.kind === 'undefined');
    });
  }
  const there = keep(type, (member) => !isNullish(member));
  if (there.kind === 'never') return !optional && want !== 'boolean' && want !== 'object' && want !== 'list';
  if (want === 'number') return noNumber(there);
  const wrong = wrongKinds[want];
  if (wrong === undefined) return false;
  // A regular expression throws where a text is wanted, and so does a list that is none.
  return membersOf(there).every(({ kind }) => wrong.includes(kind));
}

/** `levels.includes("okk")` */
function neverAmongItems({ node, type, name, self }: ArgumentCheck, context: Context): void {
  const item = itemOf(self);
  if (!neverEqual(item, type, true)) return;
  const value = node.kind === 'literal' && typeof node.value === 'string' ? node.value : undefined;
  const known = membersOf(item).find((member) => member.kind === 'literal');
  const meant = value === undefined || known?.kind !== 'literal' ? undefined : closest(value, known.values);
  report(context, {
    code: 'TOO3259',
    start: node.start,
    end: node.end,
    message: `${name} never finds ${subject(node, context)} in a list of ${printValueType(item)}${
      meant === undefined ? '' : `.${didYouMean(meant)}`
    }`,
    ...(meant !== undefined && { replacement: quote(meant, node, context) }),
  });
}
