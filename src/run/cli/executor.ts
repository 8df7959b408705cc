/**
 * Prompts for agents that are programs of others: each call is a process, and what it says is the answer of a model.
 * 1. It works where the step works. Prompts, instructions and schemas come to it over its standard input or in files that only
 *    the user can read, never as arguments.
 * 2. The id of its conversation is noted the moment it is known: a call that is begun again after a crash goes on with it, and
 *    so does one that sends an answer back. Where the program does not have it any more, all is said anew, once.
 * 3. A timeout, silence, a cancel and too much output end it with all that it started, before this settles.
 */
import { createHash } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type CliAgent, type CliRequest, cliAgents, cliEnv, findProgram } from '../../agent/cli/index.ts';
import type { Json, RunError, StepCommand } from '../../machine/index.ts';
import type { ModelCall } from '../../model/index.ts';
import { type Clock, quotePath } from '../../sys/index.ts';
import { abortError } from '../abort-error.ts';
import type { Execute, StepContext, StepResult } from '../execute.ts';
import { createIdleWatch } from '../idle-watch.ts';
import type { ScriptAgent } from '../scripts.ts';
import { metaOf, type Spoken, spentOf, spokenAnew, spokenOf, type Totals } from './conversation.ts';
import { createHearing, type Heard, mostAnswer, mostLine } from './hearing.ts';
import { makeOwnFolder } from './own-folder.ts';
import { type ProgramEnd, runProgram } from './program.ts';

export interface CliExecutorOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables that users' code may see. */
  readonly shown?: readonly string[] | undefined;
  /** Where steps work that say nothing else. */
  readonly home: string;
  readonly clock: Clock;
  readonly onText?: ((command: StepCommand, text: string, runId: string) => void) | undefined;
}

