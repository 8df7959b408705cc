/**
 * Somebody approves while the owner is just leaving. Owner and approver have a connection each; what the approver does
 * falls between any two calls of the owner to the store, as it would from another process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore, type Store } from '../../src/journal/index.ts';
import { drive } from '../../src/run/drive.ts';
import type { Execute } from '../../src/run/execute.ts';
import { requestHash } from '../../src/run/open-command.ts';
import { makeRounds, roundsRef, step } from '../../src/run/round-machine.ts';
import { post } from '../../src/run/runs.ts';
import { replay } from '../../src/run/state.ts';
import { realClock } from '../../src/sys/index.ts';
import { createRandom } from '../generate/random.ts';

const times = process.env.TOOLANG_DEEP ? 1000 : 200;
const request = { title: 'Go?' };
const ref = roundsRef([{ op: 'signal', id: 'ask', kind: 'approval', request }], [step('a#1')]);
const owner = (pid: number) => ({ host: 'here', boot: 'b', pid, started: 's' });
const execute: Execute = async () => ({ outcome: { ok: 1 } });

function create(store: Store, root: string): number {
  return store.write((writer) => {
    writer.addRun({ id: root, root, name: 'test', status: 'running', startedAt: 1, updatedAt: 1 });
    const epoch = writer.takeLease(root, owner(1), undefined, 1) ?? 0;
    const run = {
      kind: 'run.started',
      name: 'test',
      plan: '',
      source: '',
      input: null,
      machine: 1,
      models: {},
    } as const;
    writer.append(root, epoch, [{ at: 1, run: root, body: run }]);
    return epoch;
  });
}

function own(store: Store, root: string, epoch: number) {
  const state = replay({ root, make: makeRounds, ref, events: store.events(root) });
  return drive({ store, root, epoch, state, executors: { test: execute }, clock: realClock });
}

/** Calls `act` once, between two calls of whoever uses the store. */
function interrupted(store: Store, at: number, act: () => boolean): Store {
  let calls = 0;
  let isDone = false;
  const between = <A extends unknown[], T>(call: (...args: A) => T) => {
    return (...args: A): T => {
      // What is not possible yet is tried again before the next call.
      if (!isDone && calls++ >= at) isDone = act();
      return call(...args);
    };
  };
  const { write, lease, inbox, changes } = store;
  return {
    ...store,
    write: between(write) as Store['write'],
    lease: between(lease),
    inbox: between(inbox),
    changes: between(changes),
  };
}

test(`${times} approvals at any point of the owner's leaving: never is there something to do and nobody to do it`, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'toolang-leaving-'));
  const mine = openSqliteStore(join(dir, 'runs.db'));
  const theirs = openSqliteStore(join(dir, 'runs.db'));
  const random = createRandom(7);
  const ends = new Map<string, number>();
  try {
    for (let number = 0; number < times; number++) {
      const root = `r${number}`;
      const epoch = create(mine, root);
      let isPosted = false;
      const approve = () => {
        if ((theirs.run(root)?.waiting ?? []).length === 0) return false;
        const message = { kind: 'decide', node: 'ask', hash: requestHash(request), approved: true } as const;
        isPosted = post(theirs, root, { at: 1, by: 'ann', message }) === undefined;
        return true;
      };
      const end = await own(interrupted(mine, random.below(10), approve), root, epoch);
      if (!isPosted) approve();
      ends.set(end.kind, (ends.get(end.kind) ?? 0) + 1);
      const isOwned = theirs.lease(root)?.owner !== undefined;
      expect(isOwned).toBe(false);
      if (end.kind === 'waiting') {
        // It had left before: the approver finds a free lease, and drives.
        expect(theirs.inbox(root)).toHaveLength(1);
        const next = theirs.write((writer) => writer.takeLease(root, owner(2), theirs.lease(root)?.epoch, 2)) ?? 0;
        expect(await own(theirs, root, next)).toMatchObject({ kind: 'ended' });
      } else {
        expect(end.kind).toBe('ended');
        expect(theirs.inbox(root)).toEqual([]);
      }
      expect(theirs.run(root)).toMatchObject({ status: 'done' });
    }
  } finally {
    mine.close();
    theirs.close();
    rmSync(dir, { recursive: true, force: true });
  }
  // Both sides of the moment were tried.
  expect([...ends.keys()].sort()).toEqual(['ended', 'waiting']);
  console.log(`the owner stayed ${ends.get('ended')} times, and had left ${ends.get('waiting')} times`);
});
