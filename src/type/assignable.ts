/** Whether every value of one type is a value of another. */
import { type FieldType, type LiteralType, type StructType, type Type, type TypeTable, tryResolve } from './type.ts';

/**
 * Structs are compared by their fields, and are closed: a field that `to` does not have would be refused when the
 * value is read, so it does not fit here either. Text fits a Message, since plain text is one. Json fits only Json:
 * it must be read into a type first. A name that is not in the table fits everything: it has been reported.
 */
export function assignable(from: Type, to: Type, table: TypeTable): boolean {
  const seen = new Map<Type, Set<Type>>();
  const todo: (readonly [Type, Type])[] = [[from, to]];
  for (let pair = todo.pop(); pair !== undefined; pair = todo.pop()) {
    const source = tryResolve(pair[0], table);
    const target = tryResolve(pair[1], table);
    if (source === undefined || target === undefined || source === target || target.kind === 'json') continue;
    // A pair met again is being compared already: recursive structs agree unless some field says otherwise.
    if (!remember(seen, source, target)) continue;
    if (source.kind === 'array' && target.kind === 'array') todo.push([source.item, target.item]);
    else if (source.kind === 'struct' && target.kind === 'struct') {
      if (!pairFields(source, target, todo)) return false;
    } else if (source.kind === 'literal' && target.kind === 'literal') {
      if (!subset(source, target)) return false;
    } else if (source.kind === 'literal' || source.kind === 'text') {
      if (target.kind !== 'text' && target.kind !== 'message') return false;
    } else if (source.kind !== target.kind) return false;
  }
  return true;
}

function pairFields(source: StructType, target: StructType, todo: (readonly [Type, Type])[]): boolean {
  const wanted = new Map<string, FieldType>(target.fields.map((field) => [field.name, field]));
  for (const field of source.fields) {
    const match = wanted.get(field.name);
    if (match === undefined || (field.optional && !match.optional)) return false;
    wanted.delete(field.name);
    todo.push([field.type, match.type]);
  }
  for (const field of wanted.values()) if (!field.optional) return false;
  return true;
}

function subset(source: LiteralType, target: LiteralType): boolean {
  const values = new Set(target.values);
  return source.values.every((value) => values.has(value));
}

function remember(seen: Map<Type, Set<Type>>, source: Type, target: Type): boolean {
  const targets = seen.get(source);
  if (targets === undefined) {
    seen.set(source, new Set([target]));
    return true;
  }
  if (targets.has(target)) return false;
  targets.add(target);
  return true;
}
