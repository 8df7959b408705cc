/** Workflows in workflows, and files that programs name. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Schema } from 'effect';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ExportInfo, type ModuleAnswer, nodesOf, planWorkflow } from '../../plan/index.ts';
import { readTextFile } from '../../sys/index.ts';
import { createSource } from '../../text/index.ts';
import { call, component, describeBuilder, load, type sequence, step, text, workflow } from '../workflow.ts';

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-called-'));
  mkdirSync(join(dir, 'inner'));
  writeFileSync(join(dir, 'inner/checks.ts'), 'export default () => 1;\n');
  writeFileSync(
    join(dir, 'wrong.toon'),
    'name: wrong\ninput:\nsteps[1]:\n  - id: a\n    run: return b\n    output: number\n',
  );
  writeFileSync(join(dir, 'parts.toon'), 'schemas:\n  A:\n    a: string\n');
  const step = 'steps[1]:\n  - id: s\n    handler: ./checks.ts\n    output: number\n';
  writeFileSync(join(dir, 'inner/flow.toon'), `name: file-flow\ninput:\n${step}`);
  const indented = step.replace(/^/gm, '    ').trimEnd();
  writeFileSync(join(dir, 'inner/parts.toon'), `components:\n  Count:\n    params:\n${indented}\n`);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const Text = Schema.Struct({ text: Schema.String }).annotate({ identifier: 'Text' });

it('modules of a sub-workflow are named from the folder of the caller', async () => {
  const inner = workflow({
    name: 'inner',
    from: pathToFileURL(join(dir, 'inner/flow.ts')).href,
    steps: () => [step('check', { handler: './checks.ts', output: Schema.Number })],
  });
  const outer = workflow({ name: 'outer', from: join(dir, 'outer.ts'), steps: () => [call('run', { use: inner })] });
  const modules = [...nodesOf(await outer.plan())].flatMap(({ node }) =>
    node.kind === 'step' && node.action.kind === 'handler' ? [node.action.module] : [],
  );
  expect(modules).toEqual(['./inner/checks.ts']);
});

it('a result goes through as many workflows as there are', async () => {
  const make = (name: string, last: Parameters<typeof sequence>[0]['children']) =>
    workflow({ name, input: Text, steps: () => [...last] });
  const first = make('first', [step('a', { run: 'return { text: "" }', output: Text })]);
  const second = make('second', [call('b', { use: first, input: { text: '{input.text}' } })]);
  const third = workflow({
    name: 'third',
    input: Text,
    steps: ({ input }) => {
      const c = call('c', { use: second, input: { text: text`${input.text}` } });
      return [c, step('d', { run: 'return c.text.length', output: Schema.Number })];
    },
  });
  const plan = await third.plan();
  expect([...nodesOf(plan)].map(({ path }) => path)).toEqual(['c', 'c/b', 'c/b/a', 'd']);
});

it('a component that calls workflows can be imported by a file', async () => {
  const inner = workflow({
    name: 'inner',
    from: join(dir, 'inner/flow.ts'),
    steps: () => [
      step('check', { handler: './checks.ts', output: Schema.Number, cache: { by: '{input.a}' } }),
      step('own', { run: "return { text: '' }", output: Text }),
    ],
    input: Schema.Struct({ a: Schema.String }),
  });
  const file = await load(join(dir, 'inner/flow.toon'));
  const parts = await load(join(dir, 'inner/parts.toon'));
  const Count = parts.component<Record<never, never>>('Count');
  const Caller = component('Caller', {
    params: Text,
    steps: ({ params }) => [
      call('f', { use: file }),
      Count('n'),
      call('c', { use: inner, input: { a: text`${params.text}` } }),
    ],
  });
  const described = await describeBuilder(Caller);
  expect(described).toMatchObject({ functions: [] });
  const answer: ModuleAnswer = {
    ok: true,
    file: join(dir, 'lib/parts.ts'),
    exports: { Caller: JSON.parse(JSON.stringify(described)) as ExportInfo },
    files: [],
  };
  const source = [
    'name: flow\ninput:\n  topic: string\nimports:\n  components[1]{from,use}:\n    ./lib/parts.ts,Caller',
    'steps[2]:\n  - kind: component\n    id: u\n    use: Caller\n    with:\n      text: "{input.topic}"',
    '  - id: last\n    run: return u.text.length\n    output: number\n',
  ].join('\n');
  const { plan, diagnostics } = await planWorkflow(createSource('flow.toon', source), {
    file: join(dir, 'flow.toon'),
    async read(path) {
      const found = await readTextFile(path);
      return found.ok ? found : { ok: false, message: found.problem.message };
    },
    modules: { describe: async (requests) => requests.map(() => answer) },
  });
  expect(diagnostics).toEqual([]);
  if (plan === undefined) throw new Error('no plan');
  const nodes = [...nodesOf(plan)];
  expect(nodes.map(({ path }) => path)).toEqual([
    ...['u', 'u/f', 'u/f/s', 'u/n', 'u/n/s', 'u/c', 'u/c/check', 'u/c/own', 'last'],
  ]);
  const modules = nodes.flatMap(({ node }) =>
    node.kind === 'step' && node.action.kind === 'handler' ? [node.action.module] : [],
  );
  expect(modules).toEqual(['./inner/checks.ts', './inner/checks.ts', './inner/checks.ts']);
});

it('what is wrong with a called workflow is said once, with its name', async () => {
  const inner = workflow({ name: 'inner', steps: () => [step('a', { run: 'return b', output: Text })] });
  const outer = workflow({
    name: 'outer',
    steps: () => {
      const run = call('run', { use: inner });
      return [run, step('c', { run: 'return run.text.length', output: Schema.Number })];
    },
  });
  const { plan, diagnostics } = await outer.check();
  expect(plan).toBeUndefined();
  expect(diagnostics.map(({ message }) => message)).toEqual(['workflow "inner", step "a", run: unknown name "b"']);
});

it('a file with mistakes is refused with its places', async () => {
  const error = await load(join(dir, 'wrong.toon')).catch((reason: unknown) => reason as Error);
  expect(String(error)).toMatch(/wrong\.toon:5:17: unknown name "b" \(TOO3307\)/);
});

it('a file that is only there to be imported is no workflow', async () => {
  const parts = await load(join(dir, 'parts.toon'));
  await expect(parts.plan()).rejects.toThrow('is no workflow: it is only there to be imported');
  const outer = workflow({ name: 'outer', steps: () => [call('run', { use: parts })] });
  await expect(outer.plan()).rejects.toThrow('is no workflow: it is only there to be imported');
});

it('a program is looked at again each time: the files it names may have changed', async () => {
  const flow = workflow({
    name: 'flow',
    from: join(dir, 'flow.ts'),
    steps: () => [step('a', { handler: './late.ts', output: Schema.Number })],
  });
  await expect(flow.plan()).rejects.toThrow('late.ts');
  writeFileSync(join(dir, 'late.ts'), 'export default () => 1;\n');
  expect((await flow.plan()).children.length).toBe(1);
});

it('a program that names no file is planned once', async () => {
  const inner = workflow({ name: 'inner', steps: () => [step('a', { run: () => 1, output: Schema.Number })] });
  const outer = workflow({ name: 'outer', steps: () => [call('run', { use: inner })] });
  expect(await outer.plan()).toBe(await outer.plan());
  const file = await load(join(dir, 'inner/flow.toon'));
  const caller = workflow({ name: 'caller', steps: () => [call('run', { use: file })] });
  const above = workflow({ name: 'above', steps: () => [call('run', { use: caller })] });
  for (const each of [caller, above]) expect(await each.plan()).not.toBe(await each.plan());
});
