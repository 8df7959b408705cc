/** Workflows on models of providers, with tools: over real connections to fake services, by the commands of people. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../../src/cli/scratch.ts';
import { built } from '../built.ts';
import { type FakeModel, type FakeOptions, startFakeModel } from '../fake-models/server.ts';

let s: Scratch;
let open: FakeModel[] = [];

beforeEach(() => {
  s = scratch();
});

afterEach(async () => {
  s.remove();
  await Promise.all(open.map((fake) => fake.close()));
  open = [];
});

async function fake(kind: Parameters<typeof startFakeModel>[0], options: FakeOptions): Promise<FakeModel> {
  const started = await startFakeModel(kind, options);
  open.push(started);
  return started;
}

function workflow(
  agent: string,
  steps = '  - id: draft\n    agent: dev\n    prompt: "Do it."\n    output: string\n',
): void {
  s.write('w.toon', `name: w\ninput:\nagents:\n  dev:\n${agent.replace(/^/gm, '    ')}\nsteps[1]:\n${steps}`);
}

const env = (...fakes: FakeModel[]) => Object.assign({ USER: 'ana' }, ...fakes.map((each) => each.env));

function idIn(text: string): string {
  return /run ([0-9a-z]{4,})/.exec(text)?.[1] ?? '';
}

/** The first step of a run, as `show --json` has it. */
async function stepOf(id: string): Promise<Record<string, unknown> & { usage: { cost: number } }> {
  const shown = await s.cli(['show', '--json', id]);
  return JSON.parse(shown.out).run.nodes[0];
}

/** All that was kept of a run: the journal, as the store has it. */
function kept(): string {
  return readFileSync(s.at('.toolang/runs.db'), 'latin1') + readMaybe('.toolang/runs.db-wal');
}

function readMaybe(name: string): string {
  return existsSync(s.at(name)) ? readFileSync(s.at(name), 'latin1') : '';
}

