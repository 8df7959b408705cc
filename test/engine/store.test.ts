/** Stores that cannot be written, and clocks that go back: nothing is lost, and it is said what is wrong. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/journal/index.ts';
import { planOf } from '../../src/plan/plan-test-kit.ts';
import { openEngine } from '../../src/run/index.ts';
import { realClock } from '../../src/sys/index.ts';
import { plainUser } from '../cli/program.ts';
import { ask, createPlace, type Place, until } from './kit.ts';

let w: Place;
let unmount: () => void = () => {};
beforeEach(() => {
  w = createPlace();
  w.write('ask.toon', ask);
});
afterEach(async () => {
  unmount();
  unmount = () => {};
  await w.leave();
});

/** Three results that no small disk can hold beside what fills it. */
const big = `name: big
input:
steps[3]:
  - id: first
    run: "const fs = await import('node:fs'); fs.writeFileSync('began', ''); while (!fs.existsSync('go')) await new Promise((done) => setTimeout(done, 5)); return 'x'.repeat(300000)"
    output: string
  - id: second
    run: "const fs = await import('node:fs'); fs.appendFileSync('second', 'x'); return first.length"
    output: number
  - id: third
    run: "const fs = await import('node:fs'); return { length: second, begun: fs.readFileSync('second', 'utf8') }"
    output:
      length: number
      begun: string
`;

/** A disk of one megabyte; undefined where none can be made. */
function smallDisk(): string | undefined {
  const dir = w.at('disk');
  mkdirSync(dir);
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir]).status !== 0) return undefined;
  unmount = () => void spawnSync('umount', ['-l', dir]);
  return dir;
}

describe('a store that cannot be written', () => {
  it('full disk: nothing new begins, results wait, and the run goes on when there is space', async ({ skip }) => {
    const disk = smallDisk();
    if (disk === undefined) return skip('no small disk can be made here');
    w.write('big.toon', big);
    const file = join(disk, 'runs.db');
    const run = w.start('run', 'big.toon', '--store', file);
    await until(() => readdirSync(w.dir).includes('began'), 'the first step');
    fill(join(disk, 'filler'));
    w.write('go', '');
    await until(() => run.err().includes('the disk is full'), 'the message');
    expect(run.err()).toContain('nothing new begins');
    await new Promise((done) => setTimeout(done, 1500));
    expect(readdirSync(w.dir)).not.toContain('second');
    expect(run.err().split('the disk is full')).toHaveLength(2);
    rmSync(join(disk, 'filler'));
    const end = await run.exit;
    expect(end).toMatchObject({ code: 0 });
    expect(JSON.parse(end.out)).toEqual({ length: 300_000, begun: 'x' });
    expect(end.err).toContain('the store can be written again');
  });

  it('full disk and a kill: what was recorded stays, the rest is done again', async ({ skip }) => {
    const disk = smallDisk();
    if (disk === undefined) return skip('no small disk can be made here');
    w.write('big.toon', big);
    const file = join(disk, 'runs.db');
    const run = w.start('run', 'big.toon', '--store', file);
    await until(() => readdirSync(w.dir).includes('began'), 'the first step');
    fill(join(disk, 'filler'));
    w.write('go', '');
    await until(() => run.err().includes('the disk is full'), 'the message');
    run.kill('SIGINT');
    run.kill('SIGTERM');
    const left = await run.exit;
    expect(left.code).toBeGreaterThan(0);
    expect(left.err).toContain('the disk is full');
    const full = w.run(['resume', await run.id(), '--store', file]);
    expect(full.status).toBeGreaterThan(0);
    expect(full.stderr).toContain('the disk is full');
    rmSync(join(disk, 'filler'));
    const resumed = w.run(['resume', await run.id(), '--store', file]);
    expect(resumed.status).toBe(0);
    expect(JSON.parse(resumed.stdout)).toEqual({ length: 300_000, begun: 'x' });
  });

  it('read-only: an approval says so and is not lost in part; it works when it may be written again', ({ skip }) => {
    const user = plainUser(w);
    if (user === undefined) return skip('no plain user can run the program here');
    const options = { ...user, env: { USER: 'ana' } };
    if (user.uid !== undefined) for (const dir of [w.dir, w.at('..')]) chownSync(dir, user.uid, user.gid as number);
    const run = w.run(['run', 'ask.toon'], options);
    expect(run.status).toBe(3);
    const id = / · run (\w+)/.exec(run.stderr)?.[1] ?? '';
    const home = w.at('.toolang');
    const files = readdirSync(home).map((name) => join(home, name));
    for (const file of files) chmodSync(file, file.endsWith('.db') ? 0o444 : 0o555);
    chmodSync(home, 0o555);
    const refused = w.run(['approve', id], options);
    expect(refused.status).toBeGreaterThan(0);
    expect(refused.stderr).toContain('read-only');
    expect(refused.stderr).not.toContain('    at ');
    chmodSync(home, 0o755);
    for (const file of files) chmodSync(file, 0o755);
    expect(w.run(['approve', id], options)).toMatchObject({ status: 0, stdout: 'by ana\n' });
  });
});

it('a clock that goes back an hour: the run ends, and its times never do', async () => {
  let back = 0;
  const clock = { ...realClock, now: () => Date.now() - back };
  const store = openSqliteStore(w.at('runs.db'));
  const engine = openEngine({ store, cwd: w.dir, clock });
  const plan = await planOf(
    `name: times\ninput:\nsteps[3]:\n  - id: a\n    run: "return 1"\n    output: number\n  - id: b\n    run: "return a + 1"\n    output: number\n  - id: c\n    run: "return b + 1"\n    output: number\n`,
  );
  const { id, epoch } = engine.create({ plan, input: {}, source: '' });
  const end = await engine.drive(id, {
    epoch,
    tell: (message) => {
      if (message.kind === 'events' && message.events.some(({ node }) => node === 'b#1')) back = 3_600_000;
    },
  });
  expect(end).toEqual({ kind: 'ended', end: { ok: 3 } });
  const times = [...store.events(id)].map(({ at }) => at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(store.run(id)?.endedAt).toBeGreaterThanOrEqual(store.run(id)?.startedAt ?? 0);
  store.close();
});

function fill(file: string): void {
  // In small pieces at the end, so that nothing is left.
  for (let size = 64 * 1024; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}
