/** What of a run's past a new segment is offered. */
import { describe, expect, it } from 'vitest';
import type { EventBody, JournalEvent } from '../journal/index.ts';
import type { Json, StepCommand } from '../machine/index.ts';
import { createMemo, fits, type Keepable, type MemoOptions, readHash } from './memo.ts';

const done = (output: Json, more: object = {}): EventBody => ({ kind: 'node.done', output, ...more });
const started = (key: string): EventBody => ({ kind: 'node.started', key });
const segment = (why: 'edit' | 'keep' | 'retry' | 'fork', before?: number): EventBody => ({
  kind: 'segment.opened',
  why,
  name: 'w',
  plan: '',
  source: '',
  input: {},
  machine: 1,
  models: {},
  ...(before !== undefined && { before }),
});

function journal(...events: readonly (readonly [string | undefined, EventBody])[]): JournalEvent[] {
  return events.map(([node, body], i) => ({ seq: i + 1, at: i, run: 'r', ...(node && { node }), body }));
}

const step = (id: string, key: string, more: Partial<StepCommand> = {}): StepCommand => ({
  op: 'step',
  id,
  key,
  spec: { kind: 'run' },
  args: {},
  ...more,
});
const asks = (id: string, title: string, summary = ''): Keepable => ({
  op: 'signal',
  id,
  kind: 'approval',
  request: { title, summary, more: true },
});

function memoOf(events: readonly JournalEvent[], paths: readonly string[], more: Partial<MemoOptions> = {}) {
  return createMemo(events, { paths: new Set(paths), fits, ...more });
}

const value = (kept: ReturnType<ReturnType<typeof memoOf>['take']>) =>
  kept === undefined ? undefined : 'ok' in kept.outcome ? kept.outcome.ok : kept.outcome;

