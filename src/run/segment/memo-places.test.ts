/** Which results of worktrees may be kept, as far as files go. */
import { describe, expect, it } from 'vitest';
import type { EventBody, JournalEvent } from '../../journal/index.ts';
import type { ChildCommand, StepCommand } from '../../machine/index.ts';
import { createPlaces, type Places } from './memo-places.ts';

interface Tree {
  readonly branch?: string;
  readonly base?: string;
  readonly around?: string;
  readonly path?: string;
}

/** Writes a journal; the names of results are those of their steps. */
function journal() {
  const events: JournalEvent[] = [];
  const seqs = new Map<string, number>();
  const push = (body: object, node?: string) => {
    const seq = events.length + 1;
    events.push({ seq, at: 0, run: 'r', body: body as EventBody, ...(node !== undefined && { node }) });
    return seq;
  };
  push({ kind: 'run.started' });
  const write = {
    events,
    seq: (name: string) => seqs.get(name) ?? 0,
    edit: () => void push({ kind: 'segment.opened', why: 'edit' }),
    add(name: string, { path = `../${name}`, around, ...asked }: Tree = {}) {
      push({ kind: 'worktree.added', path, commit: 'c', asked, ...(around && { around }) }, `${name}.add`);
    },
    remove(name: string, kept?: string) {
      push({ kind: 'worktree.removed', path: `../${name}`, ...(kept && { kept }) }, `${name}.remove`);
    },
    begin: (name: string, worktree?: string) =>
      void push({ kind: 'node.started', key: name, ...(worktree && { worktree }) }, `${name}#1`),
    end: (name: string) => void seqs.set(name, push({ kind: 'node.done' }, `${name}#1`)),
    fail: (name: string) => void push({ kind: 'node.failed' }, `${name}#1`),
    done(name: string, worktree?: string) {
      write.begin(name, worktree);
      write.end(name);
    },
    keep: (name: string, worktree: string) =>
      void push({ kind: 'node.done', from: 'kept', of: seqs.get(name), worktree }, `${name}#1`),
    thunk: (name: string, worktree: string) => void push({ kind: 'child.started', key: name, worktree }, `${name}#1`),
    thunkEnd(name: string, outcome: object = { ok: 1 }) {
      seqs.set(name, push({ kind: 'child.ended', outcome }, `${name}#1`));
    },
    call(name: string, n: number, worktree: string) {
      push({ kind: 'node.started', key: name, worktree }, `${name}#1/model#${n}`);
      seqs.set(`${name}/${n}`, push({ kind: 'model.answered' }, `${name}#1/model#${n}`));
    },
  };
  return write;
}

type Journal = ReturnType<typeof journal>;

const stepOf = (id: string, worktree?: string): StepCommand => ({
  op: 'step',
  id,
  spec: { kind: 'run' },
  args: null,
  key: '',
  ...(worktree !== undefined && { worktree }),
});
const addOf = (name: string, { path = `../${name}`, around, branch, base }: Tree = {}): StepCommand => ({
  ...stepOf(`${name}.add`, around),
  spec: { kind: 'worktree', action: 'add', node: name, path, ...(branch && { branch }), ...(base && { base }) },
});
const removeOf = (name: string): StepCommand => ({
  ...stepOf(`${name}.remove`),
  spec: { kind: 'worktree', action: 'remove', node: name },
});

/** What is asked for now. Each `try` says whether it is kept. */
function now(before: Journal) {
  before.edit();
  const places: Places = createPlaces();
  for (const event of before.events) places.look(event);
  return {
    places,
    add: (name: string, tree?: Tree) => places.missed(addOf(name, tree)),
    remove: (name: string) => places.missed(removeOf(name)),
    anew: (name: string, worktree?: string) => places.missed(stepOf(`${name}#1`, worktree)),
    try(name: string, worktree?: string, anyhow?: boolean) {
      const command = stepOf(`${name}#1`, worktree);
      const isKept = places.mayKeep(command, before.seq(name), anyhow);
      if (isKept) places.kept(command, before.seq(name));
      else places.missed(command);
      return isKept;
    },
  };
}

/** Steps one after the other in a worktree. */
function abc(tree: Tree = {}): Journal {
  const past = journal();
  past.add('w', tree);
  for (const name of ['a', 'b', 'c']) past.done(name, 'w');
  past.remove('w');
  return past;
}

