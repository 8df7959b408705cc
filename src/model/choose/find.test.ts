import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testModels } from './choose-kit.ts';
import type { FoundModel } from './lookup.ts';

const allKeys = {
  OPENAI_API_KEY: 'sk-secret-1',
  ANTHROPIC_API_KEY: 'sk-secret-2',
  OPENROUTER_API_KEY: 'sk-secret-3',
  GEMINI_API_KEY: 'k',
};

function modelOf(found: FoundModel) {
  if (!found.ok) throw new Error(found.problem.message);
  return found.model;
}

function problemOf(found: FoundModel) {
  if (found.ok) throw new Error(`found ${found.model.ref}`);
  return found.problem;
}

describe('a model of a provider', () => {
  it('is found with what is known of it', async () => {
    const found = await testModels({ env: allKeys }).find('anthropic/claude-sonnet-5');
    expect(found).toEqual({
      ok: true,
      notes: [],
      model: {
        ref: 'anthropic/claude-sonnet-5',
        provider: 'anthropic',
        id: 'claude-sonnet-5',
        keyEnv: ['ANTHROPIC_API_KEY'],
        tools: 'native',
        info: { context: 1_000_000, output: 128_000, price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 } },
      },
    });
  });

  it('may have slashes in its id', async () => {
    const model = modelOf(await testModels({ env: allKeys }).find('openrouter/qwen/qwen3-coder'));
    expect(model).toMatchObject({
      ref: 'openrouter/qwen/qwen3-coder',
      provider: 'openrouter',
      id: 'qwen/qwen3-coder',
      tools: 'native',
    });
  });

  it('keeps its id as it is written, in whichever letters', async () => {
    expect(modelOf(await testModels({ env: allKeys }).find('openai/GPT-5'))).toMatchObject({
      id: 'GPT-5',
      info: { output: 128_000 },
    });
  });

  it('that is newer than the catalog is taken as it is, without a price, and a note says so', async () => {
    const found = await testModels({ env: allKeys }).find('openai/gpt-5.4-mino');
    expect(modelOf(found)).toEqual({
      ref: 'openai/gpt-5.4-mino',
      provider: 'openai',
      id: 'gpt-5.4-mino',
      keyEnv: ['OPENAI_API_KEY'],
      tools: 'native',
    });
    expect(found).toMatchObject({
      notes: [
        '"openai/gpt-5.4-mino" is not in the catalog: its price, its limits and its tools are not known. "openai/gpt-5.4-mini" is known.',
      ],
    });
  });

  it('of a router calls tools in text where nobody says that it has its own', async () => {
    expect(modelOf(await testModels({ env: allKeys }).find('openrouter/acme/new-model')).tools).toBe('text');
  });

  it('of which nobody says whether it has tools of its own says so', async () => {
    const models = testModels({ env: allKeys, aliases: { old: { ref: 'openai/gpt-3.5-turbo', tools: 'text' } } });
    expect(await models.find('openai/gpt-3.5-turbo')).toMatchObject({
      model: { tools: 'native' },
      notes: ['whether "openai/gpt-3.5-turbo" has tools of its own is not known; it is taken as if it had.'],
    });
    expect(await models.find('old')).toMatchObject({ model: { tools: 'text' }, notes: [] });
  });

  it('without its key names the variable, and keeps what was found', async () => {
    const problem = problemOf(await testModels({ env: { GEMINI_API_KEY: '  ' } }).find('google/gemini-3.8-flash'));
    expect(problem).toMatchObject({ kind: 'no-key', code: 'TOO7105', ref: 'google/gemini-3.8-flash' });
    expect(problem.message).toBe(
      '"google/gemini-3.8-flash" cannot be used: google needs a key, and GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY is not set.',
    );
    expect(problem.model).toMatchObject({ provider: 'google', id: 'gemini-3.8-flash' });
  });

  it('is at the address that the environment says', async () => {
    const at = async (env: Record<string, string>, ref: string) => {
      return modelOf(await testModels({ env: { ...allKeys, ...env } }).find(ref)).endpoint;
    };
    expect(await at({}, 'openai/gpt-5')).toBeUndefined();
    expect(await at({ OPENAI_BASE_URL: 'https://proxy.example/v1/' }, 'openai/gpt-5')).toBe('https://proxy.example/v1');
    expect(await at({ ANTHROPIC_BASE_URL: 'http://localhost:9' }, 'anthropic/claude-opus-5')).toBe(
      'http://localhost:9/v1',
    );
    expect(await at({ ANTHROPIC_BASE_URL: 'https://api.anthropic.com' }, 'anthropic/claude-opus-5')).toBeUndefined();
    expect(await at({ GOOGLE_GEMINI_BASE_URL: 'http://localhost:9/' }, 'google/gemini-2.5-pro')).toBe(
      'http://localhost:9/v1beta',
    );
    const problem = problemOf(await testModels({ env: { ...allKeys, OPENAI_BASE_URL: 'proxy' } }).find('openai/gpt-5'));
    expect(problem).toMatchObject({ kind: 'malformed', code: 'TOO7103' });
    expect(problem.message).toContain('OPENAI_BASE_URL does not hold an address');
    const secret = await testModels({ env: { ...allKeys, OPENAI_BASE_URL: 'https://a:sk-secret@b/v1' } }).find(
      'openai/gpt-5',
    );
    expect(secret).toMatchObject({ ok: false, problem: { kind: 'malformed' } });
    expect(JSON.stringify(secret)).not.toContain('sk-secret');
  });
});

