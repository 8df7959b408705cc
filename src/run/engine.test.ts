/** The engine put together: a run from its plan to its end, on a store in memory. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStore, type EventDraft, type JournalEvent, type MemoryStore } from '../journal/index.ts';
import { planOf } from '../plan/plan-test-kit.ts';
import { newRunId } from '../sys/index.ts';
import { type CreatedRun, type Engine, moduleHashes, openEngine } from './index.ts';

let cwd: string;
let store: MemoryStore;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(`${tmpdir()}/toolang-engine-`));
  store = createMemoryStore();
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const ask = `name: ask
input:
  who: string
steps[2]:
  - kind: approval
    id: ok
    request:
      title: "Greet {input.who}?"
  - id: greet
    run: "return 'Hello ' + input.who + ', says ' + ok.decidedBy"
    output: string
`;

describe('the engine', () => {
  it('runs until somebody is asked, and to the end when that is answered', async () => {
    const engine = openEngine({ store, cwd });
    const { id, epoch } = engine.create({ plan: await planOf(ask), input: { who: 'Bo' }, source: ask });
    expect(engine.driver(id)).toMatchObject({ pid: process.pid });
    const waiting = await engine.drive(id, { epoch });
    expect(waiting).toMatchObject({ kind: 'waiting', waiting: [{ node: 'ok', title: 'Greet Bo?' }] });
    expect(engine.driver(id)).toBeUndefined();
    const hash = store.run(id)?.waiting?.[0]?.hash ?? '';
    const yes = { by: 'ana', message: { kind: 'decide', node: 'ok', hash, approved: true } } as const;
    expect(engine.post(id, { ...yes, message: { ...yes.message, hash: 'other' } })).toMatchObject({ kind: 'not-open' });
    expect(engine.post(id, yes)).toBeUndefined();
    expect(engine.post(id, { ...yes, by: 'bo' })).toEqual({ kind: 'decided', by: 'ana' });
    const told: EventDraft[] = [];
    const tell = (message: { kind: string; events?: readonly EventDraft[] }) =>
      void told.push(...(message.events ?? []));
    expect(await engine.drive(id, { tell })).toEqual({ kind: 'ended', end: { ok: 'Hello Bo, says ana' } });
    expect(told.map(({ body }) => body.kind)).toEqual(['approval.decided', 'node.started', 'node.done', 'run.done']);
    expect(await engine.drive(id)).toMatchObject({ kind: 'over', row: { status: 'done' } });
  });

  it('sees what is posted through the connection that drives', async () => {
    const engine = openEngine({ store, cwd });
    const { id, epoch } = engine.create({ plan: await planOf(ask), input: { who: 'Bo' }, source: ask });
    let isPosted = false;
    const tell = () => {
      const hash = store.run(id)?.waiting?.[0]?.hash;
      if (isPosted || hash === undefined) return;
      isPosted = true;
      // Not while it is told: that is the end of a round, and the inbox is looked at in the next one.
      setImmediate(() => {
        engine.post(id, { by: 'ana', message: { kind: 'decide', node: 'ok', hash, approved: true } });
      });
    };
    expect(await engine.drive(id, { epoch, wait: true, tell })).toEqual({
      kind: 'ended',
      end: { ok: 'Hello Bo, says ana' },
    });
  });

  it('keeps the keys of models out of what is kept', async () => {
    const plan = await planOf(
      `name: leak\ninput:\n  said: string\nsteps[1]:\n  - id: a\n    run: "return input.said + (process.env.OPENAI_API_KEY ?? 'nothing')"\n    output: string\n`,
    );
    const engine = openEngine({ store, cwd, env: { ...process.env, OPENAI_API_KEY: 'sk-very-secret' } });
    const { id, epoch } = engine.create({ plan, input: { said: 'sk-very-secret ' }, source: '' });
    await engine.drive(id, { epoch });
    expect(store.run(id)?.output).toBe('[redacted OPENAI_API_KEY] nothing');
  });

  it('keeps them out of what people are asked, of what they say and of what was given', async () => {
    const engine = openEngine({ store, cwd, env: { ...process.env, OPENAI_API_KEY: 'sk-very-secret' } });
    const input = { who: 'sk-very-secret' };
    const { id, epoch } = engine.create({ plan: await planOf(ask), input, source: ask });
    await engine.drive(id, { epoch });
    const [asked] = store.run(id)?.waiting ?? [];
    expect(asked?.title).toBe('Greet [redacted OPENAI_API_KEY]?');
    const message = { kind: 'decide', node: 'ok', hash: asked?.hash ?? '', approved: true } as const;
    expect(engine.post(id, { by: 'ana', message: { ...message, note: 'sk-very-secret' } })).toBeUndefined();
    engine.post(id, { by: 'ana', message: { kind: 'cancel', reason: 'sk-very-secret' } });
    const kept = () => JSON.stringify([[...store.events(id)], store.inbox(id), store.run(id)]);
    expect(kept()).not.toContain('very-secret');
    expect((await engine.drive(id)).kind).toBe('ended');
    expect(kept()).not.toContain('very-secret');
  });

  it('begins no more steps than there are hosts for, and says of no other that it was begun', async () => {
    const settings = async () => ({ hosts: 1 });
    const engine = openEngine({ store, cwd, settings });
    const children = ['a', 'b', 'c'].map(
      (name) => `      - id: ${name}\n        run: return 1\n        output: number\n`,
    );
    const source = `name: queue\ninput:\nsteps[1]:\n  - kind: parallel\n    children[3]:\n${children.join('')}`;
    const { id, epoch } = engine.create({ plan: await planOf(source), input: {}, source });
    expect((await engine.drive(id, { epoch })).kind).toBe('ended');
    const words = [...store.events(id)].flatMap(({ body, node }) =>
      node === undefined ? [] : [`${body.kind} ${node}`],
    );
    expect(words).toEqual(['a#1', 'b#1', 'c#1'].flatMap((node) => [`node.started ${node}`, `node.done ${node}`]));
  });

  describe.runIf(process.platform === 'linux')('that drives many runs', () => {
    /** Those that work in the folder of the test, as only hosts do. */
    const inFolder = () =>
      readdirSync('/proc').filter((pid) => {
        try {
          return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === cwd;
        } catch {
          return false;
        }
      });
    const step = (id: string, lines: readonly string[], output = 'number') =>
      `  - id: ${id}\n    run: ${JSON.stringify(lines.join('\n'))}\n    output: ${output}\n`;
    /** It says that it is there, with the number of its process, and stays until it may go. */
    const staying = [
      "const fs = await import('node:fs')",
      "fs.writeFileSync('on-' + input.name, String(process.pid))",
      "while (!fs.existsSync('go')) await new Promise((next) => setTimeout(next, 5))",
      'return process.pid',
    ];
    const isOn = (name: string) => existsSync(join(cwd, `on-${name}`)) && pidOf(name) > 0;
    const pidOf = (name: string) => Number(readFileSync(join(cwd, `on-${name}`), 'utf8'));
    const until = async (done: () => boolean) => {
      while (!done()) await new Promise((next) => setTimeout(next, 5));
    };
    const flow = (name: string, steps: readonly string[]) =>
      `name: ${name}\ninput:\n  name: string\nsteps[${steps.length}]:\n${steps.join('')}`;

    it('has no more hosts than the limit, for all of them, and none when they have left', async () => {
      const engine = openEngine({ store, cwd, settings: async () => ({ hosts: 2 }) });
      const count = [
        "const { readdirSync, readlinkSync } = await import('node:fs')",
        'const here = (pid) => { try { return readlinkSync(`/proc/${pid}/cwd`) === cwd } catch { return false } }',
        "return readdirSync('/proc').filter((pid) => /^[0-9]+$/.test(pid) && here(pid)).length",
      ];
      const source = flow(
        'many',
        ['a', 'b', 'c', 'd', 'e'].map((id) => step(id, count)),
      );
      const plan = await planOf(source);
      const runs = Array.from({ length: 20 }, () => engine.create({ plan, input: { name: 'x' }, source }));
      const ends = await Promise.all(runs.map(({ id, epoch }) => engine.drive(id, { epoch })));
      expect(ends).toEqual(Array(20).fill({ kind: 'ended', end: { ok: expect.any(Number) } }));
      const outputs = runs.flatMap(({ id }) =>
        [...store.events(id)].flatMap(({ body }) => (body.kind === 'node.done' ? [Number(body.output)] : [])),
      );
      expect(outputs).toHaveLength(100);
      expect(Math.min(...outputs)).toBeGreaterThan(0);
      expect(Math.max(...outputs)).toBeLessThanOrEqual(2);
      expect(inFolder()).toEqual([]);
      expect(runs.flatMap(({ id }) => store.processes(id))).toEqual([]);
    });

    it('stops one of them, and the others go on', async () => {
      const engine = openEngine({ store, cwd, settings: async () => ({ hosts: 3 }) });
      const source = flow('stays', [step('first', staying), step('second', ['return first'])]);
      const plan = await planOf(source);
      const soft = new AbortController();
      const hard = new AbortController();
      const wishes = { none: {}, soft: { soft: soft.signal }, hard: { hard: hard.signal } };
      const [none, softly, hardly] = Object.entries(wishes).map(([name, wish]) => {
        const { id, epoch } = engine.create({ plan, input: { name }, source });
        return engine.drive(id, { epoch, ...wish });
      });
      await until(() => Object.keys(wishes).every(isOn));
      soft.abort();
      hard.abort();
      expect(await hardly).toEqual({ kind: 'stopped' });
      expect(new Set(inFolder().map(Number))).toEqual(new Set([pidOf('none'), pidOf('soft')]));
      writeFileSync(join(cwd, 'go'), '');
      expect(await softly).toEqual({ kind: 'stopped' });
      expect(await none).toEqual({ kind: 'ended', end: { ok: pidOf('none') } });
      expect(inFolder()).toEqual([]);
    });

    it('gives a run up without a trace of the host that goes on with another', async () => {
      const settings = async () => ({ hosts: 1 });
      const engine = openEngine({ store, cwd, settings });
      const asks = flow('asks', [
        step('before', ['return process.pid']),
        '  - kind: approval\n    id: ok\n    request:\n      title: Go?\n',
        step('after', ['return before']),
      ]);
      const stays = flow('stays', [step('first', staying)]);
      const asking = engine.create({ plan: await planOf(asks), input: { name: 'asks' }, source: asks });
      const other = engine.create({ plan: await planOf(stays), input: { name: 'stays' }, source: stays });
      const [waiting, end] = [engine.drive(asking.id, asking), engine.drive(other.id, other)];
      expect((await waiting).kind).toBe('waiting');
      await until(() => isOn('stays'));
      const pid = pidOf('stays');
      const done = [...store.events(asking.id)].find(({ body }) => body.kind === 'node.done');
      expect(done?.body).toMatchObject({ output: pid });
      expect(store.processes(asking.id)).toEqual([]);
      expect(store.processes(other.id)).toMatchObject([{ pid }]);
      // Whoever takes it up ends what it left, and that is nothing.
      const next = openEngine({ store, cwd, settings });
      const hash = store.run(asking.id)?.waiting?.[0]?.hash ?? '';
      next.post(asking.id, { by: 'ana', message: { kind: 'decide', node: 'ok', hash, approved: true } });
      expect(await next.drive(asking.id)).toEqual({ kind: 'ended', end: { ok: pid } });
      writeFileSync(join(cwd, 'go'), '');
      expect(await end).toEqual({ kind: 'ended', end: { ok: pid } });
      expect(inFolder()).toEqual([]);
    });

    it('shows each of them the environment as it is when it is driven', async () => {
      const env: NodeJS.ProcessEnv = { ...process.env, GREETING: 'one' };
      const engine = openEngine({ store, cwd, env, settings: async () => ({ hosts: 1 }) });
      const source = flow('stays', [step('first', staying), step('second', ['return process.env.GREETING'], 'string')]);
      const plan = await planOf(source);
      const drive = (name: string) => {
        const { id, epoch } = engine.create({ plan, input: { name }, source });
        return engine.drive(id, { epoch });
      };
      const first = drive('first');
      await until(() => isOn('first'));
      env.GREETING = 'two';
      const second = drive('second');
      await until(() => isOn('second'));
      writeFileSync(join(cwd, 'go'), '');
      expect(await Promise.all([first, second])).toMatchObject([{ end: { ok: 'one' } }, { end: { ok: 'two' } }]);
    });
  });

  it('sets aside the dearest of the replies that may answer, and asks before a call that could cost too much', async () => {
    const source = `name: dear\ninput:\nagents:\n  w:\n    type: scripted\nsteps[1]:\n  - id: a\n    agent: w\n    prompt: x\n    output: string\n`;
    const reply = (price: number) => `  - for: a\n    text: A\n    price: ${price}\n`;
    writeFileSync(join(cwd, 'dear.script.toon'), `replies[2]:\n${reply(0.1)}${reply(5)}`);
    const engine = openEngine({ store, cwd, settings: async () => ({ limit: 1 }) });
    const script = join(cwd, 'dear.script.toon');
    const { id, epoch } = engine.create({ plan: await planOf(source), input: {}, source, script });
    expect(await engine.drive(id, { epoch })).toMatchObject({ kind: 'waiting', waiting: [{ kind: 'limit' }] });
    expect(store.run(id)?.waiting?.[0]?.title).toContain('the next call may cost $5.00');
    expect([...store.events(id)].map(({ body }) => body.kind)).not.toContain('node.started');
    const hash = store.run(id)?.waiting?.[0]?.hash ?? '';
    engine.post(id, { by: 'ana', message: { kind: 'answer', node: '@limit#1', hash, approved: true, add: 4 } });
    expect(await engine.drive(id)).toEqual({ kind: 'ended', end: { ok: 'A' } });
    expect(store.run(id)?.cost).toBe(0.1);
  });

  it('tells of a journal that does not fit, and takes no decision for it', async () => {
    const plan = await planOf(ask);
    const make = (wrong: Partial<Extract<JournalEvent['body'], { kind: 'run.started' }>>, more: EventDraft[] = []) => {
      const id = newRunId();
      store.write((writer) => {
        writer.addRun({ id, root: id, name: 'ask', status: 'running', startedAt: 1, updatedAt: 1 });
        const epoch = writer.takeLease(id, { host: 'h', boot: 'b', pid: 1, started: 's' }, undefined, 1) ?? 0;
        const [text, empty] = [writer.putBlob(JSON.stringify(plan)), writer.putBlob('')];
        const body = {
          kind: 'run.started',
          name: 'ask',
          plan: text,
          source: empty,
          input: { who: 'Bo' },
          machine: 1,
          models: {},
          ...wrong,
        } as const;
        writer.append(id, epoch, [{ at: 1, run: id, body }, ...more.map((event) => ({ ...event, run: id }))]);
        writer.release(id, epoch);
      });
      return id;
    };
    const engine = openEngine({ store, cwd });
    const other: EventDraft = { at: 2, run: '', node: 'zz#1', body: { kind: 'node.done', output: 1 } };
    const says = [
      [make({}, [other]), 'TOO6001', 'event 2 (node.done zz#1) does not follow from its plan: nobody waits for zz#1'],
      [make({ plan: 'gone' }), 'TOO6001', 'its plan is not in the store'],
      [make({ machine: 99 }), 'TOO6002', 'was made by a newer Toolang'],
    ] as const;
    for (const [id, code, message] of says) {
      const wrong = { code, message: expect.stringContaining(message) };
      await expect(engine.drive(id)).rejects.toMatchObject(wrong);
      expect(engine.driver(id)).toBeUndefined();
      const cancel = { by: 'ana', message: { kind: 'cancel', reason: '' } } as const;
      expect(() => engine.post(id, cancel)).toThrow(message);
      expect(store.inbox(id)).toEqual([]);
    }
  });
});

