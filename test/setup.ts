/**
 * The same generated cases in every run, so that a run that passed here passes everywhere.
 * `TOOLANG_SEED=123` tries others; `TOOLANG_SEED=any` tries new ones each time, and a failure prints its seed.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';

const seed = process.env.TOOLANG_SEED ?? '7';
if (seed !== 'any') {
  if (!/^\d{1,9}$/.test(seed))
    throw new Error(`TOOLANG_SEED is "${seed}"; write a number of up to 9 digits, or "any".`);
  fc.configureGlobal({ seed: Number(seed) });
}

/** `TOOLANG_TIMES=FILE npm test` writes a line for each test file: seconds of processor time, of what it started, and on the clock. */
const times = process.env.TOOLANG_TIMES;
if (times && process.platform === 'linux') {
  const before = spent();
  afterAll(() => {
    const after = spent();
    const line = after.map((each, i) => (each - (before[i] ?? 0)).toFixed(1).padStart(7)).join(' ');
    appendFileSync(times, `${line} ${expect.getState().testPath?.slice(process.cwd().length + 1)}\n`);
  });
}

/** Of this process, and of the processes that it has waited for. */
function spent(): number[] {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ').map(Number) ?? [];
  const [user = 0, system = 0, theirUser = 0, theirSystem = 0] = fields.slice(11, 15);
  return [(user + system) / 100, (theirUser + theirSystem) / 100, performance.now() / 1000];
}
