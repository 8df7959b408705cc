/** Syncs in homes and roots that are not as they should be, and of what is unusually large or named. */
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { machineHost, rootPlaces } from '../../config/index.ts';
import type { Compile } from './gather.ts';
import { sync } from './sync.ts';
import { makePlace, type Place } from './sync-kit.ts';

const compile: Compile = (_source, file) => {
  const uses = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, i) => {
      const [, ref] = /^use skill (.+)$/.exec(line) ?? [];
      const name = ref?.split('/').at(-1) ?? '';
      return ref === undefined ? [] : [{ kind: 'skill' as const, name, ref, span: { start: i, end: i } }];
    });
  return { program: {}, caps: [], uses, diagnostics: [] };
};

let place: Place;
const at = (file: string) => path.join(place.dir, file);
beforeEach(() => {
  place = makePlace(compile);
  place.write('work/agent.too', '');
});
afterEach(() => place.remove());

describe('a state', () => {
  const state = 'work/.toolang/sync/agent.state.json';
  test.each([
    ['empty', ''],
    ['no JSON', '{"version":1'],
    ['null', 'null'],
    ['a list', '[]'],
    ['of another version', '{"version":2}'],
    ['without stamps', '{"version":1,"toolang":"0.0.0","caps":{"here":[],"home":[],"root":[]}}'],
    ['no text', '\u0000\u0001'],
  ])('that is %s is made anew', async (_what, text) => {
    place.write('work/.toolang/prompts/a.md', 'A.\n');
    await place.sync();
    const wanted = JSON.parse(place.read(state));
    writeFileSync(at(state), text);
    expect(await place.sync()).toMatchObject({ ok: true });
    expect(JSON.parse(place.read(state))).toMatchObject({ ...wanted, stamps: {} });
    expect((await place.sync()).isFresh).toBe(true);
  });

  test('that says nothing of its source is not taken for fresh', async () => {
    await place.sync();
    writeFileSync(at(state), JSON.stringify({ ...JSON.parse(place.read(state)), stamps: {} }));
    await place.sync();
    expect(Object.keys(JSON.parse(place.read(state)).stamps)).toContain(at('work/agent.too'));
  });

  test('of another root is not taken for fresh', async () => {
    await place.sync();
    place.write('second/prompts/b.md', 'B.\n');
    const { home } = place;
    const root = rootPlaces(at('second'), machineHost({ cwd: place.dir, env: {} }).path);
    const options = {
      toolang: '0.0.0',
      compile,
      resolve: async () => new Map(),
      accept: async () => true,
      shown: String,
    };
    const agents = [{ name: 'agent', file: at('work/agent.too') }];
    expect((await sync({ root, home: { ...home, root }, agents }, options)).changes).toMatchObject([
      { what: 'added', name: 'b' },
    ]);
  });
});

describe('a home', () => {
  test.each(['work/.toolang', 'work/.toolang/sync', 'work/.toolang/agents', 'root/sync'])(
    'whose "%s" is a file is left as it is',
    async (file) => {
      place.write('work/agent.too', 'use skill acme/x\n');
      place.remote.set('acme/x', { 'SKILL.md': '---\ndescription: X.\n---\nX.\n' });
      place.write(file, 'Mine.');
      await expect(place.sync()).rejects.toMatchObject({
        code: 'TOO5406',
        message: expect.stringMatching(/is a file|a part of its path is a file/),
      });
      expect(place.read(file)).toBe('Mine.');
    },
  );

  test('that is the root itself is refused', async () => {
    const { home, root } = place;
    const request = { root, home: { ...home, dir: root.dir, lock: root.lock }, agents: [] };
    const options = { toolang: '0', compile, resolve: async () => new Map(), accept: async () => true, shown: String };
    await expect(sync(request, options)).rejects.toMatchObject({ code: 'TOO5120' });
  });

  test('without a root is synced, and the root is not made for that', async () => {
    rmSync(at('root'), { recursive: true });
    place.write('work/.toolang/prompts/a.md', 'A.\n');
    expect((await place.sync()).changes).toHaveLength(1);
    expect((await place.sync()).isFresh).toBe(true);
    expect(place.list('.').filter((file) => file.startsWith('root'))).toEqual([]);
  });

  test('whose sync roots are gone in part gets back what is missing', async () => {
    for (const name of ['a', 'b', 'c'])
      place.write(`work/.toolang/skills/${name}/SKILL.md`, `---\ndescription: ${name}.\n---\nX.\n`);
    place.write('root/prompts/p.md', 'P.\n');
    await place.sync();
    const wanted = place.list('.').filter((file) => !file.endsWith('.state.json'));
    rmSync(at('work/.toolang/sync/file/skills/b'), { recursive: true });
    rmSync(at('root/sync'), { recursive: true });
    expect((await place.sync()).changes).toMatchObject([
      { what: 'repaired', name: 'p', why: 'it is not there' },
      { what: 'repaired', name: 'b' },
    ]);
    expect(place.list('.').filter((file) => !file.endsWith('.state.json'))).toEqual(wanted);
  });
});

