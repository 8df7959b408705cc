/** A run whose owner cannot be seen is watched: it is taken over when that is silent, and left alone when it is not. */
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore, type Store } from '../../journal/index.ts';
import { openEngine } from '../../run/index.ts';
import { createHeartbeats, type Machine } from '../../run/lease.ts';
import { bootId, type ManualClock, manualClock } from '../../sys/index.ts';
import { memoryContext } from '../memory-context.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { driveAndTell } from './follow.ts';
import type { OpenRuns } from './stores.ts';

let s: Scratch;
let store: Store;
let clock: ManualClock;
let root: string;
let epoch: number;
const far = { host: `not-${hostname()}`, boot: 'b', pid: 7, started: 's' };
const day = 86_400_000;

beforeEach(async () => {
  s = scratch();
  s.write(
    'ask.toon',
    'name: ask\ninput:\nsteps[1]:\n  - kind: approval\n    id: ok\n    request:\n      title: Go on?\n',
  );
  root = JSON.parse((await s.cli(['run', 'ask.toon', '--json'])).out).run;
  store = openSqliteStore(s.at('.toolang/runs.db'));
  const now = Date.now();
  clock = manualClock(now);
  // The clock of its machine is a day ahead.
  epoch = store.write((w) => w.takeLease(root, far, store.lease(root)?.epoch, now + day)) ?? 0;
});
afterEach(() => {
  store.close();
  s.remove();
});

function resume() {
  const machine: Machine = {
    me: { host: hostname(), boot: bootId(), pid: 1, started: 'me' },
    startOf: () => undefined,
    endGroup: async () => undefined,
    knownFor: createHeartbeats(() => clock.now()),
  };
  const engine = openEngine({ store, cwd: s.dir, env: {}, clock, machine });
  const nothing = () => undefined;
  let hurries = 0;
  const hurry = () => {
    hurries++;
  };
  const listen = () => nothing;
  const runs: OpenRuns = {
    engine,
    settings: async () => ({}),
    short: (id) => id,
    listen,
    recorded: nothing,
    hurry,
    close: nothing,
  };
  const context = memoryContext({ cwd: s.dir });
  const ended = driveAndTell({ runs, root, context, json: false, held: 'refuse' });
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  return { ended, context, isOver: () => isOver, hurries: () => hurries };
}

it('whoever drives a run waits less for the store, so that Ctrl-C is heard', async () => {
  store.write((w) => w.release(root, epoch));
  const [question] = store.run(root)?.waiting ?? [];
  const { node = '', hash = '' } = question ?? {};
  const message = { kind: 'decide', node, hash, approved: true } as const;
  store.write((w) => w.post(root, { at: clock.now(), by: 'ana', message }));
  const { ended, hurries } = resume();
  expect((await ended).row.status).toBe('done');
  expect(hurries()).toBeGreaterThan(0);
});

describe('an owner that cannot be seen', () => {
  it('is replaced when it gives no sign of life for a minute of our own time, whatever its clock says', async () => {
    const { ended, context, isOver } = resume();
    await clock.advance(59_000);
    expect(isOver()).toBe(false);
    expect(context.err()).toContain(
      `it is driven by the process 7 on ${far.host}, which cannot be seen from here: taken over when that is silent for a minute\n`,
    );
    await clock.advance(2000);
    expect((await ended).end?.kind).toBe('waiting');
    expect(store.lease(root)?.epoch).toBe(epoch + 1);
  });

  it('keeps its run when it gives one', async () => {
    const { ended } = resume();
    await clock.advance(5000);
    store.write((w) => w.beat(root, epoch, Date.now() + day + 5000));
    await clock.advance(1000);
    expect((await ended).end).toEqual({ kind: 'held', by: far });
    expect(store.lease(root)).toMatchObject({ epoch, owner: far });
  });
});
