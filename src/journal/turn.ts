/**
 * Waits for a turn at a store that others use too. SQLite's own way of waiting asks ever more rarely, so that among many
 * writers those who have waited longest come last. Here all ask equally often, at random moments: with forty of them each
 * has its turn, and only where nobody writes any more is somebody to blame.
 */
import { statSync } from 'node:fs';
import { quotePath } from '../sys/index.ts';
import type { DatabaseKind } from './database-kind.ts';
import { isBusy } from './failures.ts';
import { StoreFailure } from './store.ts';

export interface Patience {
  /** How long the store may be held by somebody who writes nothing. */
  readonly quietMs: number;
  /** How long it is waited while others write. */
  readonly mostMs: number;
}

type Named = Pick<DatabaseKind, 'name'>;

/** The first tries come sooner: most transactions take milliseconds. */
const soonTries = 5;
const soonMs = 4;
const laterMs = 30;

/** Does it as often as SQLite says that somebody else has the store; throws `StoreFailure` when it gives up. */
export function inTurn<T>(file: string, { name }: Named, { quietMs, mostMs }: Patience, work: () => T): T {
  let first = 0;
  let heard = 0;
  let state = '';
  for (let tries = 0; ; tries++) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const now = performance.now();
      const isNew = stateOf(file);
      if (tries === 0) first = now;
      if (tries === 0 || isNew !== state) heard = now;
      state = isNew;
      if (now - heard >= quietMs)
        throw refusal(
          name,
          file,
          'another process is writing it and does not end; perhaps one that was stopped',
          error,
        );
      if (now - first >= mostMs) throw refusal(name, file, 'others have been writing it all the time', error);
      pause(1 + Math.random() * (tries < soonTries ? soonMs : laterMs));
    }
  }
}

/** Another one when something was written since, by whomever. */
export function stateOf(file: string): string {
  return [file, `${file}-wal`]
    .map((path) => {
      const info = statSync(path, { throwIfNoEntry: false });
      return info ? `${info.ino} ${info.size} ${info.mtimeMs}` : '';
    })
    .join();
}

function refusal(name: string, file: string, why: string, cause: unknown): StoreFailure {
  return new StoreFailure('busy', `${name} ${quotePath(file)} cannot be written: ${why}`, cause);
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
