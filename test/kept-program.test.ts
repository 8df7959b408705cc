/** What is kept of the program beside it: made by the first two starts of a command, used by the next, never trusted blindly. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWholeProgram } from '../src/cli/whole-program.ts';
import { built } from './built.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-code-'));
  for (const name of ['cli.cjs', 'program.cjs']) copyFileSync(join(built(), name), join(dir, name));
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
  writeFileSync(join(dir, 'a.too'), 'thunk(text: Text) -> Text:\n  user: {{text}}\n');
});
afterEach(() => {
  chmodSync(dir, 0o755);
  rmSync(dir, { recursive: true, force: true });
});

const firstLength = 24;
const cache = () => join(dir, 'cache');
const files = () => readdirSync(cache()).sort();

function toolang(...args: string[]): { status: number | null; stderr: string } {
  return toolangUnder({}, ...args);
}

function toolangUnder(env: NodeJS.ProcessEnv, ...args: string[]): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [join(dir, 'cli.cjs'), ...args], {
    cwd: dir,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: dir, TOOLANG_ROOT: join(dir, 'root'), ...env },
  });
  return { status, stderr };
}

const checked = { status: 0, stderr: 'no problems in 1 file\n' };

it('has the modules that the first start of a command used, then what V8 made of them, and is left as it is', () => {
  expect(toolang('check', 'a.too')).toEqual(checked);
  expect(files()).toEqual([expect.stringMatching(/^[0-9a-f]{16}-v.*-check$/)]);
  const file = join(cache(), files()[0] ?? '');
  const text = readFileSync(file, 'latin1');
  expect(text.length).toBeLessThan(statSync(join(dir, 'program.cjs')).size / 3);
  expect(toolang('check', 'a.too')).toEqual(checked);
  const both = readFileSync(file, 'latin1');
  expect(both.length).toBeGreaterThan(text.length);
  expect(both.slice(firstLength).startsWith(text.slice(firstLength))).toBe(true);
  utimesSync(file, 1, Date.now() / 1000 - 60);
  const { mtimeMs } = statSync(file);
  expect(toolang('check', 'a.too')).toEqual(checked);
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
  expect(toolang('--version').status).toBe(0);
  expect(files()).toHaveLength(2);
});

it('is all that is read: the rest of the program may even be gone', () => {
  for (const _ of [1, 2]) expect(toolang('check', 'a.too')).toEqual(checked);
  rmSync(join(dir, 'program.cjs'));
  expect(toolang('check', 'a.too')).toEqual(checked);
  expect(toolang('check', 'a.too', '--json')).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^toolang: ENOENT: /),
  });
});

it('is made of modules that are read one by one, each from its place', () => {
  const file = join(dir, 'program.cjs');
  const text = readFileSync(file, 'latin1');
  const build = text.slice(-17, -1);
  const { open, close, moduleAt } = openWholeProgram(file, build);
  const lines = text.split('\n');
  const { at } = JSON.parse(lines.at(-3)?.slice(3) ?? '') as { at: number[] };
  expect(at.length).toBeGreaterThan(1000);
  const all = at.slice(0, -1).map((_, i) => moduleAt(i));
  for (const [i, module] of all.entries()) {
    expect(module.text).toMatch(new RegExp(`^/\\* \\S+ \\*/ ${i}: \\(exports, module\\) => \\{\n`));
    expect(module.text.split('\n')[0]).toBe(lines[module.line - 1]);
  }
  expect(text.startsWith([open, ...all.map((module) => module.text), close].join(''))).toBe(true);
  writeFileSync(file, text.slice(0, -1));
  expect(() => openWholeProgram(file, build)).toThrow('program.cjs is not whole');
  expect(toolang('check', 'a.too')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('program.cjs is not whole'),
  });
});

it('is never filled up from another version, which has other modules under the same numbers', () => {
  for (const _ of [1, 2]) expect(toolang('check', 'a.too')).toEqual(checked);
  const file = join(dir, 'program.cjs');
  writeFileSync(file, readFileSync(file, 'latin1').replace(/[0-9a-f]{16}\n$/, '0123456789abcdef\n'), 'latin1');
  expect(toolang('check', 'a.too')).toEqual(checked);
  const replaced = 'toolang: it was replaced by another version while it ran: start it again\n';
  expect(toolang('check', 'a.too', '--json')).toEqual({ status: 1, stderr: replaced });
});

it('grows by what a later start uses', () => {
  for (const _ of [1, 2]) expect(toolang('check', 'a.too')).toEqual(checked);
  writeFileSync(
    join(dir, 'b.toon'),
    'name: b\ninput:\nsteps[1]:\n  - id: say\n    run: return 1\n    output: number\n',
  );
  for (const _ of [1, 2]) expect(toolang('check', 'b.toon')).toEqual(checked);
  rmSync(join(dir, 'program.cjs'));
  expect(toolang('check', 'b.toon')).toEqual(checked);
  expect(toolang('check', 'a.too')).toEqual(checked);
});

it('is another one under other flags of Node', () => {
  const under = { NODE_OPTIONS: '--max-semi-space-size=8' };
  for (const _ of [1, 2]) {
    expect(toolang('check', 'a.too')).toEqual(checked);
    expect(toolangUnder(under, 'check', 'a.too')).toEqual(checked);
  }
  expect(files()).toHaveLength(2);
  const texts = () => files().map((name) => readFileSync(join(cache(), name), 'latin1'));
  const before = texts();
  expect(toolang('check', 'a.too')).toEqual(checked);
  expect(toolangUnder(under, 'check', 'a.too')).toEqual(checked);
  expect(texts().map((text, i) => text === before[i])).toEqual([true, true]);
});

it('is not made where the command failed, nor named after what was misspelt', () => {
  expect(toolang('chekc', 'a.too').status).toBe(2);
  expect(readdirSync(dir)).not.toContain('cache');
});

it('is not taken where it is damaged, and made again', () => {
  for (const _ of [1, 2]) toolang('check', 'a.too');
  const file = join(cache(), files()[0] ?? '');
  const good = readFileSync(file);
  for (const at of [0, 40, 1000, good.length >> 2, good.length - 1]) {
    const bad = Buffer.from(good);
    bad[at] = (bad[at] ?? 0) ^ 0xff;
    writeFileSync(file, bad);
    expect(toolang('check', 'a.too')).toEqual(checked);
    expect(readFileSync(file).equals(bad)).toBe(false);
  }
  writeFileSync(file, good.subarray(0, 1001));
  expect(toolang('check', 'a.too')).toEqual(checked);
  writeFileSync(file, '');
  expect(toolang('check', 'a.too')).toEqual(checked);
});

it('is not missed where it cannot be written', () => {
  writeFileSync(cache(), 'a file where the folder would be');
  expect(toolang('check', 'a.too')).toEqual(checked);
  expect(readFileSync(cache(), 'utf8')).toBe('a file where the folder would be');
});

it('of builds that are long gone is removed', () => {
  mkdirSync(cache());
  for (const [name, days] of [
    ['old', 31],
    ['recent', 29],
  ] as const) {
    writeFileSync(join(cache(), name), '');
    utimesSync(join(cache(), name), 1, Date.now() / 1000 - days * 86_400);
  }
  expect(toolang('check', 'a.too')).toEqual(checked);
  expect(files()).toEqual([expect.stringMatching(/-check$/), 'recent']);
});

it('of many commands is kept of the newest', () => {
  mkdirSync(cache());
  for (let i = 0; i < 30; i++) {
    writeFileSync(join(cache(), `other-${i}`), '');
    utimesSync(join(cache(), `other-${i}`), 1, Date.now() / 1000 - 1000 + i);
  }
  expect(toolang('check', 'a.too')).toEqual(checked);
  expect(files()).toHaveLength(24);
  expect(files()).toContain('other-29');
  expect(files()).not.toContain('other-6');
});

it('does not keep the program from loading what is not in its text, and Node has nothing to warn of', () => {
  // It asks servers of this machine, by a module of Node that is imported then.
  expect(toolang('models')).toEqual({ status: 0, stderr: '' });
});
