import { expect, it } from 'vitest';
import type { StepCommand } from '../machine/index.ts';
import { manualClock } from '../sys/index.ts';
import type { StepContext, StepResult } from './execute.ts';
import { createRunning } from './running.ts';

interface Begun {
  readonly context: StepContext;
  readonly settle: (result: StepResult) => void;
}

function setup() {
  const clock = manualClock();
  const begun = new Map<string, Begun>();
  const running = createRunning({
    root: 'run1',
    keyPrefix: 'run1',
    clock,
    arrived: () => {},
    note: () => {},
    spawned: () => {},
    ended: () => {},
    executors: {
      run: ({ id }, context) => new Promise((settle) => void begun.set(id, { context, settle })),
    },
  });
  const begin = (id: string, more: Partial<StepCommand> = {}): Begun => {
    const effect: StepCommand = { op: 'step', id, spec: { kind: 'run' }, args: null, key: 'k', ...more };
    running.begin({ effect, notes: [], run: 'run1' } as unknown as Parameters<typeof running.begin>[0]);
    return begun.get(id) as Begun;
  };
  return { clock, running, begin };
}

it('what is cancelled has time to end; what is stopped has none', async () => {
  const { running, begin } = setup();
  const [cancelled, other] = [begin('a#1'), begin('b#1')];
  running.cancel('a#1');
  expect([cancelled, other].map(({ context }) => context.signal.aborted)).toEqual([true, false]);
  expect(cancelled.context.now?.aborted).toBe(false);
  const stopped = running.stop();
  expect([cancelled, other].map(({ context }) => [context.signal.aborted, context.now?.aborted])).toEqual([
    [true, true],
    [true, true],
  ]);
  for (const { settle } of [cancelled, other]) settle({ outcome: { ok: 1 } });
  await stopped;
  expect(running.take()).toEqual([]);
});

it('a step that waits a second time has all of its time left again, whatever becomes of the first wait', async () => {
  const { clock, running, begin } = setup();
  const { context, settle } = begin('a#1', { timeoutMs: 100 });
  let first = () => {};
  let second = () => {};
  context.queued?.(new Promise<void>((resolve) => (first = resolve)));
  context.queued?.(new Promise<void>((resolve) => (second = resolve)));
  first();
  await clock.advance(1000);
  expect(context.signal.aborted).toBe(false);
  second();
  await clock.advance(0);
  await clock.advance(99);
  expect(context.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(context.signal.aborted).toBe(true);
  settle({ outcome: { ok: 1 } });
  await clock.advance(0);
  expect(running.take()).toMatchObject([{ outcome: { err: { code: 'timeout', retryable: true } } }]);
});

it('a timeout names the time that the step was given, not what was left of it for one of its calls', async () => {
  const { clock, running, begin } = setup();
  const spec = { kind: 'run', stepTimeoutMs: 600 };
  const { settle } = begin('a#1/model#3', { spec, timeoutMs: 48 });
  await clock.advance(48);
  settle({ outcome: { ok: 1 } });
  await clock.advance(0);
  const message = 'it was not done within 600 ms, and was stopped';
  expect(running.take()).toMatchObject([{ outcome: { err: { code: 'timeout', message } } }]);
});
