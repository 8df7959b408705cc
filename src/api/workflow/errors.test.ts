/** What is wrong with a builder program is told in one error, by the ids of its steps. */
import { Schema as S, Schema } from 'effect';
import { describe, expect, it } from 'vitest';
import { type Diagnostic, renderDiagnostic, ToolangError } from '../../text/index.ts';
import {
  type AnySchema,
  agent,
  approval,
  call,
  component,
  load,
  loop,
  type Node,
  parallel,
  sequence,
  step,
  text,
  workflow,
} from '../workflow.ts';

const Text = Schema.Struct({ text: Schema.String });
const writer = agent('writer', { type: 'anthropic', model: 'm' });
const draft = step('draft', { agent: writer, prompt: 'Write.', output: Text });

/** As from a program without types. */
const untyped = { step: step as (id: unknown, options: unknown) => Node<unknown> };

async function messageOf(steps: () => readonly Node<unknown>[], input?: AnySchema): Promise<string> {
  const error = await workflow({ name: 'flow', ...(input && { input }), steps })
    .plan()
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ToolangError);
  return (error as Error).message;
}

describe('the error', () => {
  it('names the step and its key, and says what to write instead', async () => {
    const last = step('last', { agent: writer, prompt: 'Shorten {darft.text}', output: Text });
    expect(await messageOf(() => [draft, last])).toMatchInlineSnapshot(`
      "the workflow "flow" has a mistake:
        step "last", prompt: unknown name "darft". Did you mean "draft"? (TOO3251)"
    `);
  });

  it('tells everything at once, with the reports beside it', async () => {
    const twice = step('draft', { agent: agent('other', { type: 'antropic' }), prompt: 'x', output: Text });
    const flow = workflow({ name: 'flow', steps: () => [draft, twice] });
    const error: { message: string; code: string; diagnostics: readonly Diagnostic[] } = await flow
      .plan()
      .catch((reason) => reason);
    expect(error.message).toMatchInlineSnapshot(`
      "the workflow "flow" has 2 mistakes:
        step "draft": the id "draft" is used twice (TOO4221)
          Give each node an id of its own: others read its result by that name.
        agent "other", type: unknown type of agent "antropic". Did you mean "anthropic"? (TOO4202)
          Known: claude-code, codex, gemini, pi, kimi, forge, anthropic, openai, api, too, scripted."
    `);
    expect(error.code).toBe(error.diagnostics[0]?.code);
    expect(error.diagnostics.map(({ code }) => code)).toEqual(['TOO4221', 'TOO4202']);
    expect(await flow.check()).toEqual({ diagnostics: error.diagnostics });
  });

  it('has reports that can be shown, and no fixes, because there is no file', async () => {
    const last = step('last', { agent: writer, prompt: 'Shorten\n{draft.txet}', output: Text });
    const { diagnostics } = await workflow({ name: 'flow', steps: () => [draft, last] }).check();
    expect(
      diagnostics.map((each) => renderDiagnostic(each, { color: false, columns: 80 })).join('\n'),
    ).toMatchInlineSnapshot(`
      "<flow>:14:8  error TOO3252  step "last", prompt: step "draft" has no field "txet"; it has text. Did you mean "text"?
         14 | {draft.txet}
            |        ^^^^"
    `);
    expect(diagnostics.some((each) => 'fix' in each)).toBe(false);
  });
});

