/** What only a file can do: be full, read-only, foreign, damaged, of another version, gone; and how large it gets. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { bundle } from '../../bench/bundle.mjs';
import { failureOf } from './failures.ts';
import { migrate, versionOf } from './migrate.ts';
import { migrations, storeKind } from './schema.ts';
import { type Database, openDatabase, prebuiltFiles } from './sqlite.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { type Store, StoreFailure, type Writer } from './store.ts';
import { runRow, thrownBy } from './store-conformance.ts';

const dir = mkdtempSync(join(tmpdir(), 'toolang-sqlite-'));
const owner = { host: 'h', boot: 'b', pid: 1, started: 's' };
const opened: Store[] = [];
const disks: string[] = [];
let files = 0;
const bundled = await bundle(`store-test-${process.pid}`, 'src/journal/index.ts');

afterEach(() => {
  for (const store of opened.splice(0)) store.close();
  for (const disk of disks.splice(0)) spawnSync('umount', ['-l', disk]);
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
  rmSync(bundled);
});

const newFile = () => join(dir, `${++files}`, 'runs.db');

function open(file: string, options?: Parameters<typeof openSqliteStore>[1]): Store {
  const store = openSqliteStore(file, options);
  opened.push(store);
  return store;
}

/** A closed store with one run, as it is when the last process that used it has ended. */
function madeStore(): string {
  const file = newFile();
  const store = openSqliteStore(file);
  store.write((w) => w.addRun(runRow('r1')));
  store.close();
  for (const ending of ['-wal', '-shm']) rmSync(file + ending, { force: true });
  return file;
}

function reasonOf(work: () => unknown): string {
  const error = thrownBy(work);
  if (!(error instanceof StoreFailure)) throw error;
  return error.reason;
}

function sql(file: string, ...statements: string[]): void {
  const db = openDatabase(file, 1000);
  for (const statement of statements) db.exec(statement);
  db.close();
}

/** Fills one event with so many characters. */
const appendText = (store: Store, length: number) =>
  store.write((w) => {
    w.updateRun('r1', { updatedAt: length });
    w.append('r1', 1, [{ at: 1, run: 'r1', body: { kind: 'node.done', output: 'x'.repeat(length) } }]);
  });

function beginRun(store: Store): void {
  store.write((w) => {
    w.addRun(runRow('r1'));
    w.takeLease('r1', owner, undefined, 1);
  });
}

