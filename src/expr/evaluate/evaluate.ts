/**
 * Evaluates expressions on values, safely.
 * 1. Nothing outside of the expression, its values and our own tables can be reached, and nothing is ever changed.
 * 2. All work is counted; the same expression on the same values gives the same value, or fails at the same place.
 * 3. What leaves is data: no function, no regular expression, and not larger as JSON than the budget allows.
 * 4. Everything that throws in JavaScript fails here, with an `ExpressionError`. The language cannot catch it.
 */
import type { Expression } from '../expression.ts';
import { RegExpMemoryError } from '../regexp/index.ts';
import { type Budget, createBudget, maxDepth, tooDeep } from './budget.ts';
import { isTruthy } from './convert.ts';
import { fail, isFault, isStackOverflow, placed } from './failure.ts';
import { getOwn, ownKeys } from './own.ts';
import { isArray, kindOf, kindWord, type Runtime } from './value.ts';
import { compute, type Lookup, type Walk } from './walk.ts';

export interface Env {
  /** A name that is neither a parameter of an arrow nor a global. Values are JSON. */
  lookup(name: string): Lookup;
  /** `Date.now()` and `new Date()`: milliseconds since 1970. */
  readonly now: number;
  /** For several evaluations together; each has its own if it is not given. */
  readonly budget?: Budget;
}

/** Fails with an `ExpressionError`. */
export function evaluate(expression: Expression, env: Env): unknown {
  return guarded(expression, env, (rt) => {
    const value = compute(rt, expression);
    rt.at = expression;
    checkData(rt, value);
    return value;
  });
}

/** Whether the value of a condition counts as true. */
export function isTrue(expression: Expression, env: Env): boolean {
  return guarded(expression, env, (rt) => isTruthy(compute(rt, expression)));
}

/** Runs one evaluation and gives its failure a place. */
export function guarded<T>(at: Walk['at'], env: Env, run: (rt: Walk) => T): T {
  const budget = env.budget ?? createBudget();
  const rt: Walk = { now: env.now, budget, at, depth: 0, lookup: (name) => env.lookup(name) };
  try {
    return run(rt);
  } catch (error) {
    if (isFault(error)) throw placed(error, rt.at);
    if (error instanceof RegExpMemoryError) {
      throw placed({ name: 'Fault', code: 'TOO6107', message: 'the regular expression needs too much memory' }, rt.at);
    }
    // The caller has used most of the stack already.
    if (isStackOverflow(error)) {
      throw placed({ name: 'Fault', code: 'TOO6109', message: 'the expression nests too deeply here' }, rt.at);
    }
    throw error;
  }
}

function checkData(rt: Runtime, value: unknown): void {
  rt.budget.spend(2);
  const kind = kindOf(value);
  if (kind === 'string') rt.budget.spend((value as string).length / 16);
  if (kind === 'function' || kind === 'regexp') {
    fail('TOO6110', `the result holds ${kindWord(kind)}, which is not data`);
  }
  if (kind !== 'array' && kind !== 'record') return;
  if (++rt.depth > maxDepth) tooDeep('the result nests');
  if (isArray(value)) for (const item of value) checkData(rt, item);
  else for (const key of ownKeys(rt, value)) checkData(rt, getOwn(value as object, key));
  rt.depth--;
}
