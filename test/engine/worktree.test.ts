/** Worktrees when owners are killed, cancelled and come at the same time: nothing is lost, and nothing is left in the way. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { filesIn, gitEnv } from '../repository.ts';
import { createPlace, type Place, until } from './kit.ts';

/** A step that says with which files it begins, writes some, and waits where it is told to. */
const flow = `name: flow
input:
steps[1]:
  - kind: worktree
    id: work
    path: ../tree
    branch: fix
    children[2]:
      - id: one
        run: "return await sh\`echo 1 > one.txt; git add --all; git commit --allow-empty -qm one\`"
        output: string
      - id: two
        run: "const had = await sh\`ls; cat one.txt\`; await sh\`echo x >> one.txt; echo 2 > two.txt; git add --all; touch ../begun; while test -e ../wait; do sleep 0.01; done; git commit -qm two\`; return had"
        output: string
`;
const had = 'a.txt\nflow.toon\none.txt\n1\n';

interface Site extends Place {
  readonly git: (...args: readonly string[]) => string;
  readonly tree: (...names: readonly string[]) => string;
  /** Calls of git that hold these words wait, from now on, until \`go\`. */
  readonly hold: (words: string, first?: string) => void;
  readonly go: () => void;
  /** What is left of worktrees and of locks. */
  readonly left: () => readonly string[];
}

/** A repository in the folder of the place, and a git that can be held. */
function given(work: (w: Site) => Promise<void>): (context: TestContext) => Promise<void> {
  return async ({ onTestFinished }) => {
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const w = createPlace(({ at }) => ({ PATH: `${at('../bin')}:${process.env.PATH}`, GIT_CONFIG_NOSYSTEM: '1' }));
    onTestFinished(() => w.leave());
    const git = (...args: readonly string[]) =>
      execFileSync(real, args, { cwd: w.dir, env: gitEnv(w.at('..')), encoding: 'utf8' }).trimEnd();
    const beside = (...names: readonly string[]) => join(w.at('..'), ...names);
    w.write(
      '../bin/git',
      `#!/bin/sh\ntop='${w.at('..')}'\nif test -e "$top/held"; then\n  words=$(cat "$top/held")\n  case "$*" in *"$words"*)\n    . "$top/first"\n    touch "$top/begun"\n    while test -e "$top/held"; do sleep 0.01; done;;\n  esac\nfi\nexec '${real}' "$@"\n`,
    );
    chmodSync(beside('bin/git'), 0o755);
    git('init', '--quiet', '--initial-branch=trunk');
    git('config', 'user.name', 'Ana');
    git('config', 'user.email', 'ana@example.org');
    w.write('a.txt', 'a\n');
    w.write('flow.toon', flow);
    git('add', '.');
    git('commit', '--quiet', '-m', 'first');
    await work({
      ...w,
      git,
      tree: (...names) => beside('tree', ...names),
      hold(words, first = '') {
        writeFileSync(beside('first'), first);
        writeFileSync(beside('held'), words);
      },
      go: () => execFileSync('rm', ['-f', beside('held')]),
      left() {
        const found = git('worktree', 'list').split('\n').slice(1);
        const own = join(w.dir, '.git/toolang');
        if (existsSync(own)) found.push(...readdirSync(own));
        const names = readdirSync(join(w.dir, '.git'), { recursive: true, encoding: 'utf8' });
        return [...found, ...names.filter((name) => name.endsWith('.lock'))];
      },
    });
  };
}

const begun = (w: Site) => until(() => existsSync(w.at('../begun')), 'the step');
const wait = (w: Site) => w.write('../wait', '');
const goOn = (w: Site) => execFileSync('rm', ['-f', w.at('../wait'), w.at('../begun')]);

/** A run whose owner was killed when it said so. */
async function killed(w: Site): Promise<string> {
  const run = w.start('run', 'flow.toon');
  await begun(w);
  run.kill('SIGKILL');
  await run.exit;
  return run.id();
}

