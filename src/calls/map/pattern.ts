/**
 * The patterns of schemas: regular expressions of others, tried on texts of a model. JavaScript's own may take exponential
 * time, so they are not used for it: all ways to match are followed at once, one character after the other, and the steps
 * of that are counted. Which patterns cannot be tried so is known before any text is.
 */
import {
  ASSERT,
  BOUND,
  CHOICE,
  type Compiled,
  compilePattern,
  END,
  JUMP,
  MATCH,
  NO_BOUND,
  type Program,
  START,
} from './pattern-program.ts';

/** How many steps may still be taken; below zero there was not enough. */
export interface StepBudget {
  left: number;
}

type Matcher = (text: string, budget: StepBudget) => boolean | undefined;
type Pattern = { readonly matches: Matcher } | { readonly problem: string };

const known = new Map<string, Pattern>();
const mostKnown = 500;

/** Why the pattern cannot be tried, as in "it … "; nothing if it can. */
export function patternProblem(pattern: string): string | undefined {
  const found = patternOf(pattern);
  return 'problem' in found ? found.problem : undefined;
}

/** Whether the pattern is found in the text; nothing if it cannot be tried, or the steps do not suffice. */
export function tryPattern(text: string, pattern: string, budget: StepBudget): boolean | undefined {
  const found = patternOf(pattern);
  return 'problem' in found ? undefined : found.matches(text, budget);
}

function patternOf(pattern: string): Pattern {
  const before = known.get(pattern);
  if (before !== undefined) return before;
  const compiled = compile(pattern);
  const found = 'problem' in compiled ? compiled : { matches: createMatcher(compiled.program) };
  if (known.size >= mostKnown) known.clear();
  known.set(pattern, found);
  return found;
}

/** With the flag `u`, as JSON Schema wants it; many that are no such patterns are plain ones. */
function compile(pattern: string): Compiled {
  for (const flags of ['u', '']) {
    try {
      new RegExp(pattern, flags);
    } catch {
      continue;
    }
    return compilePattern(pattern, flags === 'u');
  }
  return { problem: 'is no regular expression of JavaScript' };
}

function createMatcher({ ops, first, second, tests, unicode }: Program): Matcher {
  // The number of the position at which a step was last reached, over all texts.
  const reached = new Float64Array(ops.length);
  let position = 0;
  const waiting: number[] = [];
  const isAnchored = ops[0] === ASSERT && first[0] === START;

  return (text, budget) => {
    let now: number[] = [];
    let next: number[] = [];
    let at = 0;

    /** Puts the characters that may come next, from this step on, on the list; whether the pattern ends before any. */
    function follow(start: number, list: number[]): boolean {
      waiting.length = 0;
      waiting.push(start);
      for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
        if (reached[step] === position) continue;
        reached[step] = position;
        budget.left--;
        const op = ops[step];
        const to = first[step] ?? 0;
        if (op === MATCH) return true;
        if (op === CHOICE) waiting.push(second[step] ?? 0, to);
        else if (op === JUMP) waiting.push(to);
        else if (op !== ASSERT) list.push(step);
        else if (holds(to, text, at)) waiting.push(step + 1);
      }
      return false;
    }

    position++;
    if (follow(0, now)) return true;
    while (at < text.length && (now.length > 0 || !isAnchored)) {
      budget.left -= now.length + 1;
      if (budget.left < 0) return undefined;
      const code = (unicode ? text.codePointAt(at) : text.charCodeAt(at)) ?? 0;
      at += code > 0xffff ? 2 : 1;
      position++;
      for (const step of now) if (tests[first[step] ?? 0]?.(code) && follow(step + 1, next)) return true;
      if (!isAnchored && follow(0, next)) return true;
      [now, next] = [next, now];
      next.length = 0;
    }
    return false;
  };
}

function holds(what: number, text: string, at: number): boolean {
  if (what === START) return at === 0;
  if (what === END) return at === text.length;
  const isBound = isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at));
  return what === BOUND ? isBound : what === NO_BOUND && !isBound;
}

/** A letter, a digit or `_`; nothing at the ends of a text. */
function isWord(unit: number): boolean {
  const letter = unit | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f;
}