describe('opening', () => {
  it('makes the folder, and all is in one file when it is closed', () => {
    const file = madeStore();
    expect(open(file).runIds()).toEqual(['r1']);
    expect(open(file).name).toBe(file);
  });

  it('takes an empty file for a new store', () => {
    const file = join(dir, 'empty.db');
    writeFileSync(file, '');
    expect(open(file).runs()).toEqual([]);
  });

  it('refuses what is no database, and leaves it as it is', () => {
    const file = join(dir, 'text.db');
    const text = 'Dear diary, this is no database. '.repeat(100);
    writeFileSync(file, text);
    expect(reasonOf(() => open(file))).toBe('corrupt');
    expect(String(thrownBy(() => open(file)))).toMatch(
      /"[^"]*text\.db" is no database of runs, or is damaged.*--store/,
    );
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(dir).filter((name) => name.startsWith('text'))).toEqual(['text.db']);
  });

  it('refuses a damaged store, and leaves it as it is', () => {
    const file = madeStore();
    const bytes = readFileSync(file);
    bytes.fill(0xff, 100, 4096);
    writeFileSync(file, bytes);
    expect(reasonOf(() => open(file))).toBe('corrupt');
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it('says so when damage shows while it reads', () => {
    const file = newFile();
    const store = openSqliteStore(file);
    beginRun(store);
    for (let i = 0; i < 50; i++) appendText(store, 5000);
    store.close();
    for (const ending of ['-wal', '-shm']) rmSync(file + ending, { force: true });
    truncateSync(file, statSync(file).size - 30 * 4096);
    const again = open(file);
    expect(reasonOf(() => [...again.events('r1')])).toMatch(/^(corrupt|io)$/);
    expect(reasonOf(() => again.write((w) => w.append('r1', 1, [])))).toMatch(/^(corrupt|io)$/);
    expect(existsSync(file)).toBe(true);
  });

  it('refuses a database of another program without a trace', () => {
    const file = join(dir, 'other.db');
    sql(file, 'CREATE TABLE bookmarks (url TEXT)');
    const bytes = readFileSync(file);
    expect(reasonOf(() => open(file))).toBe('foreign');
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it('refuses a store of a newer version, naming both', () => {
    const file = madeStore();
    sql(file, "UPDATE meta SET value = '7' WHERE key = 'version'");
    const bytes = readFileSync(file);
    expect(reasonOf(() => open(file))).toBe('newer');
    expect(String(thrownBy(() => open(file)))).toContain(
      `has version 7, and this toolang knows versions up to ${migrations.length}: use a newer toolang`,
    );
    expect(readFileSync(file).equals(bytes)).toBe(true);
    sql(file, "DELETE FROM meta WHERE key = 'version'");
    expect(reasonOf(() => open(file))).toBe('corrupt');
  });

  it('refuses a network file system before it writes anything, with the way out', () => {
    const file = join(dir, 'far', 'runs.db');
    const asked: string[] = [];
    const options = {
      networkDisk(place: string) {
        asked.push(place);
        return 'nfs';
      },
    };
    expect(reasonOf(() => open(file, options))).toBe('network');
    expect(String(thrownBy(() => open(file, options)))).toMatch(/network file system \(nfs\).*with --store/);
    expect(existsSync(join(dir, 'far'))).toBe(false);
    expect(asked).toEqual([dir, dir]);
  });

  it('says what is wrong with a path that is a folder, or lies below a file', () => {
    mkdirSync(join(dir, 'folder.db'));
    expect(reasonOf(() => open(join(dir, 'folder.db')))).toBe('io');
    writeFileSync(join(dir, 'plain'), '');
    expect(reasonOf(() => open(join(dir, 'plain', 'runs.db')))).toBe('io');
  });

  it('follows a link', () => {
    const file = madeStore();
    const link = join(dir, 'link.db');
    symlinkSync(file, link);
    open(link).write((w) => w.addRun(runRow('r2')));
    expect(open(file).runIds()).toEqual(['r1', 'r2']);
  });

  it('takes the native file of the right C library first', () => {
    const folder = join(createRequire(import.meta.url).resolve('@photostructure/sqlite/package.json'), '../prebuilds');
    const names = (target: string, musl: boolean) =>
      prebuiltFiles(folder, target, musl).map((file) => /\.(glibc|musl)\.node$/.exec(file)?.[1]);
    expect(names('linux-x64', false)).toEqual(['glibc', 'musl']);
    expect(names('linux-arm64', true)).toEqual(['musl', 'glibc']);
    expect(names('darwin-arm64', false)).toEqual(['glibc']);
    expect(names('plan9-mips', false)).toEqual([]);
  });
});

describe('migrations', () => {
  const more = [...migrations, 'ALTER TABLE runs ADD COLUMN thread TEXT', "UPDATE runs SET thread = 'main'"];
  const later = { ...storeKind, migrations: more };

  it('lead an older store forward and keep what is in it', () => {
    const file = madeStore();
    const db = openDatabase(file, 1000);
    migrate(db, file, later);
    expect(versionOf(db, file, later)).toBe(more.length);
    expect(db.prepare('SELECT id, thread FROM runs').get()).toMatchObject({ id: 'r1', thread: 'main' });
    migrate(db, file, later);
    db.close();
    expect(reasonOf(() => open(file))).toBe('newer');
  });

  it('give a store of the first version what later ones have', () => {
    const file = newFile();
    mkdirSync(join(file, '..'), { recursive: true });
    const db = openDatabase(file, 1000);
    migrate(db, file, { ...storeKind, migrations: migrations.slice(0, 1) });
    db.exec("INSERT INTO runs (id, root, name, status, started_at, updated_at) VALUES ('r1', 'r1', 'n', 'done', 1, 1)");
    db.close();
    const store = open(file);
    store.write((w) => w.putCache({ key: 'k', workflow: 'w', step: 's', run: 'r1', at: 1, output: 2 }));
    expect([store.run('r1')?.name, store.cached('k')?.output]).toEqual(['n', 2]);
  });

  it('happen whole or not at all', () => {
    const file = madeStore();
    const db = openDatabase(file, 1000);
    const broken = { ...storeKind, migrations: [...more, 'INSERT INTO nowhere VALUES (1)'] };
    expect(() => migrate(db, file, broken)).toThrow('no such table');
    expect(versionOf(db, file, storeKind)).toBe(migrations.length);
    db.close();
    expect(open(file).runIds()).toEqual(['r1']);
  });
});

describe('what is written soon', () => {
  it('waits for no disk, is seen by others, and what follows waits for both', () => {
    let level: () => unknown = () => undefined;
    const file = newFile();
    const onConnect = (db: Database) => {
      level = () => db.prepare('PRAGMA synchronous').get()?.synchronous;
    };
    const store = open(file, { onConnect });
    const levelIn = (when?: 'soon') => store.write(() => level(), when);
    const [normal, full] = [1, 2];
    expect([levelIn('soon'), levelIn(), level()]).toEqual([normal, full, full]);
    store.write((w) => w.addRun(runRow('r1')), 'soon');
    expect(open(file).run('r1')).toMatchObject({ id: 'r1' });
    const fails = () => {
      throw new Error('a mistake');
    };
    expect(thrownBy(() => store.write(fails, 'soon'))).toMatchObject({ message: 'a mistake' });
    expect(level()).toBe(full);
    const other = openDatabase(file, 0);
    other.exec('BEGIN IMMEDIATE');
    const busy = open(file, { busyMs: 1, onConnect });
    expect(reasonOf(() => busy.write(() => undefined, 'soon'))).toBe('busy');
    expect(level()).toBe(full);
    other.exec('ROLLBACK');
    other.close();
  });
});

describe('failures', () => {
  it('a full file keeps nothing of the transaction, and works again when there is room', () => {
    const limits: ((pages: number) => void)[] = [];
    const store = open(newFile(), {
      onConnect: (db) => limits.push((pages) => db.exec(`PRAGMA max_page_count = ${pages}`)),
    });
    beginRun(store);
    appendText(store, 10);
    limits[0]?.(30);
    expect(reasonOf(() => fillUp(store, 3000))).toBe('full');
    const count = [...store.events('r1')].length;
    expect(reasonOf(() => appendText(store, 100_001))).toBe('full');
    expect([...store.events('r1')]).toHaveLength(count);
    expect(store.run('r1')?.updatedAt).toBe(count === 1 ? 10 : 3000);
    limits[0]?.(1_000_000);
    appendText(store, 100_001);
    expect([...store.events('r1')]).toHaveLength(count + 1);
    expect(limits).toHaveLength(1);
  });

  it.runIf(process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0)(
    'a write that the system refuses is told, keeps nothing, and works again later',
    () => {
      const file = newFile();
      mkdirSync(join(file, '..'));
      const told = inProcess(
        `
        const say = (work) => { try { return work() ?? 'ok'; } catch (error) { return error.reason + ': ' + error.message; } };
        const limit = (bytes) => require('node:child_process').spawnSync('prlimit', ['--pid', process.pid, '--fsize=' + bytes + ':unlimited']);
        process.on('SIGXFSZ', () => {});
        const store = journal.openSqliteStore(${JSON.stringify(file)});
        const row = (id) => ({ id, root: id, name: 'x'.repeat(20000), status: 'done', startedAt: 1, updatedAt: 1 });
        const add = (id) => say(() => store.write((w) => w.addRun(row(id))));
        const out = [add('r1')];
        limit(require('node:fs').statSync(${JSON.stringify(`${file}-wal`)}).size + 5000);
        out.push(add('r2'), add('r3'), store.runIds().join());
        limit('unlimited');
        out.push(add('r4'), store.runIds().join());
        console.log(JSON.stringify(out));
      `,
        {},
      );
      const failed = `io: the store ${JSON.stringify(file)} cannot be used: the disk took nothing more: perhaps a file may not grow any further (ulimit -f) (SQLite 778)`;
      expect(told).toEqual(['ok', failed, failed, 'r1', 'ok', 'r1,r4']);
    },
  );

  it('a full disk keeps nothing of the transaction, and works again when there is room', ({ skip }) => {
    const disk = smallDisk() ?? skip('only root can make a small disk');
    const store = open(join(disk, 'runs.db'));
    beginRun(store);
    appendText(store, 10);
    const ballast = join(disk, 'ballast');
    fill(ballast);
    for (const length of [3_000_000, 30_000, 100]) {
      expect(reasonOf(() => fillUp(store, length))).toBe('full');
      expect(String(thrownBy(() => fillUp(store, length)))).toContain('the disk is full');
    }
    const count = [...store.events('r1')].length;
    const row = store.run('r1');
    const events = [...store.events('r1')].map(({ seq }) => seq);
    expect(events).toEqual(Array.from({ length: count }, (_, i) => i + 1));
    rmSync(ballast);
    appendText(store, 77);
    expect([...store.events('r1')]).toHaveLength(count + 1);
    expect(store.run('r1')).toEqual({ ...row, updatedAt: 77 });
    expect(
      String(openDatabase(join(disk, 'runs.db'), 0).prepare('PRAGMA integrity_check').get()?.integrity_check),
    ).toBe('ok');
  });

  it('a store on a full disk can be looked at, and is written again when there is room', ({ skip }) => {
    const disk = smallDisk() ?? skip('only root can make a small disk');
    const file = join(disk, 'runs.db');
    const before = open(file);
    beginRun(before);
    appendText(before, 10);
    before.close();
    const ballast = join(disk, 'ballast');
    fill(ballast);
    const store = open(file);
    expect([...store.events('r1')].length).toBeGreaterThan(0);
    expect(store.run('r1')?.id).toBe('r1');
    expect(reasonOf(() => appendText(store, 20))).toBe('full');
    rmSync(ballast);
    const count = [...store.events('r1')].length;
    appendText(store, 30);
    expect([...store.events('r1')]).toHaveLength(count + 1);
  });

  it('a disk that is full from the start is told', ({ skip }) => {
    const disk = smallDisk() ?? skip('only root can make a small disk');
    const ballast = join(disk, 'ballast');
    fill(ballast);
    expect(reasonOf(() => open(join(disk, 'new.db')))).toBe('full');
    rmSync(ballast);
    expect(open(join(disk, 'new.db')).runs()).toEqual([]);
  });

  it.runIf(process.platform !== 'win32')(
    'a read-only folder or file is told, can be read, and works again when it can be written',
    () => {
      const file = madeStore();
      const place = join(file, '..');
      chmodSync(dir, 0o755);
      const tried = asUser(
        `
      const { openSqliteStore } = journal;
      const say = (work) => { try { return work() ?? 'ok'; } catch (error) { return error.reason + ': ' + error.message; } };
      const row = (id) => ({ id, root: id, name: 'x', status: 'done', startedAt: 1, updatedAt: 1 });
      const add = (store, id) => say(() => store.write((w) => w.addRun(row(id))));
      const { chmodSync } = require('node:fs');
      const out = [];
      chmodSync(${JSON.stringify(place)}, 0o500);
      out.push(say(() => openSqliteStore(${JSON.stringify(join(place, 'sub/runs.db'))})));
      out.push(say(() => openSqliteStore(${JSON.stringify(join(place, 'new.db'))})));
      const frozen = openSqliteStore(${JSON.stringify(file)});
      out.push(frozen.runIds().join(), add(frozen, 'r2'), say(() => frozen.changes() === frozen.changes()));
      // Somebody else may write: what is read is never what was true before.
      chmodSync(${JSON.stringify(place)}, 0o700);
      const other = openSqliteStore(${JSON.stringify(file)});
      add(other, 'r9');
      chmodSync(${JSON.stringify(place)}, 0o500);
      out.push(frozen.runIds().join());
      other.close();
      frozen.close();
      chmodSync(${JSON.stringify(place)}, 0o700);
      chmodSync(${JSON.stringify(file)}, 0o400);
      const store = openSqliteStore(${JSON.stringify(file)});
      const seen = store.changes();
      out.push(store.runIds().join(), add(store, 'r2'), store.runIds().join());
      chmodSync(${JSON.stringify(file)}, 0o600);
      out.push(add(store, 'r3'), store.runIds().join(), String(store.changes() > seen));
      console.log(JSON.stringify(out));
    `,
        place,
        file,
      );
      const name = (path: string) => JSON.stringify(path);
      const told = (path: string) =>
        `read-only: the store ${name(path)} cannot be written: it or its folder is read-only for this user`;
      expect(tried).toEqual([
        told(join(place, 'sub/runs.db')),
        told(join(place, 'new.db')),
        'r1',
        told(file),
        true,
        'r1,r9',
        'r1,r9',
        told(file),
        'r1,r9',
        'ok',
        'r1,r9,r3',
        'true',
      ]);
    },
  );

  it.runIf(process.platform !== 'win32')(
    'a store that was moved away is not written any more, until it is back',
    () => {
      const file = newFile();
      const store = open(file);
      beginRun(store);
      for (const ending of ['', '-wal', '-shm']) renameSync(file + ending, `${file}.away${ending}`);
      for (let i = 0; i < 2; i++) expect(reasonOf(() => appendText(store, 1))).toBe('gone');
      expect(existsSync(file)).toBe(false);
      for (const ending of ['', '-wal', '-shm']) {
        if (existsSync(`${file}.away${ending}`)) renameSync(`${file}.away${ending}`, file + ending);
      }
      appendText(store, 2);
      expect([...store.events('r1')]).toHaveLength(1);
    },
  );

  it('what the system calls by numbers is told in words', () => {
    const said = (code: number | string) => {
      const error = Object.assign(
        new Error('it failed'),
        typeof code === 'number' ? { code: 'ERR_SQLITE_ERROR', errcode: code } : { code },
      );
      return String(failureOf(error, '/no/such/runs.db', storeKind)).replace(/^StoreFailure: /, '');
    };
    const store = 'the store "/no/such/runs.db" cannot be used: ';
    expect(said(778)).toBe(
      `${store}the disk took nothing more: perhaps a file may not grow any further (ulimit -f) (SQLite 778)`,
    );
    expect(said(1034)).toBe(`${store}the disk did not confirm what was written (SQLite 1034)`);
    expect(said(6410)).toMatch(/the disk has failed \(SQLite \d+\)$/);
    expect(said('ENOTDIR')).toBe(`${store}a part of its path is a file, not a folder (ENOTDIR)`);
    expect(said('EXYZ')).toBe(`${store}it failed (EXYZ)`);
  });

  it('mistakes of ours stay what they are', () => {
    const error = new TypeError('x');
    expect(failureOf(error, 'f', storeKind)).toBe(error);
    expect(thrownBy(() => open(newFile()).write((w) => w.addRun(runRow('a\0b'))))).not.toBeInstanceOf(StoreFailure);
  });
});

describe('the log', () => {
  it('is emptied soon, and later where many runs fill it in one transaction', () => {
    let mostPages = (): unknown => undefined;
    const store = open(newFile(), {
      onConnect(db) {
        mostPages = () => Object.values(db.prepare('PRAGMA wal_autocheckpoint').get() ?? {});
      },
    });
    const roots = Array.from({ length: 9 }, (_, i) => `r${i}`);
    store.write((w) => {
      for (const root of roots) {
        w.addRun(runRow(root));
        w.takeLease(root, owner, undefined, 1);
      }
    });
    const go = (some: readonly string[]) =>
      store.write((w) => {
        for (const root of some) w.append(root, 1, [{ at: 1, run: root, body: { kind: 'run.done' } }]);
      });
    go(roots.slice(1));
    expect(mostPages()).toEqual([64]);
    go(roots);
    expect(mostPages()).toEqual([1000]);
  });
});

describe('size', () => {
  it('a value over 64 kB is kept once, whoever holds it', () => {
    const file = newFile();
    const store = openSqliteStore(file);
    beginRun(store);
    const sizes = [1, 2, 20].map((times) => {
      for (let i = 0; i < times; i++) appendText(store, 500_000);
      openDatabase(file, 1000).exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return statSync(file).size;
    });
    expect((sizes[2] ?? 0) - (sizes[0] ?? 0)).toBeLessThan(20_000);
    expect(
      [...store.events('r1')].every(({ body }) => body.kind === 'node.done' && body.output === 'x'.repeat(500_000)),
    ).toBe(true);
    store.close();
  });

  it('a trivial step takes less than a kilobyte, and as much in a long run as in a short one', () => {
    const sizes = [200, 2000].map((steps) => {
      const file = newFile();
      const store = openSqliteStore(file);
      beginRun(store);
      for (let from = 0; from < steps; from += 50) store.write((w) => writeSteps(w, from, 50));
      store.close();
      return statSync(file).size / steps;
    });
    console.log(`bytes a step, with the empty store: ${sizes.map(Math.round).join(' in 200 steps, ')} in 2,000`);
    for (const size of sizes) expect(size).toBeLessThan(1000);
    expect(sizes[1]).toBeLessThan(sizes[0] ?? 0);
  });
});

/** A disk of one megabyte; undefined where none can be made. */
function smallDisk(): string | undefined {
  const disk = mkdtempSync(join(dir, 'disk-'));
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status !== 0) return undefined;
  disks.push(disk);
  return disk;
}

function writeSteps(w: Writer, from: number, count: number): void {
  for (let i = from; i < from + count; i++) {
    const at = 1_700_000_000_000 + i;
    w.append('r1', 1, [
      { at, run: 'r1', node: `step-${i}#1`, body: { kind: 'node.done', output: { n: i } } },
      { at, run: 'r1', node: `step-${i + 1}#1`, body: { kind: 'node.started', key: 'k'.repeat(32) } },
    ]);
    w.updateRun('r1', { status: 'running', updatedAt: i });
  }
}

function fill(file: string): void {
  const chunk = Buffer.alloc(4096);
  for (;;) {
    try {
      writeFileSync(file, chunk, { flag: 'a' });
    } catch {
      return;
    }
  }
}

/** What room there is in the file's own free pages is used first. */
function fillUp(store: Store, length: number): void {
  for (let i = 0; i < 1000; i++) appendText(store, length);
}

/** Runs code with the module `journal` as a user for whom permissions count. */
function asUser(code: string, ...owned: string[]): unknown {
  if (process.getuid?.() !== 0) return inProcess(code, {});
  const nobody = 65534;
  spawnSync('chown', ['-R', `${nobody}:${nobody}`, ...owned]);
  return inProcess(code, { uid: nobody, gid: nobody });
}

function inProcess(code: string, user: { readonly uid?: number; readonly gid?: number }): unknown {
  const whole = `import(${JSON.stringify(pathToFileURL(bundled).href)}).then((journal) => {${code}})`;
  const ran = spawnSync(process.execPath, ['-e', whole], { encoding: 'utf8', ...user });
  if (ran.status !== 0) throw new Error(ran.stderr);
  return JSON.parse(ran.stdout);
}
