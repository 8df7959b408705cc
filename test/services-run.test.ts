/** Services in runs: agents of workflows call real MCP servers, over standard streams and http, by the commands of people. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../src/cli/scratch.ts';
import { openSqliteStore } from '../src/journal/index.ts';
import { type FakeModel, type FakeOptions, startFakeModel } from './fake-models/server.ts';
import { type FakeHttp, fakeHttp } from './fake-services/http.ts';
import { isAlive, rudeFile, stdioFile } from './fake-services/kit.ts';
import { fakeOAuth } from './fake-services/oauth.ts';
import { createHub } from './hub.ts';

let s: Scratch;
const open: { close: () => Promise<void> | void }[] = [];

beforeEach(() => {
  s = scratch();
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
  s.remove();
});

function kept<T extends { close: () => Promise<void> | void }>(made: T): T {
  open.push(made);
  return made;
}

const node = `'${process.execPath}'`;
const path = { PATH: process.env.PATH ?? '' };

/** A target is a value of YAML, in which a quote has a meaning of its own. */
function stdio(words: string): string[] {
  return ['transport: stdio', `target: ${JSON.stringify(`${node} ${words}`)}`];
}

function capText(lines: readonly string[]): string {
  return ['---', 'description: Used in tests.', ...lines, '---', 'Text.', ''].join('\n');
}

function service(name: string, ...lines: string[]): void {
  s.write(`.toolang/services/${name}.md`, capText(lines));
}

function command(name: string, words = `'${stdioFile}'`, ...more: string[]): void {
  service(name, ...stdio(words), ...more);
}

function workflow(tools: string, agent = 'type: scripted'): void {
  const names = tools.split(',');
  s.write(
    'w.toon',
    `name: w\ninput:\nagents:\n  dev:\n${`${agent}\ntools[${names.length}]: ${tools}`.replace(/^/gm, '    ')}\nsteps[1]:\n  - id: draft\n    agent: dev\n    prompt: "Do it."\n    output: string\n`,
  );
}

type Call = string | readonly [tool: string, args: object];

/** Turns of calls; then the last word. */
function script(...turns: (readonly Call[])[]): void {
  const entries = turns.map((calls) => {
    const items = calls.map((call) => {
      const [tool, args] = typeof call === 'string' ? [call, {}] : call;
      return `      - tool: ${JSON.stringify(tool)}\n        raw: ${JSON.stringify(JSON.stringify(args))}\n`;
    });
    return `  - for: draft\n    calls[${items.length}]:\n${items.join('')}`;
  });
  s.write('w.script.toon', `replies[${entries.length + 1}]:\n${entries.join('')}  - for: draft\n    text: Done.\n`);
}

interface ToolResult {
  readonly text: string;
  readonly isError?: true;
  readonly code?: string;
}

async function run(env: Record<string, string> = {}) {
  const ran = await s.cli(['run', 'w.toon'], { env: { ...path, USER: 'ana', ...env } });
  return { ...ran, id: /run ([0-9a-z]{4,})/.exec(ran.err)?.[1] ?? '', ...journal() };
}

/** What the last run left: what tools came to, what was offered, and all as text. */
function journal(): { results: ToolResult[]; offered: string[]; text: string; bytes: number } {
  if (!existsSync(s.at('.toolang/runs.db'))) return { results: [], offered: [], text: '', bytes: 0 };
  const store = openSqliteStore(s.at('.toolang/runs.db'));
  try {
    const last = store.runs({ roots: true })[0];
    const events = last === undefined ? [] : [...store.events(last.id)];
    const text = JSON.stringify(events);
    return {
      results: events.flatMap(({ body }) => (body.kind === 'tool.answered' ? [body.result as never] : [])),
      offered: events.flatMap(({ node: of = '', body }) =>
        body.kind === 'node.done' && of.endsWith('/tools#1')
          ? (body.output as { tools: { name: string }[] }).tools.map(({ name }) => name)
          : [],
      ),
      text,
      bytes: text.length,
    };
  } finally {
    store.close();
  }
}

/** The processes of services that work in the folder of the test. */
function servers(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      if (!/^\d+$/.test(name) || !readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('fake-services')) return [];
      return readFileSync(`/proc/${name}/environ`, 'utf8').includes(`HOME=${s.home}\0`) && isAlive(Number(name))
        ? [Number(name)]
        : [];
    } catch {
      return [];
    }
  });
}

