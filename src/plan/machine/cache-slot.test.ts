/** What the key of a kept result holds, and what it does not. */
import { describe, expect, it } from 'vitest';
import type { CacheSlot, Json } from '../../machine/index.ts';
import { functionModule } from '../functions.ts';
import type { WorkflowPlan } from '../node.ts';
import { flow, planOf, prompt } from '../plan-test-kit.ts';
import { workflowMaker } from './machine.ts';
import { startPlan } from './run-plan.ts';

const cache = (by: string, version = '1') => `    cache:\n      by${by}\n      version: ${version}\n`;
const code = (run: string, more: string, output = 'string') =>
  `  - id: c\n    run: ${JSON.stringify(run)}\n    output: ${output}\n${more}`;

/** The slot of the first command that has one. */
async function slotOf(text: string, input: Json = { topic: 'tea' }, modules = {}): Promise<CacheSlot | undefined> {
  return slotIn(await planOf(text, { files: { 'checks.ts': 'export const lint = () => 1;' } }), input, modules);
}

function slotIn(plan: WorkflowPlan, input: Json, modules = {}): CacheSlot | undefined {
  const machine = workflowMaker(plan, modules)({ kind: 'workflow', plan: '' }, { runId: 'r', path: '', input, at: 0 });
  for (const command of machine.start()) {
    if ((command.op === 'step' || command.op === 'child') && command.cache) return command.cache;
  }
  return undefined;
}
const keyOf = async (...given: Parameters<typeof slotOf>) => (await slotOf(...given))?.key;

const byTopic = cache(': "{input.topic}"');

describe('the key', () => {
  it('names the workflow and the step, and is the same each time', async () => {
    const text = flow(code('return input.topic', byTopic));
    expect(await slotOf(text)).toMatchObject({ workflow: 'flow', step: 'c' });
    expect(await keyOf(text)).toBe(await keyOf(text));
    expect(await keyOf(text)).toMatch(/^[0-9a-f]{32}$/);
    expect(await slotOf(flow(code('return input.topic', '')))).toBeUndefined();
  });

  it.each([
    ['a value of by', flow(code('return input.topic', byTopic)), { topic: 'milk' }],
    ['the version', flow(code('return input.topic', cache(': "{input.topic}"', '2')))],
    ['by itself', flow(code('return input.topic', cache('[2]: "{input.topic}","x"')))],
    ['the code', flow(code('return input.topic + 1', byTopic))],
    ['the type', flow(code('return input.topic', byTopic, '"string?"'))],
    ['the id of the step', flow(code('return input.topic', byTopic).replace('id: c', 'id: d'))],
    ['the name of the workflow', flow(code('return input.topic', byTopic)).replace('name: flow', 'name: other')],
  ])('is another with another: %s', async (_, text, input: Json = { topic: 'tea' }) => {
    const plain = await keyOf(flow(code('return input.topic', byTopic)));
    const other = await keyOf(text, input);
    expect(other).toBeDefined();
    expect(other).not.toBe(plain);
  });

  it.each([
    ['retry', '    maxAttempts: 3\n'],
    ['timeout', '    timeout: 5m\n'],
    ['pool', '    pool: big\n'],
  ])('is the same with another %s', async (_, more) => {
    const plain = await keyOf(flow(code('return input.topic', byTopic)));
    expect(await keyOf(flow(code('return input.topic', byTopic + more)))).toBe(plain);
  });

  it('does not mind values that by does not name', async () => {
    const text = flow(code('return input.topic', cache(': "{input.topic.length}"')));
    expect(await keyOf(text, { topic: 'tea' })).toBe(await keyOf(text, { topic: 'oat' }));
    const asked = flow(prompt('c', 'About {input.topic}', cache(': "{input.topic.length}"')));
    expect(await keyOf(asked, { topic: 'tea' })).toBe(await keyOf(asked, { topic: 'oat' }));
    expect(await keyOf(asked, { topic: 'tea' })).not.toBe(await keyOf(asked, { topic: 'milk' }));
  });

  it('tells values apart that print alike', async () => {
    const text = flow(code('return input.topic', cache(': "{JSON.parse(input.topic)}"')));
    const keys = await Promise.all(
      ['1', '"1"', 'true', '"true"', '[1]', 'null'].map((topic) => keyOf(text, { topic })),
    );
    expect(new Set(keys).size).toBe(6);
  });

  it.each([
    ['a prompt', flow(prompt('c', 'About {input.topic}', cache(': x')))],
    ['code', flow(code('return input.topic', cache(': x')))],
    ['code that uses all steps', flow(code('return Object.keys(steps).length + input.topic', cache(': x')))],
  ])('holds all that is read where by is empty, as programs can write it: %s', async (_, text) => {
    const [node, ...more] = (await planOf(text)).children;
    if (node?.kind !== 'step') throw new Error('this is no step');
    const plan = { ...(await planOf(text)), children: [{ ...node, cache: { by: [], version: '' } }, ...more] };
    const key = (topic: string) => slotIn(plan, { topic })?.key;
    expect(key('tea')).toBe(key('tea'));
    expect(key('tea')).not.toBe(key('oat'));
  });

  it('holds the instructions of the agent, and not its name', async () => {
    const text = flow(prompt('c', 'About {input.topic}', byTopic));
    const named = text.replace('  w:\n', '  v:\n').replace('agent: w', 'agent: v');
    expect(await keyOf(named)).toBe(await keyOf(text));
    expect(
      await keyOf(text.replace('    type: scripted\n', '    type: scripted\n    instructions: Be short.\n')),
    ).not.toBe(await keyOf(text));
  });
});

