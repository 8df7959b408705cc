/** Results that runs share: hit, miss, cleared, crashed; on both stores. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createPromptThunk } from '../agent/index.ts';
import { createMemoryStore, openSqliteStore, type Store } from '../journal/index.ts';
import type { Json, Outcome, StepCommand } from '../machine/index.ts';
import { workflowMaker } from '../plan/machine/index.ts';
import { flow, planOf, prompt } from '../plan/plan-test-kit.ts';
import { createRedactor, realClock } from '../sys/index.ts';
import type { Execute } from './execute.ts';
import { thisMachine } from './lease.ts';
import { createResultCache } from './result-cache.ts';
import { createRun, driveRun, type NewRun, post, type RunEnd } from './runs.ts';
import { openSegment } from './segment/segment.ts';

const dir = mkdtempSync(join(tmpdir(), 'toolang-cache-'));
const opened: Store[] = [];
let files = 0;
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function sqlite(): Store {
  const store = openSqliteStore(join(dir, `${++files}`, 'runs.db'));
  opened.push(store);
  return store;
}

const cached = (by = '"{input.topic}"') => `    cache:\n      by: ${by}\n`;
const code = (id: string, more = '') => `  - id: ${id}\n    run: "return input.topic"\n    output: string\n${more}`;
const ask = '  - kind: approval\n    id: ok\n    request:\n      title: Go on?\n';

interface Going {
  readonly id: string;
  readonly end: RunEnd;
  /** The steps that were begun this time. */
  readonly begun: readonly string[];
}

interface Wish extends Partial<Pick<NewRun, 'file' | 'script' | 'replies' | 'models'>> {
  readonly topic?: string;
  readonly answer?: (command: StepCommand) => Outcome | Promise<Outcome>;
  readonly secret?: string;
}

const machine = thisMachine();

/** Begins a run and drives it. */
async function begin(store: Store, text: string, wish: Wish = {}): Promise<Going> {
  const { topic = 'tea', answer: _, secret: __, ...more } = wish;
  const plan = await planOf(text);
  const run = { plan, input: { topic }, source: text, file: '/flows/flow.toon', replies: new Map(), ...more };
  const { id, epoch } = createRun(store, run, machine, realClock);
  return go(store, id, wish, epoch);
}

async function go(store: Store, id: string, { answer, secret }: Wish = {}, epoch?: number): Promise<Going> {
  const begun: string[] = [];
  const execute: Execute = async (command) => {
    begun.push(command.id);
    const usual = command.spec.kind === 'model' ? { text: '"fresh"' } : `${id} ${command.id}`;
    return { outcome: (await answer?.(command)) ?? { ok: usual } };
  };
  const end = await driveRun({
    store,
    root: id,
    ...(epoch !== undefined && { epoch }),
    machine,
    clock: realClock,
    ...(secret !== undefined && { redactor: createRedactor([{ name: 'KEY', value: secret }]) }),
    machines: ({ plan }) => {
      const workflows = workflowMaker(plan);
      const make: typeof workflows = (ref, init) => (ref.kind === 'thunk' ? createPromptThunk : workflows)(ref, init);
      return { make, ref: { kind: 'workflow', plan: '' } };
    },
    executors: () => ({ executors: { run: execute, model: execute }, close: async () => undefined }),
    cacheOf: (run) => createResultCache(store, run, dirname(run.row.file ?? '/')),
  });
  return { id, end, begun };
}

const output = (store: Store, { id }: Going): Json | undefined => store.run(id)?.output;
const told = (store: Store, { id }: Going) =>
  [...store.events(id)].flatMap(({ node, body }) => (node === undefined ? [] : [`${body.kind} ${node}`]));