describe.runIf(process.platform === 'linux').concurrent('a worktree', () => {
  it(
    'after a kill in the middle of a step has the files as they were before it',
    given(async (w) => {
      wait(w);
      const id = await killed(w);
      expect(filesIn(w.tree())).toMatchObject({ 'one.txt': '1\nx\n', 'two.txt': '2\n' });
      // As git leaves it when it is killed.
      writeFileSync(join(w.dir, '.git/worktrees/tree/index.lock'), '');
      goOn(w);
      expect(await w.finish('resume', id)).toMatchObject({ code: 0, out: had });
      expect(w.git('log', '--format=%s', 'fix')).toBe('two\none\nfirst');
      expect(w.git('show', 'fix:one.txt')).toBe('1\nx');
      expect(w.left()).toEqual([]);
      expect(existsSync(w.tree())).toBe(false);
    }),
  );

  it(
    'after a kill while it was made is made again, and the git that was making it is ended',
    given(async (w) => {
      w.write('.gitattributes', '*.slow filter=slow\n');
      w.write('x.slow', 'x\n');
      w.git('add', '.');
      w.git('commit', '--quiet', '-m', 'slow');
      w.git('config', 'filter.slow.smudge', `touch '${w.at('../begun')}'; while true; do sleep 0.01; done`);
      const id = await killed(w);
      expect(existsSync(w.tree('.git'))).toBe(true);
      expect(w.processes()).not.toEqual([]);
      w.git('config', 'filter.slow.smudge', 'cat');
      expect(await w.finish('resume', id)).toMatchObject({ code: 0 });
      expect(w.processes()).toEqual([]);
      expect(w.left()).toEqual([]);
      expect(w.git('log', '--format=%s', 'fix')).toBe('two\none\nslow\nfirst');
    }),
  );

  it.for<[string, string, string]>([
    ['before git adds it', 'worktree add', ''],
    ['while its files are kept', 'commit-tree', ''],
    ['when the ref is set', 'update-ref', ''],
    ['before git removes it', 'worktree remove', ''],
    ['when git has removed half of it', 'worktree remove', 'rm "$top/tree/a.txt" "$top/tree/.git"'],
  ])('after a kill %s goes on to the same end', ([, words, first], context) =>
    given(async (w) => {
      w.hold(words, first);
      const id = await killed(w);
      w.go();
      const end = await w.finish('resume', id);
      expect(end).toMatchObject({ code: 0, out: had });
      expect(w.git('log', '--format=%s', 'fix')).toBe('two\none\nfirst');
      expect(w.left()).toEqual([]);
      expect(existsSync(w.tree())).toBe(false);
    })(context),
  );

  it(
    'after a kill while its files were set back has them as they were',
    given(async (w) => {
      wait(w);
      const id = await killed(w);
      goOn(w);
      w.hold('read-tree --reset -u', 'rm "$top/tree/one.txt"; echo half > "$top/tree/a.txt"');
      const second = w.start('resume', id);
      await begun(w);
      second.kill('SIGKILL');
      await second.exit;
      w.go();
      expect(await w.finish('resume', id)).toMatchObject({ code: 0, out: had });
      expect(w.git('show', 'fix:a.txt')).toBe('a');
      expect(w.git('log', '--format=%s', 'fix')).toBe('two\none\nfirst');
      expect(w.left()).toEqual([]);
    }),
  );

  it(
    'that a dead owner left is not in the way of the next run, and is not touched by it',
    given(async (w) => {
      wait(w);
      const id = await killed(w);
      const before = filesIn(w.tree());
      goOn(w);
      const next = await w.finish('run', 'flow.toon');
      expect(next).toMatchObject({ code: 0, out: had });
      expect(filesIn(w.tree())).toEqual(before);
      expect(await w.finish('resume', id)).toMatchObject({ code: 0, out: had });
    }),
  );

  it(
    'is removed after a cancel from another process',
    given(async (w) => {
      wait(w);
      const run = w.start('run', 'flow.toon');
      await begun(w);
      w.git('-C', w.tree(), 'reset', '--hard', '--quiet');
      await w.finish('cancel', await run.id());
      expect((await run.exit).code).not.toBe(0);
      expect(w.left()).toEqual([]);
      expect(existsSync(w.tree())).toBe(false);
      goOn(w);
      expect(await w.finish('run', 'flow.toon')).toMatchObject({ code: 0 });
    }),
  );

  it(
    'that two runs want at once is given to the first, and the second says which that is',
    given(async (w) => {
      wait(w);
      const first = w.start('run', 'flow.toon');
      await begun(w);
      const second = await w.finish('run', 'flow.toon');
      expect(second.code).toBe(1);
      const store = w.store();
      const holder = store.runs({ roots: true }).find(({ endedAt }) => endedAt === undefined)?.id;
      expect(second.err.replace(/\s+/g, ' ')).toContain(
        `is the worktree of the run ${holder} (work), which is at work`,
      );
      expect(second.err).toContain('flow.toon:4:5');
      goOn(w);
      expect(await first.exit).toMatchObject({ code: 0, out: had });
      expect(readFileSync(w.at('a.txt'), 'utf8')).toBe('a\n');
      expect(w.left()).toEqual([]);
    }),
  );

  it(
    'with another one inside keeps what came behind that, too',
    given(async (w) => {
      w.write(
        'flow.toon',
        `name: flow
input:
steps[1]:
  - kind: worktree
    id: outer
    path: ../tree
    branch: fix
    children[4]:
      - id: one
        run: "return await sh\`echo 1 > one.txt; git add --all; git commit -qm one\`"
        output: string
      - kind: worktree
        id: inner
        path: ../inner
        children[1]:
          - id: look
            run: "return await sh\`cat one.txt\`"
            output: string
      - id: dear
        run: "return await sh\`echo paid >> ../paid; cat one.txt\`"
        output: string
      - id: last
        run: "return await sh\`test -e ../ok && cat one.txt\`"
        output: string
`,
      );
      w.git('commit', '-qam', 'another');
      const run = w.start('run', 'flow.toon');
      expect((await run.exit).code).toBe(1);
      const id = await run.id();
      expect((await w.finish('retry', id)).code).toBe(1);
      w.write('../ok', '');
      expect(await w.finish('retry', id)).toMatchObject({ code: 0, out: '1\n' });
      expect(readFileSync(w.at('../paid'), 'utf8')).toBe('paid\n');
    }),
  );
});