export function createCliExecutor(agent: ScriptAgent, options: CliExecutorOptions): Execute {
  const found = cliAgents.get(agent.type);
  if (found === undefined) throw new Error(`${agent.type} is no program`);
  const cli = found;
  const { env, home, clock } = options;

  return async (command, context) => {
    const call = command.args as unknown as ModelCall;
    const cwd = command.cwd ?? home;
    const file = findProgram(cli.program, { cwd, env });
    if (file === undefined) return failed(missingProgram(agent, cli));
    if (
      !(await stat(cwd).then(
        (at) => at.isDirectory(),
        () => false,
      ))
    ) {
      return failed(wrong(`the folder ${quotePath(cwd)}, in which the agent "${agent.name}" would work, is not there`));
    }
    const first = spokenOf(call, context.notes, cli.sessions !== 'none');
    const turn: Turn = { file, cwd, command, context, call };
    const result = await ask(turn, first);
    if (result !== 'gone') return result;
    context.note({ kind: 'node.printed', text: `the conversation ${first.session} is gone: it is begun anew` });
    const again = await ask(turn, spokenAnew(call));
    if (again === 'gone')
      return failed(wrong(`"${cli.program}" does not go on with the conversation that it has just begun`));
    return again;
  };

  interface Turn {
    readonly file: string;
    readonly cwd: string;
    readonly command: StepCommand;
    readonly context: StepContext;
    readonly call: ModelCall;
  }

  /** `gone`: it does not have the conversation any more. */
  async function ask({ file, cwd, command, context, call }: Turn, spoken: Spoken): Promise<StepResult | 'gone'> {
    const { idleTimeoutMs } = agent.fields;
    const idle = createIdleWatch(clock, typeof idleTimeoutMs === 'number' ? idleTimeoutMs : undefined, context.signal);
    const stop = new AbortController();
    let session = spoken.session ?? (cli.sessions === 'given' ? sessionFor(context.idempotencyKey) : undefined);
    const known = new Set(context.notes.flatMap((note) => (note.kind === 'session' ? [note.id] : [])));
    const hold = (id: string): void => {
      session = id;
      if (known.has(id)) return;
      known.add(id);
      context.note({ kind: 'session', id });
    };
    if (session !== undefined) hold(session);
    const print = printer(context, clock);
    const hearing = createHearing(cli, {
      onText: (text) => options.onText?.(command, text, context.runId),
      onTool: print,
      onSession(id) {
        if (isSession(id)) hold(id);
      },
      onStop: () => stop.abort('heard enough'),
    });
    const folder = await makeOwnFolder(context.idempotencyKey);
    try {
      const {
        argv,
        stdin,
        files = {},
        without,
      } = cli.command(requestOf(agent, call, spoken, session, `${folder}${sep}`));
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
      const end = await runProgram(
        {
          file,
          argv,
          cwd,
          env: cliEnv(env, {
            names: cli.env,
            without,
            shown: options.shown,
            idempotencyKey: context.idempotencyKey,
          }),
          stdin,
          onOutput(bytes) {
            idle.alive();
            hearing.output(bytes);
          },
          onError(bytes) {
            idle.alive();
            hearing.errors(bytes);
          },
          signal: AbortSignal.any([idle.signal, stop.signal]),
        },
        context,
        clock,
      );
      hearing.end();
      const heard = hearing.heard();
      const { spent, totals } = spentOf(heard.usage, spoken.before);
      const lost = (err: RunError): StepResult => ({ outcome: { err }, ...usageOf(spent) });
      if (idle.isIdle()) {
        const message = `"${agent.name}" gave no sign of life for ${idleTimeoutMs} ms`;
        return lost({ code: 'timeout', message, retryable: true });
      }
      if (context.signal.aborted) return lost(abortError(context.signal));
      const failure = failureOf(end, heard);
      if (failure?.code === 'session' && spoken.session !== undefined) return 'gone';
      if (failure !== undefined) return lost(failure);
      return { outcome: { ok: answerOf(heard.answer ?? '', session, totals) }, ...usageOf(spent) };
    } finally {
      idle.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Undefined where it has come to an answer. */
  function failureOf(end: ProgramEnd, { answer, said, isFailed, stop, passed }: Heard): RunError | undefined {
    const who = `the agent "${agent.name}"`;
    if (end.problem !== undefined) return wrong(`${who} could not be started: ${end.problem}`);
    if (stop === 'long') {
      return wrong(`${who}: the answer of "${cli.program}" has more than ${megabytes(mostAnswer)}, and was not taken`);
    }
    if (stop !== 'error' && end.code === 0 && !isFailed && answer !== undefined) return undefined;
    if (passed > 0 && end.code === 0 && !isFailed) {
      return wrong(
        `${who}: "${cli.program}" printed a line of ${megabytes(passed)}, which is more than ${megabytes(mostLine)}: it was passed over, and no answer came behind it`,
      );
    }
    const { code, message, retryable } = cli.explain({ ...end, said });
    return { code, message: `${who} failed: ${message}`, retryable };
  }
}

/** Said before anything is begun, too. */
export function missingProgram({ name, type }: Pick<ScriptAgent, 'name' | 'type'>, cli: CliAgent): RunError {
  const message = `the agent "${name}" is of type ${type}, and there is no program "${cli.program}" on the PATH.\nTo install it: ${cli.install}`;
  return { code: 'program', message, retryable: false };
}

function requestOf(
  { fields }: ScriptAgent,
  { output }: ModelCall,
  { prompt, instructions, isLater }: Spoken,
  session: string | undefined,
  folder: string,
): CliRequest {
  const { model, tools } = fields;
  return {
    prompt,
    instructions,
    isLater,
    session,
    folder,
    fields,
    output,
    model: typeof model === 'string' ? model : undefined,
    tools: Array.isArray(tools) ? tools.filter((each) => typeof each === 'string') : undefined,
  };
}

/** What a program calls its conversation becomes an argument later. */
function isSession(id: string): boolean {
  return /^\w[\w.:-]{0,199}$/.test(id);
}

/** The same when the call is begun again, though nothing of it was noted. */
function sessionFor(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const printMs = 500;
const longestPrinted = 200;

/** Tells what it does, though not everything that it does. */
function printer({ note }: StepContext, clock: Clock): (name: string, args: unknown) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (name, args) => {
    const now = clock.monotonic();
    if (now - last < printMs) return;
    last = now;
    const told = typeof args === 'string' ? args : args === undefined ? '' : (JSON.stringify(args) ?? '');
    note({ kind: 'node.printed', text: `${name} ${told}`.trim().slice(0, longestPrinted) });
  };
}

function answerOf(text: string, session: string | undefined, totals: Totals): Json {
  const meta = metaOf(session, totals);
  return { text, finish: 'stop', ...(meta && { meta: meta as Json }) };
}

function usageOf(spent: Totals): Pick<StepResult, 'usage'> {
  return Object.keys(spent).length === 0 ? {} : { usage: spent };
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MB`;
}

function wrong(message: string): RunError {
  return { code: 'model', message, retryable: false };
}

function failed(err: RunError): StepResult {
  return { outcome: { err } };
}
