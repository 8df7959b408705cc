/**
 * Texts with `{expression}` in them. Undefined and null print as nothing, texts, numbers and booleans plainly, dates as
 * ISO texts, arrays of such values joined with ", ", and everything else as compact JSON.
 */
import type { Interpolated } from '../expression.ts';
import { createBudget, spendText } from './budget.ts';
import { joinItems, toText } from './convert.ts';
import { type Env, evaluate, guarded } from './evaluate.ts';
import { native } from './failure.ts';
import { stringify } from './json.ts';
import { isArray, isDate, type Runtime } from './value.ts';

/** All holes share one budget. Fails with an `ExpressionError`. */
export function renderInterpolated(interpolated: Interpolated, env: Env): string {
  const shared: Env = { lookup: (name) => env.lookup(name), now: env.now, budget: env.budget ?? createBudget() };
  const texts = interpolated.parts.map((part) =>
    part.kind === 'text' ? part.text : guarded(part, shared, (rt) => printed(rt, evaluate(part.expression, shared))),
  );
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  guarded({ start: 0, end: interpolated.text.length }, shared, (rt) => spendText(rt.budget, length));
  return texts.join('');
}

/** Exactly one hole and nothing else keeps its type; all else is text. */
export function valueOfInterpolated(interpolated: Interpolated, env: Env): unknown {
  const [only] = interpolated.parts;
  if (only?.kind === 'hole' && interpolated.parts.length === 1) return evaluate(only.expression, env);
  return renderInterpolated(interpolated, env);
}

function printed(rt: Runtime, value: unknown): string {
  if (isArray(value) && value.every(isScalar)) return joinItems(rt, value, ', ', scalarText);
  if (isScalar(value)) return scalarText(rt, value);
  return stringify(rt, value) ?? '';
}

function scalarText(rt: Runtime, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (isDate(value)) return native('a date', () => value.toISOString());
  return toText(rt, value);
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object' || isDate(value);
}
