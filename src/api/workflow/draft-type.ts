/** Schemas to the types of a draft. Structs that have a name are declared under it, as `schemas:` of a file would. */
import type { DraftType, DraftWorkflow, Mark } from '../../plan/index.ts';
import { jsonType, refTo, type StructType, structOf, type Type } from '../../type/index.ts';
import type { Listing } from './listing.ts';
import type { SchemaAnswer } from './schema.ts';
import type { Shapes } from './shape.ts';

export interface TypeDrafter {
  readonly typeOf: (label: string, schema: unknown) => DraftType;
  readonly declared: () => DraftWorkflow['schemas'];
}

export function createTypeDrafter(
  answers: ReadonlyMap<unknown, SchemaAnswer>,
  listing: Listing,
  shapes: Shapes,
): TypeDrafter {
  /** By name, then by what they say: the same schema comes once for each of its uses. */
  const declared = new Map<string, Map<string, DraftType>>();

  function declare(name: string, struct: StructType): void {
    const key = JSON.stringify(struct);
    const known = declared.get(name) ?? new Map<string, DraftType>();
    declared.set(name, known);
    if (known.has(key)) return;
    const at = listing.word(`schema "${name}"`, name);
    // Set before its fields are looked at: it may contain itself.
    known.set(key, draftType(at, jsonType));
    known.set(
      key,
      draftType(
        at,
        structOf(
          struct.fields.map((each) => ({ ...each, type: named(each.type) })),
          docOf(struct),
        ),
      ),
    );
  }

  /** The type with every struct that has a name declared, and only named here. */
  function named(type: Type): Type {
    if (type.kind === 'array') return { kind: 'array', item: named(type.item) };
    if (type.kind !== 'struct') return type;
    if (type.name !== undefined) {
      declare(type.name, type);
      return refTo(type.name);
    }
    return structOf(
      type.fields.map((each) => ({ ...each, type: named(each.type) })),
      docOf(type),
    );
  }

  return {
    typeOf(label, schema) {
      const at = listing.word(label, '');
      const answer = answers.get(schema);
      if (answer === undefined || 'problem' in answer) {
        shapes.report('TOO4003', at, answer?.problem ?? 'is no schema');
        return draftType(at, jsonType);
      }
      for (const [name, struct] of Object.entries(answer.types)) declare(name, struct);
      return draftType(at, named(answer.type));
    },
    declared: () =>
      [...declared].flatMap(([name, types]) =>
        [...types.values()].map((type) => ({ name: { source: type.source, span: type.span, text: name }, type })),
      ),
  };
}

function docOf({ doc }: StructType): { readonly doc?: string } {
  return doc === undefined ? {} : { doc };
}

function draftType(at: Mark, type: Type): DraftType {
  const { source, span } = at;
  return { source, span, type, names: [...namesIn(type)].map((text) => ({ source, span, text })) };
}

function namesIn(type: Type, found = new Set<string>()): Set<string> {
  if (type.kind === 'ref') found.add(type.name);
  else if (type.kind === 'array') namesIn(type.item, found);
  else if (type.kind === 'struct') for (const each of type.fields) namesIn(each.type, found);
  return found;
}
