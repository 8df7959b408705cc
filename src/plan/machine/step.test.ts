/** Steps: commands, values, keys, attempts, what does not fit, and what fails in expressions. */
import { describe, expect, it } from 'vitest';
import type { ChildCommand, Json, StepCommand } from '../../machine/index.ts';
import { createSource, positionAt } from '../../text/index.ts';
import { field, jsonType, structOf, textType } from '../../type/index.ts';
import type { RetryPolicy, StepNode, WorkflowNode, WorkflowPlan } from '../node.ts';
import { flow, planOf, prompt, type TestFiles } from '../plan-test-kit.ts';
import { backoffMs } from './backoff.ts';
import { createWorkflowMachine, machineNumber, workflowMaker } from './machine.ts';
import { type PlanRun, startPlan } from './run-plan.ts';

const some = (text = 'x') => ({ text });

async function start(steps: string, given?: TestFiles): Promise<PlanRun> {
  return startPlan(await planOf(flow(steps), given));
}

function code(id: string, text: string, more = ''): string {
  return `  - id: ${id}\n    run: ${JSON.stringify(text)}\n    output:\n      text: string\n${more}`;
}

function inside(text: string, levels = 2): string {
  return text.replace(/^(?=.)/gm, '  '.repeat(levels));
}

function stepOf(run: PlanRun, id: string): StepCommand {
  const command = run.command(id);
  if (command.op !== 'step') throw new Error(`${id} is a ${command.op}`);
  return command;
}

/** All that it would see, were it to ask. */
function seenBy(run: PlanRun, id: string): Json {
  const { args, values } = stepOf(run, id);
  const steps = Object.fromEntries((values?.names() ?? []).map((name) => [name, values?.get(name) ?? null]));
  return { ...(args as object), steps };
}

describe('thunks', () => {
  const thunks = 'agents:\n  t:\n    type: too\n    use: ./r.too#review\n';
  const given = 'agents:\n  w:\n    type: scripted\n';
  const step = (more: string) => `  - id: r\n    agent: t\n${more}    output: string\n`;

  /** As a command line lays it over a plan. */
  async function planWith(steps: string, image?: Json): Promise<WorkflowPlan> {
    const plan = await planOf(flow(steps).replace(given, thunks));
    if (image === undefined) return plan;
    const agents = Object.entries(plan.agents).map(([name, agent]) => [name, { ...agent, image }] as const);
    return { ...plan, agents: Object.fromEntries(agents) };
  }

  it('with a program are called by name, with their arguments', async () => {
    const more =
      '    prompt: "On {input.topic}"\n    with:\n      style: "{input.topic.length}"\n    timeout: 5s\n    pool: p\n';
    const plan = await planWith(step(more), { thunks: {} });
    const run = startPlan(plan);
    const { op, ref, input } = run.command('r#1') as ChildCommand;
    expect({ op, ref, input }).toEqual({
      op: 'child',
      ref: {
        kind: 'thunk',
        form: 'thunk',
        agent: plan.agents.t,
        thunk: 'review',
        output: textType,
        types: {},
        for: ['r', 't'],
        plan: '',
        timeoutMs: 5000,
        pool: 'p',
        at: 'flow.toon:9:9',
      },
      input: { input: 'On tea', style: 3 },
    });
    run.ok('r#1', 'good');
    expect(run.end()).toEqual({ ok: 'good' });
  });

  it('without a program are prompts, as they were', async () => {
    const run = startPlan(await planWith(step('    prompt: Go\n')));
    expect(run.command('r#1')).toMatchObject({ ref: { form: 'prompt', prompt: 'Go' }, input: null });
  });

  it('are given no input where there is no prompt, and their own where it is given', async () => {
    const none = startPlan(await planWith(step('    with:\n      days: 3\n'), 'image'));
    expect(none.command('r#1')).toMatchObject({ input: { days: 3 } });
    expect((none.command('r#1') as ChildCommand).input).not.toHaveProperty('input');
    const own = startPlan(await planWith(step('    prompt: Go\n    with:\n      input: 3\n'), 'image'));
    expect(own.command('r#1')).toMatchObject({ input: { input: 3 } });
  });

  it('cannot be given what is no record', async () => {
    const run = startPlan(await planWith(step('    prompt: Go\n    with: "{JSON.parse(\'3\')}"\n'), 'image'));
    expect(run.end()).toMatchObject({ err: { code: 'input', node: 'r', message: expect.stringContaining('is 3') } });
  });

  it('have other keys with other arguments, and with another program', async () => {
    const keyOf = async (style: string, image: Json) => {
      const plan = await planWith(step(`    prompt: Go\n    with:\n      style: "${style}"\n`), image);
      return (startPlan(plan).command('r#1') as ChildCommand).key;
    };
    const key = await keyOf('tea', { a: 1 });
    expect(await keyOf('{input.topic}', { a: 1 })).toBe(key);
    expect(await keyOf('{input.topic}s', { a: 1 })).not.toBe(key);
    expect(await keyOf('tea', { a: 2 })).not.toBe(key);
  });

  it('share results by their arguments, too, where a cache names nothing', async () => {
    const slotOf = async (style: string) => {
      const plan = await planWith(step(`    prompt: Go\n    with:\n      style: ${style}\n`), 'image');
      const children = plan.children.map((node) => ({ ...node, cache: { by: [], version: '' } }) as WorkflowNode);
      return (startPlan({ ...plan, children }).command('r#1') as ChildCommand).cache?.key;
    };
    expect(await slotOf('a')).toBeDefined();
    expect(await slotOf('a')).not.toBe(await slotOf('b'));
  });

  it('wait for what they read beside them', async () => {
    const both = `  - kind: parallel\n    children[2]:\n${inside(step('    prompt: Go\n    with:\n      style: "{b.text}"\n') + prompt('b', 'x').replace('agent: w', 'agent: t'))}`;
    const run = startPlan(await planWith(both, 'image'));
    expect(run.first).toEqual(['b#1']);
    run.ok('b#1', some('B'));
    expect(run.command('r#1')).toMatchObject({ input: { style: 'B' } });
  });
});

