/** Real git: worktrees are made, used again and removed, whatever was there and whoever was killed. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createRepository,
  filesIn,
  makeExecutable,
  type Repository,
  type RepositoryOptions,
} from '../../../test/repository.ts';
import { claimsIn, holdBranch, makeClaim } from './claim.ts';
import type { AddRequest, TreeContext } from './context.ts';
import { createGit } from './git.ts';
import { dropRefs, listRefs } from './refs.ts';
import { removeTree } from './remove.ts';
import { addTree } from './tree.ts';

let r: Repository;
afterEach(() => r.remove());

const me = { host: 'here', boot: 'boot', pid: 1, started: 'now' };

/** The worktrees of a run; `driven`: other runs that somebody works for. */
function runOf(run: string, driven: readonly string[] = [], home = r.dir): TreeContext {
  return { git: createGit(r.env), home, run, me, isDriven: (claim) => driven.includes(claim.run) };
}

function given(options?: RepositoryOptions): TreeContext {
  r = createRepository(options);
  return runOf('run1');
}

const add = (context: TreeContext, request: Partial<AddRequest> = {}) =>
  addTree(context, { node: 'work', path: '../tree', ...request });
const remove = (context: TreeContext, keep = false, node = 'work') => removeTree(context, node, keep);
const failing = (work: Promise<unknown>) =>
  work.then(
    () => 'it went well',
    (error: Error & { retryable?: boolean }) => `${error.message}${error.retryable ? ' (retryable)' : ''}`,
  );
const realGit = () => spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
const head = (cwd: string) => r.git(['rev-parse', 'HEAD'], cwd);
const registered = () =>
  r
    .git(['worktree', 'list', '--porcelain'])
    .split('\n')
    .filter((line) => line.startsWith('worktree '));
const claims = () => claimsIn(join(r.dir, '.git')).map(({ run, node, state }) => `${run} ${node} ${state}`);