describe('a prompt on a provider', () => {
  it('is asked, priced, and told in the first line with the limit', async () => {
    const openai = await fake('openai-responses', {
      answers: [{ text: 'Hello.', usage: { input: 1000, output: 100 } }],
    });
    workflow('type: openai\nmodel: gpt-5');
    const ran = await s.cli(['run', 'w.toon'], { env: env(openai) });
    expect(ran.err).toContain('model: openai/gpt-5, at most $1.00');
    expect(ran).toMatchObject({ code: 0, out: 'Hello.\n' });
    const step = await stepOf(idIn(ran.err));
    expect(step).toMatchObject({ model: 'openai/gpt-5', usage: { inputTokens: 1000, outputTokens: 100 } });
    expect(step.usage.cost).toBeGreaterThan(0);
  });

  it('without its key is refused before anything is begun, with the variable and the place', async () => {
    workflow('type: anthropic\nmodel: claude-sonnet-4-5');
    const ran = await s.cli(['run', 'w.toon']);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('w.toon:4:3: the agent "dev"');
    expect(ran.err).toContain('ANTHROPIC_API_KEY');
    expect((await s.cli(['runs', '--json'])).out).not.toContain('"w"');
  });

  it('of several without their keys is refused with all of their variables, in one line', async () => {
    workflow('type: anthropic\nmodel: "claude-sonnet-4-5, openai/gpt-5"');
    const ran = await s.cli(['run', 'w.toon']);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('none of the models can be used. "anthropic/claude-sonnet-4-5" cannot be used');
    expect(ran.err).toContain('OPENAI_API_KEY is not set.\n');
    expect(ran.err).not.toContain('\u240a');
  });

  it('that fails says why in the line of its step', async () => {
    const anthropic = await fake('anthropic', { answers: [] });
    workflow('type: anthropic\nmodel: claude-sonnet-4-5');
    const ran = await s.cli(['run', 'w.toon'], { env: { ...env(anthropic), ANTHROPIC_API_KEY: 'planted-key-wrong' } });
    expect(ran.err).toMatch(/✗ draft +its service does not take the key/);
  });

  it('of which the name is misspelt is refused with the closest', async () => {
    workflow('type: anthropic\nmodel: clade-sonnet-4-5');
    const ran = await s.cli(['run', 'w.toon'], { env: { ANTHROPIC_API_KEY: 'planted-key' } });
    expect(ran.err).toContain('claude-sonnet-4-5');
  });

  it('goes to the next model where the first cannot be asked, and the journal says so', async () => {
    const [anthropic, openai] = await Promise.all([
      fake('anthropic', { answers: [{ fails: 'rate' }] }),
      fake('openai-responses', { answers: [{ text: 'From the second.' }] }),
    ]);
    workflow('type: anthropic\nmodel: "claude-sonnet-4-5, openai/gpt-5"');
    const ran = await s.cli(['run', 'w.toon'], { env: env(anthropic, openai) });
    expect(ran).toMatchObject({ code: 0, out: 'From the second.\n' });
    expect(await stepOf(idIn(ran.err))).toMatchObject({
      model: 'openai/gpt-5',
      passed: [{ ref: 'anthropic/claude-sonnet-4-5', why: expect.stringContaining('429') }],
    });
    const shown = await s.cli(['show', idIn(ran.err)]);
    expect(shown.out).toContain('anthropic/claude-sonnet-4-5 could not be asked: too many requests (429)');
  });

  it('does not go to the next model after the first word', async () => {
    const [anthropic, openai] = await Promise.all([
      fake('anthropic', { answers: [{ text: 'Half of an answer', chunk: 4, breaks: { after: 5, by: 'cut' } }] }),
      fake('openai-responses', { answers: [{ text: 'From the second.' }] }),
    ]);
    workflow('type: anthropic\nmodel: "claude-sonnet-4-5, openai/gpt-5"');
    const ran = await s.cli(['run', 'w.toon'], { env: env(anthropic, openai) });
    expect(ran.code).toBe(1);
    expect(openai.requests).toHaveLength(0);
    expect(ran.err).toMatch(/cut|broke|ended/);
  });

  it('that is ended in the middle is paid for as far as it went', async () => {
    const anthropic = await fake('anthropic', {
      answers: [{ text: 'word '.repeat(400), breaks: { after: 6, by: 'stall' } }],
    });
    workflow('type: anthropic\nmodel: claude-sonnet-4-5\nidleTimeoutMs: 200');
    const ran = await s.cli(['run', 'w.toon'], { env: env(anthropic) });
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('gave no sign of life');
    expect((await stepOf(idIn(ran.err))).usage.cost).toBeGreaterThan((400 * 15) / 1e6);
  });

  it('stops at a limit in dollars before it is passed, asks, and goes on when more is given', async () => {
    const openai = await fake('openai-responses', { answers: [{ text: 'Hello.' }] });
    s.write('.toolang/config.toml', '[limits]\nusd = 0.0001\n');
    workflow('type: openai\nmodel: gpt-5');
    const ran = await s.cli(['run', 'w.toon'], { env: env(openai) });
    expect(ran.code).toBe(4);
    expect(openai.requests).toHaveLength(0);
    const answered = await s.cli(['answer', idIn(ran.err), '--add', '1'], { env: env(openai) });
    expect(answered).toMatchObject({ code: 0, out: 'Hello.\n' });
  });
});

describe("an endpoint of one's own", () => {
  const lab = (url: string, more = '') =>
    `[models.aliases.lab]\nref = "gpt-4.1"\nendpoint = "${url}"\nkey_env = "LAB_KEY"\n${more}`;

  it('without a price is refused before anything is begun, with what to write', async () => {
    const chat = await fake('openai-chat', { answers: [{ text: 'Hello.' }] });
    s.write('.toolang/config.toml', lab(chat.url));
    workflow('type: openai\nmodel: lab');
    const ran = await s.cli(['run', 'w.toon'], { env: { LAB_KEY: chat.key } });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('the price of lab is not known, so the limit of $1.00 (limits.usd) could not be kept');
    expect(ran.err).toContain('in [models.aliases.lab]: price_in and price_out');
    expect(chat.requests).toHaveLength(0);
  });

  it.each([
    ['price_in = 10\nprice_out = 100\n', 0.0011],
    ['price_in = 0\nprice_out = 0\n', 0],
  ])('is asked at the price that is said for it: %j', async (price, cost) => {
    const chat = await fake('openai-chat', { answers: [{ text: 'Hello.', usage: { input: 10, output: 10 } }] });
    s.write('.toolang/config.toml', `${lab(chat.url, price)}[limits]\nusd = 5\n`);
    workflow('type: openai\nmodel: lab');
    const ran = await s.cli(['run', 'w.toon'], { env: { LAB_KEY: chat.key } });
    expect(ran).toMatchObject({ code: 0, out: 'Hello.\n' });
    expect((await stepOf(idIn(ran.err))).usage.cost).toBeCloseTo(cost, 9);
    // What costs nothing is not cut: the server knows how much room it has.
    const { max_tokens: most } = (chat.requests[0]?.body ?? {}) as { max_tokens?: number };
    expect(most).toBe(cost === 0 ? undefined : 16_384);
  });
});

