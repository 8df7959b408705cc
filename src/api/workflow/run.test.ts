/** Workflows that programs run: functions in this process, all else in hosts, and runs that are gone on with. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Schema } from 'effect';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { openSqliteStore } from '../../journal/index.ts';
import { openEngine } from '../../run/index.ts';
import { isRunId } from '../../sys/index.ts';
import { ToolangError } from '../../text/index.ts';
import {
  agent,
  approval,
  call,
  component,
  expr,
  load,
  loop,
  parallel,
  type RunEvent,
  type RunOptions,
  type RunQuestion,
  type RunResult,
  run,
  runIdOf,
  step,
  type Workflow,
  workflow,
} from '../workflow.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-run-')));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const store = () => join(dir, 'runs.db');
const Text = Schema.Struct({ text: Schema.String });

/** What `run` rejects with. */
async function refusal(running: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await running.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ToolangError)) throw new Error(`no ToolangError: ${String(error)}`);
  return { code: error.code, message: error.message };
}

/** Two functions, the second of which reads the first; `log` has a line for each call. */
function twoSteps(log: string[], second: (text: string) => string = (words) => words.toUpperCase()) {
  return workflow({
    name: 'two',
    input: Text,
    steps: ({ input }) => {
      const first = step('first', {
        run: ({ read }) => {
          log.push('first');
          return { text: `${read(input.text)}!` };
        },
        output: Text,
      });
      const last = step('last', {
        run: ({ read }) => {
          log.push('last');
          return second(read(first.text));
        },
        output: Schema.String,
      });
      return [first, last];
    },
  });
}