describe('a result in a worktree', () => {
  it('is kept with all that came before it', () => {
    const run = now(abc());
    run.add('w');
    expect(['a', 'b', 'c'].map((name) => run.try(name, 'w'))).toEqual([true, true, true]);
  });

  it('is not kept behind what is done anew, nor where one before it is gone or comes later', () => {
    const edited = now(abc());
    edited.add('w');
    edited.anew('a', 'w');
    expect(['b', 'c'].map((name) => edited.try(name, 'w'))).toEqual([false, false]);
    const removed = now(abc());
    removed.add('w');
    expect(['a', 'c'].map((name) => removed.try(name, 'w'))).toEqual([true, false]);
    const swapped = now(abc());
    swapped.add('w');
    expect(['b', 'a'].map((name) => swapped.try(name, 'w'))).toEqual([false, false]);
  });

  it('is kept where the worktree has another name or another folder, and not where it begins otherwise', () => {
    const renamed = now(abc());
    renamed.add('other');
    expect(['a', 'b'].map((name) => renamed.try(name, 'other'))).toEqual([true, true]);
    for (const tree of [{ branch: 'fix' }, { base: 'v1' }]) {
      const run = now(abc());
      run.add('w', tree);
      expect(run.try('a', 'w')).toBe(false);
    }
    const run = now(abc({ branch: 'fix', base: 'v1' }));
    run.add('w', { branch: 'fix', base: 'v1', path: '../elsewhere' });
    expect(run.try('a', 'w')).toBe(true);
  });

  it('is not kept outside, nor what was made outside in a worktree', () => {
    const past = abc();
    past.done('out');
    const run = now(past);
    run.add('w');
    expect(run.try('out', 'w')).toBe(false);
    expect(run.try('a')).toBe(false);
    expect(run.try('out')).toBe(true);
  });

  it('is not kept with what was done in another worktree', () => {
    const past = journal();
    past.add('one');
    past.done('a', 'one');
    past.add('two');
    past.done('x', 'two');
    const run = now(past);
    run.add('one');
    expect(['a', 'x'].map((name) => run.try(name, 'one'))).toEqual([true, false]);
  });

  it('of steps at the same time is kept in any order', () => {
    const past = journal();
    past.add('w');
    for (const name of ['a', 'b']) past.begin(name, 'w');
    for (const name of ['b', 'a']) past.end(name);
    past.done('c', 'w');
    for (const order of [
      ['a', 'b', 'c'],
      ['b', 'a', 'c'],
    ]) {
      const run = now(past);
      run.add('w');
      expect(order.map((name) => run.try(name, 'w'))).toEqual([true, true, true]);
    }
  });

  it('of steps at the same time is done again with those before it, as they are written, and not with those behind', () => {
    const past = journal();
    past.add('w');
    for (const name of ['a', 'b', 'c']) past.begin(name, 'w');
    for (const name of ['c', 'b', 'a']) past.end(name);
    const run = now(past);
    run.add('w');
    expect(run.try('a', 'w')).toBe(true);
    run.anew('b', 'w');
    expect(run.try('c', 'w')).toBe(false);
  });

  it('that was made without a step is not kept behind it, when that is there again', () => {
    const past = abc();
    past.edit();
    past.add('w');
    past.keep('a', 'w');
    const old = past.seq('c');
    past.done('c', 'w');
    const run = now(past);
    run.add('w');
    expect(['a', 'b', 'c'].map((name) => run.try(name, 'w'))).toEqual([true, true, false]);
    const again = now(past);
    again.add('w');
    for (const name of ['a', 'b']) again.try(name, 'w');
    expect(again.places.mayKeep(stepOf('c#1', 'w'), old)).toBe(true);
  });

  it('stays whatever was changed, where people say so, but not behind what is done anew', () => {
    const run = now(abc({ base: 'v1' }));
    run.add('w');
    expect(['a', 'c'].map((name) => run.try(name, 'w', true))).toEqual([true, true]);
    run.anew('d', 'w');
    expect(run.try('b', 'w', true)).toBe(false);
    const other = now(abc({ branch: 'one' }));
    other.add('w', { branch: 'two' });
    expect(other.try('a', 'w', true)).toBe(false);
  });

  it('that stayed so counts for what it was kept for', () => {
    const past = abc({ base: 'v1' });
    past.edit();
    past.add('w', { base: 'v2' });
    past.keep('a', 'w');
    past.keep('c', 'w');
    const run = now(past);
    run.add('w', { base: 'v2' });
    expect(['a', 'c'].map((name) => run.try(name, 'w'))).toEqual([true, true]);
  });

  it('does not depend on what failed there', () => {
    const past = journal();
    past.add('w');
    past.begin('a', 'w');
    past.fail('a');
    past.done('b', 'w');
    const run = now(past);
    run.add('w');
    expect(run.try('b', 'w')).toBe(true);
  });
});

describe('a branch', () => {
  it('is one place, whatever worktrees are on it', () => {
    const past = journal();
    past.add('one', { branch: 'fix' });
    past.done('a', 'one');
    past.remove('one');
    past.add('two', { branch: 'fix' });
    past.done('b', 'two');
    const kept = now(past);
    kept.add('one', { branch: 'fix' });
    expect(kept.try('a', 'one')).toBe(true);
    kept.add('two', { branch: 'fix' });
    expect(kept.try('b', 'two')).toBe(true);
    const edited = now(past);
    edited.add('one', { branch: 'fix' });
    edited.anew('a', 'one');
    edited.add('two', { branch: 'fix' });
    expect(edited.try('b', 'two')).toBe(false);
    const alone = now(past);
    alone.add('two', { branch: 'fix' });
    expect(alone.try('b', 'two')).toBe(false);
  });

  it('that is the base of another worktree counts there', () => {
    const past = journal();
    past.add('one', { branch: 'fix' });
    past.done('a', 'one');
    past.add('two', { base: 'fix' });
    past.done('b', 'two');
    const run = now(past);
    run.add('one', { branch: 'fix' });
    run.anew('a', 'one');
    run.add('two', { base: 'fix' });
    expect(run.try('b', 'two')).toBe(false);
    expect(run.places.namesOf(stepOf('b#1', 'two'))).toEqual(['worktree two', 'branch fix']);
  });
});

