/** `npm run demo` does what it says, on a narrow terminal, and ends with 1 when it does not. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
  expect(stdout.match(/^\$ .*$/gm)).toEqual([
    '$ toolang new hello',
    '$ cd hello',
    '$ toolang check',
    '$ toolang check',
    '$ toolang check --fix',
    '$ toolang fmt',
    '$ toolang explain hello.too',
  ]);
  expect(stdout).toContain('3 errors in 1 file');
  expect(stdout).toContain('mended 3 problems in hello.too');
  expect(stdout).toMatch(/What to try next\n\n(?: {2}npx toolang .*\n){3,}$/);
  expect(stdout).not.toContain('\x1b');
  expect(demo(built(), { FORCE_COLOR: '1' }).stdout).toContain('\x1b[1m');
});

it('ends with 1 when a step does something else', () => {
  const fake = join(built(), '..', 'fake');
  mkdirSync(fake, { recursive: true });
  writeFileSync(join(fake, 'cli.js'), 'console.log("all is well");');
  const { status, stderr } = demo(fake);
  expect(status).toBe(1);
  expect(stderr).toContain('the demo failed: "toolang new hello" did not do what the demo says');
});
