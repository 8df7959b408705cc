import { describe, expect, it } from 'vitest';
import { toolPrompt } from '../../calls/index.ts';
import type { JsonSchema } from '../../type/index.ts';
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

  it('has room for what explains calls in text, and for what a provider wants to see again', () => {
    const parameters = {
      type: 'object' as const,
      properties: { path: { type: 'string' as const } },
      required: ['path'],
    } satisfies JsonSchema;
    for (const count of [1, 2, 40]) {
      const tools = Array.from({ length: count }, (_, n) => ({ name: `t${n}`, description: 'It reads.', parameters }));
      const { text } = toolPrompt(tools);
      expect(mostTokens({ messages: [], tools, settings: {} }, 'text')).toBeGreaterThan(mostTokensOf(text) + 200);
    }
    const meta = { parts: [{ text: 5, meta: { google: { thoughtSignature: 'x'.repeat(5000) } } }] };
    const said = { role: 'assistant', content: 'Hello', meta } as const;
    expect(mostTokens({ messages: [said], settings: {} })).toBeGreaterThan(2000);
  });

  it('takes time in proportion to the text', () => {
    expect(mostTokens(call('x'.repeat(10_000_000)))).toBe(4_000_012);
  });
});
