/** Each kind of node, as a file and as a builder program: the same graphs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Schema } from 'effect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  agent,
  approval,
  branch,
  call,
  component,
  expr,
  load,
  loop,
  node,
  parallel,
  ref,
  sequence,
  step,
  text,
  type Workflow,
  workflow,
  worktree,
} from '../workflow.ts';
import { graphOf } from './graph.ts';

let dir: string;

const plugin = `export default () => ({
  nodes: {
    post: { fields: { text: 'string', urgent: 'boolean?' }, interpolate: ['text'], output: { ts: 'string' }, run: () => {} },
  },
})`;

const parts = `components:
  Greet:
    params:
      name: string
    steps[1]:
      - id: hello
        agent: critic
        prompt: "Hello {params.name}"
        output:
          text: string
agents:
  critic:
    type: scripted
`;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-kinds-'));
  writeFileSync(join(dir, 'post.ts'), plugin);
  writeFileSync(join(dir, 'parts.toon'), parts);
  writeFileSync(
    join(dir, 'child.toon'),
    `${head('child')}steps[1]:\n  - id: one\n    run: return 1\n    output: number\n`,
  );
  writeFileSync(join(dir, 'review.md'), 'Review {input.topic}.\n');
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const head = (name: string) => `name: ${name}\ninput:\n  topic: string\n  fast: boolean?\n`;
const input = Schema.Struct({ topic: Schema.String, fast: Schema.optional(Schema.Boolean) });
const Text = Schema.Struct({ text: Schema.String });
const model = agent('model', { type: 'scripted', instructions: 'Be {brief}.' });
const agents = 'agents:\n  model:\n    type: scripted\n    instructions: "Be {brief}."\n';
const from = () => join(dir, 'flow.ts');

/** A step of both forms, to be read by others. */
const first = step('first', { agent: model, prompt: 'Write on {input.topic}', output: Text });
const firstToon = `- id: first
    agent: model
    prompt: "Write on {input.topic}"
    output:
      text: string`;

async function same(toon: string, built: Workflow<unknown, unknown>): Promise<void> {
  writeFileSync(join(dir, 'flow.toon'), toon);
  const file = await load(join(dir, 'flow.toon'));
  expect(graphOf(await built.plan())).toEqual(graphOf(await file.plan()));
}

