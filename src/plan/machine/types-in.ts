/** The named types that a type is made of. */
import type { Json } from '../../machine/index.ts';
import type { StructType, Type } from '../../type/index.ts';

type Named = { readonly [name: string]: Json };

export const noTypes: Named = {};

export function typesIn(type: Type, types: Readonly<Record<string, StructType>>): Named {
  if (type.kind !== 'array' && type.kind !== 'struct' && type.kind !== 'ref') return noTypes;
  const found = new Map<string, StructType>();
  const todo: Type[] = [type];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (next.kind === 'array') todo.push(next.item);
    else if (next.kind === 'struct') for (const { type: inner } of next.fields) todo.push(inner);
    else if (next.kind === 'ref' && !found.has(next.name)) {
      const struct = types[next.name];
      if (struct === undefined) throw new Error(`the plan has no type "${next.name}"`);
      found.set(next.name, struct);
      todo.push(struct);
    }
  }
  return found.size === 0 ? noTypes : (Object.fromEntries(found) as unknown as Named);
}
