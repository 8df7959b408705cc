/** What only a file can do: be foreign, damaged, of another version, read-only; used by several processes, killed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { bundle } from '../../../bench/bundle.mjs';
import { openSqliteStore, StoreFailure } from '../../journal/index.ts';
import { openDatabase } from '../../journal/sqlite.ts';
import { mostFound, openMemory } from './memory.ts';

const dir = mkdtempSync(join(tmpdir(), 'toolang-memory-file-'));
const workerFile = await bundle(`memory-worker-${process.pid}`, 'src/run/memory/memory-worker.ts');
let files = 0;
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
  rmSync(workerFile);
});

const newFile = () => join(dir, `${++files}.db`);
const entry = (text: string) => ({ agent: 'ana', text, at: 1, run: 'r', thunk: 'chat', key: text });

function failureOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof StoreFailure) return `${error.reason}: ${error.message.replaceAll(dir, '')}`;
    throw error;
  }
  throw new Error('it did not fail');
}

/** A closed one with one memory. */
function made(text = 'tea'): string {
  const file = newFile();
  const memory = openMemory(file);
  memory.save(entry(text));
  memory.close();
  return file;
}

function sql(file: string, statement: string): void {
  const db = openDatabase(file, 1000);
  db.exec(statement);
  db.close();
}

it('what is no memory is refused with what to do, and left as it is', () => {
  const text = join(dir, 'text.db');
  writeFileSync(text, 'Dear diary. '.repeat(500));
  const runs = join(dir, 'runs.db');
  openSqliteStore(runs).close();
  const damaged = made();
  const bytes = readFileSync(damaged);
  bytes.fill(0xff, 100, 4096);
  writeFileSync(damaged, bytes);
  for (const [file, why] of [
    [
      text,
      /^corrupt: the memory "\/text.db" is no database of memories, or is damaged \(.*\); it was left as it is: move it away or name another home with --home$/,
    ],
    [
      runs,
      /^foreign: "\/runs.db" is a database of some other program, not a memory of agents; name another home with --home$/,
    ],
    [damaged, /^corrupt: /],
  ] as const) {
    const before = readFileSync(file);
    const memory = openMemory(file);
    expect(failureOf(() => memory.list())).toMatch(why);
    expect(failureOf(() => memory.save(entry('x')))).toMatch(why);
    memory.close();
    expect(readFileSync(file).equals(before)).toBe(true);
  }
  expect(readdirSync(dir).filter((name) => name.startsWith('text'))).toEqual(['text.db']);
});

it('one of a newer version is not touched', () => {
  const file = made();
  sql(file, "UPDATE meta SET value = '99' WHERE key = 'version'");
  const memory = openMemory(file);
  expect(failureOf(() => memory.search('ana', 'tea', 1))).toMatch(
    /^newer: the memory .* has version 99, and this toolang knows versions up to 1: use a newer toolang, or name another home with --home$/,
  );
  memory.close();
});

it('a turn that was damaged is told, not skipped', () => {
  const file = newFile();
  const memory = openMemory(file);
  memory.addTurn({ agent: 'ana', thread: 't', run: 'r', at: 1, messages: [{ role: 'user', content: 'hello' }] });
  sql(file, "UPDATE turns SET messages = '['");
  expect(failureOf(() => memory.turns('ana', 't', 100))).toMatch(/^corrupt: the memory .* a turn in it cannot be read/);
  memory.close();
});

it('one that is empty becomes a memory', () => {
  const file = newFile();
  writeFileSync(file, '');
  const memory = openMemory(file);
  expect(memory.list()).toEqual([]);
  memory.close();
});

