/**
 * Edits of a run, one after the other: exactly what is kept, what runs again and what may, each held to twice: what the
 * preview says, and what the journal tells of the segment that followed.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { thunkMaker } from '../../src/agent/index.ts';
import { createMemoryStore, type MemoryStore } from '../../src/journal/index.ts';
import type { Json, MakeMachine } from '../../src/machine/index.ts';
import { planWorkflow } from '../../src/plan/index.ts';
import { workflowMaker } from '../../src/plan/machine/index.ts';
import type { Execute } from '../../src/run/execute.ts';
import { createHostPool } from '../../src/run/host-pool.ts';
import { identityOf, moduleHashes, type NewRun, type Preview } from '../../src/run/index.ts';
import { type Machine, thisMachine } from '../../src/run/lease.ts';
import { createRun, type DriveRunOptions, driveRun, post, type StoredRun } from '../../src/run/runs.ts';
import { type Change, openSegment, previewChange } from '../../src/run/segment.ts';
import { readTextFile, realClock } from '../../src/sys/index.ts';
import { createSource } from '../../src/text/index.ts';

const clock = realClock;
let dir: string;
let machine: Machine;
let store: MemoryStore;
beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-edit-')));
  machine = thisMachine();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));
beforeEach(() => {
  store = createMemoryStore();
});

type Answer = (prompt: string) => Json;
const echo: Answer = (prompt) => ({ text: `<${prompt}>` });

const modelOf =
  (answer: Answer): Execute =>
  async ({ args }) => {
    const { messages } = args as unknown as { messages: { role: string; content: string }[] };
    const text = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    return {
      outcome: { ok: { text: JSON.stringify(answer(text)), finish: 'stop' } },
      usage: { inputTokens: 1, cost: 1 },
    };
  };

function machines({ plan, started }: StoredRun): ReturnType<DriveRunOptions['machines']> {
  const workflows = workflowMaker(plan, started.modules);
  const make: MakeMachine = (ref, init) => (ref.kind === 'workflow' ? workflows(ref, init) : thunkMaker(ref, init));
  return { make, ref: { kind: 'workflow', plan: '' } };
}

/** Prompts are answered here; handlers and code run in hosts, as always. */
function drive(root: string, answer: Answer, epoch?: number) {
  return driveRun({
    store,
    root,
    machine,
    clock,
    machines,
    executors() {
      const { execute, hosts, leave } = createHostPool({ env: process.env, clock, limit: 2 }).join({ cwd: dir });
      return { executors: { model: modelOf(answer), run: execute, handler: execute }, hosts, close: leave };
    },
    ...(epoch !== undefined && { epoch }),
  });
}

type Files = Readonly<Record<string, string>>;

async function read(source: string, files: Files, input: Json): Promise<NewRun> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const { plan, diagnostics } = await planWorkflow(createSource('flow.toon', source), {
    file: join(dir, 'flow.toon'),
    read: async (path) => {
      const found = await readTextFile(path);
      return found.ok ? found : { ok: false, message: found.problem.message };
    },
  });
  if (plan === undefined) throw new Error(diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'));
  return { plan, source, input, modules: (await moduleHashes(plan, dir)).hashes };
}

/** Says yes to all that is asked, until the run has ended. */
async function toEnd(root: string, answer: Answer, epoch?: number): Promise<void> {
  let end = await drive(root, answer, epoch);
  while (end.kind === 'waiting') {
    for (const { node, hash = '' } of store.run(root)?.waiting ?? []) {
      post(store, root, { at: clock.now(), by: 'ada', message: { kind: 'decide', node, hash, approved: true } });
    }
    end = await drive(root, answer);
  }
  expect(end).toMatchObject({ kind: 'ended' });
}

