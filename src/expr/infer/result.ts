/** What a call gives, by the word that the tables have for it. */
import type { Fact } from './context.ts';
import { itemOf } from './member.ts';
import { refine, truthy } from './narrow.ts';
import type { Signature } from './signature.ts';
import { orUndefined, unite, uniteAll } from './unite.ts';
import {
  anyValue,
  booleanValue,
  dateValue,
  keep,
  listOf,
  membersOf,
  nullValue,
  numberValue,
  regexpValue,
  stringValue,
  undefinedValue,
  type ValueField,
  type ValueType,
} from './value-type.ts';

export interface Argument {
  readonly type: ValueType;
  readonly spread: boolean;
  /** What a function gives back. */
  readonly returns?: ValueType;
  /** What is known of the item when an arrow gives true. */
  readonly facts?: { readonly yes: readonly Fact[]; readonly root: number };
}

export interface Given {
  readonly call: Signature;
  readonly self: ValueType;
  readonly args: readonly Argument[];
}

export function resultOf(given: Given): ValueType {
  const make = results[given.call.result];
  if (make === undefined) throw new Error(`no result is called "${given.call.result}"`);
  return make(given);
}

/** What a value that changes from round to round may be, judged by the first: an empty start tells nothing. */
export function widen(type: ValueType, depth = 0): ValueType {
  switch (type.kind) {
    case 'null':
    case 'undefined':
    case 'never':
      return anyValue;
    case 'literal':
      return stringValue;
    case 'array':
      return depth > 8 || type.item.kind === 'never' ? listOf(anyValue) : listOf(widen(type.item, depth + 1));
    case 'record': {
      if (type.name !== undefined) return type;
      if (type.fields.size === 0 || depth > 8) return anyValue;
      const fields = new Map<string, ValueField>();
      for (const [name, field] of type.fields) {
        fields.set(name, { type: widen(field.type, depth + 1), optional: field.optional });
      }
      return { ...type, fields };
    }
    case 'union':
      return uniteAll(type.members.map((member) => widen(member, depth + 1)));
    default:
      return type;
  }
}

/** What is in the lists, and what is no list as it is. */
export function flattened(type: ValueType): ValueType {
  return uniteAll(membersOf(type).map((member) => (member.kind === 'array' ? member.item : member)));
}

/** `{ ...a, ...b }`: what is not known may bring any field, and replace those before it. */
export function merged(types: readonly ValueType[]): ValueType {
  const fields = new Map<string, ValueField>();
  let open = false;
  for (const type of types) {
    const members = membersOf(type).filter(({ kind }) => !empty.has(kind));
    const [only] = members;
    if (only === undefined) continue;
    if (members.length > 1 || only.kind !== 'record' || only.open) {
      open = true;
      fields.clear();
      continue;
    }
    const sure = membersOf(type).length === 1;
    for (const [name, field] of only.fields) {
      const before = fields.get(name);
      if (sure && !field.optional) fields.set(name, field);
      else {
        const optional = before?.optional ?? true;
        fields.set(name, { type: before ? unite(before.type, field.type) : field.type, optional });
      }
    }
  }
  return { kind: 'record', fields, ...(open && { open }) };
}

/** They have no fields of their own to spread. */
const empty = new Set(['null', 'undefined', 'number', 'boolean', 'date', 'regexp', 'function']);

const matched: ValueType = unite({ kind: 'array', item: stringValue, match: true }, nullValue);

const results: Readonly<Record<string, (given: Given) => ValueType>> = {
  any: () => anyValue,
  string: () => stringValue,
  number: () => numberValue,
  boolean: () => booleanValue,
  undefined: () => undefinedValue,
  date: () => dateValue,
  regexp: () => regexpValue,
  strings: () => listOf(stringValue),
  match: () => matched,
  matches: () => listOf(keep(matched, ({ kind }) => kind === 'array')),
  self: ({ self }) => self,
  numbers: () => listOf(numberValue),
  indexed: ({ self }) => pairs(numberValue, itemOf(self)),
  item: ({ self }) => itemOf(self),
  list: ({ self }) => listOf(itemOf(self)),
  mapped: ({ args }) => listOf(args[0]?.returns ?? anyValue),
  'flat-mapped': ({ args }) => listOf(flattened(args[0]?.returns ?? anyValue)),
  flat: ({ self, args }) => listOf(args.length === 0 ? flattened(itemOf(self)) : anyValue),
  concat: ({ self, args }) => {
    const added = args.map((arg) => (arg.spread ? anyValue : flattened(arg.type)));
    return listOf(uniteAll([itemOf(self), ...added]));
  },
  added: ({ call, self, args }) => {
    if (args.some((arg) => arg.spread)) return listOf(anyValue);
    const first = call.name === 'fill' ? 0 : call.name === 'with' ? 1 : 2;
    const added = call.name === 'fill' ? args.slice(0, 1) : args.slice(first);
    return listOf(uniteAll([itemOf(self), ...added.map((arg) => arg.type)]));
  },
  filtered: (given) => listOf(passing(given)),
  found: (given) => orUndefined(passing(given)),
  folded: ({ self, args }) => {
    const start = args[1]?.type ?? itemOf(self);
    return unite(widen(start), args[0]?.returns ?? anyValue);
  },
  'json-text': ({ args }) => {
    const nothing = membersOf(args[0]?.type ?? anyValue).some(
      ({ kind }) => kind === 'undefined' || kind === 'function',
    );
    return nothing ? orUndefined(stringValue) : stringValue;
  },
  'list-of': ({ args }) => listOf(args.some((arg) => arg.spread) ? anyValue : uniteAll(args.map((arg) => arg.type))),
  made: ({ args }) => {
    const [from, make] = args;
    if (make !== undefined) return listOf(make.returns ?? anyValue);
    return listOf(from === undefined || from.spread ? anyValue : sourceItem(from.type));
  },
  values: ({ args }) => listOf(valuesOf(args[0])),
  entries: ({ args }) => pairs(stringValue, valuesOf(args[0])),
  assigned: ({ args }) => (args.some((arg) => arg.spread) ? anyValue : merged(args.map((arg) => arg.type))),
};

function pairs(key: ValueType, value: ValueType): ValueType {
  return listOf({ kind: 'array', item: unite(key, value), tuple: [key, value] });
}

/** What `Array.from` finds in its first argument. */
export function sourceItem(type: ValueType): ValueType {
  return uniteAll(
    membersOf(type).map((member) => {
      if (member.kind === 'array') return member.item;
      if (member.kind === 'string' || member.kind === 'literal') return stringValue;
      return member.kind === 'record' && !member.open ? undefinedValue : anyValue;
    }),
  );
}

function valuesOf(arg: Argument | undefined): ValueType {
  if (arg === undefined || arg.spread) return anyValue;
  return uniteAll(
    membersOf(arg.type).flatMap((member) => {
      if (member.kind === 'array') return [member.item];
      if (member.kind === 'string' || member.kind === 'literal') return [stringValue];
      if (member.kind !== 'record' || member.open) return [anyValue];
      return [...member.fields.values()].map((field) => field.type);
    }),
  );
}

/** The items for which the first argument gives true. */
function passing({ self, args }: Given): ValueType {
  const item = itemOf(self);
  const [test] = args;
  if (test?.facts) return refine(item, test.facts.yes, test.facts.root);
  const plain = test && keep(test.type, (member) => member.kind === 'function' && member.name === 'Boolean');
  return plain && plain === test.type ? truthy(item) : item;
}