/** Permissions do not count for everybody. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

it.runIf(process.platform !== 'win32')('one that is read-only is read, and says so to who writes', () => {
  const file = join(dir, 'kept', 'memory.db');
  const memory = openMemory(file);
  memory.save(entry('tea'));
  memory.close();
  for (const ending of ['-wal', '-shm']) rmSync(file + ending, { force: true });
  chmodSync(dir, 0o755);
  chmodSync(file, 0o444);
  chmodSync(join(file, '..'), 0o555);
  const { stdout } = spawnSync(process.execPath, [workerFile, file, '', '0'], { encoding: 'utf8', ...user });
  chmodSync(join(file, '..'), 0o755);
  const refused = `StoreFailure: the memory "${file}" cannot be written: it or its folder is read-only for this user`;
  expect(JSON.parse(stdout)).toEqual([1, refused, refused, 1]);
});

it('one that somebody else does not let go of says so, and still is read', () => {
  const file = made();
  const memory = openMemory(file, { busyMs: 50 });
  memory.list();
  const other = openDatabase(file, 0);
  other.exec('BEGIN IMMEDIATE');
  expect(failureOf(() => memory.save(entry('x')))).toMatch(/^busy: the memory .* another process is writing it/);
  expect(memory.list()).toHaveLength(1);
  other.exec('ROLLBACK');
  memory.save(entry('x'));
  other.close();
  memory.close();
});

it('what was forgotten is in none of its bytes', () => {
  const file = made('plantedword in a sentence');
  const memory = openMemory(file);
  memory.save(entry('another one'));
  expect(readFileSync(file).includes('plantedword')).toBe(true);
  for (const { id, text } of memory.list()) if (text.startsWith('planted')) memory.forget(id);
  memory.close();
  for (const ending of ['', '-wal']) {
    if (existsSync(file + ending)) expect(readFileSync(file + ending).includes('plantedword')).toBe(false);
  }
});

const worker = (file: string, name: string, count: number): ChildProcess =>
  spawn(process.execPath, [workerFile, file, name, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });

it('two processes write at once, make the file together, and lose nothing', async () => {
  const file = join(dir, 'new', 'memory.db');
  const count = 60;
  const children = ['one', 'two'].map((name) => worker(file, name, count));
  const codes = await Promise.all(
    children.map(async (child) => {
      child.stdout?.resume();
      return (await once(child, 'close'))[0];
    }),
  );
  expect(codes).toEqual([0, 0]);
  const memory = openMemory(file);
  expect(memory.list().filter(({ text }) => text.startsWith('number'))).toHaveLength(2 * count);
  expect(memory.list().filter(({ text }) => text.startsWith('shared'))).toHaveLength(count);
  expect(memory.turns('ana', 't', 1_000_000)).toHaveLength(2 * 2 * count);
  for (const name of ['one', 'two']) {
    for (let i = 0; i < count; i++) {
      const text = `number ${name}x${i}x`;
      expect(memory.search('ana', text, 1).map((found) => found.text)).toEqual([text]);
    }
  }
  expect(memory.search('ana', 'number', 1000)).toHaveLength(mostFound);
  memory.close();
}, 60_000);

it('killed in the middle, again and again, what was told to be kept is there, and the words fit the texts', async () => {
  const file = newFile();
  for (let round = 0; round < 3; round++) {
    const name = `round${round}`;
    const child = worker(file, name, 1000);
    let said = '';
    child.stdout?.on('data', (chunk) => {
      said += chunk;
      if (said.split('\n').length > 5 + round * 3) child.kill('SIGKILL');
    });
    await once(child, 'close');
    const sure = Number(said.split('\n').at(-2));
    expect(sure).toBeGreaterThan(1);
    const memory = openMemory(file);
    const kept = memory.list().filter(({ run, text }) => run === name && text.startsWith('number'));
    expect(kept.length).toBeGreaterThan(sure);
    for (const { id, text } of kept) expect(memory.search('ana', text, 1)).toMatchObject([{ id }]);
    memory.close();
  }
  const db = openDatabase(file, 1000);
  expect(db.prepare('PRAGMA integrity_check').get()?.integrity_check).toBe('ok');
  db.exec("INSERT INTO memory_words (memory_words) VALUES ('integrity-check')");
  db.close();
}, 60_000);