describe('commands', () => {
  it('run code is given what the plan says it reads, and the names of all it reads', async () => {
    const run = await start(
      prompt('a', 'x') +
        prompt('skipped', 'x', '    skipIf: "true"\n') +
        prompt('other', 'x') +
        code('b', "return { text: a.text + input.topic + (skipped?.text ?? '') }", '    timeout: 5s\n'),
    );
    run.ok('a#1', some('A'));
    run.ok('other#1', some('O'));
    expect(run.command('b#1')).toMatchObject({
      op: 'step',
      spec: { kind: 'run', names: ['a', 'skipped'], edits: [], at: 'flow.toon:24:9' },
      args: { input: { topic: 'tea' }, steps: { a: { text: 'A' } } },
      timeoutMs: 5000,
    });
    expect(stepOf(run, 'b#1').spec.code).toContain('a.text');
  });

  it.each([
    [
      'is another only if it comes or goes',
      'return { text: input.a ?? "no" }',
      [{}, { b: '1' }],
      [{ a: '1' }, { a: '2' }],
    ],
    [
      'is another with all, of which a method is called',
      'return { text: input.hasOwnProperty("a") + "" }',
      [{}],
      [{ b: '1' }],
    ],
    ['is another with all, of which a list is made', 'return { text: Object.keys(input).join() }', [{}], [{ b: '1' }]],
  ])(
    'the key of who reads a field that is not there %s',
    async (_, text, same: readonly Json[], others: readonly Json[]) => {
      const plan = await planOf(flow(code('b', text)).replace('topic: string', 'a: string?\n  b: string?'));
      const keyWith = (input: Json) => {
        const machine = createWorkflowMachine(plan, { runId: 'r', path: '', input, at: 0 }, '');
        const [command] = machine.start();
        return command?.op === 'step' ? command.key : undefined;
      };
      const keys = same.map(keyWith);
      expect(new Set(keys).size).toBe(1);
      expect(new Set([...keys, ...others.map(keyWith)]).size).toBe(1 + others.length);
    },
  );

  it('code that takes all steps is given all that have a value', async () => {
    const run = await start(prompt('a', 'x') + code('b', "return { text: Object.keys(steps).join(' ') }"));
    run.ok('a#1', some('A'));
    expect(seenBy(run, 'b#1')).toEqual({ input: { topic: 'tea' }, steps: { a: { text: 'A' } } });
  });

  const files = { 'work.ts': 'export const work = () => ({ text: "x" });' };
  const handler = (id: string, more = '') =>
    `  - id: ${id}\n    handler: ./work.ts#work\n    output:\n      text: string\n${more}`;

  it('a handler is given all that it can see, but nothing that may be running beside it', async () => {
    const list = `  - kind: parallel\n    children[4]:\n${inside(prompt('b', 'x') + prompt('c', 'x') + handler('h', '    needs: c\n') + handler('i'))}`;
    const run = await start(prompt('a', 'x') + list, { files });
    run.ok('a#1', some('A'));
    run.ok('b#1', some('B'));
    expect(run.ok('c#1', some('C'))).toEqual(['h#1']);
    expect(stepOf(run, 'h#1')).toMatchObject({
      spec: { kind: 'handler', module: './work.ts', name: 'work' },
    });
    expect(seenBy(run, 'h#1')).toEqual({
      input: { topic: 'tea' },
      steps: { a: { text: 'A' }, c: { text: 'C' } },
    });
    expect(stepOf(run, 'h#1').values?.get('b')).toBe(undefined);
    expect(seenBy(run, 'i#1')).toEqual({ input: { topic: 'tea' }, steps: { a: { text: 'A' } } });
  });

  it('a handler in a component sees its parameters, and the names of its own', async () => {
    const text = `name: flow\ninput:\n  topic: string\nagents:\n  w:\n    type: scripted\ncomponents:\n  Part:\n    params:\n      text: string\n    steps[2]:\n      - id: "{id}-short"\n        agent: w\n        prompt: x\n        output:\n          text: string\n      - id: own\n        handler: ./work.ts#work\n        output:\n          text: string\nsteps[3]:\n${prompt('before', 'x')}  - kind: component\n    id: part\n    use: Part\n    with:\n      text: "{input.topic}"\n${handler('after')}`;
    const run = startPlan(await planOf(text, { files }));
    run.ok('before#1', some('before'));
    run.ok('part/short#1', some('S'));
    expect(seenBy(run, 'part/own#1')).toEqual({
      input: { topic: 'tea' },
      params: { text: 'tea' },
      id: 'part',
      steps: { 'part-short': { text: 'S' }, short: { text: 'S' } },
    });
    run.ok('part/own#1', some('O'));
    expect(seenBy(run, 'after#1')).toEqual({
      input: { topic: 'tea' },
      steps: { before: { text: 'before' }, part: { text: 'O' }, 'part-short': { text: 'S' } },
    });
  });

  it('code and handlers say what they have to give, with the named types of it', async () => {
    const text = `name: flow\ninput:\nschemas:\n  Review:\n    approved: boolean\n  Other:\n    x: string\nsteps[2]:\n  - id: a\n    run: return [{ approved: true }]\n    output: "Review[]"\n  - id: b\n    handler: ./work.ts#work\n    output:\n      text: string\n`;
    const run = startPlan(await planOf(text, { files }), { input: null });
    expect(stepOf(run, 'a#1').spec).toMatchObject({
      output: { kind: 'array', item: { kind: 'ref', name: 'Review' } },
      types: { Review: { kind: 'struct', name: 'Review' } },
    });
    expect(Object.keys(stepOf(run, 'a#1').spec.types as object)).toEqual(['Review']);
    run.ok('a#1', [{ approved: true }]);
    expect(stepOf(run, 'b#1').spec).toMatchObject({ kind: 'handler', output: { kind: 'struct' } });
  });

  it('a prompt is a thunk with all that it needs', async () => {
    const text = `name: flow\ninput:\n  topic: string\nagents:\n  w:\n    type: scripted\n    instructions: Be short.\nschemas:\n  Review:\n    approved: boolean\nsteps[1]:\n  - id: a\n    agent: w\n    prompt: "On {input.topic}"\n    output: Review\n`;
    const run = startPlan(await planOf(text));
    expect(run.command('a#1')).toMatchObject({
      op: 'child',
      input: null,
      ref: {
        kind: 'thunk',
        form: 'prompt',
        agent: { name: 'w', type: 'scripted', fields: { instructions: 'Be short.' } },
        output: { kind: 'ref', name: 'Review' },
        types: { Review: { kind: 'struct', name: 'Review' } },
        prompt: 'On tea',
        for: ['a', 'w'],
      },
    });
  });
});

