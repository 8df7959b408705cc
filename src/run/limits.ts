/** The limits of a run: what there is to spend, and what is asked where that is not enough. */
import type { Json, RunError, Usage } from '../machine/index.ts';
import type { GateOptions } from './gate.ts';
import { createPurse, type Purse, type Unit } from './purse.ts';
import type { Calls } from './record.ts';

export interface RunLimits {
  readonly tokens?: number | undefined;
  readonly modelCalls?: number | undefined;
  readonly toolCalls?: number | undefined;
  /** That its steps are at work. */
  readonly minutes?: number | undefined;
}

/** Sums of cents are not exact. */
const tiny = 1e-6;

/** What of a run its limits depend on. */
interface Spent {
  /** What was added to the limits so far. */
  readonly added: () => Readonly<Record<Unit, number>>;
  readonly usage: () => Usage;
}

/** How many calls were made of each kind, and how many may be. */
export function callCounts(limits: RunLimits = {}, made: Calls): GateOptions['calls'] {
  const { modelCalls, toolCalls } = limits;
  return {
    ...(modelCalls !== undefined && { model: { made: made.model, most: modelCalls } }),
    ...(toolCalls !== undefined && { tool: { made: made.tool, most: toolCalls } }),
  };
}

/** `usd`: the limit in dollars. Undefined where neither dollars nor tokens are limited. */
export function purseOf(usd: number | undefined, limits: RunLimits | undefined, spent: Spent): Purse | undefined {
  const tokens = limits?.tokens;
  if (usd === undefined && tokens === undefined) return undefined;
  const added = spent.added();
  const most = {
    usd: usd === undefined ? undefined : usd + added.usd,
    tokens: tokens === undefined ? undefined : tokens + added.tokens,
  };
  return createPurse(most, spent.usage());
}

/** One question, however many wait; `most`: what the dearest of them may cost, 0 where that is known afterwards only. */
export function limitRequest(purse: Purse, most: number, waiting: readonly string[]): Json {
  const unit = purse.short();
  const [spent, limit] = [purse.spent(unit), purse.limit(unit)];
  const title = unit === 'tokens' ? tokensTitle(spent, limit) : limitTitle(spent, limit, most);
  const least = unit === 'tokens' ? spent - limit + 1 : leastCents(spent - limit, most) / 100;
  return { title, unit, spent, limit, most, least, waiting: [...waiting] };
}

/** So many that the call fits, or that there is something left. */
function leastCents(over: number, most: number): number {
  return most > 0 ? Math.ceil((over + most) * 100 - tiny) : Math.floor(over * 100 + tiny) + 1;
}

/** What is asked where the limit is reached, or would be. */
function limitTitle(spent: number, limit: number, most: number): string {
  const [has, may, needs] = [spent, limit, most].map((each) => `$${each.toFixed(2)}`);
  const why =
    spent >= limit
      ? `The limit of ${may} is reached (${has} spent)`
      : `The limit of ${may} is not enough (${has} spent, and the next call may cost ${needs})`;
  return `${why}: may more be spent?`;
}

function tokensTitle(spent: number, limit: number): string {
  return `The limit of ${limit} tokens is reached (${spent} used): may more be used?`;
}

export const overLimit: RunError = {
  code: 'limit',
  message: 'the limit was reached, and no more may be spent',
  retryable: false,
};