describe('run', () => {
  it('does functions in this process, and gives what the last step gave', async () => {
    const log: string[] = [];
    const result = await run(twoSteps(log), { text: 'tea' });
    expect(result).toEqual({ runId: result.runId, status: 'done', output: 'TEA!', cost: 0 });
    expect(isRunId(result.runId)).toBe(true);
    expect(log).toEqual(['first', 'last']);
  });

  it('knows the types of input and output', () => {
    const flow = twoSteps([]);
    const nothing = workflow({ name: 'n', steps: () => [step('a', { run: () => 1, output: Schema.Number })] });
    const calls = () => {
      expectTypeOf(run(flow, { text: 'a' })).resolves.toEqualTypeOf<RunResult<string>>();
      expectTypeOf(run(nothing)).resolves.toEqualTypeOf<RunResult<number>>();
      expectTypeOf(run(nothing, {}, { store: 'memory' })).resolves.toEqualTypeOf<RunResult<number>>();
      // @ts-expect-error: the input has to be given
      void run(flow);
      // @ts-expect-error: a number
      void run(flow, { text: 1 });
      // @ts-expect-error: no such option
      void run(flow, { text: 'a' }, { sotre: 'memory' });
      // @ts-expect-error: no workflow
      void run({ name: 'a' }, {});
      const file = {} as Workflow<{ name: string }, { n: number }>;
      expectTypeOf(run(file, { name: 'a' })).resolves.toEqualTypeOf<RunResult<{ n: number }>>();
      const open = {} as Workflow<unknown, unknown>;
      expectTypeOf(run(open, { any: 1 })).resolves.toEqualTypeOf<RunResult<unknown>>();
    };
    expect(calls).toBeTypeOf('function');
    const result = {} as RunResult<string>;
    if (result.status === 'done') expectTypeOf(result.output).toEqualTypeOf<string>();
    if (result.status === 'waiting') expectTypeOf(result.waiting).toEqualTypeOf<readonly RunQuestion[]>();
    // @ts-expect-error: only what is done has an output
    void result.output;
  });

  it('does code and handlers in hosts, from the folder of the program', async () => {
    writeFileSync(join(dir, 'pid.mjs'), 'export default () => process.pid;\n');
    mkdirSync(join(dir, 'elsewhere'));
    const pids = workflow({
      name: 'pids',
      from: join(dir, 'program.mjs'),
      steps: () => {
        const own = step('own', { run: () => process.pid, output: Schema.Number });
        const code = step('code', { run: 'return [process.pid, process.cwd()]', output: Schema.Array(Schema.Json) });
        const handler = step('handler', { handler: './pid.mjs', output: Schema.Number });
        const all = step('all', {
          run: ({ read, cwd }) => [read(own), read(code), read(handler), cwd],
          output: Schema.Array(Schema.Json),
        });
        return [own, code, handler, all];
      },
    });
    const { output } = done(await run(pids));
    const [own, [code, where] = [], handler, cwd] = output as [number, [number, string], number, string];
    expect({ own, where, cwd }).toEqual({ own: process.pid, where: dir, cwd: dir });
    for (const pid of [code, handler]) expect(pid).not.toBe(process.pid);
    const cwdOption = done(await run(pids, {}, { cwd: join(dir, 'elsewhere') })).output as unknown[];
    expect(cwdOption[3]).toBe(join(dir, 'elsewhere'));
    expect((cwdOption[1] as unknown[])[1]).toBe(join(dir, 'elsewhere'));
  });

  it('does any number of functions at the same time', async () => {
    const count = 40;
    let begun = 0;
    let open = () => {};
    const all = new Promise<void>((resolve) => {
      open = resolve;
    });
    const wait = async () => {
      if (++begun === count) open();
      await all;
      return begun;
    };
    const flow = workflow({
      name: 'wide',
      steps: () => [
        parallel({
          children: Array.from({ length: count }, (_, i) => step(`s${i}`, { run: wait, output: Schema.Number })),
        }),
      ],
    });
    expect(done(await run(flow)).output).toEqual(Array(count).fill(count));
  });

  it('does the functions of loops, components and sub-workflows', async () => {
    const Part = component('Part', {
      params: Text,
      steps: ({ id, params }) => [
        step(`${id}-twice`, { run: ({ read }) => ({ text: read(params.text).repeat(2) }), output: Text }),
      ],
    });
    const inner = workflow({
      name: 'inner',
      input: Text,
      steps: ({ input }) => [step('own', { run: ({ read }) => ({ text: `<${read(input.text)}>` }), output: Text })],
    });
    const outer = workflow({
      name: 'outer',
      input: Text,
      steps: ({ input }) => {
        const part = Part('p', { text: input.text });
        const called = call('c', { use: inner, input: { text: part.text } });
        const count = step('count', { run: ({ read }) => read(loop.iteration), output: Schema.Number });
        const rounds = loop({ id: 'rounds', until: expr`${count} == 3`, children: [count] });
        const all = step('all', {
          run: ({ read, steps }) => `${read(called.text)} ${read(rounds)} ${Object.keys(steps).sort().join()}`,
          output: Schema.String,
        });
        return [part, called, rounds, all];
      },
    });
    expect(done(await run(outer, { text: 'a' })).output).toBe('<aa> 3 c,count,p,p-twice,rounds');
  });

  it('runs files', async () => {
    const lines = ['name: greet', 'input:', '  name: string', 'steps[1]:', '  - id: hello'];
    writeFileSync(
      join(dir, 'greet.toon'),
      [...lines, `    run: "return { text: 'Hello ' + input.name }"`, '    output:', '      text: string', ''].join(
        '\n',
      ),
    );
    const greet = await load<{ name: string }, { text: string }>(join(dir, 'greet.toon'));
    const { runId, output } = done(await run(greet, { name: 'Bo' }, { store: store() }));
    expect(output.text).toBe('Hello Bo');
    const kept = openSqliteStore(store());
    expect(kept.run(runId)).toMatchObject({ file: join(dir, 'greet.toon'), status: 'done' });
    kept.close();
  });

  it('lets scripts answer for models', async () => {
    writeFileSync(join(dir, 'replies.toon'), 'replies[1]:\n  - for: draft\n    json:\n      text: Bees dance.\n');
    const writer = agent('writer', { type: 'anthropic', model: 'm' });
    const flow = workflow({
      name: 'notes',
      steps: () => [step('draft', { agent: writer, prompt: 'Write.', output: Text })],
    });
    expect(done(await run(flow, {}, { script: join(dir, 'replies.toon') })).output.text).toBe('Bees dance.');
    expect(await refusal(run(flow))).toMatchObject({
      code: 'TOO6205',
      message: expect.stringContaining('the agent "writer": "anthropic/m" cannot be used: anthropic needs a key'),
    });
    expect((await refusal(run(flow, {}, { script: join(dir, 'none.toon') }))).message).toContain('cannot be read');
    writeFileSync(join(dir, 'replies.toon'), 'replies[1]:\n  - for: draft\n    jsn: 1\n');
    expect((await refusal(run(flow, {}, { script: join(dir, 'replies.toon') }))).message).toMatch(/TOO7001 .*"jsn"/);
  });

  it('tells what happens, in order and when it is kept', async () => {
    const events: RunEvent[] = [];
    const { runId } = await run(twoSteps([]), { text: 'a' }, { onEvent: (event) => events.push(event) });
    expect(events.map(({ seq, run: id, node, body }) => [seq, id === runId, node, body.kind])).toEqual([
      [1, true, undefined, 'run.started'],
      [2, true, 'first#1', 'node.started'],
      [3, true, 'first#1', 'node.done'],
      [4, true, 'last#1', 'node.started'],
      [5, true, 'last#1', 'node.done'],
      [6, true, undefined, 'run.done'],
    ]);
  });

  it('rejects with what its own functions throw', async () => {
    const wrong = new Error('no');
    const onEvent = () => {
      throw wrong;
    };
    await expect(run(twoSteps([]), { text: 'a' }, { onEvent })).rejects.toBe(wrong);
    // At the first event, and at the last.
    for (const kind of ['run.started', 'run.done']) {
      const later = async ({ body }: RunEvent) => {
        await Promise.resolve();
        if (body.kind === kind) throw wrong;
      };
      await expect(run(twoSteps([]), { text: 'a' }, { onEvent: later })).rejects.toBe(wrong);
    }
    const approve = () => Promise.reject(wrong);
    await expect(run(asking(), {}, { approve })).rejects.toBe(wrong);
  });

  it('says what is wrong before anything is begun', async () => {
    const log: string[] = [];
    const flow = twoSteps(log);
    const cases: [RunOptions, unknown, string, string][] = [
      [{}, {}, 'TOO6205', 'the input does not fit the workflow: "/text" is missing; it must be string'],
      [{}, { text: 1n }, 'TOO6205', 'the input is not JSON: input.text is a bigint'],
      [{ stroe: 'a' } as RunOptions, { text: '' }, 'TOO6205', 'unknown option "stroe". Did you mean "store"?'],
      [{ yes: 1 } as never, { text: '' }, 'TOO6205', 'the option "yes" takes a boolean, not the number 1'],
      [{ runId: 'order 7' }, { text: '' }, 'TOO6205', '"order 7" is no id of a run'],
      [
        { runId: runIdOf('a'), resume: runIdOf('a') },
        { text: '' },
        'TOO6205',
        '"runId" or "resume" is given, not both',
      ],
      [{ resume: runIdOf('a') }, { text: '' }, 'TOO6201', `the store memory has no run ${runIdOf('a')}`],
      [{ store: dir }, { text: '' }, 'TOO6206', 'the store'],
    ];
    for (const [options, input, code, message] of cases) {
      const said = await refusal(run(flow, input as { text: string }, options));
      expect(said).toEqual({ code, message: expect.stringContaining(message) });
    }
    expect((await refusal(run({} as typeof flow, { text: '' }))).message).toContain('"run" takes a workflow');
    expect(log).toEqual([]);
    expect(() => runIdOf(17 as never)).toThrow('"runIdOf" takes a string, not the number 17');
  });
});

