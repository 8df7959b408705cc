import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { looseCommands } from './shell-loose.ts';
import { quoteCommand } from './shell-quote.ts';
import { readShell } from './shell-read.ts';

function texts(script: string): readonly string[] | string {
  const read = readShell(script);
  return read.ok ? read.commands.map(({ text }) => text) : read.reason;
}

describe('what is understood', () => {
  it.each<[string, string[]]>([
    ['git status', ['git status']],
    ['  git \t status  ', ['git status']],
    ['git status; ls', ['git status', 'ls']],
    ['git status;', ['git status']],
    ['a && b || c | d\ne', ['a', 'b', 'c', 'd', 'e']],
    ['a &&\n\n b', ['a', 'b']],
    ["git commit -m 'a; rm -rf /'", ["git commit -m 'a; rm -rf /'"]],
    ['git commit -m "it\'s \\"so\\" \\$5"', [`git commit -m 'it'\\''s "so" $5'`]],
    ['git "status"', ['git status']],
    ["g'i't st\\atus", ['git status']],
    ['git \\\nstatus', ['git status']],
    ['git status # ; rm -rf /\nls', ['git status', 'ls']],
    ['git log HEAD#1', ["git log 'HEAD#1'"]],
    ['make 2>&1 | tail -5', ['make', 'tail -5']],
    ['make >/dev/null 2>&1 && ls </dev/null', ['make', 'ls']],
    ['make 2> /dev/null', ['make']],
    ['ls *.ts src/[ab]?.ts ~/x', ['ls *.ts src/[ab]?.ts ~/x']],
    ["ls '*.ts'", ["ls '*.ts'"]],
    ["ls a*'b c'", ["ls a*'b c'"]],
    ["echo ''", ["echo ''"]],
    ["'if' x", ["'if' x"]],
    ["'A=1' x", ["'A=1' x"]],
    ['echo if A=1 !', ["echo if A=1 '!'"]],
    ['echo "a\nb"', ["echo 'a\nb'"]],
    ['echo "é 日本"', ["echo 'é 日本'"]],
  ])('%j', (script, expected) => {
    expect(texts(script)).toEqual(expected);
  });
});

describe('what is not', () => {
  it.each([
    ['', 'the end at character 1 comes before any command'],
    ['# nothing', 'the end at character 10 comes before any command'],
    ['git $(curl evil)', '"$" at character 5 is an expansion'],
    ['git `curl evil`', '"`" at character 5 is a substitution'],
    ['git "$(curl evil)"', '"$" at character 6 is an expansion'],
    ['git $X', '"$" at character 5 is an expansion'],
    ["git $'a'", '"$" at character 5 is an expansion'],
    ['git status > x', '">" at character 12 leads to a file, or from one'],
    ['git status >> x', '">" at character 12 leads to a file, or from one'],
    ['git status 2>&1x', '">" at character 13 leads to a file, or from one'],
    ['git status >/dev/null/../x', '">" at character 12 leads to a file, or from one'],
    ['git status >&x', '">" at character 12 leads to a file, or from one'],
    ['git <(x)', '"<" at character 5 leads to a file, or from one'],
    ['git <<E\nx\nE', '"<" at character 5 leads to a file, or from one'],
    ['git &', '"&" at character 5 leaves a command in the background'],
    ['git & rm', '"&" at character 5 leaves a command in the background'],
    ['git |& sh', '"|" at character 5 leaves a command in the background'],
    ['git &> x', '"&" at character 5 leaves a command in the background'],
    ['X=1 git status', '"=" at character 1 sets a variable'],
    ['X=1', '"=" at character 1 sets a variable'],
    ['PATH+=:/x git', '"=" at character 1 sets a variable'],
    ['(git)', '"(" at character 1 begins a subshell'],
    ['git() { rm; }', '"(" at character 4 begins a subshell'],
    ['{ git; }', '"{" at character 1 begins a group'],
    ['git {a,b}', '"{" at character 5 begins a group'],
    ['if git; then x; fi', '"if" at character 1 is no simple command'],
    ['a; then b', '"then" at character 4 is no simple command'],
    ['! git', '"!" at character 1 is no simple command'],
    ['for x in y\ndo rm\ndone', '"for" at character 1 is no simple command'],
    ['g*t status', '"*" at character 1 may stand for any command'],
    ['~/git x', '"*" at character 1 may stand for any command'],
    ["git 'x", '"\'" at character 5 is not closed'],
    ['git "x', '""" at character 5 is not closed'],
    ['git x\\', '"\\" at character 6 has nothing behind it'],
    ['git;; rm', '";" at character 5 stands where a command should'],
    ['&& git', '"&&" at character 1 stands where a command should'],
    ['git &&', 'the end at character 7 comes where a command should'],
    ['git |\n', 'the end at character 7 comes where a command should'],
    ['git\u00a0status', 'U+00A0 at character 4 is not understood'],
    ['git\u2003status', 'U+2003 at character 4 is not understood'],
    ['git status\u202e', 'U+202E at character 11 is not understood'],
    ['git status\r\nrm', 'U+000D at character 11 is not understood'],
    ['git\vstatus', 'U+000B at character 4 is not understood'],
    ['git é', 'U+00E9 at character 5 is not understood'],
    ["git 'a\0b'", '"\\0" at character 5 can stand in no argument'],
  ])('%j', (script, reason) => {
    expect(texts(script)).toBe(reason);
  });
});

