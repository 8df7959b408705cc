/** What each node gives: the type of its result. */
import { anyValue, fromType, undefinedValue, unite, uniteAll, type ValueType } from '../expr/index.ts';
import { jsonType, type TypeTable } from '../type/index.ts';
import { approvalType } from './approval-type.ts';
import type { ResultType } from './node.ts';
import { mayBeAbsent } from './order.ts';
import type { Schemas } from './schemas.ts';
import type { Site } from './site.ts';

export interface Results {
  /** Inside of expressions. */
  readonly typeOf: (site: Site) => ValueType;
  /** In a plan, in whose table its names are. */
  readonly resultOf: (site: Site) => ResultType;
}

/** What only the whole plan knows of a node: the result of a sub-workflow or of a thunk, the output of a plugin's node. */
export type OutsideType = (site: Site) => OutsideResult | undefined;

export interface OutsideResult {
  readonly result: ResultType;
  /** What names in it mean. */
  readonly types: TypeTable;
  readonly value: ValueType;
}

const nothing: ResultType = { kind: 'nothing' };

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
        if (draft.output) return fromType(schemas.typeOf(draft.output, space.unit), schemas.table);
        return outside(site)?.value ?? anyValue;
      case 'approval':
        return fromType(approvalType, schemas.table);
      case 'parallel': {
        const tuple = children.map((child) =>
          mayBeAbsent(child) ? unite(typeOf(child), undefinedValue) : typeOf(child),
        );
        return { kind: 'array', item: uniteAll(tuple), tuple };
      }
      case 'branch': {
        const arms = (['then', 'else'] as const).map((arm) => children.findLast((child) => child.arm === arm));
        return unite(...arms.flatMap((last) => (last ? [typeOf(last)] : [])));
      }
      case 'workflow':
      case 'other':
        return outside(site)?.value ?? anyValue;
      default: {
        const last = children.at(-1);
        return last ? typeOf(last) : anyValue;
      }
    }
  }

  function resultOf(site: Site): ResultType {
    const given = givenBy(site);
    return mayBeAbsent(site) ? oneOf([given, nothing]) : given;
  }

  /** When it gives something. */
  function givenBy(site: Site): ResultType {
    const { draft, children, space } = site;
    switch (draft.kind) {
      case 'step':
        return draft.output ? schemas.typeOf(draft.output, space.unit) : (outside(site)?.result ?? jsonType);
      case 'approval':
        return approvalType;
      case 'parallel':
        return { kind: 'tuple', items: children.map(resultOf) };
      case 'branch': {
        const arms = (['then', 'else'] as const).map((arm) => children.findLast((child) => child.arm === arm));
        return oneOf(arms.flatMap((last) => (last ? [resultOf(last)] : [])));
      }
      case 'workflow':
      case 'other': {
        const found = outside(site);
        return found ? schemas.adopt(found.result, found.types) : jsonType;
      }
      default: {
        const last = children.at(-1);
        return last ? resultOf(last) : jsonType;
      }
    }
  }

  return { typeOf, resultOf };
}

/** The values that a result stands for, inside of expressions. */
export function resultValue(result: ResultType, types: TypeTable): ValueType {
  switch (result.kind) {
    case 'tuple': {
      const tuple = result.items.map((item) => resultValue(item, types));
      return { kind: 'array', item: uniteAll(tuple), tuple };
    }
    case 'union':
      return uniteAll(result.members.map((member) => resultValue(member, types)));
    case 'nothing':
      return undefinedValue;
    default:
      return fromType(result, types);
  }
}

/** Whether there may be no value at all. */
export function mayLack(result: ResultType): boolean {
  return result.kind === 'nothing' || (result.kind === 'union' && result.members.some(mayLack));
}

/** The result when there is one. */
export function present(result: ResultType): ResultType {
  return result.kind === 'union' ? oneOf(result.members.filter(({ kind }) => kind !== 'nothing')) : result;
}

/** Any value is also every other; the same said twice is said once. */
function oneOf(results: readonly ResultType[]): ResultType {
  const members = new Map<string, ResultType>();
  for (const result of results) {
    for (const member of result.kind === 'union' ? result.members : [result])
      members.set(JSON.stringify(member), member);
  }
  const all = [...members.values()];
  const some = all.filter(({ kind }) => kind !== 'nothing');
  const isAny = some.some(({ kind }) => kind === 'json');
  const kept = isAny ? [jsonType, ...(some.length < all.length ? [nothing] : [])] : all;
  const [only = nothing] = kept;
  return kept.length <= 1 ? only : { kind: 'union', members: kept };
}
