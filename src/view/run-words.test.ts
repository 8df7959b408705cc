/** The words for runs: values, times, lists, progress, logs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventBody, RunRow } from '../journal/index.ts';
import { displayWidth, painter } from '../text/index.ts';
import {
  costText,
  createRunProgress,
  elapsedText,
  logText,
  mostName,
  nodeLine,
  questionLines,
  readNodeId,
  runListText,
  runWord,
  shortenName,
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
    expect(runListText(runs.slice(0, 1), { paint, now: 3000, columns: 100 })).toMatch(/\n1 run, \$0\.50 in all\n$/);
    for (const columns of [30, 40, 60, 80]) {
      const [first = '', ...rest] = runListText(runs, { paint, now: 3000, columns }).split('\n');
      expect(first).toContain(runs[0]?.status);
      for (const line of [first, ...rest]) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    }
  });
});

describe('lines', () => {
  const usage = { inputTokens: 1200, outputTokens: 34, cost: 0.9 };
  const attempts = [{ number: 2, startedAt: 0, begun: 3, endedAt: 90_000 }];
  const repairs = [['wordCount was not a number']];
  const long = 'a long text that says what happens after a crash, and much more than that';
  const nodes: Parameters<typeof nodeLine>[1][] = [
    { status: 'done', startedAt: 0, endedAt: 90_000, output: long, usage, attempts, repairs },
    { status: 'failed', startedAt: 0, endedAt: 1, error: { code: 'code', message: long, retryable: true }, attempts },
    { status: 'waiting', request: { node: 'a', kind: 'approval', title: long, hash: 'h' } },
    { status: 'waiting', request: { node: '@limit#1', kind: 'limit', title: long, hash: 'h', again: true }, usage },
    { status: 'waiting', until: 9000, attempts: [{ number: 1, startedAt: 0, begun: 1 }] },
    { status: 'interrupted', startedAt: 0, attempts },
    { status: 'kept', output: { a: 1, b: '研究研究研究研究研究研究' }, usage },
    { status: 'skipped', why: long },
    { status: 'done', output: 'x', startedAt: 0, endedAt: 1, fromCache: true, usage },
  ];

  it('are never wider than they may be, whatever stands in them', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...nodes),
        fc.constantFrom('a', 'polish[1]/review', 'outer[12]/inner[3]/deep/review', '研究/研究研究'),
        fc.integer({ min: 38, max: 220 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 20 }),
        (node, title, columns, wanted, notes) => {
          const width = Math.min(wanted, mostName(columns));
          const line = nodeLine(title, node, { paint, now: 5000, width, columns, notes });
          expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        },
      ),
    );
  });

  it('leave out first what matters least, and give values what is left', () => {
    const [node] = nodes;
    const at = (columns: number) => nodeLine('draft', node as (typeof nodes)[0], { paint, now: 0, width: 8, columns });
    expect(at(38)).toBe('✓ draft     "a long text …  1m 30s');
    expect(at(58)).toBe('✓ draft     "a long text that says w…  1m 30s  attempt 2');
    expect(at(78)).toBe('✓ draft     "a long text …  1m 30s  attempt 2  begun 3 times  repaired once: …');
    expect(at(200)).toMatch(/^✓ draft {5}"a long text .* than that" +1m 30s .* 1234 tokens, \$0\.90$/);
  });

  it('keep the times below each other while there is room', () => {
    const done = { status: 'done', output: long, startedAt: 0, endedAt: 1 } as const;
    const at = (node: (typeof nodes)[0]) => nodeLine('a', node, { paint, now: 0, width: 8, columns: 78, notes: 18 });
    const lines = [at({ ...done, usage }), at(done), at({ ...done, usage: { inputTokens: 5 } })];
    expect(lines.map((line) => line.indexOf('0.0s'))).toEqual([54, 54, 54]);
    expect(lines[0]).toMatch(/ {2}1234 tokens, \$0\.90$/);
  });

  it('name the step itself where the whole name has no room', () => {
    expect(shortenName('o[1]/i1[1]/review', 17)).toBe('o[1]/i1[1]/review');
    expect(shortenName('o[1]/i1[1]/review', 14)).toBe('o[1]/…/review');
    expect(shortenName('o[1]/i1[1]/review', 9)).toBe('…/review');
    expect(shortenName('o[1]/i1[1]/review', 5)).toBe('revi…');
  });

  it('hold a question in full', () => {
    const request = { node: 'ok', kind: 'approval' as const, title: `${long}\n?`, hash: 'h' };
    const options = { paint, now: 0, width: 10, columns: 58 };
    expect(questionLines('ok', { ...request, title: 'Go?' }, options)).toEqual([
      '⏸ ok          Go?                      waiting for you',
    ]);
    expect(questionLines('ok', request, options)).toEqual([
      '⏸ ok          waiting for you',
      '    a long text that says what happens after a crash, and',
      '    much more than that ?',
    ]);
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

describe('a limit', () => {
  it('that is reached again after an answer is told as such, not as approved', () => {
    const progress = createRunProgress();
    const asks = (hash: string): EventBody => ({
      kind: 'limit.reached',
      limit: '',
      request: { title: `${hash}?` },
      hash,
    });
    const line = (...events: [string, EventBody][]) =>
      progress
        .add(events.map(([node, body]) => ({ at: 0, node, body })))
        .map((node) => nodeLine('limit', node, { paint, now: 0, width: 5, columns: 70 }).replace(/ {2,}/g, '  '));
    expect(line(['@limit#1', asks('a')])).toEqual(['⏸ limit  a?  at a limit']);
    expect(line(['@limit#1', { kind: 'limit.answered', approved: true, add: 1, by: 'ana' }])).toEqual([
      '✓ limit  approved by ana',
    ]);
    expect(progress.running()).toEqual([]);
    expect(line(['@limit#2', asks('b')])).toEqual(['⏸ limit  b?  still at a limit']);
  });
});

describe('logs', () => {
  it('have a line for each event, and obey nothing in it', () => {
    const line = (node: string, body: EventBody) => logText({ seq: 1, at: 0, run: 'r', node, body }, paint);
    const time = '1970-01-01 00:00:00.000  ';
    expect(line('a#1', { kind: 'node.started', key: '' })).toBe(`${time}a#1  started\n`);
    expect(line('a#1', { kind: 'node.printed', text: 'x\n\u001b[2J\n' })).toBe(
      `${time}a#1  printed\n${time}a#1    x\n${time}a#1    ␛[2J\n`,
    );
    expect(line('a#1', { kind: 'output.repaired', errors: ['e'] })).toBe(
      `${time}a#1  the answer did not fit and was sent back\n${time}a#1    e\n`,
    );
    expect(line('a#1', { kind: 'node.done' })).toBe(`${time}a#1  done without a value\n`);
    expect(line('a#1/tool#1', { kind: 'memory.saved', id: 7, text: 'tea\u001b[2J' })).toBe(
      `${time}a#1/tool#1  remembers "tea\\u001b[2J" (memory 7)\n`,
    );
    expect(line('a#1/tools#2', { kind: 'handoff', from: 'triage', to: 'refund' })).toBe(
      `${time}a#1/tools#2  triage hands over to refund\n`,
    );
  });
});
