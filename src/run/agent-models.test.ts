import { describe, expect, test } from 'vitest';
import { mergeConfig } from '../config/index.ts';
import { manualClock } from '../sys/index.ts';
import { createAgentModels, modelRefs } from './agent-models.ts';

const aliases = new Set(['fast', 'lab/own']);

describe('the models of an agent', () => {
  test.each([
    ['openai', {}, 'gpt-5', ['openai/gpt-5']],
    ['openai', {}, 'openai/gpt-5', ['openai/gpt-5']],
    ['openai', {}, 'anthropic/claude-sonnet-4-5', ['anthropic/claude-sonnet-4-5']],
    ['anthropic', {}, ' claude-sonnet-4-5 , openai/gpt-5,, ', ['anthropic/claude-sonnet-4-5', 'openai/gpt-5']],
    ['anthropic', {}, 'fast, lab/own', ['fast', 'lab/own']],
    ['api', { provider: 'google' }, 'gemini-3-pro', ['google/gemini-3-pro']],
    // Its own names of models have slashes: what stands before one is no provider.
    ['api', { provider: 'openrouter' }, 'anthropic/claude-sonnet-5', ['openrouter/anthropic/claude-sonnet-5']],
    ['api', { provider: 'openrouter' }, 'openrouter/qwen/qwen3-coder', ['openrouter/qwen/qwen3-coder']],
    ['api', { provider: 'groq' }, 'openai/gpt-oss-120b', ['groq/openai/gpt-oss-120b']],
    ['api', { provider: 'ollama' }, 'qwen3:8b', ['ollama/qwen3:8b']],
    ['openai', {}, '', []],
  ] as const)('%s %o "%s"', (type, fields, model, refs) => {
    expect(modelRefs({ type, fields: { ...fields, model } }, aliases)).toEqual(refs);
  });
});

describe('what is set aside for a call', () => {
  const models = createAgentModels({
    env: { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' },
    settings: mergeConfig({}).settings,
    clock: manualClock(),
  });
  const call = { messages: [{ role: 'user', content: 'Hello.' }], settings: {} } as const;
  const agent = (model: string) => ({ name: 'a', type: 'openai', fields: { model } });

  test('is that of the dearest of its models', async () => {
    const [one = 0, other = 0, both] = await Promise.all(
      ['gpt-5', 'anthropic/claude-sonnet-4-5', 'gpt-5, anthropic/claude-sonnet-4-5'].map((model) =>
        models.mostCost(agent(model), call),
      ),
    );
    expect(both).toBe(Math.max(Number(one), Number(other)));
    expect(one).toBeGreaterThan(0);
  });

  test('is not known where the price of one of them is not', async () => {
    expect(await models.mostCost(agent('gpt-5, gpt-of-tomorrow-9'), call)).toBeUndefined();
  });

  test('is less where the answer may be shorter', async () => {
    const short = await models.mostCost(agent('gpt-5'), { ...call, settings: { maxTokens: 10 } });
    expect(short).toBeLessThan(Number(await models.mostCost(agent('gpt-5'), call)));
  });
});
