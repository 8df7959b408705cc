/**
 * What a type is apart from the names of its structs: one that is only renamed is the same type.
 *
 * Every step may have another type out of one long chain or ring of schemas, so the hash of a struct is made once, from
 * those of the structs that it names. Structs that contain each other are told apart by where they are met first; when
 * there are very many of them, by their names.
 */
import type { StructType, Type } from '../type/index.ts';
import { groupsOf } from './groups.ts';
import { hashOf } from './hash.ts';
import type { Json } from './node.ts';

type Types = Readonly<Record<string, StructType>>;

/** More structs than this that contain each other nobody writes by hand. */
const mostTogether = 64;

/** The same for types of the same shape. */
export function shapeOf(type: Type, types: Types): string {
  let known = shapes.get(types);
  if (known === undefined) {
    known = { structs: structShapes(types), inline: new WeakMap() };
    shapes.set(types, known);
  }
  const { structs, inline } = known;
  if (type.kind === 'ref') return structs.get(type.name) ?? '';
  let shape = inline.get(type);
  if (shape === undefined) {
    const named = (name: string) => structs.get(name) ?? null;
    shape = type.kind === 'struct' ? hashOf([fieldsOf(type, named)]) : hashOf(describe(type, named));
    inline.set(type, shape);
  }
  return shape;
}

/** By the structs of a plan. */
const shapes = new WeakMap<
  Types,
  { readonly structs: ReadonlyMap<string, string>; readonly inline: WeakMap<Type, string> }
>();

function structShapes(types: Types): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  // What a group names comes before it.
  for (const group of groupsIn(types)) {
    const inside = new Set(group);
    let whole: string | undefined;
    const shapesHere = group.map((name) => hashOf(inside.size > mostTogether ? byName(name) : byPlace(name)));
    for (const [i, name] of group.entries()) found.set(name, shapesHere[i] ?? '');

    /** All that it holds of its own group, in the order in which they are met. */
    function byPlace(first: string): Json {
      const met = new Map([[first, 0]]);
      const described: Json[] = [];
      // A map goes on over what is added while it is walked.
      for (const name of met.keys()) {
        described.push(
          fieldsOf(types[name] as StructType, (other) => {
            if (!inside.has(other)) return found.get(other) ?? null;
            if (!met.has(other)) met.set(other, met.size);
            return met.get(other) ?? null;
          }),
        );
      }
      return described;
    }

    function byName(name: string): Json {
      whole ??= hashOf(
        [...group]
          .sort()
          .map((each) => [
            each,
            fieldsOf(types[each] as StructType, (other) => (inside.has(other) ? [other] : (found.get(other) ?? null))),
          ]),
      );
      return [whole, name];
    }
  }
  return found;
}

/** The names of structs, those that contain each other together. */
function groupsIn(types: Types): string[][] {
  const names = Object.keys(types);
  const numbers = new Map(names.map((name, number) => [name, number]));
  const next = names.map((name) => {
    const held = new Set<number>();
    fieldsOf(types[name] as StructType, (other) => {
      const number = numbers.get(other);
      if (number !== undefined) held.add(number);
      return null;
    });
    return [...held].map((to) => ({ to }));
  });
  const groups: string[][] = [];
  for (const [number, group] of groupsOf(next).entries()) {
    const members = groups[group];
    const name = names[number] as string;
    if (members) members.push(name);
    else groups[group] = [name];
  }
  return groups;
}

/** A type with something else in place of each name; a struct without a name is the same as one with it. */
function describe(type: Type, named: (name: string) => Json): Json {
  switch (type.kind) {
    case 'ref':
      return { struct: named(type.name) };
    case 'array':
      return { array: describe(type.item, named) };
    case 'struct':
      return { struct: hashOf([fieldsOf(type, named)]) };
    case 'literal':
      return { literal: type.values };
    default:
      return type.kind;
  }
}

function fieldsOf({ fields }: StructType, named: (name: string) => Json): Json {
  return fields.map(({ name, type, optional, doc }) => [name, describe(type, named), optional, doc ?? null]);
}
