/** A run that was left when a sub-workflow had begun and none of its steps had: it goes on, and begins the former once. */
import { expect, test } from 'vitest';
import { createMemoryStore } from '../journal/index.ts';
import type { Json } from '../machine/index.ts';
import { manualClock } from '../sys/index.ts';
import { drive } from './drive.ts';
import { makeRounds, roundsRef, step } from './round-machine.ts';
import { replay } from './state.ts';

test('a sub-workflow whose steps had no place before the run was left is not begun twice', async () => {
  const store = createMemoryStore();
  const root = 'r00000000000';
  const owner = { host: 'here', boot: 'b', pid: 1, started: 's' };
  const input: Json = null;
  const inner = roundsRef([step('a#1')]);
  const ref = roundsRef([{ op: 'child', id: 'sub', ref: inner, input, key: 'sub', run: { name: 'inner' } }]);
  store.write((writer) => {
    writer.addRun({ id: root, root, name: 'test', status: 'running', startedAt: 1, updatedAt: 1 });
    const epoch = writer.takeLease(root, owner, undefined, 1) ?? 0;
    const start = { kind: 'run.started', name: 'test', plan: '', source: '', input, machine: 1, models: {} } as const;
    writer.append(root, epoch, [{ at: 1, run: root, body: start }]);
  });
  const own = (soft?: AbortSignal) => {
    const epoch = store.write((w) => w.takeLease(root, owner, store.lease(root)?.epoch, 1)) ?? 0;
    const state = replay({ root, make: makeRounds, ref, events: store.replayed(root) });
    const executors = { test: async () => ({ outcome: { ok: 1 } }) };
    return drive({ store, root, epoch, state, executors, clock: manualClock(1), ...(soft && { soft }) });
  };
  expect((await own(AbortSignal.abort())).kind).toBe('stopped');
  expect([...store.events(root)].map(({ body }) => body.kind)).toEqual(['run.started', 'child.started']);
  expect((await own()).kind).toBe('ended');
  const begun = [...store.events(root)].filter(({ body }) => body.kind === 'child.started');
  expect(begun).toHaveLength(1);
  expect(store.runs().map(({ status }) => status)).toEqual(['done', 'done']);
});
