/**
 * The types of values inside expressions: those of the language, and what JavaScript adds to them.
 * 1. A struct becomes a record once, and its fields are looked at only when somebody asks: structs may hold themselves.
 *    The same struct of the same table is the same object, so walks can remember where they were.
 * 2. A union holds no union, no `any`, at most one array, at most one literal, and no literal beside `string`.
 */
import { jsonType, type StructType, structOf, type Type, type TypeTable } from '../../type/index.ts';
import type { Members, Signature } from './signature.ts';

export type ValueType =
  | AnyValue
  | NeverValue
  | ScalarValue
  | LiteralValue
  | ArrayValue
  | RecordValue
  | FunctionValue
  | UnionValue;

/** Json, or what nothing is known of: everything may be done with it. */
export interface AnyValue {
  readonly kind: 'any';
}

/** What cannot be: nothing is said about it either. */
export interface NeverValue {
  readonly kind: 'never';
}

export interface ScalarValue {
  readonly kind: 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'date' | 'regexp';
}

/** One of some texts. */
export interface LiteralValue {
  readonly kind: 'literal';
  readonly values: readonly string[];
}

export interface ArrayValue {
  readonly kind: 'array';
  readonly item: ValueType;
  /** The types of its items one by one, where they are known. */
  readonly tuple?: readonly ValueType[];
  /** What `match` and `exec` give has `index`, `input` and `groups` too. */
  readonly match?: true;
}

export interface RecordValue {
  readonly kind: 'record';
  readonly name?: string;
  readonly fields: ReadonlyMap<string, ValueField>;
  /** It may have fields that are not listed. */
  readonly open?: true;
}

export interface ValueField {
  readonly type: ValueType;
  readonly optional: boolean;
}

/** A function, or a global like `Math` that only has members. Without `call` and `members` nothing is known of it. */
export interface FunctionValue {
  readonly kind: 'function';
  readonly name?: string;
  readonly call?: Signature;
  readonly members?: Members;
  /** What a method was read from. */
  readonly self?: ValueType;
}

export interface UnionValue {
  readonly kind: 'union';
  readonly members: readonly ValueType[];
}

export const anyValue: AnyValue = { kind: 'any' };
export const neverValue: NeverValue = { kind: 'never' };
export const stringValue: ScalarValue = { kind: 'string' };
export const numberValue: ScalarValue = { kind: 'number' };
export const booleanValue: ScalarValue = { kind: 'boolean' };
export const nullValue: ScalarValue = { kind: 'null' };
export const undefinedValue: ScalarValue = { kind: 'undefined' };
export const dateValue: ScalarValue = { kind: 'date' };
export const regexpValue: ScalarValue = { kind: 'regexp' };
export const functionValue: FunctionValue = { kind: 'function' };

export function listOf(item: ValueType): ArrayValue {
  return { kind: 'array', item };
}

export function literalValue(...values: readonly string[]): LiteralValue {
  return { kind: 'literal', values };
}

export function recordOf(fields: Iterable<readonly [string, ValueField]>): RecordValue {
  return { kind: 'record', fields: new Map(fields) };
}

const known = new WeakMap<TypeTable, WeakMap<Type, ValueType>>();

/** A name that is not in the table has been reported, so it is `any`; a Message is text or an object, so it is too. */
export function fromType(type: Type, table: TypeTable): ValueType {
  switch (type.kind) {
    case 'text':
      return stringValue;
    case 'number':
      return numberValue;
    case 'boolean':
      return booleanValue;
    case 'json':
    case 'message':
      return anyValue;
    case 'ref': {
      const struct = table.get(type.name);
      return struct === undefined ? anyValue : fromType(struct, table);
    }
  }
  let types = known.get(table);
  if (types === undefined) {
    types = new WeakMap();
    known.set(table, types);
  }
  let found = types.get(type);
  if (found === undefined) {
    found = make(type, table);
    types.set(type, found);
  }
  return found;
}

/** The type of the language that says the same, or nothing: for functions, dates, most unions. */
export function toType(value: ValueType, depth = 0): Type | undefined {
  if (depth > mostDepth) return undefined;
  switch (value.kind) {
    case 'any':
      return jsonType;
    case 'string':
      return { kind: 'text' };
    case 'number':
    case 'boolean':
      return { kind: value.kind };
    case 'literal':
      return { kind: 'literal', values: value.values };
    case 'array': {
      const item = value.item.kind === 'never' ? jsonType : toType(value.item, depth + 1);
      return item && { kind: 'array', item };
    }
    case 'record': {
      if (value.open) return jsonType;
      const origin = StructRecord.origin(value);
      if (origin !== undefined) {
        return origin.name === undefined ? origin : { kind: 'ref', name: origin.name };
      }
      const fields = [];
      for (const [name, field] of value.fields) {
        const type = toType(withoutNullish(field.type), depth + 1);
        if (type === undefined) return undefined;
        fields.push({ name, type, optional: field.optional || mayBeNullish(field.type) });
      }
      return structOf(fields);
    }
    default:
      return undefined;
  }
}

export function membersOf(type: ValueType): readonly ValueType[] {
  if (type.kind === 'union') return type.members;
  return type.kind === 'never' ? [] : [type];
}

export function isNullish(type: ValueType): boolean {
  return type.kind === 'null' || type.kind === 'undefined';
}

export function mayBeNullish(type: ValueType): boolean {
  return type.kind === 'union' ? type.members.some(isNullish) : isNullish(type);
}

/** Keeps the members of a union that pass; what has none left is `never`. */
export function keep(type: ValueType, test: (member: ValueType) => boolean): ValueType {
  if (type.kind !== 'union') return test(type) ? type : neverValue;
  const members = type.members.filter(test);
  if (members.length === type.members.length) return type;
  const [only] = members;
  if (only === undefined) return neverValue;
  return members.length === 1 ? only : { kind: 'union', members };
}

export function withoutNullish(type: ValueType): ValueType {
  return keep(type, (member) => !isNullish(member));
}

export function withoutUndefined(type: ValueType): ValueType {
  return keep(type, (member) => member.kind !== 'undefined');
}

const mostDepth = 64;

function make(type: Extract<Type, { kind: 'literal' | 'array' | 'struct' }>, table: TypeTable): ValueType {
  if (type.kind === 'literal') return { kind: 'literal', values: type.values };
  if (type.kind === 'array') {
    if (type.item.kind !== 'array') return { kind: 'array', item: fromType(type.item, table) };
    // Lists of lists may nest deeper than the stack.
    return {
      kind: 'array',
      get item() {
        return fromType(type.item, table);
      },
    };
  }
  return new StructRecord(type, table);
}

/** A class, because there are thousands, and what each of them would carry along stands here once. */
class StructRecord implements RecordValue {
  readonly kind = 'record';
  declare readonly name?: string;
  readonly #type: StructType;
  readonly #table: TypeTable;
  #fields: ReadonlyMap<string, ValueField> | undefined;

  constructor(type: StructType, table: TypeTable) {
    if (type.name !== undefined) this.name = type.name;
    this.#type = type;
    this.#table = table;
  }

  get fields(): ReadonlyMap<string, ValueField> {
    if (this.#fields === undefined) {
      const fields = new Map<string, ValueField>();
      for (const { name, type, optional } of this.#type.fields) {
        fields.set(name, { type: fromType(type, this.#table), optional });
      }
      this.#fields = fields;
    }
    return this.#fields;
  }

  static origin(value: RecordValue): StructType | undefined {
    return #type in value ? value.#type : undefined;
  }
}