describe('add', () => {
  it('makes a folder with the files of the base, on a new branch', async () => {
    const c = given();
    const first = head(r.dir);
    r.git(['commit', '--quiet', '--allow-empty', '-m', 'second']);
    r.git(['tag', 'v1', first]);
    expect(await add(c, { branch: 'fix/one', base: 'v1' })).toEqual({
      path: r.at('tree'),
      branch: 'fix/one',
      commit: first,
      isNew: true,
    });
    expect(filesIn(r.at('tree'))).toEqual(filesIn(r.dir));
    expect(r.git(['symbolic-ref', 'HEAD'], r.at('tree'))).toBe('refs/heads/fix/one');
    expect(r.git(['symbolic-ref', 'HEAD'])).toBe('refs/heads/trunk');
  });

  it('begins with HEAD, on no branch, where nothing else is written; also where that is on none', async () => {
    const c = given();
    r.git(['switch', '--quiet', '--detach']);
    const { path, branch, commit } = await add(c);
    expect({ branch, commit }).toEqual({ branch: undefined, commit: head(r.dir) });
    expect(() => r.git(['symbolic-ref', '-q', 'HEAD'], path)).toThrow();
    expect(await remove(c)).toEqual({ path });
  });

  it('takes a branch that exists as it is', async () => {
    const c = given();
    r.git(['branch', 'old']);
    const old = head(r.dir);
    r.git(['commit', '--quiet', '--allow-empty', '-m', 'second']);
    expect(await add(c, { branch: 'old', base: 'HEAD' })).toMatchObject({ branch: 'old', commit: old });
  });

  it('takes paths with blanks and other letters, absolute, with links, and inside of the repository', async () => {
    const c = given({ name: 'ein Ordner ü' });
    const blank = await add(c, { path: '../zwei Wörter/日本' });
    expect(filesIn(blank.path)).toEqual(filesIn(r.dir));
    await remove(c);
    expect(await add(c, { path: r.at('absolute') })).toMatchObject({ path: r.at('absolute') });
    await remove(c);
    mkdirSync(r.at('real'));
    symlinkSync(r.at('real'), r.at('link'));
    expect(await add(c, { path: '../link/tree' })).toMatchObject({ path: r.at('real', 'tree') });
    await remove(c);
    const inside = await add(c, { path: 'inner/tree' });
    expect(inside.path).toBe(join(r.dir, 'inner/tree'));
    await remove(c);
    expect(registered()).toEqual([`worktree ${r.dir}`]);
  });

  it('works from a bare repository, where no files are that could be changed', async () => {
    const c = given();
    r.git(['clone', '--quiet', '--bare', r.dir, r.at('bare.git')]);
    const bare = { ...c, home: r.at('bare.git') };
    expect(await add(bare, { path: '../tree' })).toMatchObject({ path: r.at('tree'), commit: head(r.dir) });
    expect(await remove(bare)).toEqual({ path: r.at('tree') });
  });

  it('works from a folder below the top, and from another worktree', async () => {
    const c = given();
    expect(await add({ ...c, home: join(r.dir, 'b') }, { path: '../../tree' })).toMatchObject({ path: r.at('tree') });
    r.git(['commit', '--quiet', '--allow-empty', '-m', 'inside'], r.at('tree'));
    const nested = await add(c, { node: 'inner', path: '../nested', cwd: r.at('tree') });
    expect(nested.commit).toBe(head(r.at('tree')));
  });

  it('is done once, however often it is asked for: what is there is used with its files', async () => {
    const c = given();
    const { isNew: _, ...made } = await add(c, { branch: 'fix' });
    r.write(r.at('tree/new.txt'), 'n');
    r.git(['commit', '--quiet', '--allow-empty', '-m', 'more'], r.at('tree'));
    expect(await add(c, { branch: 'fix' })).toEqual({ ...made, isOld: true });
    expect(readFileSync(r.at('tree/new.txt'), 'utf8')).toBe('n');
  });

  it('makes again what is gone, from where it began', async () => {
    const c = given();
    const { commit } = await add(c);
    rmSync(r.at('tree'), { recursive: true });
    r.git(['commit', '--quiet', '--allow-empty', '-m', 'second']);
    writeFileSync(join(r.dir, 'a.txt'), 'dirty by now\n');
    expect(await add(c)).toEqual({ path: r.at('tree'), commit });
    expect(filesIn(r.at('tree'))).toMatchObject({ 'a.txt': 'a\n' });
  });

  it('takes the place of a folder that git knows and that is gone, with its branch', async () => {
    const c = given();
    r.git(['worktree', 'add', '--quiet', '-b', 'fix', r.at('tree')]);
    rmSync(r.at('tree'), { recursive: true });
    expect(await add(c, { branch: 'fix' })).toMatchObject({ branch: 'fix' });
    r.git(['worktree', 'add', '--quiet', '-b', 'more', r.at('elsewhere')]);
    rmSync(r.at('elsewhere'), { recursive: true });
    expect(await add(runOf('run2'), { branch: 'more', path: '../third' })).toMatchObject({ branch: 'more' });
  });
});

