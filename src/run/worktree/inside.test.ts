/** Worktrees that stand in the folder of another one do not go with it. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRepository, type Repository } from '../../../test/repository.ts';
import { claimsIn } from './claim.ts';
import type { TreeContext } from './context.ts';
import { createGit } from './git.ts';
import { ownTree } from './own.ts';
import type { Tree } from './private-index.ts';
import { removeTree } from './remove.ts';
import { readSnapshot, restoreSnapshot, takeSnapshot } from './snapshot.ts';
import { addTree } from './tree.ts';

let r: Repository;
let c: TreeContext;
beforeEach(async () => {
  r = createRepository();
  c = { git: createGit(r.env), home: r.dir, run: 'run1', me, isDriven: () => false };
  await addTree(c, { node: 'outer', path: '../tree' });
});
afterEach(() => r.remove());

const me = { host: 'here', boot: 'boot', pid: 1, started: 'now' };
const tree = (...names: string[]) => r.at('tree', ...names);
const inner = (path = '../tree/inner') => addTree(c, { node: 'inner', path });
const remove = (node: string, keep = false) => removeTree(c, node, keep);
const listed = () => r.git(['worktree', 'list']).split('\n').length - 1;

it('one with work in it keeps the one around it, also where git ignores its folder', async () => {
  await inner('../tree/ignored/inner');
  r.write(tree('ignored/inner/mine.txt'), 'mine');
  expect(await remove('inner')).toMatchObject({ kept: 'it holds work that is not committed (one path)' });
  expect(await remove('outer')).toEqual({ path: tree(), kept: 'the worktree "ignored/inner" is in it' });
  expect(readFileSync(tree('ignored/inner/mine.txt'), 'utf8')).toBe('mine');
});

it('one that has to stay, and one of a person, keep it too', async () => {
  await inner();
  await remove('inner', true);
  expect(await remove('outer')).toMatchObject({ kept: 'the worktree "inner" is in it' });
  r.git(['worktree', 'move', tree('inner'), r.at('moved')]);
  await addTree(c, { node: 'outer', path: '../tree' });
  r.git(['worktree', 'add', '--quiet', '--detach', tree('ignored/own')]);
  expect(await remove('outer')).toMatchObject({ kept: 'the worktree "ignored/own" is in it' });
});

it('one that the run has left behind goes before it; one that is at work stays, and keeps it', async () => {
  await inner();
  expect(await removeTree({ ...c, isPast: () => false }, 'outer', false)).toMatchObject({ path: tree() });
  expect(existsSync(tree('inner', 'a.txt'))).toBe(true);
  await addTree(c, { node: 'outer', path: '../tree' });
  expect(await remove('outer')).toEqual({ path: tree() });
  expect(listed()).toBe(0);
  expect(claimsIn(join(r.dir, '.git'))).toEqual([]);
});

it('where the one around it is made anew, the work of the run is kept, and that of others is in the way', async () => {
  await inner('../tree/ignored/inner');
  r.write(tree('ignored/inner/mine.txt'), 'mine');
  await addTree(c, { node: 'outer', path: '../tree', branch: 'fix' });
  expect(r.git(['show', 'refs/toolang/run1/inner.left:mine.txt'])).toBe('mine');
  r.git(['worktree', 'add', '--quiet', '--detach', tree('ignored/own')]);
  await expect(addTree(c, { node: 'outer', path: '../tree', branch: 'other' })).rejects.toThrow(
    `the worktree "${tree('ignored/own')}" is in it: move that`,
  );
  expect(existsSync(tree('ignored/own/a.txt'))).toBe(true);
});

it('it stays where it is when the files around it are set back', async () => {
  const [claim] = claimsIn(join(r.dir, '.git'));
  const outer = ownTree(join(r.dir, '.git'), claim) as Tree;
  const ref = 'refs/toolang/run1/step%231';
  const { commit } = await takeSnapshot(c.git, outer, ref, 'outer', 'before');
  await inner();
  r.write(tree('inner/mine.txt'), 'mine');
  const to = await readSnapshot(c.git, outer.path, commit);
  const restored = await restoreSnapshot(c.git, outer, to, { left: `${ref}.left`, worktree: 'outer', isOwn: true });
  expect(restored.aside).toEqual([]);
  expect(readFileSync(tree('inner/mine.txt'), 'utf8')).toBe('mine');
  expect(r.git(['status', '--porcelain'], tree('inner'))).toBe('?? mine.txt');
});
