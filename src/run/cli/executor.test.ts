/**
 * Agents that are programs, by their executor: stand-ins (`test/cli-agents/fake-cli.mjs`) print what the real ones print, hang,
 * fork, fail. Time is ours: what waits for it is told when it has passed.
 */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cliTypes, type FakeCall, type FakeProgram, fakeProgram, isAlive } from '../../../test/cli-agents/fake.ts';
import type { EventBody, NoteBody } from '../../journal/index.ts';
import type { Json, StepCommand } from '../../machine/index.ts';
import type { ModelMessage } from '../../model/index.ts';
import { cliTypes as declared } from '../../plan/index.ts';
import { type Clock, realClock } from '../../sys/index.ts';
import type { StepContext, StepResult } from '../execute.ts';
import { createCliExecutor } from './executor.ts';

const isLinux = process.platform === 'linux';
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-cli-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const idleMs = 777_777;

/** Real, but for silence: that has lasted when the test says so. */
function clockOf(): Clock & { readonly idle: () => void } {
  let ring: () => void = () => undefined;
  return {
    ...realClock,
    sleep(ms, signal) {
      if (ms !== idleMs) return realClock.sleep(ms, signal);
      return new Promise((resolve, reject) => {
        ring = resolve;
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    },
    idle: () => ring(),
  };
}

interface Ask {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly messages?: readonly ModelMessage[];
  readonly output?: Json;
  readonly notes?: readonly EventBody[];
  readonly env?: Readonly<Record<string, string>>;
  readonly id?: string;
}

const instructions = 'You are a pirate named Blackbeard.';
const prompt = 'Tell the planted-secret-of-the-prompt.';
const said: readonly ModelMessage[] = [
  { role: 'system', content: instructions },
  { role: 'user', content: prompt },
];

function open(type: string, ...calls: readonly FakeCall[]) {
  const program = fakeProgram(type, folder, ...calls);
  const clock = clockOf();
  const stop = new AbortController();
  const notes: NoteBody[] = [];
  const texts: string[] = [];
  const running = new Set<number>();

  function ask({ fields = {}, messages = said, output, notes: before = [], env = {}, id = 'a#1' }: Ask = {}) {
    const execute = createCliExecutor(
      { name: 'dev', type, fields },
      {
        env: { PATH: `${program.bin}:${process.env.PATH}`, HOME: folder, ...env },
        home: folder,
        clock,
        onText: (_, text) => void texts.push(text),
      },
    );
    const command: StepCommand = {
      op: 'step',
      id: `${id}/model#1`,
      spec: { kind: 'model' },
      args: { messages, settings: {}, ...(output !== undefined && { output }) } as unknown as Json,
      key: 'k',
    };
    const context: StepContext = {
      runId: 'r',
      idempotencyKey: `r/${id}`,
      attempt: 1,
      signal: stop.signal,
      notes: before,
      note: (body) => void notes.push(body),
      spawned: (pid) => void running.add(pid),
      ended: (pid) => void running.delete(pid),
    };
    return execute(command, context);
  }
  return { program, clock, ask, stop: (why: string) => stop.abort(why), notes, texts, running };
}

const textOf = ({ outcome }: StepResult) =>
  'ok' in outcome ? (outcome.ok as unknown as { readonly text: string }).text : outcome;
const messageOf = ({ outcome }: StepResult) => ('err' in outcome ? outcome.err.message : '');
const answerOf = ({ outcome }: StepResult): ModelMessage => {
  if (!('ok' in outcome)) throw new Error(JSON.stringify(outcome));
  const { text, meta } = outcome.ok as unknown as { readonly text: string; readonly meta?: object };
  return { role: 'assistant', content: text, ...(meta && { meta }) } as ModelMessage;
};
const sessionsIn = (notes: readonly NoteBody[]) => notes.flatMap((note) => (note.kind === 'session' ? [note.id] : []));

async function hanging(program: FakeProgram): Promise<readonly number[]> {
  await expect.poll(() => program.calls().at(-1)?.children?.length ?? 0).toBe(2);
  const call = program.calls().at(-1);
  return [call?.pid ?? 0, ...(call?.children ?? [])];
}

test('there is one file for each type that is declared', () => {
  expect(new Set(cliTypes)).toEqual(declared);
});

const fresh = (type: string) => ({
  tokens: !['kimi', 'forge'].includes(type),
  cost: ['claude-code', 'pi'].includes(type),
  session: type !== 'forge',
});

describe.each(cliTypes)('%s', (type) => {
  const { tokens, cost, session } = fresh(type);

  test('answers, and what it says of it is known', async () => {
    const { ask, program, texts, notes, running } = open(type, { text: 'Tee ☕ ist fertig.', tool: 'ls', pieces: 7 });
    const result = await ask({ fields: { model: 'some-model' } });
    expect(textOf(result)).toBe('Tee ☕ ist fertig.');
    expect(result.usage).toEqual(
      tokens ? { inputTokens: 110, outputTokens: 20, ...(cost && { cost: 0.25 }) } : undefined,
    );
    expect(sessionsIn(notes)).toHaveLength(session ? 1 : 0);
    expect(texts.join('')).toContain('Tee ☕ ist fertig.');
    if (type !== 'forge') expect(notes).toContainEqual({ kind: 'node.printed', text: expect.stringContaining('ls') });
    const [call] = program.calls();
    expect(call?.cwd).toBe(folder);
    expect(call?.argv).toContain('some-model');
    const given = [call?.stdin, ...Object.values(call?.files ?? {})].join('\n');
    expect(given).toContain(prompt);
    expect(given).toContain(instructions);
    expect(running.size).toBe(0);
    // Of the files that it was given nothing is left.
    for (const file of Object.keys(call?.files ?? {})) expect(() => readFileSync(file)).toThrow();
  });

  test.runIf(isLinux)('a timeout ends it with all that it started, and arguments tell nothing', async () => {
    const { ask, stop, program, running } = open(type, { hang: true });
    const asked = ask({ env: { ANTHROPIC_API_KEY: 'planted-key', OPENAI_API_KEY: 'planted-key' } });
    const pids = await hanging(program);
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    for (const pid of [...running, ...pids]) {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      for (const secret of ['planted', 'Blackbeard']) expect(line).not.toContain(secret);
    }
    stop('timeout');
    expect((await asked).outcome).toMatchObject({ err: { code: 'timeout', retryable: true } });
    expect(pids.map(isAlive)).toEqual([false, false, false]);
    expect(running.size).toBe(0);
  });

  test.runIf(isLinux)('silence ends it too', async () => {
    const { ask, clock, program } = open(type, { quiet: true });
    const asked = ask({ fields: { idleTimeoutMs: idleMs } });
    const pids = await hanging(program);
    clock.idle();
    expect((await asked).outcome).toEqual({
      err: { code: 'timeout', message: `"dev" gave no sign of life for ${idleMs} ms`, retryable: true },
    });
    expect(pids.map(isAlive)).toEqual([false, false, false]);
  });

  test('an answer is sent back in the same conversation, or to one that is told all of it', async () => {
    const { ask, program } = open(type, { text: '{"a": ' }, { text: '{"a": 1}' });
    const first = answerOf(await ask());
    const repair: ModelMessage = { role: 'user', content: 'This answer does not fit the schema.' };
    const second = await ask({ messages: [...said, first, repair], id: 'a#2' });
    expect(textOf(second)).toBe('{"a": 1}');
    const [before, after] = program.calls();
    const id = program.session(after?.resumed ?? '');
    if (session) {
      expect(after?.stdin.trim()).toBe(repair.content);
      expect(id).toHaveLength(2);
      // Only what this call has used.
      if (tokens) expect(second.usage).toEqual({ inputTokens: 110, outputTokens: 20, ...(cost && { cost: 0.25 }) });
    } else {
      expect(after?.resumed).toBeUndefined();
      for (const part of [prompt, '{"a":', repair.content]) expect(after?.stdin).toContain(part);
    }
    expect(before?.stdin).toContain(prompt);
  });

  test('begun again after a crash it goes on with the conversation that was noted', async () => {
    const { ask, stop, program, notes } = open(type, { hang: true });
    const asked = ask();
    await hanging(program);
    await expect.poll(() => sessionsIn(notes).length).toBe(session ? 1 : 0);
    stop('cancelled');
    await asked;
    const again = open(type, { text: 'Here.' });
    // The folder is the same, so it is the second call.
    again.program.script({ hang: true }, { text: 'Here.' });
    const result = await again.ask({ notes: notes as readonly EventBody[] });
    expect(textOf(result)).toBe('Here.');
    const call = again.program.calls().at(-1);
    expect(call?.resumed).toBe(sessionsIn(notes)[0]);
    expect(call?.stdin).toContain(prompt);
    expect(call?.stdin.includes('was cut off')).toBe(session);
  });

  test('a login that is not taken is told, with what to do', async () => {
    const { ask } = open(type, { fail: 'auth' });
    const result = await ask();
    expect(result.outcome).toMatchObject({ err: { code: 'model-auth', retryable: false } });
    expect(messageOf(result)).toMatch(/^the agent "dev" failed: the login of "\w+" was not taken: /);
    expect(messageOf(result)).toMatch(/Log in with ".*", or set /);
  });

  test('an end without an answer is told with what it said', async () => {
    const { ask } = open(type, { plain: type === 'forge' ? '' : 'something odd', stderr: 'and odd words\n' });
    const result = await ask();
    expect(result.outcome).toMatchObject({ err: { code: 'model' } });
    expect(messageOf(result)).toContain('ended without an answer');
    expect(messageOf(result)).toContain('and odd words');
  });

  test('50 MB in one line are told of, and not kept', async () => {
    const { ask } = open(type, { huge: 50 * 1024 * 1024 });
    const before = process.memoryUsage().rss;
    const result = await ask();
    expect(messageOf(result)).toMatch(/8 MB, and was not taken|printed a line of 51 MB, which is more than 16 MB/);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  });

  test('a program that is not there is named with how to get it', async () => {
    const execute = createCliExecutor(
      { name: 'dev', type, fields: {} },
      { env: { PATH: folder }, home: folder, clock: realClock },
    );
    const context = { signal: new AbortController().signal, notes: [] } as unknown as StepContext;
    const command = { args: { messages: said, settings: {} } } as unknown as StepCommand;
    const result = await execute(command, context);
    expect(result.outcome).toMatchObject({ err: { code: 'program', retryable: false } });
    expect(messageOf(result)).toMatch(/there is no program "\w+" on the PATH\.\nTo install it: \w+/);
  });
});

describe('what all share', () => {
  test.runIf(isLinux)('one that does not listen is killed', async () => {
    const { ask, stop, program } = open('codex', { hang: true, stubborn: true });
    const asked = ask();
    const pids = await hanging(program);
    stop('cancelled');
    expect((await asked).outcome).toMatchObject({ err: { code: 'cancelled' } });
    expect(pids.map(isAlive)).toEqual([false, false, false]);
  });

  test.each(['claude-code', 'codex', 'gemini'])('%s: a conversation that is gone is begun anew, once', async (type) => {
    const { ask, program, notes } = open(type, {}, { text: 'Anew.' });
    const result = await ask({ notes: [{ kind: 'session', id: 'gone-1' }] });
    expect(textOf(result)).toBe('Anew.');
    expect(program.calls().map(({ resumed }) => resumed)).toEqual(['gone-1', undefined]);
    expect(program.calls()[1]?.stdin).not.toContain('was cut off');
    expect(sessionsIn(notes)).toHaveLength(1);
  });

  test('a subscription is not charged to a key; no program sees keys of others', async () => {
    const env = { ANTHROPIC_API_KEY: 'planted-key-1', OPENAI_API_KEY: 'planted-key-2', SECRET_OF_OTHERS: 'planted-3' };
    const seen = async (type: string, fields: Ask['fields'] = {}) => {
      rmSync(join(folder, 'state'), { recursive: true, force: true });
      const { ask, program } = open(type, {});
      await ask({ env, fields });
      const keys = Object.keys(program.calls()[0]?.env ?? {});
      return Object.keys(env).filter((name) => keys.includes(name));
    };
    expect(await seen('claude-code')).toEqual(['ANTHROPIC_API_KEY']);
    expect(await seen('claude-code', { subscription: true })).toEqual([]);
    expect(await seen('codex')).toEqual(['OPENAI_API_KEY']);
    expect(await seen('gemini')).toEqual([]);
  });

  test('a folder that is gone is named', async () => {
    const { ask } = open('codex', {});
    const { bin } = fakeProgram('codex', folder, {});
    const execute = createCliExecutor(
      { name: 'dev', type: 'codex', fields: {} },
      { env: { PATH: bin }, home: join(folder, 'nowhere'), clock: realClock },
    );
    const context = { signal: new AbortController().signal, notes: [] } as unknown as StepContext;
    const result = await execute({ args: { messages: said, settings: {} } } as unknown as StepCommand, context);
    expect(messageOf(result)).toContain('nowhere", in which the agent "dev" would work, is not there');
    expect(ask).toBeTypeOf('function');
  });

  test('nothing of it is left in the folder for temporary files', async () => {
    const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('toolang-agent-'));
    const before = new Set(left());
    const { ask } = open('claude-code', {});
    await ask();
    expect(left().filter((name) => !before.has(name))).toEqual([]);
  });
});
