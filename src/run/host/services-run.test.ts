/** Services from a file to the end of its run: planned with real modules, done in real hosts, on a store in memory. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryStore, type MemoryStore } from '../../journal/index.ts';
import { planWorkflow, type WorkflowPlan } from '../../plan/index.ts';
import { manualClock } from '../../sys/index.ts';
import { createSource } from '../../text/index.ts';
import { createModuleHost, openEngine } from '../index.ts';
import { moduleHashes } from '../module-hashes.ts';

const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url));
let cwd: string;
let store: MemoryStore;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-services-')));
  store = createMemoryStore();
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(join(packages, 'effect'), join(cwd, 'node_modules/effect'), 'junction');
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
}

const file = () => join(cwd, 'flow.toon');

async function plan(): Promise<{ readonly plan: WorkflowPlan; readonly source: string }> {
  const modules = createModuleHost({ cwd, timeoutMs: 120_000 });
  try {
    const source = readFileSync(file(), 'utf8');
    const read = async (path: string) => ({ ok: true as const, text: await readFile(path, 'utf8') });
    const made = await planWorkflow(createSource('flow.toon', source), { file: file(), read, modules });
    if (made.plan === undefined || made.diagnostics.length > 0) {
      throw new Error(made.diagnostics.map(({ code, message, help }) => `${code} ${message} ${help ?? ''}`).join('\n'));
    }
    return { plan: made.plan, source };
  } finally {
    await modules.close();
  }
}

const prices = (price: number) => `
  import { Context, Effect, Layer } from 'effect';
  export class Prices extends Context.Service<Prices, { readonly of: (item: string) => Effect.Effect<number> }>()('Prices') {
    static readonly layer = Layer.succeed(this, { of: (item: string) => Effect.succeed(item.length * ${price}) });
  }
`;

const flow = `name: flow
imports:
  services[1]{from,use}:
    ./shop/prices.ts,Prices
  workflows[1]{from,as}:
    ./shop/inner.toon,inner
input:
  item: string
steps[4]:
  - id: first
    run: "return input.item.length"
    output: number
  - id: coded
    run: "return Prices.of(input.item)"
    output: number
  - kind: workflow
    id: called
    use: inner
    input:
      item: "{input.item}"
  - id: sum
    run: "return [first, coded, called].join(' ')"
    output: string
`;

const inner = `name: inner
imports:
  services[1]{from,use}:
    ./prices.ts,Prices
input:
  item: string
steps[1]:
  - id: handled
    handler: ./use.ts#twice
    output: number
`;

const use = `
  import { Effect } from 'effect';
  import { Prices } from './prices.ts';
  export const twice = ({ input }) => Effect.gen(function* () {
    return (yield* (yield* Prices).of(input.item)) * 2;
  });
`;

it('steps and sub-workflows have them, and those that use one run again when its code has changed', async () => {
  write({ 'flow.toon': flow, 'shop/inner.toon': inner, 'shop/use.ts': use, 'shop/prices.ts': prices(10) });
  const engine = openEngine({ store, cwd });
  const made = { ...(await plan()), input: { item: 'tea' }, file: file() };
  const modules = (await moduleHashes(made.plan, cwd)).hashes;
  expect(Object.keys(modules).sort()).toEqual(['./shop/prices.ts', './shop/use.ts']);
  const { id, epoch } = engine.create({ ...made, modules });
  expect(await engine.drive(id, { epoch })).toEqual({ kind: 'ended', end: { ok: '3 30 60' } });

  write({ 'shop/prices.ts': prices(20) });
  const changed = { ...made, why: 'edit', modules: (await moduleHashes(made.plan, cwd)).hashes } as const;
  const opened = await engine.reopen(id, changed);
  if (opened.kind !== 'opened') throw new Error('it is held');
  expect(await engine.drive(id, { epoch: opened.epoch })).toEqual({ kind: 'ended', end: { ok: '3 60 120' } });
  const kept = [...store.events(id)].filter(({ body }) => body.kind === 'node.done' && body.from === 'kept');
  expect(kept.map(({ node }) => node)).toEqual(['first#1']);
});

it('a service that is never built is named when the time of the step is over', async () => {
  write({
    'flow.toon': `name: flow
imports:
  services[1]{from,use}:
    ./slow.ts,Slow
input:
steps[1]:
  - id: waits
    run: "return Slow.n"
    output: number
    timeout: 60s
`,
    'slow.ts': `import { writeFileSync } from 'node:fs';
      import { Context, Effect, Layer } from 'effect';
      export class Slow extends Context.Service<Slow, { readonly n: number }>()('Slow') {
        static readonly layer = Layer.effect(this, Effect.andThen(Effect.sync(() => writeFileSync('building', '')), Effect.never));
      }`,
  });
  const clock = manualClock(1000);
  const engine = openEngine({ store, cwd, clock });
  const { id, epoch } = engine.create({ ...(await plan()), input: {}, file: file() });
  const driven = engine.drive(id, { epoch });
  while (!existsSync(join(cwd, 'building'))) await new Promise((resolve) => setTimeout(resolve, 5));
  await clock.advance(60_000);
  expect(await driven).toMatchObject({
    kind: 'ended',
    end: {
      err: {
        code: 'timeout',
        node: 'waits',
        cause: { message: 'the service "Slow" was still being built when the step was stopped' },
      },
    },
  });
});