describe('a function', () => {
  it('gets copies: what it does to them changes nothing', async () => {
    const flow = workflow({
      name: 'copies',
      input: Schema.Struct({ list: Schema.Array(Schema.Number) }),
      steps: ({ input }) => {
        const made = step('made', {
          run: () => ({ n: [1] }),
          output: Schema.Struct({ n: Schema.Array(Schema.Number) }),
        });
        const spoil = step('spoil', {
          run: ({ read, steps, input: given }) => {
            (read(input.list) as number[]).push(9);
            (given as { list: number[] }).list.push(9);
            (steps.made as { n: number[] }).n.push(9);
            return (steps.made as { n: number[] }).n.length;
          },
          output: Schema.Number,
        });
        const last = step('last', {
          run: ({ read }) => [...read(input.list), ...read(made.n), read(spoil)],
          output: Schema.Array(Schema.Number),
        });
        return [made, spoil, last];
      },
    });
    const input = { list: [5] };
    expect(done(await run(flow, input)).output).toEqual([5, 1, 2]);
    expect(input).toEqual({ list: [5] });
  });

  it('that throws fails its step, with its place and its cause; and is tried again as often as that says', async () => {
    const attempts: number[] = [];
    const flow = workflow({
      name: 'fails',
      steps: () => [
        step('a', {
          run: ({ attempt }) => {
            attempts.push(attempt);
            throw new Error('broken', { cause: new TypeError('why') });
          },
          output: Schema.Number,
          retry: { maxAttempts: 2, initialDelay: '1ms' },
        }),
      ],
    });
    const result = await run(flow);
    expect(result).toMatchObject({
      status: 'failed',
      error: {
        code: 'code',
        node: 'a',
        message: expect.stringMatching(/^broken \(.*run\.test\.ts:\d+\)$/),
        cause: { message: expect.stringContaining('TypeError: why') },
      },
    });
    expect(attempts).toEqual([1, 2]);
  });

  it.each([
    ['nothing', () => undefined, 'the function returned nothing'],
    ['no JSON', () => ({ a: new Map() }), 'the result is not JSON: output.a is a Map'],
    ['something else', () => 'a', 'what it gave does not fit its output'],
    ['an Effect', () => ({ '~effect/Effect': 1 }), 'it returned an Effect'],
  ])('that gives %s fails', async (_, give, message) => {
    const flow = workflow({
      name: 'gives',
      steps: () => [step('a', { run: give as () => never, output: Schema.Number })],
    });
    expect(await run(flow)).toMatchObject({ status: 'failed', error: { message: expect.stringContaining(message) } });
  });

  it('is told by its signal when its time is over', async () => {
    const flow = workflow({
      name: 'slow',
      steps: () => [
        step('a', {
          run: ({ signal }) =>
            new Promise<number>((_, no) => signal.addEventListener('abort', () => no(signal.reason))),
          output: Schema.Number,
          timeout: '5ms',
        }),
      ],
    });
    expect(await run(flow)).toMatchObject({
      status: 'failed',
      error: { code: 'timeout', cause: { message: expect.stringContaining('the step was stopped: timeout') } },
    });
  });
});

