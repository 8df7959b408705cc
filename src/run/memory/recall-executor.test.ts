/** The steps of memory: what they find, what they keep, what they say of files that cannot be used. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import type { NoteBody } from '../../journal/index.ts';
import type { Json, StepCommand } from '../../machine/index.ts';
import { createRedactor, realClock } from '../../sys/index.ts';
import { createPolicy, createToolbox } from '../../tool/index.ts';
import { cleaner } from '../clean.ts';
import type { StepContext } from '../execute.ts';
import { createToolExecutors } from '../tool-executor.ts';
import { createMemoryExecutors, type MemoryExecutors } from './recall-executor.ts';
import { memorySaveName, memorySaveTool } from './save-tool.ts';

const dir = mkdtempSync(join(tmpdir(), 'toolang-recall-'));
const opened: MemoryExecutors[] = [];
let files = 0;
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const clean = cleaner(createRedactor([{ name: 'KEY', value: 'planted-s3cret' }]));
const clock = { ...realClock, now: () => 77 };
const newFile = () => join(dir, `${++files}.db`);

function executors(): MemoryExecutors {
  const made = createMemoryExecutors({ clock, clean });
  opened.push(made);
  return made;
}

function context(runId = 'r1', signal = new AbortController().signal, notes: NoteBody[] = []) {
  const said: NoteBody[] = [];
  const step: StepContext & { said: NoteBody[] } = {
    runId,
    idempotencyKey: `${runId}/chat#1/tool#1`,
    attempt: 1,
    signal,
    notes,
    note: (body) => void said.push(body),
    spawned: () => undefined,
    ended: () => undefined,
    said,
  };
  return step;
}

const step = (kind: string, spec: Record<string, Json>, args: Json = null): StepCommand => ({
  op: 'step',
  id: `chat#1/${kind}#1`,
  spec: { kind, ...spec },
  args,
  key: 'k',
});
const recallIn = (file: string, more: Record<string, Json> = {}) => {
  const sources = ['history', 'memory'];
  return step('recall', { sources, agent: 'ana', thread: 't', file, query: 'tea', budget: 1000, most: 5, ...more });
};
const turnIn = (file: string, messages: Json) => step('turn', { agent: 'ana', thread: 't', file }, messages);
const said = [
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: 'hi' },
];

it('a recall gives the turns of other runs, and memories with where they came from', async () => {
  const file = newFile();
  const { recall, turn, memoryIn } = executors();
  expect(await turn(turnIn(file, said), context('r1'))).toEqual({ outcome: { ok: null } });
  memoryIn(file).save({ agent: 'ana', text: 'tea at four', at: 5, run: 'r0', thunk: 'plan', key: 'a' });
  memoryIn(file).save({ agent: 'bob', text: 'tea at five', at: 5, run: 'r0', thunk: 'plan', key: 'b' });
  const memories = [{ text: 'tea at four', at: 5, run: 'r0', thunk: 'plan' }];
  expect(await recall(recallIn(file), context('r2'))).toEqual({ outcome: { ok: { history: said, memories } } });
  expect(await recall(recallIn(file), context('r1'))).toEqual({ outcome: { ok: { history: [], memories } } });
});

it('only what is named is looked for', async () => {
  const file = newFile();
  const { recall, turn, memoryIn } = executors();
  await turn(turnIn(file, said), context('r1'));
  memoryIn(file).save({ agent: 'ana', text: 'tea', at: 5, run: 'r0', thunk: 'plan', key: 'a' });
  const found = async (more: Record<string, Json>) => {
    const { outcome } = await recall(recallIn(file, more), context('r2'));
    const { history, memories } = ('ok' in outcome ? outcome.ok : {}) as { history: Json[]; memories: Json[] };
    return [history.length, memories.length];
  };
  expect(await found({ sources: ['history'] })).toEqual([2, 0]);
  expect(await found({ sources: ['memory'] })).toEqual([0, 1]);
  expect(await found({ sources: [] })).toEqual([0, 0]);
  expect(await found({ budget: 1 })).toEqual([0, 1]);
  expect(await found({ most: 0 })).toEqual([2, 0]);
  const { thread: _, ...spec } = recallIn(file).spec;
  const { outcome } = await recall({ ...recallIn(file), spec }, context('r2'));
  expect(outcome).toMatchObject({ ok: { history: [] } });
});

it('where there is no file nothing is found', async () => {
  const { recall } = executors();
  expect(await recall(recallIn(newFile()), context())).toEqual({ outcome: { ok: { history: [], memories: [] } } });
});

it('no secret gets into the file', async () => {
  const file = newFile();
  const all = executors();
  await all.turn(turnIn(file, [{ role: 'user', content: 'the key is planted-s3cret' }]), context('r1'));
  const tool = memorySaveTool({ memory: all.memoryIn(file), agent: 'ana', thunk: 'chat', run: 'r1', clean });
  const at = { workspace: dir, signal: new AbortController().signal, clock, env: {}, idempotencyKey: 'k' };
  expect(await tool.run({ text: 'use planted-s3cret' }, at)).toMatchObject({ ok: true });
  expect(all.memoryIn(file).list()[0]?.text).toBe('use [redacted KEY]');
  expect(all.memoryIn(file).turns('ana', 't', 100)).toEqual([{ role: 'user', content: 'the key is [redacted KEY]' }]);
  all.close();
  expect(readFileSync(file).includes('planted-s3cret')).toBe(false);
});

it('a file that cannot be used, and what is no turn, fail in words; an abort is one', async () => {
  const broken = newFile();
  writeFileSync(broken, 'Dear diary. '.repeat(500));
  const { recall, turn } = executors();
  for (const made of [recall(recallIn(broken), context()), turn(turnIn(broken, said), context())]) {
    const message = expect.stringMatching(/^the memory .* is no database of memories, or is damaged/);
    expect(await made).toEqual({ outcome: { err: { code: 'memory', message, retryable: false } } });
  }
  const call = { role: 'assistant', content: '', calls: [{ id: 'c1', tool: 'x', args: {} }] };
  const message = 'the turn cannot be kept: the call c1 has no result';
  expect(await turn(turnIn(newFile(), [call]), context())).toEqual({
    outcome: { err: { code: 'memory', message, retryable: false } },
  });
  const aborted = AbortSignal.abort('cancel');
  expect(await recall(recallIn(newFile()), context('r', aborted))).toMatchObject({
    outcome: { err: { code: 'cancelled' } },
  });
});

it('a step that says too little is a mistake of ours', async () => {
  const { recall, turn } = executors();
  await expect(recall(step('recall', { agent: 'ana', file: 'f' }), context())).rejects.toThrow(
    'the recall step chat#1/recall#1 has no recall',
  );
  await expect(turn(step('turn', { agent: 'ana', file: 'f' }), context())).rejects.toThrow('has no turn');
  await expect(turn(step('turn', { thread: 't' }), context())).rejects.toThrow('no agent or no file');
});

/** The tool as runs call it. */
function saveTool(file: string) {
  const { memoryIn } = executors();
  const memory = memoryIn(file);
  const tool = memorySaveTool({ memory, agent: 'ana', thunk: 'chat', run: 'r1', clean });
  const all = createToolExecutors({
    toolboxOf: async () => createToolbox([{ name: memorySaveName, list: async () => ({ ok: true, tools: [tool] }) }]),
    policy: createPolicy({ deny: [], allow: [], ask: [] }),
    clock,
    env: {},
    home: dir,
    redactorOf: async () => undefined,
  });
  const call = (args: Json, at: StepContext) => all.tool(step('tool', { tool: memorySaveName, call: 'c1' }, args), at);
  return { memory, call };
}

