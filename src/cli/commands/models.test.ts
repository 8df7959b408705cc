/** `toolang models`: what can be used now, and why the rest cannot. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../../../test/json-schema.ts';
import { ollamaAnswers } from '../../model/choose/choose-kit.ts';
import { type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const env = { OPENAI_API_KEY: 'sk-secret' };

/** Ollama, and nothing else. */
const withOllama: typeof globalThis.fetch = async (url, init) => {
  const { port, pathname } = new URL(String(url));
  if (port !== '11434') throw new TypeError('fetch failed');
  const answers = ollamaAnswers({ 'qwen3:8b': { tools: true, context: 40_960 } });
  return new Response(JSON.stringify(answers(pathname, String(init?.body ?? '')) ?? null));
};

function widest(text: string): number {
  return Math.max(...text.split('\n').map((line) => line.length));
}

describe('without words', () => {
  it('names the variable of every provider that cannot be used', async () => {
    const { code, out, err } = await s.cli(['models'], { env });
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /^model +context +\$ in +\$ out +tools +status\nopenai\/gpt-6-sol +1\.05M +2 +10 +native +usable\n/,
    );
    expect(out).toContain('  anthropic   set ANTHROPIC_API_KEY\n');
    expect(out).toContain('  google      set GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY\n');
    expect(out).toContain('  ollama      nothing answers at http://127.0.0.1:11434\n');
    expect(out).not.toMatch(/set OPENAI_API_KEY|sk-secret/);
    expect(widest(out)).toBeLessThanOrEqual(80);
  });

  it('says which name of [models] default stands for nothing', async () => {
    s.write(
      '.toolang/config.toml',
      '[models]\ndefault = ["openai/gpt-5", "fasst"]\n[models.aliases.fast]\nref = "openai/gpt-5"\n',
    );
    const { out } = await s.cli(['models'], { env });
    expect(out).toContain('[models] default: no provider is known to have a model "fasst". Did you mean "fast"?');
    s.write('.toolang/config.toml', '[models]\ndefault = ["anthropic/claude-sonnet-5", "openai/gpt-5"]\n');
    expect((await s.cli(['models'], { env })).out).not.toContain('default');
  });

  it('shows aliases with what they stand for, and what local servers have', async () => {
    const config = [
      '[models.aliases.fast]\nref = "openai/gpt-5-nano"',
      '[models.aliases.lab]\nref = "qwen"\nendpoint = "http://localhost:9/v1"\nkey_env = "LAB_KEY"',
      '[models.aliases.lost]\nref = "gpt-9000"',
    ];
    s.write('.toolang/config.toml', config.join('\n'));
    const { out } = await s.cli(['models'], { env, fetch: withOllama });
    expect(out).toMatch(/^fast = openai\/gpt-5-nano +400k +0\.05 +0\.4 +native +usable$/m);
    expect(out).toMatch(/^lab = openai-compatible\/qwen +\? +\? +\? +text +no key$/m);
    expect(out).toMatch(/^lost = gpt-9000 .* wrong$/m);
    expect(out).toMatch(/^ollama\/qwen3:8b +41k +0 +0 +native +usable$/m);
    expect(out).toContain('  "lab" cannot be used: openai-compatible needs a key, and LAB_KEY is not set.');
    expect(out).toContain('  the alias "lost": no provider is known to have a model "gpt-9000".');
    expect(out).not.toContain('ollama      nothing');
  });

  it('lists all that is known with --all, and only what is usable with --usable', async () => {
    const all = await s.cli(['models', '--all'], { env });
    expect(all.out.split('\n').length).toBeGreaterThan(500);
    const usable = await s.cli(['models', '--all', '--usable'], { env });
    const names = usable.out.split('\n').slice(1, -1);
    expect(names.length).toBeGreaterThan(20);
    expect(names.every((line) => line.startsWith('openai/') && line.endsWith('usable'))).toBe(true);
    expect(await s.cli(['models', '--usable'])).toMatchObject({ code: 0, err: 'no model can be used now\n' });
  });

  it('works without a terminal, without colours and in few columns', async () => {
    const { out } = await s.cli(['models', '--all'], { env, shown: true, columns: 50 });
    expect(out).not.toContain('\u001b');
    // A name is never cut; it has a line of its own.
    expect(out).toMatch(/^openrouter\/qwen\/qwen3-coder\n {24,} +262k/m);
  });

  it('says which variable holds no address', async () => {
    const { out } = await s.cli(['models'], { env: { ...env, OPENAI_BASE_URL: 'proxy' } });
    expect(out).toMatch(/^openai\/gpt-6-sol .* wrong$/m);
    expect(out).toContain('  openai      OPENAI_BASE_URL does not hold an address\n');
  });

  it('says what is wrong with the configuration', async () => {
    s.write('.toolang/config.toml', '[models]\ndefalt = []\n');
    expect(await s.cli(['models'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('the configuration has errors'),
    });
  });
});

