/**
 * The SQLite library: a native file, loaded when the first store is opened and not before. The build copies the files of
 * all platforms into `dist/sqlite/`; run from source, they are taken from the package.
 */
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StoreFailure } from './store.ts';

export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** As in `node:sqlite`. Each call leaves nothing open. */
export interface Statement {
  run(...values: readonly SqlValue[]): { readonly changes: number };
  get(...values: readonly SqlValue[]): SqlRow | undefined;
  all(...values: readonly SqlValue[]): SqlRow[];
}

export interface Database {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Library {
  readonly DatabaseSync: new (
    file: string,
    options: { readonly timeout: number; readonly readOnly?: boolean },
  ) => Database;
}

let library: Library | undefined;

/** `busyMs`: how long it waits for other writers. */
export function openDatabase(file: string, busyMs: number): Database {
  library ??= load(prebuiltFiles(folderOf(import.meta.dirname)));
  return new library.DatabaseSync(file, { timeout: busyMs });
}

/** `immutable`: nobody writes it, and what lies beside it is not looked at. */
export function openToRead(file: string, immutable: boolean): Database {
  library ??= load(prebuiltFiles(folderOf(import.meta.dirname)));
  const place = immutable ? `${pathToFileURL(file).href}?immutable=1` : file;
  return new library.DatabaseSync(place, { timeout: 0, readOnly: true });
}

/** The same with statements that are prepared when they are first used: a short run uses a third of them. */
export function withLazyStatements(db: Database): Database {
  return {
    get isTransaction() {
      return db.isTransaction;
    },
    exec: (sql) => db.exec(sql),
    close: () => db.close(),
    prepare(sql) {
      let made: Statement | undefined;
      const statement = () => {
        made ??= db.prepare(sql);
        return made;
      };
      return {
        run: (...values) => statement().run(...values),
        get: (...values) => statement().get(...values),
        all: (...values) => statement().all(...values),
      };
    },
  };
}

/** For the library a text ends at a zero character, so names must not have one; JSON has none, and blobs are bytes. */
export function plain(text: string): string {
  if (text.includes('\0')) throw new Error(`a name or id in the store cannot hold a zero character: ${text}`);
  return text;
}

/** The files for this machine, the likelier first: which C library it has shows surely only when one is loaded. */
export function prebuiltFiles(
  folder: string,
  target: string = `${process.platform}-${process.arch}`,
  musl: boolean = existsSync('/etc/alpine-release'),
): string[] {
  const place = join(folder, target);
  const files = existsSync(place) ? readdirSync(place).filter((file) => file.endsWith('.node')) : [];
  const rank = (file: string) => (file.includes('.musl.') === musl ? 0 : 1);
  return files.sort((a, b) => rank(a) - rank(b)).map((file) => join(place, file));
}

function load(files: readonly string[]): Library {
  const wrong: unknown[] = [];
  for (const file of files) {
    try {
      // As `require` does in the end, without looking for what we have found.
      const module: { exports: unknown } = { exports: {} };
      process.dlopen(module, file);
      return module.exports as Library;
    } catch (error) {
      wrong.push(error);
    }
  }
  const machine = `${process.platform}-${process.arch}`;
  const why = wrong.map((error) => (error instanceof Error ? error.message : String(error))).join('; ');
  throw new StoreFailure(
    'platform',
    why === '' ? `there is no SQLite for ${machine} in this package` : `SQLite cannot be loaded on ${machine}: ${why}`,
    wrong[0],
  );
}

function folderOf(here: string): string {
  const built = ['sqlite', '../sqlite'].map((path) => join(here, path)).find((path) => existsSync(path));
  if (built !== undefined) return built;
  return join(
    dirname(createRequire(join(here, 'sqlite.ts')).resolve('@photostructure/sqlite/package.json')),
    'prebuilds',
  );
}
