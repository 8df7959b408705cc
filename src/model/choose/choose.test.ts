import { afterEach, describe, expect, it } from 'vitest';
import { closedPort } from '../../../test/closed-port.ts';
import { catalogProviders, loadCatalog } from '../catalog/index.ts';
import { ollamaAnswers, type TestServer, testModels, testServer } from './choose-kit.ts';
import { providerNamed, providers } from './providers.ts';

const servers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('several models', () => {
  it('stay in their order, those without a key with the reason', async () => {
    const models = testModels({ env: { OPENAI_API_KEY: 'k' } });
    const { candidates, problem, from } = await models.choose(['anthropic/claude-opus-5', 'openai/gpt-5']);
    expect(from).toBe('named');
    expect(problem).toBeUndefined();
    expect(candidates.map(({ ref, ok }) => [ref, ok])).toEqual([
      ['anthropic/claude-opus-5', false],
      ['openai/gpt-5', true],
    ]);
    expect(candidates[0]).toMatchObject({ problem: { kind: 'no-key', model: { ref: 'anthropic/claude-opus-5' } } });
  });

  it('of which one is misspelt are a mistake, whichever else there is', async () => {
    const { problem, candidates } = await testModels({ env: { OPENAI_API_KEY: 'k' } }).choose([
      'openai/gpt-5',
      'opnai/gpt-5',
    ]);
    expect(problem).toMatchObject({ kind: 'unknown-provider', ref: 'opnai/gpt-5' });
    expect(candidates).toHaveLength(2);
  });

  it('of which none can be used say why of each', async () => {
    const { problem } = await testModels().choose(['openai/gpt-5', 'ollama/qwen3']);
    expect(problem).toMatchObject({ kind: 'none', code: 'TOO7107' });
    expect(problem?.message).toContain('OPENAI_API_KEY is not set');
    expect(problem?.message).toContain('nothing answers as ollama');
  });

  it('may be one: then its problem is the problem', async () => {
    expect((await testModels().choose(['openai/gpt-5'])).problem).toMatchObject({ kind: 'no-key' });
  });
});

describe('without a name', () => {
  it('the models of the configuration are meant', async () => {
    const models = testModels({
      env: { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' },
      defaults: ['anthropic/claude-opus-5'],
    });
    const choice = await models.choose();
    expect(choice).toMatchObject({
      from: 'config',
      candidates: [{ ok: true, model: { ref: 'anthropic/claude-opus-5' } }],
    });
  });

  it('those of the configuration that cannot be used do not become others', async () => {
    const choice = await testModels({ env: { OPENAI_API_KEY: 'k' }, defaults: ['anthropic/claude-opus-5'] }).choose([]);
    expect(choice.problem).toMatchObject({ kind: 'no-key' });
    expect(choice.candidates).toHaveLength(1);
  });

  it('it is the model of the first provider with a key', async () => {
    const env = { DEEPSEEK_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' };
    const choice = await testModels({ env }).choose();
    expect(choice).toMatchObject({
      from: 'default',
      candidates: [{ ok: true, model: { ref: 'anthropic/claude-sonnet-5' } }],
    });
  });

  it('and without a key, what runs here, best with tools of its own', async () => {
    const server = await testServer(
      ollamaAnswers({ 'a:1': { tools: false, context: 1 }, 'b:1': { tools: true, context: 1 } }),
    );
    servers.push(server);
    const nobody = closedPort;
    const choice = await testModels({ ports: { ollama: server.port, llamacpp: nobody, lmstudio: nobody } }).choose();
    expect(choice.candidates).toMatchObject([{ ok: true, model: { ref: 'ollama/b:1' } }]);
  });

  it('and without anything, says what to do', async () => {
    const { problem, candidates } = await testModels().choose();
    expect(candidates).toEqual([]);
    expect(problem).toMatchObject({ kind: 'none', code: 'TOO7107' });
    for (const word of ['OPENAI_API_KEY', 'GEMINI_API_KEY', 'Ollama', 'script']) expect(problem?.help).toContain(word);
  });
});

describe('providers', () => {
  it('have a model each that the catalog knows, with its price, its tools and its longest answer', async () => {
    expect(providers.map(({ name }) => name)).toEqual(catalogProviders);
    for (const { name, model } of providers) {
      const row = (await loadCatalog(name)).named(model);
      expect([name, row?.tools, typeof row?.price?.input, typeof row?.output]).toEqual([
        name,
        true,
        'number',
        'number',
      ]);
    }
    expect(providerNamed('nobody')).toBeUndefined();
  });
});

describe('a list', () => {
  it('has aliases, one model of each provider, and what runs here, with what can be used', async () => {
    const server = await testServer(ollamaAnswers({ 'a:1': { tools: true, context: 8192 } }));
    servers.push(server);
    const nobody = closedPort;
    const aliases = { fast: { ref: 'openai/gpt-5-nano' }, broken: { ref: 'nobody-has-this' } };
    const models = testModels({
      env: { OPENAI_API_KEY: 'sk-secret' },
      aliases,
      ports: { ollama: server.port, llamacpp: nobody, lmstudio: nobody },
    });
    const list = await models.list();
    expect(list.models.map(({ ref, alias, status }) => [ref, alias, status])).toEqual([
      ['openai/gpt-5-nano', 'fast', 'usable'],
      ['broken', 'broken', 'wrong'],
      ...providers.map(({ name, model }) => [`${name}/${model}`, undefined, name === 'openai' ? 'usable' : 'no-key']),
      ['ollama/a:1', undefined, 'usable'],
    ]);
    expect(list.providers.map(({ name, status }) => `${name} ${status}`)).toEqual([
      ...providers.map(({ name }) => `${name} ${name === 'openai' ? 'usable' : 'no-key'}`),
      'ollama usable',
      'llamacpp not-running',
      'lmstudio not-running',
    ]);
    expect(JSON.stringify(list)).not.toContain('sk-secret');
  });

  it('of all has what the catalog knows', async () => {
    const { models } = await testModels().list({ all: true });
    expect(models.length).toBeGreaterThan(500);
    expect(new Set(models.map(({ ref }) => ref)).size).toBe(models.length);
    expect(models.every(({ status }) => status === 'no-key')).toBe(true);
  });
});