describe('what is written otherwise by now', () => {
  const left = (node = 'work') => r.git(['rev-parse', '--verify', `refs/toolang/run1/${node}.left`]);

  it('another branch: the folder is made anew on it, and what was there is kept', async () => {
    const c = given();
    await add(c, { branch: 'one' });
    r.write(r.at('tree/new.txt'), 'n');
    expect(await add(c, { branch: 'two' })).toMatchObject({
      branch: 'two',
      why: `what was in "${r.at('tree')}" is kept as refs/toolang/run1/work.left`,
    });
    expect(r.git(['symbolic-ref', 'HEAD'], r.at('tree'))).toBe('refs/heads/two');
    expect(filesIn(r.at('tree'))).toEqual(filesIn(r.dir));
    expect(r.git(['show', `${left()}:new.txt`])).toBe('n');
    expect(await add(c, { branch: 'two' })).toMatchObject({ branch: 'two', isOld: true });
    expect(await add(c, { branch: 'one' })).toMatchObject({
      branch: 'one',
      why: expect.stringContaining('refs/toolang/run1/work%202.left'),
    });
    expect(r.git(['show', `${left()}:new.txt`])).toBe('n');
  });

  it('another base', async () => {
    const c = given();
    r.git(['tag', 'v1']);
    r.git(['commit', '--quiet', '--allow-empty', '-m', 'second']);
    await add(c, { base: 'HEAD' });
    expect(await add(c, { base: 'v1' })).toMatchObject({ commit: r.git(['rev-parse', 'v1']) });
    expect(head(r.at('tree'))).toBe(r.git(['rev-parse', 'v1']));
  });

  it.each([{}, { branch: 'fix' }])(
    'another path: the old folder goes, and remove acts on the new one (%j)',
    async (on) => {
      const c = given();
      await add(c, on);
      r.write(r.at('tree/new.txt'), 'n');
      expect(await add(c, { ...on, path: '../second' })).toMatchObject({
        path: r.at('second'),
        ...on,
        why: `what was in "${r.at('tree')}" is kept as refs/toolang/run1/work.left`,
      });
      expect(existsSync(r.at('tree'))).toBe(false);
      expect(r.git(['show', `${left()}:new.txt`])).toBe('n');
      expect(claims()).toEqual(['run1 work ready']);
      expect(await remove(c)).toEqual({ path: r.at('second') });
      expect({ claims: claims(), trees: registered() }).toEqual({ claims: [], trees: [`worktree ${r.dir}`] });
    },
  );

  it('stays beside the folder of another run, also when that is free by now', async () => {
    given();
    const other = runOf('other');
    await add(other);
    const c = runOf('run1');
    expect(await add(c)).toMatchObject({ path: r.at('tree-run1') });
    await remove(other);
    expect(await add(c)).toMatchObject({ path: r.at('tree-run1'), isOld: true });
    expect(await remove(c)).toEqual({ path: r.at('tree-run1') });
  });

  it('begins anew where what was before does not count: with the base as it is now, in the same folder', async () => {
    const c = given();
    const first = await add(c);
    r.write(r.at('tree/ignored/cache'), 'x');
    r.git(['commit', '--quiet', '--allow-empty', '-m', 'second']);
    expect(await add(c, { isFresh: true })).toEqual({ path: first.path, commit: head(r.dir), isOld: true });
    expect(existsSync(r.at('tree/ignored/cache'))).toBe(true);
    await remove(c);
    r.git(['commit', '--quiet', '--allow-empty', '-m', 'third']);
    expect(await add(c, { isFresh: true })).toEqual({ path: first.path, commit: head(r.dir) });
  });

  it('a folder of an earlier segment gives the branch free, one that is in use does not', async () => {
    const c = given();
    await add(c, { branch: 'fix' });
    r.write(r.at('tree/new.txt'), 'n');
    const next = { node: 'next', path: '../next', branch: 'fix' };
    expect(await failing(add({ ...c, isPast: (node) => node !== 'work' }, next))).toContain('is checked out in');
    expect(await add({ ...c, isPast: () => true }, next)).toMatchObject({
      path: r.at('next'),
      branch: 'fix',
      why: expect.stringContaining('is kept as'),
    });
    expect(r.git(['show', `${left()}:new.txt`])).toBe('n');
    expect(existsSync(r.at('tree'))).toBe(false);
  });
});

describe('a branch that several want at once', () => {
  it.each([true, false])('is in one folder (there before: %s)', async (isOld) => {
    const c = given();
    if (isOld) r.git(['branch', 'fix']);
    const names = ['a', 'b', 'c', 'd'];
    const ends = await Promise.all(names.map((node) => failing(add(c, { node, path: `../${node}`, branch: 'fix' }))));
    expect(ends.filter((end) => end === 'it went well')).toHaveLength(1);
    for (const end of ends) {
      if (end !== 'it went well') expect(end).toMatch(/^the branch "fix" is checked out in .* let "branch" be/);
    }
    expect(registered()).toHaveLength(2);
    expect(claims()).toHaveLength(1);
  });

  it('is free when the one who held it was killed', async () => {
    const c = given();
    const common = join(r.dir, '.git');
    const dead = { ...me, pid: 2 };
    const claim = { run: 'run1', node: 'a', path: r.at('a'), mark: 'm', state: 'adding' as const, owner: dead };
    makeClaim(common, claim);
    expect(holdBranch(common, 'fix', claim, () => false)).toBeUndefined();
    expect(await add(c, { node: 'b', path: '../b', branch: 'fix' })).toMatchObject({ branch: 'fix' });
    expect(holdBranch(common, 'more', { ...claim, owner: me }, () => false)).toBeUndefined();
    const said = await failing(add(c, { node: 'd', path: '../d', branch: 'more' }));
    expect(said).toContain('the branch "more" is checked out in');
  });
});