describe('keys', () => {
  const keyOf = async (steps: string, value: object, input = 'tea') => {
    const run = startPlan(await planOf(flow(steps)), { input: { topic: input } });
    run.ok('a#1', { ...some(), ...value });
    const command = run.command('b#1');
    return 'key' in command ? command.key : '';
  };
  const a = '  - id: a\n    agent: w\n    prompt: x\n    output:\n      text: string\n      more: string?\n';

  it('of a prompt: the rendered text, and nothing that it does not hold', async () => {
    const key = await keyOf(a + prompt('b', 'On {a.text}'), { text: 'A' });
    expect(await keyOf(a + prompt('b', 'On {a.text}', '    maxAttempts: 3\n'), { text: 'A', more: 'm' }, 'tee')).toBe(
      key,
    );
    expect(await keyOf(a + prompt('b', 'On {a.text}'), { text: 'B' })).not.toBe(key);
  });

  it('of code: the values that it reads, as far as their paths are written out', async () => {
    const steps = a + code('b', 'return { text: a.text.trim() }');
    const key = await keyOf(steps, { text: 'A' });
    expect(await keyOf(steps, { text: 'A', more: 'm' })).toBe(key);
    expect(await keyOf(steps, { text: 'B' })).not.toBe(key);
    expect(await keyOf(a + code('b', 'return { text: a.text.trim() + "" }'), { text: 'A' })).not.toBe(key);
  });
});

