/** What was spent, added up. What nobody told stays untold. */
import type { Usage } from './machine.ts';

export function addUsage(a: Usage, b: Usage): Usage {
  const inputTokens = add(a.inputTokens, b.inputTokens);
  const outputTokens = add(a.outputTokens, b.outputTokens);
  const cost = add(a.cost, b.cost);
  // By hand: every step of a run adds to it, and conditional spreads are slow.
  const sum: { inputTokens?: number; outputTokens?: number; cost?: number } = {};
  if (inputTokens !== undefined) sum.inputTokens = inputTokens;
  if (outputTokens !== undefined) sum.outputTokens = outputTokens;
  if (cost !== undefined) sum.cost = cost;
  return sum;
}

function add(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