describe('the modules of a run', () => {
  const text = `name: w
input:
steps[3]:
  - kind: approval
    id: ok
    request:
      title: "Go?"
  - id: a
    handler: ./h.mjs
    output: string
    cache:
      by: "k"
  - id: u
    run: "return 1"
    output: number
`;
  const write = (version: string) => writeFileSync(join(cwd, 'h.mjs'), `export default () => '${version}';\n`);

  async function readNow(source = text) {
    const plan = await planOf(source, { files: { 'h.mjs': 'export default () => 1' } });
    const { hashes } = await moduleHashes(plan, cwd);
    return { plan, input: {}, source, file: join(cwd, 'w.toon'), modules: hashes, replies: new Map() };
  }

  /** Until it asks, and to its end when that is answered. */
  async function toEnd(engine: Engine, { id, epoch }: CreatedRun): Promise<string> {
    if ((await engine.drive(id, { epoch })).kind === 'waiting') {
      const hash = store.run(id)?.waiting?.[0]?.hash ?? '';
      engine.post(id, { by: 'ana', message: { kind: 'decide', node: 'ok', hash, approved: true } });
      expect(await engine.drive(id)).toMatchObject({ kind: 'ended' });
    }
    return id;
  }

  const gave = (id: string) =>
    [...store.events(id)].flatMap(({ node, body }) =>
      node === 'a#1' && body.kind === 'node.done' ? [[body.output, body.from ?? 'done']] : [],
    );

  it('are those of the files when it is taken up: its results are known by them, here and in other runs', async () => {
    const engine = openEngine({ store, cwd });
    write('v1');
    const created = engine.create(await readNow());
    expect(await engine.drive(created.id, { epoch: created.epoch })).toMatchObject({ kind: 'waiting' });
    write('v2');
    const hash = store.run(created.id)?.waiting?.[0]?.hash ?? '';
    engine.post(created.id, { by: 'ana', message: { kind: 'decide', node: 'ok', hash, approved: true } });
    await engine.drive(created.id);
    expect(gave(created.id)).toEqual([['v2', 'done']]);

    // Somebody else has the old file.
    write('v1');
    expect(gave(await toEnd(engine, engine.create(await readNow())))).toEqual([['v1', 'done']]);
    expect(gave(await toEnd(engine, engine.create(await readNow())))).toEqual([['v1', 'cache']]);

    const other = text.replace('return 1', 'return 2');
    write('v2');
    const kept = await engine.reopen(created.id, { ...(await readNow(other)), why: 'edit' });
    if (kept.kind !== 'opened') throw new Error('it is held');
    await toEnd(engine, kept);
    expect(gave(created.id)).toEqual([
      ['v2', 'done'],
      ['v2', 'kept'],
    ]);
    write('v1');
    store.write((writer) => writer.dropCache({}));
    const changed = await engine.reopen(created.id, { ...(await readNow()), why: 'edit' });
    if (changed.kind !== 'opened') throw new Error('it is held');
    await toEnd(engine, changed);
    expect(gave(created.id).at(-1)).toEqual(['v1', 'done']);
  });
});