describe('a memo', () => {
  const two = journal(['a#1', started('ka')], ['a#1', done(1)], ['b#1', started('kb')], ['b#1', done(2)]);

  it('keeps a result for the same identity and key, in whichever attempt', () => {
    const memo = memoOf(two, ['a', 'b']);
    expect(value(memo.take(step('a#2', 'ka')))).toBe(1);
    expect(value(memo.take(step('b#1', 'other')))).toBeUndefined();
  });

  it('finds what was renamed by its key, and takes nothing from who is still there', () => {
    expect(value(memoOf(two, ['c', 'b']).take(step('c#1', 'ka')))).toBe(1);
    expect(value(memoOf(two, ['a', 'b', 'c']).take(step('c#1', 'ka')))).toBeUndefined();
  });

  it('gives a result away once', () => {
    const memo = memoOf(two, ['c', 'd']);
    expect(value(memo.take(step('c#1', 'ka')))).toBe(1);
    expect(value(memo.take(step('d#1', 'ka')))).toBeUndefined();
  });

  it('knows what was kept before under another name', () => {
    const [a, b] = [two.slice(0, 2), two.slice(2)];
    const kept: [string, EventBody] = ['c#1', done(1, { from: 'kept', of: 2 })];
    const all = journal(
      ...[...a, ...b].map(({ node, body }) => [node, body] as const),
      [undefined, segment('edit')],
      kept,
    );
    const memo = memoOf(all, ['c', 'b']);
    expect(memo.entries.map(({ identity, seq }) => [identity, seq])).toEqual([
      ['a', 2],
      ['b', 4],
      ['c', 2],
    ]);
    expect(value(memo.take(step('c#1', 'changed')))).toBeUndefined();
  });

  it('keeps an earlier result when an edit is taken back', () => {
    const all = journal(
      ['a#1', started('one')],
      ['a#1', done(1)],
      [undefined, segment('edit')],
      ['a#1', started('two')],
      ['a#1', done(2)],
      [undefined, segment('edit')],
    );
    expect(value(memoOf(all, ['a']).take(step('a#1', 'one')))).toBe(1);
    expect(value(memoOf(all, ['a']).take(step('a#1', 'two')))).toBe(2);
  });

  it('offers no failures', () => {
    const error = { code: 'code', message: 'x', retryable: true };
    const memo = memoOf(journal(['a#1', started('k')], ['a#1', { kind: 'node.failed', error }]), ['a']);
    expect(memo.entries).toEqual([]);
  });

  it('keeps code only while it would read the same', () => {
    const args = { input: { repo: 'x' } };
    const values = (draft: Json) => ({
      names: () => ['draft'],
      get: (name: string) => (name === 'draft' ? draft : undefined),
    });
    const command = (draft: Json) => step('a#1', 'k', { args, values: values(draft) });
    const reads = { input: readHash(command(1), 'input'), draft: readHash(command(1), 'draft'), gone: '-' };
    const all = journal(['a#1', started('k')], ['a#1', done('v', { reads })]);
    expect(value(memoOf(all, ['a']).take(command(1)))).toBe('v');
    expect(value(memoOf(all, ['a']).take(command(2)))).toBeUndefined();
  });

  it('keeps a decision only for the same words', () => {
    const request = { title: 'Go?', summary: 'all', more: false };
    const all = journal(
      ['ok', { kind: 'approval.requested', request, hash: '' }],
      ['ok', { kind: 'approval.decided', approved: true, by: 'ada', value: { approved: true } }],
    );
    expect(value(memoOf(all, ['ok']).take(asks('ok', 'Go?', 'all')))).toEqual({ approved: true });
    expect(memoOf(all, ['ok']).take(asks('ok', 'Go?', 'all '))).toBeUndefined();
  });

  it('asks again what was denied when it is tried again, and stays so', () => {
    const denied = (...more: [string | undefined, EventBody][]) =>
      journal(
        ['ok', { kind: 'approval.requested', request: { title: 'Go?' }, hash: '' }],
        ['ok', { kind: 'approval.decided', approved: false, by: 'ada', value: { approved: false } }],
        ...more,
      );
    const question = { ...asks('ok', 'Go?'), request: { title: 'Go?' } } as Keepable;
    expect(value(memoOf(denied([undefined, segment('edit')]), ['ok']).take(question))).toEqual({ approved: false });
    expect(memoOf(denied([undefined, segment('retry')]), ['ok']).take(question)).toBeUndefined();
    expect(
      memoOf(denied([undefined, segment('retry')], [undefined, segment('edit')]), ['ok']).take(question),
    ).toBeUndefined();
  });

  it('offers a fork only what was recorded before its step', () => {
    const all = journal(...two.map(({ node, body }) => [node, body] as const), [undefined, segment('fork', 3)]);
    expect(memoOf(all, ['a', 'b']).entries.map(({ identity }) => identity)).toEqual(['a']);
  });

  it('keeps by identity alone where that is wished, unless the result does not fit', () => {
    const all = journal(...two.map(({ node, body }) => [node, body] as const), [undefined, segment('keep')]);
    expect(value(memoOf(all, ['a', 'b']).take(step('a#1', 'new')))).toBe(1);
    const spec = { kind: 'run', output: { kind: 'text' } };
    expect(memoOf(all, ['a', 'b']).take(step('a#1', 'new', { spec }))).toBeUndefined();
  });

  it('keeps what a thunk has done that did not end, and not of one that did', () => {
    const child: EventBody = { kind: 'child.started', key: 'kc' };
    const answered: EventBody = { kind: 'model.answered', message: 'm', usage: {} };
    const open = journal(['a#1', child], ['a#1/model#1', started('km')], ['a#1/model#1', answered]);
    expect(memoOf(open, ['a']).entries.map(({ identity }) => identity)).toEqual(['a/model']);
    const ended = journal(...open.map(({ node, body }) => [node, body] as const), [
      'a#1',
      { kind: 'child.ended', outcome: { ok: 1 } },
    ]);
    expect(memoOf(ended, ['a']).entries.map(({ identity }) => identity)).toEqual(['a']);
  });
});
