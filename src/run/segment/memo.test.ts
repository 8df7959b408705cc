/** What of a run's past a new segment is offered. */
import { describe, expect, it } from 'vitest';
import type { EventBody, JournalEvent } from '../../journal/index.ts';
import type { Json, StepCommand } from '../../machine/index.ts';
import type { WorkflowPlan } from '../../plan/index.ts';
import { flow, planOf as planFrom } from '../../plan/plan-test-kit.ts';
import {
  cachedBody,
  createMemo,
  fits,
  type Keepable,
  type Kept,
  keptBody,
  type MemoOptions,
  readHash,
} from './memo.ts';

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

/** Steps as they are written, by their paths; of those without a code it does not matter. */
function planOf(nodes: readonly string[], code: Readonly<Record<string, string>> = {}): WorkflowPlan {
  const children = nodes.map((path) => ({
    kind: 'step',
    path,
    output: { kind: 'any' },
    action: { kind: 'run', code: code[path] ?? '', edits: [], reads: [] },
  }));
  return { name: 'w', children, services: [], plugins: [], types: {}, workflows: {} } as unknown as WorkflowPlan;
}

function memoOf(events: readonly JournalEvent[], paths: readonly string[], more: Partial<MemoOptions> = {}) {
  return createMemo(events, { plan: planOf(paths), planOf: () => undefined, fits, ...more });
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
      ['c', 2],
      ['b', 4],
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

  it('does not ask again for a no with which the workflow goes on', async () => {
    const request = { title: 'Go?' };
    const decided = (id: string): (readonly [string, EventBody])[] => [
      [id, { kind: 'approval.requested', request, hash: '' }],
      [id, { kind: 'approval.decided', approved: false, by: 'ada', value: { approved: false } }],
    ];
    const all = journal(...decided('l[1]/ok'), ...decided('no'), ...decided('part'), [undefined, segment('retry')]);
    const approval = (id: string, onDeny: string, margin = '  ') =>
      `${margin}- kind: approval\n${margin}  id: ${id}\n${margin}  request:\n${margin}    title: Go?\n${margin}  onDeny: ${onDeny}\n`;
    const loop = `  - kind: loop\n    id: l\n    until: "{ok.approved}"\n    children[1]:\n${approval('ok', 'continue', '      ')}`;
    const plan = await planFrom(flow(loop + approval('no', 'fail') + approval('part', 'skip')));
    const memo = createMemo(all, { plan, planOf: () => plan, fits });
    const take = (id: string) => value(memo.take({ ...asks(id, 'Go?'), request } as Keepable));
    expect([take('l[1]/ok'), take('no'), take('part')]).toEqual([{ approved: false }, undefined, { approved: false }]);
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

  const edit = [undefined, segment('edit')] as const;
  const kept = (id: string, of: number, more: object = {}) => [id, done(of, { from: 'kept', of, ...more })] as const;
  const all = (of: readonly JournalEvent[]) => of.map(({ node, body }) => [node, body] as const);

  it('keeps what counted last, not what was recorded last', () => {
    const first = [
      ['a#1', started('one')],
      ['a#1', done('r1')],
    ] as const;
    const second = [edit, ['a#1', started('two')], ['a#1', done('r2')]] as const;
    const back = [edit, ['a#1', done('r1', { from: 'kept', of: 2 })], [undefined, segment('keep')]] as const;
    expect(value(memoOf(journal(...first, ...second, ...back), ['a']).take(step('a#1', 'three')))).toBe('r1');
  });

  it('knows what was kept under another key by that key, and by its own still', () => {
    const events = journal(...all(two), [undefined, segment('keep')], kept('a#1', 2, { key: 'new' }), edit);
    expect(value(memoOf(events, ['a', 'b']).take(step('a#1', 'new')))).toBe(1);
    expect(value(memoOf(events, ['a', 'b']).take(step('a#1', 'ka')))).toBe(1);
    expect(value(memoOf(events, ['c', 'b']).take(step('c#1', 'new')))).toBe(1);
    // What is kept by its identity once is not so for ever.
    expect(memoOf(events, ['a', 'b']).take(step('a#1', 'third'))).toBeUndefined();
  });

  it('tells the key under which a result is kept, and what that reads now, where they are not those it was made with', () => {
    const values = (draft: Json) => ({ names: () => ['draft'], get: () => draft });
    const command = (key: string, draft: Json) => step('a#1', key, { values: values(draft) });
    const reads = { draft: readHash(command('k', 1), 'draft') };
    const events = journal(['a#1', started('k')], ['a#1', done('v', { reads })], [undefined, segment('keep')]);
    const bodyOf = (taking: StepCommand) => keptBody(memoOf(events, ['a']).take(taking) as Kept, taking);
    expect(bodyOf(command('k', 1))).toEqual({ kind: 'node.done', output: 'v', reads, from: 'kept', of: 2 });
    const anew = { draft: readHash(command('k', 2), 'draft') };
    expect(bodyOf(command('other', 2))).toMatchObject({ key: 'other', reads: anew, of: 2 });
    expect(bodyOf(command('k', 2))).toMatchObject({ key: 'k', reads: anew, of: 2 });
    const inTree = { ...command('k', 1), worktree: 'w' };
    expect(keptBody({ seq: 2, event: events[1] as JournalEvent, outcome: { ok: 'v' } }, inTree)).toMatchObject({
      worktree: 'w',
    });
  });

  it('goes by the name under which it counted last, and by no other', () => {
    const events = journal(['a#1', started('k')], ['a#1', done(1)], edit, kept('b#1', 2), edit);
    const memo = memoOf(events, ['a', 'b']);
    expect(memo.take(step('a#1', 'k'))).toBeUndefined();
    expect(value(memo.take(step('b#1', 'k')))).toBe(1);
  });

  it('finds a step by its key that has a name now which others had', () => {
    const plans = { before: planOf(['a', 'b'], { a: 'A', b: 'B' }) };
    const given = (paths: readonly string[], code: Record<string, string>) => ({
      plan: planOf(paths, code),
      planOf: () => plans.before,
    });
    // b is gone, and a is called b now.
    const renamed = memoOf(two, [], given(['b'], { b: 'A' }));
    expect(value(renamed.take(step('b#1', 'ka')))).toBe(1);
    const swapped = memoOf(two, [], given(['a', 'b'], { a: 'B', b: 'A' }));
    expect([swapped.take(step('a#1', 'kb')), swapped.take(step('b#1', 'ka'))].map(value)).toEqual([2, 1]);
    const there = memoOf(two, [], given(['a', 'b', 'c'], { a: 'A', b: 'B', c: 'A' }));
    expect(there.take(step('c#1', 'ka'))).toBeUndefined();
  });

  it('gives away what the run has now before what it had once, in its order', () => {
    const events = journal(
      ['a#1', started('k')],
      ['a#1', done('old a')],
      ['b#1', started('k')],
      ['b#1', done('old b')],
      edit,
      ['c#1', started('k')],
      ['c#1', done('c')],
      ['d#1', started('k')],
      ['d#1', done('d')],
      edit,
    );
    const memo = memoOf(events, ['e', 'f', 'g', 'h']);
    const taken = ['e', 'f', 'g', 'h', 'i'].map((id) => value(memo.take(step(`${id}#1`, 'k'))));
    expect(taken).toEqual(['c', 'd', 'old a', 'old b', undefined]);
  });

  it('gives away what was kept in the last segment before what did not count there', () => {
    const events = journal(
      ['a#1', started('k')],
      ['a#1', done('a')],
      ['b#1', started('k')],
      ['b#1', done('b')],
      edit,
      kept('a#1', 2),
      edit,
    );
    expect(value(memoOf(events, ['c']).take(step('c#1', 'k')))).toBe('a');
  });

  it('knows a node by the plan in which its result counted last', () => {
    const named = (plan: string): EventBody => ({ ...segment('edit'), plan }) as EventBody;
    const plans: Record<string, WorkflowPlan> = {
      '': planOf(['a'], { a: 'A' }),
      renamed: planOf(['b'], { b: 'A' }),
    };
    const events = journal(['a#1', started('k')], ['a#1', done(1)], [undefined, named('renamed')], kept('b#1', 2), [
      undefined,
      named('both'),
    ]);
    const plan = planOf(['a', 'b'], { a: 'A', b: 'A' });
    const memo = memoOf(events, [], { plan, planOf: (hash) => plans[hash] });
    expect(memo.take(step('a#1', 'k'))).toBeUndefined();
    expect(value(memo.take(step('b#1', 'k')))).toBe(1);
  });

  it('knows what a result would read that was kept under another key', () => {
    const values = (draft: Json) => ({ names: () => ['draft'], get: () => draft });
    const command = (key: string, draft: Json) => step('a#1', key, { values: values(draft) });
    const reads = (draft: Json) => ({ draft: readHash(command('', draft), 'draft') });
    const events = journal(
      ['a#1', started('k')],
      ['a#1', done('v', { reads: reads(1) })],
      [undefined, segment('keep')],
      ['a#1', done('v', { from: 'kept', of: 2, key: 'k2', reads: reads(2) })],
      edit,
    );
    expect(value(memoOf(events, ['a']).take(command('k2', 2)))).toBe('v');
    expect(memoOf(events, ['a']).take(command('k2', 1))).toBeUndefined();
    expect(value(memoOf(events, ['a']).take(command('k', 1)))).toBe('v');
  });

  it('does not give away what was taken before its owner died', () => {
    const memo = memoOf(journal(['a#1', started('k')], ['a#1', done(1)], edit), ['b', 'c']);
    memo.kept(step('b#1', 'k'), 2);
    expect(memo.take(step('c#1', 'k'))).toBeUndefined();
  });

  it('keeps a result from the cache by the key of who took it, too', () => {
    const cached = { from: 'cache', origin: 'other', slot: 's' } as const;
    const events = journal(['a#1', done('v', { ...cached, key: 'k' })], edit);
    const slot = (key: string) => ({ cache: { key, workflow: 'w', step: 'a' } });
    expect(value(memoOf(events, ['a']).take(step('a#1', 'k', slot('s2'))))).toBe('v');
    expect(value(memoOf(events, ['b']).take(step('b#1', 'k')))).toBe('v');
    expect(value(memoOf(events, ['a']).take(step('a#1', 'k2', slot('s'))))).toBe('v');
    expect(memoOf(events, ['a']).take(step('a#1', 'k2', slot('s2')))).toBeUndefined();
  });

  it('says of a result from the cache all that its step can see, where nobody knows what it read', () => {
    const values = (draft: Json) => ({ names: () => ['draft'], get: () => draft });
    const command = (draft: Json) => step('a#1', 'k', { args: { input: 1, steps: {} }, values: values(draft) });
    const body = cachedBody(done('v', { from: 'cache', slot: 's' }), command(1));
    const events = journal(['a#1', body], edit);
    expect(value(memoOf(events, ['a']).take(command(1)))).toBe('v');
    expect(memoOf(events, ['a']).take(command(2))).toBeUndefined();
    expect(cachedBody(done('v'), step('a#1', 'k'))).toEqual(done('v', { key: 'k' }));
  });

  it('gives nothing of another to a step that was there as it is now, and has not been done', () => {
    const [then, now] = [planOf(['a', 'b'], { a: 'x', b: 'x' }), planOf(['a', 'b'], { a: 'y', b: 'x' })];
    const past = journal(['a#1', started('kx')], ['a#1', done(1)], [undefined, segment('edit')]);
    const renamed = planOf(['c'], { c: 'x' });
    expect(memoOf(past, [], { plan: now, planOf: () => then }).take(step('b#1', 'kx'))).toBeUndefined();
    expect(value(memoOf(past, [], { plan: renamed, planOf: () => then }).take(step('c#1', 'kx')))).toBe(1);
  });

  it('keeps what other modules have made for who tries again or forks, under its own key, and for nobody else', () => {
    const keyWith = (modules: Readonly<Record<string, string>>) => `ka ${modules.h}`;
    const mended = step('a#1', 'ka new', { spec: { kind: 'handler' }, keyWith });
    const begun = { ...segment('edit'), modules: { h: 'old' } } as EventBody;
    const past = [[undefined, begun] as const, ['a#1', started('ka old')] as const, ['a#1', done(1)] as const];
    for (const why of ['retry', 'fork'] as const) {
      const kept = memoOf(journal(...past, [undefined, segment(why)]), ['a']).take(mended);
      expect(value(kept)).toBe(1);
      expect(keptBody(kept as Kept, mended)).toEqual({ kind: 'node.done', output: 1, from: 'kept', of: 3 });
    }
    expect(memoOf(journal(...past, [undefined, segment('edit')]), ['a']).take(mended)).toBeUndefined();
    const kept = done(1, { from: 'kept', of: 3 });
    const twice = journal(...past, [undefined, segment('retry')], ['a#1', kept], [undefined, segment('retry')]);
    expect(value(memoOf(twice, ['a']).take(mended))).toBe(1);
  });

  it('offers a fork what began before its step, though it ended later', () => {
    const events = journal(
      ['a#1', started('ka')],
      ['b#1', started('kb')],
      ['b#1', done('b')],
      ['c#1', started('kc')],
      ['a#1', done('a')],
      ['c#1', done('c')],
      [undefined, segment('fork', 2)],
    );
    const memo = memoOf(events, ['a', 'b', 'c']);
    expect(memo.entries.map(({ identity }) => identity)).toEqual(['a']);
    expect([memo.isAgain(step('b#1', 'kb')), memo.isAgain(step('a#1', 'ka'))]).toEqual([true, false]);
  });

  it('counts a step that was tried again from its first attempt', () => {
    const error = { code: 'code', message: 'x', retryable: true };
    const events = journal(
      ['a#1', started('ka')],
      ['b#1', started('kb')],
      ['a#1', { kind: 'node.failed', error }],
      ['a#2', started('ka')],
      ['a#2', done('a')],
      [undefined, segment('fork', 2)],
    );
    expect(memoOf(events, ['a', 'b']).entries.map(({ identity }) => identity)).toEqual(['a']);
  });

  it('does the step of a fork again that was only kept before, and nothing of earlier segments comes back', () => {
    const events = journal(
      ...all(two),
      edit,
      ['b#1', started('kb2')],
      ['b#1', done(3)],
      edit,
      kept('a#1', 2),
      kept('b#1', 7),
      [undefined, segment('fork', 10)],
    );
    const memo = memoOf(events, ['a', 'b']);
    expect(memo.entries.map(({ identity, seq }) => [identity, seq])).toEqual([['a', 2]]);
    expect(memo.take(step('b#1', 'kb2'))).toBeUndefined();
    expect(memo.take(step('b#1', 'kb'))).toBeUndefined();
    expect(memo.isAgain(step('b#1', 'kb'))).toBe(true);
  });

  it('wants the step of a fork done until it is, also after that has failed', () => {
    const fork = [...all(two), [undefined, segment('fork', 3)] as const];
    const again = (...more: (readonly [string | undefined, EventBody])[]) =>
      memoOf(journal(...fork, ...more), ['a', 'b']).isAgain(step('b#1', 'kb'));
    expect(again([undefined, segment('retry')])).toBe(true);
    expect(again(['b#1', started('kb')], ['b#1', done(3)], edit)).toBe(false);
  });

  it('keeps a decision by its words, whatever else is kept', () => {
    const request = { title: 'Delete nothing?' };
    const events = journal(
      ['ok', { kind: 'approval.requested', request, hash: '' }],
      ['ok', { kind: 'approval.decided', approved: true, by: 'ada', value: { approved: true } }],
      [undefined, segment('keep')],
    );
    const asks = (title: string): Keepable => ({ op: 'signal', id: 'ok', kind: 'approval', request: { title } });
    expect(memoOf(events, ['ok']).take(asks('Delete everything?'))).toBeUndefined();
    expect(value(memoOf(events, ['ok']).take(asks('Delete nothing?')))).toEqual({ approved: true });
  });

  it('keeps the calls of a prompt step that was cut off, by a crash, an edit or somebody who stopped it', () => {
    const child: EventBody = { kind: 'child.started', key: 'kc' };
    const answered: EventBody = { kind: 'model.answered', message: 'm', usage: {} };
    const begun = [
      ['a#1', child] as const,
      ['a#1/model#1', started('km')] as const,
      ['a#1/model#1', answered] as const,
    ];
    const err = { code: 'cancelled', message: 'x', retryable: false };
    const ends = [[], [['a#1', { kind: 'child.ended', outcome: { err } }] as const]] as const;
    for (const end of ends) {
      const memo = memoOf(journal(...begun, ...end, edit), ['a']);
      expect(value(memo.take(step('a#1/model#1', 'km')))).toBe('m');
    }
    const failed = { ...err, code: 'schema' };
    const over = journal(...begun, ['a#1', { kind: 'child.ended', outcome: { err: failed } }], edit);
    expect(memoOf(over, ['a']).entries).toEqual([]);
  });

  it('takes no call from a prompt step that is there', () => {
    const child: EventBody = { kind: 'child.started', key: 'kc' };
    const answered: EventBody = { kind: 'model.answered', message: 'm', usage: {} };
    const events = journal(['a#1', child], ['a#1/model#1', started('km')], ['a#1/model#1', answered], edit);
    expect(memoOf(events, ['a', 'b']).take(step('b#1/model#1', 'km'))).toBeUndefined();
    expect(value(memoOf(events, ['b']).take(step('b#1/model#1', 'km')))).toBe('m');
  });

  it('keeps the key of the one that took a result up last, of several that began it', () => {
    const child = (key: string): EventBody => ({ kind: 'child.started', key });
    const events = journal(
      ['a#1', child('k1')],
      ['a#1', child('k2')],
      ['a#1', { kind: 'child.ended', outcome: { ok: 1 } }],
      edit,
    );
    const command = (key: string): Keepable => ({ op: 'child', id: 'a#1', ref: { kind: 'thunk' }, input: null, key });
    expect(memoOf(events, ['a']).take(command('k1'))).toBeUndefined();
    expect(value(memoOf(events, ['a']).take(command('k2')))).toBe(1);
  });
});
