/**
 * The thunk machine's first form: one prompt, one model call, an answer of the wanted type. Its job: to put the call
 * together, to read the answer, to ask again when it does not fit. Who calls the model and what a step does with a
 * failure are the neighbours' jobs (`run/model-executor.ts`, the workflow's machine).
 * 1. Pure: the same facts give the same commands. Its calls are `PATH/model#1`, `#2`, `#3`, one after the other.
 * 2. A failed call is the thunk's failure: whether it is tried again is for the step to say.
 * 3. An answer that does not fit is sent back with its errors, twice at most; then the last one is kept in the error.
 * 4. An answer that the model could not end is no answer, even where it would fit.
 * 5. The step's timeout is for all its calls together, the agent's for each.
 */
import {
  type Command,
  cancelFact,
  type Draft,
  type Fact,
  type Json,
  lazyStep,
  type Machine,
  type MachineInit,
  type MachineRef,
  type MakeMachine,
  type RunError,
  workAt,
} from '../machine/index.ts';
import type { Finish, ModelCall } from '../model/index.ts';
import { isRecord, printTypeShort } from '../type/index.ts';
import { callKey, errorTexts, firstCall, readAnswer, repairCall } from './prompt-call.ts';
import { type PromptAgent, readPromptRef } from './prompt-ref.ts';

/** How often an answer that does not fit is sent back. */
export const mostRepairs = 2;

/** Makes machines of `kind: "thunk"`; prompts are the only form so far. */
export const thunkMaker: MakeMachine = createPromptThunk;

export function createPromptThunk(ref: MachineRef, init: MachineInit): Machine {
  const made = readPromptRef(ref);
  const { agent, timeoutMs, pool } = made;
  /** Made when it is asked for: a run that is resumed begins few of its calls again. */
  let call: ModelCall | undefined;
  let calls = 0;
  let open: string | undefined;
  let cancelled: string | undefined;

  function ask(at: number, errors: readonly string[]): readonly Command[] {
    const left = timeoutMs === undefined ? undefined : init.at + timeoutMs - at;
    if (left !== undefined && left <= 0) {
      return fail({ code: 'timeout', message: `it took longer than ${timeoutMs} ms`, retryable: true });
    }
    calls++;
    open = `${init.path === '' ? '' : `${init.path}/`}model#${calls}`;
    const own = agent.fields.timeoutMs;
    const limit = smaller(left, typeof own === 'number' ? own : undefined);
    const before = call;
    let asked: ModelCall | undefined;
    const callNow = () => {
      asked ??= before ?? firstCall(made);
      return asked;
    };
    const spec: Record<string, Json> & { kind: string } = {
      kind: 'model',
      agent: agentJson(agent),
      model: modelRef(agent),
      for: made.names,
    };
    if (errors.length > 0) spec.repairs = errors;
    const command = lazyStep(
      { op: 'step', id: open, spec },
      () => callNow() as unknown as Json,
      () => callKey(made, callNow()),
    );
    if (limit !== undefined) command.timeoutMs = limit;
    // What is left of the step's time is a number that stands nowhere: people are told the step's own.
    if (timeoutMs !== undefined && limit !== timeoutMs && limit !== own) spec.stepTimeoutMs = timeoutMs;
    if (pool !== undefined) command.pool = pool;
    workAt(command, init);
    return [command];
  }

  function answered(text: string, finish: Finish, at: number): readonly Command[] {
    if (finish !== 'stop') return fail(unended(text, finish));
    const read = readAnswer(text, made);
    if (read.ok) {
      machine.end = { ok: read.value as Json };
      return [];
    }
    const errors = errorTexts(read.errors);
    if (calls > mostRepairs) return fail(unfit(text, errors));
    call = repairCall(call ?? firstCall(made), text, errors);
    return ask(at, errors);
  }

  function fail(err: RunError): readonly Command[] {
    machine.end = { err };
    return [];
  }

  function unfit(text: string, errors: readonly string[]): RunError {
    const wanted = printTypeShort(made.output, 'toon');
    const message = `the answer of "${agent.name}" does not fit ${wanted}, also after ${mostRepairs} repairs:\n${errors.map((each) => `- ${each}`).join('\n')}`;
    return { code: 'schema', message, retryable: true, cause: lastAnswer('schema', text) };
  }

  const machine: Draft<Machine> = {
    start: () => ask(init.at, []),
    deliver(fact) {
      if (fact.id === cancelFact) {
        cancelled ??= reasonOf(fact);
        if (open !== undefined) return [{ op: 'cancel', target: open }];
        machine.end ??= { cancelled };
        return [];
      }
      if (fact.id !== open) return [];
      open = undefined;
      if (cancelled !== undefined) {
        machine.end = { cancelled };
        return [];
      }
      if ('err' in fact) return fail(fact.err);
      const answer = 'ok' in fact ? answerOf(fact.ok) : undefined;
      if (answer) return answered(answer.text, answer.finish, fact.at);
      return fail({ code: 'model', message: `"${agent.name}" gave no answer`, retryable: true });
    },
    end: undefined,
  };
  return machine;
}

/** What an executor has to know of the agent: its instructions are in the call. */
function agentJson({ name, type, fields, at, workflow, plugin }: PromptAgent): Json {
  const json: Record<string, Json> = {
    name,
    type,
    fields: 'instructions' in fields ? withoutInstructions(fields) : fields,
  };
  if (at !== undefined) json.at = at;
  if (workflow !== undefined) json.workflow = workflow;
  if (plugin !== undefined) json.plugin = plugin;
  return json;
}

function withoutInstructions({ instructions: _, ...others }: PromptAgent['fields']): PromptAgent['fields'] {
  return others;
}

function modelRef({ type, fields }: PromptAgent): string {
  const { provider, model, use } = fields;
  if (type === 'scripted') return 'scripted';
  if (typeof use === 'string') return `${type}/${use}`;
  const whose = type === 'api' && typeof provider === 'string' ? provider : type;
  return typeof model === 'string' ? `${whose}/${model}` : whose;
}

function unended(text: string, finish: Finish): RunError {
  const [why, retryable] =
    finish === 'cut'
      ? ['the answer was cut off: the stream ended before it', true]
      : ['the answer is longer than the model may write', false];
  return { code: 'model', message: why, retryable, cause: lastAnswer('model', text) };
}

function lastAnswer(code: string, text: string): RunError {
  return { code, message: `the last answer was:\n${text}`, retryable: false };
}

function answerOf(value: Json): { text: string; finish: Finish } | undefined {
  if (!isRecord(value) || typeof value.text !== 'string') return undefined;
  const { text, finish } = value;
  return { text, finish: finish === 'cut' || finish === 'length' ? finish : 'stop' };
}

function reasonOf(fact: Fact): string {
  const given = 'ok' in fact && isRecord(fact.ok) ? fact.ok.reason : undefined;
  return typeof given === 'string' ? given : 'cancelled';
}

/** In whole milliseconds, at least one. */
function smaller(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined && b === undefined) return undefined;
  return Math.max(1, Math.ceil(Math.min(a ?? Number.POSITIVE_INFINITY, b ?? Number.POSITIVE_INFINITY)));
}