describe('a service of the home', () => {
  it('gives an agent its tools; whatever they come to is told, and the run goes on', async () => {
    command('fake');
    workflow('fake');
    script(
      [['fake/echo', { text: 'hä? 😀' }], ['fake/add', { a: 2, b: 3 }], 'fake/fail', 'fake/throw'],
      [['fake/add', { a: 'x' }], 'fake/die', ['fake/echo', { text: 'again' }]],
    );
    const ran = await run();
    expect(ran).toMatchObject({ code: 0, out: 'Done.\n' });
    const [echo, add, fail, thrown, wrong, die, again] = ran.results;
    expect(echo).toEqual({ text: 'hä? 😀' });
    expect(add).toEqual({ text: '{"sum":5}' });
    expect(fail).toEqual({ text: 'failed: the cat is on the keyboard', isError: true, code: 'failed' });
    expect(thrown).toMatchObject({ isError: true, code: 'failed' });
    expect(wrong).toMatchObject({ isError: true, code: 'failed' });
    expect(die).toMatchObject({
      isError: true,
      code: 'failed',
      text: expect.stringContaining('exit code 3 in the middle'),
    });
    expect(again).toEqual({ text: 'again' });
    expect(servers()).toEqual([]);
  });

  it('over http, with a header of a variable; its value is nowhere', async () => {
    const secret = 'planted-header-value-0123';
    const http: FakeHttp = kept(
      await fakeHttp({
        before: ({ headers }) =>
          headers.get('authorization') === `Bearer ${secret}` ? undefined : new Response('', { status: 401 }),
      }),
    );
    service('tracker', 'transport: http', `target: ${http.url}`, 'headers:', '  Authorization: Bearer $TRACK_WORD');
    workflow('tracker');
    script([
      ['tracker/echo', { text: 'hello' }],
      ['tracker/echo', { text: `it is ${secret}` }],
    ]);
    const ran = await run({ TRACK_WORD: secret });
    expect(ran).toMatchObject({ code: 0, out: 'Done.\n', results: [{ text: 'hello' }, { text: expect.any(String) }] });
    expect(JSON.stringify(ran.results)).not.toContain(secret);
    const wrong = await run({ TRACK_WORD: 'planted-other-value-9' });
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain('the server refuses its "Authorization" header (401)');
    for (const text of [ran.err, wrong.err, wrong.text]) expect(text).not.toMatch(/planted-(header|other)/);
  });

  it('that asks for a login is used after "service login"', async () => {
    const server = kept(await fakeOAuth());
    service('diary', 'transport: http', `target: ${server.url}`);
    workflow('diary/echo');
    script([['diary/echo', { text: 'dear diary' }]]);
    const before = await run();
    expect(before.code).toBe(1);
    expect(before.err).toContain('run "toolang service login diary"');
    const browser = s.write('browser.mjs', 'await (await fetch(process.argv[2])).text();\n');
    chmodSync(s.write('browser', `#!/bin/sh\nexec ${node} '${browser}' "$1"\n`), 0o755);
    await s.cli(['service', 'login', 'diary'], { env: { ...path, BROWSER: './browser' } });
    const ran = await run();
    expect(ran).toMatchObject({ code: 0, results: [{ text: 'dear diary' }] });
    expect(server.given.length).toBeGreaterThan(0);
    for (const token of server.given) expect(ran.text).not.toContain(token);
  });

  it('of which one tool is named offers that one alone', async () => {
    command('fake');
    workflow('fake/echo');
    script([
      ['fake/echo', { text: 'a' }],
      ['fake/add', { a: 1, b: 2 }],
    ]);
    const ran = await run();
    expect(ran).toMatchObject({ code: 0, offered: ['fake/echo'], results: [{ text: 'a' }] });
    expect(ran.text).not.toContain('"sum"');
  });

  it('that has no tool of that name stops the run before a model is asked, with the closest', async () => {
    command('fake');
    workflow('fake/ecco');
    script();
    const ran = await run();
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('"fake" has no tool "ecco". Did you mean "fake/echo"?');
    expect(ran.text).not.toContain('model.asked');
  });

  it('has 500 tools, beside another that has the same', async () => {
    command('many', `'${stdioFile}' both 490`);
    command('other');
    workflow('many,other');
    script([
      ['many/more_490', {}],
      ['other/echo', { text: 'from other' }],
      ['many/echo', { text: 'from many' }],
    ]);
    const ran = await run();
    expect(ran.code).toBe(0);
    expect(ran.results.map(({ text }) => text).sort()).toEqual(['from many', 'from other', 'number 490']);
    expect(ran.offered.filter((name) => name.endsWith('/echo'))).toEqual(['many/echo', 'other/echo']);
    expect(ran.offered.length).toBeGreaterThan(500);
  });

  it('keeps its offer for a conversation, and a tool that has gone is told', async () => {
    command('fake');
    workflow('fake');
    script(['fake/grow', 'fake/late'], ['fake/lose', ['fake/add', { a: 1, b: 2 }]], [['fake/echo', { text: 'on' }]]);
    const ran = await run();
    expect(ran.code).toBe(0);
    const [grown, lost, gone, on] = ran.results;
    expect([grown, lost, on]).toEqual([{ text: 'grown' }, { text: 'lost' }, { text: 'on' }]);
    expect(gone).toMatchObject({ isError: true });
    expect(gone?.text).toMatch(/no tool "add"/);
    // What came later was not offered, and is not called.
    expect(ran.offered).not.toContain('fake/late');
    expect(ran.text).not.toContain('"here"');
  });

  it('that gives more than a message may hold, or than a model is given, leaves a small journal', async () => {
    command('fake');
    workflow('fake');
    script([
      ['fake/huge', { bytes: 5_000_000 }],
      ['fake/huge', { bytes: 20_000_000 }],
      ['fake/echo', { text: 'on' }],
    ]);
    const ran = await run();
    expect(ran.code).toBe(0);
    const [cut, refused, on] = ran.results;
    expect(cut?.text.length).toBeLessThan(70_000);
    expect(refused).toMatchObject({ isError: true, code: 'too-large' });
    expect(on).toEqual({ text: 'on' });
    expect(ran.bytes).toBeLessThan(200_000);
  });

  it('that never answers is left when the time of the step is over, and ended', async () => {
    command('fake');
    workflow('fake');
    s.write('w.toon', s.read('w.toon').replace('    output: string', '    timeout: 3s\n    output: string'));
    script([['fake/slow', { id: 'one' }]]);
    const ran = await run();
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/not done within|took longer/);
    expect(servers()).toEqual([]);
  });
});

