/** Machines inside of machines: what stands where, and what is told when. */
import { describe, expect, test } from 'vitest';
import type { Json } from './json.ts';
import type { Command, End, Fact, Machine, MakeMachine } from './machine.ts';
import { createNest, type Emission } from './nest.ts';

const signal: Command = { op: 'signal', id: 'ask', kind: 'approval', request: { title: 'Go?' } };
const failing = (id: string): Command => ({ op: 'child', id, ref: { kind: 'failing' }, input: null, key: id });

/** `failing` ends as soon as it starts; the root takes everything back when a child fails. */
function makerOf(commands: readonly Command[]): MakeMachine {
  const ended: Machine = {
    start: () => [],
    deliver: () => [],
    end: { err: { code: 'x', message: '', retryable: false } },
  };
  return (ref) => {
    if (ref.kind === 'failing') return ended;
    const open = new Set(commands.flatMap((command) => ('id' in command ? [command.id] : [])));
    const recalled = new Set<string>();
    return {
      start: () => commands,
      deliver(fact: Fact): Command[] {
        open.delete(fact.id);
        const targets = [...open].filter((id) => !recalled.has(id));
        for (const id of targets) recalled.add(id);
        return targets.map((target) => ({ op: 'cancel', target }));
      },
      get end() {
        return open.size === 0 ? { none: true as const } : undefined;
      },
    };
  };
}

test('what is emitted beside a child that ends at once can be cancelled by what it caused', () => {
  const nest = createNest({ make: makerOf([failing('a'), signal]), ref: { kind: 'root' }, runId: 'r', input: null });
  const said = nest.start(1).map((each) => (each.kind === 'effect' ? `${each.effect.op}` : each.kind));
  expect(said).toEqual(['child', 'signal', 'end', 'cancel']);
});

test('children that end at once together are told one after the other', () => {
  const nest = createNest({
    make: makerOf([failing('a'), failing('b')]),
    ref: { kind: 'root' },
    runId: 'r',
    input: null,
  });
  expect(nest.start(1).map(({ kind }) => kind)).toEqual(['child', 'child', 'end', 'end']);
  expect(nest.end()).toEqual({ none: true });
});

test('what is emitted beside a child can be cancelled by what a child of that caused at once', () => {
  const failed = { err: { code: 'x', message: '', retryable: false } };
  const run = runOf({
    root: { start: [child('a'), ask('q')], 'a!': [{ op: 'cancel', target: 'q' }] },
    a: { start: [child('a/b')], 'a/b!': failed },
    'a/b': { start: failed },
  });
  expect(run.first).toEqual(['child a', 'child a/b', 'end a/b', 'signal q', 'end a', 'cancel q']);
});

test('children that end or rest one after the other nest no calls', () => {
  const many = 5_000;
  const root: Script = { start: [limited('0')] };
  const scripts: Record<string, Script> = { root };
  for (let i = 0; i < many; i++) {
    scripts[i] = i % 2 === 0 ? { start: [ask(`${i}/q`)] } : { start: { none: true } };
    root[i % 2 === 0 ? `@rest ${i}` : String(i)] = i + 1 < many ? [limited(String(i + 1))] : [];
  }
  expect(runOf(scripts).first.filter((said) => said.startsWith('child'))).toHaveLength(many);
});

