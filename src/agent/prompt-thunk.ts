/**
 * The thunk machine's first form: one prompt, an answer of the wanted type, and the tools that its agent names on the way to
 * it. Its job: to put calls together, to let tools be done, to read the answer, to ask again when it does not fit. Who calls
 * models and tools and what a step does with a failure are the neighbours' jobs (`run/model-executor.ts`,
 * `run/tool-executor.ts`, the workflow's machine).
 * 1. Pure: the same facts give the same commands. Its calls are `PATH/model#1`, `#2`, `#3`, one after the other.
 * 2. With tools its first step is `PATH/tools#1`: what there is to offer is asked once and holds for the whole conversation,
 *    whatever becomes of a service. The calls of an answer are a turn of their own (`tool-turn.ts`).
 * 3. A failed call is the thunk's failure: whether it is tried again is for the step to say.
 * 4. An answer that does not fit is sent back with its errors, twice at most; then the last one is kept in the error.
 * 5. An answer that the model could not end is no answer, even where it would fit.
 * 6. The step's timeout is for all its calls together, the agent's for each. The time that people take to answer is not in it.
 * 7. A model that does nothing but call tools is stopped after `mostCalls`.
 */
import { hash } from 'node:crypto';
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
import {
  type AssistantMessage,
  answerMessage,
  type Finish,
  type ModelAnswer,
  type ModelMessage,
} from '../model/index.ts';
import { isRecord, printTypeShort } from '../type/index.ts';
import { callKey, errorTexts, firstCall, laterKey, readAnswer, repairMessages } from './prompt-call.ts';
import { type PromptAgent, readPromptRef } from './prompt-ref.ts';
import { createToolTurn, type OfferedTool, type ToolTurn } from './tool-turn.ts';

/** How often an answer that does not fit is sent back. */
export const mostRepairs = 2;
/** How often a model is asked that calls tools each time. */
export const mostCalls = 250;

/** The first machine knew no tools: what it has begun goes on without. */
const firstWithTools = 2;

/** Makes machines of `kind: "thunk"`; prompts are the only form so far. `number`: that of the machine which began the run. */
export function thunkMaker(number: number): MakeMachine {
  return (ref, init) => createPromptThunk(ref, init, number >= firstWithTools);
}

