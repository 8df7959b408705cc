/** The package that this test run has built, for all tests that ask for it, or a copy of what `TOOLANG_BUILT` names. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

const script = fileURLToPath(new URL('../scripts/build.mjs', import.meta.url));
const limitMs = 240_000;

/** The folder that stands for `dist/`. */
export function built(): string {
  const dir = inject('buildFolder');
  const dist = join(dir, 'dist');
  const told = join(dir, 'told');
  if (isFirst(join(dir, 'begun'))) {
    // A build that fails must fail all tests of the program, and still let the others run.
    writeFileSync(`${told}.part`, make(dist));
    renameSync(`${told}.part`, told);
  }
  // Another process of the run may be at it.
  const nap = new Int32Array(new SharedArrayBuffer(4));
  for (const end = Date.now() + limitMs; !existsSync(told); Atomics.wait(nap, 0, 0, 20)) {
    if (Date.now() > end) throw new Error('the build has not ended');
  }
  const wrong = readFileSync(told, 'utf8');
  if (wrong !== '') throw new Error(wrong);
  return dist;
}

/** What went wrong, or nothing. */
function make(dist: string): string {
  const given = process.env.TOOLANG_BUILT;
  if (given) {
    try {
      cpSync(given, dist, { recursive: true });
      return '';
    } catch (error) {
      return `TOOLANG_BUILT cannot be taken: ${error instanceof Error ? error.message : error}`;
    }
  }
  // Only the package needs them, whose tests are long ones, and they take longer than all the rest.
  const types = process.env.TOOLANG_DEEP ? [] : ['--without-types'];
  const { status, stderr, error } = spawnSync(process.execPath, [script, '--out', dist, ...types], {
    encoding: 'utf8',
  });
  return status === 0 ? '' : `the build failed: ${error?.message ?? stderr}`;
}

function isFirst(mark: string): boolean {
  try {
    mkdirSync(mark);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