describe('what a service needs', () => {
  it('and is not set is told before anything begins', async () => {
    command('fake', `'${stdioFile}'`, 'env: FAKE_WORD, FAKE_OTHER');
    workflow('fake/echo,fake/add');
    script();
    const ran = await run({ FAKE_OTHER: 'x' });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('w.toon:4:3: the agent "dev" names the service "fake", which cannot be used');
    expect(ran.err.match(/the environment variable FAKE_WORD is not set/g)).toHaveLength(1);
    expect(ran.text).toBe('[]');
  });

  it('is given to it, and nothing else; its values are in no journal, log or error', async () => {
    const env = {
      FAKE_WORD: 'planted-word-of-a-service',
      OPENAI_API_KEY: 'planted-key-of-a-model-1',
      OTHER_THING: 'planted-thing-that-is-not-named',
    };
    command('fake', `'${stdioFile}'`, 'env: FAKE_WORD');
    workflow('fake');
    script(['fake/env', ['fake/echo', { text: 'planted-word-of-a-service' }], 'fake/die']);
    const ran = await run(env);
    expect(ran.code).toBe(0);
    const seen = JSON.parse(ran.results[0]?.text ?? '{}') as Record<string, string>;
    expect(Object.keys(seen)).toContain('FAKE_WORD');
    expect(Object.keys(seen)).not.toContain('OPENAI_API_KEY');
    expect(Object.keys(seen)).not.toContain('OTHER_THING');
    const [logs, shown] = await Promise.all([s.cli(['logs', ran.id]), s.cli(['show', '--json', ran.id])]);
    const results = JSON.stringify(ran.results);
    for (const text of [results, ran.err, logs.out, shown.out, stored()]) {
      expect(text).not.toMatch(/planted-(key|thing)/);
    }
    // What the model wrote itself is the model's; what the service gave is without it.
    expect(results).not.toContain('planted-word');
  });

  it('is the folder of the workflow, wherever it is run from', async () => {
    command('fake');
    workflow('fake/where');
    script(['fake/where']);
    s.write('below/x', '');
    const ran = await run();
    expect(JSON.parse(ran.results[0]?.text ?? '{}')).toMatchObject({ cwd: s.dir });
  });

  it('is the same for steps in worktrees: one server for a run', async () => {
    command('fake');
    s.write('.gitignore', '.toolang\n');
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: s.dir });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
    workflow('fake/where');
    const step = s.read('w.toon').split('steps[1]:\n')[1]?.replace(/^/gm, '    ').trimEnd();
    const tree = `  - kind: worktree\n    id: tree\n    path: ../tree\n    branch: work\n    children[1]:\n${step}\n`;
    s.write('w.toon', `${s.read('w.toon').split('steps[1]:\n')[0]}steps[1]:\n${tree}`);
    script(['fake/where'], ['fake/where']);
    const ran = await run();
    expect(ran.code).toBe(0);
    const [first, second] = ran.results.map(({ text }) => JSON.parse(text) as { cwd: string; pid: number });
    expect(first).toMatchObject({ cwd: s.dir });
    expect(second).toEqual(first);
  });

  it('came by a reference, and counts only as it was synced', async () => {
    const hub = kept(createHub());
    hub.commit('acme/services', { 'fake.md': capText(stdio(`'${stdioFile}'`)) });
    s.write('.toolang/config.toml', '[services]\nfake = { ref = "github://acme/services/fake.md@main" }\n');
    workflow('fake/echo');
    script([['fake/echo', { text: 'from afar' }]]);
    const env = { ...(hub.env as Record<string, string>) };
    const before = await run(env);
    expect(before.code).toBe(2);
    expect(before.err).toContain('which cannot be used: it was not synced yet: toolang sync');
    const synced = await s.cli(['sync', '--yes'], { env: { ...path, ...env } });
    expect(synced).toMatchObject({ code: 0 });
    expect(await run(env)).toMatchObject({ code: 0, results: [{ text: 'from afar' }] });

    const file = '.toolang/sync/wired/services/fake.md';
    s.write(file, s.read(file).replace('Text.', 'Other text.'));
    const changed = await run(env);
    expect(changed.code).toBe(2);
    expect(changed.err).toContain('is not what was synced: "fake.md" was changed. Run "toolang sync"');
    const doctor = await s.cli(['doctor'], { env: { ...path, ...env } });
    expect(doctor.out).toMatch(/fail +service fake +.*is not what was synced/);
    await s.cli(['sync'], { env: { ...path, ...env } });
    expect(await run(env)).toMatchObject({ code: 0 });
  });

  it('and its own name is one of a built-in set: the set is meant, and doctor and check say so', async () => {
    command('web');
    const checked = await s.cli(['check', '.toolang']);
    expect(`${checked.out}${checked.err}`).toContain('TOO5238');
    expect((await s.cli(['doctor'], { env: path })).out).toMatch(/warn +service web +"web" is a built-in set of tools/);
    workflow('web');
    script();
    expect(await run()).toMatchObject({ code: 0, offered: ['web/fetch'] });
  });
});

