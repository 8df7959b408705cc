/** What the driver promises on every store: P1 to P9 of the design, each a test named after it. */
import { describe, expect, test } from 'vitest';
import { type JournalEvent, type LeaseOwner, type Store, StoreFailure } from '../journal/index.ts';
import type { Command, Json, Outcome, Usage } from '../machine/index.ts';
import { createRedactor, type ManualClock, manualClock } from '../sys/index.ts';
import { cleaner } from './clean.ts';
import { type DriveEnd, type DriveMessage, type DriveOptions, drive } from './drive.ts';
import type { Execute, StepContext } from './execute.ts';
import { requestHash } from './open-command.ts';
import { createPlaces } from './places.ts';
import { makeRounds, roundsRef, step } from './round-machine.ts';
import { replay } from './state.ts';

export interface StoreUnderTest {
  readonly store: Store;
  /** Another connection to the same data. */
  readonly connect: () => Store;
  readonly close: () => void;
}

/** How the next commits fail: for want of space, or by a mistake of ours. */
interface Failing extends StoreUnderTest {
  readonly failCommits: (count: number, how: 'full' | 'bug') => void;
}

function failing(under: StoreUnderTest): Failing {
  let left = 0;
  let kind: 'full' | 'bug' = 'full';
  const write: Store['write'] = (work) => {
    if (left === 0) return under.store.write(work);
    left--;
    throw kind === 'bug' ? new Error('a mistake') : new StoreFailure('full', 'the disk is full');
  };
  return {
    ...under,
    store: { ...under.store, write },
    failCommits: (count, how) => {
      left = count;
      kind = how;
    },
  };
}

const root = 'r00000000000';
const owner: LeaseOwner = { host: 'here', boot: 'b', pid: 1, started: 's' };

interface Began {
  readonly id: string;
  readonly context: StepContext;
  readonly settle: (outcome: Outcome, spent?: number | Usage) => void;
}

/** A run whose steps end when the test says so. */
function harness(under: Failing, rounds: readonly (readonly Command[])[], run = root) {
  const manual: ManualClock = manualClock(1000);
  let skew = 0;
  const clock: ManualClock = { ...manual, now: () => manual.now() - skew };
  const began: Began[] = [];
  const told: DriveMessage[] = [];
  const ref = roundsRef(...rounds);
  const execute: Execute = (command, context) =>
    new Promise((resolve) => {
      const settle: Began['settle'] = (outcome, spent) => {
        const usage = typeof spent === 'number' ? { cost: spent } : spent;
        resolve({ outcome, ...(usage && { usage }) });
      };
      began.push({ id: command.id, context, settle });
    });
  under.store.write((writer) => {
    writer.addRun({ id: run, root: run, name: 'test', status: 'running', startedAt: 1000, updatedAt: 1000 });
    const epoch = writer.takeLease(run, owner, undefined, 1000) ?? 0;
    const body = {
      kind: 'run.started',
      name: 'test',
      plan: '',
      source: '',
      input: null,
      machine: 1,
      models: {},
    } as const;
    writer.append(run, epoch, [{ at: 1000, run, body }]);
  });

  /** Drives on a connection of its own, from what the store holds. */
  function start(
    more: Partial<
      Pick<
        DriveOptions,
        'soft' | 'hard' | 'wait' | 'redactor' | 'limit' | 'limits' | 'mostCost' | 'places' | 'again' | 'store' | 'idle'
      >
    > = {},
  ): { readonly end: Promise<DriveEnd>; readonly epoch: number } {
    const store = more.store ?? under.store;
    const lease = store.lease(run);
    const epoch = store.write((writer) => writer.takeLease(run, owner, lease?.epoch, clock.now())) ?? 0;
    const clean = cleaner(more.redactor);
    const state = replay({ root: run, make: makeRounds, ref, events: store.events(run), clean });
    const end = drive({
      ...more,
      store,
      root: run,
      epoch,
      state,
      executors: { test: execute, model: execute },
      clock,
      tell: (message) => told.push(message),
    });
    return { end, epoch };
  }

  /** Lets all that can happen now happen. */
  async function settle(ms = 0): Promise<void> {
    for (let i = 0; i < 20; i++) await Promise.resolve();
    await clock.advance(ms);
    for (let i = 0; i < 20; i++) await Promise.resolve();
  }

  const events = (): readonly JournalEvent[] => [...under.connect().events(run)];
  const kinds = () => events().map(({ body, node }) => (node === undefined ? body.kind : `${body.kind} ${node}`));
  const find = (id: string): Began => {
    const found = began.findLast((each) => each.id === id);
    if (found === undefined) throw new Error(`${id} was not begun`);
    return found;
  };
  const jumpBack = (ms: number) => {
    skew += ms;
  };
  return { jumpBack, now: clock.now, began, told, start, settle, events, kinds, find };
}

const ok = (value: Json = 1): Outcome => ({ ok: value });

