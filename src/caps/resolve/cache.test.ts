/** What the cache answers, how often repositories are asked, and what happens to it when things go wrong. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHub, type Hub } from '../../../test/hub.ts';
import { sweepStores } from '../git/store.ts';
import { resolveAll } from './resolve.ts';
import type { Resolved, ResolveOptions, Target, Wanted } from './target.ts';

const hubs: Hub[] = [];

function newHub(): Hub {
  const hub = createHub();
  hubs.push(hub);
  return hub;
}

afterAll(() => {
  for (const hub of hubs) hub.close();
});

const ref = 'github://acme/caps/a@main';

type Options = Partial<ResolveOptions> & { readonly locked?: Target; readonly ref?: string };

async function resolveOne(hub: Hub, { locked, ref: written = ref, ...options }: Options = {}): Promise<Resolved> {
  const wanted: Wanted = { key: 'k', kind: 'prompt', ref: written, ...(locked && { locked }) };
  const only = (await resolveAll([wanted], { cache: hub.cache, env: hub.env, ...options })).get('k');
  if (!only) throw new Error('there is no answer');
  return only;
}

function targetOf(resolved: Resolved): Target {
  if (!resolved.ok) throw new Error(resolved.problem.message);
  return resolved.target;
}

function textOf(resolved: Resolved): string {
  return resolved.ok ? new TextDecoder().decode(resolved.files[0]?.bytes) : resolved.problem.message;
}

/** Those of the commands that go over the network. */
function asked(hub: Hub): string[] {
  return hub.commands().flatMap((line) => /\b(ls-remote|fetch)\b/.exec(line.replace(/-c \S+/g, ''))?.[1] ?? []);
}

describe('a lock', () => {
  test('keeps a tag where it was; without it the tag is followed', async () => {
    const hub = newHub();
    hub.commit('acme/caps', { 'a.md': 'old' }, { tags: ['v1'] });
    const at = 'github://acme/caps/a@v1';
    const locked = targetOf(await resolveOne(hub, { ref: at }));
    hub.commit('acme/caps', { 'a.md': 'new' }, { tags: ['v1'] });
    expect(textOf(await resolveOne(hub, { ref: at, locked }))).toBe('old');
    expect(textOf(await resolveOne(hub, { ref: at, locked, cache: `${hub.cache}2` }))).toBe('old');
    expect(textOf(await resolveOne(hub, { ref: at }))).toBe('new');
  });

  test('needs no network for what was fetched, even where the repository is gone', async () => {
    const hub = newHub();
    hub.commit('acme/caps', { 'a.md': 'A' });
    const locked = targetOf(await resolveOne(hub, { ref: 'acme/caps/a' }));
    expect(asked(hub)).toEqual(['ls-remote', 'fetch', 'fetch']);
    hub.remove('acme/caps');
    expect(textOf(await resolveOne(hub, { ref: 'acme/caps/a', locked }))).toBe('A');
    expect(textOf(await resolveOne(hub, { ref: 'acme/caps/a', locked, offline: true }))).toBe('A');
    expect(asked(hub)).toEqual([]);
    expect(await resolveOne(hub, { ref: 'acme/caps/a' })).toMatchObject({ problem: { code: 'TOO5316' } });
    expect(await resolveOne(hub, { locked, cache: `${hub.cache}2` })).toMatchObject({ problem: { code: 'TOO5311' } });
  });

  test('a commit that is written in full is one', async () => {
    const hub = newHub();
    const commit = hub.commit('acme/caps', { 'a.md': 'A' });
    const full = { ref: `github://acme/caps/a@${commit}` };
    await resolveOne(hub, full);
    expect(asked(hub)).toEqual(['fetch', 'fetch']);
    expect(textOf(await resolveOne(hub, { ...full, offline: true }))).toBe('A');
    expect(asked(hub)).toEqual([]);
  });

  test('of a commit that is gone is told so', async () => {
    const hub = newHub();
    hub.commit('acme/caps', { 'a.md': 'A' });
    const locked = targetOf(await resolveOne(hub));
    hub.remove('acme/caps');
    hub.commit('acme/caps', { 'a.md': 'B' });
    const gone = await resolveOne(hub, { locked, cache: `${hub.cache}2` });
    expect(gone).toMatchObject({
      problem: { code: 'TOO5313', message: `github.com/acme/caps has no commit ${locked.commit}.` },
    });
  });

  test.each<Partial<Target>>([
    { ref: 'github://../caps/a.md' },
    { ref: 'https://x.y' },
    { path: '../../etc/passwd' },
    { path: '/etc/passwd' },
    { commit: 'main' },
    { commit: '--upload-pack=x' },
  ])('that was edited into %j is refused', async (edit) => {
    const hub = newHub();
    const whole = { ref: 'github://acme/caps/a.md', url: '', commit: '1'.repeat(40), path: 'a.md' };
    expect(await resolveOne(hub, { locked: { ...whole, ...edit } })).toMatchObject({ problem: { code: 'TOO5320' } });
    expect(hub.commands()).toEqual([]);
  });
});

