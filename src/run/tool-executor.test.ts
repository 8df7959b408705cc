import { describe, expect, test } from 'vitest';
import type { NoteBody } from '../journal/index.ts';
import type { Json, StepCommand } from '../machine/index.ts';
import { createRedactor, realClock } from '../sys/index.ts';
import { createPolicy, createToolbox, type PermissionSettings, type Tool } from '../tool/index.ts';
import type { StepContext } from './execute.ts';
import { createToolExecutors } from './tool-executor.ts';

const ran: unknown[] = [];

const shell: Tool = {
  name: 'shell/run',
  description: 'runs',
  parameters: { type: 'object', properties: { command: { type: 'string' } } },
  readOnly: false,
  subjects: ({ command }) => [String(command)],
  async run(args, { workspace, idempotencyKey, signal }) {
    ran.push([args, workspace, idempotencyKey]);
    if (args.command === 'hang') {
      signal.throwIfAborted();
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    }
    if (args.command === 'throw') throw new Error('out of memory\nwith a stack');
    if (args.command === 'fail')
      return { ok: false, error: { code: 'failed', message: 'exit 1', text: 'planted-s3cret' } };
    return { ok: true, text: `ran ${args.command} with planted-s3cret` };
  },
};

function executors(permissions: Partial<PermissionSettings> = {}) {
  return createToolExecutors({
    toolboxOf: async () => createToolbox([{ name: 'shell', list: async () => ({ ok: true, tools: [shell] }) }]),
    policy: createPolicy({ deny: [], allow: [], ask: [], ...permissions }),
    clock: realClock,
    env: {},
    home: '/home/ws',
    redactorOf: async () => createRedactor(['planted-s3cret', '; rm -rf build']),
    ownRedactor: createRedactor(['planted-s3cret']),
  });
}

function context(signal = new AbortController().signal, notes: NoteBody[] = []): StepContext & { said: NoteBody[] } {
  const said: NoteBody[] = [];
  return {
    runId: 'r',
    idempotencyKey: 'r/draft#1/tool#1',
    attempt: 1,
    signal,
    notes,
    note: (body) => void said.push(body),
    spawned: () => undefined,
    ended: () => undefined,
    said,
  };
}

function step(args: Json, more: Record<string, Json> = {}, cwd?: string): StepCommand {
  const spec = { kind: 'tool', tool: 'shell/run', call: 'c1', ...more };
  return { op: 'step', id: 'draft#1/tool#1', spec, args, key: 'k', ...(cwd !== undefined && { cwd }) };
}

function aboutOf(outcome: unknown): Json {
  return (outcome as { ok: { ask: { about: Json } } }).ok.ask.about;
}

describe('an offer', () => {
  const tools = (...names: string[]): StepCommand => {
    return { op: 'step', id: 'x/tools#1', spec: { kind: 'tools', names }, args: null, key: 'k' };
  };

  test('has what models and turns have to know of each tool, and nothing else', async () => {
    const { parameters } = shell;
    expect(await executors().tools(tools('shell'), context())).toEqual({
      outcome: { ok: { tools: [{ name: 'shell/run', description: 'runs', parameters, readOnly: false }] } },
    });
  });

  test('of a name that is nothing fails, with the closest', async () => {
    const { outcome } = await executors().tools(tools('shel'), context());
    expect(outcome).toMatchObject({ err: { code: 'tools', retryable: false } });
    expect(JSON.stringify(outcome)).toContain('Did you mean');
  });
});