describe('a bare name', () => {
  it('is the model of the first provider that has it and can be used', async () => {
    expect(modelOf(await testModels({ env: allKeys }).find('claude-opus-5')).ref).toBe('anthropic/claude-opus-5');
    expect(modelOf(await testModels({ env: allKeys }).find('claude-3-5-sonnet-20241022')).ref).toBe(
      'anthropic/claude-3-5-sonnet-20241022',
    );
    // The first that has it has no key.
    const env = { GROQ_API_KEY: 'k', MISTRAL_API_KEY: 'k' };
    expect(modelOf(await testModels({ env }).find('llama-3.3-70b-versatile')).ref).toBe('groq/llama-3.3-70b-versatile');
  });

  it('that nobody with a key has says which key would do', async () => {
    const problem = problemOf(await testModels().find('gpt-5'));
    expect(problem).toMatchObject({ kind: 'no-key', model: { ref: 'openai/gpt-5' } });
    expect(problem.message).toContain('OPENAI_API_KEY is not set');
  });

  it('that nobody has suggests the closest', async () => {
    const problem = problemOf(await testModels({ env: allKeys }).find('claude-opus5'));
    expect(problem).toMatchObject({ kind: 'unknown-model', code: 'TOO7101' });
    expect(problem.message).toBe('no provider is known to have a model "claude-opus5". Did you mean "claude-opus-5"?');
    expect(problemOf(await testModels().find('scriptd')).message).toContain('Did you mean "scripted"?');
    expect(problemOf(await testModels().find('zzzzzzzzzzzz')).message).not.toContain('Did you mean');
  });

  it('of a provider is no model', async () => {
    const problem = problemOf(await testModels({ env: allKeys }).find('openai'));
    expect(problem).toMatchObject({
      kind: 'malformed',
      code: 'TOO7103',
      message: '"openai" names a provider and no model.',
    });
    expect(problemOf(await testModels({ env: allKeys }).find('anthropic/')).help).toContain(
      'Write anthropic/claude-sonnet-5',
    );
    expect(problemOf(await testModels({ env: allKeys }).find('openai-compatible')).kind).toBe('malformed');
  });
});

