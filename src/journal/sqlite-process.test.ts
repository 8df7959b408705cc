/** The store in real processes: killed, many at once, cut off in the middle of a write. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { bundle } from '../../bench/bundle.mjs';
import { openDatabase } from './sqlite.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';
import { runRow, snapshot } from './store-conformance.ts';

const dir = mkdtempSync(join(tmpdir(), 'toolang-store-process-'));
const deep = process.env.TOOLANG_DEEP !== undefined;
const owner = { host: 'h', boot: 'b', pid: 1, started: 's' };
let files = 0;
const workerFile = await bundle(`store-worker-${process.pid}`, 'src/journal/store-worker.ts');

afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
  rmSync(workerFile);
});

const newFile = () => join(dir, `${++files}.db`);

/** Runs `store-worker.ts`. */
function worker(file: string, root: string, mode: string): ChildProcess {
  return spawn(process.execPath, [workerFile, file, root, mode], { stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Lets it say `lines` lines, kills it, and gives the last place that it was told to be durable. */
async function killAfter(child: ChildProcess, lines: number): Promise<number> {
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
    if (text.split('\n').length > lines) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return Number(text.split('\n').at(-2) ?? 0);
}

function isWhole(file: string): boolean {
  const db = openDatabase(file, 1000);
  try {
    return db.prepare('PRAGMA integrity_check').get()?.integrity_check === 'ok';
  } finally {
    db.close();
  }
}

it('two processes append, killed again and again: what they were told to be kept is there, whole', async () => {
  const file = newFile();
  const roots = ['r1', 'r2'];
  const store = openSqliteStore(file);
  store.write((w) => {
    for (const root of roots) w.addRun(runRow(root));
  });
  for (let round = 0; round < (deep ? 20 : 3); round++) {
    const said = await Promise.all(
      roots.map((root, i) => killAfter(worker(file, root, i === 0 ? 'small' : 'large'), 5 + round * 7)),
    );
    roots.forEach((root, i) => {
      const events = [...store.events(root)];
      expect(events.length).toBeGreaterThanOrEqual(said[i] ?? 0);
      // A transaction is there with both of its events, and with the row that says so.
      expect(events.length % 2).toBe(0);
      expect(store.run(root)?.updatedAt).toBe(events.length - 1);
      events.forEach((event, place) => {
        expect(event.seq).toBe(place + 1);
        if (place % 2 === 0) expect(event.node).toBe(`n${place}`);
      });
    });
  }
  store.close();
  expect(isWhole(file)).toBe(true);
}, 120_000);

it('a process that was stopped writes nothing after somebody took its lease', async () => {
  const file = newFile();
  const store = openSqliteStore(file);
  store.write((w) => w.addRun(runRow('r1')));
  const child = worker(file, 'r1', 'asked');
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  try {
    await once(child.stdout ?? child, 'data');
    child.kill('SIGSTOP');
    expect(store.write((w) => w.takeLease('r1', owner, store.lease('r1')?.epoch, 9))).toBe(2);
    child.kill('SIGCONT');
    child.stdin?.write('go');
    expect((await once(child, 'close'))[0]).toBe(1);
  } finally {
    child.kill('SIGKILL');
  }
  expect(said).toContain('the run r1 is driven by somebody else now');
  expect([...store.events('r1')]).toHaveLength(2);
  expect(store.run('r1')?.updatedAt).toBe(1);
  store.close();
}, 60_000);

it('many processes make one store at the same time', async () => {
  const file = join(dir, 'new', 'folder', 'runs.db');
  const children = Array.from({ length: 6 }, () => worker(file, '', 'open'));
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'close'))[0]));
  expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
  expect(isWhole(file)).toBe(true);
}, 60_000);