function asking() {
  return workflow({
    name: 'asking',
    steps: () => {
      const ok = approval('ok', { request: { title: 'Go on?', summary: 'It is late.' }, onDeny: 'continue' });
      const last = step('last', {
        run: ({ read }) => `${read(ok.approved)} ${read(ok.note)} by ${read(ok.decidedBy)}`,
        output: Schema.String,
      });
      return [ok, last];
    },
  });
}

describe('questions', () => {
  it('are answered by the program, at once', async () => {
    const asked: RunQuestion[] = [];
    const approve: RunOptions['approve'] = async (question) => {
      asked.push(question);
      return { approved: false, note: 'too late', by: 'ana' };
    };
    expect(done(await run(asking(), {}, { approve })).output).toBe('false too late by ana');
    expect(asked).toEqual([
      { node: 'ok', kind: 'approval', title: 'Go on?', summary: 'It is late.', next: ['last (handler)'] },
    ]);
    expect(done(await run(asking(), {}, { approve: () => true })).output).toBe('true undefined by the program');
  });

  it('that nobody answers leave the run waiting; the one who goes on with it answers', async () => {
    const waiting = await run(asking(), {}, { store: store(), approve: () => undefined });
    expect(waiting).toMatchObject({ status: 'waiting', waiting: [{ node: 'ok', title: 'Go on?' }] });
    const { runId } = waiting;
    expect((await run(asking(), {}, { store: store(), resume: runId })).status).toBe('waiting');
    const approve = () => ({ approved: true, by: 'bo' });
    expect(done(await run(asking(), {}, { store: store(), resume: runId, approve })).output).toBe(
      'true undefined by bo',
    );
  });

  it('in memory wait as long as the process lives', async () => {
    const { runId, status } = await run(asking());
    expect(status).toBe('waiting');
    expect(done(await run(asking(), {}, { resume: runId, approve: () => true })).runId).toBe(runId);
    expect((await refusal(run(asking(), {}, { resume: runId }))).code).toBe('TOO6201');
  });

  it('are asked while other steps go on', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const flow = workflow({
      name: 'both',
      steps: () => [
        parallel({
          children: [
            approval('ok', { request: { title: 'Go on?' } }),
            step('busy', { run: () => answered.then(() => 'busy'), output: Schema.String }),
          ],
        }),
      ],
    });
    const approve = () => {
      answer();
      return true;
    };
    expect(done(await run(flow, {}, { approve })).output).toMatchObject([{ approved: true }, 'busy']);
  });

  it('may be answered by others while the program thinks', async () => {
    const flow = asking();
    const approve: RunOptions['approve'] = async () => {
      const kept = openSqliteStore(store());
      const [row] = kept.runs();
      const hash = row?.waiting?.[0]?.hash ?? '';
      const message = { kind: 'decide', node: 'ok', hash, approved: true } as const;
      openEngine({ store: kept, cwd: dir }).post(row?.id ?? '', { by: 'cy', message });
      kept.close();
      return { approved: false, by: 'ana' };
    };
    expect(done(await run(flow, {}, { store: store(), approve })).output).toBe('true undefined by cy');
  });

  it('about limits are answered with the least that is needed', async () => {
    const dear = '    usage:\n      inputTokens: 20\n      outputTokens: 10\n';
    writeFileSync(join(dir, 's.toon'), `replies[2]:\n  - for: a\n    text: one\n${dear}  - for: b\n    text: two\n`);
    const w = agent('w', { type: 'scripted', script: './s.toon' });
    const flow = workflow({
      name: 'dear',
      from: join(dir, 'program.mjs'),
      steps: () => [
        step('a', { agent: w, prompt: 'A', output: Schema.String }),
        step('b', { agent: w, prompt: 'B', output: Schema.String }),
      ],
    });
    const asked: RunQuestion[] = [];
    const approve: RunOptions['approve'] = (question) => {
      asked.push(question);
      return true;
    };
    const result = await run(flow, {}, { limits: { tokens: 5 }, approve });
    expect(asked[0]).toMatchObject({ kind: 'limit', unit: 'tokens', least: expect.any(Number) });
    expect(done(result).output).toBe('two');
    expect(await run(flow, {}, { limits: { modelCalls: 1 } })).toMatchObject({
      status: 'failed',
      error: { code: 'limit' },
    });
  });
});

