/** The words for runs: values, times, lists, progress, logs. */
import { describe, expect, it } from 'vitest';
import type { EventBody, RunRow } from '../journal/index.ts';
import { painter } from '../text/index.ts';
import {
  costText,
  createRunProgress,
  elapsedText,
  logText,
  nodeLine,
  readNodeId,
  runListText,
  runWord,
  shortValue,
  totalsOf,
  usageText,
  whenText,
} from './index.ts';

const paint = painter(false);
const row = (more: Partial<RunRow>): RunRow => ({
  id: 'a',
  root: 'a',
  name: 'n',
  status: 'done',
  startedAt: 0,
  updatedAt: 0,
  ...more,
});

describe('in words', () => {
  it('values', () => {
    const short = (value: Parameters<typeof shortValue>[0]) => shortValue(value, 40);
    expect(short({ keyPoints: ['a', 'b', 'c', 'd'] })).toBe('4 key points');
    expect(short({ text: 'Agents that survive' })).toBe('"Agents that survive"');
    expect(short({ approved: true, feedback: 'Good.' })).toBe('approved: yes, feedback: "Good."');
    expect(short({ a: 1, b: null, c: { d: 1 }, d: [1], e: 2 })).toBe('a: 1, b: null, c: {…}, 1 d, …');
    expect(short([1, 2])).toBe('2 items');
    expect(short('a\nb\u001b[31m')).toBe('"a b\\u001b[31m"');
    expect(short({})).toBe('an empty object');
    expect(short('x'.repeat(1e6))).toHaveLength(40);
  });

  it('times, tokens and money', () => {
    expect([0, 400, 9949, 12_000, 185_000, 7_800_000, 273_600_000].map(elapsedText)).toEqual([
      '0.0s',
      '0.4s',
      '9.9s',
      '12s',
      '3m 05s',
      '2h 10m',
      '3d 4h',
    ]);
    expect([whenText(0, 500), whenText(0, 300_000), whenText(9000, 0)]).toEqual(['just now', '5m ago', 'in 9s']);
    expect([costText(0), costText(0.02), costText(0.0012)]).toEqual(['$0.00', '$0.02', '$0.0012']);
    expect(usageText({ inputTokens: 10, outputTokens: 2, cost: 0.5 })).toBe('12 tokens, $0.50');
    expect(usageText({ cost: 0 })).toBe('');
  });

  it('ids of nodes', () => {
    expect(readNodeId('polish[2]/review#3')).toEqual({ name: 'polish[2]/review', attempt: 3, inner: '' });
    expect(readNodeId('a#1/model#2')).toEqual({ name: 'a', attempt: 1, inner: '/model#2' });
    expect(readNodeId('a#1.wait')).toEqual({ name: 'a', attempt: 1, inner: '.wait' });
    expect(readNodeId('publish')).toEqual({ name: 'publish', inner: '' });
  });

  it('a run is interrupted when nobody drives it and it does not only wait for people', () => {
    const timer = { node: 'a#1.wait', kind: 'timer' as const, title: '', since: 0 };
    expect(runWord(row({ status: 'running' }), true)).toBe('running');
    expect(runWord(row({ status: 'running' }), false)).toBe('interrupted');
    expect(runWord(row({ status: 'waiting' }), false)).toBe('waiting');
    expect(runWord(row({ status: 'waiting', waiting: [timer] }), false)).toBe('interrupted');
    expect(runWord(row({ status: 'failed' }), false)).toBe('failed');
  });

  it('a list of runs, with what each is about and what all cost', () => {
    const question = { node: 'p', kind: 'approval' as const, title: 'Publish?', since: 0, hash: 'h' };
    const error = { code: 'code', message: 'no\nluck', retryable: false, node: 'b' };
    const runs = [
      { row: row({ status: 'waiting', waiting: [question], cost: 0.5 }), status: 'waiting' as const, short: '7f3a' },
      { row: row({ status: 'failed', error, endedAt: 2000, cost: 1 }), status: 'failed' as const, short: '8000' },
      { row: row({ parent: 'x', cost: 1, endedAt: 3000 }), status: 'done' as const, short: '9000' },
    ];
    expect(runListText(runs, { paint, now: 3000, columns: 100 })).toBe(
      [
        '7f3a  n  waiting  3s ago        $0.50  Publish?',
        '8000  n  failed   3s ago  2.0s  $1.00  b: no luck',
        '9000  n  done     3s ago  3.0s  $1.00',
        '3 runs, $1.50 in all',
        '',
      ].join('\n'),
    );
    expect(totalsOf(runs)).toMatchObject({ runs: 3, cost: 1.5 });
  });
});

