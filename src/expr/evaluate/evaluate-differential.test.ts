/** The evaluator against real JavaScript, on generated expressions. */
process.env.TZ = 'UTC';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExpression } from '../expression-parse.ts';
import { evaluate } from './evaluate.ts';
import { expressionText } from './evaluate-generate.ts';
import { type Outcome, referenceValues, runReference, show } from './evaluate-reference.ts';
import { isExpressionError } from './failure.ts';

const runs = process.env.TOOLANG_DEEP ? 20_000 : 2_000;
const known = referenceValues();

interface Ours extends Outcome {
  readonly code?: string;
}

/** Undefined when the parser refuses it. */
function ours(text: string): Ours | undefined {
  const { expression, problems } = parseExpression(text);
  if (!expression || problems.length > 0) return undefined;
  try {
    const value = evaluate(expression, {
      lookup: (name) => ({ found: known.has(name), value: known.get(name) }),
      now: 0,
    });
    return { shown: show(value) };
  } catch (error) {
    if (!isExpressionError(error)) throw error;
    return { thrown: error.message, code: error.code };
  }
}

/** Where we stop on purpose and JavaScript goes on. */
function isOnPurpose(own: Ours, text: string): boolean {
  if (own.code === 'TOO6107' || own.code === 'TOO6108') return true;
  // A result that holds functions or regular expressions, and functions as text.
  if (own.code === 'TOO6110') return true;
  if (own.code === 'TOO6104' && own.thrown?.startsWith('a function has no properties')) return true;
  if (own.code === 'TOO6106' && own.thrown?.includes('a function has no text')) return true;
  // A function has a length in JavaScript; and only records can be assigned to.
  return own.code === 'TOO6105' && /Array\.from|Object\.assign/.test(text);
}

describe('an expression', () => {
  it('has the value that JavaScript gives it, or fails where JavaScript throws', () => {
    expect(new Date(2020, 6, 1).getTimezoneOffset()).toBe(0);
    let refused = 0;
    let compared = 0;
    fc.assert(
      fc.property(expressionText, (text) => {
        const own = ours(text);
        if (own === undefined) {
          refused++;
          return;
        }
        const real = runReference(text);
        if (own.shown === real.shown && (own.thrown === undefined) === (real.thrown === undefined)) {
          compared++;
          return;
        }
        if (isOnPurpose(own, text)) return;
        expect.fail(`${text}\n ours: ${own.shown ?? own.thrown}\n real: ${real.shown ?? real.thrown}`);
      }),
      { numRuns: runs },
    );
    expect(refused).toBeLessThan(runs / 20);
    expect(compared).toBeGreaterThan(runs * 0.7);
  });
});
