import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventBody, JournalEvent, NoteBody } from '../journal/index.ts';
import type { Json, StepCommand } from '../machine/index.ts';
import { agentTypes } from '../plan/index.ts';
import { createRedactor, manualClock } from '../sys/index.ts';
import type { AgentModels } from './agent-models.ts';
import type { StepContext } from './execute.ts';
import { createModelExecutor, type ProgramAgents } from './model-executor.ts';
import { createScripts, scriptBeside } from './scripts.ts';
import { createTakenReplies } from './taken-replies.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolang-model-'));
  const files: Record<string, string> = {
    'flow.script.toon': `replies[7]:
  - for: draft
    error: 429
  - for: draft
    text: Done.
    price: 0.5
  - for: long
    text: one two three
    pace: 1s
  - for: file
    textFrom: texts/a.md
  - for: reviewer
    text: first
  - for: reviewer
    text: second
  - for: many
    json[1]: 1
`,
    'own.script.toon': 'replies[1]:\n  - for: draft\n    text: my own\n',
    'bad.script.toon': 'replies[1]:\n  - for: draft\n    txt: a\n',
    'texts/a.md': 'A text.\n',
  };
  mkdirSync(join(folder, 'texts'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Journal {
  readonly events: JournalEvent[];
  readonly add: (node: string, body: EventBody) => void;
}

function journal(): Journal {
  const events: JournalEvent[] = [];
  return { events, add: (node, body) => void events.push({ seq: events.length + 1, at: 0, run: 'r', node, body }) };
}

function command(step: string, agent: Record<string, unknown> = {}, spec: Record<string, Json> = {}): StepCommand {
  const fields = { name: 'writer', type: 'scripted', fields: {}, ...agent } as unknown as Json;
  return {
    op: 'step',
    id: `${step}#1/model#1`,
    spec: { kind: 'model', agent: fields, model: 'scripted', for: [step, 'writer'], ...spec },
    args: { messages: [{ role: 'user', content: 'Go on.' }], settings: {} },
    key: 'k',
  };
}

function context(extra: Partial<StepContext> = {}): StepContext & { readonly noted: NoteBody[] } {
  const noted: NoteBody[] = [];
  return {
    noted,
    runId: 'r',
    idempotencyKey: 'r/x',
    attempt: 1,
    signal: new AbortController().signal,
    notes: [],
    note: (body) => void noted.push(body),
    spawned: () => {},
    ended: () => {},
    ...extra,
  };
}

interface ExecutorOptions {
  readonly file?: string;
  readonly script?: string;
  readonly log?: Journal;
  readonly clock?: ReturnType<typeof manualClock>;
  readonly models?: AgentModels;
  readonly programs?: ProgramAgents;
}

function executor(options: ExecutorOptions = {}) {
  const { file = 'flow.toon', script, log, models, programs, clock = manualClock() } = options;
  const heard: string[] = [];
  const scriptFor = createScripts({
    fileOf: () => join(folder, file),
    cwd: folder,
    ...(script !== undefined && { script }),
  });
  const execute = createModelExecutor({
    scriptFor,
    clock,
    ...(models && { models }),
    ...(programs && { programs }),
    onText: (_, text) => void heard.push(text),
    ...(log && { replies: createTakenReplies((_, after = 0) => log.events.filter(({ seq }) => seq > after)) }),
  });
  return { execute, heard };
}

test('a scripted agent answers from the script beside its workflow, in order', async () => {
  const { execute } = executor();
  expect(await execute(command('draft'), context())).toEqual({
    outcome: {
      err: { code: 'model-rate', message: "the model's service answered 429: too many requests", retryable: true },
    },
  });
  const second = { ...command('draft'), id: 'draft#2/model#1' };
  const asked = context();
  expect(await execute(second, asked)).toEqual({
    outcome: { ok: { text: 'Done.', finish: 'stop' } },
    usage: { inputTokens: 2, outputTokens: 2, cost: 0.5 },
  });
  expect(asked.noted).toEqual([
    {
      kind: 'model.asked',
      ref: 'scripted',
      settings: { for: 'draft', list: expect.any(String), nth: 1 },
      add: [expect.any(String)],
    },
  ]);
  const third = await execute({ ...command('draft'), id: 'draft#3/model#1' }, context());
  expect(third.outcome).toMatchObject({ err: { code: 'script', retryable: false } });
});

test('textFrom is found from the folder of the script', async () => {
  const { execute } = executor();
  expect((await execute(command('file'), context())).outcome).toEqual({ ok: { text: 'A text.\n', finish: 'stop' } });
});

test('a repair is noted once', async () => {
  const { execute } = executor();
  const repair = command('draft', {}, { repairs: ['"/a" is missing'] });
  const first = context();
  await execute(repair, first);
  expect(first.noted.map(({ kind }) => kind)).toEqual(['output.repaired', 'model.asked']);
  const again = context({ notes: first.noted });
  await execute(repair, again);
  expect(again.noted).toEqual([]);
});

describe('which script', () => {
  test('an agent may have its own', async () => {
    const { execute } = executor();
    const own = command('draft', { fields: { script: './own.script.toon' } });
    expect((await execute(own, context())).outcome).toEqual({ ok: { text: 'my own', finish: 'stop' } });
  });

  test('--script answers for every model', async () => {
    const { execute } = executor({ script: 'own.script.toon' });
    const real = command('draft', { type: 'anthropic', fields: { model: 'm' } });
    expect((await execute(real, context())).outcome).toEqual({ ok: { text: 'my own', finish: 'stop' } });
  });

  test('it stands beside the workflow, with its name', () => {
    expect(scriptBeside(join('a', 'release.toon'))).toBe(join('a', 'release.script.toon'));
  });

  test('one that is not there or not right is an error of the script', async () => {
    const gone = await executor({ script: 'gone.script.toon' }).execute(command('draft'), context());
    expect(gone.outcome).toMatchObject({
      err: { code: 'script', message: expect.stringContaining('"gone.script.toon"'), retryable: false },
    });
    const bad = await executor({ script: 'bad.script.toon' }).execute(command('draft'), context());
    expect(bad.outcome).toMatchObject({
      err: {
        code: 'script',
        message:
          'the script has errors:\nbad.script.toon:3:5 TOO7001 unknown key "txt" of a reply. Did you mean "text"?',
      },
    });
  });

  test('the one beside the workflow never takes the place of a program, which is asked under its name', async () => {
    const asked: string[] = [];
    const programs: ProgramAgents =
      ({ name }) =>
      async () => {
        asked.push(name);
        return { outcome: { ok: { text: 'of the program', finish: 'stop' } } };
      };
    const { execute } = executor({ programs });
    const at = context();
    const real = { type: 'kimi', fields: {} };
    expect((await execute(command('file', real), at)).outcome).toMatchObject({ ok: { text: 'of the program' } });
    expect(asked).toEqual(['writer']);
    expect(at.noted).toMatchObject([{ kind: 'model.asked' }]);
  });

  test('the one beside the workflow never takes the place of a model that is named', async () => {
    const asked: string[] = [];
    const models: AgentModels = {
      choose: async () => ({ candidates: [], from: 'named' }),
      mostCost: async () => 0,
      async open({ name }, begun) {
        asked.push(name);
        begun('anthropic/claude-sonnet-4-5');
        const usage = { inputTokens: 3, outputTokens: 1, cacheReadTokens: 2, cost: 0.5 };
        const calls = [{ id: 'c1', tool: 'filesystem/read', args: {} }];
        return {
          ref: 'anthropic/claude-sonnet-4-5',
          async generate(_, { onSkip }) {
            onSkip?.({ ref: 'openai/gpt-5', error: { code: 'model-rate', message: 'busy', retryable: true } });
            return { ok: true, answer: { text: '', finish: 'calls', calls, usage } };
          },
        };
      },
    };
    const { execute } = executor({ models });
    const at = context();
    const real = { type: 'anthropic', fields: { model: 'claude-sonnet-4-5' } };
    expect(await execute(command('file', real), at)).toEqual({
      outcome: { ok: { text: '', finish: 'calls', calls: [{ id: 'c1', tool: 'filesystem/read', args: {} }] } },
      usage: { inputTokens: 3, outputTokens: 1, cost: 0.5 },
    });
    expect(asked).toEqual(['writer']);
    expect(at.noted).toEqual([
      { kind: 'model.asked', ref: 'anthropic/claude-sonnet-4-5', settings: {}, add: [expect.any(String)] },
      { kind: 'model.skipped', ref: 'openai/gpt-5', error: { code: 'model-rate', message: 'busy', retryable: true } },
    ]);
  });

  test('of a conversation that goes on only what is new is noted', async () => {
    const { execute } = executor();
    const at = context();
    const one = command('draft');
    const messages = ['a', 'b', 'c'].map((content) => ({ role: 'user', content }));
    await execute({ ...one, key: 'k', spec: { ...one.spec, added: 2 }, args: { messages, settings: {} } }, at);
    expect(at.noted[0]).toMatchObject({ kind: 'model.asked', add: [expect.any(String), expect.any(String)] });
  });

  test('without one every other type of agent is said to be missing, with the way around it', async () => {
    expect(agentTypes.has('scripted')).toBe(true);
    for (const type of [...agentTypes.keys(), 'imported'].filter((each) => each !== 'scripted')) {
      const { execute } = executor({ file: 'other.toon' });
      const { outcome } = await execute(command('draft', { type, at: 'flow.toon:3:3' }), context());
      expect(outcome).toMatchObject({ err: { code: 'unsupported', retryable: false, at: 'flow.toon:3:3' } });
      const words =
        type === 'too'
          ? '^the agent "writer" is a thunk, and this run was begun without it: '
          : `^the agent "writer" is of type ${type}, and nothing here can ask it\\. "--script FILE" answers for every`;
      expect('err' in outcome && outcome.err.message).toMatch(new RegExp(words));
    }
  });
});

describe('the position comes from the journal', () => {
  test('a resumed run goes on where it was', async () => {
    const log = journal();
    const before = executor({ log });
    const first = context();
    await before.execute(command('draft'), first);
    for (const note of first.noted) log.add('draft#1/model#1', note);
    log.add('draft#1/model#1', { kind: 'model.failed', error: { code: 'model', message: '', retryable: true } });
    // Another process: it knows the journal alone.
    const { execute } = executor({ log });
    const second = { ...command('draft'), id: 'draft#2/model#1' };
    expect((await execute(second, context())).outcome).toEqual({ ok: { text: 'Done.', finish: 'stop' } });
  });

  test('a call in flight at a crash gets the same reply, noted or not', async () => {
    for (const isNoted of [true, false]) {
      const log = journal();
      const first = context();
      await executor({ log }).execute(command('reviewer'), first);
      if (isNoted) for (const note of first.noted) log.add('reviewer#1/model#1', note);
      const again = context({ notes: isNoted ? first.noted : [] });
      const { outcome } = await executor({ log }).execute(command('reviewer'), again);
      expect(outcome).toEqual({ ok: { text: 'first', finish: 'stop' } });
      expect(again.noted).toHaveLength(isNoted ? 0 : 1);
    }
  });

  test('names that are taken out of the journal as secrets do not matter', async () => {
    const log = journal();
    const redactor = createRedactor(['draft']);
    const first = context();
    await executor({ log }).execute(command('draft'), first);
    for (const note of first.noted) log.add('draft#1/model#1', redactor.data(note) as EventBody);
    expect(JSON.stringify(log.events)).not.toContain('"draft"');
    log.add('draft#1/model#1', { kind: 'model.failed', error: { code: 'model', message: '', retryable: true } });
    const second = { ...command('draft'), id: 'draft#2/model#1' };
    const { outcome } = await executor({ log }).execute(second, context());
    expect(outcome).toEqual({ ok: { text: 'Done.', finish: 'stop' } });
  });

  test('two open calls of one list are an error that says: name them', async () => {
    const log = journal();
    const { execute } = executor({ log });
    const asked = (id: string) => ({ ...command(id), spec: { ...command(id).spec, for: [id, 'reviewer'] } });
    const first = context();
    const [one, two] = await Promise.all([execute(asked('a'), first), execute(asked('b'), context())]);
    expect(one.outcome).toEqual({ ok: { text: 'first', finish: 'stop' } });
    expect(two.outcome).toMatchObject({
      err: { code: 'script', retryable: false, message: expect.stringContaining('Name them') },
    });
    // Open is what has no fact: that its answer is here is not yet in the journal.
    const third = await execute(asked('c'), context());
    expect(third.outcome).toMatchObject({ err: { code: 'script' } });
    for (const note of first.noted) log.add('a#1/model#1', note);
    log.add('a#1/model#1', { kind: 'model.answered', message: null, usage: {} });
    expect((await execute(asked('d'), context())).outcome).toEqual({ ok: { text: 'second', finish: 'stop' } });
  });

  test('many runs in one process keep their own positions', async () => {
    const log = journal();
    const { execute } = executor({ log });
    for (let run = 0; run < 500; run++) {
      const { outcome } = await execute(command('many'), context({ runId: `run-${run}` }));
      expect(outcome).toEqual({ ok: { text: '[1]', finish: 'stop' } });
    }
  });
});

describe('time', () => {
  test('a paced answer is heard word by word', async () => {
    const clock = manualClock();
    const { execute, heard } = executor({ clock });
    const result = execute(command('long'), context());
    await until(() => clock.sleeping() === 1);
    expect(heard).toEqual(['one ']);
    await clock.advance(2000);
    expect(heard).toEqual(['one ', 'two ', 'three']);
    expect((await result).outcome).toEqual({ ok: { text: 'one two three', finish: 'stop' } });
  });

  test.each([
    ['timeout', { code: 'timeout', retryable: true }],
    ['cancelled', { code: 'cancelled', retryable: false }],
  ])('a call that is aborted settles: %s', async (reason, err) => {
    const clock = manualClock();
    const abort = new AbortController();
    const result = executor({ clock }).execute(command('long'), context({ signal: abort.signal }));
    await until(() => clock.sleeping() === 1);
    abort.abort(reason);
    expect((await result).outcome).toMatchObject({ err });
    expect(clock.sleeping()).toBe(0);
  });

  test('an agent that gives no sign of life for too long is stopped', async () => {
    const clock = manualClock();
    const slow = command('long', { fields: { idleTimeoutMs: 400 } });
    const result = executor({ clock }).execute(slow, context());
    await until(() => clock.sleeping() === 2);
    await clock.advance(400);
    expect((await result).outcome).toEqual({
      err: { code: 'timeout', message: '"writer" gave no sign of life for 400 ms', retryable: true },
    });
    expect(clock.sleeping()).toBe(0);
    const quick = executor({ clock }).execute(command('long', { fields: { idleTimeoutMs: 1500 } }), context());
    await until(() => clock.sleeping() === 2);
    await clock.advance(5000);
    expect((await quick).outcome).toMatchObject({ ok: { finish: 'stop' } });
  });
});

/** Files are read for real before anything sleeps. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
