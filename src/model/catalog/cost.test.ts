import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelCall } from '../model.ts';
import { costOf, mostCostOf, mostOutputOf } from './cost.ts';
import { mostTokens, mostTokensOf } from './tokens.ts';

const price = {
  input: 2,
  output: 10,
  cacheRead: 0.2,
  cacheWrite: 2.5,
  long: { above: 200_000, input: 4, output: 15, cacheRead: 0.4, cacheWrite: 5 },
};

describe('what a call costs', () => {
  it('is by a million tokens, those of the cache apart', () => {
    expect(costOf({ inputTokens: 1000, outputTokens: 100 }, price)).toBeCloseTo(0.003, 12);
    const usage = { inputTokens: 1000, outputTokens: 0, cacheReadTokens: 600, cacheWriteTokens: 300 };
    expect(costOf(usage, price)).toBeCloseTo((100 * 2 + 600 * 0.2 + 300 * 2.5) / 1e6, 12);
  });

  it('is all dearer above the length that the price says, and not at it', () => {
    expect(costOf({ inputTokens: 200_000, outputTokens: 1 }, price)).toBeCloseTo((200_000 * 2 + 10) / 1e6, 12);
    expect(costOf({ inputTokens: 200_001, outputTokens: 1 }, price)).toBeCloseTo((200_001 * 4 + 15) / 1e6, 12);
  });

  it('takes tokens of a cache without a price as input', () => {
    const usage = { inputTokens: 1000, outputTokens: 0, cacheReadTokens: 1000 };
    expect(costOf(usage, { input: 2, output: 10 })).toBeCloseTo(0.002, 12);
  });

  it('is never less than nothing, whatever a service counts', () => {
    const usage = { inputTokens: 10, outputTokens: 0, cacheReadTokens: 1000 };
    expect(costOf(usage, price)).toBeCloseTo(0.0002, 12);
  });
});

describe('what a call can cost', () => {
  it('is unknown where the price is', () => {
    expect(mostCostOf({ context: 1000 }, { inputTokens: 10 })).toBeUndefined();
    expect(mostCostOf(undefined, { inputTokens: 10 })).toBeUndefined();
    expect(mostCostOf({ price: { input: 0, output: 0 } }, { inputTokens: 10 })).toBe(0);
  });

  it('goes by the shorter of what is allowed and what the model can write', () => {
    expect(mostOutputOf({ output: 4096 })).toBe(4096);
    expect(mostOutputOf({ output: 128_000 })).toBe(16_384);
    expect(mostOutputOf({ output: 128_000 }, 50_000)).toBe(50_000);
    expect(mostOutputOf(undefined, 100)).toBe(100);
  });

  it('is never less than what it costs then', () => {
    const tokens = fc.nat(500_000);
    fc.assert(
      fc.property(tokens, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(16_384), (input, part, outputTokens) => {
        const cacheReadTokens = Math.floor(input * part);
        const usage = { inputTokens: input, outputTokens, cacheReadTokens, cacheWriteTokens: input - cacheReadTokens };
        const most = mostCostOf({ price }, { inputTokens: input }) ?? 0;
        expect(most + 1e-12).toBeGreaterThanOrEqual(costOf(usage, price));
      }),
    );
  });
});

describe('the most tokens of a call', () => {
  const call = (content: string): ModelCall => ({ messages: [{ role: 'user', content }], settings: {} });

  it('is far above what texts have', () => {
    // Four letters a token is usual for English.
    expect(mostTokensOf('word '.repeat(1000))).toBe(2000);
    expect(mostTokensOf('漢字')).toBe(4);
    expect(mostTokensOf('🙂')).toBe(4);
    expect(mostTokensOf('')).toBe(0);
  });

  it('grows with everything that is sent', () => {
    const plain = mostTokens(call('hello'));
    const tool = { name: 'shell/run', description: 'runs', parameters: { type: 'object' } } as const;
    expect(mostTokens({ ...call('hello'), tools: [tool] })).toBeGreaterThan(plain + 20);
    expect(mostTokens({ ...call('hello'), output: { type: 'string' } })).toBeGreaterThan(plain);
    const image = { type: 'file', mediaType: 'image/png', url: 'data:,' } as const;
    expect(mostTokens({ messages: [{ role: 'user', content: [image] }], settings: {} })).toBeGreaterThan(5000);
    const far = { type: 'file', mediaType: 'application/pdf', url: 'https://example.com/a.pdf' } as const;
    expect(mostTokens({ messages: [{ role: 'user', content: [far] }], settings: {} })).toBeGreaterThan(50_000);
  });

  it('takes time in proportion to the text', () => {
    expect(mostTokens(call('x'.repeat(10_000_000)))).toBe(4_000_012);
  });
});
