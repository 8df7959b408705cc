import { describe, expect, it } from 'vitest';
import type { ModelCall } from '../model.ts';
import { mostTokens, mostTokensOf } from './tokens.ts';

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
