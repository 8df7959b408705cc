/** Steps that are functions: how they are stopped, and what is known of what they read. */
import { describe, expect, it } from 'vitest';
import type { Json, StepCommand } from '../machine/index.ts';
import { manualClock } from '../sys/index.ts';
import type { StepContext } from './execute.ts';
import { createFunctionSteps, type StepFunction } from './function-steps.ts';
import { readHash } from './segment/memo.ts';

const clock = manualClock();

function steps(call: StepFunction) {
  const pathOf = (reference: unknown) => (Array.isArray(reference) ? (reference as string[]) : undefined);
  return createFunctionSteps({ functions: new Map([['builder:w/a', call]]), pathOf, folder: '/program', clock });
}

const before: Readonly<Record<string, Json>> = { draft: { text: 'a', tags: ['x'] }, other: 1 };

const command = (id = 'a#1'): StepCommand => ({
  op: 'step',
  id,
  spec: { kind: 'function', module: 'builder:w/a', name: 'default' },
  args: { input: { a: 1, 'b.c': 2 }, steps: {}, loop: { iteration: 2 } },
  values: { names: () => Object.keys(before), get: (name) => before[name] },
  key: 'k',
});

function contextOf(runId: string, signal = new AbortController().signal, now?: AbortSignal): StepContext {
  const nothing = () => undefined;
  const notes = { notes: [], note: nothing, spawned: nothing, ended: nothing };
  return { runId, idempotencyKey: `${runId}/a#1`, attempt: 1, signal, ...(now && { now }), ...notes };
}

describe('what a function reads', () => {
  const readsOf = async (call: StepFunction) => {
    const { reads = {} } = await steps((scope) => [call(scope), 1][1])(command(), contextOf('r'));
    for (const [name, hash] of Object.entries(reads)) expect(hash).toBe(readHash(command(), name));
    return Object.keys(reads).sort();
  };

  it.each<[string, StepFunction, string[]]>([
    ['nothing', () => 1, []],
    ['a field of the input', ({ read }) => read(['input', 'a']), ['input.a']],
    ['a field whose name has a dot', ({ read }) => read(['input', 'b.c']), ['input']],
    ['the input', ({ input }) => input, ['input']],
    ['a step, in part', ({ read }) => read(['draft', 'tags', '0']), ['draft']],
    ['a step by its name', ({ steps: all }) => all.draft, ['draft']],
    ['whether there is a step', ({ steps: all }) => 'none' in all, ['none']],
    ['all steps', ({ steps: all }) => ({ ...all }), ['*', 'draft', 'other']],
    ['the iteration', ({ read }) => read(['loop', 'iteration']), ['loop.iteration']],
  ])('%s', async (_, call, reads) => {
    expect(await readsOf(call)).toEqual(reads);
  });

  it('has the values that are there, and undefined for others', async () => {
    const seen: unknown[] = [];
    const call: StepFunction = ({ read, steps: all, params, loop, cwd }) => {
      seen.push(read(['draft', 'tags', 'length']), read(['draft', 'none', 'deeper']), read(['gone', 'x']));
      seen.push({ ...all }, params, loop, cwd, all.constructor);
      const { draft } = all;
      seen.push(draft === all.draft);
      return 1;
    };
    await steps(call)(command(), contextOf('r'));
    expect(seen).toEqual([1, undefined, undefined, before, undefined, { iteration: 2 }, '/program', undefined, true]);
  });

  it('takes references only, and gives no step another value', async () => {
    const wrong = await steps(({ read }) => read('draft'))(command(), contextOf('r'));
    expect(wrong.outcome).toMatchObject({ err: { message: expect.stringContaining('read takes a reference') } });
    const set = await steps(({ steps: all }) => Reflect.set(all, 'draft', 1))(command(), contextOf('r'));
    expect(set.outcome).toEqual({ ok: false });
  });
});

describe('a function that is told to end', () => {
  it('has time to do so, and what it gives then counts', async () => {
    const stop = new AbortController();
    const running = steps(
      ({ signal }) => new Promise((done) => signal.addEventListener('abort', () => done(String(signal.reason)))),
    )(command(), contextOf('ends', stop.signal));
    stop.abort('timeout');
    expect((await running).outcome).toEqual({ ok: 'AbortError: the step was stopped: timeout' });
    expect(clock.sleeping()).toBe(0);
  });

  it('and does not is left behind, and said to go on; its step waits until it has ended, and then has all of its time', async () => {
    const stop = new AbortController();
    let end: (value: number) => void = () => {};
    let calls = 0;
    const execute = steps(() => {
      calls++;
      return new Promise((done) => {
        end = done;
      });
    });
    const running = execute(command(), contextOf('left', stop.signal));
    stop.abort('timeout');
    await until(() => clock.sleeping() === 1);
    await clock.advance(2000);
    expect((await running).outcome).toMatchObject({
      err: {
        code: 'code',
        message: expect.stringContaining('it goes on in this process, which cannot stop it'),
        retryable: false,
      },
    });

    // One that has to end before it could begin was not begun.
    const late = new AbortController();
    const second = execute(command('a#2'), contextOf('left', late.signal));
    late.abort('timeout');
    expect((await second).outcome).toMatchObject({
      err: { code: 'code', message: expect.stringContaining('it was not begun'), retryable: false },
    });
    expect(calls).toBe(1);

    let isQueued = false;
    const queued = (turn: Promise<unknown>) => void turn.then(() => (isQueued = true));
    const third = execute(command('a#1'), { ...contextOf('left'), queued });
    await new Promise((next) => setImmediate(next));
    expect([calls, isQueued]).toEqual([1, false]);
    end(1);
    await until(() => calls === 2);
    expect(isQueued).toBe(true);
    end(3);
    expect((await third).outcome).toEqual({ ok: 3 });
  });

  it('has that time also where all else ends at once', async () => {
    const [stop, now] = [new AbortController(), new AbortController()];
    let end: (value: number) => void = () => {};
    const running = steps(
      () =>
        new Promise((done) => {
          end = done;
        }),
    )(command(), contextOf('now', stop.signal, now.signal));
    now.abort();
    stop.abort('cancelled');
    await until(() => clock.sleeping() === 1);
    end(1);
    expect((await running).outcome).toEqual({ ok: 1 });
    expect(clock.sleeping()).toBe(0);
  });

  it('before it begins is not called', async () => {
    let isCalled = false;
    const execute = steps(() => {
      isCalled = true;
      return 1;
    });
    expect((await execute(command(), contextOf('early', AbortSignal.abort()))).outcome).toMatchObject({
      err: { code: 'cancelled' },
    });
    expect(isCalled).toBe(false);
  });
});

it('a function that is not there fails its step', async () => {
  const other = { ...command(), spec: { kind: 'function', module: 'builder:w/b', name: 'default' } };
  expect((await steps(() => 1)(other, contextOf('r'))).outcome).toMatchObject({
    err: { code: 'unsupported', message: expect.stringContaining('has no function "builder:w/b"') },
  });
});

async function until(isSo: () => boolean, also: () => Promise<void> = async () => {}): Promise<void> {
  while (!isSo()) {
    await also();
    await new Promise((next) => setImmediate(next));
  }
}