describe.each([
  ['memory', createMemoryStore as () => Store],
  ['SQLite', sqlite],
] as const)('with the store in %s', (_, make) => {
  it('a later run takes what an earlier one has kept, and tells whose it is', async () => {
    const store = make();
    const text = flow(code('a', cached()) + code('b'));
    const first = await begin(store, text);
    expect(first.begun).toEqual(['a#1', 'b#1']);
    const second = await begin(store, text);
    expect(second.begun).toEqual(['b#1']);
    const [taken] = [...store.events(second.id)].filter(({ node }) => node === 'a#1');
    expect(taken?.body).toMatchObject({
      kind: 'node.done',
      output: `${first.id} a#1`,
      from: 'cache',
      origin: first.id,
    });
    expect(told(store, second)).toEqual(['node.done a#1', 'node.started b#1', 'node.done b#1']);
    expect(store.cacheEntries()).toMatchObject([{ workflow: 'flow', step: 'a', run: first.id }]);
  });

  it.each([
    ['cannot be read', (): Json => JSON.parse('{bad')],
    ['does not fit what the step gives', (): Json => 7],
  ])('what %s is none: the step is done, and its result takes the place', async (_, damaged) => {
    const whole = make();
    const text = flow(code('a', cached()));
    const first = await begin(whole, text);
    const store = {
      ...whole,
      cached(key: string) {
        const entry = whole.cached(key);
        return entry?.run === first.id ? { ...entry, output: damaged() } : entry;
      },
    };
    const second = await begin(store, text);
    expect(second.begun).toEqual(['a#1']);
    expect(output(store, second)).toBe(`${second.id} a#1`);
    const third = await begin(store, text);
    expect(third.begun).toEqual([]);
    expect(output(store, third)).toBe(`${second.id} a#1`);
  });

  it('also of a prompt, with all that it would have asked', async () => {
    const store = make();
    const text = flow(prompt('a', 'About {input.topic}', cached()));
    const answer = () => ({ ok: { text: '{"text": "fresh"}' } });
    const first = await begin(store, text, { answer });
    expect(output(store, first)).toEqual({ text: 'fresh' });
    expect(first.begun).toHaveLength(1);
    const second = await begin(store, text, { answer });
    expect(second.begun).toEqual([]);
    expect(output(store, second)).toEqual({ text: 'fresh' });
    expect(told(store, second)).toEqual(['node.done a#1']);
    expect(store.run(second.id)).toMatchObject({ status: 'done' });
  });

  it('what is cleared while a run waits stays what that run took', async () => {
    const store = make();
    const text = flow(
      `${code('a', cached())}${ask}  - id: z\n    run: "return a + ok.decidedBy"\n    output: string\n`,
    );
    const first = await begin(store, text);
    const second = await begin(store, text);
    expect(second).toMatchObject({ begun: [], end: { kind: 'waiting' } });
    store.write((w) => w.dropCache({}));
    store.sweep();
    const hash = store.run(second.id)?.waiting?.[0]?.hash ?? '';
    const message = { kind: 'decide', node: 'ok', hash, approved: true } as const;
    expect(post(store, second.id, { at: 1, by: 'ana', message })).toBeUndefined();
    let seen: Json = null;
    const ended = await go(store, second.id, {
      answer({ args }) {
        seen = args;
        return { ok: 'end' };
      },
    });
    expect(ended).toMatchObject({ begun: ['z#1'], end: { kind: 'ended' } });
    expect(seen).toMatchObject({ steps: { a: `${first.id} a#1` } });
  });

  it('what is kept while a run waits does not change what it has done', async () => {
    const store = make();
    const text = flow(code('a', cached()) + ask);
    const first = await begin(store, text);
    store.write((w) => w.putCache({ ...must(store.cached(must(store.cacheEntries()[0]).key)), output: 'other' }));
    const before = [...store.events(first.id)].length;
    const again = await go(store, first.id);
    expect(again.begun).toEqual([]);
    expect([...store.events(first.id)]).toHaveLength(before);
    const second = await begin(store, text);
    expect(must([...store.events(second.id)].find(({ node }) => node === 'a#1')).body).toMatchObject({
      output: 'other',
    });
  });
});

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('it is not there');
  return value;
}

describe('a result is not taken', () => {
  const text = flow(code('a', cached()));
  const second = async (wish: Wish, other = text) => {
    const store = createMemoryStore();
    await begin(store, text);
    const { begun } = await begin(store, other, wish);
    return begun;
  };

  it('unless all is the same', async () => {
    expect(await second({})).toEqual([]);
  });

  it.each<[string, Wish, string?]>([
    ['a value of by', { topic: 'milk' }],
    ['a version', {}, flow(code('a', `${cached()}      version: 2\n`))],
    ['a type', {}, flow(code('a', cached()).replace('output: string', 'output: "string[]"'))],
    ['code', {}, flow(code('a', cached()).replace('input.topic"', 'input.topic + 1"'))],
    ['a folder', { file: '/other/flow.toon' }],
    ['a script', { script: '/flows/try.script.toon' }],
    ['replies', { replies: new Map([['/flows/flow.script.toon', 'replies[0]:\n']]) }],
    ['a model', { models: { w: 'anthropic/claude' } }],
  ])('with another: %s', async (_, wish, other) => {
    expect(await second(wish, other)).toEqual(['a#1']);
  });

  it('where it is not known who answers for models, and none is kept', async () => {
    const store = createMemoryStore();
    const run = { plan: await planOf(text), input: { topic: 'tea' }, source: text, file: '/flows/flow.toon' };
    const { id, epoch } = createRun(store, run, machine, realClock);
    expect((await go(store, id, {}, epoch)).begun).toEqual(['a#1']);
    expect(store.cacheEntries()).toEqual([]);
  });
});