describe('offline', () => {
  test('nothing is asked, and what is not there is named', async () => {
    const hub = newHub();
    const commit = hub.commit('acme/caps', { 'a.md': 'A' });
    const locked = { ref: `github://acme/caps/a.md@${commit}`, url: '', commit, path: 'a.md' };
    expect(await resolveOne(hub, { offline: true, locked })).toMatchObject({ problem: { code: 'TOO5319' } });
    expect(await resolveOne(hub, { offline: true })).toMatchObject({ problem: { code: 'TOO5319' } });
    expect(await resolveOne(hub, { offline: true, ref: 'acme/a' })).toMatchObject({ problem: { code: 'TOO5319' } });
    expect(hub.commands()).toEqual([]);
    expect(existsSync(hub.cache)).toBe(false);
  });
});

test('each repository is asked once and fetched once, for 200 references to 20 of them', async () => {
  const hub = newHub();
  const wanted: Wanted[] = [];
  for (let owner = 0; owner < 10; owner++) {
    const names = Array.from({ length: 10 }, (_, n) => `c${n}`);
    hub.commit(
      `o${owner}/prompts`,
      Object.fromEntries(names.map((name) => [`prompts/${name}.md`, `${owner} ${name}`])),
    );
    hub.commit(`o${owner}/caps`, Object.fromEntries(names.map((name) => [`${name}.md`, `${owner} ${name}`])), {
      tags: ['v1'],
    });
    hub.commit(`o${owner}/caps`, Object.fromEntries(names.map((name) => [`${name}.md`, `new ${owner} ${name}`])));
    for (const [index, name] of names.entries()) {
      wanted.push({ key: `o${owner}/${name}`, kind: 'prompt', ref: `o${owner}/${name}` });
      const written = index % 2 ? `o${owner}/caps/${name}` : `github://o${owner}/caps/${name}@v1`;
      wanted.push({ key: written, kind: 'prompt', ref: written });
    }
  }
  expect(wanted).toHaveLength(200);
  const all = await resolveAll(wanted, { cache: hub.cache, env: hub.env });
  expect([...all.values()].filter(({ ok }) => !ok)).toEqual([]);
  expect([...all.keys()]).toEqual(wanted.map(({ key }) => key));
  const commands = asked(hub);
  // The ten repositories `agent-prompts` that are not there are asked too.
  expect(commands.filter((command) => command === 'ls-remote')).toHaveLength(30);
  // The commits, then the contents.
  expect(commands.filter((command) => command === 'fetch')).toHaveLength(40);
  const locked = wanted.map((one) => ({ ...one, locked: targetOf(all.get(one.key) as Resolved) }));
  const again = await resolveAll(locked, { cache: hub.cache, env: hub.env });
  expect(again).toEqual(all);
  expect(asked(hub)).toEqual([]);
});

test('a server that knows no filters gives all at once', async () => {
  const hub = newHub();
  hub.commit('acme/caps', { 'a.md': 'A' });
  hub.git('acme/caps', ['config', 'uploadpack.allowFilter', 'false']);
  expect(textOf(await resolveOne(hub))).toBe('A');
  expect(asked(hub)).toEqual(['ls-remote', 'fetch']);
});

