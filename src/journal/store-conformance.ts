/** What every store does: the tests that its SQLite and its memory form pass alike. */
import { expect, it } from 'vitest';
import type { EventBody, EventDraft } from './event.ts';
import { type CacheEntry, LeaseLost, type LeaseOwner, type RunRow, type Store, type Writer } from './store.ts';

/** An empty store, and another connection to the same. */
export type MakeStores = () => { readonly store: Store; readonly connect: () => Store };

const owner: LeaseOwner = { host: 'a', boot: 'b1', pid: 100, started: '1' };
const other: LeaseOwner = { host: 'a', boot: 'b1', pid: 200, started: '2' };

export const runRow = (id: string, more: Partial<RunRow> = {}): RunRow => ({
  id,
  root: id,
  name: 'notes',
  status: 'running',
  startedAt: 1000,
  updatedAt: 1000,
  ...more,
});

const done = (run: string, node: string, text: string): EventDraft => ({
  at: 1001,
  run,
  node,
  body: { kind: 'node.done', output: text },
});

const entry = (key: string, more: Partial<CacheEntry> = {}): CacheEntry => ({
  key,
  workflow: 'notes',
  step: 'draft',
  run: 'r1',
  at: 1000,
  output: { text: key },
  ...more,
});

/** A run that `owner` drives under epoch 1. */
function begin(store: Store, id = 'r1'): number {
  return store.write((w) => {
    w.addRun(runRow(id));
    return w.takeLease(id, owner, undefined, 1000) ?? -1;
  });
}

/** Tells whether there was something new since it was asked last. */
function watched(store: Store): () => boolean {
  let seen = store.changes();
  return () => {
    const before = seen;
    seen = store.changes();
    return seen !== before;
  };
}

