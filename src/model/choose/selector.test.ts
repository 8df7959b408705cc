import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isModelName, readModelSelector, type Selectable } from './selector.ts';

const models: readonly Selectable[] = [
  { ref: 'openai/gpt-5', provider: 'openai', id: 'gpt-5', tools: 'native', status: 'usable' },
  { ref: 'openai/o1-mini', provider: 'openai', id: 'o1-mini', tools: 'text', status: 'usable' },
  {
    ref: 'openrouter/qwen/qwen3-coder',
    provider: 'openrouter',
    id: 'qwen/qwen3-coder',
    tools: 'native',
    status: 'no-key',
  },
  { ref: 'openrouter/openai/gpt-5', provider: 'openrouter', id: 'openai/gpt-5', tools: 'native', status: 'no-key' },
  { ref: 'mine', provider: 'openai-compatible', id: 'qwen', alias: 'mine', tools: 'text', status: 'usable' },
];

function selected(text: string): string[] {
  const read = readModelSelector(text);
  if (!read.ok) throw new Error(read.message);
  return models.filter(read.selector).map(({ ref }) => ref);
}

describe('a selector of models', () => {
  it.each([
    ['*', models.map(({ ref }) => ref)],
    ['openai/*', ['openai/gpt-5', 'openai/o1-mini']],
    ['openai', ['openai/gpt-5', 'openai/o1-mini']],
    ['GPT-5', ['openai/gpt-5']],
    ['gpt*', ['openai/gpt-5']],
    ['qwen/*', ['openrouter/qwen/qwen3-coder']],
    ['mine', ['mine']],
    ['[provider:openrouter]', ['openrouter/qwen/qwen3-coder', 'openrouter/openai/gpt-5']],
    ['*/openai/*', ['openrouter/openai/gpt-5']],
    ['[provider:open*]', models.map(({ ref }) => ref)],
    ['[tools:native][status:usable]', ['openai/gpt-5']],
    ['[provider:openai] o1*', ['openai/o1-mini']],
  ])('selects: %s', (text, refs) => {
    expect(selected(text)).toEqual(refs);
  });

  it.each([
    ['', 'is empty'],
    ['[provider:opnai]', 'Did you mean "openai"?'],
    ['[provder:openai]', 'Did you mean "[provider:…]"?'],
    ['[scope:home]', 'is no condition of models'],
    ['[tools:]', 'is followed by nothing'],
    ['[tools:native', 'without its "]"'],
    ['a b', 'is no pattern'],
    ['a[b', 'is no pattern'],
  ])('that is none is told of: %j', (text, words) => {
    expect(readModelSelector(text)).toMatchObject({
      ok: false,
      code: 'TOO7108',
      message: expect.stringContaining(words),
    });
  });

  it('is read from anything', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readModelSelector(text);
        if (read.ok) models.map(read.selector);
        else expect(read.help).not.toBe('');
      }),
    );
  });

  it('is told from a name', () => {
    expect(['openai/gpt-5', 'fast', 'scripted'].every(isModelName)).toBe(true);
    expect(['openai', 'gpt*', '[tools:text]', ''].some(isModelName)).toBe(false);
  });
});
