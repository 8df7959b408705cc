import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createShell, type Shell, writeCommand } from './shell.ts';

let dir: string;
let sh: Shell;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-sh-'));
  writeFileSync(join(dir, 'planted'), '');
  sh = createShell({ cwd: dir, signal: () => new AbortController().signal });
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const posixOnly = test.skipIf(process.platform === 'win32');
const nasty = [
  `a b`,
  `'`,
  `"`,
  '$(rm planted)',
  '`rm planted`',
  '$HOME',
  '\\',
  'x\ny',
  '',
  '*',
  '-n',
  '; rm planted',
  `'"'"'`,
  'ü𝄞',
];

posixOnly('a value is one argument, whatever it holds and wherever it stands', async () => {
  for (const value of nasty) {
    expect(await sh`printf '<%s>' ${value} x`).toBe(`<${value}><x>`);
    expect(await sh`printf '<%s>' pre${value}post`).toBe(`<pre${value}post>`);
    expect(await sh`printf '<%s>' "in ${value} quotes"`).toBe(`<in ${value} quotes>`);
    expect(await sh`printf '<%s>' 'in ${value} quotes'`).toBe(`<in ${value} quotes>`);
    expect(await sh`printf '<%s>' "$(printf '[%s]' ${value})"`).toBe(`<[${value.replace(/\n+$/, '')}]>`);
    expect(await sh`f() { printf '<%s>' ${value} "$1"; }; f own`).toBe(`<${value}><own>`);
  }
  expect(await sh`ls`).toBe('planted');
});

posixOnly('values come through unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 3 }), async (values) => {
      // What no argument can hold: NUL, and halves of characters.
      const clean = values.map((value) => Buffer.from(value.replaceAll('\0', '')).toString());
      const [a = '', b = '', c = ''] = clean;
      expect(await sh`printf '%s|' ${a} "${b}" '${c}'; printf .`).toBe(`${a}|${b}|${c}|.`);
    }),
    { numRuns: process.env.TOOLANG_DEEP ? 150 : 25 },
  );
});

posixOnly('only the last line break is taken from what is printed', async () => {
  expect(await sh`printf 'a\n\n'`).toBe('a\n');
  expect(await sh`printf ' a '`).toBe(' a ');
  expect(await sh`true`).toBe('');
});

posixOnly('a failure has its code and what was printed about it', async () => {
  await expect(sh`echo ${'some thing'} >&2; exit 3`).rejects.toMatchObject({
    message: `the command "echo 'some thing' >&2; exit 3" failed with exit code 3: some thing`,
    exitCode: 3,
    stderr: 'some thing\n',
  });
  await expect(sh`kill -9 $$`).rejects.toMatchObject({ signal: 'SIGKILL' });
  await expect(sh`no-such-program-here`).rejects.toMatchObject({ exitCode: 127 });
});

test('what is no argument is refused before anything runs', () => {
  const command = (texts: TemplateStringsArray, ...values: unknown[]) => writeCommand(texts, values);
  expect(() => command`echo ${undefined}`).toThrow('sh: value 1 is undefined, which is no argument');
  expect(() => command`echo ${1} ${null}`).toThrow('sh: value 2 is null');
  expect(() => command`echo ${['a']}`).toThrow('each ${} is one argument');
  expect(() => command`echo ${{}}`).toThrow('is a object');
  expect(() => command`echo ${'a\0'}`).toThrow('NUL');
  expect(
    () => command`cat <<EOF
    ${'x'}
EOF`,
  ).toThrow('here-document');
  expect(() => command`echo ${'x'.repeat(200_000)}`).toThrow('120 kB');
  expect(() => command`grep \u{zz}`).toThrow('does not know an escape');
  expect(() => writeCommand('echo' as unknown as TemplateStringsArray, [])).toThrow('"sh" is a tag');
  expect(command`seq ${1} ${true} ${2n}`.shown).toBe('seq 1 true 2');
});

posixOnly(
  'a command that has ended says so when it is stopped, where something that it started holds its output',
  async () => {
    const abort = new AbortController();
    const held = createShell({ cwd: dir, signal: () => abort.signal });
    const end = expect(held`sleep 300 & echo "$! $$" > pids.part; mv pids.part pids`).rejects.toMatchObject({
      name: 'AbortError',
      message: expect.stringMatching(
        /^the command "sleep 300 & .*" ended with exit code 0, but something that it started still held its output/,
      ),
    });
    await until(() => existsSync(join(dir, 'pids')));
    const [below = 0, shell = 0] = readFileSync(join(dir, 'pids'), 'utf8').split(' ').map(Number);
    await until(() => !isThere(shell));
    abort.abort();
    await end;
    process.kill(below, 'SIGKILL');
  },
);

/** Waits for something outside; the test's own limit ends it. */
async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
