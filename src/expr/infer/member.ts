/** What a member of a value is, by its name. */
import { memberOf } from './signatures.ts';
import { orUndefined, uniteAll } from './unite.ts';
import {
  anyValue,
  booleanValue,
  isNullish,
  membersOf,
  numberValue,
  stringValue,
  undefinedValue,
  type ValueType,
} from './value-type.ts';

export interface FoundMember {
  /** Undefined where no member of the union has it. */
  readonly type: ValueType | undefined;
  /** The members of the union that do not have it. */
  readonly without: readonly ValueType[];
}

const none: readonly ValueType[] = [];

/** Null and undefined are left aside: whoever reads through them is told elsewhere. */
export function findMember(type: ValueType, name: string): FoundMember {
  if (type.kind !== 'union' && type.kind !== 'never' && !isNullish(type)) {
    const found = memberOfOne(type, name);
    return found === undefined ? { type: undefined, without: [type] } : { type: found, without: none };
  }
  const types: ValueType[] = [];
  const without: ValueType[] = [];
  for (const member of membersOf(type)) {
    if (isNullish(member)) continue;
    const found = memberOfOne(member, name);
    if (found === undefined) without.push(member);
    else types.push(found);
  }
  if (types.length === 0) return { type: without.length === 0 ? anyValue : undefined, without };
  return { type: without.length === 0 ? uniteAll(types) : uniteAll([...types, undefinedValue]), without };
}

/** What `items[0]` of a list is taken to be: that the list is too short is found out when it runs. */
export function itemOf(type: ValueType): ValueType {
  return uniteAll(
    membersOf(type).map((member) => {
      if (member.kind === 'array') return member.item;
      return member.kind === 'string' || member.kind === 'literal' ? stringValue : anyValue;
    }),
  );
}

/** The item at a place that is written there. */
export function itemAt(type: ValueType, at: number): ValueType {
  return uniteAll(
    membersOf(type).map((member) => {
      if (member.kind === 'array') return member.tuple?.[at] ?? member.item;
      if (member.kind === 'string' || member.kind === 'literal') return stringValue;
      return findMember(member, String(at)).type ?? undefinedValue;
    }),
  );
}

function memberOfOne(type: ValueType, name: string): ValueType | undefined {
  if (type.kind === 'any' || type.kind === 'never') return anyValue;
  if (type.kind === 'record') {
    const field = type.fields.get(name);
    if (field) return field.optional ? orUndefined(field.type) : field.type;
  }
  const member = memberOf(type, name);
  if (member?.kind === 'method') return { kind: 'function', name, call: member.call, self: type };
  if (member?.kind === 'property') return scalar(member.result);
  if (type.kind === 'function' && type.members === undefined) return anyValue;
  return type.kind === 'record' && type.open ? anyValue : undefined;
}

function scalar(word: string): ValueType {
  if (word === 'number') return numberValue;
  if (word === 'string') return stringValue;
  return word === 'boolean' ? booleanValue : anyValue;
}
