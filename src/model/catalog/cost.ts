/** What calls cost: afterwards by what was used, before by what could be used. In dollars. */
import type { ModelUsage } from '../model.ts';
import type { ModelInfo, ModelPrice } from '../resolved.ts';

/** The most tokens that an answer may have where nobody says. */
export const mostAnswerTokens = 16_384;

/** Tokens from a cache, or written to it, cost what other input does where the price says nothing of them. */
export function costOf(usage: ModelUsage, price: ModelPrice): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const { input, output, cacheRead, cacheWrite } = rateOf(inputTokens, price);
  // Services have been seen to count more from the cache than came in.
  const fresh = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const dollars =
    fresh * input +
    cacheReadTokens * (cacheRead ?? input) +
    cacheWriteTokens * (cacheWrite ?? input) +
    outputTokens * output;
  return dollars / 1_000_000;
}

export interface MostUsage {
  readonly inputTokens: number;
  /** What the call allows for its answer; the usual where it says nothing. */
  readonly maxTokens?: number;
}

/** What a call can cost at most, all input new and written to a cache; nothing where the price is not known. */
export function mostCostOf(info: ModelInfo | undefined, usage: MostUsage): number | undefined {
  if (info?.price === undefined) return undefined;
  const rate = rateOf(usage.inputTokens, info.price);
  const input = Math.max(rate.input, rate.cacheWrite ?? 0);
  return (usage.inputTokens * input + mostOutputOf(info, usage.maxTokens) * rate.output) / 1_000_000;
}

/** The most tokens that an answer can have: what is allowed, or what the model can write if that is less. */
export function mostOutputOf(info: ModelInfo | undefined, maxTokens = mostAnswerTokens): number {
  return Math.min(maxTokens, info?.output ?? Number.POSITIVE_INFINITY);
}

type Rate = Omit<ModelPrice, 'long'>;

function rateOf(inputTokens: number, price: ModelPrice): Rate {
  const { long } = price;
  return long !== undefined && inputTokens > long.above ? long : price;
}