describe('what is no name', () => {
  it.each([
    ['', 'malformed'],
    ['   ', 'malformed'],
    ['openai/gpt 5', 'malformed'],
    ['openai/*', 'ambiguous'],
    ['[provider:openai]', 'ambiguous'],
    ['openai-compatible/x', 'malformed'],
    ['opnai/gpt-5', 'unknown-provider'],
    ['/gpt-5', 'unknown-provider'],
    ['toString/x', 'unknown-provider'],
    ['__proto__', 'unknown-model'],
  ])('is told of: %j', async (ref, kind) => {
    const problem = problemOf(await testModels({ env: allKeys }).find(ref));
    expect(problem.kind).toBe(kind);
    expect(problem.message.endsWith('.') || problem.message.endsWith('?')).toBe(true);
  });

  it('suggests the provider that was meant, or the router that has it', async () => {
    const models = testModels({ env: allKeys });
    expect(problemOf(await models.find('opnai/gpt-5')).message).toContain('Did you mean "openai/gpt-5"?');
    expect(problemOf(await models.find('qwen/qwen3-coder')).message).toContain(
      'Did you mean "openrouter/qwen/qwen3-coder"?',
    );
  });

  it('never throws, never guesses, and never shows a key', async () => {
    const models = testModels({ env: allKeys });
    const part = fc.constantFrom('openai', 'gpt-5', '/', '*', '[', ' ', ':', '..', 'é', '\u0000', 'ollama', 'scripted');
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.array(part, { maxLength: 6 }).map((parts) => parts.join('')),
        ),
        async (ref) => {
          const found = await models.find(ref);
          expect(JSON.stringify(found)).not.toContain('sk-secret');
          if (found.ok) expect([ref.trim(), `${found.model.provider}/${ref.trim()}`]).toContain(found.model.ref);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('may be huge', async () => {
    const problem = problemOf(await testModels({ env: allKeys }).find('x'.repeat(1_000_000)));
    expect(problem.message.length).toBeLessThan(500);
  });
});

describe('an alias', () => {
  const aliases = {
    fast: { ref: 'openai/gpt-5-nano' },
    'gpt-5': { ref: 'anthropic/claude-opus-5' },
    mine: { ref: 'qwen-32b', endpoint: 'http://localhost:9000/v1/', key_env: 'MY_KEY', headers: { 'X-Team': '$TEAM' } },
    open: { ref: 'qwen-32b', endpoint: 'http://localhost:9000/v1', tools: 'native' as const },
    proxy: { ref: 'openai/gpt-5', endpoint: 'https://proxy.example/v1' },
    named: { ref: 'qwen/qwen3-coder', provider: 'openrouter', tools: 'text' as const },
    bare: { ref: 'claude-opus-5', tools: 'text' as const },
    lost: { ref: 'x', provider: 'opnrouter' },
    nowhere: { ref: 'x', provider: 'openai-compatible' },
    twice: { ref: 'fast' },
    secret: { ref: 'x', endpoint: 'https://ann:sk-secret-4@host/v1' },
    other: { ref: 'x', endpoint: 'ftp://host/v1' },
    keyed: { ref: 'gpt-5-nano', key_env: 'MY_KEY' },
    'team/best': { ref: 'openai/gpt-5' },
  };
  const models = testModels({ env: allKeys, aliases });

  it('stands for a model, before all else', async () => {
    expect(modelOf(await models.find('fast'))).toMatchObject({
      ref: 'openai/gpt-5-nano',
      alias: 'fast',
      tools: 'native',
    });
    expect(modelOf(await models.find('gpt-5')).ref).toBe('anthropic/claude-opus-5');
    expect(modelOf(await models.find('team/best')).ref).toBe('openai/gpt-5');
    expect(modelOf(await models.find('named'))).toMatchObject({ ref: 'openrouter/qwen/qwen3-coder', tools: 'text' });
    expect(modelOf(await models.find('bare'))).toMatchObject({
      ref: 'anthropic/claude-opus-5',
      alias: 'bare',
      tools: 'text',
    });
  });

  it('with an endpoint is that of somebody who speaks as OpenAI does', async () => {
    expect(modelOf(await models.find('open'))).toEqual({
      ref: 'open',
      alias: 'open',
      provider: 'openai-compatible',
      id: 'qwen-32b',
      endpoint: 'http://localhost:9000/v1',
      keyEnv: [],
      tools: 'native',
    });
    const problem = problemOf(await models.find('mine'));
    expect(problem).toMatchObject({
      kind: 'no-key',
      model: { endpoint: 'http://localhost:9000/v1', headers: { 'X-Team': '$TEAM' }, tools: 'text' },
    });
    expect(problem.message).toContain('MY_KEY is not set');
  });

  it('with an endpoint of its own gets no key that it does not name', async () => {
    expect(modelOf(await models.find('proxy'))).toMatchObject({
      ref: 'proxy',
      provider: 'openai',
      id: 'gpt-5',
      keyEnv: [],
      endpoint: 'https://proxy.example/v1',
    });
  });

  it.each([
    ['lost', 'unknown-provider', 'Did you mean "openrouter"?'],
    ['nowhere', 'malformed', 'has no endpoint'],
    ['twice', 'malformed', 'which is an alias too'],
    ['keyed', 'malformed', 'has a key and no provider'],
    ['secret', 'malformed', 'is no address that can be asked'],
    ['other', 'malformed', 'is no address that can be asked'],
  ])('that is wrong is told of: %s', async (name, kind, words) => {
    const problem = problemOf(await models.find(name));
    expect(problem.kind).toBe(kind);
    expect(problem.message).toContain(words);
    expect(JSON.stringify(problem)).not.toContain('sk-secret');
  });
});

describe('scripted', () => {
  it('needs nothing', async () => {
    expect(modelOf(await testModels().find('scripted'))).toEqual({
      ref: 'scripted',
      provider: 'scripted',
      id: 'scripted',
      keyEnv: [],
      tools: 'native',
    });
  });
});

describe('the price of an alias', () => {
  const lab = { ref: 'qwen3', endpoint: 'http://127.0.0.1:9999/v1' };
  const find = async (alias: object) => testModels({ env: allKeys, aliases: { lab: alias as never } }).find('lab');

  it('is what it says, also nothing, and is then not said to be unknown', async () => {
    const found = await find({ ...lab, price_in: 0.5, price_out: 1.5, max_tokens: 4096 });
    expect(found).toMatchObject({ ok: true, notes: [] });
    expect(modelOf(found).info).toEqual({ price: { input: 0.5, output: 1.5 }, output: 4096 });
    expect(modelOf(await find({ ...lab, price_in: 0, price_out: 0 })).info?.price).toEqual({ input: 0, output: 0 });
  });

  it('goes before what is published, and leaves the rest of it', async () => {
    const model = modelOf(await find({ ref: 'anthropic/claude-sonnet-5', price_in: 1, price_out: 5 }));
    expect(model.info).toEqual({ context: 1_000_000, output: 128_000, price: { input: 1, output: 5 } });
  });

  it('may be that of a bare name and of one that the catalog does not have', async () => {
    expect(modelOf(await find({ ref: 'claude-sonnet-5', price_in: 1, price_out: 5 })).info?.price?.input).toBe(1);
    const found = await find({ ref: 'openai/gpt-99', price_in: 1, price_out: 5 });
    expect(modelOf(found).info?.price?.input).toBe(1);
    expect(found.ok && found.notes.join()).not.toContain('price');
  });

  it('is both of its halves', async () => {
    expect(problemOf(await find({ ...lab, price_in: 1 }))).toMatchObject({
      kind: 'malformed',
      message: 'the alias "lab" has price_in and no price_out.',
      help: expect.stringContaining('[models.aliases.lab]'),
    });
    expect(problemOf(await find({ ...lab, price_out: 1 })).message).toContain('no price_in');
  });
});

it('what stands behind the "?" of an address is shown by no list', async () => {
  const env = { ...allKeys, OPENAI_BASE_URL: 'https://host?key=planted-query-secret' };
  const alias = { ref: 'x', endpoint: 'https://h/v1?key=planted-query-secret' };
  const models = testModels({ env, aliases: { lab: alias } });
  expect(JSON.stringify(await models.list())).not.toContain('planted-query-secret');
  expect(modelOf(await models.find('openai/gpt-5')).endpoint).toBe('https://host?key=planted-query-secret');
});