describe('a model', () => {
  it('is shown in full', async () => {
    const { code, out } = await s.cli(['models', 'gpt-5.4'], { env });
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'openai/gpt-5.4',
        '  status    usable, with the key in OPENAI_API_KEY',
        '  provider  openai',
        '  id        gpt-5.4',
        '  context   1,050,000 tokens',
        '  answer    128,000 tokens at most; 16,384 where a call does not say',
        '  price     $2.5 in, $15 out, $0.25 from a cache, for a million tokens',
        '            above 271,999 tokens of input: $5 in, $22.5 out, $0.5 from a cache',
        '  tools     native',
        '',
      ].join('\n'),
    );
  });

  it('that cannot be used says why, in lines that fit', async () => {
    const { code, out } = await s.cli(['models', 'anthropic/claude-sonnet-5'], { env });
    expect(code).toBe(0);
    expect(out).toContain('ANTHROPIC_API_KEY is not');
    expect(widest(out)).toBeLessThanOrEqual(80);
  });

  it('that must be usable and is not is a problem', async () => {
    expect(await s.cli(['models', '--usable', 'anthropic/claude-sonnet-5'], { env })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('ANTHROPIC_API_KEY is not set. (TOO7105)'),
    });
    expect(await s.cli(['models', '--usable', 'gpt-5'], { env })).toMatchObject({ code: 0, err: '' });
  });

  it('that is newer than the catalog has no price', async () => {
    const { out } = await s.cli(['models', 'openai/gpt-9'], { env });
    expect(out).toContain('  price     not known\n');
    expect(out).toContain('  note      "openai/gpt-9" is not in the catalog');
  });

  it('of a local server costs nothing', async () => {
    const { out } = await s.cli(['models', 'qwen3:8b'], { fetch: withOllama });
    expect(out).toContain('ollama/qwen3:8b\n  status    usable\n');
    expect(out).toContain('  price     nothing\n');
  });

  it('that there is not suggests the closest', async () => {
    expect(await s.cli(['models', 'claude-sonet-5'], { env })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(
        /^toolang: no provider is known to have a model "claude-sonet-5"\. Did you mean "claude-sonnet-5"\? \(TOO7101\)\n/,
      ),
    });
  });
});

describe('several models', () => {
  it('are a table, with why some cannot be used', async () => {
    let asked = 0;
    const fetch = async () => {
      asked++;
      return new Response('{}');
    };
    const { out } = await s.cli(['models', 'gpt-5', 'anthropic/claude-opus-5'], { env, fetch });
    expect(out).toMatch(
      /^openai\/gpt-5 .* usable\nanthropic\/claude-opus-5 .* no key\n\nnot usable:\n {2}"anthropic\/claude-opus-5" cannot be used/m,
    );
    // Nobody wants to know of local servers.
    expect(asked).toBe(0);
  });
});

describe('selectors', () => {
  it('list what fits one of them', async () => {
    const { code, out } = await s.cli(['models', 'openai/gpt-5.6*', '[provider:deepseek]', 'xai/grok-4.6'], { env });
    expect(code).toBe(0);
    expect(out).toMatch(/^openai\/gpt-5\.6-luna /m);
    expect(out).toMatch(/^deepseek\/deepseek-v4-pro /m);
    expect(out).toMatch(/^xai\/grok-4\.6 /m);
    expect(out).not.toMatch(/^openrouter\/|^openai\/gpt-5 /m);
    expect(out).toContain('\nnot usable:\n  deepseek  set DEEPSEEK_API_KEY\n  xai       set XAI_API_KEY\n');
  });

  it('that fit nothing, or are none, are told of beside what others found', async () => {
    const { code, out, err } = await s.cli(['models', 'zzz*', '[tools:magic]', 'gpt-5'], { env });
    expect(code).toBe(2);
    expect(out).toMatch(/^openai\/gpt-5 /m);
    expect(err).toContain('no model fits "zzz*".');
    expect(err).toContain('"magic" is no tools of models. (TOO7108)');
  });
});

describe('--json', () => {
  it.each([
    [[]],
    [['--all']],
    [['openai/*', 'nobody']],
    [['[broken']],
    [['openai/gpt-5.4']],
    [['--usable']],
    [['lost', 'lab']],
  ])('has the shape of its schema: %j', async (words) => {
    const aliases =
      '[models.aliases.lab]\nref = "q"\nendpoint = "http://localhost:9/v1"\n[models.aliases.lost]\nref = "nobody"\n';
    s.write('.toolang/config.toml', aliases);
    const { out } = await s.cli(['models', ...words, '--json'], { env, fetch: withOllama });
    expect(violations(JSON.parse(out), 'models.schema.json')).toEqual([]);
    expect(out).not.toContain('sk-secret');
  });
});
