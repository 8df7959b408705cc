/** Seed rules about models: the order of preference, when the next one is asked, and who is never put in the place of one. */
import { describe, expect, it } from 'vitest';
import type { FakeAnswer } from '../fake-models/answer.ts';
import { closedAddress } from '../fake-models/server.ts';
import { useKit } from './kit.ts';

const kit = useKit();
const hello = 'thunk:\n  models = anthropic/claude-sonnet-4-5, openai/gpt-5\n';
const script = 'replies[1]:\n  - for: a\n    text: From the script.\n';

async function two(first: readonly FakeAnswer[], env: Record<string, string | undefined> = {}, source = hello) {
  const [anthropic, openai] = await Promise.all([
    kit.fake('anthropic', { answers: first }),
    kit.fake('openai-responses', { answers: [{ text: 'From the second.' }] }),
  ]);
  kit.s.write('a.too', source);
  const ran = await kit.s.cli(['a.too', 'x'], { env: { ...anthropic.env, ...openai.env, ...env } });
  return { ...ran, asked: [anthropic.requests.length, openai.requests.length] };
}

describe('models = a, b is a preference order with failover', () => {
  it('the first is asked, and the second is not', async () => {
    const ran = await two([{ text: 'From the first.' }]);
    expect(ran).toMatchObject({ code: 0, out: 'From the first.\n', asked: [1, 0] });
    expect(ran.err).toContain('model: anthropic/claude-sonnet-4-5, openai/gpt-5');
  });

  it.each(['rate', 'server', 'unavailable', 'overloaded', 'html', 'drop'] as const)(
    'before the first token, on %s',
    async (fails) => {
      const ran = await two([{ fails }]);
      expect(ran).toMatchObject({ code: 0, out: 'From the second.\n', asked: [expect.any(Number), 1] });
    },
  );

  it('on a connection that is refused', async () => {
    const ran = await two([], { ANTHROPIC_BASE_URL: closedAddress });
    expect(ran).toMatchObject({ code: 0, out: 'From the second.\n', asked: [0, 1] });
  });

  it('on a missing key, which is told', async () => {
    const ran = await two([], { ANTHROPIC_API_KEY: undefined });
    expect(ran).toMatchObject({ code: 0, out: 'From the second.\n', asked: [0, 1] });
    expect(ran.err).toContain('anthropic/claude-sonnet-4-5 is passed over');
    expect(ran.err).toContain('ANTHROPIC_API_KEY is not set');
  });

  it.each(['auth', 'context', 'forbidden'] as const)(
    'but not on %s, which another model does not mend',
    async (fails) => {
      const ran = await two([{ fails }]);
      expect(ran).toMatchObject({ code: 1, asked: [1, 0] });
    },
  );

  it('nor after the first token', async () => {
    const ran = await two([{ text: 'Half of an answer', chunk: 4, breaks: { after: 5, by: 'cut' } }]);
    expect(ran).toMatchObject({ code: 1, asked: [1, 0] });
  });
});

describe('without models', () => {
  it('[models] default of the configuration is asked', async () => {
    kit.s.write('.toolang/config.toml', '[models]\ndefault = ["openai/gpt-5"]\n');
    const ran = await two([{ text: 'unasked' }], {}, 'thunk:\n  user: Hi.\n');
    expect(ran).toMatchObject({ code: 0, out: 'From the second.\n', asked: [0, 1] });
  });

  it('else a script beside the source where no key is found, said in the first line', async () => {
    kit.s.write('a.too', 'thunk:\n  user: Hi.\n');
    kit.s.write('a.script.toon', script);
    const ran = await kit.s.cli(['a.too', 'x']);
    expect(ran).toMatchObject({ code: 0, out: 'From the script.\n' });
    expect(ran.err.split('\n')[0]).toContain('model: scripted (a.script.toon, no key found)');
  });

  it('with a key the provider is asked, though there is a script', async () => {
    const google = await kit.fake('google', {
      answers: [{ text: 'From Google.' }],
      models: ['gemini-2.5-flash', 'gemini-2.5-pro', 'gemini-3-pro-preview'],
    });
    kit.s.write('a.too', 'thunk:\n  user: Hi.\n');
    kit.s.write('a.script.toon', script);
    const ran = await kit.s.cli(['a.too', 'x'], { env: google.env });
    expect(google.requests.length).toBeGreaterThan(0);
    expect(ran.err).not.toContain('scripted');
    expect(ran.err).toContain('the first that can be used');
  });

  it('else nobody: the variables are named, and nothing is begun', async () => {
    kit.s.write('a.too', 'thunk:\n  user: Hi.\n');
    const ran = await kit.s.cli(['a.too', 'x']);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('OPENAI_API_KEY');
  });
});

describe('a file that names a model or a provider never falls back to a script', () => {
  it.each(['openai/gpt-5', 'gpt-5', 'anthropic/claude-sonnet-4-5, gpt-5'])(
    'models = %s without a key',
    async (models) => {
      kit.s.write('a.too', `thunk:\n  models = ${models}\n`);
      kit.s.write('a.script.toon', script);
      const ran = await kit.s.cli(['a.too', 'x']);
      expect([ran.code, ran.out]).toEqual([2, '']);
      expect(ran.err).toContain('_API_KEY');
    },
  );

  it('a service that fails is told, and the script is not asked', async () => {
    const openai = await kit.fake('openai-responses', {
      answers: [{ fails: 'server' }, { fails: 'server' }, { fails: 'server' }, { fails: 'server' }],
    });
    kit.s.write('a.too', 'thunk:\n  models = gpt-5\n');
    kit.s.write('a.script.toon', script);
    const ran = await kit.s.cli(['a.too', 'x'], { env: openai.env });
    expect([ran.code, ran.out]).toEqual([1, '']);
  });

  it('models = scripted plays the script, also with a key', async () => {
    const openai = await kit.fake('openai-responses', { answers: [{ text: 'unasked' }] });
    kit.s.write('a.too', 'thunk:\n  models = scripted\n');
    kit.s.write('a.script.toon', script);
    const ran = await kit.s.cli(['a.too', 'x'], { env: openai.env });
    expect([ran.out, openai.requests.length]).toEqual(['From the script.\n', 0]);
  });

  it('models = scripted without a script is refused with the file that is missing', async () => {
    kit.s.write('a.too', 'thunk:\n  models = scripted\n');
    const ran = await kit.s.cli(['a.too', 'x']);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('a.script.toon');
  });

  it('--script answers for every model, said in the first line', async () => {
    kit.s.write('a.too', 'thunk:\n  models = gpt-5\n');
    kit.s.write('other.toon', script);
    const ran = await kit.s.cli(['a.too', '--script', 'other.toon', 'x']);
    expect([ran.code, ran.out]).toEqual([0, 'From the script.\n']);
    expect(ran.err.split('\n')[0]).toContain('scripted (other.toon');
  });
});

describe('--models is the most that may be asked', () => {
  it.each([
    ['openai/*', [0, 1]],
    ['[provider:openai]', [0, 1]],
    ['anthropic/claude-sonnet-4-5', [1, 0]],
  ])('%s', async (ceiling, asked) => {
    const [anthropic, openai] = await Promise.all([
      kit.fake('anthropic', { answers: [{ fails: 'rate' }] }),
      kit.fake('openai-responses', { answers: [{ text: 'Yes.' }] }),
    ]);
    kit.s.write('a.too', hello);
    await kit.s.cli(['a.too', '--models', ceiling, 'x'], { env: { ...anthropic.env, ...openai.env } });
    expect([anthropic.requests.length, openai.requests.length]).toEqual(asked);
  });
});