/** What the last segment did: kept, or begun. */
function reallyIn(root: string): { kept: string[]; ran: string[] } {
  const kept = new Set<string>();
  const ran = new Set<string>();
  for (const { node, body } of store.events(root, store.run(root)?.segment)) {
    if (node === undefined || /#\d+\//.test(node)) continue;
    if ('of' in body && body.of !== undefined) kept.add(identityOf(node));
    else if (['node.started', 'child.started', 'approval.requested'].includes(body.kind)) ran.add(identityOf(node));
  }
  return { kept: [...kept], ran: [...ran] };
}

/** How often a model was asked, in all segments. */
function promptsIn(root: string): number {
  return [...store.events(root)].filter(({ body }) => body.kind === 'model.answered' && body.of === undefined).length;
}

interface Told {
  readonly kept?: readonly string[];
  readonly moved?: readonly string[];
  readonly again?: readonly string[];
  readonly may?: readonly string[];
  readonly fresh?: readonly string[];
  readonly removed?: readonly string[];
}

/** `draft: prompt`, `review ← draft`, `a → b`. */
function told({ kept, moved, again, may, fresh, removed }: Preview): Required<Told> {
  return {
    kept,
    moved: moved.map(({ from, to }) => `${from} → ${to}`),
    again: again.map(({ step, parts }) => `${step}: ${parts.join(', ')}`),
    may: may.map(({ step, because }) => `${step} ← ${because.join(', ')}`),
    fresh,
    removed,
  };
}

interface Case {
  readonly what: string;
  readonly before: string;
  readonly after: string;
  readonly files?: Files;
  readonly filesAfter?: Files;
  readonly input?: Json;
  readonly answer?: Answer;
  readonly answerAfter?: Answer;
  readonly why?: Change['why'];
  /** What the preview says; what is not named is empty. */
  readonly says: Told;
  /** What happened then. */
  readonly kept: readonly string[];
  readonly ran: readonly string[];
}

const agents = (more = '') => `agents:\n  w:\n    type: scripted\n${more}`;
const flow = (steps: string, more = '') =>
  `name: flow\ninput:\n  topic: string\n  style: string?\n${agents(more)}steps[${[...steps.matchAll(/^ {2}- /gm)].length}]:\n${steps}`;
const ask = (id: string, text: string, output = '      text: string\n') =>
  `  - id: ${id}\n    agent: w\n    prompt: ${JSON.stringify(text)}\n    output:\n${output}`;
const approval = (title: string) =>
  `  - kind: approval\n    id: ok\n    request:\n      title: ${JSON.stringify(title)}\n`;
const handler = (id: string, name: string) => `  - id: ${id}\n    handler: ./${name}\n    output: string\n`;
const deeper = (steps: string) => steps.replace(/^/gm, '    ').trimEnd();
const group = (kind: string, ...steps: readonly string[]) =>
  `  - kind: ${kind}\n    children[${steps.length}]:\n${steps.map((step) => `${deeper(step)}\n`).join('')}`;
const loop = (until: string, most: number, steps: string, id = 'l') =>
  `  - kind: loop\n    id: ${id}\n    until: ${JSON.stringify(until)}\n    maxIterations: ${most}\n    children[1]:\n${deeper(steps)}\n`;

const a = ask('a', 'A {input.topic}');
const b = ask('b', 'B {a.text}');
const c = ask('c', 'C');
const three = flow(a + b + c);

const readsA = 'export default ({ a }) => `h ${a.text}`;\n';
const withHelper = "import { sign } from './helper.mjs';\nexport default ({ a }) => sign + a.text;\n";
const sign = (text: string) => `export const sign = ${JSON.stringify(text)};\n`;

const cases: readonly Case[] = [
  {
    what: 'a changed prompt',
    before: three,
    after: three.replace('A {', 'A! {'),
    says: { kept: ['c'], again: ['a: prompt'], may: ['b ← a'] },
    kept: ['c'],
    ran: ['a', 'b'],
  },
  {
    what: 'a changed prompt that gives the same: its readers are kept',
    before: three,
    after: three.replace('A {', 'A! {'),
    answer: () => ({ text: 'same' }),
    says: { kept: ['c'], again: ['a: prompt'], may: ['b ← a'] },
    kept: ['b', 'c'],
    ran: ['a'],
  },
  {
    what: 'a changed schema',
    before: three,
    after: flow(a + b + ask('c', 'C', '      text: string\n      words: number?\n')),
    says: { kept: ['a', 'b'], again: ['c: output'] },
    kept: ['a', 'b'],
    ran: ['c'],
  },
  {
    what: 'a renamed step',
    before: three,
    after: flow(ask('first', 'A {input.topic}') + ask('b', 'B {first.text}') + c),
    says: { kept: ['first', 'b', 'c'], moved: ['a → first'] },
    kept: ['first', 'b', 'c'],
    ran: [],
  },
  {
    what: 'a new step in the middle, which nobody reads',
    before: three,
    after: flow(a + ask('n', 'N') + b + c),
    says: { kept: ['a', 'b', 'c'], fresh: ['n'] },
    kept: ['a', 'b', 'c'],
    ran: ['n'],
  },
  {
    what: 'a new step in the middle, which the next one reads',
    before: three,
    after: flow(a + ask('n', 'N {a.text}') + ask('b', 'B {n.text}') + c),
    says: { kept: ['a', 'c'], fresh: ['n'], again: ['b: prompt'] },
    kept: ['a', 'c'],
    ran: ['n', 'b'],
  },
  {
    what: 'a removed branch',
    before: flow(
      `${a}  - kind: branch\n    condition: "{a.text.length > 0}"\n    then[1]:\n${deeper(ask('t', 'T'))}\n    else[1]:\n${deeper(ask('e', 'E'))}\n${c}`,
    ),
    after: flow(a + c),
    says: { kept: ['a', 'c'], removed: ['t'] },
    kept: ['a', 'c'],
    ran: [],
  },
  {
    what: 'a condition that takes the other arm',
    before: flow(
      `${a}  - kind: branch\n    condition: "{a.text.length > 0}"\n    then[1]:\n${deeper(ask('t', 'T'))}\n    else[1]:\n${deeper(ask('e', 'E'))}\n${c}`,
    ),
    after: flow(
      `${a}  - kind: branch\n    condition: "{a.text.length == 0}"\n    then[1]:\n${deeper(ask('t', 'T'))}\n    else[1]:\n${deeper(ask('e', 'E'))}\n${c}`,
    ),
    says: { kept: ['a', 'c'], fresh: ['e'], removed: ['t'] },
    kept: ['a', 'c'],
    ran: ['e'],
  },
  {
    what: 'a changed default in a prompt',
    before: flow(ask('a', "A {input.style ?? 'plain'}") + b + c),
    after: flow(ask('a', "A {input.style ?? 'rich'}") + b + c),
    says: { kept: ['c'], again: ['a: prompt'], may: ['b ← a'] },
    kept: ['c'],
    ran: ['a', 'b'],
  },
  {
    what: 'a changed default that was not used',
    before: flow(ask('a', "A {input.style ?? 'plain'}") + b + c),
    after: flow(ask('a', "A {input.style ?? 'rich'}") + b + c),
    input: { topic: 'tea', style: 'own' },
    says: { kept: ['a', 'b', 'c'] },
    kept: ['a', 'b', 'c'],
    ran: [],
  },
  {
    what: 'a changed handler file',
    before: flow(a + handler('h', 'own.mjs') + ask('d', 'D {h}') + c),
    after: flow(a + handler('h', 'own.mjs') + ask('d', 'D {h}') + c),
    files: { 'own.mjs': readsA },
    filesAfter: { 'own.mjs': readsA.replace('`h ', '`H ') },
    says: { kept: ['a', 'c'], again: ['h: handler'], may: ['d ← h'] },
    kept: ['a', 'c'],
    ran: ['h', 'd'],
  },
  {
    what: 'a changed helper module of a handler',
    before: flow(a + handler('h', 'helped.mjs') + c),
    after: flow(a + handler('h', 'helped.mjs') + c),
    files: { 'helped.mjs': withHelper, 'helper.mjs': sign('one') },
    filesAfter: { 'helper.mjs': sign('two') },
    says: { kept: ['a', 'c'], again: ['h: handler'] },
    kept: ['a', 'c'],
    ran: ['h'],
  },
  {
    what: 'a file that no handler imports',
    before: flow(a + handler('h', 'alone.mjs') + c),
    after: flow(a + handler('h', 'alone.mjs') + c).replace('C', 'C2'),
    files: { 'alone.mjs': readsA, 'stranger.mjs': sign('one') },
    filesAfter: { 'stranger.mjs': sign('two') },
    says: { kept: ['a', 'h'], again: ['c: prompt'] },
    kept: ['a', 'h'],
    ran: ['c'],
  },
  {
    what: 'a handler keeps its result while what it reads is the same',
    before: flow(a + c + handler('h', 'reads.mjs')),
    after: flow(a + c.replace('"C"', '"C2"') + handler('h', 'reads.mjs')),
    files: { 'reads.mjs': readsA },
    says: { kept: ['a', 'h'], again: ['c: prompt'] },
    kept: ['a', 'h'],
    ran: ['c'],
  },
  {
    what: 'steps wrapped in a parallel',
    before: flow(a + c),
    after: flow(group('parallel', a, c)),
    says: { kept: ['a', 'c'] },
    kept: ['a', 'c'],
    ran: [],
  },
  {
    what: 'steps wrapped in a sequence',
    before: three,
    after: flow(group('sequence', a, b) + c),
    says: { kept: ['a', 'b', 'c'] },
    kept: ['a', 'b', 'c'],
    ran: [],
  },
  {
    what: 'a step moved into a loop: its first round is done',
    before: flow(ask('s', 'S 1') + c),
    after: flow(loop('loop.iteration == 2', 2, ask('s', 'S {loop.iteration}')) + c),
    says: { kept: ['l[1]/s', 'c'], moved: ['s → l[1]/s'], fresh: ['l[2]/s'] },
    kept: ['l[1]/s', 'c'],
    ran: ['l[2]/s'],
  },
  {
    what: 'until goes on after 3 rounds',
    before: flow(loop('loop.iteration == 3', 9, ask('s', 'S {loop.iteration}')) + c),
    after: flow(loop('loop.iteration == 5', 9, ask('s', 'S {loop.iteration}')) + c),
    // How often it goes on is known when it does.
    says: { kept: ['l[1]/s', 'l[2]/s', 'l[3]/s', 'c'], fresh: ['l[4]/s'] },
    kept: ['l[1]/s', 'l[2]/s', 'l[3]/s', 'c'],
    ran: ['l[4]/s', 'l[5]/s'],
  },
  {
    what: 'until ends before the third round',
    before: flow(loop('loop.iteration == 3', 9, ask('s', 'S {loop.iteration}')) + c),
    after: flow(loop('loop.iteration == 2', 9, ask('s', 'S {loop.iteration}')) + c),
    says: { kept: ['l[1]/s', 'l[2]/s', 'c'], removed: ['l[3]/s'] },
    kept: ['l[1]/s', 'l[2]/s', 'c'],
    ran: [],
  },
  {
    what: 'maxIterations lowered after 3 rounds',
    before: flow(loop('loop.iteration == 3', 9, ask('s', 'S {loop.iteration}')) + c),
    after: flow(loop('loop.iteration == 3', 2, ask('s', 'S {loop.iteration}')) + c),
    says: { kept: ['l[1]/s', 'l[2]/s', 'c'], removed: ['l[3]/s'] },
    kept: ['l[1]/s', 'l[2]/s', 'c'],
    ran: [],
  },
  {
    what: 'maxIterations raised after 3 rounds',
    before: flow(loop('loop.iteration == 9', 3, ask('s', 'S {loop.iteration}')) + c),
    after: flow(loop('loop.iteration == 9', 4, ask('s', 'S {loop.iteration}')) + c),
    says: { kept: ['l[1]/s', 'l[2]/s', 'l[3]/s', 'c'], fresh: ['l[4]/s'] },
    kept: ['l[1]/s', 'l[2]/s', 'l[3]/s', 'c'],
    ran: ['l[4]/s'],
  },
  {
    what: 'an approval whose text changed is asked again',
    before: flow(a + approval('Go?') + c),
    after: flow(a + approval('Really?') + c),
    says: { kept: ['a', 'c'], again: ['ok: request'] },
    kept: ['a', 'c'],
    ran: ['ok'],
  },
  {
    what: 'an approval whose text did not change is kept',
    before: flow(a + approval('Go with {input.topic}?') + c),
    after: flow(a.replace('A {', 'A! {') + approval('Go with {input.topic}?') + c),
    says: { kept: ['ok', 'c'], again: ['a: prompt'] },
    kept: ['ok', 'c'],
    ran: ['a'],
  },
  {
    what: 'an approval that shows a value is asked again when that is another',
    before: flow(a + approval('Publish {a.text}?') + c),
    after: flow(a.replace('A {', 'A! {') + approval('Publish {a.text}?') + c),
    says: { kept: ['c'], again: ['a: prompt'], may: ['ok ← a'] },
    kept: ['c'],
    ran: ['a', 'ok'],
  },
  {
    what: 'changed instructions of the agent',
    before: flow(a + b, '    instructions: Be brief.\n'),
    after: flow(a + b, '    instructions: Be long.\n'),
    says: { again: ['a: agent', 'b: agent'] },
    kept: [],
    ran: ['a', 'b'],
  },
  {
    what: 'a changed model',
    before: flow(a + b, '    model: one\n'),
    after: flow(a + b, '    model: two\n'),
    says: { again: ['a: agent', 'b: agent'] },
    kept: [],
    ran: ['a', 'b'],
  },
  {
    what: 'another name of the agent',
    before: three,
    after: three.replace('  w:\n', '  v:\n').replaceAll('agent: w', 'agent: v'),
    says: { kept: ['a', 'b', 'c'] },
    kept: ['a', 'b', 'c'],
    ran: [],
  },
  {
    what: 'retries, timeouts, needs and comments',
    before: three,
    after: `# Words.\n${three}    timeout: 5m\n    needs: a\n    retry:\n      maxAttempts: 3\n`,
    says: { kept: ['a', 'b', 'c'] },
    kept: ['a', 'b', 'c'],
    ran: [],
  },
  {
    what: 'a changed prompt with --keep',
    before: three,
    after: three.replace('A {', 'A! {'),
    why: 'keep',
    says: { kept: ['a', 'b', 'c'] },
    kept: ['a', 'b', 'c'],
    ran: [],
  },
  {
    what: 'a result that does not fit its new type with --keep',
    before: three,
    after: flow(a + b + ask('c', 'C', '      text: string\n      words: number\n')),
    answerAfter: (text) => ({ text, words: 1 }),
    why: 'keep',
    says: { kept: ['a', 'b'], again: ['c: output'] },
    kept: ['a', 'b'],
    ran: ['c'],
  },
];

describe('an edit', () => {
  it.each(cases)('$what', async (each) => {
    const { before, after, files = {}, filesAfter = {}, input = { topic: 'tea' }, why = 'edit' } = each;
    const { answer = echo, answerAfter = answer } = each;
    const { id, epoch } = createRun(store, await read(before, files, input), machine, clock);
    await toEnd(id, answer, epoch);
    const change = { ...(await read(after, filesAfter, input)), why };
    const preview = previewChange(store, id, change, clock.now());
    const opened = await openSegment(store, id, change, machine, clock);
    if (opened.kind !== 'opened') throw new Error('somebody else drives it');
    await toEnd(id, answerAfter, opened.epoch);
    const none = { kept: [], moved: [], again: [], may: [], fresh: [], removed: [] };
    expect(told(preview)).toEqual({ ...none, ...each.says });
    expect(reallyIn(id)).toEqual({ kept: each.kept, ran: each.ran });
    // A prompt costs 1: nothing is counted that may run again, and nothing twice.
    expect(preview.saved.cost ?? 0).toBe(preview.kept.filter((name) => !/^(?:h|ok)$/.test(name)).length);
    expect(store.run(id)?.cost).toBe(promptsIn(id));
  });

  it('is followed by another one: each result counts once', async () => {
    const { id, epoch } = createRun(store, await read(three, {}, { topic: 'tea' }), machine, clock);
    await toEnd(id, echo, epoch);
    for (const [text, kept, ran] of [
      [three.replace('"C"', '"C2"'), ['a', 'b'], ['c']],
      [three.replace('"C"', '"C3"'), ['a', 'b'], ['c']],
      // What was done once is not done again when an edit is taken back.
      [three, ['a', 'b', 'c'], []],
    ] as const) {
      const change = { ...(await read(text, {}, { topic: 'tea' })), why: 'edit' } as const;
      const preview = previewChange(store, id, change, clock.now());
      expect(preview.saved.cost).toBe(kept.length);
      const opened = await openSegment(store, id, change, machine, clock);
      if (opened.kind !== 'opened') throw new Error('somebody else drives it');
      await toEnd(id, echo, opened.epoch);
      expect(reallyIn(id)).toEqual({ kept, ran });
    }
    expect(store.run(id)?.cost).toBe(5);
  });
});