describe('a call', () => {
  test('is done where the step works, with its key, and noted', async () => {
    ran.length = 0;
    const at = context();
    await executors().tool(step({ command: 'ls' }, {}, '/tree'), at);
    expect(ran).toEqual([[{ command: 'ls' }, '/tree', 'r/draft#1/tool#1']]);
    expect(at.said).toEqual([{ kind: 'tool.asked', tool: 'shell/run', call: 'c1' }]);
    await executors().tool(step({ command: 'ls' }), context());
    expect(ran[1]).toEqual([{ command: 'ls' }, '/home/ws', 'r/draft#1/tool#1']);
  });

  test('that is begun again after a crash is not noted again', async () => {
    const at = context(undefined, [{ kind: 'tool.asked', tool: 'shell/run', call: 'c1' }]);
    await executors().tool(step({ command: 'ls' }), at);
    expect(at.said).toEqual([]);
  });

  test('gives texts without secrets, also where it went wrong', async () => {
    const { outcome } = await executors().tool(step({ command: 'ls' }), context());
    expect(outcome).toMatchObject({ ok: { text: expect.stringMatching(/^ran ls with (?!planted)/) } });
    const failed = await executors().tool(step({ command: 'fail' }), context());
    expect(failed.outcome).toMatchObject({ ok: { isError: true, code: 'failed' } });
    expect(JSON.stringify([outcome, failed])).not.toContain('planted-s3cret');
  });

  test('that is denied is not done, and the model is told why', async () => {
    ran.length = 0;
    const { outcome } = await executors({ deny: ['shell(rm *)'] }).tool(step({ command: 'rm -rf x' }), context());
    expect(ran).toEqual([]);
    expect(outcome).toMatchObject({ ok: { isError: true, code: 'denied' } });
  });

  test('that must be asked for is not done before it was granted', async () => {
    ran.length = 0;
    const asking = executors({ ask: ['shell'] });
    const { outcome } = await asking.tool(step({ command: 'git push planted-s3cret' }), context());
    expect(ran).toEqual([]);
    expect(outcome).toMatchObject({ ok: { ask: { tool: 'shell/run' } } });
    expect(JSON.stringify(outcome)).not.toContain('planted-s3cret');
    const first = await asking.tool(step({ command: 'git push' }), context());
    const granted = await asking.tool(step({ command: 'git push' }, { granted: aboutOf(first.outcome) }), context());
    expect(ran).toHaveLength(1);
    expect(granted.outcome).toMatchObject({ ok: { text: expect.stringContaining('git push') } });
  });

  test('is shown to people with all that a file of the folder calls a secret', async () => {
    const { outcome } = await executors({ ask: ['shell'] }).tool(step({ command: 'ls; rm -rf build' }), context());
    expect(outcome).toMatchObject({ ok: { ask: { title: 'shell/run: ls; rm -rf build' } } });
  });

  test('that is about something else than what was granted is asked for again', async () => {
    ran.length = 0;
    const asking = executors({ ask: ['shell'] });
    const { outcome } = await asking.tool(step({ command: 'git push' }), context());
    for (const granted of [true, aboutOf(outcome)]) {
      const other = await asking.tool(step({ command: 'git push --force' }, { granted }), context());
      expect(other.outcome).toMatchObject({ ok: { ask: { tool: 'shell/run' } } });
    }
    expect(ran).toEqual([]);
  });

  test('that is denied now stays denied, whatever was granted before', async () => {
    ran.length = 0;
    await executors({ deny: ['shell'] }).tool(step({ command: 'ls' }, { granted: true }), context());
    expect(ran).toEqual([]);
  });

  test('that breaks its tool is told as that, and fails nothing', async () => {
    const { outcome } = await executors().tool(step({ command: 'throw' }), context());
    const text = 'failed: the tool broke: out of memory';
    expect(outcome).toEqual({ ok: { text, isError: true, code: 'failed' } });
  });

  test('that is aborted has failed of the abort, and of nothing else', async () => {
    const stop = new AbortController();
    const running = executors().tool(step({ command: 'hang' }), context(stop.signal));
    stop.abort('timeout');
    expect((await running).outcome).toMatchObject({ err: { code: 'timeout' } });
    const before = await executors().tool(step({ command: 'ls' }), context(AbortSignal.abort('cancelled')));
    expect(before.outcome).toMatchObject({ err: { code: 'cancelled' } });
  });
});
