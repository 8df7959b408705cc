/**
 * The machine of a conversation: a prompt of a workflow's agent, or a thunk. Its job: to ask the model, to let tools and hands
 * be done, to read the answer, to ask again when it does not fit, to pass the conversation on. What is said to whom is the
 * talk's (`prompt-talk.ts`, `thunk-talk.ts`); who calls models and tools and what a step does with a failure are the
 * neighbours' jobs (`run/model-executor.ts`, `run/tool-executor.ts`, the workflow's machine).
 * 1. Pure: the same facts give the same commands. Its calls are `PATH/model#1`, `#2`, `#3`, one after the other.
 * 2. What there is to offer is asked once (`PATH/tools#1`) and holds until the conversation is passed on, whatever becomes of
 *    a service; what is recalled (`PATH/recall#1`) is asked beside it. The calls of an answer are a turn (`tool-turn.ts`).
 * 3. A failed call is the talk's failure: whether it is tried again is for the step to say.
 * 4. An answer that does not fit is sent back with its errors, twice at most; then the last one is kept in the error.
 * 5. An answer that the model could not end is no answer, even where it would fit.
 * 6. The step's timeout is for all its calls together, the agent's for each. The time that people take to answer is not in it.
 * 7. A model that does nothing but call tools is stopped after `mostCalls`.
 * 8. A handoff is the only call of its answer. Nobody gets the conversation twice before a person has spoken again.
 * 9. What people say meanwhile is said to the model with the next call; where there would be none, there is one for it.
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
  type RunError,
  type StepSpec,
  steerFact,
  stopFact,
  workAt,
} from '../machine/index.ts';
import {
  type AssistantMessage,
  answerMessage,
  type Finish,
  type ModelCall,
  type ModelMessage,
  type ModelTool,
  type ToolCall,
} from '../model/index.ts';
import { isRecord, printTypeShort, type ReadResult, type TypeLanguage } from '../type/index.ts';
import { nothingRecalled, type Recalled, type Unavailable, type Wanted } from './assembly.ts';
import { answerOf, errorTexts, laterKey, repairMessages, unended } from './talk-answer.ts';
import { createToolTurn, type OfferedTool, type OwnCall, type ToolTurn } from './tool-turn.ts';

/** How often an answer that does not fit is sent back. */
export const mostRepairs = 2;
/** How often a model is asked that calls tools each time. */
export const mostCalls = 250;
/** How often a conversation is passed on. */
export const mostHandoffs = 8;

/** Of what a conversation consists, and how it goes on. */
export type TalkWanted = Wanted & { readonly language: TypeLanguage };

export interface Talk {
  /** Of the agent, for people. */
  readonly name: string;
  /** Of the thunk: who has the conversation. */
  readonly who: string;
  /** Why nothing can be asked. */
  readonly problem?: string | undefined;
  /** As the steps of models have it. */
  readonly agent: Json;
  readonly model: string;
  /** What a script may call it, the most specific first. */
  readonly names: readonly string[];
  /** For each call. */
  readonly callTimeoutMs?: number | undefined;
  /** What is asked before the first call, each undefined where there is nothing to ask. */
  readonly offer: TalkStep | undefined;
  readonly recall: TalkStep | undefined;
  /** Laid into the steps of tools. */
  readonly about?: Readonly<Record<string, Json>>;
  readonly wanted: TalkWanted;
  readonly read: (text: string) => ReadResult;
  readonly first: (begun: Begun) => FirstCall;
  /** What the first call depends on. */
  readonly keyOf: (call: ModelCall) => string;
  /** Hands and handoffs, by their names as tools. */
  readonly own: ReadonlyMap<string, OwnTool>;
  /** Where this turn is kept when it has gone well. */
  readonly turn?: StepSpec;
}

export interface TalkStep {
  readonly spec: StepSpec;
  readonly key: () => string;
}

