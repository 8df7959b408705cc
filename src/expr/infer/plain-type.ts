/** Most expressions are a path through records that are all there: their type needs no inference. */
import type { Expression } from '../expression.ts';
import type { Scope } from './context.ts';
import type { ValueType } from './value-type.ts';

/** The type of such a path; undefined for every other expression, and where anything is unknown or may be missing. */
export function plainType(expression: Expression, scope: Scope): ValueType | undefined {
  if (expression.kind === 'name') {
    const scoped = scope.get(expression.name);
    return scoped === undefined || scoped.absent ? undefined : scoped.type;
  }
  if (expression.kind !== 'member' || expression.optional) return undefined;
  const object = plainType(expression.object, scope);
  const field = object?.kind === 'record' ? object.fields.get(expression.name) : undefined;
  return field === undefined || field.optional ? undefined : field.type;
}
