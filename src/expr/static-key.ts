/** Keys that are the same whatever the values are: `a['b']` is `a.b`. */
import type { Expression } from './expression.ts';

export function staticKey(expression: Expression): string | undefined {
  if (expression.kind === 'literal' && typeof expression.value === 'string') return expression.value;
  return expression.kind === 'template' && expression.expressions.length === 0 ? expression.texts[0] : undefined;
}