test('only what is wanted is fetched: not the history, not other files', async () => {
  const hub = newHub();
  const old = hub.commit('acme/caps', { 'a.md': 'old' });
  hub.commit('acme/caps', { 'a.md': 'A', 'other.md': 'other' });
  await resolveOne(hub);
  const store = join(hub.cache, 'git', 'acme', 'caps.git');
  const ids = [
    old,
    hub.git('acme/caps', ['rev-parse', 'main:other.md']),
    hub.git('acme/caps', ['rev-parse', 'main:a.md']),
  ];
  const said = hub.git(
    'acme/caps',
    [`--git-dir=${store}`, 'cat-file', '--batch-check'],
    ids.map((id) => `${id}\n`).join(''),
  );
  expect(said.split('\n').map((line) => line.split(' ')[1])).toEqual(['missing', 'missing', 'blob']);
});

describe('a damaged cache is made anew', () => {
  const packs = (store: string, ending: string) =>
    readdirSync(join(store, 'objects', 'pack'))
      .filter((name) => name.endsWith(ending))
      .map((name) => join(store, 'objects', 'pack', name));
  test.each<[string, (store: string) => void, boolean]>([
    [
      'packs cut off',
      (store) => {
        for (const path of packs(store, '.pack')) {
          chmodSync(path, 0o644);
          truncateSync(path, 20);
        }
      },
      true,
    ],
    [
      'packs of other bytes',
      (store) => {
        for (const path of packs(store, '.pack')) {
          const bytes = readFileSync(path);
          bytes.fill(0x55, 14, bytes.length - 20);
          chmodSync(path, 0o644);
          writeFileSync(path, bytes);
        }
      },
      true,
    ],
    [
      'empty indexes',
      (store) => {
        for (const path of packs(store, '.idx')) {
          chmodSync(path, 0o644);
          truncateSync(path, 0);
        }
      },
      true,
    ],
    ['no configuration that can be read', (store) => writeFileSync(join(store, 'config'), '[[['), true],
    ['no HEAD', (store) => rmSync(join(store, 'HEAD')), true],
    [
      'a file in its place',
      (store) => {
        rmSync(store, { recursive: true });
        writeFileSync(store, '');
      },
      true,
    ],
    // As a process leaves it that was killed while it moved a pack: nothing is damaged, something is missing.
    [
      'no indexes',
      (store) => {
        for (const path of packs(store, '.idx')) rmSync(path);
      },
      false,
    ],
    [
      'no objects',
      (store) => {
        rmSync(join(store, 'objects'), { recursive: true });
        mkdirSync(join(store, 'objects', 'pack'), { recursive: true });
      },
      false,
    ],
    ['nothing at all', (store) => rmSync(store, { recursive: true }), false],
  ])('%s', async (_, damage, isTold) => {
    const hub = newHub();
    hub.commit('acme/caps', { 'a.md': 'A' });
    const locked = targetOf(await resolveOne(hub));
    const store = join(hub.cache, 'git', 'acme', 'caps.git');
    damage(store);
    const told: string[] = [];
    const offline = await resolveOne(hub, { locked, offline: true });
    expect(offline).toMatchObject({ ok: false, problem: { code: isTold ? 'TOO5323' : 'TOO5319' } });
    expect(textOf(await resolveOne(hub, { locked, progress: (text) => told.push(text) }))).toBe('A');
    expect(told.some((text) => text.includes('damaged'))).toBe(isTold);
    expect(textOf(await resolveOne(hub, { locked, offline: true }))).toBe('A');
    expect(readdirSync(join(hub.cache, 'git', '.fetching'))).toEqual([]);
  });
});