describe('attempts', () => {
  const retried = (more = '') => code('a', "return { text: 'x' }", `    maxAttempts: 2\n${more}`);

  it('an error that cannot be helped is not tried again', async () => {
    const run = await start(retried());
    expect(run.err('a#1', { retryable: false, code: 'limit' })).toEqual([]);
    expect(run.end()).toMatchObject({ err: { code: 'limit' } });
  });

  it('maxAttempts counts all of them; the last error is told', async () => {
    const run = await start(retried());
    run.err('a#1', { message: 'one' });
    expect(run.ok('a#1.wait')).toEqual(['a#2']);
    expect(run.err('a#2', { message: 'two' })).toEqual([]);
    expect(run.end()).toMatchObject({ err: { message: 'two', node: 'a' } });
  });

  it('a value that did not fit is tried again as any other failure', async () => {
    const run = await start(retried());
    expect(run.err('a#1', { code: 'schema' })).toEqual(['a#1.wait']);
    run.ok('a#1.wait');
    run.err('a#2', { code: 'schema' });
    expect(run.end()).toMatchObject({ err: { code: 'schema', node: 'a', retryable: true, at: 'flow.toon:8:9' } });
  });

  it('a step that has no value goes on without', async () => {
    const run = await start(prompt('a', 'x') + prompt('b', '[{a.text}]'));
    expect(run.none('a#1')).toEqual(['b#1']);
    expect(run.command('b#1')).toMatchObject({ ref: { prompt: '[]' } });
  });

  it('waits grow as the policy says, with some chance, and not beyond five minutes', () => {
    const waits = (backoff: RetryPolicy['backoff'], initialDelayMs = 1000) =>
      [1, 2, 3, 4].map((attempt) => {
        const ms = backoffMs({ maxAttempts: 9, backoff, initialDelayMs }, attempt, 'run', `a#${attempt}.wait`);
        return Math.floor(ms / (initialDelayMs * 1.2501)) + 1;
      });
    expect(waits('fixed')).toEqual([1, 1, 1, 1]);
    expect(waits('linear')[3]).toBeGreaterThanOrEqual(4);
    expect(waits('exponential')[3]).toBeGreaterThanOrEqual(7);
    expect(backoffMs({ maxAttempts: 99, backoff: 'exponential', initialDelayMs: 1000 }, 98, 'r', 'a')).toBe(300_000);
  });
});