it('memory_save saves once however often the call is made, and the journal tells of it once', async () => {
  const { memory, call } = saveTool(newFile());
  const first = context();
  expect(await call({ text: ' tea ' }, first)).toEqual({ outcome: { ok: { text: 'Remembered, as memory 1.' } } });
  expect(first.said).toEqual([
    { kind: 'tool.asked', tool: 'memory_save', call: 'c1' },
    { kind: 'memory.saved', id: 1, text: 'tea' },
  ]);
  // It was saved, and the process died before anybody knew.
  const unknown = context('r1', undefined, []);
  expect(await call({ text: 'tea' }, unknown)).toEqual({ outcome: { ok: { text: 'Remembered, as memory 1.' } } });
  expect(unknown.said).toContainEqual({ kind: 'memory.saved', id: 1, text: 'tea' });
  const known = context('r1', undefined, first.said);
  await call({ text: 'tea' }, known);
  expect(known.said).toEqual([]);
  const other = context('r2');
  expect(await call({ text: 'tea' }, other)).toMatchObject({
    outcome: { ok: { text: 'This was remembered already, as memory 1.' } },
  });
  expect(other.said.map(({ kind }) => kind)).toEqual(['tool.asked']);
  expect(memory.list()).toEqual([{ id: 1, agent: 'ana', text: 'tea', at: 77, run: 'r1', thunk: 'chat' }]);
});

it('memory_save tells the model what cannot be saved', async () => {
  const { memory, call } = saveTool(newFile());
  const told = async (args: Json) => {
    const { outcome } = await call(args, context());
    return 'ok' in outcome ? outcome.ok : outcome;
  };
  expect(await told({ text: ' ' })).toMatchObject({ isError: true, code: 'arguments' });
  expect(await told({})).toMatchObject({ isError: true, code: 'arguments' });
  expect(await told({ text: 'x'.repeat(20_000) })).toMatchObject({
    isError: true,
    code: 'too-large',
    text: expect.stringContaining('save what matters of it, or several memories'),
  });
  expect(memory.list()).toEqual([]);
  const broken = newFile();
  writeFileSync(broken, 'Dear diary. '.repeat(500));
  const { outcome } = await saveTool(broken).call({ text: 'tea' }, context());
  expect(outcome).toMatchObject({ ok: { isError: true, code: 'unavailable' } });
});
