/** The operators on two values that are already there, and on one. */
import type { BinaryOp, UnaryExpression } from '../expression.ts';
import { compare, concat, isTruthy, looseEquals, strictEquals, toKey, toNumber, toPrimitive } from './convert.ts';
import { fail } from './failure.ts';
import { hasProperty } from './property.ts';
import { describe, isFunction, type Runtime } from './value.ts';

export function binary(rt: Runtime, op: BinaryOp, left: unknown, right: unknown): unknown {
  switch (op) {
    case '+':
      return add(rt, left, right);
    case '===':
      return strictEquals(rt, left, right);
    case '!==':
      return !strictEquals(rt, left, right);
    case '==':
      return looseEquals(rt, left, right);
    case '!=':
      return !looseEquals(rt, left, right);
    case '<':
      return compare(rt, left, right) < 0;
    case '>':
      return compare(rt, left, right) > 0;
    case '<=':
      return compare(rt, left, right) <= 0;
    case '>=':
      return compare(rt, left, right) >= 0;
    case 'in':
      if (typeof right === 'object' && right !== null) return hasProperty(right, toKey(rt, left));
      return fail('TOO6106', `"in" needs an object or an array on its right, not ${describe(right)}`);
    default:
      return arithmetic(op, toNumber(rt, left), toNumber(rt, right));
  }
}

export function unary(rt: Runtime, op: UnaryExpression['op'], value: unknown): unknown {
  switch (op) {
    case '!':
      return !isTruthy(value);
    case '-':
      return -toNumber(rt, value);
    case '+':
      return toNumber(rt, value);
    case '~':
      return ~toNumber(rt, value);
    case 'void':
      return undefined;
    case 'typeof':
      if (isFunction(value)) return value.invoke ? 'function' : 'object';
      return typeof value;
  }
}

function add(rt: Runtime, left: unknown, right: unknown): unknown {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  const a = toPrimitive(rt, left, 'default');
  const b = toPrimitive(rt, right, 'default');
  if (typeof a === 'string' || typeof b === 'string') return concat(rt, String(a), String(b));
  return toNumber(rt, a) + toNumber(rt, b);
}

type ArithmeticOp = Exclude<BinaryOp, '+' | '===' | '!==' | '==' | '!=' | '<' | '>' | '<=' | '>=' | 'in'>;

function arithmetic(op: ArithmeticOp, a: number, b: number): number {
  switch (op) {
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
    case '**':
      return a ** b;
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '<<':
      return a << b;
    case '>>':
      return a >> b;
    case '>>>':
      return a >>> b;
  }
}