describe('expressions', () => {
  it.each([
    ['prompt', prompt('b', '{JSON.parse(a.text).more.length}'), 'prompt: cannot read "length" of undefined'],
    ['skipIf', prompt('b', 'x', '    skipIf: "{JSON.parse(a.text).more.length} > 1"\n'), 'skipIf: cannot read'],
    [
      'condition',
      `  - kind: branch\n    id: b\n    condition: "{JSON.parse(a.text).more.length} > 1"\n    then[1]:\n${inside(prompt('c', 'x'))}`,
      'condition: cannot read',
    ],
    [
      'title',
      '  - kind: approval\n    id: b\n    request:\n      title: "{JSON.parse(a.text).more.length}"\n',
      'title: cannot read',
    ],
  ])('what throws in %s fails the node, with the place of the expression', async (_, steps, message) => {
    const text = flow(prompt('a', 'x') + steps);
    const run = startPlan(await planOf(text));
    run.ok('a#1', some('{}'));
    const { line, column } = positionAt(createSource('', text), text.indexOf('JSON.parse'));
    expect(run.end()).toMatchObject({
      err: {
        code: 'expression',
        retryable: false,
        node: expect.stringMatching(/^b/),
        at: `flow.toon:${line}:${column}`,
      },
    });
    expect(JSON.stringify(run.end())).toContain(JSON.stringify(message).slice(1, -1));
  });
});

describe('plans that cannot run', () => {
  const step = (id: string, more: Partial<StepNode> = {}): StepNode => ({
    kind: 'step',
    id,
    path: id,
    action: { kind: 'run', code: 'return 1', edits: [], reads: [] },
    output: jsonType,
    needs: [],
    retry: { maxAttempts: 1, backoff: 'fixed', initialDelayMs: 0 },
    at: { file: 'flow.toon', line: 3, column: 5 },
    ...more,
  });
  const made = (...children: WorkflowNode[]): WorkflowPlan => ({
    kind: 'plan',
    name: 'made',
    input: structOf([field('topic', textType)]),
    types: {},
    agents: {},
    services: [],
    plugins: [],
    workflows: {},
    children,
    result: jsonType,
  });
  const plugin: WorkflowNode = {
    kind: 'plugin',
    id: 'p',
    path: 'p',
    type: 'slack',
    module: 'm',
    fields: { kind: 'record', fields: {} },
    output: jsonType,
    needs: [],
  };

  it('a node of a plugin that the plan does not have fails', () => {
    const run = startPlan(made(plugin));
    expect(run.end()).toMatchObject({ err: { code: 'unsupported', node: 'p' } });
    expect(run.commands).toEqual([]);
  });

  it('steps that wait for each other fail, and say so', () => {
    const both = [step('a', { needs: ['b'] }), step('b', { needs: ['a'] })];
    const run = startPlan(made({ kind: 'parallel', path: 'p', children: both }));
    expect(run.end()).toMatchObject({ err: { code: 'needs', causes: [{ node: 'a' }, { node: 'b' }] } });
  });

  it('an answer to an approval that decides nothing fails it', async () => {
    const run = await start('  - kind: approval\n    id: ok\n    request:\n      title: Go?\n');
    run.ok('ok', 'yes');
    expect(run.end()).toMatchObject({ err: { code: 'input', node: 'ok', message: 'this is no decision: "yes"' } });
  });

  it('a component or a sub-workflow is not given what does not fit', async () => {
    const sub = 'name: sub\ninput:\n  n: number\nsteps[1]:\n  - id: x\n    run: "return 1"\n    output: number\n';
    const plan = await planOf(
      `imports:\n  workflows[1]{from,as}:\n    ./sub.toon,sub\nname: flow\ninput:\n  topic: string\nsteps[1]:\n  - kind: workflow\n    id: w\n    use: sub\n    input:\n      n: "{JSON.parse(input.topic)}"\n`,
      { files: { 'sub.toon': sub } },
    );
    const run = startPlan(plan, { input: { topic: '"tea"' } });
    expect(run.end()).toMatchObject({ err: { code: 'input', node: 'w' } });
    expect(startPlan(plan, { input: { topic: '3' } }).first).toEqual(['w', 'w/x#1']);
  });

  it('a reference that leads to no plan is a mistake of whoever made it', () => {
    const init = { runId: 'r', path: '', input: {}, at: 0 };
    expect(() => workflowMaker(made())({ kind: 'workflow', plan: 'a/b' }, init)).toThrow('no workflow "a/b"');
    expect(() => workflowMaker(made())({ kind: 'thunk' }, init)).toThrow('no reference to a workflow');
    expect(createWorkflowMachine(made(), init).start()).toEqual([]);
    expect(machineNumber).toBe(3);
  });
});
