/** Every sample and every table of `docs/scripted-models.md` is what the page says it is. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readBlocks } from '../scripts/errors.mjs';
import { createPromptThunk } from '../src/agent/index.ts';
import type { Json, StepCommand } from '../src/machine/index.ts';
import {
  createScriptedModel,
  createTaken,
  type ModelCall,
  readScript,
  type Script,
  scriptProblem,
  statusError,
  takeReply,
} from '../src/model/index.ts';
import { createModelExecutor } from '../src/run/model-executor.ts';
import { manualClock } from '../src/sys/index.ts';
import { createSource } from '../src/text/index.ts';
import { formatToon } from '../src/toon/index.ts';
import { booleanType, field, structOf, textType } from '../src/type/index.ts';

const page = readFileSync(new URL('../docs/scripted-models.md', import.meta.url), 'utf8');
const blocks = readBlocks(page);
const samples = blocks.filter(({ words }) => words[0] === 'toon');

describe('samples', () => {
  test.each(samples.map((block) => [block.words.join(' '), block] as const))('%s', (_, { words, text }) => {
    const source = createSource('release.script.toon', text);
    const wrong = words.includes('wrong') ? [words[words.indexOf('wrong') + 1]] : [];
    expect(readScript(source).diagnostics.map(({ code }) => code)).toEqual(wrong);
    expect(formatToon(source).text).toBe(text);
  });

  test('show every key, and the table has each of them', () => {
    const rows = rowsOf('Key', 'What it is');
    const keys = rows.map(([key]) => key);
    const unknown = createSource('a.script.toon', 'replies[1]:\n  - for: a\n    text: b\n    zzzzzzzz: 1\n');
    const help = readScript(unknown).diagnostics[0]?.help;
    expect(help).toBe(`Its keys are ${keys.join(', ')}.`);
    const shown = samples.map(({ text }) => text).join('');
    // Those of recordings are shown where those are.
    const written = rows.filter(([, what]) => !/^in \[?recordings/.test(what ?? '')).map(([key]) => key);
    for (const key of written) expect(shown).toMatch(new RegExp(`\\b${key}(?:\\[\\d+\\])?:`));
  });
});

test('calls have the keys that the table says, and are read as the page says', async () => {
  const keys = rowsOf('Key of a call', 'What it is').map(([key]) => key);
  const unknown = createSource('a.script.toon', 'replies[1]:\n  - for: a\n    calls[1]{tool,zzzzzzzz}:\n      b,1\n');
  expect(readScript(unknown).diagnostics[0]?.help).toBe(`Its keys are ${keys.join(', ')}.`);
  const tools = ['read', 'write'].map((name) => ({
    name: `filesystem/${name}`,
    description: '',
    parameters: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
  }));
  const call: ModelCall = { messages: [{ role: 'user', content: 'Go.' }], tools, settings: {} };
  const played = [];
  for (const reply of scriptOf('calls').replies) {
    const model = createScriptedModel({
      reply,
      clock: manualClock(),
      readText: async () => ({ ok: false, message: '' }),
    });
    const result = await model.generate(call, { signal: new AbortController().signal, idempotencyKey: 'k' });
    played.push(
      result.ok && result.answer.calls?.map(({ id, tool, args, problem }) => [id, tool, args, problem !== undefined]),
    );
  }
  expect(played).toEqual([
    [
      ['call_1', 'filesystem/read', { path: 'README.md' }, false],
      ['second', 'filesystem/read', { path: 'CHANGELOG.md' }, false],
    ],
    [['call_1', 'filesystem/write', { path: 'notes.md', content: '# Notes' }, false]],
    [
      ['call_1', 'filesystem/raed', {}, true],
      ['call_2', 'filesystem/read', {}, true],
    ],
  ]);
});

test('errors are tried again as the table says', () => {
  for (const [status, again] of rowsOf('Error', 'Is tried again by a step with `maxAttempts`')) {
    expect([status, statusError(Number(status)).retryable ? 'yes' : 'no']).toEqual([status, again]);
  }
});

test('calls get the replies that the table says', () => {
  const script = scriptOf('names');
  const taken = createTaken();
  for (const [node, text] of rowsOf('Call', 'Answer')) {
    const step = node.slice(node.lastIndexOf('/') + 1);
    const take = takeReply(script, taken, `${node}#1/model#1`, [node, step, 'writer']);
    expect(take).toMatchObject({ kind: 'reply', reply: { answer: { text } } });
    if (take.kind === 'reply') taken.add(node, take.taken);
    taken.end(node);
  }
});

test('a list that is used up is told as the page says', () => {
  const machine = createPromptThunk(
    {
      kind: 'thunk',
      form: 'prompt',
      agent: { name: 'writer', type: 'scripted', fields: {} },
      output: structOf([field('title', textType), field('approved', booleanType)]) as unknown as Json,
      types: {},
      prompt: 'Write about bees.',
      for: ['draft', 'writer'],
    },
    { runId: 'r', path: 'draft#3', input: null, at: 0 },
  );
  const call = (machine.start()[0] as StepCommand).args as unknown as ModelCall;
  const script = { name: 'release.script.toon', replies: [], lists: new Map() };
  const { message } = scriptProblem({ kind: 'used', list: 'draft', length: 2 }, script, call, []);
  expect(blocks.find(({ words }) => words.includes('missing'))?.text).toBe(`${message}\n`);
});

test('a repair takes the next reply', async () => {
  const script = scriptOf('repair');
  const scriptFor = async () => ({
    kind: 'script' as const,
    script,
    key: '',
    readText: async () => ({ ok: false as const, message: '' }),
  });
  const execute = createModelExecutor({ scriptFor, clock: manualClock() });
  const machine = createPromptThunk(
    {
      kind: 'thunk',
      form: 'prompt',
      agent: { name: 'critic', type: 'scripted', fields: {} },
      output: structOf([field('approved', booleanType)]) as unknown as Json,
      types: {},
      prompt: 'Is it good?',
      for: ['review', 'critic'],
    },
    { runId: 'r', path: 'review#1', input: null, at: 0 },
  );
  let calls = 0;
  for (let open = machine.start(); open.length > 0; calls++) {
    const command = open[0] as StepCommand;
    const { outcome } = await execute(command, {
      runId: 'r',
      idempotencyKey: `r/${command.id}`,
      attempt: 1,
      signal: new AbortController().signal,
      notes: [],
      note: () => {},
      spawned: () => {},
      ended: () => {},
    });
    open = machine.deliver({ id: command.id, at: 0, ...outcome });
  }
  expect(calls).toBe(2);
  expect(machine.end).toEqual({ ok: { approved: true } });
});

function scriptOf(word: string): Script {
  const text = samples.find(({ words }) => words.includes(word))?.text ?? '';
  const { script } = readScript(createSource('release.script.toon', text));
  if (!script) throw new Error(`there is no sample marked "${word}"`);
  return script;
}

/** The rows of the table with these two columns, without their backticks. */
function rowsOf(...columns: [string, string]): [string, string][] {
  const head = `| ${columns.join(' | ')} |\n|---|---|\n`;
  const from = page.indexOf(head);
  if (from === -1) throw new Error(`there is no table of ${columns.join(', ')}`);
  const [rows = ''] = page.slice(from + head.length).split('\n\n', 1);
  return rows
    .trimEnd()
    .split('\n')
    .map((row) => {
      const [, first = '', second = ''] = row.split('|').map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1'));
      return [first, second];
    });
}
