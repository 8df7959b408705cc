/** Most expressions are a path through records that are all there: their type needs no inference. */
import type { Expression } from '../expression.ts';
import type { Scope } from './context.ts';
import type { ValueType } from './value-type.ts';

/** The type of such a path; undefined for every other expression, and where anything is unknown or may be missing. */
export function plainType(expression: Expression, scope: Scope): ValueType | undefined {
  const names: string[] = [];
  let at = expression;
  for (; at.kind === 'member' && !at.optional; at = at.object) names.push(at.name);
  const scoped = at.kind === 'name' ? scope.get(at.name) : undefined;
  if (scoped === undefined || scoped.absent) return undefined;
  let { type } = scoped;
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const field = type.kind === 'record' ? type.fields.get(name) : undefined;
    if (field === undefined || field.optional) return undefined;
    type = field.type;
  }
  return type;
}