describe('git is told', () => {
  test('to run no hooks, filters and programs of the configuration', async () => {
    const hub = newHub();
    hub.commit('acme/caps', { 'a.md': 'A', '.gitattributes': '* filter=evil\n' });
    const mark = join(hub.top, 'ran');
    const hooks = join(hub.top, 'hooks');
    mkdirSync(hooks);
    for (const name of ['reference-transaction', 'post-checkout', 'fsmonitor', 'post-index-change', 'pre-auto-gc']) {
      writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    }
    const config = `[core]\nhooksPath = ${hooks}\nfsmonitor = ${hooks}/fsmonitor\naskPass = ${hooks}/fsmonitor\n[filter "evil"]\nsmudge = ${hooks}/fsmonitor\nrequired\n`;
    writeFileSync(hub.env.GIT_CONFIG_GLOBAL ?? '', config);
    expect(textOf(await resolveOne(hub))).toBe('A');
    expect(existsSync(mark)).toBe(false);
  });

  test('its protocols: what the user forbids stays so', async () => {
    const hub = newHub();
    hub.commit('acme/caps', { 'a.md': 'A' });
    const env = { ...hub.env, GIT_ALLOW_PROTOCOL: 'https' };
    const resolved = await resolveOne(hub, { env });
    expect(resolved).toMatchObject({
      problem: { code: 'TOO5312', message: expect.stringContaining("'file' not allowed") },
    });
  });

  test('nothing by variables that point elsewhere', async () => {
    const hub = newHub();
    hub.commit('acme/caps', { 'a.md': 'A' });
    const env = { ...hub.env, GIT_DIR: '/nowhere', GIT_OBJECT_DIRECTORY: '/nowhere', GIT_WORK_TREE: '/nowhere' };
    expect(textOf(await resolveOne(hub, { env }))).toBe('A');
  });
});

/** Puts a program in the place of git that does something else first where `pattern` is among its arguments. */
function intercept(hub: Hub, pattern: string, script: string): void {
  const git = join(hub.top, 'bin', 'git');
  renameSync(git, `${git}-real`);
  writeFileSync(git, `#!/bin/sh\ncase " $* " in\n*" ${pattern} "*) ${script} ;;\nesac\nexec ${git}-real "$@"\n`, {
    mode: 0o755,
  });
}

function restore(hub: Hub): void {
  const git = join(hub.top, 'bin', 'git');
  renameSync(`${git}-real`, git);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a git that is too old is told once for all that need it, and the others are resolved', async () => {
  const hub = newHub();
  const commit = hub.commit('acme/caps', { 'a.md': 'A' });
  const locked = targetOf(await resolveOne(hub));
  intercept(hub, '--version', 'echo git version 2.20.1; exit 0');
  const wanted: Wanted[] = [
    { key: 'new', kind: 'prompt', ref: 'acme/other/a' },
    { key: 'kept', kind: 'prompt', ref, locked },
  ];
  const all = await resolveAll(wanted, { cache: hub.cache, env: hub.env });
  expect(all.get('new')).toMatchObject({
    problem: {
      code: 'TOO5322',
      message: 'git is needed to fetch from repositories, and git version 2.20.1 is older than 2.29.',
    },
  });
  expect(all.get('kept')).toMatchObject({ ok: true, target: { commit } });
});

test('nothing is written outside of the cache', async () => {
  const hub = newHub();
  hub.commit('acme/caps', { 'a.md': 'A' });
  const list = () =>
    readdirSync(hub.top, { recursive: true, encoding: 'utf8' }).filter((path) => !/^cache(?:\/|$)/.test(path));
  const before = list();
  await resolveOne(hub);
  expect(list()).toEqual(before);
  expect(readdirSync(hub.cache)).toEqual(['git']);
});

describe('what takes too long', () => {
  test('is ended with its processes', async () => {
    const hub = newHub();
    hub.commit('acme/caps', { 'a.md': 'A' });
    intercept(hub, 'ls-remote', `echo $$ > ${hub.top}/pid; sleep 1000 & wait`);
    const resolved = await resolveOne(hub, { limitMs: 1500 });
    expect(resolved).toMatchObject({ problem: { code: 'TOO5312', message: expect.stringContaining('in time') } });
    expect(isRunning(Number(readFileSync(join(hub.top, 'pid'), 'utf8')))).toBe(false);
  });

  test('can be aborted', async () => {
    const hub = newHub();
    hub.commit('acme/caps', { 'a.md': 'A' });
    intercept(hub, 'fetch', 'sleep 1000');
    const stop = new AbortController();
    const progress = (text: string) => {
      if (text.startsWith('fetching')) setImmediate(() => stop.abort(new Error('enough')));
    };
    await expect(resolveOne(hub, { signal: stop.signal, progress })).rejects.toThrow('enough');
    expect(readdirSync(join(hub.cache, 'git', '.fetching'))).toEqual([]);
  });
});