export function storeConformance(make: MakeStores): void {
  it('gives events back in order, with their place, from any place on', () => {
    const { store } = make();
    const epoch = begin(store);
    const bodies: EventBody[] = [
      { kind: 'node.started', key: 'k' },
      { kind: 'node.done', output: { text: 'a\0b\ud800 "é" 🛠️', list: [1, null, true, -0.5, 1e300] } },
      { kind: 'timer.set', until: 2 ** 50 },
    ];
    const seq = store.write((w) =>
      w.append(
        'r1',
        epoch,
        bodies.map((body) => ({ at: 1001, run: 'r1', node: 'a#1', body })),
      ),
    );
    expect(seq).toBe(3);
    expect(store.write((w) => w.append('r1', epoch, [{ at: 1002, run: 'sub', body: { kind: 'run.done' } }]))).toBe(4);
    expect(store.write((w) => w.append('r1', epoch, []))).toBe(4);
    const events = [...store.events('r1')];
    expect(events.map((event) => event.body)).toEqual([...bodies, { kind: 'run.done' }]);
    expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4]);
    expect(events[0]).toEqual({ seq: 1, at: 1001, run: 'r1', node: 'a#1', body: bodies[0] });
    expect(events[3]).toEqual({ seq: 4, at: 1002, run: 'sub', body: { kind: 'run.done' } });
    expect([...store.events('r1', 2)].map((event) => event.seq)).toEqual([3, 4]);
    expect([...store.events('r1', 4)]).toEqual([]);
    expect([...store.events('nobody')]).toEqual([]);
  });

  it('tells a result that was kept with all of it, and under which key and in which worktree that was', () => {
    const { store } = make();
    const epoch = begin(store);
    const body = { kind: 'node.done', output: 'x', reads: { a: '1', b: '2' } } as const;
    const child = { kind: 'child.ended', outcome: { ok: 1 }, usage: { cost: 1 } } as const;
    const kept = [
      { ...body, from: 'kept', of: 1 },
      { ...body, from: 'kept', of: 1, key: 'k', reads: { a: '3' }, worktree: 'w' },
      { kind: 'node.done', output: 'x', from: 'kept', of: 1, key: 'k' },
      { ...child, from: 'kept', of: 2, worktree: 'w' },
    ] as const;
    const drafts = [body, child, ...kept].map((each) => ({ at: 1, run: 'r1', node: 'a#1', body: each }));
    store.write((w) => w.append('r1', epoch, drafts));
    expect([...store.events('r1', 2)].map((event) => event.body)).toEqual(kept);
    // As a fork writes it down.
    store.write((w) => w.append('r1', epoch, [...store.events('r1', 2)]));
    expect([...store.events('r1', 6)].map((event) => event.body)).toEqual(kept);
  });

  it('keeps the journals of two runs apart', () => {
    const { store } = make();
    begin(store, 'r1');
    begin(store, 'r2');
    store.write((w) => {
      w.append('r1', 1, [done('r1', 'a#1', 'one')]);
      w.append('r2', 1, [done('r2', 'b#1', 'two')]);
      w.append('r1', 1, [done('r1', 'c#1', 'three')]);
    });
    expect([...store.events('r1')].map(({ seq, node }) => [seq, node])).toEqual([
      [1, 'a#1'],
      [2, 'c#1'],
    ]);
    expect([...store.events('r2')].map(({ seq, node }) => [seq, node])).toEqual([[1, 'b#1']]);
  });

  it('reads many events, some of them large, while more are written', () => {
    const { store } = make();
    const epoch = begin(store);
    const large = 'x'.repeat(200_000);
    const drafts = Array.from({ length: 700 }, (_, i) => done('r1', `s${i}#1`, i % 100 === 0 ? large + i : `${i}`));
    store.write((w) => w.append('r1', epoch, drafts));
    let count = 0;
    for (const { seq, node, body } of store.events('r1')) {
      count += 1;
      expect(seq).toBe(count);
      if (count <= 700)
        expect({ node, body }).toEqual({ node: drafts[count - 1]?.node, body: drafts[count - 1]?.body });
      if (count === 300) store.write((w) => w.append('r1', epoch, [done('r1', 'late#1', 'late')]));
    }
    expect(count).toBe(701);
  });

  it('two readers of one journal do not disturb each other', () => {
    const { store } = make();
    const epoch = begin(store);
    store.write((w) =>
      w.append(
        'r1',
        epoch,
        Array.from({ length: 300 }, (_, i) => done('r1', `s${i}#1`, `${i}`)),
      ),
    );
    let pairs = 0;
    const second = store.events('r1')[Symbol.iterator]();
    for (const { seq } of store.events('r1')) if (second.next().value?.seq === seq) pairs += 1;
    expect(pairs).toBe(300);
  });

  it('keeps nothing of a transaction that throws', () => {
    const { store, connect } = make();
    const epoch = begin(store);
    store.write((w) => {
      w.post('r1', { at: 1, by: 'me', message: { kind: 'steer', message: 'a' } });
      w.addProcess('r1', { node: 'a#1', pid: 7, started: 's' });
    });
    const [item] = store.inbox('r1');
    const before = snapshot(store);
    expect(() =>
      store.write((w) => {
        w.addRun(runRow('r2'));
        w.updateRun('r1', { status: 'done', endedAt: 5, output: 'x'.repeat(100_000) });
        w.append('r1', epoch, [done('r1', 'a#1', 'y'.repeat(100_000))]);
        w.putBlob('blob');
        w.dropInbox('r1', epoch, [item?.id ?? 0]);
        w.post('r1', { at: 2, by: 'me', message: { kind: 'cancel', reason: 'b' } });
        w.takeLease('r2', other, undefined, 5);
        w.beat('r1', epoch, 99);
        w.dropProcess('r1', 7);
        w.addProcess('r1', { node: 'b#1', pid: 8, started: 's' });
        w.putCache(entry('k'));
        w.removeRun('r1');
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(snapshot(store)).toEqual(before);
    expect(snapshot(connect())).toEqual(before);
    expect(store.write((w) => w.append('r1', epoch, [done('r1', 'a#1', 'z')]))).toBe(1);
  });

  it('has one transaction at a time, that waits for no promise, and no writer outside of it', () => {
    const { store } = make();
    expect(() => store.write(() => store.write(() => {}))).toThrow('open already');
    expect(() => store.write(async (w) => w.addRun(runRow('r1')))).toThrow('promise');
    let kept: Writer | undefined;
    store.write((w) => {
      kept = w;
    });
    expect(() => kept?.addRun(runRow('r1'))).toThrow('outside of its transaction');
    expect(() => kept?.takeLease('r1', owner, undefined, 1)).toThrow('outside of its transaction');
    expect(store.runs()).toEqual([]);
  });

  it('sees its own writes inside of a transaction', () => {
    const { store } = make();
    store.write((w) => {
      w.addRun(runRow('r1'));
      expect(store.run('r1')).toEqual(runRow('r1'));
    });
  });

  it('keeps rows of runs field by field', () => {
    const { store } = make();
    const full: RunRow = {
      ...runRow('child', { root: 'r1', parent: 'r1', node: 'sub' }),
      file: '/p/a.toon',
      endedAt: 5,
      waiting: [{ node: 'publish', kind: 'approval', title: 'Publish?', since: 4, until: 9, hash: 'h' }],
      error: { code: 'code', message: 'm', retryable: false, causes: [{ code: 'x', message: 'y', retryable: true }] },
      output: { a: [1, 'two', null] },
      cost: 0.25,
      inputTokens: 10,
      outputTokens: 20,
    };
    store.write((w) => w.addRun(full));
    expect(store.run('child')).toEqual(full);
    store.write((w) => w.updateRun('child', { status: 'done', error: undefined, waiting: [], output: null }));
    const { error: _, ...rest } = full;
    expect(store.run('child')).toEqual({ ...rest, status: 'done', waiting: [], output: null });
    const large = { text: 'x'.repeat(300_000) };
    store.write((w) => w.updateRun('child', { output: large }));
    expect(store.run('child')?.output).toEqual(large);
    store.write((w) => w.updateRun('child', {}));
    expect(store.run('nobody')).toBeUndefined();
    expect(() => store.write((w) => w.updateRun('nobody', { status: 'done' }))).toThrow('there is no run nobody');
    expect(() => store.write((w) => w.addRun(full))).toThrow('the run child is there already');
  });

  it('lists runs newest first, by status, roots only, a few', () => {
    const { store } = make();
    store.write((w) => {
      w.addRun(runRow('r1', { status: 'done' }));
      w.addRun(runRow('r2', { startedAt: 1 }));
      w.addRun(runRow('r3', { root: 'r2', parent: 'r2', status: 'done' }));
    });
    store.write((w) => w.updateRun('r1', { updatedAt: 5000 }));
    const ids = (filter?: Parameters<Store['runs']>[0]) => store.runs(filter).map(({ id }) => id);
    expect(ids()).toEqual(['r3', 'r2', 'r1']);
    expect(ids({ status: 'done' })).toEqual(['r3', 'r1']);
    expect(ids({ status: 'done', roots: true })).toEqual(['r1']);
    expect(ids({ roots: true, limit: 1 })).toEqual(['r2']);
    expect(ids({ status: 'failed' })).toEqual([]);
    store.write((w) => w.addRun(runRow('r4', { forkOf: 'r2' })));
    expect(ids({ forkOf: 'r2' })).toEqual(['r4']);
    expect(ids({ forkOf: 'r4' })).toEqual([]);
    expect(store.runIds()).toEqual(['r1', 'r2', 'r3', 'r4']);
  });

  it('names the runs beside one, whatever the order in which they were added', () => {
    const { store } = make();
    expect(store.idsBeside('b')).toEqual([]);
    store.write((w) => {
      for (const id of ['c', 'a', 'e', 'b']) w.addRun(runRow(id));
    });
    expect(store.idsBeside('b')).toEqual(['a', 'c']);
    expect(store.idsBeside('a')).toEqual(['b']);
    expect(store.idsBeside('e')).toEqual(['c']);
    expect(store.idsBeside('d')).toEqual(['c', 'e']);
  });

  it('keeps a text by its hash, once', () => {
    const { store } = make();
    const [a, b, c] = store.write((w) => [w.putBlob('é\0🛠️'), w.putBlob('other'), w.putBlob('é\0🛠️')]);
    expect(a).toBe(c);
    expect(a).not.toBe(b);
    expect(store.blob(a ?? '')).toBe('é\0🛠️');
    expect(store.blob('nothing')).toBeUndefined();
  });

  it('an append under an old epoch throws and writes nothing', () => {
    const { store, connect } = make();
    const second = connect();
    expect(begin(store)).toBe(1);
    store.write((w) => w.append('r1', 1, [done('r1', 'a#1', 'one')]));
    expect(second.write((w) => w.takeLease('r1', other, 1, 2000))).toBe(2);
    const late = () =>
      store.write((w) => {
        w.updateRun('r1', { status: 'done' });
        w.append('r1', 1, [done('r1', 'a#1', 'two')]);
      });
    expect(late).toThrow(LeaseLost);
    expect(late).toThrow('the run r1 is driven by somebody else now');
    expect(thrownBy(late)).toMatchObject({ root: 'r1', by: other });
    expect(store.run('r1')?.status).toBe('running');
    expect([...store.events('r1')]).toHaveLength(1);
    expect(second.write((w) => w.append('r1', 2, [done('r1', 'b#1', 'two')]))).toBe(2);
    expect(() => store.write((w) => w.dropInbox('r1', 1, []))).toThrow(LeaseLost);
    expect(store.write((w) => w.beat('r1', 1, 1))).toBe(false);
    expect(store.write((w) => w.release('r1', 1))).toBe('lost');
    expect(store.lease('r1')).toEqual({ epoch: 2, owner: other, at: 2000 });
  });

  it('nothing is appended without a lease', () => {
    const { store } = make();
    store.write((w) => w.addRun(runRow('r1')));
    expect(() => store.write((w) => w.append('r1', 0, []))).toThrow(LeaseLost);
    const epoch = store.write((w) => w.takeLease('r1', owner, undefined, 1)) ?? 0;
    expect(store.write((w) => w.release('r1', epoch))).toBe('released');
    expect(thrownBy(() => store.write((w) => w.append('r1', epoch, [])))).toMatchObject({ by: undefined });
    expect(store.write((w) => [w.beat('r1', epoch, 1), w.release('r1', epoch)])).toEqual([false, 'lost']);
    expect(store.lease('r1')).toEqual({ epoch, at: 1 });
  });

  it('a lease is taken when it is free, or from the epoch that was seen, and from no other', () => {
    const { store } = make();
    const take = (from?: number) => store.write((w) => w.takeLease('r1', other, from, 7));
    expect(store.lease('r1')).toBeUndefined();
    expect(begin(store)).toBe(1);
    expect(take()).toBeUndefined();
    expect(take(0)).toBeUndefined();
    expect(take(2)).toBeUndefined();
    expect(store.lease('r1')).toEqual({ epoch: 1, owner, at: 1000 });
    expect(take(1)).toBe(2);
    expect(take(1)).toBeUndefined();
    expect(store.write((w) => w.beat('r1', 2, 50))).toBe(true);
    expect(store.lease('r1')).toEqual({ epoch: 2, owner: other, at: 50 });
    expect(store.write((w) => w.release('r1', 2))).toBe('released');
    expect(take()).toBe(3);
  });

  it('a lease stays while the inbox holds something', () => {
    const { store, connect } = make();
    const epoch = begin(store);
    const message = { kind: 'decide', node: 'publish', hash: 'h', approved: true, note: 'ok' } as const;
    connect().write((w) => w.post('r1', { at: 5, by: 'ann', message }));
    expect(store.write((w) => w.release('r1', epoch))).toBe('kept');
    expect(store.lease('r1')?.owner).toEqual(owner);
    const [item] = store.inbox('r1');
    expect(item).toEqual({ id: item?.id, at: 5, by: 'ann', message });
    const left = store.write((w) => {
      w.dropInbox('r1', epoch, [item?.id ?? 0]);
      return w.release('r1', epoch);
    });
    expect(left).toBe('released');
    expect(store.inbox('r1')).toEqual([]);
  });

  it('the inbox keeps the order of what was posted, apart for each run, and never uses an id again', () => {
    const { store } = make();
    begin(store, 'r1');
    begin(store, 'r2');
    const post = (root: string, reason: string) =>
      store.write((w) => w.post(root, { at: 1, by: 'me', message: { kind: 'cancel', reason } }));
    for (const reason of ['a', 'b', 'c']) post('r1', reason);
    post('r2', 'd');
    const reasons = () => store.inbox('r1').map(({ message }) => message.kind === 'cancel' && message.reason);
    expect(reasons()).toEqual(['a', 'b', 'c']);
    const ids = store.inbox('r1').map(({ id }) => id);
    // Of another run: it stays.
    store.write((w) => w.dropInbox('r1', 1, [...ids, store.inbox('r2')[0]?.id ?? 0]));
    expect(store.inbox('r2')).toHaveLength(1);
    store.write((w) => w.dropInbox('r2', 1, [store.inbox('r2')[0]?.id ?? 0]));
    post('r1', 'e');
    expect(reasons()).toEqual(['e']);
    expect(store.inbox('r1')[0]?.id).toBeGreaterThan(Math.max(...ids));
    expect(() => post('nobody', 'x')).toThrow('there is no root run nobody');
  });

  it('keeps the processes of a run', () => {
    const { store } = make();
    store.write((w) => {
      w.addProcess('r1', { node: 'b#1', pid: 20, started: 's1' });
      w.addProcess('r1', { node: 'a#1', pid: 10, started: 's2' });
      w.addProcess('r2', { node: 'a#1', pid: 10, started: 's3' });
      w.addProcess('r1', { node: 'c#1', pid: 20, started: 's4' });
    });
    expect(store.processes('r1')).toEqual([
      { node: 'a#1', pid: 10, started: 's2' },
      { node: 'c#1', pid: 20, started: 's4' },
    ]);
    store.write((w) => w.dropProcess('r1', 10));
    expect(store.processes('r1').map(({ pid }) => pid)).toEqual([20]);
    expect(store.processes('r2')).toHaveLength(1);
  });

  it('gives what a run is resumed from without the events of children, over many pages', () => {
    const { store } = make();
    const epoch = begin(store);
    const events: EventDraft[] = [];
    for (let i = 0; i < 300; i++) {
      events.push(
        { at: 1001, run: 'r1', node: `s${i}`, body: { kind: 'child.started' } },
        done('r1', `s${i}`, 'child.'),
      );
      events.push({ at: 1001, run: 'r1', node: `s${i}`, body: { kind: 'child.ended', outcome: { ok: 'x' } } });
    }
    const large = 'x'.repeat(100_000);
    events.push({ at: 1001, run: 'r1', node: 'large', body: { kind: 'child.ended', outcome: { ok: large } } });
    events.push(done('r1', 'large', large));
    store.write((w) => w.append('r1', epoch, events));
    const wanted = [...store.events('r1')].filter(({ body }) => body.kind === 'node.done');
    expect([...store.replayed('r1')].filter(({ body }) => body.kind === 'node.done')).toEqual(wanted);
    expect(wanted).toHaveLength(301);
    const small = [...store.replayed('r1')].filter(({ body }) => body.kind.startsWith('child.'));
    // One that is too large for its row may still be there: whoever replays looks over it.
    expect(small.every(({ node }) => node === 'large')).toBe(true);
  });

  it('tells whoever resumes a run that it was begun, also where only children were', () => {
    const { store } = make();
    const epoch = begin(store);
    const child = { at: 1001, run: 'r1', node: 's', body: { kind: 'child.started' } } as const;
    store.write((w) => w.append('r1', epoch, [done('r1', 'a#1', 'first'), child, child]));
    expect([...store.replayed('r1')].map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('knows when another connection has written, and does not mean its own writes', () => {
    const { store, connect } = make();
    const second = connect();
    const isNews = [store, second].map(watched);
    const look = () => isNews.map((each) => each());
    expect(look()).toEqual([false, false]);
    begin(store);
    expect(look()).toEqual([false, true]);
    expect(look()).toEqual([false, false]);
    second.write((w) => w.addRun(runRow('r2')));
    begin(store, 'r3');
    expect(look()).toEqual([true, true]);
    second.runs();
    expect(look()).toEqual([false, false]);
  });

  it('knows when something was posted through itself, however many look', () => {
    const { store, connect } = make();
    begin(store);
    const looks = [store, store, connect()].map(watched);
    store.write((w) => w.post('r1', { at: 1, by: 'me', message: { kind: 'cancel', reason: 'x' } }));
    expect(looks.map((isNews) => isNews())).toEqual([true, true, true]);
    expect(looks.map((isNews) => isNews())).toEqual([false, false, false]);
  });

  it('what one connection has written the other reads', () => {
    const { store, connect } = make();
    begin(store);
    store.write((w) => w.append('r1', 1, [done('r1', 'a#1', 'one')]));
    expect(snapshot(connect())).toEqual(snapshot(store));
  });

  it('gives a kept result to whoever has its key, and of two the last', () => {
    const { store, connect } = make();
    const large = entry('k2', { output: 'é'.repeat(100_000) });
    const { output: _, ...nothing } = entry('k3');
    store.write((w) => {
      for (const each of [entry('k1'), large, nothing]) w.putCache(each);
    });
    const second = connect();
    expect(second.cached('k1')).toEqual(entry('k1'));
    expect(second.cached('k2')).toEqual(large);
    expect(second.cached('k3')).toEqual(nothing);
    expect(second.cached('k4')).toBeUndefined();
    second.write((w) => w.putCache(entry('k1', { run: 'r2', output: null })));
    expect(store.cached('k1')).toEqual(entry('k1', { run: 'r2', output: null }));
    expect(store.cacheEntries()).toHaveLength(3);
  });

  it('lists what is kept, the newest first, and drops what a filter means', () => {
    const { store } = make();
    store.write((w) => {
      w.putCache(entry('a', { at: 1 }));
      w.putCache(entry('b', { at: 3, step: 'brief/draft', output: 'é' }));
      w.putCache(entry('c', { at: 2, workflow: 'other', step: 'redraft' }));
    });
    const keys = (filter = {}) => store.cacheEntries(filter).map(({ key }) => key);
    expect(keys()).toEqual(['b', 'c', 'a']);
    expect(store.cacheEntries()[0]).toEqual({
      key: 'b',
      workflow: 'notes',
      step: 'brief/draft',
      run: 'r1',
      at: 3,
      size: 4,
    });
    expect(keys({ step: 'draft' })).toEqual(['b', 'a']);
    expect(keys({ step: 'brief/draft' })).toEqual(['b']);
    expect(keys({ step: 'aft' })).toEqual([]);
    expect(keys({ workflow: 'notes' })).toEqual(['b', 'a']);
    expect(keys({ workflow: 'notes', before: 3 })).toEqual(['a']);
    const drop = (filter = {}) => store.write((w) => w.dropCache(filter));
    expect(drop({ step: 'nothing' })).toBe(0);
    expect(drop({ before: 2 })).toBe(1);
    expect(drop({ workflow: 'other' })).toBe(1);
    expect(keys()).toEqual(['b']);
    expect(drop()).toBe(1);
    expect(keys()).toEqual([]);
  });

  it('names the root runs that have ended, the last first', () => {
    const { store } = make();
    store.write((w) => {
      w.addRun(runRow('r1', { status: 'failed', endedAt: 7, file: '/f.toon' }));
      w.addRun(runRow('r2', { status: 'done', endedAt: 9, output: 'x' }));
      w.addRun(runRow('r3', { status: 'waiting' }));
      w.addRun(runRow('r4', { root: 'r1', parent: 'r1', status: 'done', endedAt: 6 }));
      w.addRun(runRow('r5', { status: 'done', endedAt: 7 }));
      w.addRun(runRow('r6', { status: 'done', endedAt: 8 }));
      w.addRun(runRow('r7', { status: 'waiting', forkOf: 'r6' }));
      w.addRun(runRow('r8', { status: 'done', endedAt: 5, forkOf: 'r1' }));
    });
    expect(store.ended()).toEqual([
      { id: 'r2', name: 'notes', endedAt: 9 },
      { id: 'r5', name: 'notes', endedAt: 7 },
      { id: 'r1', name: 'notes', endedAt: 7, file: '/f.toon' },
      { id: 'r8', name: 'notes', endedAt: 5 },
    ]);
    store.write((w) => w.updateRun('r7', { status: 'done', endedAt: 10 }));
    expect(store.ended().map(({ id }) => id)).toEqual(['r7', 'r2', 'r6', 'r5', 'r1', 'r8']);
  });

  it('removes a run that has ended with all that belongs to it, and nothing else', () => {
    const { store, connect } = make();
    for (const id of ['r1', 'r2']) {
      begin(store, id);
      store.write((w) => {
        w.append(id, 1, [done(id, 'a#1', id), done(`${id}s`, 's/a#1', id)]);
        w.addRun(runRow(`${id}s`, { root: id, parent: id, node: 's' }));
        w.post(id, { at: 1, by: 'me', message: { kind: 'steer', message: 'a' } });
        w.addProcess(id, { node: 'a#1', pid: 7, started: 's' });
        w.putCache(entry(id, { run: id }));
      });
    }
    const other = JSON.stringify(snapshotOf(store, 'r2'));
    const remove = (id: string) => store.write((w) => w.removeRun(id));
    expect(remove('r1')).toBe(false);
    store.write((w) => {
      w.updateRun('r1', { status: 'done', endedAt: 5 });
      w.updateRun('r1s', { status: 'done', endedAt: 5 });
    });
    expect(['r1s', 'r0', 'r2'].map(remove)).toEqual([false, false, false]);
    expect(remove('r1')).toBe(true);
    expect(remove('r1')).toBe(false);
    const second = connect();
    expect(second.runIds()).toEqual(['r2', 'r2s']);
    expect(JSON.stringify(snapshotOf(second, 'r1'))).toBe(JSON.stringify({ events: [], inbox: [], processes: [] }));
    expect(JSON.stringify(snapshotOf(second, 'r2'))).toBe(other);
    expect(second.cached('r1')).toEqual(entry('r1', { run: 'r1' }));
  });

  it('sweeps the blobs that no run, event or kept result names', () => {
    const { store } = make();
    const start = (plan: string, input: string) => ({
      at: 1,
      run: 'r',
      body: { kind: 'run.started' as const, name: 'n', plan, source: plan, input, machine: 1, models: {} },
    });
    const large = (text: string) => text.repeat(100_000);
    const [shared = '', own = '', inside = ''] = store.write((w) =>
      ['shared', 'own', 'inside'].map((t) => w.putBlob(t)),
    );
    for (const id of ['r1', 'r2']) {
      begin(store, id);
      store.write((w) => {
        w.append(id, 1, [
          start(shared, ''),
          start(id === 'r1' ? own : inside, large(id)),
          done(id, 'a#1', large(`${id}-`)),
        ]);
        w.updateRun(id, { status: 'done', endedAt: 5, output: large(`${id}=`) });
      });
    }
    store.write((w) => w.putCache(entry('k', { output: large('k') })));
    expect(store.sweep()).toBe(0);
    const before = JSON.stringify([...store.events('r2')]);
    store.write((w) => w.removeRun('r1'));
    expect(store.sweep()).toBeGreaterThan(0);
    expect(store.sweep()).toBe(0);
    expect([shared, own, inside].map((hash) => store.blob(hash))).toEqual(['shared', undefined, 'inside']);
    expect(JSON.stringify([...store.events('r2')])).toBe(before);
    expect(store.run('r2')?.output).toBe(large('r2='));
    expect(store.cached('k')?.output).toBe(large('k'));
    store.write((w) => {
      w.removeRun('r2');
      w.dropCache({});
    });
    store.sweep();
    expect([shared, inside].map((hash) => store.blob(hash))).toEqual([undefined, undefined]);
  });

  it('can be opened and read while another one writes', () => {
    const { store, connect } = make();
    begin(store);
    store.write((w) => {
      w.updateRun('r1', { status: 'done' });
      const second = connect();
      expect(second.runIds()).toEqual(['r1']);
      expect(second.cacheEntries()).toEqual([]);
    });
  });

  it('is of no use after it was closed', () => {
    const { store, connect } = make();
    begin(store);
    store.close();
    store.close();
    expect(() => store.runs()).toThrow('closed');
    expect(() => store.write(() => {})).toThrow('closed');
    expect(() => [...store.events('r1')]).toThrow('closed');
    expect(connect().runIds()).toEqual(['r1']);
  });
}

function snapshotOf(store: Store, root: string): unknown {
  return {
    run: store.run(root),
    events: [...store.events(root)],
    lease: store.lease(root),
    inbox: store.inbox(root),
    processes: store.processes(root),
  };
}

export function snapshot(store: Store): unknown {
  const roots = store.runIds();
  return {
    cache: store.cacheEntries(),
    runs: store.runs(),
    events: roots.map((root) => [...store.events(root)]),
    leases: roots.map((root) => store.lease(root)),
    inbox: roots.map((root) => store.inbox(root)),
    processes: roots.map((root) => store.processes(root)),
  };
}

export function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
