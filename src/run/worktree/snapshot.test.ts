/** Real git: the files of a worktree are kept and set back, and git says the same of them as before. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRepository, filesIn, makeExecutable, type Repository } from '../../../test/repository.ts';
import { createGit, type Git } from './git.ts';
import { dropIndexes, type Tree } from './private-index.ts';
import { type KnownSnapshot, readSnapshot, restoreSnapshot, takeSnapshot, treeAt } from './snapshot.ts';

let r: Repository;
let git: Git;
let tree: Tree;
beforeEach(() => {
  r = createRepository({ name: 'two words ünï' });
  git = createGit(r.env);
  r.git(['worktree', 'add', '--quiet', '-b', 'fix', r.at('tree')]);
  tree = treeAt(r.at('tree')) as Tree;
});
afterEach(() => r.remove());

const ref = 'refs/toolang/run1/step%231';
const at = (name: string) => join(tree.path, name);
const status = () => r.git(['status', '--porcelain=v2', '--branch', '--untracked-files=all'], tree.path);

/** All that can be seen of a worktree. */
const seen = () => ({ files: filesIn(tree.path), status: status(), branches: r.git(['branch', '-v']) });

async function take(): Promise<KnownSnapshot> {
  const { commit } = await takeSnapshot(git, tree, ref, 'work', 'before step#1');
  return readSnapshot(git, tree.path, commit);
}

const back = (to: KnownSnapshot, isOwn = true) =>
  restoreSnapshot(git, tree, to, { left: `${ref}.left`, worktree: 'work', isOwn }).then(({ isSet }) => isSet);