/** What is known when the first call is made. */
export interface Begun {
  readonly tools: readonly ModelTool[];
  readonly recalled: Recalled;
  readonly unavailable: readonly Unavailable[];
  /** Of a conversation that was passed on: all that was said, without instructions. */
  readonly before?: () => readonly ModelMessage[];
}

/** `said`: the user's words, as a later turn is to remember them. */
export type FirstCall = ModelCall & { readonly said?: ModelMessage | undefined };

export interface OwnTool {
  readonly tool: ModelTool;
  /** A hand: the machine that is begun for a call. `nth`: of this hand, from 1. */
  readonly hand?: (call: HandCall) => OwnCall;
  /** A handoff: who goes on. */
  readonly handoff?: (
    args: ToolCall['args'],
  ) => { readonly to: string; readonly talk: Talk } | { readonly refuse: string };
}

export interface HandCall {
  readonly args: ToolCall['args'];
  readonly nth: number;
  /** Before its own id. */
  readonly prefix: string;
  readonly key: () => string;
  readonly timeoutMs: number | undefined;
  readonly init: MachineInit;
}

export interface TalkOptions {
  /** Of the step, for all its calls. */
  readonly timeoutMs?: number | undefined;
  readonly pool?: string | undefined;
  /** People may speak to it, and it ends when all around it does. */
  readonly hears: boolean;
  readonly isHand?: boolean;
}

/** All that it may call: what was offered to it, and its hands and handoffs. */
export function toolsOf({ own }: Pick<Talk, 'own'>, offered: Iterable<ModelTool>): readonly ModelTool[] {
  return [...offered, ...Array.from(own.values(), ({ tool }) => tool)];
}