describe('what cannot be', () => {
  it('is told: a path below a file', async () => {
    const c = given();
    expect(await failing(add(c, { path: 'a.txt/one/tree' }))).toBe(
      `"path" is "${join(r.dir, 'a.txt/one/tree')}", and "${join(r.dir, 'a.txt')}" is a file: let it name a folder that can be made`,
    );
    expect(claims()).toEqual([]);
  });

  it('is told: a git that is too old', async () => {
    const c = given();
    const old = (version: string) => {
      const file = r.at('bin/git');
      r.write(
        file,
        `#!/bin/sh\nfor a; do [ "$a" = --version ] && { echo "git version ${version}"; exit 0; }; done\nexec '${realGit()}' "$@"\n`,
      );
      makeExecutable(file);
      return { ...c, git: createGit({ ...r.env, PATH: `${r.at('bin')}:${r.env.PATH}` }) };
    };
    expect(await failing(add(old('2.30.9')))).toBe(
      'worktrees need git 2.31 or newer, and here is "git version 2.30.9": install a newer one (https://git-scm.com)',
    );
    expect(await failing(add(old('1.99.0')))).toContain('2.31 or newer');
    expect(await failing(add(old('2.31.0.windows.1')))).toBe('it went well');
    expect(await failing(add(old('3.0.0 (Some Git-1)')))).toBe('it went well');
  });
  it('is told: no git', async () => {
    const c = given();
    const none = { ...c, git: createGit({ ...r.env, PATH: r.at('nowhere') }) };
    expect(await failing(add(none))).toContain('there is no program "git" on the PATH: install it');
  });

  it('is told: no repository', async () => {
    const c = given();
    mkdirSync(r.at('plain'));
    const said = await failing(add({ ...c, home: r.at('plain') }));
    expect(said).toContain(`"${r.at('plain')}" is in no git repository`);
    expect(said).toContain('git init');
  });

  it('is told: no commit', async () => {
    expect(await failing(add(given({ isEmpty: true })))).toMatch(/has no commit yet.*: commit something first/);
    expect(await failing(add(runOf('run1'), { base: 'HEAD', branch: 'x' }))).toMatch(/has no commit yet/);
    expect(claims()).toEqual([]);
  });

  it('is told: an unknown base, also one that looks like an option', async () => {
    const c = given();
    expect(await failing(add(c, { base: 'nowhere' }))).toBe(
      '"base" is "nowhere", and git knows no such commit: write a branch, a tag or the id of a commit',
    );
    expect(await failing(add(c, { base: '--all' }))).toContain('git knows no such commit');
    expect(existsSync(r.at('tree'))).toBe(false);
    expect(claims()).toEqual([]);
  });

  it('is told: changes that are not committed, unless a base is written', async () => {
    const c = given();
    writeFileSync(join(r.dir, 'a.txt'), 'changed\n');
    r.write(join(r.dir, 'untracked.txt'), 'u');
    expect(await failing(add(c))).toBe(
      'a worktree begins with what is committed, and here are changes that are not (a.txt): commit them, or write "base: HEAD" to begin without them',
    );
    expect(await add(c, { base: 'HEAD' })).toMatchObject({ commit: head(r.dir) });
    expect(readFileSync(join(r.dir, 'a.txt'), 'utf8')).toBe('changed\n');
  });

  it('is told: a branch that is checked out by a person', async () => {
    const c = given();
    expect(await failing(add(c, { branch: 'trunk' }))).toBe(
      `the branch "trunk" is checked out in "${r.dir}", and a branch can be in one folder only: let "branch" be another one`,
    );
  });

  it('is told: a name that is none', async () => {
    const c = given();
    for (const branch of ['a..b', '-x', 'a b', '', 'refs/heads/x']) {
      expect(await failing(add(c, { branch })), branch).toContain('git takes no branch with the name');
    }
    for (const path of ['', '~', '~/x']) expect(await failing(add(c, { path })), path).toContain('is no folder');
    expect(claims()).toEqual([]);
    expect(registered()).toHaveLength(1);
  });

  it('is told: a folder with something in it, which is left alone', async () => {
    const c = given();
    r.write(r.at('tree/mine.txt'), 'mine');
    expect(await failing(add(c))).toContain('exists, and is not empty: remove it, or let "path" name a new folder');
    expect(await failing(add(c, { path: '.' }))).toContain('is a folder of this repository already');
    expect(await failing(add(c, { path: '../tree/mine.txt' }))).toContain('exists, and is not empty');
    r.git(['worktree', 'add', '--quiet', '--detach', r.at('person')]);
    expect(await failing(add(c, { path: '../person' }))).toContain('is a folder of this repository already');
    expect(filesIn(r.at('tree'))).toEqual({ 'mine.txt': 'mine' });
    expect(filesIn(r.at('person'))).toEqual(filesIn(r.dir));
    expect(claims()).toEqual([]);
  });
});

