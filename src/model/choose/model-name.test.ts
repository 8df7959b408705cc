import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadConfig, mergeConfig } from '../../config/index.ts';
import { createSource } from '../../text/index.ts';
import { modelNameProblem } from './model-name.ts';
import { providerNames } from './providers.ts';

const config = '[models.aliases."odd/one"]\nref = "openai/gpt-5"\n';
const { settings } = mergeConfig({ root: loadConfig(createSource('config.toml', config)).layer });
const kindOf = async (name: string) => (await modelNameProblem(name, settings))?.kind;

it('a model of a known provider is right, however new; so are names of catalogs, aliases and scripted', async () => {
  for (const name of [
    'openai/gpt-5',
    'openai/gpt-99',
    'ollama/qwen3',
    'openrouter/a/b',
    'gpt-5',
    'scripted',
    'odd/one',
  ])
    expect([name, await kindOf(name)]).toEqual([name, undefined]);
});

it('an unknown provider, a provider alone, and a selector are problems; what was meant is told', async () => {
  expect(await modelNameProblem('opnai/gpt-5', settings)).toMatchObject({
    kind: 'unknown-provider',
    meant: 'openai/gpt-5',
  });
  expect(await kindOf('anthropic')).toBe('malformed');
  expect(await kindOf('anthropic/')).toBe('malformed');
  expect(await kindOf('openai-compatible')).toBe('malformed');
  expect(await kindOf('openai/gpt*')).toBe('ambiguous');
  expect(await kindOf('')).toBe('malformed');
});

it('a bare name that no catalog has may be that of a server of one’s own', async () => {
  expect(await kindOf('my-model:latest')).toBe('unknown-model');
});

it('whatever stands behind a known provider is a model of it, if it is one word', async () => {
  const id = fc.stringMatching(/^[^\s*[\]]+$/);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...providerNames), id, async (provider, name) => {
      expect(await kindOf(`${provider}/${name}`)).toBeUndefined();
    }),
  );
});