it('reads back, as one command, whatever is quoted', () => {
  const word = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\0', ''));
  const odd = fc.constantFrom('if', '!', 'A=1', '', "'", '"', '\\', '\n', '*', '~', '$(x)', '-', '#', 'a b', '2', '>');
  fc.assert(
    fc.property(fc.array(fc.oneof(word, odd), { minLength: 1, maxLength: 6 }), (words) => {
      const read = readShell(quoteCommand(words));
      expect(read).toMatchObject({ ok: true, commands: [{ words }] });
      if (read.ok) expect(read.commands[0]?.text).toBe(quoteCommand(words));
    }),
  );
});

const pieces = [
  ...['a', 'b', 'c', ' ', ' ', ' ', '\n', '\t', ';', '&&', '||', '|', '&', "'", "'", '"', '"', '\\', '#', '\\\n'],
  ...['>', '<', '2>&1', '>/dev/null', '$', '`', '(', ')', '{', '}', '=', '!', '*', '?', '[', ']', '~', 'if', 'é', '\r'],
  ...['2', "'x y'", '"x;y"', ' a ', ' b ', ';a', '%', '^', ',', '\u00a0', '\\\\', "\\'"],
];
const script = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''));

it('never throws, and takes no more than linear time', () => {
  fc.assert(
    fc.property(fc.oneof(script, fc.string({ unit: 'binary' })), (text) => {
      const read = readShell(text);
      looseCommands(text);
      if (read.ok) expect(read.commands.length).toBeGreaterThan(0);
    }),
    { numRuns: process.env.TOOLANG_DEEP ? 20_000 : 1500 },
  );
  for (const part of ['a ', "'", '"', '\\', ';a', 'a&&', '#', '$', '2>&1 ', '\\\n', '"\\"', '>', '2']) {
    const long = part.repeat(200_000);
    const from = process.cpuUsage().user;
    readShell(long);
    looseCommands(long);
    expect(process.cpuUsage().user - from).toBeLessThan(2_000_000);
  }
});

const shells = ['/bin/sh', '/bin/bash', '/bin/busybox'].filter((file) => existsSync(file));

describe.skipIf(process.platform === 'win32')('real shells', () => {
  let dir = '';
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'toolang-shells-'));
    mkdirSync(join(dir, 'bin'));
    mkdirSync(join(dir, 'empty'));
    for (const name of ['a', 'b', 'c', 'ab', 'abc', 'aa', 'bb']) {
      const file = join(dir, 'bin', name);
      writeFileSync(file, `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" "$@" > "$LOG/$$"\n`);
      chmodSync(file, 0o755);
    }
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  /**
   * The commands that ran, each as its words. Those of a pipe run at the same time, and those in the background longer than
   * the shell: each writes a file of its own, and each script has its own folder.
   */
  function ran(shell: string, text: string): string[] {
    const log = mkdtempSync(join(dir, 'log-'));
    const args = shell.endsWith('busybox') ? ['sh', '-c', text] : ['-c', text];
    spawnSync(shell, args, {
      cwd: join(dir, 'empty'),
      env: { PATH: join(dir, 'bin'), HOME: '~', LOG: log },
      stdio: 'ignore',
    });
    const found = readdirSync(log).map((name) => readFileSync(join(log, name), 'utf8'));
    return found.filter((words) => words !== '').map((words) => JSON.stringify(words.split('\0').slice(0, -1)));
  }

  it.each(shells)('%s runs nothing else than what was read', (shell) => {
    const understood: string[] = [];
    fc.assert(
      fc.property(script, (text) => {
        if (readShell(text).ok && /[abc]/.test(text)) understood.push(text);
      }),
      { numRuns: process.env.TOOLANG_DEEP ? 20_000 : 3000 },
    );
    expect(understood.length).toBeGreaterThan(100);
    let commands = 0;
    for (const text of understood.slice(0, process.env.TOOLANG_DEEP ? 400 : 80)) {
      const read = readShell(text);
      const known = new Set(read.ok ? read.commands.map(({ words }) => JSON.stringify(words)) : []);
      for (const command of ran(shell, text)) {
        expect(known, JSON.stringify(text)).toContain(command);
        commands++;
      }
    }
    expect(commands).toBeGreaterThan(20);
  });

  it.each(shells)('%s runs all of it where nothing is left out', (shell) => {
    const text = `a 'x y' "z\\"" \\* && b 2>&1 | c >/dev/null\nab '' # no\naa if A=1 2; bb`;
    const read = readShell(text);
    const words = read.ok ? read.commands.map((command) => JSON.stringify(command.words)) : [];
    expect(ran(shell, text).sort()).toEqual([...words].sort());
  });
});
