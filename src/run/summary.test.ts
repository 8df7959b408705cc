/** When the row of a run is written, and what of it. */
import { expect, test } from 'vitest';
import type { WaitingRow } from '../journal/index.ts';
import type { Usage } from '../machine/index.ts';
import type { RunState } from './state.ts';
import { createSummary } from './summary.ts';

/** A run in which one step is open. */
function stateAt(at: number, usage: Usage = {}, waiting: readonly WaitingRow[] = []): RunState {
  return {
    open: new Map([['a#1', {}]]),
    at: () => at,
    usage: () => usage,
    waiting: () => waiting,
  } as unknown as RunState;
}

const asked: WaitingRow = { node: 'a#1', kind: 'approval', title: 'Go?', since: 1000, hash: 'h' };

test('what every step changes is written once in a while, and the rest of it when the run goes on or is left', () => {
  const { change, rest } = createSummary();
  expect(change(stateAt(1000), undefined, 0)).toMatchObject({ status: 'running', updatedAt: 1000, waiting: [] });
  expect(change(stateAt(1050, { cost: 1 }), undefined, 0)).toBeUndefined();
  expect(rest(stateAt(1050, { cost: 1 }), 1099)).toBeUndefined();
  expect(rest(stateAt(1050, { cost: 1 }), 1100)).toEqual({ updatedAt: 1050, cost: 1 });
  expect(rest(stateAt(1050, { cost: 1 }), 2000)).toBeUndefined();
  expect(change(stateAt(1060, { cost: 2 }), undefined, 0)).toBeUndefined();
  expect(rest(stateAt(1060, { cost: 2 }))).toEqual({ updatedAt: 1060, cost: 2 });
  expect(change(stateAt(1160, { cost: 3 }), undefined, 0)).toEqual({ updatedAt: 1160, cost: 3 });
});

test('who waits and for what is written at once, with what was left', () => {
  const { change, rest } = createSummary();
  change(stateAt(1000), undefined, 0);
  change(stateAt(1001, { cost: 1 }), undefined, 0);
  expect(change(stateAt(1002, { cost: 1 }, [asked]), undefined, 0)).toMatchObject({
    status: 'waiting',
    waiting: [asked],
    updatedAt: 1002,
    cost: 1,
  });
  expect(rest(stateAt(1002, { cost: 1 }, [asked]))).toBeUndefined();
  expect(change(stateAt(1003, { cost: 1 }), undefined, 0)).toMatchObject({ status: 'running', waiting: [] });
});

test('a clock that was set back keeps nothing from being written', () => {
  const { change } = createSummary();
  change(stateAt(100_000), undefined, 0);
  expect(change(stateAt(1000), undefined, 0)).toMatchObject({ updatedAt: 1000 });
});

test('the end is written whole', () => {
  const { change } = createSummary();
  change(stateAt(1000), undefined, 0);
  expect(change(stateAt(1001, { cost: 1 }), { ok: 'x' }, 0)).toEqual({
    status: 'done',
    output: 'x',
    waiting: [],
    updatedAt: 1001,
    endedAt: 1001,
    cost: 1,
  });
});