describe('two runs', () => {
  it('that want one folder at once: the second is told which run has it, and may try again', async () => {
    const c = given();
    await add(c);
    const said = await failing(add(runOf('run2', ['run1'])));
    expect(said).toContain(`"${r.at('tree')}" is the worktree of the run run1 (work), which is at work`);
    expect(said).toContain('(retryable)');
    await remove(c);
    expect(await add(runOf('run2', ['run1']))).toMatchObject({ path: r.at('tree') });
  });

  it('of which nobody drives the first: the second works beside it, and says why', async () => {
    const c = given();
    await add(c, { branch: 'fix' });
    r.write(r.at('tree/work.txt'), 'w');
    const { path, branch, why } = await add(runOf('run2'), { branch: 'fix' });
    expect({ path, branch }).toEqual({ path: r.at('tree-run2'), branch: undefined });
    expect(why).toContain('is the worktree of the run run1 (work); the branch "fix" is checked out in');
    expect(await add(runOf('run2'), { branch: 'fix' })).toMatchObject({ path, isOld: true });
    expect(await remove(runOf('run2'))).toEqual({ path });
    expect(readFileSync(r.at('tree/work.txt'), 'utf8')).toBe('w');
  });

  it('that want one branch in two folders: the second is told, and may try again', async () => {
    const c = given();
    await add(c, { branch: 'fix' });
    const said = await failing(add(runOf('run2', ['run1']), { branch: 'fix', path: '../other' }));
    expect(said).toMatch(/the branch "fix" is checked out in .* by the run run1, which is at work.*\(retryable\)/);
  });

  it('a folder that somebody removed is free', async () => {
    const c = given();
    await add(c);
    r.git(['worktree', 'remove', r.at('tree')]);
    expect(await add(runOf('run2'))).toEqual({ path: r.at('tree'), commit: head(r.dir) });
    expect(claims()).toEqual(['run2 work ready']);
  });

  it('two nodes of one run do not share a folder; the iterations of a loop do', async () => {
    const c = given();
    await add(c, { node: 'polish[1]/work' });
    expect(await failing(add(c, { node: 'other' }))).toContain('is the worktree "polish[1]/work" of this run');
    expect(await add(c, { node: 'polish[2]/work' })).toMatchObject({ path: r.at('tree'), isOld: true });
    expect(await remove(c, false, 'polish[2]/work')).toEqual({ path: r.at('tree') });
  });

  it('of many that begin at the same moment each has a folder or an error', async () => {
    given();
    const ends = await Promise.all(
      ['a', 'b', 'c', 'd'].map((run) =>
        failing(add(runOf(run, ['a', 'b', 'c', 'd'])).then(({ path }) => Promise.reject(new Error(path)))),
      ),
    );
    expect(ends.filter((end) => end === r.at('tree'))).toHaveLength(1);
    expect(ends.filter((end) => end.endsWith('(retryable)'))).toHaveLength(3);
    expect(registered()).toHaveLength(2);
  });
});

