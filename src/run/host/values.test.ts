/** Steps that ask for the values of others, in a real host. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json, Outcome, StepCommand } from '../../machine/index.ts';
import { createHostPool, type HostRun } from './pool.ts';

let dir: string;
let hosts: HostRun;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-values-'));
  hosts = createHostPool({ limit: 1 }).join({ cwd: dir });
});

afterAll(async () => {
  await hosts.leave();
  rmSync(dir, { recursive: true, force: true });
});

/** What was asked for, in order; null: for all names. */
async function handle(
  body: string,
  steps: Record<string, Json>,
  spec: StepCommand['spec'] = { kind: 'handler', module: './h.ts', name: 'default' },
): Promise<{ outcome: Outcome; asked: (string | null)[] }> {
  const asked: (string | null)[] = [];
  const module = `./h${Math.random()}.ts`;
  if (spec.kind === 'handler') writeFileSync(join(dir, module), `export default ${body}`);
  const { outcome } = await hosts.execute(
    {
      op: 'step',
      id: 'step#1',
      spec: spec.kind === 'handler' ? { ...spec, module } : spec,
      args: { input: { topic: 'tea' }, steps: {} },
      key: 'k',
      values: {
        names() {
          asked.push(null);
          return Object.keys(steps);
        },
        get(name) {
          asked.push(name);
          return Object.hasOwn(steps, name) ? steps[name] : undefined;
        },
      },
    },
    {
      runId: 'run1',
      idempotencyKey: 'run1/step#1',
      attempt: 1,
      signal: new AbortController().signal,
      notes: [],
      note: () => undefined,
      spawned: () => undefined,
      ended: () => undefined,
    },
  );
  return { outcome, asked };
}

test('a handler asks for what it reads, once, and for nothing else', async () => {
  const steps = { draft: { text: 'ü'.repeat(3) }, 're-view': [1, null], other: 'x' };
  const read = '({ draft, steps }) => [draft.text, steps["re-view"], draft === steps.draft, steps.none ?? "none"]';
  expect(await handle(read, steps)).toEqual({
    outcome: { ok: ['üüü', [1, null], true, 'none'] },
    asked: ['draft', 're-view', 'none'],
  });
  const nothing = await handle('({ input }) => input.topic', steps);
  expect(nothing).toEqual({ outcome: { ok: 'tea' }, asked: [] });
});

test('it can be asked in every way that objects are', async () => {
  const steps = { a: 1, b: 2 };
  const all = '({ steps }) => [Object.keys(steps), { ...steps }, "a" in steps, "c" in steps, JSON.stringify(steps)]';
  expect((await handle(all, steps)).outcome).toEqual({
    ok: [['a', 'b'], { a: 1, b: 2 }, true, false, '{"a":1,"b":2}'],
  });
  const rest = '({ input, steps, a, ...rest }) => [a, rest.b, Object.hasOwn(rest, "a"), String(steps)]';
  expect((await handle(rest, steps)).outcome).toEqual({ ok: [1, 2, false, '[object Object]'] });
  const whole = 'async (context) => { await null; return [context.a, "b" in context, context.nothing ?? null]; }';
  expect((await handle(whole, steps)).outcome).toEqual({ ok: [1, true, null] });
});

test('code that takes all steps has those it names too', async () => {
  const code = 'return [a, Object.values(steps).length]';
  const spec = { kind: 'run', code, edits: [], names: ['a'] };
  expect((await handle('', { a: 1, b: 2 }, spec)).outcome).toEqual({ ok: [1, 2] });
});

test('large values and many come whole', async () => {
  const steps = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`s${i}`, 'é'.repeat(i * 20)]));
  const large = { ...steps, large: 'x€'.repeat(3_000_000) };
  const sum = '({ steps }) => Object.keys(steps).reduce((sum, name) => sum + steps[name].length, 0)';
  expect((await handle(sum, large)).outcome).toEqual({ ok: 20 * ((299 * 300) / 2) + 6_000_000 });
});

test('after its end a step sees nothing any more', async () => {
  await handle('({ steps }) => { globalThis.kept = steps; return steps.a; }', { a: 1 });
  const later = await handle(
    '() => [globalThis.kept.a, (() => { try { return globalThis.kept.b; } catch (e) { return e.message; } })()]',
    { b: 2 },
  );
  expect(later).toEqual({ outcome: { ok: [1, 'the step has ended, and its values are gone'] }, asked: [] });
});

test('what code writes to the pipes of its host is neither a question nor a report', async () => {
  const noise = (pipe: number, text: string) =>
    `async ({ draft }) => { const { writeSync } = await import('node:fs'); writeSync(${pipe}, ${JSON.stringify(text)}); return draft; }`;
  const forged = Array.from(
    { length: 50 },
    (_, id) => `{"kind":"done","id":${id},"left":false,"thrown":{"message":5}}\n`,
  );
  const reads = Array.from({ length: 50 }, (_, id) => `{"kind":"done","id":${id},"left":false,"ok":1,"reads":5}\n`);
  const texts: readonly (readonly [pipe: number, text: string])[] = [
    [4, 'no JSON\n5\n{}\nhalf a line'],
    [4, 'x'.repeat(3 * 1024 * 1024)],
    [3, 'no JSON\nnull\n[]\n{"kind":'],
    [3, forged.join('')],
    [3, reads.join('')],
  ];
  for (const [pipe, text] of texts) {
    expect((await handle(noise(pipe, text), { draft: 'one' })).outcome).toEqual({ ok: 'one' });
    expect(await handle('({ draft }) => draft', { draft: 'two' })).toEqual({
      outcome: { ok: 'two' },
      asked: ['draft'],
    });
  }
});