describe('a run that is there', () => {
  it('gives its result again, and does nothing', async () => {
    const log: string[] = [];
    const options = { store: store(), runId: runIdOf('order 7') };
    const first = await run(twoSteps(log), { text: 'a' }, options);
    expect(first.runId).toBe(options.runId);
    expect(await run(twoSteps(log), { text: 'a' }, options)).toEqual(first);
    expect(log).toEqual(['first', 'last']);
  });

  it('is stopped by the signal, and gone on with', async () => {
    const log: string[] = [];
    const stop = new AbortController();
    let isFirst = true;
    const flow = workflow({
      name: 'stopped',
      steps: () => {
        const one = step('one', { run: () => log.push('one'), output: Schema.Number });
        const two = step('two', {
          run: async ({ signal, read }) => {
            log.push('two');
            if (isFirst) {
              isFirst = false;
              stop.abort();
              await new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason)));
            }
            return read(one);
          },
          output: Schema.Number,
        });
        return [one, two];
      },
    });
    const { runId, ...left } = await run(flow, {}, { store: store(), signal: stop.signal });
    expect(left).toEqual({ status: 'stopped', cost: 0 });
    expect(done(await run(flow, {}, { store: store(), resume: runId })).output).toBe(1);
    expect(log).toEqual(['one', 'two', 'two']);
  });

  it('is not driven twice', async () => {
    let seen: Promise<{ code: string; message: string }> | undefined;
    const options = { store: store(), runId: runIdOf('once') };
    const flow: Workflow<object, number> = workflow({
      name: 'once',
      steps: () => [
        step('a', {
          run: async () => {
            seen ??= refusal(run(flow, {}, options));
            await seen;
            return 1;
          },
          output: Schema.Number,
        }),
      ],
    });
    expect(done(await run(flow, {}, options)).output).toBe(1);
    expect(await seen).toEqual({
      code: 'TOO6202',
      message: expect.stringContaining(`is driven by the process ${process.pid}`),
    });
  });

  it('that failed goes on where it failed, when that is asked for', async () => {
    const log: string[] = [];
    let isBroken = true;
    const flow = twoSteps(log, (words) => {
      if (isBroken) throw new Error('broken');
      return words;
    });
    const options = { store: store(), runId: runIdOf('retry') };
    expect((await run(flow, { text: 'a' }, options)).status).toBe('failed');
    isBroken = false;
    expect((await run(flow, { text: 'a' }, options)).status).toBe('failed');
    expect(done(await run(flow, { text: 'a' }, { ...options, retry: true })).output).toBe('a!');
    expect(log).toEqual(['first', 'last', 'last']);
  });

  it('of a program that was changed goes on only if that is meant, and keeps what does not depend on the change', async () => {
    const log: string[] = [];
    const said = (word: string, value: string) => {
      log.push(word);
      return value;
    };
    const flow = (isNew: boolean) =>
      workflow({
        name: 'changed',
        input: Schema.Struct({ a: Schema.String, b: Schema.String }),
        steps: ({ input }) => {
          const one = step('one', { run: ({ read }) => said('one', read(input.a)), output: Schema.String });
          const two = isNew
            ? step('two', { run: ({ read }) => said('new two', `${read(input.b)}?`), output: Schema.String })
            : step('two', { run: ({ read }) => said('two', read(input.b)), output: Schema.String });
          const ok = approval('ok', { request: { title: 'Go on?' } });
          const last = step('last', {
            run: ({ read }) => said('last', `${read(one)} ${read(two)}`),
            output: Schema.String,
          });
          return [one, two, ok, last];
        },
      });
    const input = { a: 'A', b: 'B' };
    const options = { store: store(), runId: runIdOf('changed') };
    expect((await run(flow(false), input, options)).status).toBe('waiting');
    expect(await refusal(run(flow(true), input, options))).toEqual({
      code: 'TOO6203',
      message: expect.stringMatching(/was changed since it began \(kept 1 · runs again two\b.*To go on so: yes: true/),
    });
    expect((await run(flow(true), input, { ...options, yes: true })).status).toBe('waiting');
    expect(log).toEqual(['one', 'two', 'new two']);
    // Of the input a field counts by itself.
    expect((await refusal(run(flow(true), { ...input, b: 'C' }, options))).message).toContain('runs again two');
    const end = await run(flow(true), { ...input, b: 'C' }, { ...options, yes: true, approve: () => true });
    expect(done(end).output).toBe('A C?');
    expect(log).toEqual(['one', 'two', 'new two', 'new two', 'last']);
    const other = workflow({ name: 'other', steps: () => [step('a', { run: () => 1, output: Schema.Number })] });
    expect((await refusal(run(other, {}, { ...options, yes: true }))).message).toContain('"changed", not of "other"');
  });

  it('is refused by whoever does not have its functions, and stays as it is', async () => {
    const { runId } = await run(asking(), {}, { store: store() });
    const kept = openSqliteStore(store());
    const engine = openEngine({ store: kept, cwd: dir });
    const hash = kept.run(runId)?.waiting?.[0]?.hash ?? '';
    engine.post(runId, { by: 'ana', message: { kind: 'decide', node: 'ok', hash, approved: true } });
    expect(await refusal(engine.drive(runId))).toEqual({
      code: 'TOO6204',
      message: expect.stringContaining(
        'a function of a program (builder:asking/last), and only that program can run it',
      ),
    });
    kept.close();
  });

  it('can be cancelled by whoever does not have its functions', async () => {
    const { runId } = await run(asking(), {}, { store: store() });
    const kept = openSqliteStore(store());
    const engine = openEngine({ store: kept, cwd: dir });
    engine.post(runId, { by: 'ana', message: { kind: 'cancel', reason: 'no more' } });
    expect(await engine.drive(runId)).toMatchObject({ kind: 'ended', end: { cancelled: expect.any(String) } });
    kept.close();
    expect(await run(asking(), {}, { store: store(), resume: runId })).toMatchObject({
      status: 'cancelled',
      error: { code: 'cancelled' },
    });
  });

  it('shares its store with others that run at the same time', async () => {
    const log: string[] = [];
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, i) => run(twoSteps(log), { text: `${i}` }, { store: store() })),
    );
    expect(all.map((each) => done(each).output)).toEqual(Array.from({ length: 10 }, (_, i) => `${i}!`));
    const kept = openSqliteStore(store());
    expect(kept.runs().every(({ status }) => status === 'done')).toBe(true);
    kept.close();
  });

  it('has a text as its name', () => {
    expect(runIdOf('order 7')).toBe(runIdOf('order 7'));
    expect(runIdOf('order 7')).not.toBe(runIdOf('order 8'));
    expect(isRunId(runIdOf(''))).toBe(true);
  });
});

function done<R>(result: RunResult<R>): Extract<RunResult<R>, { status: 'done' }> {
  if (result.status !== 'done') throw new Error(`it is ${JSON.stringify(result)}`);
  return result;
}
