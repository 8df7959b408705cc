/**
 * Counts the work of an evaluation, so that the same expression on the same values always stops at the same place.
 * One unit is about the work of one node of the tree; a character costs an eighth of it when it is made, and a
 * sixteenth when it is only looked at. No clock is read.
 */
import { fail } from './failure.ts';

export interface Budget {
  readonly limit: number;
  readonly spent: number;
  /** Fails with TOO6107 when the limit is passed. */
  spend(units: number): void;
}

export const defaultLimit = 5_000_000;

/** The longest text that an expression may make, in UTF-16 units. */
export const maxText = 2 ** 24;

/**
 * How deep expressions, calls and values may nest: more than the parser lets through, and a third of what the stack
 * holds. A call of an arrow counts as several levels, because it takes as much of the stack.
 */
export const maxDepth = 500;
export const arrowDepth = 4;

export function createBudget(limit: number = defaultLimit): Budget {
  let spent = 0;
  return {
    limit,
    get spent() {
      return spent;
    },
    spend(units) {
      spent += units;
      // Written so that NaN stops too.
      if (!(spent <= limit)) {
        fail(
          'TOO6107',
          `the expression does too much work: more than ${limit} units`,
          'Make the values smaller, or do the work in a step with "run".',
        );
      }
    },
  };
}

/** To be called before a text of this length is made. */
export function spendText(budget: Budget, length: number): void {
  checkText(length);
  budget.spend(1 + length / 8);
}

/** `a + b`: the machine keeps both parts and copies them later, at most once, which is quick. */
export function spendConcat(budget: Budget, a: number, b: number): void {
  checkText(a + b);
  budget.spend(1 + Math.min(a, b) / 8 + (a + b) / 256);
}

/** For characters that are read and not made. */
export function spendLook(budget: Budget, length: number): void {
  budget.spend(1 + length / 16);
}

export function tooDeep(what: string): never {
  return fail('TOO6109', `${what} more than ${maxDepth} levels deep`);
}

function checkText(length: number): void {
  if (!(length <= maxText)) fail('TOO6108', `the text would be longer than ${maxText} characters`);
}
