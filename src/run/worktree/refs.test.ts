/** Names of refs for any node, and what is copied and dropped. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRepository, type Repository } from '../../../test/repository.ts';
import { createGit, type Git } from './git.ts';
import { copyRefs, dropRefs, encoded, indexRef, listRefs, refOf, setRefs } from './refs.ts';

let r: Repository;
let git: Git;
beforeAll(() => {
  r = createRepository();
  git = createGit(r.env);
});
afterAll(() => r.remove());

const ref = (node: string, segment = 1) => refOf({ run: 'run1', node, segment, part: 'before' });
const here = () => ({ cwd: r.dir });

describe('the name of a ref', () => {
  it('tells what it is for', () => {
    expect(ref('polish[2]/review#1')).toBe('refs/toolang/run1/polish%5b2%5d%2freview%231');
    expect(refOf({ run: 'r', node: 'fix#1', segment: 17, part: 'after' })).toBe('refs/toolang/r/fix%231.s17.after');
    expect(indexRef(ref('fix#1'))).toBe('refs/toolang/run1/fix%231.index');
  });

  it('is one that git takes, for any node', () => {
    const odd = [
      'a..b',
      'x.lock',
      '@{',
      '~^:?*[\\',
      ' ',
      '\u0001',
      'ü',
      '日本',
      '-',
      '.',
      'a/',
      'con',
      '😀'.repeat(90),
    ];
    const names = fc.sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), 30);
    for (const node of [...odd, ...names]) {
      const { status } = spawnSync('git', ['check-ref-format', ref(node)], { env: r.env });
      expect(status, JSON.stringify(node)).toBe(0);
    }
  });

  it('differs for different nodes, also where files have no case, and none is a folder of another', () => {
    const node = fc.string({
      unit: fc.constantFrom('a', 'A', '/', '#', '1', '%', '.', '[', 'ü', '-', '2', 'f'),
      maxLength: 6,
    });
    fc.assert(
      fc.property(node, node, (a, b) => {
        fc.pre(a !== b);
        expect(encoded(a).toLowerCase()).not.toBe(encoded(b).toLowerCase());
        expect(encoded(a)).not.toMatch(/[/.]/);
      }),
    );
    const long = 'x/'.repeat(300);
    expect(encoded(`${long}a`)).not.toBe(encoded(`${long}b`));
    expect(encoded(long).length).toBeLessThan(200);
  });
});

it('refs are set together, copied for a fork, and dropped with their run', async () => {
  const commit = r.git(['rev-parse', 'HEAD']);
  const made = refOf({ run: 'run1', node: 'work', segment: 1, part: 'made' });
  await setRefs(git, new Map([ref('A#1'), ref('a#1'), ref('b'), made].map((each) => [each, commit])), here());
  await copyRefs(git, 'run1', 'run2', here());
  expect([...(await listRefs(git, 'run2', here())).keys()]).toEqual([
    'refs/toolang/run2/%41%231',
    'refs/toolang/run2/a%231',
    'refs/toolang/run2/b',
  ]);
  expect(await dropRefs(git, 'run1', here())).toBe(4);
  expect((await listRefs(git, 'run1', here())).size).toBe(0);
  expect((await listRefs(git, 'run2', here())).size).toBe(3);
  await expect(setRefs(git, new Map([[ref('x'), '0'.repeat(39)]]), here())).rejects.toThrow('git update-ref failed');
});

it('locks that a killed process left on them do not keep them from going', async () => {
  await setRefs(git, new Map([ref('a'), ref('b')].map((each) => [each, r.git(['rev-parse', 'HEAD'])])), here());
  for (const each of [ref('a'), ref('b')]) r.write(join(r.dir, '.git', `${each}.lock`), '');
  expect(await dropRefs(git, 'run1', here())).toBe(2);
  expect((await listRefs(git, 'run1', here())).size).toBe(0);
});

it('a fork gets what was kept before it began, and keeps what it has itself', async () => {
  const [first, second] = [r.git(['rev-parse', 'HEAD']), r.git(['commit-tree', '-m', 'x', 'HEAD^{tree}'])];
  const name = (run: string, node: string, segment: number) => refOf({ run, node, segment, part: 'after' });
  const all = [name('run3', 'a#1', 1), name('run3', 'a#1', 9), name('run3', 'b.s9', 1), name('run3', 'a#1', 30)];
  await setRefs(git, new Map(all.map((each) => [each, first])), here());
  await setRefs(git, new Map([[name('run4', 'a#1', 1), second]]), here());
  const copied = await copyRefs(git, 'run3', 'run4', here(), 21);
  expect(copied).toEqual(await listRefs(git, 'run4', here()));
  expect(Object.fromEntries(copied)).toEqual({
    [name('run4', 'a#1', 1)]: second,
    [name('run4', 'a#1', 9)]: first,
    [name('run4', 'b.s9', 1)]: first,
  });
});
