/** For the tests: evaluates a text. */
import type { Expression } from '../expression.ts';
import { parseExpression } from '../expression-parse.ts';
import { type Env, evaluate } from './evaluate.ts';
import { type ExpressionError, isExpressionError } from './failure.ts';

export const now = Date.UTC(2024, 1, 29, 12, 34, 56, 789);

/** Steps are given by name; one whose value is undefined has no value. */
export function envOf(
  values: Readonly<Record<string, unknown>> = {},
  steps: Readonly<Record<string, unknown>> = {},
): Env {
  return {
    lookup: (name) => {
      if (Object.hasOwn(steps, name)) return { found: true, value: steps[name], isStep: true };
      return Object.hasOwn(values, name) ? { found: true, value: values[name] } : { found: false };
    },
    now,
  };
}

export function parsed(text: string): Expression {
  const { expression, problems } = parseExpression(text, { names: new Set(['two-words']) });
  if (!expression || problems.length > 0)
    throw new Error(`${text}: ${problems.map((problem) => problem.message).join('; ')}`);
  return expression;
}

export function run(text: string, env: Env = envOf()): unknown {
  return evaluate(parsed(text), env);
}

export function failure(text: string, env: Env = envOf()): ExpressionError {
  return failureOf(() => run(text, env));
}

export function failureOf(act: () => unknown): ExpressionError {
  try {
    act();
  } catch (error) {
    if (isExpressionError(error)) return error;
    throw error;
  }
  throw new Error('it did not fail');
}