describe('permissions', () => {
  it('of a service are asked for by its name, and denied by theirs', async () => {
    command('fake');
    s.write('.toolang/config.toml', '[permissions]\nask = ["fake/*"]\ndeny = ["fake/add"]\n');
    workflow('fake');
    script(
      [
        ['fake/add', { a: 1, b: 2 }],
        ['fake/echo', { text: 'asked' }],
      ],
      [['fake/echo', { text: 'denied' }]],
    );
    const ran = await run();
    expect(ran.code).toBe(3);
    expect(ran.results[0]).toMatchObject({ isError: true, code: 'denied' });
    expect(ran.err).toContain('fake/echo');
    expect(servers()).toEqual([]);
    expect(await s.cli(['approve', ran.id], { env: { ...path, USER: 'ana' } })).toMatchObject({ code: 3 });
    const done = await s.cli(['deny', ran.id, '--note', 'no more'], { env: { ...path, USER: 'ana' } });
    expect(done).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(journal().results.filter((each) => !('ask' in each))).toEqual([
      expect.objectContaining({ code: 'denied' }),
      { text: 'asked' },
    ]);
    expect(journal().text).toContain('"note":"no more"');
  });
});

describe('on a provider', () => {
  async function fake(options: FakeOptions): Promise<FakeModel> {
    return kept(await startFakeModel('openai-responses', options));
  }

  it('odd and long names go over the wire and come back', async () => {
    command('odd-service.of_some', `'${rudeFile}' odd`);
    workflow('odd-service.of_some', 'type: openai\nmodel: gpt-5');
    const first = await fake({ answers: [{ text: 'Done.' }] });
    const listed = await run(first.env);
    expect(listed.code).toBe(0);
    const names =
      (first.requests[0]?.body as { tools?: { name: string }[] } | undefined)?.tools?.map(({ name }) => name) ?? [];
    expect(new Set(names).size).toBe(listed.offered.length);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    const odd = names[listed.offered.findIndex((name) => name.includes('weird'))] ?? '';
    const openai = await fake({ answers: [{ calls: [{ tool: odd, args: {} }] }, { text: 'Done.' }] });
    const ran = await run(openai.env);
    expect(ran).toMatchObject({ code: 0, out: 'Done.\n', results: [{ text: expect.stringMatching(/^\d+$/) }] });
  });

  it('two services with the same tool are two tools', async () => {
    command('one');
    command('two');
    workflow('one/echo,two/echo', 'type: openai\nmodel: gpt-5');
    const calls = ['one__echo', 'two__echo'].map((tool) => ({ tool, args: { text: tool } }));
    const openai = await fake({ answers: [{ calls }, { text: 'Done.' }] });
    const ran = await run(openai.env);
    // They change nothing, so they are done side by side.
    expect(ran.code).toBe(0);
    expect(ran.results.map(({ text }) => text).sort()).toEqual(['one__echo', 'two__echo']);
  });
});

/** All that the store has. */
function stored(): string {
  return readdirSync(s.at('.toolang'))
    .filter((name) => name.startsWith('runs.db'))
    .map((name) => readFileSync(join(s.at('.toolang'), name), 'latin1'))
    .join('');
}
