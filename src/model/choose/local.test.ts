import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { closedPort } from '../../../test/closed-port.ts';
import { manualClock } from '../../sys/index.ts';
import { llamaAnswers, ollamaAnswers, type TestServer, testModels, testServer } from './choose-kit.ts';
import { askLocal } from './local.ts';
import { localAddresses } from './local-address.ts';
import { createModels } from './models.ts';

const open: TestServer[] = [];

async function serving(...args: Parameters<typeof testServer>) {
  const server = await testServer(...args);
  open.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const ask = (name: 'ollama' | 'llamacpp' | 'lmstudio', port: number) =>
  // What a server of a test says must not depend on how busy the machine is.
  askLocal({ name, address: `http://127.0.0.1:${port}` }, { fetch, clock: manualClock() });

async function ports(more: { ollama?: number; llamacpp?: number } = {}) {
  const nobody = closedPort;
  return { ollama: nobody, llamacpp: nobody, lmstudio: nobody, ...more };
}

describe('servers of this machine', () => {
  it('say what they serve: Ollama', async () => {
    const { port } = await serving(
      ollamaAnswers({ 'qwen3:8b': { tools: true, context: 40_960 }, 'gemma:2b': { tools: false, context: 8192 } }),
    );
    expect(await ask('ollama', port)).toMatchObject({
      isRunning: true,
      models: [
        { id: 'qwen3:8b', context: 40_960, hasTools: true },
        { id: 'gemma:2b', context: 8192, hasTools: false },
      ],
    });
  });

  it('say what they serve: llama.cpp', async () => {
    const { port } = await serving(llamaAnswers('models/qwen.gguf', 32_768, true));
    expect((await ask('llamacpp', port)).models).toEqual([{ id: 'models/qwen.gguf', context: 32_768, hasTools: true }]);
  });

  it('say what they serve: LM Studio', async () => {
    const data = [
      { id: 'qwen3-4b', type: 'llm', max_context_length: 40_960, capabilities: ['tool_use'] },
      { id: 'nomic', type: 'embeddings' },
      { id: 'plain', type: 'llm', max_context_length: 4096 },
    ];
    const { port } = await serving((path) => (path === '/api/v0/models' ? { object: 'list', data } : undefined));
    expect((await ask('lmstudio', port)).models).toEqual([
      { id: 'qwen3-4b', context: 40_960, hasTools: true },
      { id: 'plain', context: 4096, hasTools: false },
    ]);
  });

  it('that are something else are not taken for them', async () => {
    const { port } = await serving((path) =>
      path === '/v1/models' ? { data: [{ id: 'x', owned_by: 'vllm' }] } : '<html>',
    );
    for (const name of ['ollama', 'llamacpp', 'lmstudio'] as const)
      expect((await ask(name, port)).isRunning).toBe(false);
  });

  it('may answer anything at all', async () => {
    const json = fc.jsonValue();
    await fc.assert(
      fc.asyncProperty(json, json, async (a, b) => {
        const answer = async (url: unknown) => new Response(JSON.stringify(String(url).endsWith('s') ? a : b));
        for (const name of ['ollama', 'llamacpp', 'lmstudio'] as const) {
          const server = await askLocal(
            { name, address: 'http://x' },
            { fetch: answer as typeof fetch, clock: manualClock() },
          );
          expect(Array.isArray(server.models)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('that answer without end are not listened to for ever', async () => {
    let taken = 0;
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          taken++;
          controller.enqueue(new Uint8Array(1_000_000));
        },
      });
    const fetch = async () => new Response(endless());
    const server = await askLocal({ name: 'ollama', address: 'http://x' }, { fetch, clock: manualClock() });
    expect(server.isRunning).toBe(false);
    expect(taken).toBeLessThan(10);
  });

  it('that do not answer are waited for a moment, all at once', async () => {
    const clock = manualClock();
    const aborted: string[] = [];
    const silent = (url: string | URL | Request, init?: RequestInit) =>
      new Promise<Response>((_, reject) => {
        init?.signal?.addEventListener('abort', () => {
          aborted.push(String(url));
          reject(new Error('aborted'));
        });
      });
    const models = createModels({ env: {}, settings: { models: { aliases: {}, default: [] } }, clock, fetch: silent });
    const found = models.find('nobody-has-this');
    while (clock.sleeping() < 4) await new Promise((next) => setImmediate(next));
    await clock.advance(300);
    expect(await found).toMatchObject({ ok: false, problem: { kind: 'unknown-model' } });
    expect(aborted).toHaveLength(4);
    expect(clock.sleeping()).toBe(0);
  });

  it('are sent no key', async () => {
    const server = await serving(ollamaAnswers({ 'a:1': { tools: true, context: 1 } }));
    const env = { OPENAI_API_KEY: 'sk-secret', OLLAMA_API_KEY: 'sk-secret' };
    await testModels({ env, ports: await ports({ ollama: server.port }) }).list();
    expect(server.asked.length).toBeGreaterThan(1);
    expect(JSON.stringify(server.headers)).not.toMatch(/sk-secret|authorization|cookie/);
  });

  it('are not asked where a name cannot be theirs', async () => {
    let asked = 0;
    const fetch = async () => {
      asked++;
      return new Response('{}');
    };
    const models = testModels({ env: { OPENAI_API_KEY: 'k' }, fetch });
    for (const ref of ['openai/gpt-5', 'gpt-5', 'anthropic/claude-opus-5', 'scripted', 'openai', ''])
      await models.find(ref);
    await models.choose();
    expect(asked).toBe(0);
  });
});

describe('models of this machine', () => {
  it('are found by their server, or by their name alone, and cost nothing', async () => {
    const ollama = await serving(ollamaAnswers({ 'qwen3:latest': { tools: true, context: 40_960 } }));
    const llamacpp = await serving(llamaAnswers('models/phi.gguf', 4096, false));
    const models = testModels({ ports: await ports({ ollama: ollama.port, llamacpp: llamacpp.port }) });
    const qwen = {
      ref: 'ollama/qwen3:latest',
      provider: 'ollama',
      id: 'qwen3:latest',
      endpoint: `http://127.0.0.1:${ollama.port}/v1`,
      keyEnv: [],
      tools: 'native',
      info: { context: 40_960, price: { input: 0, output: 0 } },
    };
    expect(await models.find('ollama/qwen3:latest')).toEqual({ ok: true, notes: [], model: qwen });
    expect(await models.find('ollama/qwen3')).toMatchObject({ model: qwen });
    expect(await models.find('qwen3')).toMatchObject({ model: qwen });
    expect(await models.find('models/phi.gguf')).toMatchObject({
      model: { ref: 'llamacpp/models/phi.gguf', tools: 'text' },
    });
  });

  it('that a server does not have suggest the closest', async () => {
    const { port } = await serving(ollamaAnswers({ 'qwen3:8b': { tools: true, context: 1 } }));
    const found = await testModels({ ports: await ports({ ollama: port }) }).find('ollama/qwen3:9b');
    expect(found).toMatchObject({ ok: false, problem: { kind: 'unknown-model', code: 'TOO7101' } });
    expect(found).toMatchObject({ problem: { help: 'It has qwen3:8b. "ollama pull qwen3:9b" fetches it.' } });
    expect(JSON.stringify(found)).toContain('Did you mean \\"ollama/qwen3:8b\\"?');
  });

  it('whose server does not run say where it was looked for', async () => {
    const nobody = await ports();
    const found = await testModels({ ports: nobody }).find('ollama/qwen3');
    expect(found).toMatchObject({
      ok: false,
      problem: { kind: 'not-running', code: 'TOO7106', model: { ref: 'ollama/qwen3' } },
    });
    expect(JSON.stringify(found)).toContain(`http://127.0.0.1:${nobody.ollama}`);
  });
});

describe('OLLAMA_HOST', () => {
  it.each([
    ['127.0.0.1:9999', 'http://127.0.0.1:9999'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['box', 'http://box:11434'],
    [':9999', 'http://127.0.0.1:9999'],
    ['http://box', 'http://box:80'],
    ['https://box.example/', 'https://box.example:443'],
    ['https://box.example:1234/ollama/', 'https://box.example:1234/ollama'],
    ['[::1]:9999', 'http://[::1]:9999'],
    ['[::1]', 'http://[::1]:11434'],
    ['::', 'http://[::1]:11434'],
    ['fe80::1', 'http://[fe80::1]:11434'],
    // What is no address is not mended: nothing answers there, and that is said with what was written.
    ['http://ann:secret@box:99', 'http://…@box:99'],
    ['box:abc', 'http://box:abc:11434'],
    ['', 'http://127.0.0.1:11434'],
  ])('is read as Ollama reads it: %j', (text, address) => {
    expect(localAddresses({ OLLAMA_HOST: text })[0]).toEqual({ name: 'ollama', address });
  });
});