describe('a child in which all wait', () => {
  test('M4 rests: its parent is told in the same step, and may begin something else', () => {
    const run = runOf({
      root: { start: [limited('a')], '@rest a': [step('b')] },
      a: { start: [step('a/x')], 'a/x': [ask('a/q'), wait('a/t')] },
    });
    expect(run.first).toEqual(['child a', 'step a/x']);
    expect(run.give('a/x')).toEqual(['signal a/q', 'timer a/t', 'step b']);
  });

  test('M4 what it then wants to begin waits for its parent; what waits itself does not', () => {
    const run = runOf({
      root: { start: [limited('a')], b: [{ op: 'proceed', target: 'a' }] },
      a: { start: [ask('a/q')], 'a/q': [step('a/x'), ask('a/r')], 'a/r': [child('a/c'), wait('a/t')] },
      'a/c': { start: [step('a/c/y')] },
    });
    expect(run.told.root).toEqual(['@rest a']);
    expect(run.give('a/q')).toEqual(['signal a/r']);
    expect(run.give('a/r')).toEqual(['timer a/t']);
    // It asks once.
    expect(run.told.root).toEqual(['@rest a', '@wake a']);
    expect(run.tell('root', 'b')).toEqual(['step a/x', 'child a/c', 'step a/c/y']);
  });

  test('M4 goes on at once where no limit counts it', () => {
    const run = runOf({
      root: { start: [child('a')] },
      a: { start: [ask('a/q')], 'a/q': [step('a/x')] },
    });
    expect(run.give('a/q')).toEqual(['step a/x']);
    expect(run.told.root).toEqual([]);
  });

  test('M4 makes the one around it rest, which holds back what would let it go on', () => {
    const run = runOf({
      root: { start: [limited('a')], '@wake a': [{ op: 'proceed', target: 'a' }] },
      a: { start: [limited('a/b')], '@wake a/b': [{ op: 'proceed', target: 'a/b' }] },
      'a/b': { start: [child('a/b/c')] },
      'a/b/c': { start: [ask('q')], q: [step('x')], x: [ask('r')] },
    });
    expect(run.told).toEqual({ root: ['@rest a'], a: ['@rest a/b'], 'a/b': [], 'a/b/c': [] });
    expect(run.give('q')).toEqual(['step x']);
    expect(run.told.a).toEqual(['@rest a/b', '@wake a/b']);
    expect(run.told.root).toEqual(['@rest a', '@wake a']);
    run.give('x');
    expect(run.told.root).toEqual(['@rest a', '@wake a', '@rest a']);
  });

  test('M2 cancelled, what was held back has one fact each and never begins; then nothing is held back', () => {
    const run = runOf({
      root: { start: [limited('a')], stop: [{ op: 'cancel', target: 'a' }] },
      a: {
        start: [ask('a/q'), ask('a/r')],
        'a/q': [step('a/x'), child('a/y')],
        '@cancel parent': [
          { op: 'cancel', target: 'a/x' },
          { op: 'cancel', target: 'a/r' },
        ],
        'a/y!': [step('a/clean')],
        'a/clean': { cancelled: 'cancelled' },
      },
    });
    expect(run.give('a/q')).toEqual([]);
    expect(run.tell('root', 'stop')).toEqual(['cancel a/r', 'step a/clean']);
    expect(run.told.a).toEqual(['a/q', '@steer undefined', '@cancel parent', 'a/x!', 'a/y!']);
    run.give('a/r', true);
    expect(run.give('a/clean')).toEqual(['end a']);
    expect(run.told.root?.at(-1)).toBe('a!');
  });

  test('M5 beside a failure too, and its step that was begun is let be', () => {
    const run = runOf({
      root: {
        start: [limited('a'), limited('b')],
        stop: [
          { op: 'cancel', target: 'a', gently: true },
          { op: 'cancel', target: 'b', gently: true },
        ],
      },
      a: { start: [ask('a/q')], 'a/q': [step('a/x')], 'a/x!': { cancelled: 'cancelled' } },
      b: { start: [step('b/x')], '@stop parent': [{ op: 'cancel', target: 'b/x', gently: true }] },
    });
    run.give('a/q');
    expect(run.tell('root', 'stop')).toEqual(['end a']);
    expect(run.told.b).toEqual(['@steer undefined', '@stop parent']);
  });

  test('M5 what its machine takes back by itself never begins either, and it may end while it waits for a slot', () => {
    const run = runOf({
      root: { start: [limited('a')] },
      a: {
        start: [ask('a/q'), ask('a/r')],
        'a/q': [step('a/x')],
        'a/r': [{ op: 'cancel', target: 'a/x', gently: true }],
        'a/x!': { err: { code: 'x', message: '', retryable: false } },
      },
    });
    run.give('a/q');
    expect(run.give('a/r')).toEqual(['end a']);
    expect(run.told.root).toEqual(['@rest a', '@wake a', 'a!']);
  });
});

describe('one that rests around one that woke', () => {
  const inner: Record<string, Script> = {
    a: {
      start: [child('a/b')],
      'a/b!': [],
      '@cancel parent': [{ op: 'cancel', target: 'a/b' }],
    },
    'a/b': {
      start: [ask('q'), ask('r')],
      q: [step('x')],
      r: [{ op: 'cancel', target: 'x', gently: true }],
      'x!': { cancelled: 'cancelled' },
    },
  };

  test('M2 cancelled, lets nothing go on any more', () => {
    const run = runOf({ root: { start: [limited('a')], stop: [{ op: 'cancel', target: 'a' }] }, ...inner });
    expect(run.give('q')).toEqual([]);
    expect(run.told.root).toEqual(['@rest a', '@wake a']);
    expect(run.tell('root', 'stop')).toEqual(['end a/b']);
  });

  test('M4 lets nothing go on that has ended meanwhile', () => {
    const run = runOf({ root: { start: [limited('a')], go: [{ op: 'proceed', target: 'a' }] }, ...inner });
    run.give('q');
    expect(run.give('r')).toEqual(['end a/b']);
    expect(run.tell('root', 'go')).toEqual([]);
    expect(run.told.root).toEqual(['@rest a', '@wake a', '@rest a']);
  });
});