export function createPromptThunk(ref: MachineRef, init: MachineInit, withTools = true): Machine {
  const made = readPromptRef(ref);
  const { agent, timeoutMs, pool } = made;
  const prefix = init.path === '' ? '' : `${init.path}/`;
  const names = withTools ? toolNames(agent) : [];
  let offered: ReadonlyMap<string, OfferedTool> = new Map();
  /** Made when it is asked for: a run that is resumed begins few of its calls again. */
  let call = once(() => firstCall(made, [...offered.values()]));
  let key = once(() => callKey(made, call()));
  let calls = 0;
  let repairs = 0;
  let toolSteps = 0;
  /** How many messages came since the last call. */
  let added = 0;
  /** For people, in milliseconds. */
  let waited = 0;
  /** The model call or the offer that is open. */
  let open: string | undefined;
  let turn: ToolTurn | undefined;
  let answer: AssistantMessage | undefined;
  let cancelled: string | undefined;

  function offer(): readonly Command[] {
    open = `${prefix}tools#1`;
    const spec = { kind: 'tools', names };
    const command = lazyStep(
      { op: 'step', id: open, spec },
      () => null,
      () => hash('sha256', JSON.stringify(names), 'hex').slice(0, 32),
    );
    // It works in no folder.
    if (timeoutMs !== undefined) command.timeoutMs = timeoutMs;
    return [command];
  }

  function ask(at: number, errors: readonly string[]): readonly Command[] {
    const left = timeLeft(at);
    if (left !== undefined && left <= 0) return fail(late());
    if (calls >= mostCalls) return fail(endless());
    calls++;
    open = `${prefix}model#${calls}`;
    const own = agent.fields.timeoutMs;
    const limit = smaller(left, typeof own === 'number' ? own : undefined);
    const spec: Record<string, Json> & { kind: string } = {
      kind: 'model',
      agent: agentJson(agent),
      model: modelRef(agent),
      for: made.names,
    };
    if (errors.length > 0) spec.repairs = errors;
    if (added > 0) spec.added = added;
    const callNow = call;
    const command = lazyStep({ op: 'step', id: open, spec }, () => callNow() as unknown as Json, key);
    if (limit !== undefined) command.timeoutMs = limit;
    // What is left of the step's time is a number that stands nowhere: people are told the step's own.
    if (timeoutMs !== undefined && limit !== timeoutMs && limit !== own) spec.stepTimeoutMs = timeoutMs;
    if (pool !== undefined) command.pool = pool;
    workAt(command, init);
    return [command];
  }

  /** The conversation goes on from the last call with these. */
  function add(messages: readonly ModelMessage[]): void {
    const [callBefore, keyBefore] = [call, key];
    added = messages.length;
    call = once(() => ({ ...callBefore(), messages: [...callBefore().messages, ...messages] }));
    key = once(() => laterKey(keyBefore(), messages));
  }

  function answered(message: AssistantMessage, finish: Finish, at: number): readonly Command[] {
    const { content: text, calls: wanted = [] } = message;
    if (finish !== 'stop' && finish !== 'calls') return fail(unended(text, finish));
    if (wanted.length > 0) return begin(message, at);
    const read = readAnswer(text, made);
    if (read.ok) {
      machine.end = { ok: read.value as Json };
      return [];
    }
    const errors = errorTexts(read.errors);
    if (repairs >= mostRepairs) return fail(unfit(text, errors));
    repairs++;
    add(repairMessages(message, errors));
    return ask(at, errors);
  }

  function begin(message: AssistantMessage, at: number): readonly Command[] {
    answer = message;
    turn = createToolTurn({
      calls: message.calls ?? [],
      offered,
      init,
      key,
      next: () => ++toolSteps,
      timeoutMs: (now) => smaller(timeLeft(now), undefined),
      stepTimeoutMs: timeoutMs,
      waited: (ms) => {
        waited += ms;
      },
      pool,
    });
    return goOn(turn.start(at), at);
  }

  /** With the next call, where the turn has come to its end. */
  function goOn(commands: readonly Command[], at: number): readonly Command[] {
    const end = turn?.end();
    if (end === undefined) return commands;
    turn = undefined;
    if (cancelled !== undefined) {
      machine.end = { cancelled };
      return [];
    }
    if ('err' in end) return fail(end.err);
    if (answer !== undefined) add([answer, ...end.results]);
    return ask(at, []);
  }

  function timeLeft(at: number): number | undefined {
    return timeoutMs === undefined ? undefined : init.at + timeoutMs + waited - at;
  }

  function fail(err: RunError): readonly Command[] {
    machine.end = { err };
    return [];
  }

  function late(): RunError {
    return { code: 'timeout', message: `it took longer than ${timeoutMs} ms`, retryable: true };
  }

  function endless(): RunError {
    const message = `"${agent.name}" was asked ${mostCalls} times and called tools each time, without coming to an answer`;
    return { code: 'limit', message, retryable: false };
  }

  function unfit(text: string, errors: readonly string[]): RunError {
    const wanted = printTypeShort(made.output, 'toon');
    const message = `the answer of "${agent.name}" does not fit ${wanted}, also after ${mostRepairs} repairs:\n${errors.map((each) => `- ${each}`).join('\n')}`;
    return { code: 'schema', message, retryable: true, cause: lastAnswer('schema', text) };
  }

  function cancel(fact: Fact): readonly Command[] {
    cancelled ??= reasonOf(fact);
    turn?.stop();
    const all = open === undefined ? (turn?.open() ?? []) : [open];
    if (all.length === 0) machine.end ??= { cancelled };
    return all.map((target) => ({ op: 'cancel', target }));
  }

  const machine: Draft<Machine> = {
    start: () => (names.length === 0 ? ask(init.at, []) : offer()),
    deliver(fact) {
      if (fact.id === cancelFact) return cancel(fact);
      if (turn !== undefined) return goOn(turn.deliver(fact), fact.at);
      if (fact.id !== open) return [];
      const isOffer = fact.id === `${prefix}tools#1`;
      open = undefined;
      if (cancelled !== undefined) {
        machine.end = { cancelled };
        return [];
      }
      if ('err' in fact) return fail(fact.err);
      if (isOffer) {
        offered = offeredIn('ok' in fact ? fact.ok : null);
        return ask(fact.at, []);
      }
      const told = 'ok' in fact ? answerOf(fact.ok) : undefined;
      if (told) return answered(told.message, told.finish, fact.at);
      return fail({ code: 'model', message: `"${agent.name}" gave no answer`, retryable: true });
    },
    end: undefined,
  };
  return machine;
}

/** Those whose tools are ours to do; what runs by itself is told their names, and does them itself. */
const asked: ReadonlySet<string> = new Set(['anthropic', 'openai', 'api', 'scripted']);

function toolNames({ type, fields, plugin }: PromptAgent): readonly string[] {
  const { tools } = fields;
  if (plugin !== undefined || !asked.has(type) || !Array.isArray(tools)) return [];
  return tools.filter((name) => typeof name === 'string');
}

function offeredIn(value: Json): ReadonlyMap<string, OfferedTool> {
  const tools = isRecord(value) && Array.isArray(value.tools) ? (value.tools as unknown as OfferedTool[]) : [];
  return new Map(tools.map((tool) => [tool.name, tool]));
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

const unendedWhy: Readonly<Record<Exclude<Finish, 'stop' | 'calls'>, readonly [string, boolean]>> = {
  cut: ['the answer was cut off: the stream ended before it', true],
  length: ['the answer is longer than the model may write', false],
  filter: ["the model's service held the answer back: its filter does not let it through", false],
};

function unended(text: string, finish: Exclude<Finish, 'stop' | 'calls'>): RunError {
  const [why, retryable] = unendedWhy[finish];
  return { code: 'model', message: why, retryable, cause: lastAnswer('model', text) };
}

function lastAnswer(code: string, text: string): RunError {
  return { code, message: `the last answer was:\n${text}`, retryable: false };
}

const finishes: ReadonlySet<unknown> = new Set<Finish>(['stop', 'calls', 'length', 'filter', 'cut']);

function answerOf(value: Json): { readonly message: AssistantMessage; readonly finish: Finish } | undefined {
  if (!isRecord(value) || typeof value.text !== 'string') return undefined;
  const { finish } = value;
  const message = answerMessage(value as unknown as ModelAnswer);
  return { message, finish: finishes.has(finish) ? (finish as Finish) : 'stop' };
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

/** Made the first time it is asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
