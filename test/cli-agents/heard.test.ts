/** What our readers of the CLI agents make of what the real ones have printed. */
import { describe, expect, it } from 'vitest';
import { cliAgents } from '../../src/agent/cli/index.ts';
import { spentOf, type Totals } from '../../src/run/cli/conversation.ts';
import { createHearing } from '../../src/run/cli/hearing.ts';
import { type Recording, readRecordings, stdoutOf } from './recordings.ts';

const recordings = readRecordings();

/** `fails`: the code of the failure. */
interface Row {
  readonly answer?: string;
  readonly fails?: string;
  readonly tools?: readonly string[];
  /** Of input and output, that this call has used. */
  readonly tokens?: readonly [number, number];
  /** What the conversation had used when this call began. */
  readonly before?: Totals;
  readonly session?: false;
}

const ready = { answer: 'Tea is ready.', tokens: [100, 20] } as const;
const json = { answer: '{"drink":"tea","cups":2}', tokens: [100, 20] } as const;
const cold = { answer: 'Tea is cold.', tokens: [100, 20] } as const;
const denied = { answer: 'I may not write.', tokens: [200, 40] } as const;
const once = { inputTokens: 100, outputTokens: 20 };

const rows: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  'claude-code': {
    text: ready,
    partial: ready,
    tools: { ...ready, tools: ['Write', 'Bash'], tokens: [500, 70] },
    // What its helper has used counts; what it has done is not told as done by itself.
    helper: { ...ready, tools: ['Agent'], tokens: [400, 80] },
    denied: { ...denied, tools: ['Write'] },
    structured: { ...json, tools: ['StructuredOutput'] },
    resumed: { ...cold, before: once },
    'no-session': { fails: 'session', session: false },
    auth: { fails: 'model-auth' },
    model: { fails: 'model-unknown' },
    rate: ready,
    killed: { fails: 'model' },
    continued: ready,
    'continued-early': ready,
  },
  codex: {
    text: ready,
    tools: { ...ready, tools: ['shell'], tokens: [400, 50] },
    denied: { ...denied, tools: ['shell'] },
    structured: json,
    resumed: { ...cold, before: once },
    'no-session': { fails: 'session', session: false },
    auth: { fails: 'model-auth' },
    model: { fails: 'model-unknown' },
    rate: ready,
    killed: { fails: 'model' },
    continued: { ...ready, tokens: [200, 40] },
    'continued-early': ready,
  },
  gemini: {
    text: ready,
    tools: { ...ready, tools: ['write_file', 'run_shell_command'], tokens: [500, 70] },
    denied: { ...denied, tools: ['write_file'] },
    resumed: cold,
    'no-session': { fails: 'session', session: false },
    untrusted: { fails: 'model', session: false },
    auth: { fails: 'model-auth' },
    model: { fails: 'model-unknown' },
    rate: ready,
    killed: { fails: 'model' },
    continued: { fails: 'session' },
    'continued-early': ready,
  },
};

describe('of what the real CLI agents have printed', () => {
  it.each(recordings.map((recording) => ({ name: `${recording.type} ${recording.case}`, recording })))(
    '$name',
    ({ recording }) => {
      const row = rows[recording.type]?.[recording.case];
      expect(heardIn(recording, row?.before ?? {})).toEqual({
        answer: row?.answer,
        fails: row?.fails,
        tools: row?.tools ?? [],
        tokens: row?.tokens,
        session: row?.session === false ? undefined : '00000000-0000-4000-8000-000000000001',
      });
    },
  );
});

function heardIn(recording: Recording, before: Totals): unknown {
  const agent = cliAgents.get(recording.type);
  if (agent === undefined) throw new Error(`${recording.type} is no agent`);
  const tools: string[] = [];
  let session: string | undefined;
  const hearing = createHearing(agent, {
    onTool: (name) => tools.push(name),
    onSession: (id) => {
      session = id;
    },
    onStop: () => {},
  });
  hearing.output(Buffer.from(stdoutOf(recording), 'utf8'));
  hearing.errors(Buffer.from(recording.stderr.map((line) => `${line}\n`).join(''), 'utf8'));
  hearing.end();
  const { answer, isFailed, said, usage, stop } = hearing.heard();
  const { status: code, signal } = recording;
  const isWell = code === 0 && !isFailed && stop === undefined && answer !== undefined;
  const { spent } = spentOf(usage, before);
  const tokens = spent.inputTokens ? [spent.inputTokens, spent.outputTokens] : undefined;
  return {
    answer: isWell ? answer : undefined,
    fails: isWell ? undefined : agent.explain({ code, signal, said }).code,
    tools,
    tokens,
    session,
  };
}
