/** The folder in which a case runs: what of the user's is in it, and that what is done there is done there alone. */
import { existsSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ran, type Scratch, scratch } from '../scratch.ts';
import { makeWorkspace } from './workspace.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const go = (...words: string[]): Promise<Ran> => s.cli(words, { env: { PATH: process.env.PATH ?? '' } });

describe('the copy', () => {
  it('has the files, links that stay within, and packages; not git, runs, memories or logs', async () => {
    for (const name of [
      'p/a.toon',
      'p/deep/b.md',
      'p/.git/HEAD',
      'p/.toolang/config.toml',
      'p/.toolang/runs.db',
      'p/.toolang/runs.db-wal',
      'p/.toolang/memory.db',
      'p/.toolang/logs/x.log',
      'p/.toolang/skills/x/SKILL.md',
      'p/node_modules/lib/index.js',
      'node_modules/up/index.js',
      'package.json',
      'outside.md',
    ])
      s.write(name, name);
    symlinkSync('deep/b.md', s.at('p/inside.md'));
    symlinkSync(s.at('p/deep'), s.at('p/folder'));
    symlinkSync('../outside.md', s.at('p/out.md'));
    const made = await makeWorkspace(s.at('p'), s.dir);
    try {
      const here = (name: string) => existsSync(path.join(made.dir, name));
      expect(
        [
          'a.toon',
          'deep/b.md',
          '.toolang/config.toml',
          '.toolang/skills/x/SKILL.md',
          'node_modules/lib/index.js',
        ].filter((name) => !here(name)),
      ).toEqual([]);
      expect(
        ['.git', '.toolang/runs.db', '.toolang/runs.db-wal', '.toolang/memory.db', '.toolang/logs'].filter(here),
      ).toEqual([]);
      expect(existsSync(path.join(made.dir, '../node_modules/up/index.js'))).toBe(true);
      expect(readFileSync(path.join(made.dir, '../package.json'), 'utf8')).toBe('package.json');
      // What is written through a link that stays within does not come out either.
      writeFileSync(path.join(made.dir, 'inside.md'), 'changed');
      writeFileSync(path.join(made.dir, 'folder/b.md'), 'changed twice');
      expect(s.read('p/deep/b.md')).toBe('p/deep/b.md');
      expect(readlinkSync(path.join(made.dir, 'out.md'))).toBe(s.at('outside.md'));
      expect(made.shown(`at ${path.join(made.dir, 'a.toon')}:1`)).toBe(`at ${path.join('p', 'a.toon')}:1`);
    } finally {
      await made.remove();
    }
    expect(existsSync(made.dir)).toBe(false);
    expect(s.read('p/node_modules/lib/index.js')).toBe('p/node_modules/lib/index.js');
  });

  it('what a workflow imports from outside of it is not there, which is told, with the way out', async () => {
    s.write('lib/words.ts', "export async function shout(): Promise<string> { return 'HI'; }\n");
    s.write(
      'flows/a.toon',
      'name: a\ninput:\nsteps[1]:\n  - id: b\n    handler: "../lib/words.ts#shout"\n    output: string\n',
    );
    const cases = 'cases[1]:\n  - name: a\n    target: ./a.toon\n    expect:\n      output: HI\n';
    s.write('flows/a.test.toon', cases);
    const ran = await go('test');
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('"workspace" names a larger folder');
    s.write('flows/a.test.toon', `workspace: ..\n${cases}`);
    expect((await go('test')).out).toContain('✓ a');
  });

  it('is a repository of its own where a workflow makes worktrees', async () => {
    s.write('notes.md', 'mine\n');
    s.write(
      'w.toon',
      "name: w\ninput:\nsteps[1]:\n  - kind: worktree\n    path: work\n    branch: try\n    children[1]:\n      - id: list\n        run: \"const { readFileSync } = await import('node:fs'); return readFileSync('notes.md', 'utf8').trim()\"\n        output: string\n",
    );
    s.write('w.test.toon', 'cases[1]:\n  - name: w\n    target: ./w.toon\n    expect:\n      output: mine\n');
    const ran = await go('test');
    expect(ran.out + ran.err).toContain('✓ w');
    expect(existsSync(s.at('.git'))).toBe(false);
  });

  it('of a folder that is too large is refused, with the way out', async () => {
    for (let i = 0; i <= 10; i++) s.write(`many/${i}`, 'x');
    const most = { files: 10, bytes: 1024 * 1024 };
    await expect(makeWorkspace(s.at('many'), s.dir, most)).rejects.toThrow(
      'each case runs in a copy of "many", which has more than 10 files or 1 MB: name a smaller folder with "workspace"',
    );
  });
});

describe('coverage', () => {
  it('tells the arms, rounds, skips and thunks that no case reached', async () => {
    s.write(
      'helper.too',
      'thunk:\n  models = scripted\n  hands = sum\n\nthunk sum(a: Number) -> Number:\n  models = scripted\n  user: Add {{a}}.\n\nthunk alone:\n  models = scripted\n  user: Hi {{input}}.\n',
    );
    s.write('helper.script.toon', 'replies[1]:\n  - for: default\n    text: ok\n');
    s.write(
      'c.toon',
      'name: c\ninput:\n  go: boolean\nagents:\n  helper:\n    type: too\n    use: ./helper.too\nsteps[4]:\n  - kind: branch\n    id: way\n    condition: "{input.go}"\n    then[1]:\n      - id: yes\n        run: "return 1"\n        output: number\n  - id: maybe\n    run: "return 2"\n    skipIf: "{input.go}"\n    output: number\n  - kind: loop\n    id: round\n    until: "{again} > 0"\n    maxIterations: 2\n    children[1]:\n      - id: again\n        run: "return 1"\n        output: number\n  - id: say\n    agent: helper\n    prompt: hi\n',
    );
    s.write(
      'c.test.toon',
      'cases[1]:\n  - name: goes\n    target: ./c.toon\n    input:\n      go: true\n    expect:\n      output: ok\n',
    );
    const ran = await go('test', '--coverage=90');
    expect(ran.out).toContain('✓ goes');
    expect(ran.out).toContain('the arm "else" of way');
    expect(ran.out).toContain('the step maybe');
    expect(ran.out).toContain('the thunk sum');
    expect(ran.out).toContain('the thunk alone');
    expect(ran.out).not.toContain('the body of the loop');
    expect(ran.out).not.toContain('the thunk default');
    expect(ran.out).toMatch(/in all [\d.]+%, less than the 90% of --coverage/);
    expect(ran.code).toBe(1);
    const { coverage } = JSON.parse((await go('test', '--json')).out);
    expect(coverage.files.map(({ file }: { file: string }) => file)).toEqual(['c.toon', 'helper.too']);
  });
});