export function conformance(name: string, open: () => StoreUnderTest): void {
  function on(title: string, body: (under: Failing) => Promise<void>): void {
    test(title, async () => {
      const under = failing(open());
      try {
        await body(under);
      } finally {
        under.close();
      }
    });
  }

  describe(`the driver on ${name}`, () => {
    on('waits for the disk with its first round, but where all that begins is idle', async (under) => {
      const rounds = async (idle: readonly string[], first: readonly Command[]) => {
        const whens: unknown[] = [];
        const write: Store['write'] = (work, when) => {
          whens.push(when);
          return under.store.write(work, when);
        };
        const h = harness(under, [first, [step('b#1')]], `r${++runs}`);
        const { end } = h.start({ idle, store: { ...under.store, write } });
        whens.length = 0;
        await h.settle();
        for (const { settle } of h.began) settle(ok());
        await h.settle();
        h.find('b#1').settle(ok());
        await h.settle();
        expect(await end).toMatchObject({ kind: 'ended' });
        return whens;
      };
      let runs = 0;
      expect(await rounds(['test'], [step('a#1')])).toEqual(['soon', undefined, undefined]);
      expect(await rounds([], [step('a#1')])).toEqual([undefined, undefined, undefined]);
      const paid: Command = { op: 'step', id: 'c#1', spec: { kind: 'model' }, args: null, key: 'k' };
      expect(await rounds(['test'], [step('a#1'), paid])).toEqual([undefined, undefined, undefined]);
      expect((await rounds(['test'], [step('a#1'), { op: 'timer', id: 't', ms: 0 }]))[0]).toBe(undefined);
    });

    on('hears what was said before a step of a conversation ended, before its end', async (under) => {
      const ask: Command = { op: 'step', id: 'm#1', spec: { kind: 'model' }, args: null, key: 'k' };
      const h = harness(under, [[ask], [step('b#1')]]);
      const { end } = h.start();
      await h.settle();
      // No time passes: nobody would look by himself.
      under.connect().write((w) => w.post(root, { at: 1, by: 'ana', message: { kind: 'steer', message: 'more' } }));
      h.find('m#1').settle(ok({ text: 'Hi.', finish: 'stop' }));
      await h.settle();
      expect(h.kinds().slice(-3)).toEqual(['run.steered', 'model.answered m#1', 'node.started b#1']);
      h.find('b#1').settle(ok());
      await h.settle();
      expect(await end).toMatchObject({ kind: 'ended' });
    });

    on('runs rounds of steps to the end', async (under) => {
      const h = harness(under, [[step('a#1'), step('b#1')], [step('c#1')]]);
      const { end } = h.start();
      await h.settle();
      expect(h.began.map(({ id }) => id)).toEqual(['a#1', 'b#1']);
      h.find('b#1').settle(ok('B'));
      await h.settle(60);
      h.find('a#1').settle(ok('A'));
      await h.settle(60);
      h.find('c#1').settle(ok('C'));
      await h.settle(60);
      expect(await end).toEqual({
        kind: 'ended',
        end: {
          ok: [
            { id: 'b#1', value: 'B' },
            { id: 'a#1', value: 'A' },
            { id: 'c#1', value: 'C' },
          ],
        },
      });
      expect(under.connect().run(root)).toMatchObject({ status: 'done' });
      expect(under.connect().lease(root)?.owner).toBeUndefined();
    });

    on('P1 a command is begun once, and again only by another owner', async (under) => {
      const h = harness(under, [[step('a#1')]]);
      h.start();
      await h.settle(500);
      expect(h.began).toHaveLength(1);
      h.start({ store: under.connect() });
      await h.settle();
      expect(h.began).toHaveLength(2);
      expect(h.began.map(({ context }) => context.idempotencyKey)).toEqual([`${root}/a#1`, `${root}/a#1`]);
    });

    on('P2 a fact is durable before what it causes begins, and a round is one transaction', async (under) => {
      const h = harness(under, [[step('a#1')], [step('b#1'), step('c#1')]]);
      const { end } = h.start();
      await h.settle();
      under.failCommits(1, 'full');
      h.find('a#1').settle(ok());
      await h.settle(60);
      expect(h.began.map(({ id }) => id)).toEqual(['a#1']);
      expect(h.kinds()).not.toContain('node.done a#1');
      await h.settle(1000);
      expect(h.began.map(({ id }) => id)).toEqual(['a#1', 'b#1', 'c#1']);
      expect(h.kinds().slice(-3)).toEqual(['node.done a#1', 'node.started b#1', 'node.started c#1']);
      h.find('b#1').settle(ok());
      h.find('c#1').settle(ok());
      await h.settle(60);
      expect((await end).kind).toBe('ended');
    });

    on('P3 a recorded step never runs again; one in flight does, with the same key and its notes', async (under) => {
      const h = harness(under, [[step('a#1')], [step('b#1')]]);
      h.start();
      await h.settle();
      h.find('a#1').settle(ok());
      await h.settle(60);
      h.find('b#1').context.note({ kind: 'session', id: 's-1' });
      await h.settle(60);
      const { end } = h.start({ store: under.connect() });
      await h.settle();
      expect(h.began.map(({ id }) => id)).toEqual(['a#1', 'b#1', 'b#1']);
      expect(h.find('b#1').context.notes).toEqual([{ kind: 'session', id: 's-1' }]);
      h.find('b#1').settle(ok());
      await h.settle(60);
      expect((await end).kind).toBe('ended');
    });

    on('P4 a decision names the request; the first wins', async (under) => {
      const request = { title: 'Go?' };
      const h = harness(under, [[{ op: 'signal', id: 'ask', kind: 'approval', request }]]);
      expect(await h.start().end).toMatchObject({ kind: 'waiting', waiting: [{ node: 'ask', title: 'Go?' }] });
      expect(under.connect().lease(root)?.owner).toBeUndefined();
      const decide = (hash: string, by: string, approved: boolean) =>
        under
          .connect()
          .write((writer) =>
            writer.post(root, { at: 5000, by, message: { kind: 'decide', node: 'ask', hash, approved } }),
          );
      decide('another', 'eve', false);
      decide(requestHash(request), 'ann', true);
      decide(requestHash(request), 'bob', false);
      const { end } = h.start();
      await h.settle(60);
      expect(await end).toMatchObject({ kind: 'ended' });
      const [decided] = h.events().flatMap(({ body }) => (body.kind === 'approval.decided' ? [body] : []));
      expect(decided).toMatchObject({ approved: true, by: 'ann' });
      expect(under.connect().inbox(root)).toEqual([]);
    });

    on("P5 a timer's deadline is fixed when it is first begun", async (under) => {
      const h = harness(under, [[{ op: 'timer', id: 't', ms: 10_000 }]]);
      h.start();
      await h.settle(6000);
      const { end } = h.start({ store: under.connect() });
      await h.settle(3900);
      expect(h.kinds()).not.toContain('timer.fired t');
      await h.settle(200);
      expect((await end).kind).toBe('ended');
      expect(h.kinds()).toContain('timer.fired t');
    });

    on('P6 what was cancelled fails once its step has settled, and a later result is only a note', async (under) => {
      const h = harness(under, [[step('a#1'), { op: 'timer', id: 't', ms: 99_999 }]]);
      const { end } = h.start();
      await h.settle();
      under.connect().write((writer) => {
        writer.post(root, { at: 2000, by: 'ann', message: { kind: 'cancel', reason: 'enough' } });
      });
      await h.settle(60);
      expect(h.find('a#1').context.signal.aborted).toBe(true);
      expect(h.kinds()).not.toContain('node.failed a#1');
      h.find('a#1').settle(ok('late'), 0.5);
      await h.settle(60);
      expect(await end).toEqual({ kind: 'ended', end: { cancelled: 'asked' } });
      expect(h.kinds()).toEqual(expect.arrayContaining(['node.late a#1', 'node.failed a#1', 'node.cancelled t']));
      expect(under.connect().run(root)).toMatchObject({ status: 'cancelled', cost: 0.5 });
    });

    on('P7 secrets are replaced before a fact is delivered, and in notes', async (under) => {
      const h = harness(under, [[step('a#1')]]);
      const { end } = h.start({ redactor: createRedactor([{ name: 'KEY', value: 'hunter22' }]) });
      await h.settle();
      h.find('a#1').context.note({ kind: 'node.printed', text: 'the key is hunter22' });
      h.find('a#1').settle(ok({ key: 'hunter22' }));
      await h.settle(60);
      expect(await end).toEqual({
        kind: 'ended',
        end: { ok: [{ id: 'a#1', value: { key: '[redacted KEY]' } }] },
      });
      expect(JSON.stringify(h.events())).not.toContain('hunter22');
    });

    on('P8 time never goes back', async (under) => {
      const h = harness(under, [[step('a#1')], [step('b#1')]]);
      const { end } = h.start();
      await h.settle(5000);
      h.find('a#1').settle(ok());
      await h.settle(60);
      h.jumpBack(4000);
      h.find('b#1').settle(ok());
      await h.settle(60);
      expect((await end).kind).toBe('ended');
      const times = h.events().map(({ at }) => at);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    });

    on('P9 when a commit fails nothing begins, it is told once, and tried every second', async (under) => {
      const h = harness(under, [[step('a#1')], [step('b#1')]]);
      const { end } = h.start();
      await h.settle();
      under.failCommits(3, 'full');
      h.find('a#1').settle(ok());
      await h.settle(60);
      await h.settle(2000);
      expect(h.began).toHaveLength(1);
      expect(h.told.filter(({ kind }) => kind === 'store')).toHaveLength(1);
      await h.settle(1100);
      expect(h.began).toHaveLength(2);
      expect(h.told.filter(({ kind }) => kind === 'stored')).toHaveLength(1);
      h.find('b#1').settle(ok());
      await h.settle(60);
      expect((await end).kind).toBe('ended');
    });

    on('an owner that lost the lease ends what it began and writes nothing more', async (under) => {
      const h = harness(under, [[step('a#1')], [step('b#1')]]);
      const { end } = h.start();
      await h.settle();
      const other = under.connect();
      const lease = other.lease(root);
      other.write((writer) => writer.takeLease(root, { ...owner, pid: 2 }, lease?.epoch, 2000));
      const before = h.events().length;
      const stuck = h.find('a#1');
      stuck.context.signal.addEventListener('abort', () => stuck.settle(ok()));
      await h.settle(20_000);
      expect(await end).toEqual({ kind: 'lost', by: { ...owner, pid: 2 } });
      expect(h.events()).toHaveLength(before);
      expect(h.began).toHaveLength(1);
    });

    on('told to stop, it lets the running steps finish and begins nothing', async (under) => {
      const soft = new AbortController();
      const h = harness(under, [[step('a#1')], [step('b#1')]]);
      const { end } = h.start({ soft: soft.signal });
      await h.settle();
      soft.abort();
      await h.settle(60);
      h.find('a#1').settle(ok());
      await h.settle(60);
      expect(await end).toEqual({ kind: 'stopped' });
      expect(h.kinds()).toContain('node.done a#1');
      expect(h.began).toHaveLength(1);
      expect(under.connect().lease(root)?.owner).toBeUndefined();
      const again = h.start();
      await h.settle();
      h.find('b#1').settle(ok());
      await h.settle(60);
      expect((await again.end).kind).toBe('ended');
    });

    on('told to stop now, it ends the running steps and records nothing of them', async (under) => {
      const hard = new AbortController();
      const h = harness(under, [[step('a#1')]]);
      const { end } = h.start({ hard: hard.signal });
      await h.settle();
      const running = h.find('a#1');
      running.context.signal.addEventListener('abort', () =>
        running.settle({ err: { code: 'x', message: '', retryable: false } }),
      );
      hard.abort();
      await h.settle(60);
      expect(await end).toEqual({ kind: 'stopped' });
      expect(h.kinds()).toEqual(['run.started', 'node.started a#1', 'run.stopped']);
    });

    on('M6 a timeout counts when the step has settled', async (under) => {
      const h = harness(under, [[step('a#1', null, { timeoutMs: 1000 })]]);
      const { end } = h.start();
      await h.settle(1100);
      expect(h.find('a#1').context.signal.aborted).toBe(true);
      expect(h.kinds()).not.toContain('node.failed a#1');
      h.find('a#1').settle(ok());
      await h.settle(60);
      expect(await end).toEqual({ kind: 'ended', end: { ok: [{ id: 'a#1', failed: 'timeout' }] } });
    });

    on(
      'a run asks once when the purse is empty, goes on when more is given, and fails when it is not',
      async (under) => {
        const h = harness(under, [[step('a#1')], [step('b#1'), step('c#1')]]);
        const spend = { limit: 1, mostCost: () => 0.6 };
        const first = h.start(spend);
        await h.settle();
        h.find('a#1').settle(ok(), 0.6);
        await h.settle(60);
        expect(await first.end).toMatchObject({ kind: 'waiting', waiting: [{ node: '@limit#1', kind: 'limit' }] });
        expect(h.began).toHaveLength(1);
        const answer = (approved: boolean, add?: number) => {
          const [asked] = under.connect().run(root)?.waiting ?? [];
          const message = { kind: 'answer', node: asked?.node ?? '', hash: asked?.hash ?? '', approved } as const;
          under.connect().write((writer) => {
            writer.post(root, { at: 3000, by: 'ann', message: add === undefined ? message : { ...message, add } });
          });
        };
        answer(true, 0.5);
        const second = h.start(spend);
        await h.settle(60);
        expect(h.began.map(({ id }) => id)).toEqual(['a#1', 'b#1']);
        h.find('b#1').settle(ok(), 0.6);
        await h.settle(60);
        expect(await second.end).toMatchObject({ kind: 'waiting', waiting: [{ node: '@limit#2', kind: 'limit' }] });
        answer(false);
        const third = h.start(spend);
        await h.settle(60);
        expect(await third.end).toMatchObject({ kind: 'ended', end: { ok: [{}, {}, { id: 'c#1', failed: 'limit' }] } });
        expect(h.began).toHaveLength(2);
      },
    );

    const send = (under: StoreUnderTest, reason: string) =>
      under.connect().write((writer) => {
        writer.post(root, { at: 2000, by: 'ann', message: { kind: 'cancel', reason } });
      });

    on('a cancel that comes with the last result comes too late', async (under) => {
      const h = harness(under, [[step('a#1')]]);
      const { end } = h.start();
      await h.settle();
      send(under, 'enough');
      h.find('a#1').settle(ok());
      await h.settle(60);
      expect(await end).toMatchObject({ kind: 'ended', end: { ok: [{ id: 'a#1' }] } });
      expect(under.connect().inbox(root)).toEqual([]);
    });

    on('what is cancelled as it becomes ready is not begun', async (under) => {
      const h = harness(under, [[step('a#1')], [step('b#1')]]);
      const { end } = h.start();
      // It is time to look into the inbox again.
      await h.settle(40);
      send(under, 'enough');
      h.find('a#1').settle(ok());
      await h.settle(60);
      expect(await end).toEqual({ kind: 'ended', end: { cancelled: 'asked' } });
      expect(h.began.map(({ id }) => id)).toEqual(['a#1']);
    });

    on('what was cancelled before its owner died is not begun again', async (under) => {
      const h = harness(under, [[step('a#1')]]);
      h.start();
      await h.settle();
      send(under, 'enough');
      await h.settle(60);
      expect(h.kinds()).toContain('run.cancel');
      const { end } = h.start({ store: under.connect() });
      await h.settle(60);
      expect(await end).toEqual({ kind: 'ended', end: { cancelled: 'asked' } });
      expect(h.began).toHaveLength(1);
    });

    on('a cancel that was sent while nobody drove counts before anything begins', async (under) => {
      const h = harness(under, [[step('a#1')]]);
      send(under, 'enough');
      const { end } = h.start();
      await h.settle(60);
      expect(await end).toEqual({ kind: 'ended', end: { cancelled: 'asked' } });
      expect(h.began).toHaveLength(0);
    });

    on('an owner that writes all the time beats too, also when its clock is set back', async (under) => {
      const h = harness(
        under,
        Array.from({ length: 6 }, (_, i) => [step(`s${i}#1`)]),
      );
      const { end } = h.start();
      for (let i = 0; i < 6; i++) {
        await h.settle(6000);
        if (i === 3) h.jumpBack(60_000);
        h.find(`s${i}#1`).settle(ok());
        await h.settle(60);
        const beaten = under.connect().lease(root)?.at ?? 0;
        if (i < 5) expect(Math.abs(h.now() - beaten)).toBeLessThan(13_000);
      }
      expect((await end).kind).toBe('ended');
    });

    on(
      'told to stop now while something is sent, it takes that and still records nothing of the steps',
      async (under) => {
        const hard = new AbortController();
        const request = { title: 'Go?' };
        const h = harness(under, [[step('a#1'), { op: 'signal', id: 'ask', kind: 'approval', request }]]);
        const { end } = h.start({ hard: hard.signal });
        await h.settle();
        const running = h.find('a#1');
        running.context.signal.addEventListener('abort', () => {
          under.connect().write((writer) => {
            const message = { kind: 'decide', node: 'ask', hash: requestHash(request), approved: true } as const;
            writer.post(root, { at: 5000, by: 'ann', message });
          });
          running.settle(ok());
        });
        hard.abort();
        await h.settle(60);
        expect(await end).toEqual({ kind: 'stopped' });
        expect(h.kinds()).toContain('approval.decided ask');
        expect(h.kinds()).not.toContain('node.failed a#1');
        expect(under.connect().inbox(root)).toEqual([]);
      },
    );

    on('an owner whose lease was taken notices as soon as somebody writes', async (under) => {
      const h = harness(under, [[step('a#1')]]);
      const { end } = h.start();
      await h.settle();
      const other = under.connect();
      other.write((writer) => writer.takeLease(root, { ...owner, pid: 2 }, other.lease(root)?.epoch, 2000));
      const stuck = h.find('a#1');
      stuck.context.signal.addEventListener('abort', () => stuck.settle(ok()));
      await h.settle(60);
      expect(await end).toMatchObject({ kind: 'lost' });
    });

    on('time in a queue is no time of the step', async (under) => {
      const h = harness(under, [[step('a#1', null, { timeoutMs: 1000 })]]);
      const { end } = h.start();
      await h.settle();
      const { context, settle } = h.find('a#1');
      let take = () => {};
      context.queued?.(new Promise<void>((resolve) => (take = resolve)));
      await h.settle(5000);
      expect(context.signal.aborted).toBe(false);
      take();
      await h.settle(900);
      expect(context.signal.aborted).toBe(false);
      await h.settle(200);
      expect(context.signal.aborted).toBe(true);
      settle(ok());
      await h.settle(60);
      expect(await end).toMatchObject({ end: { ok: [{ failed: 'timeout' }] } });
    });

    on('under a limit a model without a known price is refused', async (under) => {
      const h = harness(under, [[step('a#1')]]);
      const { end } = h.start({ limit: 1, mostCost: () => undefined });
      await h.settle(60);
      expect(await end).toMatchObject({ end: { ok: [{ id: 'a#1', failed: 'limit' }] } });
    });

    /** Of each driver its own: those that died keep theirs. */
    const oneHost = () => ({ places: [createPlaces(['test'], 1)] });
    const ask = (id: string): Command => ({ op: 'signal', id, kind: 'approval', request: { title: 'Go?' } });
    const decide = (under: StoreUnderTest, node: string, approved = true, note?: string) =>
      under.connect().write((writer) => {
        const hash = requestHash({ title: 'Go?' });
        const message = { kind: 'decide', node, hash, approved, ...(note !== undefined && { note }) } as const;
        writer.post(root, { at: 5000, by: 'ann', message });
      });
    /** An owner begins what it can, and dies. */
    const die = async (h: ReturnType<typeof harness>, under: StoreUnderTest, more: object = {}) => {
      h.start({ ...more, store: under.connect() });
      await h.settle(60);
    };

    on('what waits for a place is not begun; it begins with the result that makes room', async (under) => {
      const h = harness(under, [[step('a#1'), step('b#1'), step('c#1')]]);
      const { end } = h.start(oneHost());
      await h.settle(60);
      expect(h.kinds()).toEqual(['run.started', 'node.started a#1']);
      expect(h.began.map(({ id }) => id)).toEqual(['a#1']);
      for (const [id, next] of [
        ['a#1', 'b#1'],
        ['b#1', 'c#1'],
      ] as const) {
        h.find(id).settle(ok());
        await h.settle(60);
        const last = h.told.findLast(({ kind }) => kind === 'events') as Extract<DriveMessage, { kind: 'events' }>;
        expect(last.events.map(({ body, node }) => `${body.kind} ${node}`)).toEqual([
          `node.done ${id}`,
          `node.started ${next}`,
        ]);
      }
      h.find('c#1').settle(ok());
      await h.settle(60);
      expect((await end).kind).toBe('ended');
    });

    on('a freed place goes to the run that waits for it, and one that is left gives its places back', async (under) => {
      const places = [createPlaces(['test'], 1)];
      const runs = ['one', 'two', 'three'].map((name) => harness(under, [[step('a#1')]], `${root}-${name}`));
      const hard = new AbortController();
      const ends = runs.map((run, at) => run.start({ places, ...(at === 1 && { hard: hard.signal }) }).end);
      /** They may write together, in a turn of its own. */
      const settle = async (ms = 0) => {
        for (let turn = 0; turn < 5; turn++) {
          await new Promise((next) => setImmediate(next));
          for (const run of runs) await run.settle(ms);
        }
      };
      const begun = () => runs.map(({ began }) => began.length);
      await settle(60);
      expect(begun()).toEqual([1, 0, 0]);
      // Time stands still: only its bell can wake the next one.
      runs[0]?.find('a#1').settle(ok());
      await settle();
      expect(begun()).toEqual([1, 1, 0]);
      const running = runs[1]?.find('a#1');
      running?.context.signal.addEventListener('abort', () => running.settle(ok()));
      hard.abort();
      await settle();
      expect(begun()).toEqual([1, 1, 1]);
      runs[2]?.find('a#1').settle(ok());
      await settle();
      expect((await Promise.all(ends)).map(({ kind }) => kind)).toEqual(['ended', 'stopped', 'ended']);
    });

    on('who leaves in order leaves no rows of processes, whether they have ended or not', async (under) => {
      const h = harness(under, [[step('a#1')], [ask('ask')]]);
      const { end } = h.start();
      await h.settle(60);
      h.find('a#1').context.spawned(process.pid);
      expect(under.connect().processes(root)).toMatchObject([{ node: 'a#1', pid: process.pid }]);
      h.find('a#1').settle(ok());
      await h.settle(60);
      expect(await end).toMatchObject({ kind: 'waiting' });
      expect(under.connect().lease(root)?.owner).toBeUndefined();
      expect(under.connect().processes(root)).toEqual([]);
    });

    on('what waited for a place has not died with its owner, however often', async (under) => {
      const h = harness(under, [[step('a#1'), step('b#1')]]);
      for (let i = 0; i < 3; i++) await die(h, under, oneHost());
      const { end } = h.start(oneHost());
      await h.settle(60);
      // What died three times is held back, and makes room.
      expect(h.began.map(({ id }) => id)).toEqual(['a#1', 'a#1', 'a#1', 'b#1']);
      h.find('b#1').settle(ok());
      await h.settle(60);
      expect(await end).toEqual({ kind: 'deadly', nodes: ['a#1'] });
      expect(h.kinds().filter((kind) => kind === 'node.started b#1')).toHaveLength(1);
    });

    on('a step that is held back holds back only itself, until somebody insists', async (under) => {
      const h = harness(under, [[step('a#1'), ask('ask')], [step('b#1')]]);
      for (let i = 0; i < 3; i++) await die(h, under);
      expect(await h.start().end).toMatchObject({ kind: 'waiting', waiting: [{ node: 'ask' }], held: ['a#1'] });
      decide(under, 'ask');
      const decided = h.start();
      await h.settle(60);
      expect(await decided.end).toEqual({ kind: 'deadly', nodes: ['a#1'] });
      expect(h.kinds()).toContain('approval.decided ask');
      // To look at it changes nothing.
      const looked = h.start({ wait: true });
      await h.settle(60);
      expect(await looked.end).toEqual({ kind: 'deadly', nodes: ['a#1'] });
      expect(h.began).toHaveLength(3);
      const insisted = h.start({ again: true });
      await h.settle(60);
      expect(h.began).toHaveLength(4);
      h.find('a#1').settle(ok());
      await h.settle(60);
      h.find('b#1').settle(ok());
      await h.settle(60);
      expect((await insisted.end).kind).toBe('ended');
    });

    on('who leaves in order has died of nothing, and forgets nothing that was held back', async (under) => {
      const h = harness(under, [[step('a#1'), step('b#1')]]);
      for (let i = 0; i < 3; i++) await die(h, under, oneHost());
      for (let i = 0; i < 4; i++) {
        const hard = new AbortController();
        const { end } = h.start({ hard: hard.signal, ...oneHost() });
        await h.settle(60);
        const running = h.find('b#1');
        running.context.signal.addEventListener('abort', () => running.settle(ok()));
        hard.abort();
        await h.settle(60);
        expect(await end).toEqual({ kind: 'stopped' });
      }
      expect(h.began.map(({ id }) => id)).toEqual(['a#1', 'a#1', 'a#1', 'b#1', 'b#1', 'b#1', 'b#1']);
    });

    on('what waits for money was not begun, however often its run is looked at', async (under) => {
      const h = harness(under, [[step('a#1')]]);
      for (let i = 0; i < 5; i++) {
        const { end } = h.start({ limit: 1, mostCost: () => 5 });
        await h.settle(60);
        expect(await end).toMatchObject({ kind: 'waiting', waiting: [{ node: '@limit#1', kind: 'limit' }] });
      }
      expect(h.kinds()).toEqual(['run.started', 'limit.reached @limit#1']);
      const [asked] = under.connect().run(root)?.waiting ?? [];
      expect(asked?.least).toBe(4);
      expect(asked?.title).toBe(
        'The limit of $1.00 is not enough ($0.00 spent, and the next call may cost $5.00): may more be spent?',
      );
      under.connect().write((writer) => {
        const message = { kind: 'answer', node: '@limit#1', hash: asked?.hash ?? '', approved: true, add: 4 } as const;
        writer.post(root, { at: 3000, by: 'ann', message });
      });
      const { end } = h.start({ limit: 1, mostCost: () => 5 });
      await h.settle(60);
      h.find('a#1').settle(ok(), 5);
      await h.settle(60);
      expect((await end).kind).toBe('ended');
    });

    on('what waits for money is not begun when the answer comes with a cancel', async (under) => {
      const h = harness(under, [[step('a#1')]]);
      const spend = { limit: 1, mostCost: () => 5 };
      await h.start(spend).end;
      const { end } = h.start({ ...spend, wait: true });
      await h.settle(60);
      under.connect().write((writer) => {
        const hash = under.connect().run(root)?.waiting?.[0]?.hash ?? '';
        const message = { kind: 'answer', node: '@limit#1', hash, approved: true, add: 9 } as const;
        writer.post(root, { at: 3000, by: 'ann', message });
        writer.post(root, { at: 3000, by: 'ann', message: { kind: 'cancel', reason: 'enough' } });
      });
      await h.settle(60);
      expect(await end).toEqual({ kind: 'ended', end: { cancelled: 'asked' } });
      expect(h.began).toEqual([]);
    });

    on('calls side by side cannot spend the same dollar; what costs nothing needs none', async (under) => {
      const h = harness(under, [[step('a#1'), step('b#1'), step('c#1')], [step('d#1')]]);
      const costs: Record<string, number> = { 'a#1': 0.6, 'b#1': 0.6, 'c#1': 0, 'd#1': 0 };
      const { end } = h.start({ limit: 1, mostCost: async ({ id }) => costs[id] });
      await h.settle(60);
      expect(h.began.map(({ id }) => id)).toEqual(['a#1', 'c#1']);
      // What was set aside comes back, and nobody was asked.
      h.find('a#1').settle(ok(), 0.4);
      await h.settle(60);
      expect(h.began.map(({ id }) => id)).toEqual(['a#1', 'c#1', 'b#1']);
      h.find('b#1').settle(ok(), 0.7);
      h.find('c#1').settle(ok());
      await h.settle(60);
      // More was spent than there is, and this is free.
      h.find('d#1').settle(ok());
      await h.settle(60);
      expect((await end).kind).toBe('ended');
      expect(h.kinds().join()).not.toContain('limit');
    });

    const call = (id: string): Command => ({ op: 'step', id, spec: { kind: 'model' }, args: null, key: id });

    on('a limit of tokens asks like one of dollars, and is raised in tokens', async (under) => {
      const h = harness(under, [[call('a#1')], [call('b#1'), step('c#1')]]);
      const first = h.start({ limits: { tokens: 10 } });
      await h.settle();
      h.find('a#1').settle(ok(), { inputTokens: 8, outputTokens: 4 });
      await h.settle(60);
      h.find('c#1').settle(ok());
      await h.settle(60);
      const title = 'The limit of 10 tokens is reached (12 used): may more be used?';
      const asked = { kind: 'limit', title, least: 3, unit: 'tokens' };
      expect(await first.end).toMatchObject({ kind: 'waiting', waiting: [asked] });
      under.connect().write((writer) => {
        const hash = under.connect().run(root)?.waiting?.[0]?.hash ?? '';
        const message = { kind: 'answer', node: '@limit#1', hash, approved: true, add: 100 } as const;
        writer.post(root, { at: 3000, by: 'ann', message });
      });
      h.start({ limits: { tokens: 10 } });
      await h.settle(60);
      // What was added is known to who comes next.
      const { end } = h.start({ limits: { tokens: 10 }, store: under.connect() });
      await h.settle(60);
      h.find('b#1').settle(ok());
      await h.settle(60);
      expect((await end).kind).toBe('ended');
    });

    on(
      'a call over the number of model calls fails, whoever made the others; steps that are none do not',
      async (under) => {
        const h = harness(under, [[call('a#1')], [call('b#1'), call('c#1'), step('d#1')]]);
        h.start({ limits: { modelCalls: 2 } });
        await h.settle();
        h.find('a#1').settle(ok());
        await h.settle(60);
        const { end } = h.start({ limits: { modelCalls: 2 }, store: under.connect() });
        await h.settle(60);
        h.find('b#1').settle(ok());
        h.find('d#1').settle(ok());
        await h.settle(60);
        expect(await end).toMatchObject({ end: { ok: [{ id: 'a#1' }, { id: 'c#1', failed: 'limit' }, {}, {}] } });
        expect(h.began.filter(({ id }) => id === 'c#1')).toEqual([]);
      },
    );

    on('minutes at work: what runs is ended and nothing begins; to wait for people is no work', async (under) => {
      const h = harness(under, [[ask('ask')], [step('a#1'), step('b#1')], [step('c#1')]]);
      const limits = { limits: { minutes: 1 } };
      h.start({ ...limits, wait: true });
      await h.settle(600_000);
      decide(under, 'ask');
      await h.settle(60);
      await h.settle(40_000);
      h.find('b#1').settle(ok());
      await h.settle(60);
      // The owner dies; that nobody drives it is no work either, what was worked before counts.
      const { end } = h.start({ ...limits, store: under.connect() });
      await h.settle(15_000);
      const { context, settle } = h.find('a#1');
      expect(context.signal.aborted).toBe(false);
      await h.settle(6000);
      expect(context.signal.aborted).toBe(true);
      settle({ err: { code: 'x', message: '', retryable: false } });
      await h.settle(60);
      expect(await end).toMatchObject({
        end: { ok: [{}, { id: 'b#1', value: 1 }, { id: 'a#1', failed: 'limit' }, { id: 'c#1', failed: 'limit' }] },
      });
    });

    on('of a sub-workflow it is kept what it was given, without secrets', async (under) => {
      const ref = roundsRef([step('a#1')]);
      const input = { n: 2, key: 'hunter22' };
      const h = harness(under, [[{ op: 'child', id: 'sub', ref, input, key: 'sub', run: { name: 'inner' } }]]);
      const { end } = h.start({ redactor: createRedactor([{ name: 'KEY', value: 'hunter22' }]) });
      await h.settle();
      h.find('sub/a#1').settle(ok());
      await h.settle(60);
      expect((await end).kind).toBe('ended');
      const started = h.events().find(({ body }) => body.kind === 'child.started');
      expect(started?.body).toMatchObject({ name: 'inner', input: { n: 2, key: '[redacted KEY]' } });
    });

    on('a cancel of a run that nobody drives begins nothing, and says so', async (under) => {
      const h = harness(under, [[step('a#1'), step('b#1')]]);
      for (let i = 0; i < 3; i++) await die(h, under, oneHost());
      send(under, 'enough');
      const { end } = h.start(oneHost());
      await h.settle(60);
      expect(await end).toEqual({ kind: 'ended', end: { cancelled: 'asked' } });
      expect(h.kinds().filter((kind) => kind.startsWith('node.started'))).toEqual(Array(3).fill('node.started a#1'));
    });

    on('a clock that is set back lengthens no wait, in a living owner and after it', async (under) => {
      const h = harness(under, [[{ op: 'timer', id: 't', ms: 10_000 }], [{ op: 'timer', id: 'u', ms: 10_000 }]]);
      h.start();
      await h.settle(4000);
      h.jumpBack(3_600_000);
      await h.settle(60);
      const [told] = under.connect().run(root)?.waiting ?? [];
      expect((told?.until ?? 0) - h.now()).toBeLessThan(7000);
      await h.settle(6100);
      expect(h.kinds()).toContain('timer.fired t');
      h.jumpBack(86_400_000);
      const { end } = h.start({ store: under.connect() });
      await h.settle(60);
      expect((under.connect().run(root)?.waiting?.[0]?.until ?? 0) - h.now()).toBeLessThan(10_001);
      await h.settle(10_000);
      expect((await end).kind).toBe('ended');
      const times = h.events().map(({ at }) => at);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    });

    on('a step is noted as begun at the time when it begins', async (under) => {
      const h = harness(under, [[step('a#1')]]);
      h.start();
      await h.settle(5000);
      const { end } = h.start({ store: under.connect() });
      await h.settle(60);
      h.find('a#1').settle(ok());
      await h.settle(60);
      expect((await end).kind).toBe('ended');
      const times = h.events().flatMap(({ at, body }) => (body.kind === 'node.started' ? [at] : []));
      expect(times).toEqual([1000, 6000]);
    });

    on('P7 secrets are replaced in what people are asked, and in what they say', async (under) => {
      const redactor = createRedactor([{ name: 'KEY', value: 'hunter22' }]);
      const request = { title: 'Send hunter22?' };
      const h = harness(under, [[{ op: 'signal', id: 'ask', kind: 'approval', request }], [step('a#1')]]);
      const first = await h.start({ redactor }).end;
      expect(first).toMatchObject({ waiting: [{ title: 'Send [redacted KEY]?' }] });
      under.connect().write((writer) => {
        const hash = under.connect().run(root)?.waiting?.[0]?.hash ?? '';
        const message = { kind: 'decide', node: 'ask', hash, approved: true, note: 'it is hunter22' } as const;
        writer.post(root, { at: 5000, by: 'ann', message });
      });
      const { end } = h.start({ redactor });
      await h.settle(60);
      send(under, 'hunter22 is out');
      await h.settle(60);
      h.find('a#1').settle(ok());
      await h.settle(60);
      expect((await end).kind).toBe('ended');
      expect(h.kinds()).toEqual(expect.arrayContaining(['approval.decided ask', 'run.cancel']));
      expect(JSON.stringify([h.events(), under.connect().run(root)])).not.toContain('hunter22');
    });

    on('told to stop now while the disk is full, it says that something is lost', async (under) => {
      const hard = new AbortController();
      const h = harness(under, [[step('a#1')], [step('b#1')]]);
      const { end } = h.start({ hard: hard.signal });
      await h.settle();
      under.failCommits(1_000_000, 'full');
      h.find('a#1').settle(ok());
      await h.settle(3000);
      hard.abort();
      await h.settle(60);
      expect(await end).toEqual({ kind: 'stopped', unsaved: 'the disk is full' });
      expect(h.began).toHaveLength(1);
    });

    on('an error of the store that is no failure of the disk is not swallowed', async (under) => {
      const h = harness(under, [[step('a#1')]]);
      const { end } = h.start();
      await h.settle();
      const failed = end.catch((error: unknown) => error);
      under.failCommits(1, 'bug');
      h.find('a#1').settle(ok());
      await h.settle(60);
      expect(await failed).not.toBeInstanceOf(StoreFailure);
      expect(await failed).toBeInstanceOf(Error);
    });
  });
}
