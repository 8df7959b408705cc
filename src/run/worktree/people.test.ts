/** Real git: whatever people have put where a worktree of a run was, or was left to them, stays as it is. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRepository, filesIn, type Repository } from '../../../test/repository.ts';
import { type Claim, changeClaim, claimOf, claimsIn, makeClaim } from './claim.ts';
import type { AddRequest, TreeContext } from './context.ts';
import { createGit } from './git.ts';
import { ownTree } from './own.ts';
import { removeTree } from './remove.ts';
import { addTree } from './tree.ts';

let r: Repository;
let c: TreeContext;
beforeEach(() => {
  r = createRepository();
  c = { git: createGit(r.env), home: r.dir, run: 'run1', me, isDriven: () => false };
});
afterEach(() => r.remove());

const me = { host: 'here', boot: 'boot', pid: 1, started: 'now' };
const common = () => join(r.dir, '.git');
const tree = (...names: string[]) => r.at('tree', ...names);
const add = (request: Partial<AddRequest> = {}) => addTree(c, { node: 'work', path: '../tree', ...request });
const remove = (keep = false) => removeTree(c, 'work', keep);
const failing = (work: Promise<unknown>) =>
  work.then(
    () => 'it went well',
    (error: Error) => error.message,
  );
const local = ['-c', 'protocol.file.allow=always'];

/** What somebody does to the folder of a run that waits. */
const others: readonly (readonly [string, () => void])[] = [
  [
    'a folder of files',
    () => {
      r.git(['worktree', 'remove', '--force', tree()]);
      r.write(tree('mine.txt'), 'mine');
    },
  ],
  [
    'a folder of files, while git knows the worktree still',
    () => {
      rmSync(tree(), { recursive: true });
      r.write(tree('mine.txt'), 'mine');
    },
  ],
  [
    'a clone',
    () => {
      r.git(['worktree', 'remove', '--force', tree()]);
      r.git(['clone', '--quiet', r.dir, tree()]);
      r.write(tree('mine.txt'), 'mine');
    },
  ],
  [
    'a repository of its own',
    () => {
      rmSync(tree('.git'));
      r.git(['init', '--quiet'], tree());
      r.write(tree('mine.txt'), 'mine');
    },
  ],
  [
    'a worktree of a person',
    () => {
      r.git(['worktree', 'remove', '--force', tree()]);
      r.git(['worktree', 'add', '--quiet', '-b', 'mine', tree()]);
      r.write(tree('mine.txt'), 'mine');
    },
  ],
  [
    'a worktree of a person, with nothing done in it',
    () => {
      r.git(['worktree', 'remove', '--force', tree()]);
      r.git(['worktree', 'add', '--quiet', '-b', 'mine', tree()]);
      r.write(tree('ignored/mine.txt'), 'mine');
    },
  ],
  [
    'a worktree of another repository',
    () => {
      r.git(['worktree', 'remove', '--force', tree()]);
      r.git(['clone', '--quiet', r.dir, r.at('second')]);
      r.git(['worktree', 'add', '--quiet', '-b', 'mine', tree()], r.at('second'));
      r.write(tree('mine.txt'), 'mine');
    },
  ],
  [
    'the folder without its .git',
    () => {
      rmSync(tree('.git'));
      r.write(tree('mine.txt'), 'mine');
    },
  ],
];

const placed = others.flatMap(([what, replace]) => {
  // The folder itself, when git was killed as it removed it, holds nothing that was work.
  const states: Claim['state'][] = what.startsWith('a worktree of a person') ? ['ready', 'adding'] : ['ready'];
  if (what.startsWith('a folder') || what === 'a clone') states.push('removing');
  return states.map((state) => ({ what, state, replace }));
});

