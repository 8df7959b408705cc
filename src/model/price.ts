/** What a call costs, in dollars, and how many tokens its answer may have. */
import type { ModelSettings, ModelUsage } from './model.ts';
import type { ModelInfo, ModelPrice } from './resolved.ts';

const million = 1_000_000;

/** The most tokens of an answer where nobody says how many. */
const mostByDefault = 16_384;

/**
 * Cached input counts at its own price, or, where none is published, at that of other input. Tokens that are more than all
 * input (services differ in what they count) are counted once.
 */
export function costOf(usage: Omit<ModelUsage, 'cost'>, price: ModelPrice): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const tier = price.long !== undefined && inputTokens > price.long.above ? price.long : price;
  const read = Math.min(cacheReadTokens, inputTokens);
  const written = Math.min(cacheWriteTokens, inputTokens - read);
  const rest = inputTokens - read - written;
  const input = rest * tier.input + read * (tier.cacheRead ?? tier.input) + written * writePrice(price, tier);
  return (input + outputTokens * tier.output) / million;
}

/** Beyond the limit what is written to a cache costs more by as much as other input does. */
function writePrice(price: ModelPrice, tier: { readonly input: number }): number {
  if (price.cacheWrite === undefined) return tier.input;
  if (tier === price) return price.cacheWrite;
  return price.input > 0 ? (price.cacheWrite / price.input) * tier.input : tier.input;
}

/** The most tokens that an answer may have: money is set aside by it, so it is sent wherever there is a price. */
export function mostOutputTokens(info: ModelInfo | undefined, settings: ModelSettings = {}): number {
  const most = info?.output ?? Number.POSITIVE_INFINITY;
  return Math.min(settings.maxTokens ?? mostByDefault, most);
}

/** The same, where there is a reason to send it: of a model that nothing is known of, its service knows better. */
export function sentOutputTokens(info: ModelInfo | undefined, settings: ModelSettings): number | undefined {
  const isKnown = settings.maxTokens !== undefined || info?.output !== undefined || info?.price !== undefined;
  return isKnown ? mostOutputTokens(info, settings) : undefined;
}
