/** References against real repositories: what they come to, in which order they are looked for, what is refused. */
import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { createHub, type Hub } from '../../../test/hub.ts';
import { resolveAll } from './resolve.ts';
import type { RemoteKind, Resolved, ResolveOptions, Target, Wanted } from './target.ts';

const hubs: Hub[] = [];

function newHub(): Hub {
  const hub = createHub();
  hubs.push(hub);
  return hub;
}

afterAll(() => {
  for (const hub of hubs) hub.close();
});

type Options = Partial<ResolveOptions> & Pick<Wanted, 'isWired'> & { readonly locked?: Target | undefined };

/** Many at once, each row's own answer when it is asked for. */
function resolveRows(hub: () => Hub, rows: readonly (readonly [RemoteKind, string, ...unknown[]])[]) {
  let answers: Promise<ReadonlyMap<string, Resolved>> | undefined;
  return async (kind: RemoteKind, ref: string): Promise<Resolved> => {
    const wanted = rows.map(([rowKind, rowRef]) => ({ key: `${rowKind} ${rowRef}`, kind: rowKind, ref: rowRef }));
    answers ??= resolveAll(wanted, { cache: hub().cache, env: hub().env });
    const found = (await answers).get(`${kind} ${ref}`);
    if (!found) throw new Error('there is no answer');
    return found;
  };
}

async function resolveOne(hub: Hub, kind: RemoteKind, ref: string, options: Options = {}): Promise<Resolved> {
  const { locked, isWired, ...rest } = options;
  const wanted = { key: 'k', kind, ref, ...(locked && { locked }), ...(isWired && { isWired }) };
  const all = await resolveAll([wanted], { cache: hub.cache, env: hub.env, ...rest });
  const only = all.get('k');
  if (!only) throw new Error('there is no answer');
  return only;
}

/** The target and its files as texts; of a problem, its code and words. */
function shown(resolved: Resolved): object {
  if (!resolved.ok) return resolved.problem;
  const texts = resolved.files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString('utf8')]);
  return { ref: resolved.target.ref, files: Object.fromEntries(texts) };
}

function targetOf(resolved: Resolved): Target {
  if (!resolved.ok) throw new Error(resolved.problem.message);
  return resolved.target;
}

const skill = '---\ndescription: x\n---\nDo it.\n';