describe('is found as in files', () => {
  const one = () => step('one', { run: 'return 1', output: Schema.Number });

  it.each<[string, object, string]>([
    ['an unknown key', { inptu: Text }, 'unknown key "inptu". Did you mean "input"? (TOO4001)'],
    ['steps that are a promise', { steps: async () => [one()] }, 'a list of nodes is needed, not a promise (TOO4003)'],
    ['no steps', { steps: undefined }, 'a list of nodes is needed, not undefined (TOO4003)'],
    ['imports of an unknown kind', { imports: { plugin: [] } }, 'unknown key "plugin". Did you mean "plugins"?'],
    ['imports that are no list', { imports: { plugins: './p.ts' } }, '"plugins" takes an object'],
    ['a plugin with an unknown key', { imports: { plugins: [{ from: './p.ts', confg: {} }] } }, 'unknown key "confg"'],
  ])('a workflow with %s', async (_, given, message) => {
    const flow = workflow({ name: 'flow', steps: () => [one()], ...given } as Parameters<typeof workflow>[0]);
    const [first] = (await flow.check()).diagnostics;
    expect(`${first?.message} (${first?.code})`).toContain(message);
  });

  it.each<[string, object, string]>([
    ['a cache without "by"', { cache: { version: 1 } }, '"cache.by" is missing (TOO4002)'],
    ['a cache that is none', { cache: true }, '"cache" takes an object with by, version, not true (TOO4003)'],
    ['a retry that is none', { retry: 3 }, '"retry" takes an object with maxAttempts, backoff, initialDelay, not 3'],
  ])('a step with %s', async (_, given, message) => {
    const wrong = step('wrong', { run: 'return 1', output: Schema.Number, ...given });
    expect(await messageOf(() => [wrong])).toContain(message);
  });

  it('a component with an unknown key, and a request that is none', async () => {
    const given = { params: Text, steps: () => [one()], parms: Text };
    expect(await messageOf(() => [component('Part', given)('p', { text: 'x' })])).toContain('unknown key "parms"');
    const asked = approval('ok', { request: { title: 'Go?', sumary: 'x' } as never });
    expect(await messageOf(() => [asked])).toContain('unknown key "sumary". Did you mean "summary"?');
    const none = await messageOf(() => [approval('ok', { request: 'Go?' as never })]);
    expect(none).toContain('has a mistake');
    expect(none).toContain('"request" takes an object with title, summary, not "Go?"');
  });

  it('a step that cannot have run', async () => {
    const later = step('later', { agent: writer, prompt: draft.text, output: Text });
    expect(await messageOf(() => [later, draft])).toContain('step "later", prompt: ');
  });

  it('ids that cannot be ids', async () => {
    const bad = step('my step', { run: 'return 1', output: Schema.Number });
    const taken = step('input', { run: 'return 1', output: Schema.Number });
    const message = await messageOf(() => [bad, taken]);
    expect(message).toContain('"my step" is no id (TOO4007)');
    expect(message).toContain('"input" is a word of the context and cannot be an id (TOO4008)');
  });

  it('values that do not fit a sub-workflow', async () => {
    const inner = workflow({ name: 'inner', input: Text, steps: () => [draft] });
    const outer = call('outer', { use: inner, input: { txt: 'a' } as never });
    const message = await messageOf(() => [outer]);
    expect(message).toContain('the workflow "inner" has no "txt". Did you mean "text"? (TOO4244)');
  });

  it('mistakes of a sub-workflow, once, without new ones of the caller', async () => {
    const wrong = step('wrong', { run: 'return nothing', output: Schema.Number });
    const inner = workflow({ name: 'inner', steps: () => [wrong] });
    const message = await messageOf(() => [call('a', { use: inner })]);
    expect(message).toContain('the workflow "flow" has a mistake');
    expect(message).toContain('workflow "inner", step "wrong", run: ');
  });

  it('the mistakes of a component', async () => {
    const Part = component('Part', {
      params: Text,
      steps: ({ id }) => [step(`${id}-a`, { agent: writer, prompt: '{params.txet}', output: Text })],
    });
    expect(await messageOf(() => [Part('p', { text: 'x' })])).toContain('component "Part", step "{id}-a", prompt: ');
  });

  it('two schemas, agents or workflows of one name', async () => {
    const one = Schema.Struct({ a: Schema.String }).annotate({ identifier: 'Same' });
    const two = S.Struct({ b: Schema.String }).annotate({ identifier: 'Same' });
    const other = agent('writer', { type: 'scripted' });
    const message = await messageOf(() => [
      step('a', { agent: writer, prompt: 'x', output: one }),
      step('b', { agent: other, prompt: 'x', output: two }),
    ]);
    expect(message).toContain('there are two schemas "Same" (TOO4212)');
    expect(message).toContain('there are two agents "writer" (TOO4212)');
  });
});