describe('remove', () => {
  it('leaves nothing behind but the branch', async () => {
    const c = given();
    await add(c, { branch: 'fix' });
    r.write(r.at('tree/ignored/cache'), 'x');
    r.git(['commit', '--quiet', '--allow-empty', '-m', 'work'], r.at('tree'));
    expect(await remove(c)).toEqual({ path: r.at('tree') });
    expect(existsSync(r.at('tree'))).toBe(false);
    expect(registered()).toHaveLength(1);
    expect(claims()).toEqual([]);
    expect(r.git(['log', '-1', '--format=%s', 'fix'])).toBe('work');
    expect(await remove(c)).toBeUndefined();
  });

  it.each<[string, (path: string) => void]>([
    ['a changed file', (path) => writeFileSync(join(path, 'a.txt'), 'changed')],
    ['a new file', (path) => writeFileSync(join(path, 'new.txt'), 'n')],
    ['a file that is gone', (path) => rmSync(join(path, 'a.txt'))],
    ['a changed mode', (path) => makeExecutable(join(path, 'a.txt'))],
    ['a file that is staged to go', (path) => void r.git(['rm', '--quiet', 'a.txt'], path)],
    ['a commit that no branch has', (path) => void r.git(['commit', '--quiet', '--allow-empty', '-m', 'x'], path)],
  ])('leaves it where it holds %s, and says so', async (_, change) => {
    const c = given();
    const { path } = await add(c);
    change(path);
    expect((await remove(c))?.kept).toMatch(/^it holds (work that is not committed|commits that no branch has)/);
    expect(existsSync(path)).toBe(true);
  });

  it('leaves it where the workflow says so', async () => {
    const c = given();
    await add(c);
    expect(await remove(c, true)).toEqual({ path: r.at('tree'), kept: 'the workflow says so' });
    expect(claims()).toEqual(['run1 work ready']);
  });

  it('removes one with a submodule, and one with locks of a git that was killed', async () => {
    const c = given();
    const inner = createRepository();
    r.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'module']);
    r.git(['commit', '--quiet', '-m', 'with a module']);
    const { path } = await add(c, { branch: 'fix' });
    r.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init'], path);
    writeFileSync(join(r.dir, '.git/worktrees/tree/index.lock'), '');
    writeFileSync(join(r.dir, '.git/refs/heads/fix.lock'), '');
    expect(await remove(c)).toEqual({ path });
    expect(existsSync(path)).toBe(false);
    r.git(['branch', '--force', 'fix', 'HEAD~1']);
    inner.remove();
  });
});

describe('a process that was killed', () => {
  /** A file that takes long to check out: git can be killed while it does. */
  const filter = () => {
    writeFileSync(join(r.dir, '.gitattributes'), '*.slow filter=slow\n');
    for (const name of ['x.slow', 'y.slow']) writeFileSync(join(r.dir, name), 's\n');
    r.git(['add', '.']);
    r.git(['commit', '--quiet', '-m', 'slow files']);
    r.git(['config', 'filter.slow.smudge', `touch '${r.at('begun')}'; sleep 100; cat`]);
  };
  const until = async (holds: () => boolean) => {
    for (const end = Date.now() + 60_000; !holds(); await new Promise((done) => setTimeout(done, 5))) {
      if (Date.now() > end) throw new Error('it never came');
    }
  };

  it('in the middle of an add leaves nothing that hinders the next', async () => {
    const c = given();
    filter();
    let pid = 0;
    const dying = failing(add({ ...c, watch: { spawned: (each) => (pid = each), ended: () => undefined } }));
    await until(() => existsSync(r.at('begun')));
    expect(readdirSync(r.at('tree')).length).toBeGreaterThan(0);
    process.kill(-pid, 'SIGKILL');
    expect(await dying).toContain('SIGKILL');
    expect({ claims: claims(), trees: registered() }).toEqual({ claims: [], trees: [`worktree ${r.dir}`] });
    r.git(['config', 'filter.slow.smudge', 'cat']);
    expect(await add(c)).toMatchObject({ path: r.at('tree') });
    expect(r.git(['status', '--porcelain'], r.at('tree'))).toBe('');
  });

  it('with its git leaves a claim, a half made folder and a locked entry, and the next add clears them away', async () => {
    const c = given();
    filter();
    const path = r.at('tree');
    makeClaim(join(r.dir, '.git'), { run: 'run1', node: 'work', path, mark: 'm', state: 'adding', owner: me });
    const child = spawn('git', ['worktree', 'add', '--detach', path], { cwd: r.dir, env: r.env, detached: true });
    await until(() => existsSync(r.at('begun')));
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    expect(readFileSync(join(r.dir, '.git/worktrees/tree/locked'), 'utf8')).toContain('initializing');
    r.git(['config', 'filter.slow.smudge', 'cat']);
    expect(await add(c)).toMatchObject({ path });
    expect(r.git(['status', '--porcelain'], path)).toBe('');
    expect(readdirSync(join(r.dir, '.git/worktrees'))).toEqual(['tree']);
  });
});

it('the refs of a run are listed and dropped', async () => {
  const c = given();
  await add(c);
  expect([...(await listRefs(c.git, 'run1', { cwd: r.dir })).keys()]).toEqual(['refs/toolang/run1/work']);
  expect(await dropRefs(c.git, 'run1', { cwd: r.dir })).toBe(1);
  expect(await dropRefs(c.git, 'run1', { cwd: r.dir })).toBe(0);
});
