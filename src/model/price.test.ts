import fc from 'fast-check';
import { expect, test } from 'vitest';
import { costOf, mostCostOf, mostOutputTokens, sentOutputTokens } from './price.ts';

const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

test('input, output and what a cache gave or took have their own prices', () => {
  expect(costOf({ inputTokens: 1_000_000, outputTokens: 1_000_000 }, price)).toBeCloseTo(18, 12);
  const usage = { inputTokens: 1000, outputTokens: 0, cacheReadTokens: 600, cacheWriteTokens: 300 };
  expect(costOf(usage, price)).toBeCloseTo((100 * 3 + 600 * 0.3 + 300 * 3.75) / 1e6, 15);
});

test('without a price of its own cached input costs what other input does', () => {
  const usage = { inputTokens: 1000, outputTokens: 10, cacheReadTokens: 600, cacheWriteTokens: 300 };
  expect(costOf(usage, { input: 2, output: 8 })).toBeCloseTo((1000 * 2 + 10 * 8) / 1e6, 15);
});

test('above the limit all of the call costs more, at the limit it does not', () => {
  const long = { ...price, long: { above: 200_000, input: 6, output: 22.5, cacheRead: 0.6 } };
  expect(costOf({ inputTokens: 200_000, outputTokens: 100 }, long)).toBeCloseTo((200_000 * 3 + 1500) / 1e6, 12);
  expect(costOf({ inputTokens: 200_001, outputTokens: 100 }, long)).toBeCloseTo((200_001 * 6 + 2250) / 1e6, 12);
  const cached = { inputTokens: 300_000, outputTokens: 0, cacheReadTokens: 100_000, cacheWriteTokens: 100_000 };
  expect(costOf(cached, long)).toBeCloseTo((100_000 * (6 + 0.6 + 7.5)) / 1e6, 12);
});

test('no count of tokens makes a cost below nothing or counts a token twice', () => {
  const count = fc.nat(2_000_000);
  const usage = fc.record({
    inputTokens: count,
    outputTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
  });
  fc.assert(
    fc.property(usage, (given) => {
      const cost = costOf(given, price);
      expect(cost).toBeGreaterThanOrEqual(0);
      expect(cost).toBeLessThanOrEqual((given.inputTokens * 3.75 + given.outputTokens * 15) / 1e6 + 1e-9);
    }),
  );
});

test('the most tokens of an answer: what is asked for, as far as the model can; 16,384 where nobody says', () => {
  expect(mostOutputTokens(undefined)).toBe(16_384);
  expect(mostOutputTokens({ output: 4096 })).toBe(4096);
  expect(mostOutputTokens({ output: 128_000 })).toBe(16_384);
  expect(mostOutputTokens({ output: 128_000 }, { maxTokens: 64_000 })).toBe(64_000);
  expect(mostOutputTokens({ output: 8192 }, { maxTokens: 64_000 })).toBe(8192);
});

test('it is sent wherever money is set aside by it', () => {
  expect(sentOutputTokens(undefined, {})).toBeUndefined();
  expect(sentOutputTokens({ context: 4096 }, {})).toBeUndefined();
  expect(sentOutputTokens({ price }, {})).toBe(16_384);
  expect(sentOutputTokens(undefined, { maxTokens: 7 })).toBe(7);
  // A server here may have less room than that, and nobody pays for it.
  expect(sentOutputTokens({ price: { input: 0, output: 0 } }, {})).toBeUndefined();
  expect(sentOutputTokens({ price: { input: 0, output: 1 } }, {})).toBe(16_384);
});

test('what a call can cost is unknown where the price is', () => {
  expect(mostCostOf({ context: 1000 }, { inputTokens: 10 })).toBeUndefined();
  expect(mostCostOf(undefined, { inputTokens: 10 })).toBeUndefined();
  expect(mostCostOf({ price: { input: 0, output: 0 } }, { inputTokens: 10 })).toBe(0);
});

test('what a call can cost is never less than what it costs then, whatever price is published', () => {
  const rate = fc.double({ min: 0, max: 100, noNaN: true });
  const rates = fc.record(
    { input: rate, output: rate, cacheRead: rate, cacheWrite: rate },
    { requiredKeys: ['input', 'output'] },
  );
  const prices = fc.tuple(rates, fc.option(fc.tuple(rates, fc.nat(500_000))));
  const tokens = fc.nat(500_000);
  fc.assert(
    fc.property(prices, tokens, tokens, tokens, fc.nat(16_384), ([base, more], input, read, written, outputTokens) => {
      const given = more === null ? base : { ...base, long: { ...more[0], above: more[1] } };
      const usage = { inputTokens: input, outputTokens, cacheReadTokens: read, cacheWriteTokens: written };
      const most = mostCostOf({ price: given }, { inputTokens: input }) ?? 0;
      expect(most * (1 + 1e-12) + 1e-12).toBeGreaterThanOrEqual(costOf(usage, given));
    }),
  );
});