describe('several models', () => {
  it.each(['","', '" , "', '"  "'])('of which none is named are not any: %s', async (model) => {
    workflow(`type: openai\nmodel: ${model}`);
    const ran = await s.cli(['run', 'w.toon'], { env: { ANTHROPIC_API_KEY: 'planted-key-123' } });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('no model is named');
  });

  it('that are the same are asked once', async () => {
    const openai = await fake('openai-responses', { answers: [{ fails: 'rate' }, { fails: 'rate' }] });
    workflow('type: openai\nmodel: " gpt-5 ,openai/gpt-5,, gpt-5 "');
    const ran = await s.cli(['run', 'w.toon'], { env: env(openai) });
    expect(ran.code).toBe(1);
    expect(openai.requests).toHaveLength(1);
  });
});

describe('tools', () => {
  const loop = { tool: 'filesystem__read', args: { path: 'notes.txt' } };

  it('are offered, done in the folder of the workflow, and told to the model, natively and in text alike', async () => {
    s.write('notes.txt', 'The meeting is on Friday.\n');
    const native = await fake('openai-responses', { answers: [{ calls: [loop] }, { text: 'Friday.' }] });
    workflow('type: openai\nmodel: gpt-5\ntools[1]: filesystem/read');
    const ran = await s.cli(['run', 'w.toon'], { env: env(native) });
    expect(ran).toMatchObject({ code: 0, out: 'Friday.\n' });
    expect(JSON.stringify(native.requests[1]?.body)).toContain('The meeting is on Friday.');
    expect(await stepOf(idIn(ran.err))).toMatchObject({
      tools: [{ tool: 'filesystem/read', args: { path: 'notes.txt' }, status: 'done' }],
    });
    const text = await fake('ollama', {
      models: ['gemma:2b'],
      answers: [{ text: '\u{1F6E0}\uFE0F[filesystem__read notes.txt]\n\u{1F6E0}\uFE0F[/end]' }, { text: 'Friday.' }],
    });
    workflow('type: api\nprovider: ollama\nmodel: "gemma:2b"\ntools[1]: filesystem/read');
    const other = await s.cli(['run', 'w.toon'], { env: env(text) });
    expect(other).toMatchObject({ code: 0, out: 'Friday.\n' });
    expect(JSON.stringify(text.requests.at(-1)?.body)).toContain('The meeting is on Friday.');
  });

  it('that are not named cannot be called, whatever the model writes', async () => {
    const openai = await fake('openai-responses', {
      answers: [{ calls: [{ tool: 'shell__run', args: { command: 'touch made' } }] }, { text: 'No.' }],
    });
    workflow('type: openai\nmodel: gpt-5\ntools[1]: filesystem');
    const ran = await s.cli(['run', 'w.toon'], { env: env(openai) });
    expect(ran.code).toBe(0);
    expect(existsSync(s.at('made'))).toBe(false);
  });

  it('that do not exist are refused before anything is begun', async () => {
    workflow('type: openai\nmodel: gpt-5\ntools[1]: filesytem');
    const ran = await s.cli(['run', 'w.toon'], { env: { OPENAI_API_KEY: 'planted-key-123' } });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('names the tool "filesytem", which does not exist. Did you mean "filesystem"?');
  });

  it('that somebody must allow wait for that: the process ends, and another one answers and goes on', async () => {
    const answers = [
      { calls: [{ tool: 'shell__run', args: { command: 'echo pushed > made' } }] },
      { text: 'It is pushed.' },
    ];
    const openai = await fake('openai-responses', { answers });
    s.write('.toolang/config.toml', '[permissions]\nask = ["shell"]\n');
    workflow('type: openai\nmodel: gpt-5\ntools[1]: shell');
    const ran = await program(['run', 'w.toon'], env(openai));
    expect(ran.code).toBe(3);
    expect(ran.err).toContain('shell/run: echo pushed > made');
    expect(existsSync(s.at('made'))).toBe(false);
    const id = idIn(ran.err);
    const shown = await s.cli(['show', id]);
    expect(shown.out).toContain('command: echo pushed > made');
    expect(shown.out).toContain(`approve ${id}`);
    const approved = await program(['approve', id], env(openai));
    expect(approved).toMatchObject({ code: 0, out: 'It is pushed.\n' });
    expect(s.read('made')).toBe('pushed\n');
    expect(openai.requests).toHaveLength(2);
  });

  it('that are denied are told to the model, which goes on', async () => {
    const openai = await fake('openai-responses', {
      answers: [{ calls: [{ tool: 'shell__run', args: { command: 'touch made' } }] }, { text: 'Then not.' }],
    });
    s.write('.toolang/config.toml', '[permissions]\nask = ["shell"]\n');
    workflow('type: openai\nmodel: gpt-5\ntools[1]: shell');
    const id = idIn((await s.cli(['run', 'w.toon'], { env: env(openai) })).err);
    const denied = await s.cli(['deny', id, '--note', 'not today'], { env: env(openai) });
    expect(denied).toMatchObject({ code: 0, out: 'Then not.\n' });
    expect(JSON.stringify(openai.requests[1]?.body)).toContain('This call was not allowed by ana: not today');
    expect(existsSync(s.at('made'))).toBe(false);
  });

  it('end the run with a clear error at the limit of calls', async () => {
    const read = { calls: [loop] };
    const openai = await fake('openai-responses', { answers: [read, read, read, { text: 'never' }] });
    s.write('.toolang/config.toml', '[limits]\ntool_calls = 2\n');
    workflow('type: openai\nmodel: gpt-5\ntools[1]: filesystem');
    const ran = await s.cli(['run', 'w.toon'], { env: env(openai) });
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('2 tool calls (limits.tool_calls)');
  });
});