describe('a path in a repository', () => {
  const hub = newHub();
  const first = hub.commit(
    'acme/caps',
    { 'prompts/a.md': 'old' },
    { branch: 'trunk', tags: ['v1'], annotated: ['a1'] },
  );
  const second = hub.commit(
    'acme/caps',
    {
      'prompts/a.md': 'A',
      'prompts/b': 'B without ending',
      'prompts/b.md': 'B',
      'dir/x.md': 'X',
      'dir.md': 'DIR',
      'skills/pdf/SKILL.md': skill,
      'skills/pdf/scripts/run.sh': { executable: '#!/bin/sh\n' },
      'skills/none/README.md': 'no skill',
      'agents/zoe.too': 'thunk:\n  user: hi\n',
    },
    { branch: 'trunk', tags: ['both'] },
  );
  const side = hub.commit('acme/caps', { 'prompts/a.md': 'side' }, { branch: 'feature/x' });
  hub.commit('acme/caps', { 'prompts/a.md': 'branch' }, { branch: 'both' });

  const hits: [RemoteKind, string, string, string][] = [
    ['prompt', 'github://acme/caps/prompts/a.md@trunk', `prompts/a.md@${second}`, 'A'],
    ['prompt', 'github://acme/caps/prompts/a@trunk', `prompts/a.md@${second}`, 'A'],
    ['prompt', 'github://acme/caps/prompts/b@trunk', `prompts/b@${second}`, 'B without ending'],
    ['prompt', 'github://acme/caps/dir@trunk', `dir.md@${second}`, 'DIR'],
    ['prompt', 'github://acme/caps/prompts/a@HEAD', `prompts/a.md@${second}`, 'A'],
    ['psyche', 'github://acme/caps/prompts/a@v1', `prompts/a.md@${first}`, 'old'],
    ['service', 'github://acme/caps/prompts/a@a1', `prompts/a.md@${first}`, 'old'],
    ['service', 'github://acme/caps/prompts/a@refs/tags/a1', `prompts/a.md@${first}`, 'old'],
    ['prompt', `github://acme/caps/prompts/a@${first}`, `prompts/a.md@${first}`, 'old'],
    ['prompt', `github://acme/caps/prompts/a@${first.toUpperCase()}`, `prompts/a.md@${first}`, 'old'],
    ['prompt', `github://acme/caps/prompts/a@${side.slice(0, 9)}`, `prompts/a.md@${side}`, 'side'],
    ['prompt', 'github://acme/caps/prompts/a@feature/x', `prompts/a.md@${side}`, 'side'],
    ['prompt', 'github://acme/caps/prompts/a@refs/heads/feature/x', `prompts/a.md@${side}`, 'side'],
    ['prompt', 'https://github.com/acme/caps/blob/feature/x/prompts/a.md', `prompts/a.md@${side}`, 'side'],
    ['prompt', 'https://github.com/acme/caps/blob/trunk/prompts/a.md', `prompts/a.md@${second}`, 'A'],
    ['prompt', `https://github.com/acme/caps/blob/${first}/prompts/a.md`, `prompts/a.md@${first}`, 'old'],
    [
      'prompt',
      'https://raw.githubusercontent.com/acme/caps/refs/heads/feature/x/prompts/a.md',
      `prompts/a.md@${side}`,
      'side',
    ],
    ['prompt', 'https://raw.githubusercontent.com/acme/caps/refs/tags/v1/prompts/a.md', `prompts/a.md@${first}`, 'old'],
    ['agent', 'github://acme/caps/agents/zoe.too@trunk', `agents/zoe.too@${second}`, 'thunk:\n  user: hi\n'],
    ['agent', 'github://acme/caps/agents/zoe@trunk', `agents/zoe.too@${second}`, 'thunk:\n  user: hi\n'],
    [
      'agent',
      'https://github.com/acme/caps/blob/trunk/agents/zoe.too',
      `agents/zoe.too@${second}`,
      'thunk:\n  user: hi\n',
    ],
  ];
  const hit = resolveRows(() => hub, hits);
  test.each(hits)('%s %s', async (kind, ref, path, text) => {
    const resolved = await hit(kind, ref);
    const [file, commit = ''] = path.split('@');
    expect(shown(resolved)).toEqual({
      ref: `github://acme/caps/${path}`,
      files: { [file?.split('/').at(-1) ?? '']: text },
    });
    expect(targetOf(resolved)).toMatchObject({ url: 'https://github.com/acme/caps', commit, path: file });
  });

  test.each(['skills/pdf', 'skills/pdf/SKILL.md'])('a skill is a directory: %s', async (path) => {
    const resolved = await resolveOne(hub, 'skill', `github://acme/caps/${path}@trunk`);
    expect(shown(resolved)).toEqual({
      ref: `github://acme/caps/skills/pdf@${second}`,
      files: { 'SKILL.md': skill, 'scripts/run.sh': '#!/bin/sh\n' },
    });
    expect(resolved.ok && resolved.files.map(({ isExecutable }) => isExecutable)).toEqual([false, true]);
  });

  const misses: [RemoteKind, string, string, RegExp, RegExp][] = [
    ['prompt', 'github://acme/caps/prompts/c@trunk', 'TOO5315', /no prompt at github.com\/acme\/caps\/prompts\/c/, /./],
    ['prompt', 'github://acme/caps/skills@trunk', 'TOO5315', /is a directory/, /./],
    ['skill', 'github://acme/caps/skills/none@trunk', 'TOO5315', /no SKILL\.md/, /./],
    ['skill', 'github://acme/caps/dir.md@trunk', 'TOO5315', /it is a file/, /./],
    ['skill', 'github://acme/caps@trunk', 'TOO5315', /no SKILL\.md/, /./],
    [
      'prompt',
      'github://acme/caps/prompts/a@both',
      'TOO5314',
      /branch and a tag/,
      /@refs\/heads\/both .* @refs\/tags\/both/,
    ],
    ['prompt', 'github://acme/caps/prompts/a@trnk', 'TOO5313', /no branch and no tag "trnk".*trunk/, /"trunk"/],
    ['prompt', 'github://acme/caps/prompts/a@refs/tags/trunk', 'TOO5313', /no tag "trunk"/, /./],
    ['prompt', 'github://acme/caps/prompts/a@1234abc', 'TOO5313', /beginning of no commit/, /all digits/],
    ['prompt', `github://acme/caps/prompts/a@${'1'.repeat(40)}`, 'TOO5313', /no commit 1111/, /./],
    [
      'prompt',
      'github://acme/nope/prompts/a@main',
      'TOO5311',
      /acme\/nope cannot be fetched: there is no such/,
      /ls-remote/,
    ],
    ['prompt', 'github://acme/caps/prompts/a', 'TOO5305', /./, /./],
  ];
  const miss = resolveRows(() => hub, misses);
  test.each(misses)('%s %s: %s', async (kind, ref, code, message, help) => {
    const resolved = await miss(kind, ref);
    expect(resolved).toMatchObject({ ok: false, problem: { code } });
    if (resolved.ok) return;
    expect(resolved.problem.message).toMatch(message);
    expect(resolved.problem.message).toMatch(/\.$|\?$/);
    expect(resolved.problem.help).toMatch(help);
  });

  test('the id of a tag that is an object stands for its commit', async () => {
    const id = hub.git('acme/caps', ['rev-parse', 'refs/tags/a1']);
    const resolved = await resolveOne(hub, 'prompt', `github://acme/caps/prompts/a@${id}`);
    expect(targetOf(resolved).commit).toBe(first);
  });

  test('the id of what is no commit is refused', async () => {
    const id = hub.git('acme/caps', ['rev-parse', 'refs/heads/trunk^{tree}']);
    expect(await resolveOne(hub, 'prompt', `github://acme/caps/prompts/a@${id}`)).toMatchObject({
      problem: { code: 'TOO5313' },
    });
  });

  test('one commit that is not there does not spoil the others', async () => {
    const gone = '1'.repeat(40);
    const all = await resolveAll(
      [gone, first, 'trunk'].map((rev) => ({
        key: rev,
        kind: 'prompt' as const,
        ref: `github://acme/caps/prompts/a@${rev}`,
      })),
      { cache: `${hub.cache}-new`, env: hub.env },
    );
    expect([...all].map(([key, { ok }]) => [key, ok])).toEqual([
      [gone, false],
      [first, true],
      ['trunk', true],
    ]);
  });
});

