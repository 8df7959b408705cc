/** What calls cost, in dollars: afterwards by what was used, before by what could be used; and how long an answer may be. */
import type { ModelSettings, ModelUsage } from './model.ts';
import type { ModelInfo, ModelPrice } from './resolved.ts';

const million = 1_000_000;

/** The most tokens of an answer where nobody says how many. */
export const mostAnswerTokens = 16_384;

/**
 * Cached input counts at its own price, or, where none is published, at that of other input. Tokens that are more than all
 * input (services differ in what they count) are counted once.
 */
export function costOf(usage: Omit<ModelUsage, 'cost'>, price: ModelPrice): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const rate = rateOf(inputTokens, price);
  const read = Math.min(cacheReadTokens, inputTokens);
  const written = Math.min(cacheWriteTokens, inputTokens - read);
  const rest = inputTokens - read - written;
  return (rest * rate.input + read * rate.cacheRead + written * rate.cacheWrite + outputTokens * rate.output) / million;
}

export interface MostUsage extends ModelSettings {
  readonly inputTokens: number;
}

/** What a call can cost at most, all input at the dearest of its prices; nothing where the price is not known. */
export function mostCostOf(info: ModelInfo | undefined, { inputTokens, ...settings }: MostUsage): number | undefined {
  if (info?.price === undefined) return undefined;
  const { input, output, cacheRead, cacheWrite } = rateOf(inputTokens, info.price);
  const dearest = Math.max(input, cacheRead, cacheWrite);
  return (inputTokens * dearest + mostOutputTokens(info, settings) * output) / million;
}

/** The most tokens that an answer may have: money is set aside by it, so it is sent wherever a call costs some. */
export function mostOutputTokens(info: ModelInfo | undefined, settings: ModelSettings = {}): number {
  const most = info?.output ?? Number.POSITIVE_INFINITY;
  return Math.min(settings.maxTokens ?? mostAnswerTokens, most);
}

/** The same, where there is a reason to send it: of a model that nothing is known of, its service knows better. */
export function sentOutputTokens(info: ModelInfo | undefined, settings: ModelSettings): number | undefined {
  const { price, output } = info ?? {};
  const isPaid = price !== undefined && mostCostOf({ price }, { inputTokens: 1 }) !== 0;
  const isKnown = settings.maxTokens !== undefined || output !== undefined || isPaid;
  return isKnown ? mostOutputTokens(info, settings) : undefined;
}

type Rate = Readonly<Record<'input' | 'output' | 'cacheRead' | 'cacheWrite', number>>;

/** Of a request of so many tokens, all of it. */
function rateOf(inputTokens: number, price: ModelPrice): Rate {
  const tier = price.long !== undefined && inputTokens > price.long.above ? price.long : price;
  const { input, output, cacheRead = input, cacheWrite = longWrite(price, input) } = tier;
  return { input, output, cacheRead, cacheWrite };
}

/** Beyond the limit what is written to a cache costs more by as much as other input does, where nobody says otherwise. */
function longWrite({ input, cacheWrite }: ModelPrice, tierInput: number): number {
  return cacheWrite === undefined || input <= 0 ? tierInput : (cacheWrite / input) * tierInput;
}
