/** One type for values that may be of several: what unions are made with. */
import {
  type ArrayValue,
  anyValue,
  type LiteralValue,
  membersOf,
  neverValue,
  type RecordValue,
  undefinedValue,
  type ValueType,
} from './value-type.ts';

/** Beyond this many records or functions a union says nothing any more. */
const mostMembers = 16;
const mostLiterals = 1000;
const plain: ReadonlySet<ValueType['kind']> = new Set(['string', 'number', 'boolean', 'literal', 'array', 'record']);

export function unite(...types: readonly ValueType[]): ValueType {
  return uniteAll(types);
}

export function uniteAll(types: readonly ValueType[]): ValueType {
  const first = types[0];
  const second = types[1];
  if (first !== undefined && types.length === 1) return first;
  if (first !== undefined && second !== undefined && types.length === 2) {
    if (first === second || (first.kind === 'string' && second.kind === 'literal')) return first;
    if (first.kind === 'literal' && second.kind === 'string') return second;
  }
  const scalars = new Map<string, ValueType>();
  const literals: LiteralValue[] = [];
  const arrays: ArrayValue[] = [];
  const others: ValueType[] = [];
  for (const type of types) {
    for (const member of membersOf(type)) {
      if (member.kind === 'any') return anyValue;
      if (member.kind === 'literal') {
        if (scalars.has('string')) continue;
        if (!literals.includes(member)) literals.push(member);
        if (literals.length > mostLiterals) scalars.set('string', { kind: 'string' });
      } else if (member.kind === 'array') {
        if (!arrays.includes(member)) arrays.push(member);
        if (arrays.length > mostMembers) arrays.splice(0, arrays.length, mergeArrays(arrays));
      } else if (member.kind === 'record' || member.kind === 'function') {
        if (!others.some((other) => sameType(other, member))) others.push(member);
        if (others.length > mostMembers) return anyValue;
      } else scalars.set(member.kind, member);
    }
  }
  const members: ValueType[] = [];
  if (literals.length > 0 && !scalars.has('string')) members.push(mergeLiterals(literals));
  for (const scalar of scalars.values()) if (!isNothing(scalar)) members.push(scalar);
  if (arrays.length > 0) members.push(mergeArrays(arrays));
  for (const other of others) members.push(other);
  for (const scalar of scalars.values()) if (isNothing(scalar)) members.push(scalar);
  const [only] = members;
  if (only === undefined) return neverValue;
  return members.length === 1 ? only : { kind: 'union', members };
}

export function orUndefined(type: ValueType): ValueType {
  if (plain.has(type.kind)) return { kind: 'union', members: [type, undefinedValue] };
  return uniteAll([type, undefinedValue]);
}

/** Says "different" when it would have to look too long. */
export function sameType(a: ValueType, b: ValueType): boolean {
  let budget = 200;
  const same = (x: ValueType, y: ValueType): boolean => {
    if (x === y) return true;
    if (budget-- <= 0 || x.kind !== y.kind) return false;
    if (x.kind === 'literal' && y.kind === 'literal') {
      return x.values.length === y.values.length && x.values.every((value, i) => value === y.values[i]);
    }
    if (x.kind === 'array' && y.kind === 'array') return same(x.item, y.item) && sameAll(x.tuple, y.tuple);
    if (x.kind === 'record' && y.kind === 'record') return sameFields(x, y);
    if (x.kind === 'union' && y.kind === 'union') return sameAll(x.members, y.members);
    return x.kind !== 'function';
  };
  const sameAll = (x: readonly ValueType[] | undefined, y: readonly ValueType[] | undefined): boolean => {
    if (x === undefined || y === undefined) return x === y;
    return x.length === y.length && x.every((type, i) => same(type, y[i] ?? neverValue));
  };
  const sameFields = (x: RecordValue, y: RecordValue): boolean => {
    if (x.name !== y.name || x.open !== y.open || x.fields.size !== y.fields.size) return false;
    for (const [name, field] of x.fields) {
      const other = y.fields.get(name);
      if (other === undefined || other.optional !== field.optional || !same(field.type, other.type)) return false;
    }
    return true;
  };
  return same(a, b);
}

function isNothing(type: ValueType): boolean {
  return type.kind === 'null' || type.kind === 'undefined';
}

function mergeLiterals(literals: readonly LiteralValue[]): ValueType {
  const [only] = literals;
  if (only !== undefined && literals.length === 1) return only;
  const values = new Set<string>();
  for (const literal of literals) {
    for (const value of literal.values) values.add(value);
    if (values.size > mostLiterals) return { kind: 'string' };
  }
  return { kind: 'literal', values: [...values] };
}

function mergeArrays(arrays: readonly ArrayValue[]): ArrayValue {
  const [first] = arrays;
  if (first === undefined) return { kind: 'array', item: neverValue };
  if (arrays.length === 1) return first;
  const tuple = first.tuple?.map((_, i) => arrays.map((array) => array.tuple?.[i]));
  const even = tuple !== undefined && arrays.every((array) => array.tuple?.length === tuple.length);
  return {
    kind: 'array',
    item: uniteAll(arrays.map((array) => array.item)),
    ...(even && { tuple: tuple.map((types) => uniteAll(types.map((type) => type ?? anyValue))) }),
    ...(arrays.some((array) => array.match) && { match: true }),
  };
}
