/** Plugins from a file to the end of its run: planned with real modules, done in real hosts, on a store in memory. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStore, type EventBody, type MemoryStore } from '../../journal/index.ts';
import type { Json, RunError } from '../../machine/index.ts';
import { planWorkflow, type WorkflowPlan } from '../../plan/index.ts';
import { type Clock, manualClock } from '../../sys/index.ts';
import { createSource } from '../../text/index.ts';
import { createModuleHost, openEngine } from '../index.ts';

const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url));
let cwd: string;
let store: MemoryStore;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-plugin-')));
  store = createMemoryStore();
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
}

async function plan(text: string): Promise<WorkflowPlan> {
  const modules = createModuleHost({ cwd, timeoutMs: 120_000 });
  try {
    const read = async (path: string) => ({ ok: true as const, text: await readFile(path, 'utf8') });
    const made = await planWorkflow(createSource('flow.toon', text), { file: join(cwd, 'flow.toon'), read, modules });
    if (made.plan === undefined || made.diagnostics.length > 0) {
      throw new Error(made.diagnostics.map(({ code, message, help }) => `${code} ${message} ${help ?? ''}`).join('\n'));
    }
    return made.plan;
  } finally {
    await modules.close();
  }
}

interface Ran {
  readonly end: unknown;
  readonly events: readonly { readonly node: string | undefined; readonly body: EventBody }[];
}

interface More {
  readonly script?: string;
  readonly clock?: Clock;
}

async function run(text: string, input: Json = {}, made?: WorkflowPlan, more: More = {}): Promise<Ran> {
  const { script, clock } = more;
  const engine = openEngine({ store, cwd, settings: async () => ({ hosts: 1 }), ...(clock && { clock }) });
  const file = join(cwd, 'flow.toon');
  const { id, epoch } = engine.create({
    plan: made ?? (await plan(text)),
    input,
    source: text,
    file,
    ...(script !== undefined && { script }),
  });
  const ended = await engine.drive(id, { epoch });
  if (ended.kind !== 'ended') throw new Error(`it is ${ended.kind}`);
  return { end: ended.end, events: [...store.events(id)].map(({ node, body }) => ({ node, body })) };
}

function errorOf({ end }: Ran): RunError {
  const { err } = end as { readonly err?: RunError };
  if (err === undefined) throw new Error(`no error: ${JSON.stringify(end)}`);
  return err;
}

const board = `
  import { writeFileSync } from 'node:fs';
  const said: string[] = [];
  export default (config: { board: string }) => ({
    nodes: {
      post: {
        fields: { title: 'string', tags: 'string[]?', at: { line: 'number' } },
        interpolate: ['title', 'at'],
        output: { text: 'string', seen: 'string' },
        run: async ({ title, tags = [], at }, context) => ({
          text: [config.board, title, ...tags, at.line].join(' '),
          seen: Object.keys(context).sort().join(' '),
        }),
      },
      note: { fields: { text: 'string' }, interpolate: ['text'], run: ({ text }) => { said.push(text); return said; } },
      flaky: { output: 'number', run: (_, { attempt }) => { if (attempt < 3) throw new Error('not yet'); return attempt; } },
      wrong: { output: { n: 'number' }, run: () => ({ n: 'one' }) },
      final: { run: () => { throw Object.assign(new Error('never'), { retryable: false }); } },
      slow: { run: (_, { signal }) => new Promise((_, no) => {
        signal.addEventListener('abort', () => no(new Error('told to end')));
        writeFileSync('begun', '');
      }) },
    },
    agents: {
      echo: { fields: { loud: 'boolean?' }, run: async ({ prompt, loud }) => (loud ? prompt.toUpperCase() : prompt) },
      learner: { run: async ({ messages, output, instructions }) => ({
        value: messages.length < 3 ? { n: 'one' } : { n: 1, has: [Object.keys(output.properties), instructions.split('\\n')[0]].flat().join(' ') },
        usage: { inputTokens: 10, outputTokens: messages.length, cost: 0.25 },
      }) },
    },
    functions: { shout: (text: string) => text.toUpperCase() + '!' },
    services: { notes: { all: () => said, next: async () => said.length } },
  });
`;

const head = `name: flow
imports:
  plugins[1]:
    - from: ./board.ts
      config:
        board: team
input:
  text: string?
`;

const steps = (count: number, text: string) => `steps[${count}]:\n${text}`;

describe('a plugin', () => {
  beforeEach(() => write({ 'board.ts': board }));

  it('does nodes, answers prompts, and gives functions and services to code and handlers', async () => {
    write({
      'use.ts': `export const use = ({ shout, notes, services, posted, coded }) =>
        ({ v: [shout(posted.text), notes.all(), Object.keys(services), coded.v].join(' / ') });`,
    });
    const text = `${head}agents:
  parrot:
    type: echo
    loud: true
${steps(
  5,
  `  - id: said
    agent: parrot
    prompt: "news of {input.text}"
    output: string
  - kind: post
    id: posted
    title: "{said}"
    tags[2]: a,b
    at:
      line: "{said.length}"
  - kind: note
    id: noted
    text: "{posted.text.length} letters"
  - id: coded
    run: "return { v: [shout(posted.seen), await notes.next(), services.notes.all()].join() }"
    output:
      v: string
  - id: handled
    handler: ./use.ts#use
    output:
      v: string
`,
)}`;
    // Time stands still, so that the host stays: what it remembers is looked at.
    const { end, events } = await run(text, { text: 'bees' }, undefined, { clock: manualClock() });
    const coded = 'ATTEMPT CWD KEY RUNID SH SIGNAL!,1,24 letters';
    expect(end).toEqual({ ok: { v: `TEAM NEWS OF BEES A B 12! / 24 letters / notes / ${coded}` } });
    // It returned something, and has no value all the same.
    const done = events.find(({ node, body }) => node === 'noted#1' && body.kind === 'node.done');
    expect(done?.body).toEqual({ kind: 'node.done' });
  });

  it('has typed agents that are asked again when they do not fit, and says what they cost', async () => {
    const text = `${head}agents:
  pupil:
    type: learner
    instructions: Learn.
${steps(
  1,
  `  - id: learnt
    agent: pupil
    prompt: Count
    output:
      n: number
      has: string
`,
)}`;
    const { end, events } = await run(text);
    expect(end).toEqual({ ok: { n: 1, has: 'n has Learn.' } });
    const calls = events.flatMap(({ body }) => (body.kind === 'model.answered' ? [body.usage] : []));
    expect(calls).toEqual([
      { inputTokens: 10, outputTokens: 2, cost: 0.25 },
      { inputTokens: 10, outputTokens: 4, cost: 0.25 },
    ]);
  });

  it('is not asked where there is a script for the run; replies beside the file are for others', async () => {
    const text = `${head}agents:
  parrot:
    type: echo
${steps(1, '  - id: said\n    agent: parrot\n    prompt: Hello\n    output: string\n')}`;
    write({ 'flow.script.toon': 'replies[1]:\n  - for: said\n    text: from a script\n' });
    const made = await plan(text);
    expect((await run(text, {}, made)).end).toEqual({ ok: 'Hello' });
    expect((await run(text, {}, made, { script: join(cwd, 'flow.script.toon') })).end).toEqual({
      ok: 'from a script',
    });
  });

  it('has nodes that are tried again, have a time limit, and give what fits', async () => {
    const node = (text: string) => `${head}${steps(1, `  - kind: ${text}`)}`;
    const flaky = 'flaky\n    id: f\n    retry:\n      maxAttempts: 3\n      initialDelay: 1ms\n';
    expect((await run(node(flaky))).end).toEqual({ ok: 3 });
    expect(errorOf(await run(node('flaky\n')))).toMatchObject({
      code: 'code',
      message: expect.stringMatching(/^not yet/),
    });
    const final = errorOf(await run(node('final\n    maxAttempts: 5\n')));
    expect(final).toMatchObject({ message: expect.stringMatching(/^never \(board\.ts:\d+\)$/), at: 'flow.toon:10:5' });
    expect(errorOf(await run(node('wrong\n')))).toMatchObject({ code: 'schema' });
    const clock = manualClock();
    const slow = run(node('slow\n    timeout: 50s\n'), {}, undefined, { clock });
    while (!existsSync(join(cwd, 'begun'))) await new Promise((resolve) => setTimeout(resolve, 5));
    await clock.advance(50_000);
    expect(errorOf(await slow)).toMatchObject({
      code: 'timeout',
      message: 'it was not done within 50000 ms, and was stopped',
      cause: { message: expect.stringMatching(/^told to end/) },
    });
  });

  it('that has changed since the check is told, and nothing is guessed', async () => {
    const text = `${head}agents:
  parrot:
    type: echo
${steps(1, '  - kind: note\n    text: hello\n')}`;
    const prompt = '  - id: a\n    agent: parrot\n    prompt: x\n    output: string\n';
    const asks = text.replace(/steps[\s\S]*$/, steps(1, prompt));
    const before = await plan(text);
    const limited = await plan(`${text}    timeout: 50s\n`);
    const asked = await plan(asks);
    const said = async (code: string, made = before) => {
      write({ 'board.ts': code });
      return errorOf(await run(text, {}, made));
    };
    expect(await said('export default () => ({})')).toMatchObject({
      message: 'the plugin "./board.ts" has no kind "note" any more',
      retryable: false,
    });
    expect((await said('export default () => ({})', asked)).message).toBe(
      'the agent "parrot" failed: the plugin "./board.ts" has no agents of type "echo" any more',
    );
    expect((await said('export default () => { throw new TypeError("no token"); }')).message).toBe(
      'the plugin "./board.ts" cannot be used: TypeError: no token (board.ts:1)',
    );
    const clock = manualClock();
    const hangs =
      "import { writeFileSync } from 'node:fs'; export default () => { writeFileSync('made', ''); return new Promise(() => {}); }";
    write({ 'board.ts': hangs });
    const slow = run(text, {}, limited, { clock });
    while (!existsSync(join(cwd, 'made'))) await new Promise((resolve) => setTimeout(resolve, 5));
    await clock.advance(50_000);
    expect(errorOf(await slow)).toMatchObject({
      code: 'timeout',
      cause: { message: 'the plugin "./board.ts" was still being made when the step was stopped' },
    });
    expect((await said('export default () => 3')).message).toMatch(
      /^the plugin ".\/board.ts" cannot be used: what the plugin returns must be an object/,
    );
    expect((await said('export const a = 1')).message).toMatch(
      /cannot be used: a plugin exports one function as its default/,
    );
    expect(
      (await said("export default () => ({ nodes: { note: { fields: { text: 'number' }, run() {} } } })")).message,
    ).toMatch(/^its fields do not fit: /);
    expect((await said('export default (')).message).toMatch(
      /^the plugin ".\/board.ts" cannot be loaded: board.ts:1:\d+ has/,
    );
  });
});

it('a plugin may be made with Effect: its own services are there for its Effects, and for code', async () => {
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(join(packages, 'effect'), join(cwd, 'node_modules/effect'), 'junction');
  write({
    'board.ts': `import { Context, Effect, Layer } from 'effect';
      class Counter extends Context.Service<Counter, { readonly next: Effect.Effect<number> }>()('Counter') {
        static readonly layer = Layer.sync(this, () => { let n = 0; return { next: Effect.sync(() => ++n) }; });
      }
      export const count = () => ({
        nodes: { next: { output: 'number', run: () => Effect.gen(function* () { return yield* (yield* Counter).next; }) } },
        agents: { teller: { run: ({ prompt }) => Effect.map(Counter, () => prompt + '?') } },
        services: { Counter },
      });
      export const other = () => ({});`,
  });
  const text = `${head.replace('    - from: ./board.ts\n', '    - from: ./board.ts\n      use: count\n')}agents:
  t:
    type: teller
${steps(
  4,
  `  - kind: next
    id: one
  - id: two
    run: return Counter.next
    output: number
  - id: asked
    agent: t
    prompt: "{one} {two}"
    output: string
  - id: all
    run: return asked
    output: string
`,
)}`;
  expect((await run(text, {}, undefined, { clock: manualClock() })).end).toEqual({ ok: '1 2?' });
});
