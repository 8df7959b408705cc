/** Completion scripts: read by the shell they are for, where it is installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { completionScript, type Shell } from './completion.ts';
import { allCommands, firstWords } from './table.ts';

const has = (shell: Shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

it.for<Shell>(['bash', 'zsh', 'fish'])('the script for %s knows every command and flag', (shell) => {
  const script = completionScript(shell);
  for (const command of allCommands()) {
    expect(script).toContain(command.name.split(' ').at(-1));
    for (const flag of command.flags) expect(script).toContain(shell === 'fish' ? `-l ${flag.name}` : `--${flag.name}`);
  }
});

it.for<Shell>(['bash', 'zsh', 'fish'])('the script for %s is read by it without complaint', (shell, { skip }) => {
  if (!has(shell)) skip(`${shell} is not installed`);
  const read = withScript(shell, (file) => spawnSync(shell, ['-n', file], { encoding: 'utf8' }));
  expect(read).toMatchObject({ status: 0, stderr: '' });
});

/** Runs something with the script of a shell in a file. */
function withScript<T>(shell: Shell, run: (file: string, dir: string) => T): T {
  const dir = mkdtempSync(join(tmpdir(), 'toolang-completion-'));
  try {
    const file = join(dir, `script.${shell}`);
    writeFileSync(file, completionScript(shell));
    return run(file, dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

it.skipIf(!has('fish'))('fish offers commands, flags and choices where they belong', () => {
  const offered = (line: string) =>
    withScript('fish', (file, dir) => {
      const ran = spawnSync('fish', ['-c', `source ${file}; complete -C '${line}'`], {
        encoding: 'utf8',
        cwd: dir,
        env: { ...process.env, HOME: dir },
      });
      expect(ran.stderr).toBe('');
      return ran.stdout.split('\n').flatMap((row) => (row === '' ? [] : [row.split('\t')[0]]));
    });
  expect(offered('toolang ch')).toEqual(['check']);
  expect(offered('too check --m')).toEqual(['--max-warnings']);
  expect(offered('toolang completion ').sort()).toEqual(['bash', 'fish', 'zsh']);
  expect(offered('toolang calls ').sort()).toEqual(['map', 'parse', 'prompt', 'write']);
  expect(offered('toolang calls parse --max-b')).toEqual(['--max-body']);
  expect(offered('toolang calls parse --tok')).toEqual([]);
  expect(offered('toolang help calls ').sort()).toEqual(['map', 'parse', 'prompt', 'write']);
  expect(offered('toolang parse --tok')).toEqual(['--tokens']);
});

/** What bash offers for the last word. */
function offered(...words: string[]): string[] {
  const script = `${completionScript('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _toolang; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const ran = spawnSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
  expect(ran.stderr).toBe('');
  return ran.stdout.split('\n').filter((line) => line !== '');
}

it.skipIf(!has('bash'))('bash offers commands, flags and choices where they belong', () => {
  expect(offered('toolang', '')).toEqual(firstWords());
  expect(offered('toolang', 'che')).toEqual(['check']);
  expect(offered('too', '--no-color', 'che')).toEqual(['check']);
  expect(offered('toolang', 'check', '--m')).toEqual(['--max-warnings']);
  expect(offered('toolang', '--no')).toEqual(['--no-color']);
  expect(offered('toolang', 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
  expect(offered('toolang', 'help', 'f')).toEqual(['fmt', 'fork']);
  expect(offered('toolang', 'check', '')).toEqual([]);
  expect(offered('toolang', 'calls', '')).toEqual(['parse', 'map', 'prompt', 'write']);
  expect(offered('toolang', 'calls', 'parse', '--max-b')).toEqual(['--max-body']);
  expect(offered('toolang', 'parse', '--max-b')).toEqual([]);
  expect(offered('toolang', 'help', 'calls', '')).toEqual(['parse', 'map', 'prompt', 'write']);
  expect(offered('toolang', 'new', '--dir', 'x')).toEqual([]);
  expect(offered('toolang', 'runs', '')).toEqual(['prune']);
  expect(offered('toolang', 'runs', '--st')).toEqual(['--status', '--store']);
  expect(offered('toolang', 'runs', 'prune', '--ol')).toEqual(['--older']);
  expect(offered('toolang', 'runs', '--ol')).toEqual([]);
  expect(offered('toolang', 'cache', 'clear', '--wo')).toEqual(['--workflow']);
  expect(offered('toolang', 'invoke', 'a.too', '--thr')).toEqual(['--thread']);
  expect(offered('toolang', 'a.too', 'review', '--thr')).toEqual(['--thread']);
  expect(offered('toolang', 'a.too', 'x')).toEqual([]);
  expect(offered('toolang', 'flow.toon', '--thr')).toEqual([]);
});