describe('what is kept', () => {
  it('is never a failure, nor what was cancelled; a later attempt that went well is', async () => {
    const store = createMemoryStore();
    const text = flow(code('a', `    retry:\n      maxAttempts: 2\n      initialDelay: 1ms\n${cached()}`));
    const failure = { err: { code: 'code', message: 'it broke', retryable: true } };
    const failed = await begin(store, text, { answer: () => failure });
    expect(failed.begun).toEqual(['a#1', 'a#2']);
    expect(store.cacheEntries()).toEqual([]);
    await begin(store, text, { answer: () => ({ err: { code: 'cancelled', message: 'no', retryable: false } }) });
    expect(store.cacheEntries()).toEqual([]);
    const second = await begin(store, text, { answer: ({ id }) => (id === 'a#1' ? failure : { ok: 'late' }) });
    expect(output(store, second)).toBe('late');
    const third = await begin(store, text);
    expect(third.begun).toEqual([]);
    expect(output(store, third)).toBe('late');
  });

  it('holds no secrets', async () => {
    const store = createMemoryStore();
    const text = flow(code('a', cached()));
    await begin(store, text, { secret: 'sk-very-secret', answer: () => ({ ok: 'it is sk-very-secret' }) });
    const [row] = store.cacheEntries();
    expect(store.cached(row?.key ?? '')?.output).toBe('it is [redacted KEY]');
  });

  it('loses the secrets that only a later run knows of', async () => {
    const store = createMemoryStore();
    const text = flow(code('a', cached()));
    await begin(store, text, { answer: () => ({ ok: 'it is sk-very-secret' }) });
    const second = await begin(store, text, { secret: 'sk-very-secret' });
    expect(second.begun).toEqual([]);
    expect(output(store, second)).toBe('it is [redacted KEY]');
  });

  it('is taken in each round of a loop whose by stays the same, and not where it changes', async () => {
    const loop = (by: string) =>
      flow(
        `  - kind: loop\n    id: l\n    until: "{loop.iteration == 3}"\n    children[1]:\n      - id: a\n        run: "return 'x'"\n        output: string\n        cache:\n          by: ${by}\n`,
        1,
      );
    const same = await begin(createMemoryStore(), loop('"{input.topic}"'));
    expect(same.begun).toEqual(['l[1]/a#1']);
    const each = await begin(createMemoryStore(), loop('"{loop.iteration}"'));
    expect(each.begun).toEqual(['l[1]/a#1', 'l[2]/a#1', 'l[3]/a#1']);
  });

  it('of a sub-workflow is the same as when it runs by itself', async () => {
    const store = createMemoryStore();
    const sub = flow(code('a', cached())).replace('name: flow', 'name: sub');
    const caller = `imports:\n  workflows[1]{from,as}:\n    ./sub.toon,sub\nname: caller\ninput:\n  topic: string\nsteps[1]:\n  - kind: workflow\n    id: w\n    use: sub\n    input:\n      topic: "{input.topic}"\n`;
    const plan = await planOf(caller, { files: { 'sub.toon': sub } });
    const run = { plan, input: { topic: 'tea' }, source: caller, file: '/flows/flow.toon', replies: new Map() };
    const { id, epoch } = createRun(store, run, machine, realClock);
    expect((await go(store, id, {}, epoch)).begun).toEqual(['w/a#1']);
    expect(store.cacheEntries()).toMatchObject([{ workflow: 'sub', step: 'a', run: id }]);
    expect((await begin(store, sub)).begun).toEqual([]);
  });
});