test('a cancelled child says why only where there is more to say', () => {
  const run = runOf({
    root: { start: [child('a'), child('b')] },
    a: { start: [step('a/x')], 'a/x': { cancelled: 'cancelled' } },
    b: { start: [step('b/x')], 'b/x': { cancelled: 'too slow' } },
  });
  run.give('a/x');
  run.give('b/x');
  expect(run.errors).toEqual(['it was cancelled', 'it was cancelled: too slow']);
});

/** What a machine does, by what it is told: `start`, the id of a fact, `id!` for an error, `@rest child`. */
type Script = Record<string, readonly Command[] | End>;

function child(id: string): Command {
  return { op: 'child', id, ref: { kind: id }, input: null, key: id };
}

function limited(id: string): Command {
  return { op: 'child', id, ref: { kind: id }, input: null, key: id, limited: true };
}

function step(id: string): Command {
  return { op: 'step', id, spec: { kind: 'test' }, args: null, key: id };
}

function ask(id: string): Command {
  return { op: 'signal', id, kind: 'approval', request: null };
}

function wait(id: string): Command {
  return { op: 'timer', id, ms: 1 };
}

/** `tell` says something to a machine that is no fact of the run: the nest takes what follows as that machine's. */
function runOf(scripts: Readonly<Record<string, Script>>) {
  const told: Record<string, string[]> = {};
  const errors: string[] = [];
  let extra: { readonly to: string; readonly word: string } | undefined;
  const make: MakeMachine = ({ kind }) => {
    const script = scripts[kind] ?? {};
    const heard: string[] = [];
    told[kind] = heard;
    let end: End | undefined;
    const say = (word: string): readonly Command[] => {
      const answer = script[word] ?? [];
      if ('length' in answer) return answer;
      end = answer;
      return [];
    };
    return {
      start: () => say('start'),
      deliver(fact) {
        if (fact.id === '@steer' && extra?.to === kind) return say(extra.word);
        const word = wordOf(fact);
        heard.push(word);
        if ('err' in fact) errors.push(fact.err.message);
        return say(word);
      },
      get end() {
        return end;
      },
    };
  };
  const nest = createNest({ make, ref: { kind: 'root' }, runId: 'r', input: null });
  return {
    told,
    errors,
    first: nest.start(1).map(saidBy),
    give(id: string, isCancelled = false): string[] {
      const err = { code: 'cancelled', message: 'it was cancelled', retryable: false };
      return nest.deliver(isCancelled ? { id, at: 2, err } : { id, at: 2, ok: null }).map(saidBy);
    },
    tell(to: 'root', word: string): string[] {
      extra = { to, word };
      return nest.deliver({ id: '@steer', at: 2, ok: null }).map(saidBy);
    },
  };
}

function wordOf(fact: Fact): string {
  if ('err' in fact) return `${fact.id}!`;
  if (!fact.id.startsWith('@') || !('ok' in fact)) return fact.id;
  const said = (fact.ok ?? {}) as string | { readonly by?: Json };
  return `${fact.id} ${typeof said === 'string' ? said : said.by}`;
}

function saidBy(emission: Emission): string {
  if (emission.kind === 'child') return `child ${emission.child.command.id}`;
  if (emission.kind === 'end') return `end ${emission.end.id}`;
  if (emission.kind === 'given') return `given ${emission.command.id}`;
  const { effect } = emission;
  return `${effect.op} ${effect.op === 'cancel' ? effect.target : effect.id}`;
}

test('every machine is told when it was begun, and when the run was, which may be long before', () => {
  const told: [string, number, number | undefined][] = [];
  const make = (starts: Readonly<Record<string, readonly Command[]>>): MakeMachine => {
    return (_, { path, at, runAt }) => {
      told.push([path, at, runAt]);
      return { start: () => starts[path] ?? [], deliver: () => [{ ...failing('b') }], end: undefined };
    };
  };
  const later = createNest({ make: make({ '': [signal] }), ref: { kind: 'r' }, runId: 'r', input: null, runAt: 5 });
  later.start(10);
  later.deliver({ id: 'ask', at: 20, ok: null });
  createNest({ make: make({ '': [failing('a')] }), ref: { kind: 'r' }, runId: 'r', input: null }).start(30);
  expect(told).toEqual([
    ['', 10, 5],
    ['b', 20, 5],
    ['', 30, 30],
    ['a', 30, 30],
  ]);
});