it.each(placed)('where there is $what, nothing of it goes ($state)', async ({ state, replace }) => {
  await add();
  const claim = claimOf(common(), tree());
  if (!claim) throw new Error('there is no claim');
  expect(ownTree(common(), claim)).toBeDefined();
  replace();
  changeClaim(common(), { ...claim, state });
  const files = filesIn(tree());
  expect(ownTree(common(), claim)).toBeUndefined();
  expect(await remove()).toEqual({ path: tree(), kept: 'what is there is not what this run has made' });
  expect(filesIn(tree())).toEqual(files);
  expect(claimsIn(common())).toEqual([]);
  changeClaim(common(), { ...claim, state });
  expect(await failing(add())).toMatch(/exists, and is not empty|is a folder of this repository already/);
  expect(filesIn(tree())).toEqual(files);
  expect(claimsIn(common())).toEqual([]);
});

describe('what git has not come to the end with', () => {
  it('is cleared away where a removal was killed when the .git was gone already', async () => {
    await add();
    const claim = claimOf(common(), tree());
    if (!claim) throw new Error('there is no claim');
    changeClaim(common(), { ...claim, state: 'removing' });
    rmSync(tree('.git'));
    expect(await remove()).toEqual({ path: tree() });
    expect(existsSync(tree())).toBe(false);
    expect(r.git(['worktree', 'list']).split('\n')).toHaveLength(1);
  });

  it('is made anew where the process was killed before it had set its mark', async () => {
    makeClaim(common(), { run: 'run1', node: 'work', path: tree(), mark: 'm', state: 'adding', owner: me });
    r.git(['worktree', 'add', '--quiet', '--detach', tree()]);
    expect(await add()).toMatchObject({ path: tree() });
    expect(ownTree(common(), claimOf(common(), tree()))).toBeDefined();
  });
});

describe('a folder that was left to people', () => {
  it('is theirs also when the step is done once more, whatever they have done since', async () => {
    await add();
    writeFileSync(tree('new.txt'), 'n');
    const kept = 'it holds work that is not committed (one path)';
    expect(await remove()).toEqual({ path: tree(), kept });
    rmSync(tree('new.txt'));
    expect(await remove()).toEqual({ path: tree(), kept });
    expect(existsSync(tree())).toBe(true);
  });

  it('is used again by the same worktree, which may then remove it', async () => {
    await add({ branch: 'fix' });
    await remove(true);
    expect(await add({ branch: 'fix' })).toMatchObject({ path: tree(), isOld: true });
    expect(await remove()).toEqual({ path: tree() });
  });

  it('is in the way of another branch, and the message says of what', async () => {
    await add({ node: 'loop[1]/work', branch: 'fix-1' });
    writeFileSync(tree('new.txt'), 'n');
    await removeTree(c, 'loop[1]/work', false);
    expect(await failing(add({ node: 'loop[2]/work', branch: 'fix-2' }))).toBe(
      `"branch" is "fix-2" now, and "${tree()}", made when it was "fix-1", was left to you (it holds work that is not committed (one path)): look at it and remove it with "git worktree remove", or let "path" be another one`,
    );
    expect(filesIn(tree())).toHaveProperty('new.txt');
  });

  it('is left alone where the worktree has another path by now', async () => {
    await add({ branch: 'fix' });
    await remove(true);
    expect(await failing(add({ branch: 'fix', path: '../other' }))).toContain(
      `the branch "fix" is checked out in "${tree()}", which was left to you: remove that with "git worktree remove"`,
    );
    expect(await add({ path: '../other' })).toMatchObject({ path: r.at('other') });
    expect(await remove()).toEqual({ path: r.at('other') });
    expect(existsSync(tree('a.txt'))).toBe(true);
  });
});

