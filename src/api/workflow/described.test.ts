/** Builder objects as exports of a module: known by their marker, described as plain JSON. */
import { join } from 'node:path';
import { Schema } from 'effect';
import { describe, expect, it } from 'vitest';
import { draftFromJson, planDraft } from '../../plan/index.ts';
import { agent, call, component, describeBuilder, step, text, workflow } from '../workflow.ts';
import { graphOf } from './graph.ts';

const Text = Schema.Struct({ text: Schema.String });
const writer = agent('writer', { type: 'scripted' });
const draft = step('draft', { agent: writer, prompt: 'Write.', output: Text });
const flow = workflow({
  name: 'flow',
  steps: () => [draft, step('words', { run: ({ read }) => read(draft.text).length, output: Schema.Number })],
});
const Part = component('Part', {
  params: Text,
  steps: ({ id, params }) => [
    step(`${id}-a`, { agent: writer, prompt: text`${params.text} {{}}`, output: Text }),
    step('b', { run: () => ({ text: '' }), output: Text }),
  ],
});

const read = async () => ({ ok: false as const, message: 'nothing is read' });
const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

describe('describeBuilder', () => {
  it('gives the plan of a workflow, and the names of its functions', async () => {
    expect(asJson(await describeBuilder(flow))).toEqual(
      asJson({
        kind: 'workflow',
        name: 'flow',
        plan: await flow.plan(),
        file: join(process.cwd(), '<builder>'),
        functions: ['builder:flow/words'],
      }),
    );
  });

  it('gives the draft of a component, which means the same in another process', async () => {
    const described = asJson(await describeBuilder(Part));
    if (described?.kind !== 'component') throw new Error('not a component');
    expect(described).toMatchObject({ name: 'Part', functions: ['builder:Part/Part/b'] });
    const parts = draftFromJson(described.draft);
    const using = workflow({ name: 'flow', input: Text, steps: ({ input }) => [Part('p', { text: input.text })] });
    const place = { source: parts.source, span: { start: 0, end: 0 } };
    const { plan, diagnostics } = await planDraft(
      {
        ...parts,
        name: { ...place, text: 'flow' },
        input: {
          ...place,
          type: { kind: 'struct', fields: [{ name: 'text', type: { kind: 'text' }, optional: false }] },
          names: [],
        },
        steps: {
          key: place,
          nodes: [
            {
              kind: 'component',
              id: { ...place, text: 'p' },
              at: place,
              use: { ...place, text: 'Part' },
              with: {
                ...place,
                kind: 'record',
                fields: [
                  {
                    key: { ...place, text: 'text' },
                    value: { ...place, kind: 'text', text: { ...place, text: '{input.text}', place: () => 0 } },
                  },
                ],
              },
            },
          ],
        },
      },
      { file: '/flow.toon', read },
    );
    expect(diagnostics).toEqual([]);
    const named = JSON.stringify(graphOf(await using.plan())).replaceAll('builder:flow', 'builder:Part');
    expect(plan && graphOf(plan)).toEqual(JSON.parse(named));
  });

  it('says what cannot be used', async () => {
    const wrong = workflow({ name: 'wrong', steps: () => [step('a', { run: 'return b', output: Text })] });
    expect(await describeBuilder(wrong)).toMatchObject({
      kind: 'other',
      what: expect.stringContaining('step "a", run'),
    });
    const Caller = component('Caller', { params: Text, steps: () => [call('c', { use: wrong })] });
    expect(await describeBuilder(Caller)).toMatchObject({
      kind: 'other',
      what: expect.stringMatching(/^the component "Caller", which is wrong: workflow "wrong", step "a", run: unknown/),
    });
  });

  it('knows nothing else', async () => {
    for (const value of [undefined, null, 1, 'a', {}, () => 1, draft, writer]) {
      expect(await describeBuilder(value)).toBeUndefined();
    }
  });
});

it('an agent stays the plain object that modules of workflow files export', () => {
  expect({ ...writer }).toEqual({ type: 'scripted' });
  expect(JSON.stringify(writer)).toBe('{"type":"scripted"}');
});

describe('functions', () => {
  const context = { input: { a: [1, 2] }, steps: { draft: { text: 'three' } }, params: undefined };

  it('read what references mean', () => {
    const run = flow.functions.get('builder:flow/words');
    expect(run?.(context as never)).toBe(5);
  });

  it('of sub-workflows and components are there too', () => {
    const outer = workflow({ name: 'outer', steps: () => [call('c', { use: flow }), Part('p', { text: '' })] });
    expect([...outer.functions.keys()]).toEqual(['builder:outer/Part/b', 'builder:flow/words']);
  });

  it('of two workflows with one name are refused', () => {
    const other = workflow({ name: 'flow', steps: () => [step('words', { run: () => 1, output: Schema.Number })] });
    const middle = workflow({ name: 'middle', steps: () => [call('x', { use: other })] });
    expect(() =>
      workflow({ name: 'outer', steps: () => [call('c', { use: flow }), call('m', { use: middle })] }),
    ).toThrow('two workflows have the same name');
  });
});
