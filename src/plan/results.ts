/** What each node gives: the type of its result. */
import { anyValue, fromType, unite, uniteAll, type ValueType } from '../expr/index.ts';
import { booleanType, field, structOf, type Type, textType } from '../type/index.ts';
import type { Schemas } from './schemas.ts';
import type { Site } from './site.ts';

/** What an approval gives when it was decided. */
export const approvalType: Type = structOf([
  field('approved', booleanType),
  field('note', textType, { optional: true }),
  field('decidedBy', textType, { optional: true }),
  field('decidedAt', textType),
]);

export interface Results {
  readonly typeOf: (site: Site) => ValueType;
}

/** What only the whole plan knows of a node: the result of a sub-workflow, the output of a plugin's node. */
export type OutsideType = (site: Site) => ValueType | undefined;

export function createResults(schemas: Schemas, outside: OutsideType): Results {
  const known = new Map<Site, ValueType>();

  function typeOf(site: Site): ValueType {
    let type = known.get(site);
    if (type === undefined) {
      type = find(site);
      known.set(site, type);
    }
    return type;
  }

  function find(site: Site): ValueType {
    const { draft, children, space } = site;
    switch (draft.kind) {
      case 'step':
        return draft.output ? fromType(schemas.typeOf(draft.output, space.unit), schemas.table) : anyValue;
      case 'approval':
        return fromType(approvalType, schemas.table);
      case 'parallel': {
        const tuple = children.map(typeOf);
        return { kind: 'array', item: uniteAll(tuple), tuple };
      }
      case 'branch': {
        const arms = (['then', 'else'] as const).map((arm) => children.findLast((child) => child.arm === arm));
        return unite(...arms.flatMap((last) => (last ? [typeOf(last)] : [])));
      }
      case 'workflow':
      case 'other':
        return outside(site) ?? anyValue;
      default: {
        const last = children.at(-1);
        return last ? typeOf(last) : anyValue;
      }
    }
  }

  return { typeOf };
}