it('cut at any byte of the last transaction, a store is as it was before it or after it', () => {
  const file = newFile();
  const store = openSqliteStore(file);
  const epoch = store.write((w) => {
    w.addRun(runRow('r1'));
    return w.takeLease('r1', owner, undefined, 1) ?? 0;
  });
  const append = (text: string) =>
    store.write((w) => {
      w.append('r1', epoch, [{ at: 1, run: 'r1', node: 'a#1', body: { kind: 'node.done', output: text } }]);
      w.updateRun('r1', { status: 'waiting', updatedAt: text.length });
      w.post('r1', { at: 1, by: 'me', message: { kind: 'steer', message: text } });
      w.addProcess('r1', { node: 'a#1', pid: text.length, started: 's' });
    });
  append('first');
  const before = snapshot(store);
  const start = statSync(`${file}-wal`).size;
  append('the second');
  const after = snapshot(store);
  const end = statSync(`${file}-wal`).size;
  expect(end).toBeGreaterThan(start);
  // Each frame has its head of 24 bytes; their edges, and places between them.
  const cuts = new Set<number>([start, end - 1, end]);
  for (let at = start; at <= end; at += deep ? 5 : 97) cuts.add(at);
  for (let frame = start; frame < end; frame += 24 + 4096) {
    for (const near of [0, 1, 8, 16, 23, 24, 25]) cuts.add(Math.min(frame + near, end));
  }
  const seen = { before: 0, after: 0 };
  const copy = join(dir, 'cut.db');
  for (const cut of cuts) {
    for (const ending of ['', '-wal', '-shm']) rmSync(copy + ending, { force: true });
    copyFileSync(file, copy);
    copyFileSync(`${file}-wal`, `${copy}-wal`);
    truncateSync(`${copy}-wal`, cut);
    const opened = openSqliteStore(copy);
    const is = snapshot(opened);
    const which = JSON.stringify(is) === JSON.stringify(after) ? 'after' : 'before';
    expect(is).toEqual(which === 'after' ? after : before);
    seen[which] += 1;
    // It goes on from there.
    if (cut % 5 === 0) expect(goOn(opened, epoch)).toBe(which === 'after' ? 3 : 2);
    opened.close();
  }
  expect(seen.after).toBe(1);
  expect(seen.before).toBe(cuts.size - 1);
  store.close();
}, 240_000);

it('bytes of the last transaction that were lost count as a cut', () => {
  const file = newFile();
  const store = openSqliteStore(file);
  store.write((w) => w.addRun(runRow('r1')));
  const start = statSync(`${file}-wal`).size;
  store.write((w) => w.addRun(runRow('r2')));
  const wal = readFileSync(`${file}-wal`);
  const copy = join(dir, 'lost.db');
  for (let at = start; at < wal.length; at += 509) {
    for (const ending of ['', '-wal', '-shm']) rmSync(copy + ending, { force: true });
    copyFileSync(file, copy);
    const damaged = Buffer.from(wal);
    // A sector that a disk has not written.
    damaged.fill(0, at, Math.min(at + 512, wal.length));
    writeFileSync(`${copy}-wal`, damaged);
    const opened = openSqliteStore(copy);
    const same = damaged.equals(wal);
    expect(opened.runIds()).toEqual(same ? ['r1', 'r2'] : ['r1']);
    opened.close();
  }
  store.close();
});

it('a writer has its turn behind one who writes without a pause, however long', async () => {
  const file = newFile();
  const store = openSqliteStore(file, { busyMs: 1500 });
  store.write((w) => w.addRun(runRow('r1')));
  // Longer than anybody may hold the store who writes nothing.
  const child = worker(file, '', 'hog3000');
  const closed = once(child, 'close');
  await once(child.stdout ?? child, 'data');
  store.write((w) => w.addRun(runRow('r2')));
  expect(store.runIds()).toEqual(['r1', 'r2']);
  expect(await closed).toEqual([0, null]);
  store.close();
}, 60_000);

it('a writer waits for another one, and says so when that does not end', () => {
  const file = newFile();
  // Much longer than a test may take: what counts is what is said when it waits.
  const patience = { busyMs: 600_000 };
  const store = openSqliteStore(file, patience);
  patience.busyMs = 50;
  const other = openDatabase(file, 0);
  other.exec('BEGIN IMMEDIATE');
  expect(() => store.write((w) => w.addRun(runRow('r1')))).toThrow('another process is writing it');
  // Reading is not disturbed.
  expect(store.runs()).toEqual([]);
  other.exec('ROLLBACK');
  store.write((w) => w.addRun(runRow('r1')));
  expect(store.runIds()).toEqual(['r1']);
  other.close();
  store.close();
});

it.runIf(process.platform === 'linux' && spawnSync('strace', ['-V']).status === 0)(
  'one transaction is one fsync',
  () => {
    const syncs = (writes: number) => {
      const file = newFile();
      const store = openSqliteStore(file);
      store.write((w) => w.addRun(runRow('r1')));
      store.close();
      const log = `${file}.log`;
      const traced = [process.execPath, workerFile, file, 'r1', String(writes)];
      spawnSync('strace', ['-f', '-e', 'trace=fsync,fdatasync', '-o', log, ...traced]);
      return readFileSync(log, 'utf8').match(/\bf(data)?sync\(/g)?.length ?? 0;
    };
    expect(syncs(30) - syncs(10)).toBe(20);
  },
  60_000,
);

function goOn(store: Store, epoch: number): number {
  return store.write((w) => w.append('r1', epoch, [{ at: 2, run: 'r1', body: { kind: 'run.done' } }]));
}