test('a skill that is the repository itself, with a submodule that is left out', async () => {
  const hub = newHub();
  const files = { 'SKILL.md': skill, 'lib/x.py': 'x', vendor: { submodule: '1'.repeat(40) } };
  const commit = hub.commit('acme/pdf', files);
  expect(shown(await resolveOne(hub, 'skill', 'github://acme/pdf@main'))).toEqual({
    ref: `github://acme/pdf@${commit}`,
    files: { 'SKILL.md': skill, 'lib/x.py': 'x' },
  });
  const inside = await resolveOne(hub, 'prompt', 'github://acme/pdf/vendor/a.md@main');
  expect(inside).toMatchObject({ problem: { code: 'TOO5315', message: expect.stringContaining('submodule') } });
});

describe('shorthands', () => {
  test.each<[RemoteKind, readonly string[]]>([
    [
      'psyche',
      [
        'agent-psyches/psyches/x.md',
        'agent-psyches/x.md',
        'psyches/psyches/x.md',
        'psyches/x.md',
        'agents/psyches/x.md',
        'agents/x.md',
      ],
    ],
    [
      'service',
      [
        'agent-services/services/x.md',
        'agent-services/x.md',
        'services/services/x.md',
        'services/x.md',
        'agents/services/x.md',
        'agents/x.md',
      ],
    ],
    [
      'prompt',
      [
        'agent-prompts/prompts/x.md',
        'agent-prompts/x.md',
        'prompts/prompts/x.md',
        'prompts/x.md',
        'agents/prompts/x.md',
        'agents/x.md',
      ],
    ],
    [
      'skill',
      ['agent-skills/skills/x', 'agent-skills/x', 'skills/skills/x', 'skills/x', 'agents/skills/x', 'agents/x'],
    ],
    ['agent', ['agents/agents/x.too', 'agents/x.too']],
  ])('%s: every place in turn, and the first hit wins', async (kind, places) => {
    const hub = newHub();
    const open = [...places];
    const write = (repo: string) => {
      const files: Record<string, string> = { 'README.md': 'x' };
      for (const place of open) {
        const [owner, ...path] = place.split('/');
        if (owner === repo) files[kind === 'skill' ? `${path.join('/')}/SKILL.md` : path.join('/')] = place;
      }
      hub.commit(`acme/${repo}`, files);
    };
    for (const repo of new Set(places.map((place) => place.split('/')[0] ?? ''))) write(repo);
    while (open.length > 0) {
      const resolved = await resolveOne(hub, kind, 'acme/x');
      expect(targetOf(resolved).ref.split('@')[0]).toBe(`github://acme/${open[0]}`);
      const [gone = ''] = open.splice(0, 1);
      // Its repository goes with the last of its places.
      const [repo = ''] = gone.split('/');
      if (open.some((place) => place.startsWith(`${repo}/`))) write(repo);
      else hub.remove(`acme/${repo}`);
    }
    const problem = await resolveOne(hub, kind, 'acme/x');
    expect(problem).toMatchObject({ problem: { code: 'TOO5316' } });
    const repos = [...new Set(places.map((place) => place.split('/')[0] ?? ''))];
    for (const repo of repos) {
      expect(problem).toMatchObject({
        problem: { message: expect.stringContaining(`github.com/acme/${repo} (there is no such`) },
      });
    }
  });

  test('in a repository that is named: its two paths, and all that was tried is told in order', async () => {
    const hub = newHub();
    const commit = hub.commit('acme/caps', { 'prompts/a.md': 'deep', 'a.md': 'flat', 'b.md': 'B' }, { tags: ['v1'] });
    const ref = async (text: string) => targetOf(await resolveOne(hub, 'prompt', text)).ref;
    expect(await ref('acme/caps/a')).toBe(`github://acme/caps/prompts/a.md@${commit}`);
    expect(await ref('acme/caps/b')).toBe(`github://acme/caps/b.md@${commit}`);
    expect(await ref('acme/caps/b.md@v1')).toBe(`github://acme/caps/b.md@${commit}`);
    expect(await ref(`acme/caps/b@${commit}`)).toBe(`github://acme/caps/b.md@${commit}`);
    expect(await resolveOne(hub, 'prompt', 'acme/caps/c')).toMatchObject({
      problem: {
        code: 'TOO5316',
        message:
          '"acme/caps/c" was found in none of the places of prompts: github.com/acme/caps/prompts/c.md (no such file); github.com/acme/caps/c.md (no such file).',
      },
    });
  });

  test('a repository without commits, or without the revision, is passed over and named', async () => {
    const hub = newHub();
    hub.empty('acme/agent-prompts');
    hub.commit('acme/prompts', { 'a.md': 'A' });
    const commit = hub.commit('acme/agents', { 'a.md': 'old' }, { tags: ['v1'] });
    expect(targetOf(await resolveOne(hub, 'prompt', 'acme/a')).ref).toMatch(/^github:\/\/acme\/prompts\/a\.md@/);
    expect(targetOf(await resolveOne(hub, 'prompt', 'acme/a@v1')).ref).toBe(`github://acme/agents/a.md@${commit}`);
    const none = await resolveOne(hub, 'prompt', 'acme/a@v2');
    expect(none).toMatchObject({
      problem: {
        message: expect.stringMatching(/agent-prompts \(no revision "v2"\).*acme\/prompts \(no rev.*agents \(no rev/),
      },
    });
    expect(await resolveOne(hub, 'prompt', 'github://acme/agent-prompts/a@HEAD')).toMatchObject({
      problem: { code: 'TOO5313', message: 'github.com/acme/agent-prompts has no commits yet.' },
    });
  });

  test('what cannot be reached stops the search: the next place may be another choice', async () => {
    const hub = newHub();
    hub.commit('acme/prompts', { 'a.md': 'second choice' });
    const env = {
      ...hub.env,
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_1: 'url.https://127.0.0.1:9/.insteadOf',
      GIT_CONFIG_VALUE_1: 'https://github.com/acme/agent-prompts',
    };
    const resolved = await resolveOne(hub, 'prompt', 'acme/a', { env });
    expect(resolved).toMatchObject({ problem: { code: 'TOO5312', message: expect.stringContaining('agent-prompts') } });
  });
});

describe('what is refused', () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n';
  test.each<[string, Parameters<Hub['commit']>[1], string, RegExp]>([
    [
      'a link to a file',
      { 'skills/x/SKILL.md': skill, 'skills/x/y': { link: '/etc/passwd' } },
      'TOO5317',
      /"skills\/x\/y" is a link/,
    ],
    ['a link in place of the directory', { 'skills/x': { link: '../y' } }, 'TOO5317', /"skills\/x" is a link/],
    ['a pointer of Git LFS', { 'skills/x/SKILL.md': skill, 'skills/x/big.bin': pointer }, 'TOO5317', /Git LFS/],
    [
      'names that differ in letter case',
      { 'skills/x/SKILL.md': skill, 'skills/x/A': '', 'skills/x/a': '' },
      'TOO5317',
      /one name/,
    ],
    [
      'directories that do',
      { 'skills/x/SKILL.md': skill, 'skills/x/A/1': '', 'skills/x/a/2': '' },
      'TOO5317',
      /one name/,
    ],
    ['a backslash', { 'skills/x/SKILL.md': skill, 'skills/x/a\\b': '' }, 'TOO5317', /character/],
    ['a line end', { 'skills/x/SKILL.md': skill, 'skills/x/a\nb': '' }, 'TOO5317', /"skills\/x\/a\\nb"/],
    [
      'a large file',
      { 'skills/x/SKILL.md': skill, 'skills/x/b': new Uint8Array(10 * 1024 * 1024 + 1) },
      'TOO5318',
      /10\.0 MB/,
    ],
    [
      'many files',
      {
        'skills/x/SKILL.md': skill,
        ...Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`skills/x/${n}`, ''])),
      },
      'TOO5318',
      /2001 files/,
    ],
  ])('%s', async (_, files, code, message) => {
    const hub = newHub();
    hub.commit('acme/caps', { 'ok.md': 'fine', ...files });
    const all = await resolveAll(
      [
        { key: 'bad', kind: 'skill', ref: 'github://acme/caps/skills/x@main' },
        { key: 'good', kind: 'prompt', ref: 'github://acme/caps/ok@main' },
      ],
      { cache: hub.cache, env: hub.env },
    );
    expect(all.get('bad')).toMatchObject({ ok: false, problem: { code, message: expect.stringMatching(message) } });
    expect(all.get('good')).toMatchObject({ ok: true });
  });

  test('a tree that leaves its directory', async () => {
    const hub = newHub();
    hub.commit('acme/caps', { 'SKILL.md': skill });
    const blob = hub.git('acme/caps', ['rev-parse', 'main:SKILL.md']);
    const entry = (name: string) => Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')]);
    const raw = Buffer.concat([entry('../../evil'), entry('SKILL.md')]);
    const tree = hub.git('acme/caps', ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'], raw);
    const who = 'Ana <a@b.c> 1700000000 +0000';
    const text = `tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nx\n`;
    const commit = hub.git('acme/caps', ['hash-object', '-t', 'commit', '-w', '--stdin'], text);
    hub.git('acme/caps', ['update-ref', 'refs/heads/main', commit]);
    const resolved = await resolveOne(hub, 'skill', 'github://acme/caps@main');
    expect(resolved).toMatchObject({
      ok: false,
      problem: { code: 'TOO5317', message: expect.stringContaining('leaves') },
    });
  });
});