describe('a worktree in another one', () => {
  function nested(): Journal {
    const past = journal();
    past.add('outer');
    past.done('a', 'outer');
    past.add('inner', { around: 'outer' });
    past.done('look', 'inner');
    past.remove('inner');
    past.done('b', 'outer');
    return past;
  }

  it('begins with what has come there', () => {
    const kept = now(nested());
    kept.add('outer');
    kept.try('a', 'outer');
    kept.add('inner', { around: 'outer' });
    expect([kept.try('look', 'inner'), kept.try('b', 'outer')]).toEqual([true, true]);
    const edited = now(nested());
    edited.add('outer');
    edited.anew('a', 'outer');
    edited.add('inner', { around: 'outer' });
    expect(edited.try('look', 'inner')).toBe(false);
    const removed = now(nested());
    removed.add('outer');
    removed.add('inner', { around: 'outer' });
    expect(removed.try('look', 'inner')).toBe(false);
  });

  it('is not kept behind what came after it, nor outside of that', () => {
    const past = journal();
    past.add('outer');
    past.add('inner', { around: 'outer' });
    past.done('look', 'inner');
    past.remove('inner');
    past.done('b', 'outer');
    const swapped = now(past);
    swapped.add('outer');
    expect(swapped.try('b', 'outer')).toBe(true);
    swapped.add('inner', { around: 'outer' });
    expect(swapped.try('look', 'inner')).toBe(false);
    const out = now(past);
    out.add('inner');
    expect(out.try('look', 'inner')).toBe(false);
  });
});

describe('a prompt step', () => {
  const child = (name: string, worktree: string): ChildCommand => ({
    op: 'child',
    id: `${name}#1`,
    ref: { kind: 'thunk' },
    input: null,
    key: '',
    worktree,
  });

  it('counts for its calls when it has ended well', () => {
    const past = journal();
    past.add('w');
    past.thunk('p', 'w');
    past.call('p', 1, 'w');
    past.call('p', 2, 'w');
    past.thunkEnd('p');
    past.done('b', 'w');
    const run = now(past);
    run.add('w');
    expect(run.places.mayKeep(child('p', 'w'), past.seq('p'))).toBe(true);
    run.places.kept(child('p', 'w'), past.seq('p'));
    expect(run.try('b', 'w')).toBe(true);
  });

  it('that has not ended goes on from its calls', () => {
    const past = journal();
    past.add('w');
    past.thunk('p', 'w');
    past.call('p', 1, 'w');
    past.call('p', 2, 'w');
    const run = now(past);
    run.add('w');
    run.places.missed(child('p', 'w'));
    for (const n of [1, 2]) {
      const call = stepOf(`p#1/model#${n}`, 'w');
      expect(run.places.mayKeep(call, past.seq(`p/${n}`))).toBe(true);
      run.places.kept(call, past.seq(`p/${n}`));
    }
  });

  it('that failed has left nothing', () => {
    const past = journal();
    past.add('w');
    past.thunk('p', 'w');
    past.call('p', 1, 'w');
    past.thunkEnd('p', { err: { code: 'schema', message: '', retryable: false } });
    past.done('b', 'w');
    const run = now(past);
    run.add('w');
    expect(run.try('b', 'w')).toBe(true);
  });
});

it('the rounds of a loop that share a folder depend on each other where it was left', () => {
  for (const left of [undefined, 'it holds work that is not committed']) {
    const past = journal();
    past.add('lp[1]/w', { path: '../w' });
    past.done('lp[1]/a', 'lp[1]/w');
    past.remove('lp[1]/w', left);
    past.add('lp[2]/w', { path: '../w' });
    past.done('lp[2]/a', 'lp[2]/w');
    const run = now(past);
    run.add('lp[1]/w', { path: '../w' });
    run.anew('lp[1]/a', 'lp[1]/w');
    run.remove('lp[1]/w');
    run.add('lp[2]/w', { path: '../w' });
    expect(run.try('lp[2]/a', 'lp[2]/w')).toBe(left === undefined);
  }
});

it('a long worktree is gone through in no more than a moment', () => {
  const past = journal();
  past.add('w');
  const names = Array.from({ length: 5_000 }, (_, i) => `s${i}`);
  for (const name of names) past.done(name, 'w');
  const run = now(past);
  run.add('w');
  expect(names.every((name) => run.try(name, 'w'))).toBe(true);
});