describe('secrets', () => {
  it('of the environment, of headers and of .env files are in no journal, log or error, and no child sees them', async () => {
    const planted = {
      OPENAI_API_KEY: 'planted-key-of-openai-0123456789',
      MY_SERVICE_TOKEN: 'planted-token-of-a-header-42',
      DATABASE_URL: 'postgres://me:planted-password-7@localhost/x',
    };
    s.write('.env', 'API_SECRET=planted-secret-of-a-file-99\n');
    const openai = await fake('openai-responses', {
      key: planted.OPENAI_API_KEY,
      answers: [
        { calls: [{ tool: 'shell__run', args: { command: 'env; cat .env; echo $OPENAI_API_KEY' } }] },
        { calls: [{ tool: 'filesystem__read', args: { path: '.env' } }] },
        { text: 'Done.' },
      ],
    });
    workflow('type: openai\nmodel: gpt-5\ntools[2]: shell,filesystem');
    const ran = await s.cli(['run', 'w.toon'], { env: { ...env(openai), ...planted, PATH: process.env.PATH } });
    expect(ran.code).toBe(0);
    const id = idIn(ran.err);
    const logs = await s.cli(['logs', id]);
    const shown = await s.cli(['show', '--json', id]);
    const sent = JSON.stringify(openai.requests.map(({ body }) => body));
    expect(sent).toContain('API_SECRET=');
    for (const text of [sent, logs.out, shown.out, ran.err, ran.out, kept()]) {
      expect(text).not.toMatch(/planted-(?:key|token|password|secret)/);
    }
  });

  it('of keys that an alias names are secrets too, whatever their variables are called', async () => {
    const openai = await fake('openai-chat', { key: 'planted-lab-value-123456', answers: [{ text: 'Hello.' }] });
    s.write(
      '.toolang/config.toml',
      `[models.aliases.lab]\nref = "gpt-4.1"\nprovider = "openai-compatible"\nendpoint = "${openai.url}"\nkey_env = "MY_LAB"\nprice_in = 0\nprice_out = 0\n`,
    );
    s.write(
      'w.toon',
      "name: w\ninput:\nagents:\n  dev:\n    type: openai\n    model: lab\nsteps[2]:\n  - id: draft\n    agent: dev\n    prompt: \"Do it.\"\n    output: string\n  - id: look\n    run: \"return { seen: process.env.MY_LAB ?? 'nothing', made: ['planted-lab', 'value-123456'].join('-') }\"\n    output:\n      seen: string\n      made: string\n",
    );
    const ran = await s.cli(['run', 'w.toon'], { env: { MY_LAB: 'planted-lab-value-123456', PATH: process.env.PATH } });
    expect(ran.code, ran.err).toBe(0);
    expect(JSON.parse(ran.out).seen).toBe('nothing');
    expect(ran.out).not.toContain('planted-lab-value-123456');
    expect(kept()).not.toContain('planted-lab-value-123456');
  });
});

/** The program as it is published, as a process of its own. */
async function program(args: readonly string[], variables: Record<string, string>) {
  const child = spawn(process.execPath, [join(built(), 'cli.cjs'), ...args], {
    cwd: s.dir,
    env: { PATH: process.env.PATH, HOME: s.home, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const [code] = await once(child, 'close');
  return { code, out, err };
}