describe('a handler', () => {
  const text = flow(`  - id: c\n    handler: ./checks.ts#lint\n    output: string\n${byTopic}`);

  it('has the key of its code', async () => {
    const keys = await Promise.all(['a', 'b', 'a'].map((hash) => keyOf(text, undefined, { './checks.ts': hash })));
    expect(keys[0]).toBeDefined();
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[2]).toBe(keys[0]);
  });

  it('has no slot where its code is not known', async () => {
    expect(await slotOf(text)).toBeUndefined();
  });
});

it('two uses of a component never share a result, whatever by says', async () => {
  const text = `name: flow
input:
  topic: string
components:
  Brief:
    params:
      text: string
    steps[1]:
      - id: short
        run: return params.text
        output: string
        cache:
          by: "{input.topic}"
steps[1]:
  - kind: parallel
    children[2]:
      - kind: component
        id: a
        use: Brief
        with:
          text: one
      - kind: component
        id: b
        use: Brief
        with:
          text: two
`;
  const plan = await planOf(text.replace('by: "{input.topic}"', 'by: "{params.text.length}"'));
  const init = { runId: 'r', path: '', input: { topic: 'tea' }, at: 0 };
  const slots = workflowMaker(plan)({ kind: 'workflow', plan: '' }, init)
    .start()
    .flatMap((command) => (command.op === 'step' && command.cache ? [command.cache] : []));
  expect(slots.map(({ step }) => step)).toEqual(['a/short', 'b/short']);
  expect(new Set(slots.map(({ key }) => key)).size).toBe(2);
});

it('what cannot be evaluated in by fails the step, at its place', async () => {
  const plan = await planOf(flow(code('return input.topic', cache(': "{JSON.parse(input.topic)}"'))));
  const init = { runId: 'r', path: '', input: { topic: 'tea' }, at: 0 };
  const machine = workflowMaker(plan)({ kind: 'workflow', plan: '' }, init);
  expect(machine.start()).toEqual([]);
  expect(machine.end).toMatchObject({
    err: { code: 'expression', node: 'c', at: expect.stringMatching(/^flow\.toon:1\d:/) },
  });
});

it('a step in a worktree has no slot: its work is in files', async () => {
  const step = code('return input.topic', byTopic).replace(/^(?=.)/gm, '    ');
  const plan = await planOf(flow(`  - kind: worktree\n    id: w\n    path: ../tree\n    children[1]:\n${step}`, 1));
  const run = startPlan(plan, { input: { topic: 'tea' } });
  expect(run.ok('w.add', { path: '/trees/one', commit: 'abc' })).toEqual(['c#1']);
  expect(run.command('c#1')).not.toHaveProperty('cache');
});

it('a function of a program has no slot: what it uses of that cannot be seen', async () => {
  const plan = await planOf(flow(code('return input.topic', byTopic)));
  const [node] = plan.children;
  if (node?.kind !== 'step') throw new Error('this is no step');
  const handled = (module: string) => ({
    ...plan,
    children: [{ ...node, action: { kind: 'handler' as const, module, name: 'default' } }],
  });
  const module = functionModule('flow', 'c');
  expect(slotIn(handled(module), { topic: 'tea' }, { [module]: 'hash' })).toBeUndefined();
  expect(slotIn(handled('./a.ts'), { topic: 'tea' }, { './a.ts': 'hash' })).toBeDefined();
});