describe('commits of a repository inside', () => {
  beforeEach(() => {
    mkdirSync(r.at('lib'));
    r.git(['init', '--quiet'], r.at('lib'));
    r.git(
      ['-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '-m', 'lib'],
      r.at('lib'),
    );
    r.git([...local, 'submodule', '--quiet', 'add', r.at('lib'), 'deps/lib']);
    r.git(['commit', '--quiet', '-m', 'with a module']);
  });

  const update = () => {
    r.git([...local, 'submodule', '--quiet', 'update', '--init'], tree());
    for (const [key, value] of Object.entries({ name: 'Ana', email: 'ana@example.org' })) {
      r.git(['config', `user.${key}`, value], tree('deps/lib'));
    }
  };
  const commit = (folder: string) => r.git(['commit', '--quiet', '--allow-empty', '-m', 'inside'], folder);
  const kept = (name: string, count = 1) => ({
    path: tree(),
    kept: `it holds commits of the repository "${name}" that are nowhere else (${count})`,
  });

  it('keep the folder where they are nowhere else, and no longer when they are pushed', async () => {
    await add({ branch: 'fix' });
    update();
    commit(tree('deps/lib'));
    r.git(['commit', '--quiet', '--all', '-m', 'use it'], tree());
    expect(await remove()).toEqual(kept('deps/lib'));
    r.git(['push', '--quiet', 'origin', 'HEAD:refs/heads/more'], tree('deps/lib'));
    expect(await add({ branch: 'fix' })).toMatchObject({ isOld: true });
    expect(await remove()).toEqual({ path: tree() });
  });

  it('keep it where the module is not checked out any more', async () => {
    await add({ branch: 'fix' });
    update();
    r.git(['switch', '--quiet', '-c', 'own'], tree('deps/lib'));
    commit(tree('deps/lib'));
    r.git(['submodule', '--quiet', 'deinit', '--force', '--all'], tree());
    r.git(['reset', '--quiet', '--hard'], tree());
    expect(await remove()).toEqual(kept('deps/lib'));
  });

  it('that were there before are in no way, also where no branch has them', async () => {
    r.git(
      ['-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '-m', 'two'],
      r.at('lib'),
    );
    r.git(['tag', 'v2'], r.at('lib'));
    r.git(['reset', '--quiet', '--hard', 'HEAD~1'], r.at('lib'));
    r.git([...local, 'fetch', '--quiet', '--tags'], join(r.dir, 'deps/lib'));
    r.git(['checkout', '--quiet', 'v2'], join(r.dir, 'deps/lib'));
    r.git(['commit', '--quiet', '--all', '-m', 'v2']);
    await add({ branch: 'fix' });
    update();
    r.git(['tag', '-d', 'v2'], tree('deps/lib'));
    expect(await remove()).toEqual({ path: tree() });
  });

  it('keep it where the repository was put there by a step, and is committed as one', async () => {
    await add({ branch: 'fix' });
    r.git(['init', '--quiet', 'made'], tree());
    r.git(['-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '-m', 'x'], tree('made'));
    r.git(['-c', 'advice.addEmbeddedRepo=false', 'add', 'made'], tree());
    r.git(['commit', '--quiet', '-m', 'with a repository'], tree());
    expect(await remove()).toEqual(kept('made'));
  });

  it('keep it where the worktree is to be made anew, and the message says what to do', async () => {
    await add({ branch: 'fix' });
    update();
    commit(tree('deps/lib'));
    const said = /is in the way, and it holds (commits of|work in) the repository .*: commit and push that, or/;
    expect(await failing(add({ branch: 'other' }))).toMatch(said);
    r.git(['push', '--quiet', 'origin', 'HEAD:refs/heads/more'], tree('deps/lib'));
    writeFileSync(tree('deps/lib/new.txt'), 'n');
    expect(await failing(add({ branch: 'other' }))).toMatch(said);
    rmSync(tree('deps/lib/new.txt'));
    expect(await failing(add({ branch: 'other' }))).toBe('it went well');
  });

  it('may be where git cannot look', async () => {
    await add({ branch: 'fix' });
    update();
    r.git(['submodule', '--quiet', 'deinit', '--force', '--all'], tree());
    rmSync(join(common(), 'worktrees/tree/modules/deps/lib/objects'), { recursive: true });
    expect((await remove())?.kept).toBe('it holds the repository "deps/lib", into which git cannot look');
  });

  it('keep it also where nobody has added the repository', async () => {
    await add({ branch: 'fix' });
    r.git(['init', '--quiet', 'made'], tree());
    r.git(['-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '-m', 'x'], tree('made'));
    expect(await failing(add({ branch: 'other' }))).toContain('commits of the repository "made" that are nowhere else');
    expect(existsSync(tree('made/.git'))).toBe(true);
  });
});
