/** Real git: what a run that is pruned has kept goes, and what others have of it, or people, stays. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRepository, type Repository } from '../../../test/repository.ts';
import { createMemoryStore, prunable, prune } from '../../journal/index.ts';
import { planOf } from '../../plan/plan-test-kit.ts';
import { openEngine } from '../index.ts';
import { claimsIn } from './claim.ts';
import { type ForgetContext, forgetWorktrees } from './forget.ts';
import { createGit } from './git.ts';
import { removeTree } from './remove.ts';
import { addTree } from './tree.ts';

let r: Repository;
let c: ForgetContext;
beforeEach(() => {
  r = createRepository();
  const me = { host: 'here', boot: 'boot', pid: 1, started: 'now' };
  c = { git: createGit(r.env), home: r.dir, run: 'run1', me, isDriven: () => false };
});
afterEach(() => r.remove());

const keep = (...refs: string[]) => {
  for (const ref of refs) r.git(['update-ref', `refs/toolang/${ref}`, 'HEAD']);
};
const refs = (dir = r.dir) =>
  r
    .git(['for-each-ref', '--format=%(refname)', 'refs/toolang/'], dir)
    .split('\n')
    .map((ref) => ref.slice('refs/toolang/'.length));
const tree = () => r.at('tree');
const add = () => addTree(c, { node: 'work', path: '../tree', branch: 'fix' });

it('refs, claims and folders go in which nothing is', async () => {
  keep('run2/a');
  await add();
  await forgetWorktrees(c);
  expect({ refs: refs(), claims: claimsIn(join(r.dir, '.git')), isThere: existsSync(tree()) }).toEqual({
    refs: ['run2/a'],
    claims: [],
    isThere: false,
  });
});

it('a folder that was left to people stays, with what git ignores, also when they have committed all of it', async () => {
  await add();
  writeFileSync(r.at('tree/new.txt'), 'n');
  await removeTree(c, 'work', false);
  r.git(['add', '.'], tree());
  r.git(['commit', '--quiet', '-m', 'mine'], tree());
  writeFileSync(r.at('tree/x.log'), 'ignored');
  await forgetWorktrees(c);
  expect({ refs: refs(), claims: claimsIn(join(r.dir, '.git')) }).toEqual({ refs: [''], claims: [] });
  expect(existsSync(r.at('tree/x.log'))).toBe(true);
  // There is nothing of the run any more.
  await forgetWorktrees(c);
  expect(existsSync(r.at('tree/x.log'))).toBe(true);
});

it('work that nobody has seen yet stays too', async () => {
  await add();
  writeFileSync(r.at('tree/new.txt'), 'n');
  await forgetWorktrees(c);
  expect(existsSync(r.at('tree/new.txt'))).toBe(true);
  expect(claimsIn(join(r.dir, '.git'))).toEqual([]);
});

it('forks keep what they share with it, and nothing that came after', async () => {
  keep('run1/a', 'run1/a.after', 'run1/a.s20', 'run1/b.s30', 'fork2/a');
  r.git(['commit', '--quiet', '--allow-empty', '-m', 'second']);
  keep('run1/a');
  const forks = [
    { id: 'fork1', forkedAt: 25 },
    { id: 'fork2', forkedAt: 7 },
  ];
  await forgetWorktrees({ ...c, forks });
  expect(refs()).toEqual(['fork1/a', 'fork1/a.after', 'fork1/a.s20', 'fork2/a', 'fork2/a.after']);
  expect(r.git(['log', '-1', '--format=%s', 'refs/toolang/fork2/a'])).toBe('first');
});

it('a fork of a fork has what the first shares, also where that had never looked for it', async () => {
  keep('origin/a', 'origin/a.s9');
  await forgetWorktrees({ ...c, forkOf: 'origin', forkedAt: 5, forks: [{ id: 'fork1', forkedAt: 8 }] });
  expect(refs()).toEqual(['fork1/a', 'origin/a', 'origin/a.s9']);
});

it('an engine knows which forks a run has, and what they share', async () => {
  const store = createMemoryStore();
  const engine = openEngine({ store, cwd: r.dir, env: r.env });
  const source =
    'name: flow\ninput:\nsteps[1]:\n  - kind: worktree\n    id: work\n    path: ../tree\n    children[1]:\n      - kind: approval\n        id: ok\n        request:\n          title: go?\n';
  const change = { plan: await planOf(source), input: {}, source, file: join(r.dir, 'flow.toon') };
  const run = engine.create(change);
  engine.giveUp(run);
  expect(await engine.drive(run.id)).toMatchObject({ kind: 'waiting' });
  const found = engine.stepAt(run.id, 'ok');
  if (found.kind !== 'found') throw new Error(found.kind);
  const fork = engine.fork(run.id, { before: found.seq, change });
  const later = engine.fork(run.id, { before: found.seq, change });
  keep(`${run.id}/ok.s1000`);
  // Those that go together leave nothing to each other; the last that ended is looked at first.
  store.write((w) => {
    w.updateRun(run.id, { status: 'done', endedAt: 1 });
    w.updateRun(later.id, { status: 'done', endedAt: 2 });
    w.updateRun(fork.id, { status: 'done', endedAt: 3 });
  });
  const pruned = await prune(store, prunable(store, { keep: 1 }), {
    isDriven: () => false,
    forget: ({ id }) => engine.forget(id),
  });
  expect(pruned.removed.map(({ id }) => id)).toEqual([later.id, run.id]);
  expect(refs()).toEqual([`${fork.id}/work`]);
  expect(existsSync(tree())).toBe(false);
});

it('a repository that was moved is found around the store; one that is gone has nothing', async () => {
  keep('run1/a');
  renameSync(r.dir, r.at('moved'));
  await forgetWorktrees({ ...c, around: r.at('moved/b') });
  expect(refs(r.at('moved'))).toEqual(['']);
  await forgetWorktrees({ ...c, around: r.top });
  mkdirSync(r.dir);
  await forgetWorktrees(c);
  rmSync(r.dir, { recursive: true });
});

it('where git cannot look, it says so, also from a folder below the top', async () => {
  keep('run1/a');
  const none = createGit({ ...r.env, PATH: r.at('nowhere') });
  await expect(forgetWorktrees({ ...c, git: none, home: join(r.dir, 'b') })).rejects.toThrow('no program "git"');
  expect(refs()).toEqual(['run1/a']);
});