describe('the same graph', () => {
  it('step, with every key', () =>
    same(
      `${head('flow')}${agents}steps[2]:
  ${firstToon}
  - id: second
    agent: model
    promptFrom: ./review.md
    output:
      text: string
    needs: first
    retry:
      maxAttempts: 2
      backoff: linear
      initialDelay: 250ms
    timeout: 1h
    cache:
      by[2]: "{input.topic}","{first.text}"
      version: v1
    skipIf: "{input.fast} == true"
    pool: slow
`,
      workflow({
        name: 'flow',
        from: from(),
        input,
        steps: (flow) => [
          first,
          step('second', {
            agent: model,
            promptFrom: './review.md',
            output: Text,
            needs: 'first',
            retry: { maxAttempts: 2, backoff: 'linear', initialDelay: '250ms' },
            timeout: '1h',
            cache: { by: [flow.input.topic, first.text], version: 'v1' },
            skipIf: text`${flow.input.fast} == true`,
            pool: 'slow',
          }),
        ],
      }),
    ));

  it('step on a thunk, with what it takes and gives', async () => {
    const thunks =
      'struct Review:\n  approved: Boolean\nthunk review(input: Text, style: Text, most?: Number) -> Review:\n  user: {{style}}\nthunk idea(n: Number):\n  user: {{n}}\n';
    writeFileSync(join(dir, 'r.too'), thunks);
    const critic = agent('critic', { type: 'too', use: './r.too#review' });
    const thinker = agent('thinker', { type: 'too', use: './r.too#idea' });
    const build = (style: unknown) =>
      workflow({
        name: 'flow',
        from: from(),
        input,
        steps: ({ input }) => {
          const idea = step('idea', { agent: thinker, with: { n: 3 } });
          const review = step('review', {
            agent: critic,
            prompt: idea,
            with: { style, most: expr`${input.topic}.length` },
          });
          const wide = Schema.Struct({ approved: Schema.Boolean, more: Schema.optional(Schema.String) });
          const typed = step('typed', { agent: critic, prompt: 'x', with: { style: 's' }, output: wide });
          return [idea, review, typed, approval('ok', { request: { title: '{review.approved} {typed.approved}' } })];
        },
      });
    await same(
      `${head('flow')}agents:
  thinker:
    type: too
    use: ./r.too#idea
  critic:
    type: too
    use: ./r.too#review
steps[4]:
  - id: idea
    agent: thinker
    with:
      n: 3
  - id: review
    agent: critic
    prompt: "{idea}"
    with:
      style: dry
      most: "{input.topic.length}"
  - id: typed
    agent: critic
    prompt: x
    with:
      style: s
    output:
      approved: boolean
      more: string?
  - kind: approval
    id: ok
    request:
      title: "{review.approved} {typed.approved}"
`,
      build('dry'),
    );
    await expect(build(3).plan()).rejects.toThrow(
      'step "review", with.style: the thunk "review" takes string here, not number (TOO4245)',
    );
    const other = step('a', { agent: model, prompt: 'x', with: { n: 1 }, output: Text });
    await expect(workflow({ name: 'w', from: from(), steps: () => [other] }).plan()).rejects.toThrow('TOO4244');
    const bare = workflow({ name: 'w', from: from(), steps: () => [step('a', { agent: model })] });
    await expect(bare.plan()).rejects.toThrow('a step needs "output"');
  });

  it('step with the schema of another library, and attempts beside it', () =>
    same(
      `${head('flow')}steps[1]:
  - id: count
    run: "return { words: input.topic.split(' '), level: 'low' }"
    output:
      words: "string[]"
      level: "\\"low\\" | \\"high\\""
    maxAttempts: 3
`,
      workflow({
        name: 'flow',
        input: z.object({ topic: z.string(), fast: z.boolean().optional() }),
        steps: () => [
          step('count', {
            run: "return { words: input.topic.split(' '), level: 'low' }",
            output: z.object({ words: z.array(z.string()), level: z.enum(['low', 'high']) }),
            maxAttempts: 3,
          }),
        ],
      }),
    ));

  it('sequence and parallel, named and not', () =>
    same(
      `${head('flow')}${agents}steps[2]:
  - kind: sequence
    children[1]:
      ${firstToon.replaceAll('\n', '\n    ')}
  - kind: parallel
    id: both
    maxConcurrency: 2
    children[2]:
      - id: a
        agent: model
        prompt: "{b.text}"
        output:
          text: string
      - id: b
        agent: model
        prompt: "{first.text}"
        output:
          text: string
`,
      workflow({
        name: 'flow',
        input,
        steps: () => {
          const b = step('b', { agent: model, prompt: first.text, output: Text });
          const a = step('a', { agent: model, prompt: b.text, output: Text });
          return [sequence({ children: [first] }), parallel({ id: 'both', maxConcurrency: 2, children: [a, b] })];
        },
      }),
    ));

  it('loop, whose later step is read before it', () =>
    same(
      `${head('flow')}${agents}steps[1]:
  - kind: loop
    until: "judge.done || loop.iteration > 2"
    maxIterations: 4
    onMaxReached: fail
    children[2]:
      - id: try
        agent: model
        prompt: "{judge.note ?? 'begin'}"
        output:
          text: string
      - id: judge
        agent: model
        prompt: "{try.text}"
        output:
          done: boolean
          note: string
`.replaceAll('try', 'attempt-1'),
      workflow({
        name: 'flow',
        input,
        steps: () => {
          const Verdict = Schema.Struct({ done: Schema.Boolean, note: Schema.String });
          const before = ref('judge', Verdict);
          const attempt = step('attempt-1', { agent: model, prompt: expr`${before.note} ?? 'begin'`, output: Text });
          const judge = step('judge', { agent: model, prompt: attempt.text, output: Verdict });
          return [
            loop({
              until: 'judge.done || loop.iteration > 2',
              maxIterations: 4,
              onMaxReached: 'fail',
              children: [attempt, judge],
            }),
          ];
        },
      }),
    ));

  it('approval and branch', () =>
    same(
      `${head('flow')}${agents}steps[3]:
  ${firstToon}
  - kind: approval
    id: ask
    request:
      title: "Post it?"
      summary: "{first.text}"
    needs: first
    onDeny: continue
  - kind: branch
    id: choice
    condition: "{ask.approved}"
    then[1]:
      - id: post
        run: "return { text: first.text }"
        output:
          text: string
    else[1]:
      - id: drop
        run: "return { text: '' }"
        output:
          text: string
`,
      workflow({
        name: 'flow',
        input,
        steps: () => {
          const ask = approval('ask', {
            request: { title: 'Post it?', summary: first.text },
            needs: first,
            onDeny: 'continue',
          });
          const post = step('post', { run: 'return { text: first.text }', output: Text });
          const drop = step('drop', { run: "return { text: '' }", output: Text });
          // biome-ignore lint/suspicious/noThenProperty: a word of the language.
          return [first, ask, branch({ id: 'choice', condition: ask.approved, then: [post], else: [drop] })];
        },
      }),
    ));

  it('worktree', () =>
    same(
      `${head('flow')}steps[1]:
  - kind: worktree
    path: "../work-{input.topic}"
    branch: "topic/{input.topic}"
    base: main
    keep: true
    children[1]:
      - id: where
        run: "return { text: cwd }"
        output:
          text: string
`,
      workflow({
        name: 'flow',
        input,
        steps: (flow) => [
          worktree({
            path: text`../work-${flow.input.topic}`,
            branch: `topic/${flow.input.topic}`,
            base: 'main',
            keep: true,
            children: [step('where', { run: 'return { text: cwd }', output: Text })],
          }),
        ],
      }),
    ));

  it('workflow, of a file and of a program', async () => {
    const toon = `${head('flow')}imports:
  workflows[1]{from,as}:
    ./child.toon,child
steps[1]:
  - kind: workflow
    id: inner
    use: child
    input:
      topic: "on {input.topic}"
      fast: true
`;
    const one = step('one', { run: 'return 1', output: Schema.Number });
    const child = workflow({ name: 'child', input, steps: () => [one] });
    const parent = (use: Workflow<typeof input.Encoded, number>) =>
      workflow({
        name: 'flow',
        from: from(),
        input,
        steps: (flow) => [call('inner', { use, input: { topic: text`on ${flow.input.topic}`, fast: true } })],
      });
    await same(toon, parent(child));
    await same(toon, parent(await load(join(dir, 'child.toon'))));
  });

  it('component, with a step that is read outside', () =>
    same(
      `${head('flow')}${agents}components:
  Twice:
    params:
      text: string
      times: number?
    steps[2]:
      - id: "{id}-once"
        agent: model
        prompt: "{params.text} for {id}"
        output:
          text: string
      - id: again
        agent: model
        prompt: "{once.text} {params.times ?? 2}"
        output:
          text: string
steps[2]:
  - kind: component
    id: pair
    use: Twice
    with:
      text: "{input.topic}"
  - id: last
    agent: model
    prompt: "{pair-once.text} {pair.text}"
    output:
      text: string
`,
      workflow({
        name: 'flow',
        input,
        steps: (flow) => {
          const Twice = component('Twice', {
            params: Schema.Struct({ text: Schema.String, times: Schema.optional(Schema.Number) }),
            steps: ({ id, params }) => {
              const once = step(`${id}-once`, { agent: model, prompt: text`${params.text} for ${id}`, output: Text });
              const prompt = text`${once.text} ${expr`${params.times} ?? 2`}`;
              return [once, step('again', { agent: model, prompt, output: Text })];
            },
          });
          const pair = Twice('pair', { text: flow.input.topic });
          const once = ref('pair-once', Text);
          return [pair, step('last', { agent: model, prompt: text`${once.text} ${pair.text}`, output: Text })];
        },
      }),
    ));

  it('component of a file', async () => {
    const Greet = (await load(join(dir, 'parts.toon'))).component<{ name: string }, { text: string }>('Greet');
    const toon = `${head('flow')}imports:
  components[1]{from,use}:
    ./parts.toon,Greet
steps[1]:
  - kind: component
    id: greet
    use: Greet
    with:
      name: "{input.topic}"
`;
    const steps = (flow: { readonly input: { readonly topic: Parameters<typeof text>[1] } }) => [
      Greet('greet', { name: text`${flow.input.topic ?? ''}` }),
    ];
    await same(toon, workflow({ name: 'flow', from: from(), input, steps }));
  });

  it('a node of a plugin', () =>
    same(
      `${head('flow')}imports:
  plugins[1]:
    - from: ./post.ts
      config:
        channel: dev
steps[1]:
  - kind: post
    id: told
    text: "On {input.topic}"
    urgent: true
    timeout: 5s
    retry:
      maxAttempts: 3
      backoff: linear
`,
      workflow({
        name: 'flow',
        from: from(),
        input,
        imports: { plugins: [{ from: './post.ts', config: { channel: 'dev' } }] },
        steps: (flow) => [
          node('post', {
            id: 'told',
            text: text`On ${flow.input.topic}`,
            urgent: true,
            timeout: '5s',
            retry: { maxAttempts: 3, backoff: 'linear' },
          }),
        ],
      }),
    ));
});
