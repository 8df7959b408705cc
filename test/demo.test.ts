/** `npm run demo` does what it says, on a narrow terminal, and ends with 1 when it does not. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { built } from './built.ts';

const script = fileURLToPath(new URL('../scripts/demo.mjs', import.meta.url));
const { NO_COLOR: _no, FORCE_COLOR: _force, ...env } = process.env;

function demo(dist: string, extra: Record<string, string> = {}) {
  const ran = spawnSync(process.execPath, [script, '--dist', dist], { encoding: 'utf8', env: { ...env, ...extra } });
  return { status: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

it('shows every command with what it prints, and what to try next', () => {
  const { status, stdout, stderr } = demo(built());
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [agent = '', id = ''] = new Set(Array.from(stdout.matchAll(/ · run (\w+)/g), ([, run = '']) => run));
  expect(stdout.match(/^\$ .*$/gm)?.map((line) => line.replace(agent, 'AGENT').replace(id, 'ID'))).toEqual([
    '$ toolang new hello',
    '$ cd hello',
    '$ toolang check',
    '$ toolang check',
    '$ toolang check --fix',
    '$ toolang explain hello.too',
    '$ toolang hello.too "Bees dance. Bees see ultraviolet light." audience=children',
    '$ toolang show AGENT',
    '$ cd ..',
    '$ toolang new --workflow release',
    '$ cd release',
    '$ toolang run release.toon --input topic="durable agents" &',
    '$ kill -9 $!',
    '$ toolang runs',
    '$ toolang resume ID',
    '$ toolang resume ID --yes',
    '$ toolang why ID draft',
    '$ toolang approve ID --note fine',
    '$ toolang show ID',
  ]);
  expect(stdout).toContain('3 errors in 2 files');
  expect(stdout).toContain('mended 3 problems in hello.too');
  expect(stdout).toMatch(/What to try next\n\n(?: {2}npx toolang .*\n){3,}$/);
  expect(stdout).not.toContain('\x1b');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});

it('ends a run in the middle of a step, and goes on with it: what was done is done once', () => {
  const { status, stdout } = demo(built(), { FORCE_COLOR: '1' });
  expect(status).toBe(0);
  expect(stdout).toContain('\x1b[1m');
  const [first = '', second = ''] = stripVTControlCharacters(stdout).split('$ kill -9 $!');
  const lines = (text: string) => text.match(/^ {2}[✓⏸=] \S+/gm);
  expect(lines(first.slice(first.indexOf('$ cd ..')))).toEqual(['  ✓ research']);
  const after = second.slice(0, second.indexOf('$ toolang show '));
  const rounds = [1, 2].flatMap((n) => [`  ✓ polish[${n}]/revise`, `  ✓ polish[${n}]/review`]);
  const resumed = ['  ✓ draft', ...rounds, '  ⏸ publish'];
  const edited = ['  = research', '  ✓ draft', ...rounds.map((line) => line.replace('✓', '=')), '  ⏸ publish'];
  expect(lines(after)).toEqual([...resumed, ...edited, '  ✓ publish', '  ✓ post']);
  expect(after).toContain('  interrupted  ');
});

it('ends with 1 when a step does something else', () => {
  const fake = join(built(), '..', 'fake');
  mkdirSync(fake, { recursive: true });
  writeFileSync(join(fake, 'cli.cjs'), 'console.log("all is well");');
  const { status, stderr } = demo(fake);
  expect(status).toBe(1);
  expect(stderr).toContain('the demo failed: "toolang new hello" did not do what the demo says');
});
