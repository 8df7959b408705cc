/** What is heard of programs: of every recording of the real ones, cut into pieces, and of what should not be printed. */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Recording, readRecordings, stdoutOf } from '../../../test/cli-agents/recordings.ts';
import { cliAgents } from '../../agent/cli/index.ts';
import { spentOf } from './conversation.ts';
import { createHearing, mostAnswer, mostLine } from './hearing.ts';

function agentOf(type: string) {
  const agent = cliAgents.get(type);
  if (agent === undefined) throw new Error(type);
  return agent;
}

function hear(type: string, chunks: readonly Uint8Array[], stderr = '') {
  const texts: string[] = [];
  const tools: string[] = [];
  const sessions = new Set<string>();
  let stops = 0;
  const hearing = createHearing(agentOf(type), {
    onText: (text) => void texts.push(text),
    onTool: (name) => void tools.push(name),
    onSession: (id) => void sessions.add(id),
    onStop: () => void stops++,
  });
  for (const chunk of chunks) hearing.output(chunk);
  hearing.errors(Buffer.from(stderr));
  hearing.end();
  return { ...hearing.heard(), text: texts.join(''), tools, sessions: [...sessions], stops };
}

const cut = (text: string, size: number): Uint8Array[] => {
  const bytes = Buffer.from(text, 'utf8');
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
};

const recordings = readRecordings();
const whole = (each: Recording) => hear(each.type, [Buffer.from(stdoutOf(each))], each.stderr.join('\n'));
const named = (type: string, name: string): Recording => {
  const found = recordings.find((each) => each.type === type && each.case === name);
  if (found === undefined) throw new Error(`${type}/${name}`);
  return found;
};

describe('recordings of the real programs', () => {
  test.each(recordings.map((each) => [`${each.type}/${each.case}`, each] as const))(
    '%s is heard the same, however it is cut',
    (_, each) => {
      const all = whole(each);
      for (const size of [1, 7, 64]) {
        expect(hear(each.type, cut(stdoutOf(each), size), each.stderr.join('\n'))).toEqual(all);
      }
    },
  );

  test.each(['claude-code', 'codex', 'gemini'])('%s: a text, with its conversation and its tokens', (type) => {
    const { answer, sessions, usage, isFailed, text } = whole(named(type, type === 'claude-code' ? 'partial' : 'text'));
    expect(isFailed).toBe(false);
    expect(answer).toBeTruthy();
    expect(text).toContain(answer);
    expect(sessions).toHaveLength(1);
    const { spent } = spentOf(usage, {});
    expect(spent.inputTokens).toBeGreaterThan(0);
    expect(spent.outputTokens).toBeGreaterThan(0);
    expect(spent.cost !== undefined).toBe(agentOf(type).tells.cost);
  });

  test.each(['claude-code', 'codex', 'gemini'])('%s: tools that it uses are told, and are no answer', (type) => {
    const { answer, tools } = whole(named(type, 'tools'));
    expect(tools.length).toBeGreaterThan(0);
    expect(answer).toBeTruthy();
  });

  test.each(['claude-code', 'codex'])('%s: an answer by a schema is JSON', (type) => {
    const { answer } = whole(named(type, 'structured'));
    expect(typeof JSON.parse(answer ?? '')).toBe('object');
  });

  test.each([
    ['auth', 'model-auth', false],
    ['model', 'model-unknown', false],
    ['no-session', 'session', true],
  ] as const)('%s is told as what it is', (name, code, retryable) => {
    for (const type of ['claude-code', 'codex', 'gemini']) {
      const each = named(type, name);
      const { said, answer, isFailed, stop } = whole(each);
      expect(answer === undefined || isFailed || stop === 'error' || each.status !== 0, type).toBe(true);
      const end = { code: each.status, signal: each.signal, said };
      expect(agentOf(type).explain(end), type).toMatchObject({ code, retryable });
    }
  });

  test('what a conversation has cost before is not counted again', () => {
    for (const type of ['claude-code', 'codex', 'gemini']) {
      const first = spentOf(whole(named(type, 'text')).usage, {});
      const second = spentOf(whole(named(type, 'resumed')).usage, first.totals);
      // The second is no cheaper to the conversation as a whole, and is not the sum of both.
      for (const key of ['inputTokens', 'outputTokens', 'cost'] as const) {
        const [before, total, spent] = [first.totals[key], second.totals[key], second.spent[key]];
        if (before !== undefined && total !== undefined) expect(spent).toBeCloseTo(total - before, 9);
      }
    }
  });
});

describe('what is no answer', () => {
  test('text that is no line of it is what it said, where nothing else is', () => {
    const { answer, said } = hear('kimi', [Buffer.from("Error code: 401 - 'Invalid Authentication'\n")]);
    expect({ answer, said }).toEqual({ answer: undefined, said: "Error code: 401 - 'Invalid Authentication'" });
  });

  test('text of one that did not end well', () => {
    const line = { type: 'message', role: 'assistant', content: 'Half of', delta: true };
    expect(hear('gemini', [Buffer.from(`${JSON.stringify(line)}\n`)])).toMatchObject({ answer: undefined });
  });

  test('what goes wrong and is mended did not matter, what goes wrong afterwards does', () => {
    const lines = (...values: readonly object[]) => [
      Buffer.from(values.map((each) => `${JSON.stringify(each)}\n`).join('')),
    ];
    const said = { type: 'item.completed', item: { type: 'agent_message', text: 'Tea.' } };
    const wrong = { type: 'error', message: 'Reconnecting... 1/5' };
    expect(hear('codex', lines(wrong, said, { type: 'turn.completed' }))).toMatchObject({
      answer: 'Tea.',
      isFailed: false,
    });
    expect(hear('codex', lines(said, { type: 'turn.failed', error: { message: 'no' } }))).toMatchObject({
      isFailed: true,
      said: 'no',
    });
  });
});

describe('too much', () => {
  test('of a line that is longer than any may be nothing is held, and what comes behind it counts', () => {
    const filler = Buffer.alloc(1024 * 1024, 0x78);
    const chunks = [Buffer.from('{"type":"item.completed","item":{"type":"x","text":"'), ...Array(17).fill(filler)];
    const end = Buffer.from(
      '"}}\n{"type":"item.completed","item":{"type":"agent_message","text":"Tea."}}\n{"type":"turn.completed"}\n',
    );
    const { answer, passed, stops } = hear('codex', [...chunks, end]);
    expect({ answer, stops }).toEqual({ answer: 'Tea.', stops: 0 });
    expect(passed).toBeGreaterThan(mostLine);
  });

  test('of an answer it is stopped, once, and nothing more is taken', () => {
    const filler = Buffer.alloc(1024 * 1024, 0x78);
    const { stop, stops, text } = hear('forge', Array(12).fill(filler));
    expect({ stop, stops }).toEqual({ stop: 'long', stops: 1 });
    expect(text.length).toBeLessThanOrEqual(mostAnswer);
  });
});

test('no line brings any of them down', () => {
  const words = fc.constantFrom(
    ...['type', 'role', 'result', 'assistant', 'message', 'content', 'item', 'usage', 'error', 'session_id', 'system'],
  );
  const value = fc.object({ key: words, values: [words, fc.integer(), fc.boolean(), fc.constant(null)], maxDepth: 3 });
  fc.assert(
    fc.property(
      fc.constantFrom(...cliAgents.keys()),
      fc.array(fc.oneof(value, fc.string()), { maxLength: 5 }),
      (type, lines) => {
        const text = lines.map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`).join('');
        hear(type, cut(text, 13));
      },
    ),
  );
});