test('bytes stay as they are; names may be in any script', async () => {
  const hub = newHub();
  const files = {
    'skills/x/SKILL.md': skill.replaceAll('\n', '\r\n'),
    'skills/x/.gitattributes': '* text=auto eol=lf ident\n',
    'skills/x/Grüße 😀.txt': '$Id$\r\n',
    'skills/x/日本/a b.bin': new Uint8Array([0, 255, 13, 10, 254]),
    'skills/x/empty': '',
  };
  hub.commit('acme/caps', files);
  const resolved = await resolveOne(hub, 'skill', 'github://acme/caps/skills/x@main');
  if (!resolved.ok) throw new Error(resolved.problem.message);
  const got = Object.fromEntries(resolved.files.map(({ path, bytes }) => [`skills/x/${path}`, Buffer.from(bytes)]));
  expect(got).toEqual(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])));
});

test('the key of a config.toml names what the reference does not', async () => {
  const hub = newHub();
  hub.commit('acme/caps', { 'a b.md': 'x' });
  const ref = 'https://github.com/acme/caps/blob/main/a%20b.md';
  expect(await resolveOne(hub, 'prompt', ref)).toMatchObject({ problem: { code: 'TOO5309' } });
  expect(await resolveOne(hub, 'prompt', ref, { isWired: true })).toMatchObject({ ok: true });
});

test('a repository that uses SHA-256', async () => {
  const hub = newHub();
  hub.empty('acme/caps');
  const config = '[core]\nrepositoryformatversion = 1\nbare = true\n[extensions]\nobjectformat = sha256\n';
  writeFileSync(`${hub.path('acme/caps')}/config`, config);
  const commit = hub.commit('acme/caps', { 'a.md': 'A' });
  expect(commit).toHaveLength(64);
  expect(shown(await resolveOne(hub, 'prompt', 'acme/caps/a'))).toEqual({
    ref: `github://acme/caps/a.md@${commit}`,
    files: { 'a.md': 'A' },
  });
});