describe('a skill', () => {
  const skill = '---\ndescription: X.\n---\nX.\n';
  async function bring(files: Record<string, string>): Promise<string[]> {
    place.write('work/agent.too', 'use skill acme/x\n');
    place.remote.set('acme/x', { 'SKILL.md': skill, ...files });
    expect(await place.sync()).toMatchObject({ ok: true, diagnostics: [] });
    expect((await place.sync()).isFresh).toBe(true);
    return place.list('work/.toolang/agents/agent/sync/ref/skills/x');
  }

  test('of 2,000 files is brought whole', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1999 }, (_, i) => [`references/r${i % 50}/f${i}.md`, `${i}\n`]),
    );
    expect(await bring(files)).toHaveLength(2000);
  });

  test('with a file of 10 MB is brought whole', async () => {
    const big = 'x'.repeat(10 * 1024 * 1024);
    expect(await bring({ 'assets/big.txt': big })).toEqual(['SKILL.md', 'assets/big.txt']);
    expect(place.read('work/.toolang/agents/agent/sync/ref/skills/x/assets/big.txt')).toBe(big);
  });

  test('with names of letters and signs of any script is brought whole', async () => {
    expect(
      await bring({
        'références/ünï.md': 'x',
        '文書/😀.md': 'x',
        'a b/(c) & d.md': 'x',
        __proto__x: 'x',
        constructor: 'x',
      }),
    ).toHaveLength(6);
  });

  test('that somebody made a link in its place is put back, and what it led to stays', async () => {
    await bring({ 'a.md': 'A' });
    const own = at('work/.toolang/agents/agent/sync/ref/skills/x');
    rmSync(own, { recursive: true });
    mkdirSync(at('mine'));
    writeFileSync(at('mine/keep.md'), 'Mine.');
    symlinkSync(at('mine'), own);
    expect((await place.sync()).changes).toMatchObject([{ what: 'repaired', name: 'x' }]);
    expect(place.list('mine')).toEqual(['keep.md']);
    expect(place.list('work/.toolang/agents/agent/sync/ref/skills/x')).toEqual(['SKILL.md', 'a.md']);
  });
});

test('what is changed behind a link in a folder of caps is seen', async () => {
  place.write('work/shared/x/SKILL.md', '---\ndescription: X.\n---\nX.\n');
  mkdirSync(at('work/.toolang/skills'), { recursive: true });
  symlinkSync(at('work/shared/x'), at('work/.toolang/skills/x'));
  expect((await place.sync()).changes).toMatchObject([{ what: 'added', name: 'x' }]);
  expect((await place.sync()).isFresh).toBe(true);
  place.write('work/shared/x/SKILL.md', '---\ndescription: Y.\n---\nX.\n');
  expect((await place.sync()).changes).toMatchObject([{ what: 'updated', name: 'x' }]);
});

test('a copy of a skill behind a link is not taken for the skill', async () => {
  place.write('work/.toolang/skills/x/SKILL.md', '---\ndescription: X.\n---\nX.\n');
  await place.sync();
  const own = at('work/.toolang/sync/file/skills/x');
  renameSync(own, at('copy'));
  symlinkSync(at('copy'), own);
  expect((await place.sync()).changes).toMatchObject([{ what: 'repaired', name: 'x', why: 'it is a link' }]);
});
