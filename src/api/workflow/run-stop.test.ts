/** Runs that are stopped by their program, and gone on with in the same process. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Schema } from 'effect';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approval, type RunEvent, run, runIdOf, step, workflow } from '../workflow.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-stop-')));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));
const options = () => ({ store: join(dir, 'runs.db'), runId: runIdOf('1') });

/** A step whose first call goes on after its signal, until `end` is called. */
function slow(log: string[]) {
  let end = () => {};
  let begun = () => {};
  const begins = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const flow = workflow({
    name: 'slow',
    steps: () => [
      step('a', {
        run: async () => {
          log.push('begin');
          const count = log.filter((each) => each === 'begin').length;
          if (count > 1) return count;
          begun();
          await new Promise<void>((resolve) => {
            end = resolve;
          });
          log.push('end');
          return count;
        },
        output: Schema.Number,
      }),
    ],
  });
  return { flow, begins, end: () => end() };
}

describe('a run that its signal stops', () => {
  it('waits while a function ends by itself', async () => {
    const log: string[] = [];
    const { flow, begins, end } = slow(log);
    const stop = new AbortController();
    const first = run(flow, {}, { ...options(), signal: stop.signal });
    await begins;
    stop.abort();
    end();
    expect((await first).status).toBe('stopped');
    expect(log).toEqual(['begin', 'end']);
    expect(await run(flow, {}, options())).toMatchObject({ status: 'done', output: 2 });
  });

  it('is gone on with when the function that was left behind has ended, and does not fail', async () => {
    const log: string[] = [];
    const { flow, begins, end } = slow(log);
    const stop = new AbortController();
    const first = run(flow, {}, { ...options(), signal: stop.signal });
    await begins;
    stop.abort();
    // It does not end within its two seconds.
    expect((await first).status).toBe('stopped');
    const seen: RunEvent[] = [];
    const second = run(
      flow,
      {},
      {
        ...options(),
        onEvent(event) {
          seen.push(event);
          // The step waits for it then.
          if (event.body.kind === 'node.started') setImmediate(end);
        },
      },
    );
    expect(await second).toMatchObject({ status: 'done', output: 2 });
    expect(log).toEqual(['begin', 'end', 'begin']);
  });

  it('is stopped also while the program thinks about an answer', async () => {
    const flow = workflow({ name: 'asking', steps: () => [approval('ok', { request: { title: 'Go on?' } })] });
    const stop = new AbortController();
    const approve = () => {
      setImmediate(() => stop.abort());
      return new Promise<never>(() => {});
    };
    const { runId, ...result } = await run(flow, {}, { ...options(), signal: stop.signal, approve });
    expect(result).toEqual({ status: 'stopped', cost: 0 });
    expect(await run(flow, {}, { ...options(), approve: () => true })).toMatchObject({ status: 'done', runId });
  });
});

it('what a timeout ended and still goes on is not tried again, and the timeout is the error', async () => {
  let calls = 0;
  let end = () => {};
  const flow = workflow({
    name: 'late',
    steps: () => [
      step('a', {
        run: () => {
          calls++;
          return new Promise<number>((resolve) => {
            end = () => resolve(1);
          });
        },
        output: Schema.Number,
        timeout: '50ms',
        maxAttempts: 2,
      }),
    ],
  });
  const result = await run(flow);
  end();
  expect(result).toMatchObject({
    status: 'failed',
    error: {
      code: 'timeout',
      message: 'it was not done within 50 ms, and was stopped',
      cause: { message: expect.stringContaining('it goes on in this process') },
    },
  });
  expect(calls).toBe(1);
});

it('what is written to go on otherwise is told, too', async () => {
  const flow = (n: number) =>
    workflow({
      name: 'edited',
      steps: () => [
        step('a', n === 1 ? { run: 'return 1', output: Schema.Number } : { run: 'return 2', output: Schema.Number }),
        approval('ok', { request: { title: 'Go on?' } }),
      ],
    });
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent) => void events.push(event);
  await run(flow(1), {}, { ...options(), onEvent });
  const before = events.length;
  await run(flow(2), {}, { ...options(), onEvent, yes: true });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  expect([events[0]?.body.kind, events[before]?.body.kind]).toEqual(['run.started', 'segment.opened']);
});
