/** What is known of models, in few words. */
import type { ModelPrice } from '../../model/index.ts';

/** What nobody knows. */
export const unknown = '?';

/** `400k`, `1.05M`. */
export function tokensText(tokens: number | undefined): string {
  if (tokens === undefined) return unknown;
  if (tokens < 1000) return String(tokens);
  const [size, unit] = tokens < 999_500 ? [tokens / 1000, 'k'] : [tokens / 1_000_000, 'M'];
  return `${Number(size.toFixed(size < 10 ? 2 : 0))}${unit}`;
}

/** Dollars for a million tokens, without the sign. */
export function rateText(dollars: number | undefined): string {
  return dollars === undefined ? unknown : String(Number(dollars.toPrecision(4)));
}

/** `$2 in, $10 out, $0.2 from a cache, $2.5 into it`. */
export function priceText({ input, output, cacheRead, cacheWrite }: Omit<ModelPrice, 'long'>): string {
  if (input === 0 && output === 0) return 'nothing';
  return [
    `$${rateText(input)} in`,
    `$${rateText(output)} out`,
    ...(cacheRead === undefined ? [] : [`$${rateText(cacheRead)} from a cache`]),
    ...(cacheWrite === undefined ? [] : [`$${rateText(cacheWrite)} into a cache`]),
  ].join(', ');
}

/** `1,000,000`, the same everywhere. */
export function countText(n: number): string {
  return n.toLocaleString('en-US');
}