describe('a run that goes on with another text', () => {
  const text = flow(code('a', cached()) + code('b', cached('"{a}"')) + ask);

  it('keeps what it took, though that was cleared meanwhile, and looks for what is new', async () => {
    const store = createMemoryStore();
    const first = await begin(store, text);
    const second = await begin(store, text);
    expect(second.begun).toEqual([]);
    store.write((w) => w.dropCache({}));
    const edited = text.replace('Go on?', 'Really?');
    const change = { plan: await planOf(edited), input: { topic: 'tea' }, source: edited, file: '/flows/flow.toon' };
    const opened = await openSegment(
      store,
      second.id,
      { why: 'edit', replies: new Map(), ...change },
      machine,
      realClock,
    );
    if (opened.kind !== 'opened') throw new Error('somebody has it');
    const again = await go(store, second.id, {}, opened.epoch);
    expect(again).toMatchObject({ begun: [], end: { kind: 'waiting', waiting: [{ title: 'Really?' }] } });
    const kept = [...store.events(second.id)].flatMap(({ node, body }) =>
      body.kind === 'node.done' ? [`${node} ${body.from} ${body.output}`] : [],
    );
    const [a, b] = ['a#1', 'b#1'].map((id) => `${first.id} ${id}`);
    expect(kept).toEqual([`a#1 cache ${a}`, `b#1 cache ${b}`, `a#1 kept ${a}`, `b#1 kept ${b}`]);
    // And so it stays.
    expect((await go(store, second.id)).begun).toEqual([]);
  });

  it('takes from the cache what the new text asks for', async () => {
    const store = createMemoryStore();
    const edited = text.replace('topic"\n    output: string\n    cache', 'topic + 1"\n    output: string\n    cache');
    const other = await begin(store, edited);
    const own = await begin(store, text);
    expect(own.begun).toEqual(['a#1', 'b#1']);
    const change = { plan: await planOf(edited), input: { topic: 'tea' }, source: edited, file: '/flows/flow.toon' };
    const opened = await openSegment(store, own.id, { why: 'edit', replies: new Map(), ...change }, machine, realClock);
    if (opened.kind !== 'opened') throw new Error('somebody has it');
    const again = await go(store, own.id, {}, opened.epoch);
    expect(again.begun).toEqual([]);
    const taken = [...store.events(own.id)].filter(({ body }) => 'from' in body && body.from === 'cache');
    // What b reads is what it was: that stays its own.
    expect(taken.map(({ node, body }) => [node, 'origin' in body && body.origin])).toEqual([['a#1', other.id]]);
  });
});

describe('a crash', () => {
  /** Drives a run that dies around its n-th commit, then goes on with it. */
  async function dying(text: string, n: number, when: 'before' | 'after') {
    let commits = Number.NEGATIVE_INFINITY;
    const store = createMemoryStore({
      onCommit(at) {
        if (at === 'before') commits++;
        if (commits === n && at === when) throw new Error('it died');
      },
    });
    await begin(store, text);
    const plan = await planOf(text);
    const run = { plan, input: { topic: 'tea' }, source: text, file: '/flows/flow.toon', replies: new Map() };
    const { id, epoch } = createRun(store, run, machine, realClock);
    commits = 0;
    const died = await go(store, id, {}, epoch).then(
      () => false,
      () => true,
    );
    commits = Number.NEGATIVE_INFINITY;
    const lease = store.lease(id);
    const next = died ? store.write((w) => w.takeLease(id, machine.me, lease?.epoch, 1)) : undefined;
    const again = died ? await go(store, id, {}, next) : undefined;
    return { store, id, died, again };
  }

  it('at any commit leaves a run that ends as one that did not crash', async () => {
    const text = flow(code('a', cached()) + code('b') + code('c', cached('"{b.length}"')) + code('d'));
    let deaths = 0;
    for (let n = 1; n <= 8; n++) {
      for (const when of ['before', 'after'] as const) {
        const { store, id, died } = await dying(text, n, when);
        if (died) deaths++;
        expect(store.run(id)?.status).toBe('done');
        const done = [...store.events(id)].flatMap(({ node, body }) =>
          body.kind === 'node.done' ? [`${node} ${body.from ?? ''}`] : [],
        );
        expect(done).toEqual(['a#1 cache', 'b#1 ', 'c#1 cache', 'd#1 ']);
      }
    }
    expect(deaths).toBeGreaterThan(4);
  });
});