describe('progress', () => {
  const tell = (progress: ReturnType<typeof createRunProgress>, ...events: [string, EventBody][]) =>
    progress
      .add(events.map(([node, body], i) => ({ at: i * 1000, node, body })))
      .map((node) => nodeLine(node.name, node, { paint, now: 5000, width: 4, columns: 70 }).replace(/ {2,}/g, '  '));
  const start: EventBody = { kind: 'node.started', key: '' };
  const error = { code: 'code', message: 'no luck', retryable: true };

  it('has a line for what came to something, once', () => {
    const progress = createRunProgress();
    expect(tell(progress, ['a#1', start], ['b#1', start])).toEqual([]);
    expect(progress.running().map(({ name }) => name)).toEqual(['a', 'b']);
    expect(tell(progress, ['b#1', { kind: 'node.done', output: 'x' }])).toEqual(['✓ b  "x"  0.0s']);
    expect(tell(progress, ['a#1', { kind: 'node.failed', error }])).toEqual(['✗ a  no luck  0.0s']);
    expect(progress.running()).toEqual([]);
  });

  it('says that a step is tried again instead of that it failed', () => {
    const progress = createRunProgress();
    tell(progress, ['a#1', start]);
    const failed: [string, EventBody] = ['a#1', { kind: 'node.failed', error }];
    expect(tell(progress, failed, ['a#1.wait', { kind: 'timer.set', until: 9000 }])).toEqual([
      '↻ a  again in 4.0s: no luck  5.0s',
    ]);
    expect(tell(progress, ['a#1.wait', { kind: 'timer.fired' }], ['a#2', start])).toEqual([]);
    expect(tell(progress, ['a#2', { kind: 'node.done', output: 'x' }])).toEqual(['✓ a  "x"  0.0s  attempt 2']);
  });

  it('shows what is asked, and what was answered', () => {
    const progress = createRunProgress();
    const asked: EventBody = { kind: 'approval.requested', request: { title: 'Go?' }, hash: 'h' };
    expect(tell(progress, ['ok', asked])).toEqual(['⏸ ok  Go?  waiting for you']);
    const decided: EventBody = { kind: 'approval.decided', approved: true, by: 'ana', value: {} };
    expect(tell(progress, ['ok', decided])).toEqual(['✓ ok  approved by ana']);
  });
});

describe('logs', () => {
  it('have a line for each event, and obey nothing in it', () => {
    const line = (node: string, body: EventBody) => logText({ seq: 1, at: 0, run: 'r', node, body }, paint);
    const time = '1970-01-01 00:00:00.000  ';
    expect(line('a#1', { kind: 'node.started', key: '' })).toBe(`${time}a#1  started\n`);
    expect(line('a#1', { kind: 'node.printed', text: 'x\n\u001b[2J\n' })).toBe(
      `${time}a#1  printed\n    x\n    ␛[2J\n`,
    );
    expect(line('a#1', { kind: 'output.repaired', errors: ['e'] })).toBe(
      `${time}a#1  the answer did not fit and was sent back\n    e\n`,
    );
    expect(line('a#1', { kind: 'node.done' })).toBe(`${time}a#1  done without a value\n`);
  });
});