describe('a snapshot', () => {
  it('holds tracked and untracked files, modes and links, and not what is ignored', async () => {
    writeFileSync(at('a.txt'), 'changed\r\n');
    rmSync(at('b/c.txt'));
    r.write(at('new/deep ü.txt'), 'n\r\nm\n');
    r.write(at('tool.sh'), '#!/bin/sh\n');
    makeExecutable(at('tool.sh'));
    symlinkSync('a.txt', at('link'));
    r.write(at('ignored/x'), 'x');
    r.write(at('trace.log'), 'x');
    await take();
    const names = r.git(['-c', 'core.quotePath=false', 'ls-tree', '-r', '--format=%(objectmode) %(path)', ref]);
    expect(names.split('\n')).toEqual([
      '100644 .gitignore',
      '100644 a.txt',
      '120000 link',
      '100644 new/deep ü.txt',
      '100755 tool.sh',
    ]);
    expect(r.git(['show', `${ref}:a.txt`])).toBe('changed\r');
  });

  it('leaves the branch, HEAD and what is staged alone', async () => {
    writeFileSync(at('a.txt'), 'staged\n');
    r.git(['add', 'a.txt'], tree.path);
    writeFileSync(at('a.txt'), 'more\n');
    r.write(at('new.txt'), 'n');
    const before = seen();
    const index = readFileSync(join(tree.gitDir, 'index'));
    await take();
    expect(seen()).toEqual(before);
    expect(readFileSync(join(tree.gitDir, 'index'))).toEqual(index);
    dropIndexes(tree.gitDir);
    expect(readdirSync(tree.gitDir).filter((name) => name.startsWith('toolang'))).toEqual([]);
  });

  it('sees what was changed in the same moment, to the same length', async () => {
    // So that only the times tell.
    r.git(['config', 'core.trustctime', 'false']);
    r.git(['config', 'core.checkStat', 'minimal']);
    const moment = 1_000_000_000;
    utimesSync(at('a.txt'), moment, moment);
    r.git(['update-index', '--refresh'], tree.path);
    writeFileSync(at('a.txt'), 'z\n');
    utimesSync(at('a.txt'), moment, moment);
    utimesSync(join(tree.gitDir, 'index'), moment, moment);
    await take();
    expect(r.git(['show', `${ref}:a.txt`])).toBe('z');
  });

  it('is kept through a garbage collection, with what was staged', async () => {
    writeFileSync(at('a.txt'), 'staged\n');
    r.git(['add', 'a.txt'], tree.path);
    writeFileSync(at('a.txt'), 'then\n');
    const before = seen();
    const kept = await take();
    r.git(['reset', '--hard', '--quiet'], tree.path);
    r.git(['reflog', 'expire', '--expire=now', '--all']);
    r.git(['gc', '--quiet', '--prune=now']);
    await back(kept);
    expect(seen()).toEqual(before);
  });

  it('leaves out what cannot be kept, and says so', async () => {
    mkdirSync(at('inner'));
    r.git(['init', '--quiet'], at('inner'));
    r.write(at('new.txt'), 'n');
    const { unkept, commit } = await takeSnapshot(git, tree, ref, 'work', 'before');
    expect(unkept).toContain("'inner/' does not have a commit checked out");
    expect(r.git(['ls-tree', '--name-only', commit]).split('\n')).toContain('new.txt');
  });

  it('is read as it was written, whatever encoding messages have here', async () => {
    r.git(['config', 'i18n.commitEncoding', 'ISO-8859-1']);
    r.git(['config', 'i18n.logOutputEncoding', 'ISO-8859-15']);
    r.git(['switch', '--quiet', '-c', 'mend/ünï'], tree.path);
    expect(await take()).toMatchObject({ branch: 'refs/heads/mend/ünï' });
  });

  it('takes no harm from a lock that a killed process left on its ref', async () => {
    await take();
    const lock = join(r.dir, '.git', `${ref}.lock`);
    writeFileSync(lock, '');
    writeFileSync(at('a.txt'), 'second\n');
    await take();
    expect(r.git(['show', `${ref}:a.txt`])).toBe('second');
  });

  it('runs no hooks, heeds no GIT_ variables and asks nobody', async () => {
    const hook = join(r.dir, '.git/hooks/reference-transaction');
    r.write(hook, `#!/bin/sh\necho x >> '${r.at('hooked')}'\n`);
    makeExecutable(hook);
    const env = { ...r.env, GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere', GIT_WORK_TREE: '/', LANG: 'de_DE.UTF-8' };
    git = createGit(env);
    await take();
    expect(() => statSync(r.at('hooked'))).toThrow();
  });

  it('heeds what is configured by variables', async () => {
    const own = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.excludesFile', GIT_CONFIG_VALUE_0: r.at('mine') };
    r.write(r.at('mine'), '*.tmp\n');
    r.write(at('new.tmp'), 't');
    git = createGit({ ...r.env, ...own });
    const { commit } = await take();
    expect(r.git(['ls-tree', '-r', '--name-only', commit])).not.toContain('new.tmp');
  });
});

describe('set back', () => {
  it('the files are as they were, with what was deleted, made, renamed, linked and made executable since', async () => {
    writeFileSync(at('a.txt'), 'mine\r\n');
    r.write(at('draft/one.txt'), '1');
    r.write(at('draft/tool.sh'), '#!/bin/sh\n');
    makeExecutable(at('draft/tool.sh'));
    symlinkSync('one.txt', at('draft/link'));
    r.write(at('ignored/cache'), 'old');
    const before = seen();
    const kept = await take();
    rmSync(at('draft'), { recursive: true });
    writeFileSync(at('draft'), 'a file where a folder was');
    rmSync(at('a.txt'));
    mkdirSync(at('a.txt'));
    r.write(at('a.txt/inner'), 'a folder where a file was');
    renameSync(at('b/c.txt'), at('c.txt'));
    r.write(at('more/new.txt'), 'new');
    r.write(at('ignored/cache'), 'new');
    expect(await back(kept)).toBe(true);
    expect(seen()).toEqual({ ...before, files: { ...before.files, 'ignored/cache': 'new' } });
    expect(readdirSync(tree.path)).not.toContain('more');
  });

  it('a repository that was made inside is moved away, and lost is nothing of it', async () => {
    const before = seen();
    const kept = await take();
    r.git(['clone', '--quiet', r.dir, at('dep')]);
    r.write(at('dep/mine.txt'), 'mine');
    const restored = await restoreSnapshot(git, tree, kept, { left: `${ref}.left`, worktree: 'work', isOwn: true });
    expect(seen()).toEqual(before);
    const [aside] = restored.aside;
    expect(aside?.path).toBe('dep');
    expect(readFileSync(join(aside?.to ?? '', 'mine.txt'), 'utf8')).toBe('mine');
    r.git(['clone', '--quiet', r.dir, at('dep')]);
    expect(
      (await restoreSnapshot(git, tree, await take(), { left: ref, worktree: 'work', isOwn: true })).aside,
    ).toEqual([]);
    expect(readFileSync(at('dep/a.txt'), 'utf8')).toBe('a\n');
  });

  it('a repository without a commit is moved away too, if it was not there before', async () => {
    r.git(['init', '--quiet', at('old/one')]);
    const kept = await take();
    r.git(['init', '--quiet', at('new/one')]);
    r.write(at('new/one/mine.txt'), 'mine');
    const restored = await restoreSnapshot(git, tree, kept, { left: `${ref}.left`, worktree: 'work', isOwn: true });
    expect(restored).toMatchObject({ isSet: true, aside: [{ path: 'new/one' }] });
    expect(readFileSync(join(restored.aside[0]?.to ?? '', 'mine.txt'), 'utf8')).toBe('mine');
    expect(readdirSync(at('old/one'))).toEqual(['.git']);
    expect(readdirSync(tree.path)).not.toContain('new');
    expect(await back(kept)).toBe(false);
  });

  it('nothing is written where all is as it was', async () => {
    writeFileSync(at('a.txt'), 'mine\n');
    r.git(['add', 'a.txt'], tree.path);
    const kept = await take();
    const { mtimeMs } = statSync(at('a.txt'));
    const index = statSync(join(tree.gitDir, 'index')).ino;
    expect(await back(kept)).toBe(false);
    expect(statSync(at('a.txt')).mtimeMs).toBe(mtimeMs);
    expect(statSync(join(tree.gitDir, 'index')).ino).toBe(index);
    expect(() => r.git(['rev-parse', '--verify', '--quiet', `${ref}.left`])).toThrow();
  });

  it('what was staged is staged again, and what was staged since is not', async () => {
    writeFileSync(at('a.txt'), 'staged\n');
    r.git(['add', 'a.txt'], tree.path);
    writeFileSync(at('a.txt'), 'and changed\n');
    r.write(at('untracked.txt'), 'u');
    const before = seen();
    const kept = await take();
    r.write(at('new.txt'), 'n');
    r.git(['add', '--all'], tree.path);
    await back(kept);
    expect(seen()).toEqual(before);
  });

  it('a commit that was made since is taken back from the branch, and kept', async () => {
    writeFileSync(at('a.txt'), 'staged\n');
    r.git(['add', 'a.txt'], tree.path);
    const before = seen();
    const kept = await take();
    r.git(['commit', '--quiet', '-m', 'by the step'], tree.path);
    const commit = r.git(['rev-parse', 'HEAD'], tree.path);
    await back(kept);
    expect(seen()).toEqual(before);
    expect(r.git(['rev-parse', `${ref}.left^`])).toBe(commit);
  });

  it('a branch that is not ours stays, and HEAD leaves it', async () => {
    const kept = await take();
    r.git(['commit', '--quiet', '--allow-empty', '-m', 'more'], tree.path);
    const tip = r.git(['rev-parse', 'fix']);
    await back(kept, false);
    expect(r.git(['rev-parse', 'fix'])).toBe(tip);
    expect(r.git(['rev-parse', 'HEAD'], tree.path)).toBe(kept.head);
    expect(() => r.git(['symbolic-ref', '-q', 'HEAD'], tree.path)).toThrow();
  });

  it('it is on the branch again that it was on, and so it is without one', async () => {
    const kept = await take();
    r.git(['switch', '--quiet', '-c', 'other'], tree.path);
    r.git(['commit', '--quiet', '--allow-empty', '-m', 'elsewhere'], tree.path);
    await back(kept);
    expect(r.git(['symbolic-ref', 'HEAD'], tree.path)).toBe('refs/heads/fix');
    r.git(['switch', '--quiet', '--detach'], tree.path);
    const detached = await take();
    r.git(['switch', '--quiet', 'other'], tree.path);
    await back(detached);
    expect(() => r.git(['symbolic-ref', '-q', 'HEAD'], tree.path)).toThrow();
    expect(r.git(['log', '-1', '--format=%s', 'other'])).toBe('elsewhere');
  });

  it('a merge that was begun since is over, and one that had been begun goes on', async () => {
    r.git(['switch', '--quiet', '-c', 'side'], tree.path);
    writeFileSync(at('a.txt'), 'side\n');
    r.git(['commit', '--quiet', '-am', 'side'], tree.path);
    r.git(['switch', '--quiet', 'fix'], tree.path);
    writeFileSync(at('a.txt'), 'fix\n');
    r.git(['commit', '--quiet', '-am', 'fix'], tree.path);
    const calm = seen();
    const kept = await take();
    expect(() => r.git(['merge', '--quiet', 'side'], tree.path)).toThrow();
    const merging = filesIn(tree.path);
    const within = await take();
    await back(kept);
    expect(seen()).toEqual(calm);
    await back(within);
    expect(filesIn(tree.path)).toEqual(merging);
    expect(r.git(['rev-parse', 'MERGE_HEAD'], tree.path)).toBe(r.git(['rev-parse', 'side']));
  });

  it('what was there before is kept', async () => {
    const kept = await take();
    r.write(at('work.txt'), 'hours of work');
    await back(kept);
    expect(filesIn(tree.path)).not.toHaveProperty('work.txt');
    expect(r.git(['show', `${ref}.left:work.txt`])).toBe('hours of work');
  });

  it('what was there before is kept each time', async () => {
    const kept = await take();
    r.write(at('work.txt'), 'first');
    await back(kept);
    r.write(at('work.txt'), 'second');
    await back(kept);
    expect(r.git(['show', `${ref}.left:work.txt`])).toBe('second');
    expect(r.git(['show', `${ref}.left^2:work.txt`])).toBe('first');
  });

  it('locks of a git that was killed are no hindrance', async () => {
    const kept = await take();
    writeFileSync(at('a.txt'), 'half\n');
    writeFileSync(join(tree.gitDir, 'index.lock'), '');
    writeFileSync(join(tree.gitDir, 'HEAD.lock'), '');
    writeFileSync(join(r.dir, '.git/refs/heads/fix.lock'), '');
    await back(kept);
    expect(r.git(['status', '--porcelain'], tree.path)).toBe('');
    r.git(['commit', '--quiet', '--allow-empty', '-m', 'works'], tree.path);
  });

  it('a submodule and a repository inside are left alone', async () => {
    const inner = createRepository();
    r.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'module'], tree.path);
    r.git(['commit', '--quiet', '-m', 'with a module'], tree.path);
    const kept = await take();
    r.write(at('module/own.txt'), 'own');
    r.write(at('a.txt'), 'changed');
    await back(kept);
    expect(readFileSync(at('module/own.txt'), 'utf8')).toBe('own');
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('a\n');
    inner.remove();
  });

  it('line ends are as they were where git changes them on its way', async () => {
    r.git(['config', 'core.autocrlf', 'true']);
    r.write(at('.gitattributes'), '*.bin -text\n');
    r.write(at('win.txt'), 'one\r\ntwo\r\n');
    r.write(at('raw.bin'), 'a\nb\r\n');
    const before = filesIn(tree.path);
    const kept = await take();
    rmSync(at('win.txt'));
    rmSync(at('raw.bin'));
    await back(kept);
    expect(filesIn(tree.path)).toEqual(before);
  });

  it('any files are as they were after any others', async () => {
    const name = fc.constantFrom(
      'a.txt',
      'b',
      'b/c.txt',
      'd',
      'd/e',
      'd/e/f',
      'ü ñ',
      '-x',
      'b/c.txt/deep',
      ':(top)',
      '*',
    );
    const files = fc.array(fc.tuple(name, fc.constantFrom('', 'x', 'y\r\n', 'a\n')), { maxLength: 6 });
    const lay = (list: readonly (readonly [string, string])[]) => {
      for (const each of readdirSync(tree.path)) if (each !== '.git') rmSync(at(each), { recursive: true });
      for (const [file, text] of list) {
        try {
          r.write(at(file), text);
        } catch {
          // A file is where a folder would be.
        }
      }
    };
    await fc.assert(
      fc.asyncProperty(files, files, fc.boolean(), async (one, other, isStaged) => {
        lay(one);
        if (isStaged) r.git(['add', '--all'], tree.path);
        const before = seen();
        const kept = await take();
        lay(other);
        await back(kept);
        expect(seen()).toEqual(before);
      }),
      { numRuns: 8 },
    );
  });
});