describe('several processes', () => {
  let program = '';
  const folder = newHub().top;

  beforeAll(async () => {
    const built = await rolldown({
      input: fileURLToPath(new URL('./resolve.ts', import.meta.url)),
      platform: 'node',
      external: [/^node:/],
    });
    program = join(folder, 'resolve.mjs');
    await built.write({ file: program, format: 'esm' });
    await built.close();
  });

  function start(hub: Hub, wanted: readonly Wanted[]): ChildProcess {
    const script = `
      import { resolveAll } from ${JSON.stringify(program)};
      const all = await resolveAll(${JSON.stringify(wanted)}, { cache: ${JSON.stringify(hub.cache)}, env: process.env });
      console.log(JSON.stringify([...all.values()].map((end) => (end.ok ? end.target.ref : end.problem))));`;
    return spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: hub.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  async function said(child: ChildProcess): Promise<string> {
    const chunks: string[] = [];
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    return chunks.join('');
  }

  test('use one cache at once', async () => {
    const hub = newHub();
    const repos = ['r0', 'r1', 'r2'];
    const commits = repos.map((repo) => hub.commit(`acme/${repo}`, { 'a.md': repo }));
    const wanted = repos.map((repo) => ({ key: repo, kind: 'prompt' as const, ref: `acme/${repo}/a` }));
    const children = [0, 1, 2, 3].map(() => start(hub, wanted));
    const ends = await Promise.all(children.map(said));
    const expected = repos.map((repo, index) => `github://acme/${repo}/a.md@${commits[index]}`);
    expect(ends.map((end) => JSON.parse(end))).toEqual([expected, expected, expected, expected]);
    expect(readdirSync(join(hub.cache, 'git', '.fetching'))).toEqual([]);
  });

  test('mend a damaged cache at once', async () => {
    const hub = newHub();
    const commit = hub.commit('acme/caps', { 'a.md': 'A' });
    const locked = targetOf(await resolveOne(hub));
    const packs = join(hub.cache, 'git', 'acme', 'caps.git', 'objects', 'pack');
    for (const name of readdirSync(packs)) {
      chmodSync(join(packs, name), 0o644);
      truncateSync(join(packs, name), 9);
    }
    const children = [0, 1, 2, 3].map(() => start(hub, [{ key: 'k', kind: 'prompt', ref, locked }]));
    const ends = await Promise.all(children.map(said));
    const expected = [`github://acme/caps/a.md@${commit}`];
    expect(ends.map((end) => JSON.parse(end))).toEqual([expected, expected, expected, expected]);
    expect(textOf(await resolveOne(hub, { locked, offline: true }))).toBe('A');
  });

  test.each([
    ['before it fetched', ''],
    ['after it fetched, before that was kept', 'GIT_REAL "$@";'],
  ])('one that is killed %s leaves a cache that works', async (_, first) => {
    const hub = newHub();
    hub.commit('acme/caps', { 'a.md': 'A' });
    const pipe = join(hub.top, 'pipe');
    await once(spawn('mkfifo', [pipe]), 'close');
    intercept(
      hub,
      'fetch',
      `${first.replace('GIT_REAL', join(hub.top, 'bin', 'git-real'))} echo $$ > ${pipe}; exec sleep 1000`,
    );
    const child = start(hub, [{ key: 'k', kind: 'prompt', ref }]);
    const pid = Number(await readFile(pipe, 'utf8'));
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
    process.kill(pid, 'SIGKILL');
    restore(hub);
    expect(readdirSync(join(hub.cache, 'git', '.fetching'))).toHaveLength(1);
    expect(textOf(await resolveOne(hub))).toBe('A');
    await sweepStores(hub.cache, Date.now());
    expect(readdirSync(join(hub.cache, 'git', '.fetching'))).toHaveLength(1);
    await sweepStores(hub.cache, Date.now() + 48 * 3600_000);
    expect(readdirSync(join(hub.cache, 'git', '.fetching'))).toEqual([]);
  });
});
