/** The engine put together: a run from its plan to its end, on a store in memory. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStore, type EventDraft, type JournalEvent, type MemoryStore } from '../journal/index.ts';
import { planOf } from '../plan/plan-test-kit.ts';
import { newRunId } from '../sys/index.ts';
import { openEngine } from './index.ts';

let cwd: string;
let store: MemoryStore;
beforeEach(() => {
  cwd = mkdtempSync(`${tmpdir()}/toolang-engine-`);
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
