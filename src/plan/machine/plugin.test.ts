/** Nodes of plugins in the machine, and what steps are told of services and plugins. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepCommand } from '../../machine/index.ts';
import { field, numberType, structOf, textType } from '../../type/index.ts';
import type { ModuleAnswer } from '../modules.ts';
import type { WorkflowPlan } from '../node.ts';
import { planOf } from '../plan-test-kit.ts';
import { type PlanRun, startPlan } from './run-plan.ts';

const modules: Record<string, ModuleAnswer> = {
  './p.ts': {
    ok: true,
    file: '/flows/p.ts',
    exports: {},
    files: [],
    plugin: {
      nodes: {
        post: {
          fields: [
            { name: 'text', type: textType, optional: false, interpolated: true },
            { name: 'raw', type: textType, optional: true, interpolated: false },
          ],
          output: structOf([field('number', numberType)]),
        },
        quiet: { fields: [] },
      },
      agents: { echo: [] },
      functions: ['shout'],
      services: [],
    },
  },
  './s.ts': { ok: true, file: '/flows/s.ts', exports: { tracker: { kind: 'service', members: [] } }, files: [] },
};

async function start(steps: string): Promise<PlanRun> {
  return startPlan(await planWith(steps));
}

function planWith(steps: string): Promise<WorkflowPlan> {
  const count = [...steps.matchAll(/^ {2}- /gm)].length;
  const imports = `  plugins[1]:\n    - from: ./p.ts\n      config: 7\n  services[1]{from,use}:\n    ./s.ts,tracker\n`;
  const head = `name: flow\nimports:\n${imports}input:\n  topic: string\nagents:\n  e:\n    type: echo\n`;
  const files = { 'h.ts': 'export default () => 1' };
  return planOf(`${head}steps[${count}]:\n${steps}`, { modules, files });
}

function stepOf(run: PlanRun, id: string): StepCommand {
  const command = run.command(id);
  if (command.op !== 'step') throw new Error(`${id} is a ${command.op}`);
  return command;
}

const code = (id: string, text: string) => `  - id: ${id}\n    run: ${JSON.stringify(text)}\n    output: string\n`;

describe('a node of a plugin', () => {
  it('is a step with its fields filled in, the plugin and its config', async () => {
    const run = await start(
      '  - kind: post\n    id: p\n    text: "On {input.topic}"\n    raw: "{x}"\n    timeout: 3s\n',
    );
    expect(stepOf(run, 'p#1')).toMatchObject({
      spec: { kind: 'plugin', module: './p.ts', name: 'default', config: 7, type: 'post', at: 'flow.toon:14:5' },
      args: { fields: { text: 'On tea', raw: '{x}' } },
      timeoutMs: 3000,
    });
    expect(stepOf(run, 'p#1')).not.toHaveProperty('values');
    run.ok('p#1', { number: 1 });
    expect(run.end()).toEqual({ ok: { number: 1 } });
  });

  it('is tried again as it says, and its failure is told with its place', async () => {
    const run = await start(
      '  - kind: post\n    id: p\n    text: x\n    retry:\n      maxAttempts: 2\n      initialDelay: 1s\n',
    );
    expect(run.err('p#1')).toEqual(['p#1.wait']);
    expect(run.ok('p#1.wait')).toEqual(['p#2']);
    run.err('p#2', { message: 'no' });
    expect(run.end()).toMatchObject({ err: { message: 'no', node: 'p', at: 'flow.toon:14:5' } });
    const once = await start('  - kind: post\n    id: p\n    text: x\n');
    expect(once.err('p#1')).toEqual([]);
    expect(once.end()).toHaveProperty('err');
  });

  it('has as many attempts as it may have and needs', async () => {
    const most = 4;
    const text = `  - kind: post\n    id: p\n    text: x\n    retry:\n      maxAttempts: ${most}\n      initialDelay: 1s\n`;
    const plan = await planWith(text);
    const outcome = fc.constantFrom('ok', 'again', 'final');
    fc.assert(
      fc.property(fc.array(outcome, { minLength: most, maxLength: most }), (outcomes) => {
        const run = startPlan(plan);
        const last = outcomes.findIndex((each) => each !== 'again');
        const attempts = last === -1 ? most : last + 1;
        for (let attempt = 1; attempt <= attempts; attempt++) {
          expect(run.open()).toEqual([`p#${attempt}`]);
          if (outcomes[attempt - 1] === 'ok') run.ok(`p#${attempt}`, { number: attempt });
          else run.err(`p#${attempt}`, { retryable: outcomes[attempt - 1] === 'again' });
          if (run.end() === undefined) run.ok(`p#${attempt}.wait`);
        }
        expect(run.open()).toEqual([]);
        expect(run.end()).toMatchObject(
          outcomes[last] === 'ok' ? { ok: { number: attempts } } : { err: { node: 'p' } },
        );
      }),
    );
  });

  it('that is silent takes all, and has no value', async () => {
    const run = await start('  - kind: quiet\n    id: q\n');
    expect(stepOf(run, 'q#1').spec).toMatchObject({ silent: true });
    expect(stepOf(run, 'q#1').spec).not.toHaveProperty('output');
    run.none('q#1');
    expect(run.end()).toEqual({ none: true });
  });
});

describe('steps are told', () => {
  it('of the services and functions that their code names, and of no others', async () => {
    const run = await start(
      code('a', 'return input.topic') + code('b', 'return shout(input.topic)') + code('c', 'return tracker'),
    );
    expect(stepOf(run, 'a#1').spec).toEqual(expect.not.objectContaining({ services: expect.anything() }));
    expect(stepOf(run, 'a#1').spec).not.toHaveProperty('plugins');
    run.ok('a#1', 'A');
    expect(stepOf(run, 'b#1').spec).toMatchObject({ names: ['shout'], plugins: [{ module: './p.ts', config: 7 }] });
    expect(stepOf(run, 'b#1').spec).not.toHaveProperty('services');
    run.ok('b#1', 'B');
    const service = { module: './s.ts', name: 'tracker', as: 'tracker' };
    expect(stepOf(run, 'c#1').spec).toMatchObject({ names: ['tracker'], services: [service] });
    expect(stepOf(run, 'c#1').spec).not.toHaveProperty('plugins');
  });

  it('handlers of all', async () => {
    const run = await start('  - id: h\n    handler: ./h.ts\n    output: string\n');
    expect(stepOf(run, 'h#1').spec).toMatchObject({ services: [{ as: 'tracker' }], plugins: [{ module: './p.ts' }] });
  });

  it('and prompts who answers for their agent', async () => {
    const run = await start('  - id: a\n    agent: e\n    prompt: x\n    output: string\n');
    expect(run.command('a#1')).toMatchObject({
      op: 'child',
      ref: { agent: { type: 'echo', plugin: { module: './p.ts', name: 'default', config: 7 } } },
    });
  });
});
