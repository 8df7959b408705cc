/** Comparisons that cannot be true, and values that are no numbers: said only where JavaScript leaves no doubt. */
import { typeofKind } from './narrow.ts';
import { membersOf, type ValueType } from './value-type.ts';

/** Whether no value of one type equals any of the other. Comparing with null or undefined is always allowed. */
export function neverEqual(a: ValueType, b: ValueType, strict: boolean): boolean {
  const left = membersOf(a);
  const right = membersOf(b);
  if (left.length === 0 || right.length === 0) return false;
  if ([a, b].some((type) => membersOf(type).every(({ kind }) => kind === 'null' || kind === 'undefined'))) return false;
  return left.every((x) => right.every((y) => neverSame(x, y, strict)));
}

/** Surely NaN, or surely not meant as a number. A text may hold one, unless it is written there. */
export function noNumber(type: ValueType): boolean {
  const members = membersOf(type);
  return members.length > 0 && members.every(noNumberKind);
}

function noNumberKind(type: ValueType): boolean {
  switch (type.kind) {
    case 'array':
    case 'record':
    case 'regexp':
    case 'function':
    case 'undefined':
      return true;
    case 'literal':
      return type.values.every((value) => Number.isNaN(Number(value)));
    default:
      return false;
  }
}

function neverSame(a: ValueType, b: ValueType, strict: boolean): boolean {
  if (a.kind === 'literal' && b.kind === 'literal') {
    const values = new Set(a.values);
    return !b.values.some((value) => values.has(value));
  }
  const left = typeofKind(a);
  const right = typeofKind(b);
  if (left === undefined || right === undefined) return false;
  if (left === right) {
    if (left !== 'object') return false;
    return (a.kind === 'null') !== (b.kind === 'null');
  }
  if (strict) return true;
  return neverCoerced(a, b) || neverCoerced(b, a);
}

/** `==` turns texts and booleans into numbers, and objects into texts. */
function neverCoerced(a: ValueType, b: ValueType): boolean {
  switch (a.kind) {
    case 'null':
    case 'undefined':
      return b.kind !== 'null' && b.kind !== 'undefined';
    case 'literal':
      return (b.kind === 'number' || b.kind === 'boolean') && noNumberKind(a);
    case 'record':
    case 'function':
    case 'regexp':
      return b.kind === 'number' || b.kind === 'boolean' || b.kind === 'string' || b.kind === 'literal';
    default:
      return false;
  }
}