describe('what types would have said', () => {
  it.each([
    ['no action', untyped.step('a', { output: Text }), 'step "a": a step needs "prompt", "run" or "handler" (TOO4002)'],
    ['two actions', untyped.step('a', { run: 'return 1', handler: './a.ts', output: Text }), 'not both (TOO4006)'],
    [
      'a misspelt key',
      untyped.step('a', { rnu: 'x', run: 'return 1', output: Text }),
      'unknown key "rnu". Did you mean "run"? (TOO4001)',
    ],
    [
      'no schema',
      untyped.step('a', { run: 'return 1', output: { text: 'string' } }),
      'step "a", output: is no schema.',
    ],
    ['no output', untyped.step('a', { run: 'return 1' }), 'a step needs "output" (TOO4002)'],
    [
      'no duration',
      untyped.step('a', { run: 'return 1', output: Text, timeout: 5 }),
      '"timeout" takes a duration like 30s or 5m, not 5 (TOO4011)',
    ],
    [
      'no count',
      untyped.step('a', { run: 'return 1', output: Text, maxAttempts: 0 }),
      '"maxAttempts" takes a whole number from 1 on, not 0 (TOO4010)',
    ],
    ['no text', untyped.step('a', { agent: writer, prompt: undefined, output: Text }), 'a step needs "prompt"'],
    [
      'an object for a text',
      untyped.step('a', { agent: writer, prompt: {}, output: Text }),
      '"prompt" takes a text, a reference or an expression, not an object',
    ],
    [
      'no agent',
      untyped.step('a', { agent: 'writer', prompt: 'x', output: Text }),
      '"agent" takes what agent(…) gives',
    ],
    ['an id that is no text', untyped.step(5, { run: 'return 1', output: Text }), '"id" takes a text, not 5'],
    [
      'needs of what has no id',
      untyped.step('a', { run: 'return 1', output: Text, needs: sequence({ children: [draft] }) }),
      '"needs" takes nodes that have an id',
    ],
    ['no nodes', parallel({ children: [] }), 'parallel, children: there are no nodes (TOO4004)'],
    ['a loop without an end', loop({ children: [draft] } as never), 'loop: "until" is missing (TOO4002)'],
    ['no node', sequence({ children: ['draft' as never] }), 'node 1 is none: "draft" (TOO4003)'],
    ['no workflow', call('a', { use: 'inner' } as never), '"use" takes a workflow, not "inner" (TOO4003)'],
  ])('%s', async (_, node, message) => expect(await messageOf(() => [node])).toContain(message));

  it('nodes that nest without end', () => {
    let node: Node<unknown> = draft;
    for (let depth = 0; depth < 3000; depth++) node = sequence({ children: [node] });
    expect(() => workflow({ name: 'deep', steps: () => [node] })).toThrow('nodes nest more than 64 levels deep');
  });

  it('schemas of which nothing is known', async () => {
    const silent = { '~standard': { vendor: 'other', version: 1, validate: () => ({}) } };
    expect(await messageOf(() => [step('a', { run: 'return 1', output: silent })])).toContain(
      'step "a", output: is a schema of other that has no JSON Schema',
    );
  });
});

it('a file that is not there, or wrong', async () => {
  await expect(load('no/such/file.toon')).rejects.toThrow('no/such/file.toon');
});

it('texts of values are never read as expressions', async () => {
  const plan = await workflow({
    name: 'flow',
    steps: () => [step('a', { agent: writer, prompt: text`Say ${'{input.secret}'}`, output: Text })],
  }).plan();
  const [only] = plan.children;
  expect(only?.kind === 'step' && only.action.kind === 'prompt' && only.action.prompt.reads).toEqual([]);
});
