/**
 * Edits of a run, one after the other: exactly what is kept, what runs again and what may, each held to twice: what the
 * preview says, and what the journal tells of the segment that followed.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPromptThunk } from '../../src/agent/index.ts';
import { type Scratch, scratch } from '../../src/cli/scratch.ts';
import { createMemoryStore, type MemoryStore, openSqliteStore } from '../../src/journal/index.ts';
import type { Json, MakeMachine } from '../../src/machine/index.ts';
import { planWorkflow } from '../../src/plan/index.ts';
import { workflowMaker } from '../../src/plan/machine/index.ts';
import type { Execute } from '../../src/run/execute.ts';
import { createHostPool } from '../../src/run/host/pool.ts';
import { identityOf, moduleHashes, type NewRun, type Preview } from '../../src/run/index.ts';
import { type Machine, thisMachine } from '../../src/run/lease.ts';
import { createRun, type DriveRunOptions, driveRun, post, type StoredRun } from '../../src/run/runs.ts';
import { type Change, openSegment, previewChange } from '../../src/run/segment/segment.ts';
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
  const make: MakeMachine = (ref, init) =>
    ref.kind === 'workflow' ? workflows(ref, init) : createPromptThunk(ref, init);
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
      // What git does is told elsewhere.
      const worktree: Execute = async ({ spec }, { note }) => {
        const { branch = '', base = '' } = spec as { readonly branch?: string; readonly base?: string };
        const asked = { branch, base };
        if (spec.action === 'add') note({ kind: 'worktree.added', path: dir, branch, commit: '', asked });
        else note({ kind: 'worktree.removed', path: dir });
        return { outcome: { ok: { path: dir } } };
      };
      return { executors: { model: modelOf(answer), run: execute, handler: execute, worktree }, hosts, close: leave };
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

/** Says yes to all that is asked, or no, until the run has ended. */
async function toEnd(root: string, answer: Answer, epoch?: number, approved = true): Promise<void> {
  let end = await drive(root, answer, epoch);
  while (end.kind === 'waiting') {
    for (const { node, hash = '' } of store.run(root)?.waiting ?? []) {
      post(store, root, { at: clock.now(), by: 'ada', message: { kind: 'decide', node, hash, approved } });
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
    if (node === undefined || /#\d+\/|\.(?:add|remove)$/.test(node)) continue;
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
  readonly next?: readonly string[];
  readonly rounds?: readonly string[];
  readonly removed?: readonly string[];
  readonly denied?: readonly string[];
}

/** `draft: prompt`, `review ← draft`, `a → b`, `l 4-5`. */
function told(preview: Preview): Required<Told> {
  const { kept, moved, again, may, fresh, removed, rounds, denied } = preview;
  return {
    kept,
    moved: moved.map(({ from, to }) => `${from} → ${to}`),
    again: again.map(({ step, parts }) => `${step}: ${parts.join(', ')}`),
    may: may.map(({ step, because }) => `${step} ← ${because.join(', ')}`),
    fresh,
    next: preview.then.map(({ step, begun }) => (begun ? `${step}: begun` : step)),
    rounds: rounds.map(({ loop, from, most }) => `${loop} ${from}-${most}`),
    removed,
    denied,
  };
}

const nothing: Required<Told> = {
  ...{ kept: [], moved: [], again: [], may: [], fresh: [], next: [], rounds: [], removed: [], denied: [] },
};

/** What is promised happens, and nothing that was not named: unless it failed on the way. */
function comesTrue(preview: Preview, { kept, ran }: ReturnType<typeof reallyIn>, isDone: boolean): void {
  const { again, may, fresh, rounds } = preview;
  const sure = [...again, ...preview.then].map(({ step }) => step).concat(fresh);
  expect(ran.filter((step) => preview.kept.includes(step))).toEqual([]);
  expect(kept.filter((step) => sure.includes(step))).toEqual([]);
  const named = new Set([...sure, ...may.map(({ step }) => step)]);
  const isFurther = (step: string) =>
    rounds.some(({ loop, from, most }) => {
      const round = Number(/^\[(\d+)\]/.exec(step.startsWith(loop) ? step.slice(loop.length) : '')?.[1]);
      return round >= from && round <= most;
    });
  expect(ran.filter((step) => !named.has(step) && !isFurther(step))).toEqual([]);
  if (!isDone) return;
  expect(sure.filter((step) => !ran.includes(step))).toEqual([]);
  expect(preview.kept.filter((step) => !kept.includes(step))).toEqual([]);
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
  `  - kind: loop\n    id: ${id}\n    until: ${JSON.stringify(until)}\n    maxIterations: ${most}\n    children[${[...steps.matchAll(/^ {2}- /gm)].length}]:\n${deeper(steps)}\n`;
/** Costs nothing: ids begin with a j. */
const code = (id: string, js: string, output = 'number') =>
  `  - id: ${id}\n    run: ${JSON.stringify(js)}\n    output: ${output}\n`;
const branch = (condition: string, then: string, otherwise: string) =>
  `  - kind: branch\n    condition: ${JSON.stringify(condition)}\n    then[1]:\n${deeper(then)}\n    else[1]:\n${deeper(otherwise)}\n`;
const use = (id: string, component: string, name: string, text: string) =>
  `  - kind: component\n    id: ${id}\n    use: ${component}\n    with:\n      ${name}: ${JSON.stringify(text)}\n`;
const component = (name: string, params: string, steps: string) =>
  `components:\n  ${name}:\n    params:\n      ${params}\n    steps[${[...steps.matchAll(/^ {2}- /gm)].length}]:\n${deeper(steps)}\n`;
const tree = (steps: string, id = 'wt', branch = 'fix', base = 'HEAD') =>
  `  - kind: worktree\n    id: ${id}\n    path: ../${id}\n    branch: ${branch}\n    base: ${base}\n    children[${[...steps.matchAll(/^ {2}- /gm)].length}]:\n${deeper(steps)}\n`;

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
    // If it came to the same text, that was answered.
    says: { kept: ['a', 'c'], fresh: ['n'], may: ['b ← n'] },
    kept: ['a', 'c'],
    ran: ['n', 'b'],
  },
  {
    what: 'a new step in the middle, with other words around it in the next one',
    before: three,
    after: flow(a + ask('n', 'N {a.text}') + ask('b', 'Bee {n.text}') + c),
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
    says: { kept: ['l[1]/s', 'l[2]/s', 'l[3]/s', 'c'], fresh: ['l[4]/s', 'l[5]/s'] },
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
  {
    what: 'more rounds: what runs for sure is named, and how far it may go',
    before: flow(loop('{jx} > 100', 3, code('jx', 'return (jx ?? 1) + 1') + code('jy', 'return jx * 2'))),
    after: flow(loop('{jx} > 100', 5, code('jx', 'return (jx ?? 1) + 1') + code('jy', 'return jx * 2'))),
    says: {
      kept: ['l[1]/jx', 'l[1]/jy', 'l[2]/jx', 'l[2]/jy', 'l[3]/jx', 'l[3]/jy'],
      fresh: ['l[4]/jx', 'l[4]/jy'],
      rounds: ['l 5-5'],
    },
    kept: ['l[1]/jx', 'l[1]/jy', 'l[2]/jx', 'l[2]/jy', 'l[3]/jx', 'l[3]/jy'],
    ran: ['l[4]/jx', 'l[4]/jy', 'l[5]/jx', 'l[5]/jy'],
  },
  {
    what: 'a loop in a loop: rounds that are gone, and others that are new',
    before: flow(loop('loop.iteration == 9', 2, loop('{jv} == 7', 3, code('jv', 'return 1'), 'i'), 'o')),
    after: flow(loop('loop.iteration == 9', 3, loop('{jv} == 7', 2, code('jv', 'return 1'), 'i'), 'o')),
    says: {
      kept: ['o[1]/i[1]/jv', 'o[1]/i[2]/jv', 'o[2]/i[1]/jv', 'o[2]/i[2]/jv'],
      fresh: ['o[3]/i[1]/jv'],
      rounds: ['o[3]/i 2-2'],
      removed: ['o[1]/i[3]/jv', 'o[2]/i[3]/jv'],
    },
    kept: ['o[1]/i[1]/jv', 'o[1]/i[2]/jv', 'o[2]/i[1]/jv', 'o[2]/i[2]/jv'],
    ran: ['o[3]/i[1]/jv', 'o[3]/i[2]/jv'],
  },
  {
    what: 'rounds that may come when a step in them runs again',
    before: flow(loop('{s.text.length > 12}', 4, ask('s', 'S {input.topic}')) + c),
    after: flow(loop('{s.text.length > 12}', 4, ask('s', 'Say {input.topic}')) + c),
    answer: () => ({ text: 'short' }),
    answerAfter: (text) => ({ text: `${text} and more` }),
    says: {
      kept: ['c'],
      again: ['l[1]/s: prompt'],
      may: ['l[2]/s ← l/s', 'l[3]/s ← l/s', 'l[4]/s ← l/s'],
    },
    kept: ['c'],
    ran: ['l[1]/s'],
  },
  {
    what: 'more rounds of a loop of which the first leaves all out',
    before: flow(
      code('ja', 'return 1') +
        loop('{jx} > 5', 4, code('jx', 'return ja').replace('    run', '    skipIf: "loop.iteration == 1"\n    run')) +
        c,
    ).replace('"{jx} > 5"', '"{jx ?? 9} > 5"'),
    after: flow(
      code('ja', 'return 7') +
        loop('{jx} > 5', 4, code('jx', 'return ja').replace('    run', '    skipIf: "loop.iteration == 1"\n    run')) +
        c,
    ),
    says: { kept: ['c'], again: ['ja: code'], rounds: ['l 2-4'] },
    kept: ['c'],
    ran: ['ja', 'l[2]/jx'],
  },
  {
    what: 'results that were moved into rounds which may not come: all others in them are told as well',
    before: flow(
      loop('{s.text.length > 99}', 3, loop('loop.iteration == 2', 2, code('jx', 'return 1'), 'i') + ask('s', 'S')),
    ).replace('maxIterations: 3', 'maxIterations: 1'),
    after: flow(loop('{s.text.length > 99}', 3, code('jx', 'return 1') + ask('s', 'Say'))),
    says: {
      kept: ['l[1]/jx'],
      moved: ['l[1]/i[1]/jx → l[1]/jx', 'l[1]/i[2]/jx → l[2]/jx'],
      again: ['l[1]/s: prompt'],
      may: ['l[2]/jx ← l/s'],
      rounds: ['l 2-3'],
    },
    kept: ['l[1]/jx', 'l[2]/jx'],
    ran: ['l[1]/s', 'l[2]/s', 'l[3]/jx', 'l[3]/s'],
  },
  {
    what: 'what stands behind a loop and reads its rounds',
    before: flow(
      loop('{jx} > 100', 3, code('jx', 'return (jx ?? 0) + 1')) +
        ask('r', 'Rounds {loop.iteration}') +
        handler('h', 'rounds.mjs') +
        branch('{loop.iteration} > 3', code('jbig', 'return 1'), code('jsmall', 'return 1')),
    ),
    after: flow(
      loop('{jx} > 100', 5, code('jx', 'return (jx ?? 0) + 1')) +
        ask('r', 'Rounds {loop.iteration}') +
        handler('h', 'rounds.mjs') +
        branch('{loop.iteration} > 3', code('jbig', 'return 1'), code('jsmall', 'return 1')),
    ),
    files: { 'rounds.mjs': 'export default ({ loop }) => `h ${loop.iteration}`;\n' },
    says: {
      kept: ['l[1]/jx', 'l[2]/jx', 'l[3]/jx'],
      fresh: ['l[4]/jx'],
      may: ['r ← l/jx', 'h ← l/jx', 'jbig ← l/jx', 'jsmall ← l/jx'],
      rounds: ['l 5-5'],
    },
    kept: ['l[1]/jx', 'l[2]/jx', 'l[3]/jx'],
    ran: ['l[4]/jx', 'l[5]/jx', 'r', 'h', 'jbig'],
  },
  {
    what: 'an arm that may be taken when what decides runs again',
    before: flow(a + branch('{a.text.length > 99}', ask('t', 'T'), ask('e', 'E')) + c),
    after: flow(ask('a', 'Aa {input.topic}') + branch('{a.text.length > 99}', ask('t', 'T'), ask('e', 'E')) + c),
    answerAfter: (text) => ({ text: text.repeat(50) }),
    says: { kept: ['c'], again: ['a: prompt'], may: ['e ← a', 't ← a'] },
    kept: ['c'],
    ran: ['a', 't'],
  },
  {
    what: 'a step that may be skipped when what decides runs again',
    before: flow(a + ask('s', 'S').replace('    agent', '    skipIf: "{a.text.length > 9}"\n    agent') + c),
    after: flow(
      ask('a', 'Aa {input.topic}') +
        ask('s', 'S').replace('    agent', '    skipIf: "{a.text.length > 9}"\n    agent') +
        c,
    ),
    answer: () => ({ text: 'ten and more' }),
    answerAfter: () => ({ text: 'nine' }),
    says: { kept: ['c'], again: ['a: prompt'], may: ['s ← a'] },
    kept: ['c'],
    ran: ['a', 's'],
  },
  {
    what: 'a new step whose value goes into a component',
    before: flow(
      code('ja', 'return 1') + use('u', 'C', 'p', '{ja}') + c + ask('d', 'D {c.text}'),
      component('C', 'p: number', code('jone', 'return params.p * 2')),
    ),
    after: flow(
      code('ja', 'return 1') + code('jn', 'return 2') + use('u', 'C', 'p', '{jn}') + c + ask('d', 'D {c.text}'),
      component('C', 'p: number', code('jone', 'return params.p * 2')),
    ),
    says: { kept: ['ja', 'c', 'd'], fresh: ['jn'], may: ['u/jone ← jn'] },
    kept: ['ja', 'c', 'd'],
    ran: ['jn', 'u/jone'],
  },
  {
    what: 'a new step whose value an expression cannot do without',
    before: flow(code('ja', "return '[]'", 'string') + ask('b', 'B {ja}') + c + ask('d', 'D {c.text}')),
    after: flow(
      code('ja', "return '[]'", 'string') +
        code('jn', 'return \'{"q":[1]}\'', 'string') +
        ask('b', 'B {JSON.parse(jn).q[0]}') +
        c +
        ask('d', 'D {c.text}'),
    ),
    says: { kept: ['ja', 'c', 'd'], fresh: ['jn'], may: ['b ← jn'] },
    kept: ['ja', 'c', 'd'],
    ran: ['jn', 'b'],
  },
  {
    what: 'a step that has another type now',
    before: flow(code('ja', 'return 1') + ask('b', 'B {ja}') + c + ask('d', 'D {c.text}')),
    after: flow(
      code('ja', "return { k: ['x'] }", '\n      k: "string[]"') +
        ask('b', 'Bee {ja.k.length}') +
        c +
        ask('d', 'D {c.text}'),
    ),
    says: { kept: ['c', 'd'], again: ['ja: code, output', 'b: prompt'] },
    kept: ['c', 'd'],
    ran: ['ja', 'b'],
  },
  {
    what: 'what --keep keeps stays whatever the others give',
    before: flow(code('ja', 'return 1') + code('jb', 'return `b${ja}`', 'string') + ask('d', 'D {jb}')),
    after: flow(code('ja', "return '7'", 'string') + code('jb', 'return `b${ja}`', 'string') + ask('d', 'D {jb}')),
    why: 'keep',
    says: { kept: ['jb', 'd'], again: ['ja: code, output'] },
    kept: ['jb', 'd'],
    ran: ['ja'],
  },
  {
    what: 'what --keep keeps in an arm may be left out when what decides runs again',
    before: flow(code('ja', 'return 1') + branch('{ja} == 1', ask('t', 'T'), ask('e', 'E')) + c),
    after: flow(code('ja', "return ''", 'string') + branch('{ja.length} > 0', ask('t', 'T'), ask('e', 'E')) + c),
    why: 'keep',
    says: { kept: ['c'], again: ['ja: code, output'], may: ['t ← ja', 'e ← ja'] },
    kept: ['c'],
    ran: ['ja', 'e'],
  },
  {
    what: 'handlers that read all there is depend on what stands before them',
    before: flow(code('ja', 'return 1') + handler('h', 'all.mjs') + handler('jg', 'all.mjs')),
    after: flow(code('ja', 'return 2') + handler('h', 'all.mjs') + handler('jg', 'all.mjs')),
    files: { 'all.mjs': 'export default (context) => JSON.stringify(context.steps);\n' },
    says: { again: ['ja: code'], may: ['h ← ja', 'jg ← ja, h'] },
    kept: [],
    ran: ['ja', 'h', 'jg'],
  },
  {
    what: 'handlers of components depend on steps of their own use',
    before: flow(
      code('jv', 'return 1') + use('one', 'C', 'p', '{jv}') + use('two', 'C', 'p', '{jv}'),
      component('C', 'p: number', code('jinn', 'return params.p') + handler('jo', 'inner.mjs')),
    ),
    after: flow(
      code('jv', 'return 3') + use('one', 'C', 'p', '{jv}') + use('two', 'C', 'p', '{jv}'),
      component('C', 'p: number', code('jinn', 'return params.p') + handler('jo', 'inner.mjs')),
    ),
    files: { 'inner.mjs': 'export default ({ steps }) => `o ${steps.jinn}`;\n' },
    says: {
      again: ['jv: code'],
      may: ['one/jinn ← jv', 'one/jo ← jv', 'two/jinn ← jv', 'two/jo ← jv'],
    },
    kept: [],
    ran: ['jv', 'one/jinn', 'one/jo', 'two/jinn', 'two/jo'],
  },
  {
    what: 'one more round in a worktree: what works behind it there runs again',
    before: flow(tree(loop('loop.iteration == 9', 2, code('jx', 'return loop.iteration')) + ask('z', 'Z')) + c),
    after: flow(tree(loop('loop.iteration == 9', 3, code('jx', 'return loop.iteration')) + ask('z', 'Z')) + c),
    says: { kept: ['l[1]/jx', 'l[2]/jx', 'c'], fresh: ['l[3]/jx'], again: ['z: files'] },
    kept: ['l[1]/jx', 'l[2]/jx', 'c'],
    ran: ['l[3]/jx', 'z'],
  },
  {
    what: 'a step in a worktree that may run again: so may what works behind it there',
    before: flow(a + tree(ask('y', 'Y {a.text}') + ask('z', 'Z')) + c),
    after: flow(ask('a', 'Aa {input.topic}') + tree(ask('y', 'Y {a.text}') + ask('z', 'Z')) + c),
    says: { kept: ['c'], again: ['a: prompt'], may: ['y ← a', 'z ← a'] },
    kept: ['c'],
    ran: ['a', 'y', 'z'],
  },
  {
    what: 'so may what works in a worktree that begins with its branch',
    before: flow(a + tree(ask('y', 'Y {a.text}')) + tree(ask('z', 'Z'), 'wz', 'other', 'fix') + c),
    after: flow(
      ask('a', 'Aa {input.topic}') + tree(ask('y', 'Y {a.text}')) + tree(ask('z', 'Z'), 'wz', 'other', 'fix') + c,
    ),
    says: { kept: ['c'], again: ['a: prompt'], may: ['y ← a', 'z ← a'] },
    kept: ['c'],
    ran: ['a', 'y', 'z'],
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
    expect(told(preview)).toEqual({ ...nothing, ...each.says });
    expect(reallyIn(id)).toEqual({ kept: each.kept, ran: each.ran });
    comesTrue(preview, reallyIn(id), store.run(id)?.status === 'done');
    // A prompt costs 1: nothing is counted that may run again, and nothing twice.
    expect(preview.saved.cost ?? 0).toBe(preview.kept.filter((name) => !/^(?:h|ok|j.*|.*\/j.*)$/.test(name)).length);
    expect(store.run(id)?.cost ?? 0).toBe(promptsIn(id));
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

/** A turn of a run that goes on several times; all that is asked gets this answer. */
interface Turn {
  readonly text: string;
  readonly why?: Change['why'];
  readonly approved?: boolean;
  readonly says: Told;
  readonly ran: readonly string[];
}

async function goOn(id: string, { text, why = 'edit', approved = true, says, ran }: Turn): Promise<void> {
  const change = { ...(await read(text, {}, { topic: 'tea' })), why };
  const preview = previewChange(store, id, change, clock.now());
  const opened = await openSegment(store, id, change, machine, clock);
  if (opened.kind !== 'opened') throw new Error('somebody else drives it');
  await toEnd(id, echo, opened.epoch, approved);
  expect(told(preview)).toEqual({ ...nothing, ...says });
  expect(reallyIn(id).ran).toEqual(ran);
  comesTrue(preview, reallyIn(id), store.run(id)?.status === 'done');
}

async function begin(text: string, approved = true): Promise<string> {
  const { id, epoch } = createRun(store, await read(text, {}, { topic: 'tea' }), machine, clock);
  await toEnd(id, echo, epoch, approved);
  return id;
}

describe('what goes on', () => {
  const fails = (js: string) => code('jc', `throw new Error('no'); return ${js}`);

  it('names what was never reached, and acts outside', async () => {
    const d = code('jd', 'return String(await sh`echo done`)', 'string');
    const id = await begin(flow(a + fails('1') + d));
    const says = { kept: ['a'], again: ['jc: code'], next: ['jd'] };
    await goOn(id, { text: flow(a + code('jc', 'return 1') + d), says, ran: ['jc', 'jd'] });
  });

  it('says of what had failed that it did not succeed, whatever older results it has', async () => {
    const flowOf = (ja: string, jb: string) => flow(code('ja', ja, 'string') + code('jb', jb, 'string') + c);
    const bad = "throw new Error(ja); return ''";
    const id = await begin(flowOf("return 'va'", 'return 1 + ja'));
    await goOn(id, {
      text: flowOf("return 'va'", bad),
      says: { kept: ['ja', 'c'], again: ['jb: code'] },
      ran: ['jb'],
    });
    const retried = { kept: ['ja', 'c'], again: ['jb: '] };
    await goOn(id, { text: flowOf("return 'va'", bad), why: 'retry', says: retried, ran: ['jb'] });
    await goOn(id, {
      text: flowOf("return ['va'].join()", bad),
      says: { kept: ['c'], again: ['ja: code', 'jb: '] },
      ran: ['ja', 'jb'],
    });
  });

  it('says what was edited since a step has run, also in turns that did not come to it', async () => {
    const flowOf = (ja: string, jx: string) => flow(code('ja', ja) + code('jx', jx));
    const id = await begin(flowOf('return 1', 'return 3'));
    const first = { again: ['ja: code', 'jx: code'] };
    await goOn(id, { text: flowOf("throw new Error('no'); return 1", 'return 4'), says: first, ran: ['ja'] });
    const then = { kept: ['ja'], again: ['jx: code'] };
    await goOn(id, { text: flowOf('return 1', 'return 4'), says: then, ran: ['jx'] });
  });

  it('does not promise that a step runs again whose older result may fit', async () => {
    const flowOf = (ja: string, jb: string) => flow(code('ja', ja) + code('jb', jb));
    const id = await begin(flowOf('return 1', 'return ja + 1'));
    await goOn(id, {
      text: flowOf('return 2', 'return ja + 2'),
      says: { again: ['ja: code', 'jb: code'] },
      ran: ['ja', 'jb'],
    });
    const says = { again: ['ja: code'], may: ['jb ← ja'] };
    await goOn(id, { text: flowOf('return 3 - 2', 'return ja + 1'), says, ran: ['ja'] });
  });

  it('says that an approval stays denied by what is kept of it, not by what was said last', async () => {
    const flowOf = (ja: string, onDeny: string) =>
      flow(
        code('ja', ja, 'string') +
          `${approval('Fine {ja}?')}    onDeny: ${onDeny}\n` +
          code('jb', "return ok.approved ? 'yes' : 'no'", 'string'),
      );
    const id = await begin(flowOf("return 'va'", 'continue'), false);
    const says = { again: ['ja: code'], may: ['ok ← ja', 'jb ← ja'] };
    await goOn(id, { text: flowOf("return 'vb'", 'continue'), says, ran: ['ja', 'ok', 'jb'] });
    expect(store.run(id)?.output).toBe('yes');
    // With such a no the run goes on: nobody wants to be asked again.
    await goOn(id, { text: flowOf("return 'va'", 'continue'), says: { kept: ['ja', 'ok', 'jb'] }, ran: [] });
    expect(store.run(id)?.output).toBe('no');
    const other = await begin(flowOf("return 'va'", 'fail'), false);
    await goOn(other, {
      text: flowOf("return 'vb'", 'fail'),
      says: { ...says, may: ['ok ← ja'], next: ['jb'] },
      ran: ['ja', 'ok', 'jb'],
    });
    await goOn(other, {
      text: flowOf("return 'va'", 'fail'),
      says: { kept: ['ja', 'ok'], removed: ['jb'], denied: ['ok'] },
      ran: [],
    });
    expect(store.run(other)?.status).toBe('failed');
  });

  it('asks again for the no that let it fail, and for no other', async () => {
    const round = `${approval('Round {loop.iteration}?')}    onDeny: continue\n`;
    const rounds = loop('{ok.approved}', 2, round);
    const last = approval('Publish?').replace('ok', 'publish');
    const text = flow(rounds + last + fails('1'));
    const id = await begin(text, false);
    const kept = ['l[1]/ok', 'l[2]/ok'];
    await goOn(id, { text, why: 'retry', says: { kept, again: ['publish: '], next: ['jc'] }, ran: ['publish', 'jc'] });
    await goOn(id, { text, why: 'retry', says: { kept: [...kept, 'publish'], again: ['jc: '] }, ran: ['jc'] });
  });

  it('promises nothing that only somebody decides who was not come to', async () => {
    const flowOf = (text: string) =>
      flow(
        ask('a', text) +
          branch("{input.topic == 'tea'}", code('jt', 'return 1'), code('jn', 'return 1')) +
          approval('Fine {a.text}?') +
          branch("{input.topic == 'tea'}", code('jx', 'return 1'), code('jy', 'return 1')) +
          code('jz', 'return 1').replace('    run', '    skipIf: "{jt == 1}"\n    run') +
          code('jlast', 'return 1'),
      );
    const id = await begin(flowOf('A'), false);
    const says = {
      kept: ['jt'],
      again: ['a: prompt'],
      may: ['ok ← a', 'jx ← a', 'jy ← a', 'jz ← a'],
      next: ['jlast'],
    };
    await goOn(id, { text: flowOf('Aa'), says, ran: ['a', 'ok', 'jx', 'jlast'] });
  });

  it('says how far a loop may go on whose end nobody came to', async () => {
    const inner = (js: string) =>
      loop('{jb} > 5', 2, code('jb', js), 'i').replace(
        '    maxIterations',
        '    onMaxReached: fail\n    maxIterations',
      );
    const flowOf = (js: string) =>
      flow(loop('{ja} > 0', 3, code('ja', 'return loop.iteration - 1') + inner(js) + code('jc', 'return 1')));
    const id = await begin(flowOf('return 1'));
    const says = {
      kept: ['l[1]/ja'],
      again: ['l[1]/i[1]/jb: code'],
      may: ['l[1]/i[2]/jb ← l/i/jb'],
      next: ['l[1]/jc'],
      rounds: ['l 2-3'],
    };
    const ran = ['l[1]/i[1]/jb', 'l[1]/jc', 'l[2]/ja', 'l[2]/i[1]/jb', 'l[2]/jc'];
    await goOn(id, { text: flowOf('return 9'), says, ran });
  });

  it('says of what was kept as it was that its handler is another', async () => {
    const flowOf = (js: string) => flow(a + handler('h', 'kept.mjs') + code('jc', js));
    const bad = "throw new Error('no'); return 1";
    writeFileSync(join(dir, 'kept.mjs'), readsA);
    const id = await begin(flowOf(bad));
    writeFileSync(join(dir, 'kept.mjs'), readsA.replace('`h ', '`H '));
    const retried = { kept: ['a', 'h'], again: ['jc: '] };
    await goOn(id, { text: flowOf(bad), why: 'retry', says: retried, ran: ['jc'] });
    const says = { kept: ['a'], again: ['h: handler', 'jc: code'] };
    await goOn(id, { text: flowOf('return 1'), says, ran: ['h', 'jc'] });
  });

  it('names what waits, and what stands behind it', async () => {
    const text = flow(a + approval('Go?') + c);
    const { id, epoch } = createRun(store, await read(text, {}, { topic: 'tea' }), machine, clock);
    expect(await drive(id, echo, epoch)).toMatchObject({ kind: 'waiting' });
    const says = { kept: ['a'], next: ['ok: begun', 'c'] };
    await goOn(id, { text: text.replace('"C"', '"C2"'), says, ran: ['ok', 'c'] });
  });
});

describe('an edited agent', () => {
  let s: Scratch;
  beforeEach(() => {
    s = scratch();
    s.write('.toolang/config.toml', '[permissions]\nask = ["shell"]\n');
    s.write('a.too', agent);
    s.write('w.toon', thunkFlow);
    s.write('w.script.toon', thunkReplies);
  });
  afterEach(() => s.remove());

  const agent = `skill notes:
  description = How notes are written.

  Be brief.

thunk review(input: Message, depth?: Number) -> Text:
  tools = shell
  hands = look
  skills = notes
  recall = none
  instruct:
    You review.

thunk look(topic: Text) -> Text:
  skills -= notes
  tools -= filesystem
  recall = none
  user:
    Look up {{topic}}.

thunk other(input: Message) -> Text:
  recall = none
  instruct:
    You do something else.
`;
  const thunkFlow = `name: w
input:
agents:
  reviewer:
    type: too
    use: ./a.too#review
  dev:
    type: scripted
steps[2]:
  - id: review
    agent: reviewer
    prompt: "Review it."
    with:
      depth: 1
    output: string
  - id: after
    agent: dev
    prompt: "Say {review}"
    output: string
`;
  const call = (tool: string, args: string) => `      - tool: ${tool}\n        args:\n          ${args}\n`;
  const thunkReplies = `replies[5]:
  - for: review
    calls[2]:
${call('look', 'topic: tea')}${call('skill', 'name: notes')}  - for: look
    text: Tea.
  - for: review
    calls[1]:
${call('shell/run', 'command: echo done >> done.txt')}  - for: review
    text: Reviewed.
  - for: after
    text: Said.
`;

  const cli = (...argv: string[]) => s.cli(argv, { env: { PATH: process.env.PATH ?? '', USER: 'ana' } });
  const edit = (file: string, from: string, to: string) => {
    expect(s.read(file)).toContain(from);
    s.write(file, s.read(file).replace(from, to));
  };

  /** What was begun since, and what was kept: steps, calls, hands. */
  function since(after: number): { ran: string[]; kept: string[]; last: number } {
    const runs = openSqliteStore(s.at('.toolang/runs.db'));
    try {
      const [run] = runs.runs({ roots: true });
      const [ran, kept]: [string[], string[]] = [[], []];
      let last = after;
      for (const { seq, node = '', body } of runs.events(run?.id ?? '', after)) {
        last = seq;
        if ('of' in body && body.of !== undefined) kept.push(node);
        else if (body.kind === 'node.started' || (body.kind === 'child.started' && node.includes('['))) ran.push(node);
      }
      return { ran, kept, last };
    } finally {
      runs.close();
    }
  }

  async function waiting(): Promise<string> {
    const { code, err } = await cli('run', 'w.toon');
    expect(code, err).toBe(3);
    return /run ([0-9a-z]{4,})/.exec(err)?.[1] ?? '';
  }

  const later = ['review#1/model#2', 'review#1/tool#2'];
  const inner = ['review#1/tools#1', 'review#1/model#1', 'review#1/look[1]#1', 'review#1/tool#1', ...later];

  interface Row {
    readonly what: string;
    readonly file: string;
    readonly from: string;
    readonly to: string;
    /** What the preview says of the step. */
    readonly says: RegExp;
    /** In a thunk that waits for somebody; nothing of both where the run goes on as it is. */
    readonly kept: readonly string[];
    readonly ran: readonly string[];
    /** Whether the step is done again where the run had ended. */
    readonly isAgain: boolean;
  }

  const rows: readonly Row[] = [
    {
      what: 'the text of the thunk: all of it is done again',
      file: 'a.too',
      from: 'You review.',
      to: 'You review with care.',
      says: /review/,
      kept: ['review#1/tools#1'],
      ran: [
        'review#1/model#1',
        'review#1/look[1]#1',
        'review#1/look[1]#1/model#1',
        'review#1/tool#1',
        'review#1/model#2',
        'review#1/tool#2',
      ],
      isAgain: true,
    },
    {
      what: 'the text of a hand: that is called again; it gives the same, so what came then is kept',
      file: 'a.too',
      from: 'Look up {{topic}}.',
      to: 'Look {{topic}} up.',
      says: /review/,
      kept: ['review#1/tools#1', 'review#1/model#1', 'review#1/tool#1', ...later],
      ran: ['review#1/look[1]#1', 'review#1/look[1]#1/model#1'],
      isAgain: true,
    },
    {
      what: 'what a step gives the thunk: it is said nowhere, so all calls are as they were',
      file: 'w.toon',
      from: 'depth: 1',
      to: 'depth: 2',
      says: /review/,
      kept: inner,
      ran: [],
      isAgain: true,
    },
    {
      what: 'the body of a skill: that is loaded again',
      file: 'a.too',
      from: 'Be brief.',
      to: 'Be very brief.',
      says: /review/,
      kept: ['review#1/tools#1', 'review#1/model#1', 'review#1/look[1]#1'],
      ran: ['review#1/tool#1', 'review#1/model#2', 'review#1/tool#2'],
      isAgain: true,
    },
    {
      what: 'a thunk that it does not lead to: nothing is done again',
      file: 'a.too',
      from: 'You do something else.',
      to: 'You do nothing.',
      says: /./,
      kept: [],
      ran: [],
      isAgain: false,
    },
    {
      what: 'a comment: nothing is done again',
      file: 'a.too',
      from: 'skill notes:',
      to: '# Of this project.\nskill notes:',
      says: /./,
      kept: [],
      ran: [],
      isAgain: false,
    },
  ];

  it.each(rows)('$what, while it waits', async ({ file, from, to, says, kept, ran }) => {
    const id = await waiting();
    const { last } = since(0);
    edit(file, from, to);
    const shown = await cli('resume', '--dry-run', id);
    expect(`${shown.out}${shown.err}`).toMatch(says);
    const resumed = await cli('resume', '--yes', id);
    expect(resumed.code, resumed.err).toBe(3);
    expect(since(last)).toMatchObject({ ran, kept });
    const approved = await cli('approve', id);
    expect(approved, approved.err).toMatchObject({ code: 0, out: 'Said.\n' });
    expect(s.read('done.txt')).toBe('done\n');
  });

  it.each(rows)('$what, when it has ended', async ({ file, from, to, isAgain }) => {
    const id = await waiting();
    expect((await cli('approve', id)).code).toBe(0);
    edit(file, from, to);
    const shown = await cli('resume', '--dry-run', id);
    const text = `${shown.out}${shown.err}`;
    if (isAgain) expect(text).toMatch(/runs again 1|again.*review/s);
    else expect(text).not.toMatch(/runs again [1-9]/);
  });
});
