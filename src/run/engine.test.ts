/** The engine put together: a run from its plan to its end, on a store in memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStore, type EventDraft, type MemoryStore } from '../journal/index.ts';
import { planOf } from '../plan/plan-test-kit.ts';
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

  it('keeps the keys of models out of what is kept', async () => {
    const plan = await planOf(
      `name: leak\ninput:\n  said: string\nsteps[1]:\n  - id: a\n    run: "return input.said + (process.env.OPENAI_API_KEY ?? 'nothing')"\n    output: string\n`,
    );
    const engine = openEngine({ store, cwd, env: { ...process.env, OPENAI_API_KEY: 'sk-very-secret' } });
    const { id, epoch } = engine.create({ plan, input: { said: 'sk-very-secret ' }, source: '' });
    await engine.drive(id, { epoch });
    expect(store.run(id)?.output).toBe('[redacted OPENAI_API_KEY] nothing');
  });
});