export function createTalk(entry: Talk, init: MachineInit, options: TalkOptions): Machine {
  const { timeoutMs, pool } = options;
  const prefix = init.path === '' ? '' : `${init.path}/`;
  let talk = entry;
  let offers = 0;
  let offered: ReadonlyMap<string, OfferedTool> = new Map();
  let unavailable: readonly Unavailable[] = [];
  let recalled = nothingRecalled;
  /** The conversation of whoever had it before. */
  let before: (() => readonly ModelMessage[]) | undefined;
  /** Of this talk, and of the entry. Made when they are asked for: a run that is resumed begins few of its calls again. */
  let call: (() => ModelCall) | undefined;
  let entryCall: (() => FirstCall) | undefined;
  let key: () => string = () => '';
  let calls = 0;
  let repairs = 0;
  let toolSteps = 0;
  /** How many messages came since the last call. */
  let added = 0;
  /** For people, in milliseconds. */
  let waited = 0;
  /** What is open beside a turn: a model call, the offer, what is recalled, the turn that is kept. */
  const open = new Set<string>();
  let turn: ToolTurn | undefined;
  let answer: AssistantMessage | undefined;
  let cancelled: string | undefined;
  let isStopping = false;
  let failure: RunError | undefined;
  /** What people said that the model has not heard. */
  let steers: string[] = [];
  /** Who has had the conversation since a person spoke. */
  let visited = new Set([entry.who]);
  let handoffs = 0;
  const hands = new Map<string, number>();
  /** What was said in this turn, behind the first words. */
  const spoken: ModelMessage[] = [];
  /** What it comes to, while the turn is kept. */
  let result: Json | undefined;

  /** What is known now is what the first call of this talk is made of, whenever that is. */
  function makeFirst(): () => ModelCall {
    const own = talk;
    const begun: Begun = {
      tools: toolsOf(own, offered.values()),
      recalled,
      unavailable,
      ...(before && { before }),
    };
    const made = once(() => own.first(begun));
    entryCall ??= made;
    key = once(() => own.keyOf(made()));
    return made;
  }

  function begin(): readonly Command[] {
    const { offer, recall, problem } = talk;
    if (problem !== undefined) return fail({ code: 'input', message: problem, retryable: false });
    const commands = [
      ...(offer ? [opening(`tools#${++offers}`, offer)] : []),
      ...(recall ? [opening('recall#1', recall)] : []),
    ];
    return commands.length > 0 ? commands : ask(init.at, []);
  }

  /** It works in no folder. */
  function opening(name: string, { spec, key: stepKey }: TalkStep): Command {
    const id = `${prefix}${name}`;
    open.add(id);
    const command = lazyStep({ op: 'step', id, spec }, () => null, stepKey);
    if (timeoutMs !== undefined) command.timeoutMs = timeoutMs;
    return command;
  }

  function ask(at: number, errors: readonly string[]): readonly Command[] {
    if (isStopping) return end({ cancelled: 'cancelled' });
    const left = timeLeft(at);
    if (left !== undefined && left <= 0) return fail(late());
    if (calls >= mostCalls) return fail(endless());
    const isFirst = call === undefined;
    call ??= makeFirst();
    if (steers.length > 0) {
      add(steers.map((content) => ({ role: 'user', content })));
      steers = [];
      visited = new Set([talk.who]);
    }
    calls++;
    const id = `${prefix}model#${calls}`;
    open.add(id);
    const limit = smaller(left, talk.callTimeoutMs);
    const spec: Record<string, Json> & { kind: string } = {
      kind: 'model',
      agent: talk.agent,
      model: talk.model,
      for: talk.names,
    };
    if (errors.length > 0) spec.repairs = errors;
    if (!isFirst && added > 0) spec.added = added;
    added = 0;
    const callNow = call;
    const command = lazyStep({ op: 'step', id, spec }, () => plainCall(callNow()), key);
    if (limit !== undefined) command.timeoutMs = limit;
    // What is left of the step's time is a number that stands nowhere: people are told the step's own.
    if (timeoutMs !== undefined && limit !== timeoutMs && limit !== talk.callTimeoutMs) spec.stepTimeoutMs = timeoutMs;
    if (pool !== undefined) command.pool = pool;
    workAt(command, init);
    return [command];
  }

  /** The conversation goes on from the last call with these. */
  function add(messages: readonly ModelMessage[]): void {
    const [callBefore, keyBefore] = [call ?? makeFirst(), key];
    added += messages.length;
    spoken.push(...messages);
    call = once(() => ({ ...callBefore(), messages: [...callBefore().messages, ...messages] }));
    key = once(() => laterKey(keyBefore(), messages));
  }

  function answered(message: AssistantMessage, finish: Finish, at: number): readonly Command[] {
    const { content: text, calls: wanted = [] } = message;
    if (finish !== 'stop' && finish !== 'calls') return fail(unended(text, finish));
    if (wanted.length > 0) return passedOn(message, at) ?? beginTurn(message, at);
    if (steers.length > 0) {
      add([message]);
      return ask(at, []);
    }
    const read = talk.read(text);
    if (read.ok) return keep(message, read.value as Json);
    const errors = errorTexts(read.errors);
    if (repairs >= mostRepairs) return fail(unfit(text, errors));
    repairs++;
    add(repairMessages(message, errors));
    return ask(at, errors);
  }

  /** Undefined where the answer is no handoff. */
  function passedOn(message: AssistantMessage, at: number): readonly Command[] | undefined {
    const [only, ...more] = message.calls ?? [];
    const handoff =
      only && more.length === 0 && only.problem === undefined ? talk.own.get(only.tool)?.handoff : undefined;
    if (only === undefined || handoff === undefined) return undefined;
    const next = handoff(only.args);
    if ('refuse' in next || refusedHandoff(next.to) !== undefined) return undefined;
    if (isStopping) return end({ cancelled: 'cancelled' });
    handoffs++;
    visited.add(next.to);
    const told: ModelMessage = {
      role: 'tool',
      call: only.id,
      tool: only.tool,
      content: `"${next.to}" goes on from here.`,
    };
    add([message, told]);
    const callBefore = call;
    before = () => (callBefore?.().messages ?? []).filter(({ role }) => role !== 'system');
    talk = next.talk;
    offered = new Map();
    unavailable = [];
    recalled = nothingRecalled;
    call = undefined;
    const { offer } = talk;
    return offer ? [opening(`tools#${++offers}`, offer)] : ask(at, []);
  }

  /** Why the conversation is not passed on, for the model. */
  function refusedHandoff(to: string): string | undefined {
    if (handoffs >= mostHandoffs) {
      return `The conversation was passed on ${mostHandoffs} times already, and is not any more: answer yourself.`;
    }
    return visited.has(to)
      ? `"${to}" has had this conversation already, and nobody has spoken since: it is not passed back. Answer yourself.`
      : undefined;
  }

  function beginTurn(message: AssistantMessage, at: number): readonly Command[] {
    answer = message;
    const wanted = message.calls ?? [];
    turn = createToolTurn({
      calls: wanted,
      offered: talk.own.size === 0 ? offered : withOwn(offered, talk.own),
      init,
      key,
      next: () => ++toolSteps,
      timeoutMs: (now) => smaller(timeLeft(now), undefined),
      stepTimeoutMs: timeoutMs,
      waited: (ms) => {
        waited += ms;
      },
      pool,
      about: talk.about,
      own: (each, now, keyOfCall) => ownCall(each, wanted.length, now, keyOfCall),
    });
    return goOn(turn.start(at), at);
  }

  function ownCall(each: ToolCall, count: number, now: number, keyOfCall: () => string): OwnCall | undefined {
    const own = talk.own.get(each.tool);
    if (own?.handoff) {
      if (count > 1) return { refuse: 'The conversation is not passed on: this must be the only call of an answer.' };
      const next = own.handoff(each.args);
      return { refuse: 'refuse' in next ? next.refuse : (refusedHandoff(next.to) ?? 'It is not passed on.') };
    }
    if (own?.hand === undefined) return undefined;
    const nth = (hands.get(each.tool) ?? 0) + 1;
    const made = own.hand({
      args: each.args,
      nth,
      prefix,
      key: keyOfCall,
      timeoutMs: smaller(timeLeft(now), undefined),
      init,
    });
    if ('command' in made) hands.set(each.tool, nth);
    return made;
  }

  /** With the next call, where the turn has come to its end. */
  function goOn(commands: readonly Command[], at: number): readonly Command[] {
    const ended = turn?.end();
    if (ended === undefined) return commands;
    turn = undefined;
    if (cancelled !== undefined) return end({ cancelled });
    if ('err' in ended) return fail(ended.err);
    if (answer !== undefined) add([answer, ...ended.results]);
    return ask(at, []);
  }

  /** The answer is there; what was said is kept where somebody may go on with it. */
  function keep(message: AssistantMessage, value: Json): readonly Command[] {
    if (entry.turn === undefined || isStopping) return end({ ok: value });
    result = value;
    const said = entryCall?.().said;
    const messages = [...(said ? [said] : []), ...spoken, message];
    const id = `${prefix}turn#1`;
    open.add(id);
    return [lazyStep({ op: 'step', id, spec: entry.turn }, () => messages as unknown as Json, key)];
  }

  function timeLeft(at: number): number | undefined {
    return timeoutMs === undefined ? undefined : init.at + timeoutMs + waited - at;
  }

  function end(value: NonNullable<Machine['end']>): readonly Command[] {
    machine.end = value;
    return [];
  }

  function fail(err: RunError): readonly Command[] {
    return end({ err });
  }

  function late(): RunError {
    return { code: 'timeout', message: `it took longer than ${timeoutMs} ms`, retryable: true };
  }

  function endless(): RunError {
    const message = `"${talk.name}" was asked ${mostCalls} times and called tools each time, without coming to an answer`;
    return { code: 'model', message, retryable: false };
  }

  function unfit(text: string, errors: readonly string[]): RunError {
    const { output, language } = talk.wanted;
    const message = `the answer of "${talk.name}" does not fit ${printTypeShort(output, language)}, also after ${mostRepairs} repairs:\n${errors.map((each) => `- ${each}`).join('\n')}`;
    const cause = { code: 'schema', message: `the last answer was:\n${text}`, retryable: false };
    return { code: 'schema', message, retryable: true, cause };
  }

  function cancel(fact: Fact): readonly Command[] {
    cancelled ??= reasonOf(fact);
    turn?.stop();
    const all = [...open, ...(turn?.open() ?? [])];
    if (all.length === 0) machine.end ??= { cancelled };
    return all.map((target) => ({ op: 'cancel', target }));
  }

  function stop(): readonly Command[] {
    isStopping = true;
    turn?.stop();
    // Nobody is asked any more; what is done may end.
    return (turn?.open() ?? []).map((target) =>
      isQuestion(target) ? { op: 'cancel', target } : { op: 'cancel', target, gently: true },
    );
  }

  function fromOutside(fact: Fact): readonly Command[] | undefined {
    if (fact.id === cancelFact) return cancel(fact);
    if (!options.hears) return undefined;
    if (fact.id === stopFact) return stop();
    if (fact.id !== steerFact || options.isHand) return undefined;
    if ('ok' in fact && isRecord(fact.ok) && typeof fact.ok.message === 'string') steers.push(fact.ok.message);
    return [];
  }

  /** Of what is asked before the first call. */
  function opened(id: string, fact: Fact): readonly Command[] {
    const value = 'ok' in fact ? fact.ok : null;
    if ('err' in fact) failure ??= fact.err;
    else if (id.startsWith('recall#')) recalled = recalledIn(value);
    else {
      offered = offeredIn(value);
      unavailable = unavailableIn(value);
    }
    if (open.size > 0) return [];
    if (cancelled !== undefined) return end({ cancelled });
    return failure ? fail(failure) : ask(fact.at, []);
  }

  const machine: Draft<Machine> = {
    start: begin,
    deliver(fact) {
      const heard = fact.id.startsWith('@') ? (fromOutside(fact) ?? []) : undefined;
      if (heard) return heard;
      if (turn !== undefined) return goOn(turn.deliver(fact), fact.at);
      if (!open.delete(fact.id)) return [];
      const id = fact.id.slice(prefix.length);
      if (id.startsWith('tools#') || id.startsWith('recall#')) return opened(id, fact);
      if (cancelled !== undefined) return end({ cancelled });
      if ('err' in fact) return fail(fact.err);
      if (id.startsWith('turn#')) return end({ ok: result ?? null });
      const told = 'ok' in fact ? answerOf(fact.ok) : undefined;
      if (told) return answered(answerMessage(told), told.finish, fact.at);
      return fail({ code: 'model', message: `"${talk.name}" gave no answer`, retryable: true });
    },
    end: undefined,
  };
  return machine;
}

