/** Real git: whether a branch may go back, and what of it is people's. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRepository, type Repository } from '../../../test/repository.ts';
import { branchWay } from './branch.ts';
import { createGit, type Git } from './git.ts';
import type { Tree } from './private-index.ts';
import { refOf, setRefs } from './refs.ts';
import { takeSnapshot, treeAt } from './snapshot.ts';

let r: Repository;
let git: Git;
let tree: Tree;
beforeEach(() => {
  r = createRepository({});
  git = createGit(r.env);
  r.git(['worktree', 'add', '--quiet', '-b', 'fix', r.at('tree')]);
  tree = treeAt(r.at('tree')) as Tree;
});
afterEach(() => r.remove());

const at = (name = 'HEAD') => r.git(['rev-parse', name], tree.path);
const commit = (message: string, cwd = tree.path) => {
  r.git(['commit', '--quiet', '--allow-empty', '-m', message], cwd);
  return at();
};
const ref = (node: string, part: 'before' | 'after' | 'failed') => refOf({ run: 'run1', node, segment: 1, part });
const keep = (node: string, part: 'before' | 'after') => takeSnapshot(git, tree, ref(node, part), 'work', node);
const way = (to: string, bases: readonly string[] = []) =>
  branchWay(git, 'run1', tree, { branch: 'refs/heads/fix', to, bases });

/** A step that commits. */
async function step(node: string): Promise<string> {
  await keep(node, 'before');
  const made = commit(node);
  await keep(node, 'after');
  return made;
}

describe('a branch', () => {
  it('goes where steps of the run have left it, and where it is gone', async () => {
    const start = at();
    const a = await step('a#1');
    await step('b#1');
    expect(await way(a)).toEqual({ kind: 'free' });
    expect(await way(start)).toEqual({ kind: 'free' });
    r.git(['switch', '--quiet', '--detach'], tree.path);
    r.git(['branch', '-D', 'fix']);
    expect(await way(a)).toEqual({ kind: 'free' });
  });

  it('goes back behind what a step has made that failed, or was killed', async () => {
    const start = at();
    await keep('a#1', 'before');
    const failed = commit('half');
    await setRefs(git, new Map([[ref('a#1', 'failed'), failed]]), { cwd: tree.path });
    expect(await way(start)).toEqual({ kind: 'free' });
    await keep('b#1', 'before');
    commit('killed');
    expect(await way(failed)).toEqual({ kind: 'free' });
  });

  it('stays with what people have made on top', async () => {
    const a = await step('a#1');
    const own = commit('mine');
    expect(await way(a)).toEqual({ kind: 'ahead', commit: own, count: 1 });
  });

  it('does not move where people’s commits stand on work of the run, or went another way', async () => {
    const start = at();
    const a = await step('a#1');
    commit('mine');
    const b = await step('b#1');
    expect(await way(start)).toEqual({ kind: 'astray', commit: b, count: 1 });
    r.git(['reset', '--quiet', '--hard', start], tree.path);
    const other = commit('elsewhere');
    expect(await way(a)).toEqual({ kind: 'astray', commit: other, count: 1 });
  });

  it('that the run has made goes to another base: what was there is on other branches', async () => {
    const start = at();
    const base = commit('base');
    await step('a#1');
    expect(await way(start)).toMatchObject({ kind: 'astray' });
    expect(await way(start, [base])).toEqual({ kind: 'free' });
  });
});
