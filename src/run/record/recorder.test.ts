import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NoteBody } from '../../journal/index.ts';
import type { StepCommand } from '../../machine/index.ts';
import { readScript, recordingOf } from '../../model/index.ts';
import { createRedactor } from '../../sys/index.ts';
import { createSource } from '../../text/index.ts';
import { cleaner } from '../clean.ts';
import type { Execute, StepContext, StepResult } from '../execute.ts';
import { openRecordFile } from './record-file.ts';
import { createRecorder } from './recorder.ts';
import { recorded, replayed } from './replay.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolang-record-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = () => join(folder, 'w.record.toon');
const same = (text: string) => text;
const byName = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function command(id = 'draft#1/model#1', more: Partial<StepCommand> = {}): StepCommand {
  const agent = { name: 'writer', type: 'openai', fields: {} };
  return {
    op: 'step',
    id,
    spec: { kind: 'model', agent, model: 'openai/gpt-5', for: [id.replace(/#.*/, ''), 'writer'] },
    args: { messages: [{ role: 'user', content: `Go, ${id}.` }], settings: {} },
    key: 'k',
    ...more,
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

function recorder(input = 'case1') {
  const file = openRecordFile({ path: path(), cwd: folder, compare: byName });
  return createRecorder({ file, input, stable: () => same, clean: cleaner(createRedactor(['hush-hush'])) });
}

const asked: NoteBody = { kind: 'model.asked', ref: 'openai/gpt-5', settings: {}, add: ['h'] };
const says =
  (result: StepResult, ...notes: readonly NoteBody[]): Execute =>
  async (_, { note }) => {
    for (const each of notes) note(each);
    return result;
  };
const text = (said: string): StepResult => ({ outcome: { ok: { text: said, finish: 'stop' } } });

function recording() {
  const { script } = readScript(createSource('w.record.toon', readFileSync(path(), 'utf8')));
  if (script === undefined) throw new Error('it is no recording');
  return recordingOf(script);
}

/** What a replay of the call comes to, and what it notes. */
async function again(of: StepCommand) {
  const now = context();
  const exchange = recorded(recording(), of, { stable: () => same, input: 'case1', again: '' });
  const result = replayed(exchange, now, (ref) => ({ ...asked, ref }) as NoteBody);
  return { result, noted: now.noted };
}

describe('a replay gives what was recorded, and notes what was noted', () => {
  const skipped: NoteBody = {
    kind: 'model.skipped',
    ref: 'a/b',
    error: { code: 'model-key', message: 'none', retryable: false },
  };
  test.each<[string, StepResult, readonly NoteBody[]]>([
    ['an answer', { ...text('Done.'), usage: { inputTokens: 3, cost: 0.1 } }, [asked]],
    [
      'calls',
      { outcome: { ok: { text: '', finish: 'calls', calls: [{ id: '1', tool: 'a/b', args: { c: 1 } }] } } },
      [asked],
    ],
    ['an answer of another model', text('Done.'), [{ ...asked, ref: 'a/b' } as NoteBody, skipped, asked]],
    [
      'an agent that is no model',
      { outcome: { ok: { text: 'x', finish: 'stop', turns: 3 } } },
      [{ kind: 'session', id: 'session' }],
    ],
    [
      'a failure',
      {
        outcome: {
          err: {
            code: 'model-rate',
            message: 'no',
            retryable: true,
            cause: { code: 'x', message: 'y', retryable: false },
          },
        },
        usage: { cost: 1 },
      },
      [asked],
    ],
    ['a script', text('x'), [{ ...asked, ref: 'scripted', settings: { for: 'draft', list: 'l', nth: 2 } } as NoteBody]],
  ])('%s', async (_, result, notes) => {
    const { wrap } = recorder();
    const live = context();
    expect(await wrap(says(result, ...notes))(command(), live)).toBe(result);
    expect(live.noted).toEqual(notes);
    expect(await again(command())).toEqual({ result, noted: notes });
  });

  test('a step that took too long has taken too long again', async () => {
    const stop = new AbortController();
    stop.abort('timeout');
    const { wrap } = recorder();
    const late: StepResult = { outcome: { err: { code: 'timeout', message: 'stopped', retryable: true } } };
    await wrap(says(late, asked))(command('a#1/model#1', { timeoutMs: 50 }), context({ signal: stop.signal }));
    const { result } = await again(command('a#1/model#1'));
    expect(result.outcome).toEqual({
      err: { code: 'timeout', message: 'it was not done within 50 ms, and was stopped', retryable: true },
    });
  });

  test('begun again after a crash, it notes nothing twice', () => {
    const before = context({ notes: [asked] });
    replayed('no', before, () => asked);
    expect(before.noted).toEqual([]);
  });
});

test('of an agent that is a program the answer is kept, and not what is another one each time', async () => {
  const { wrap } = recorder();
  const meta = { cli: { session: '0b1c-4f', cost: 2 } };
  const notes: NoteBody[] = [asked, { kind: 'session', id: '0b1c-4f' }, { kind: 'node.printed', text: 'Read a.md' }];
  await wrap(says({ outcome: { ok: { text: 'Done 0b1c-4f.', finish: 'stop', meta } } }, ...notes))(
    command(),
    context(),
  );
  expect(await again(command())).toEqual({
    result: {
      outcome: { ok: { text: 'Done 0b1c-4f.', finish: 'stop', meta: { cli: { session: 'session', cost: 2 } } } },
    },
    noted: [asked, { kind: 'session', id: 'session' }],
  });
});

test('what nobody was asked is not recorded', async () => {
  const { wrap, close } = recorder();
  for (const code of ['script', 'unsupported', 'program', 'model-key', 'cancelled', 'replay']) {
    await wrap(says({ outcome: { err: { code, message: 'x', retryable: false } } }))(command(), context());
  }
  expect(readdirSync(folder)).toEqual([]);
  expect(await close(new Set())).toEqual({ added: 0, dropped: 0 });
});

test('secrets are taken out of what was asked and answered', async () => {
  const { wrap } = recorder();
  const args = { messages: [{ role: 'user', content: 'The key is hush-hush.' }], settings: {} };
  await wrap(says(text('I know hush-hush.')))(command('a#1/model#1', { args }), context());
  const written = readFileSync(path(), 'utf8');
  expect(written).not.toContain('hush-hush');
  expect(written.match(/\[redacted\]/g)).toHaveLength(2);
});

describe('the file', () => {
  test('has what every one of many has recorded side by side, and nothing is left beside it', async () => {
    const ids = Array.from({ length: 40 }, (_, i) => `s${String(i).padStart(2, '0')}#1/model#1`);
    const two = [recorder(), recorder()];
    await Promise.all(ids.map((id, i) => two[i % 2]?.wrap(says(text(id)))(command(id), context())));
    expect(recording().exchanges.map(({ call }) => call)).toEqual(ids);
    expect(readdirSync(folder)).toEqual(['w.record.toon']);
  });

  test('keeps what other inputs were answered; a run that went well drops what it did not ask', async () => {
    const first = recorder();
    for (const id of ['a#1/model#1', 'b#1/model#1']) await first.wrap(says(text('1')))(command(id), context());
    const other = recorder('case2');
    await other.wrap(says(text('2')))(command('a#1/model#1'), context());
    const later = recorder();
    await later.wrap(says(text('3')))(command('a#1/model#1'), context());
    expect(await later.close(undefined)).toEqual({ added: 1, dropped: 0 });
    expect(recording().exchanges).toHaveLength(3);
    expect(await later.close(new Set(['a#1/model#1']))).toEqual({ added: 1, dropped: 1 });
    expect(recording().exchanges.map((each) => [each.case, each.call])).toEqual([
      ['case1', 'a#1/model#1'],
      ['case2', 'a#1/model#1'],
    ]);
  });

  test('that is no recording is left as it is, and the run is told in the end', async () => {
    writeFileSync(path(), '<<<<<<< HEAD\n');
    const { wrap, close } = recorder();
    expect(await wrap(says(text('paid')))(command(), context())).toEqual(text('paid'));
    expect(readFileSync(path(), 'utf8')).toBe('<<<<<<< HEAD\n');
    expect((await close(undefined)).problem).toMatch(/^w\.record\.toon cannot be recorded into: w\.record\.toon:1:1 /);
    // Mended meanwhile, it gets what was paid for.
    rmSync(path());
    expect(await close(undefined)).toEqual({ added: 1, dropped: 0 });
    expect(recording().exchanges).toHaveLength(1);
  });
});