function isQuestion(id: string): boolean {
  return /\/?permit#\d+$/.test(id);
}

/** As steps have it: only what the model is given. */
function plainCall({ messages, tools, output, settings }: ModelCall): Json {
  return { messages, ...(tools && { tools }), ...(output && { output }), settings } as unknown as Json;
}

function withOwn(offered: ReadonlyMap<string, OfferedTool>, own: Talk['own']): ReadonlyMap<string, OfferedTool> {
  return new Map([...offered, ...Array.from(own, ([name, { tool }]) => [name, { ...tool, readOnly: true }] as const)]);
}

function offeredIn(value: Json): ReadonlyMap<string, OfferedTool> {
  const tools = isRecord(value) && Array.isArray(value.tools) ? (value.tools as unknown as OfferedTool[]) : [];
  return new Map(tools.map((tool) => [tool.name, tool]));
}

function unavailableIn(value: Json): readonly Unavailable[] {
  return isRecord(value) && Array.isArray(value.unavailable) ? (value.unavailable as unknown as Unavailable[]) : [];
}

function recalledIn(value: Json): Recalled {
  if (!isRecord(value)) return nothingRecalled;
  const { history, memories } = value as unknown as Partial<Recalled>;
  return { history: history ?? [], memories: memories ?? [] };
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
