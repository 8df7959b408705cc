/** Workflows in workflows, and files that programs name. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Schema } from 'effect';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodesOf } from '../../plan/index.ts';
import { call, load, type sequence, step, text, workflow } from '../workflow.ts';

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-stand-in-'));
  mkdirSync(join(dir, 'inner'));
  writeFileSync(join(dir, 'inner/checks.ts'), 'export default () => 1;\n');
  writeFileSync(
    join(dir, 'wrong.toon'),
    'name: wrong\ninput:\nsteps[1]:\n  - id: a\n    run: return b\n    output: number\n',
  );
  writeFileSync(join(dir, 'parts.toon'), 'schemas:\n  A:\n    a: string\n');
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
  expect(JSON.stringify(await outer.plan())).not.toContain('stand-in');
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
