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
 * 6. The step's timeout is for all its calls together, the agent's for each. Only what is at work counts, in hands too: not the
 *    time that people take to answer, nor that in which nobody drives the run.
 * 7. A model that does nothing but call tools is stopped after `mostCalls`.
 * 8. A handoff is the only call of its answer. Nobody gets the conversation twice before a person has spoken again.
 * 9. What people say meanwhile is said to the model with the next call; where there would be none, there is one for it.
 * 10. Told to end beside a failure (`@stop`), what is open ends and nothing begins: an answer that is whole is its result.
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
  steerFact,
  stopFact,
  workAt,
} from '../machine/index.ts';
import { type AssistantMessage, answerMessage, type Finish, type ModelMessage, type ToolCall } from '../model/index.ts';
import { isRecord, printTypeShort } from '../type/index.ts';
import { nothingRecalled, type Unavailable } from './assembly.ts';
import { createConversation } from './conversation.ts';
import { type Talk, type TalkStep, toolsOf } from './talk.ts';
import {
  answerOf,
  callJson,
  errorTexts,
  laterKey,
  offeredIn,
  reasonOf,
  recalledIn,
  repairMessages,
  shortHash,
  unavailableIn,
  unended,
} from './talk-answer.ts';
import { createToolTurn, type OfferedTool, type OwnCall, type RefusedCall, type ToolTurn } from './tool-turn.ts';
import { createWaiting } from './waiting.ts';

/** How often an answer that does not fit is sent back. */
export const mostRepairs = 2;
/** How often a model is asked that calls tools each time. */
export const mostCalls = 250;
/** How often a conversation is passed on. */
export const mostHandoffs = 8;

export interface TalkOptions {
  /** Of the step, for all its calls. */
  readonly timeoutMs?: number | undefined;
  readonly pool?: string | undefined;
  /** People may speak to it, and it ends when all around it does. */
  readonly hears: boolean;
  readonly isHand?: boolean;
}

/** What of the answer before led to a call, for the journal. */
interface Why {
  readonly errors?: readonly string[];
  readonly refused?: readonly RefusedCall[];
}

export function createTalk(entry: Talk, init: MachineInit, options: TalkOptions): Machine {
  const { timeoutMs, pool } = options;
  const prefix = init.path === '' ? '' : `${init.path}/`;
  const said = createConversation();
  const waiting = createWaiting();
  /** As it was told last; the first machines went by the time that had passed. */
  let worked: number | undefined;
  let talk = entry;
  let offers = 0;
  let offered: ReadonlyMap<string, OfferedTool> = new Map();
  let unavailable: readonly Unavailable[] = [];
  let recalled = nothingRecalled;
  /** The conversation of whoever had it before. */
  let before: (() => readonly ModelMessage[]) | undefined;
  let calls = 0;
  let repairs = 0;
  let toolSteps = 0;
  /** What is open beside a turn: a model call, the offer, what is recalled, the turn that is kept. */
  const open = new Set<string>();
  let turn: ToolTurn | undefined;
  /** The answer whose calls are done, or that is the last one. */
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
  /** How often the turn was kept, and what it comes to meanwhile. */
  let turns = 0;
  let result: Json = null;

  function begin(): readonly Command[] {
    const { offer, recall, problem } = talk;
    if (problem !== undefined) return fail({ code: 'input', message: problem, retryable: false });
    const commands = [
      ...(offer ? [opening(`tools#${++offers}`, offer, init.at)] : []),
      ...(recall ? [opening('recall#1', recall, init.at)] : []),
    ];
    return commands.length > 0 ? commands : ask(init.at);
  }

  /** It works in no folder. */
  function opening(name: string, { spec, key }: TalkStep, at: number): Command {
    const id = `${prefix}${name}`;
    open.add(id);
    const command = lazyStep({ op: 'step', id, spec }, () => null, key);
    const left = smaller(timeLeft(at), undefined);
    if (left !== undefined) command.timeoutMs = left;
    return command;
  }

  function ask(at: number, { errors = [], refused = [] }: Why = {}): readonly Command[] {
    if (isStopping) return end({ cancelled: 'cancelled' });
    const left = timeLeft(at);
    if (left !== undefined && left <= 0) return fail(late());
    if (calls >= mostCalls) return fail(endless());
    if (!said.isBegun()) beginTalk();
    if (steers.length > 0) {
      said.add(steers.map((content) => ({ role: 'user', content })));
      steers = [];
      visited = new Set([talk.who]);
    }
    const { call, key, added } = said.next();
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
    if (refused.length > 0) spec.refused = refused.map(({ call: id, text }) => ({ call: id, text }));
    if (added > 0) spec.added = added;
    const command = lazyStep({ op: 'step', id, spec }, () => callJson(call()), key);
    if (limit !== undefined) command.timeoutMs = limit;
    // What is left of the step's time is a number that stands nowhere: people are told the step's own.
    if (timeoutMs !== undefined && limit !== timeoutMs && limit !== talk.callTimeoutMs) spec.stepTimeoutMs = timeoutMs;
    if (pool !== undefined) command.pool = pool;
    workAt(command, init);
    return [command];
  }

  /** What is known now is what the first call of this talk is made of, whenever that is. */
  function beginTalk(): void {
    const { first, keyOf } = talk;
    const tools = toolsOf(talk, offered.values());
    const begun = { tools, recalled, unavailable, ...(before && { before }) };
    said.begin(() => first(begun), keyOf);
  }

  function answered(message: AssistantMessage, finish: Finish, at: number): readonly Command[] {
    const { content: text, calls: wanted = [] } = message;
    if (finish !== 'stop' && finish !== 'calls') return fail(unended(text, finish));
    if (wanted.length > 0) {
      if (isStopping) return end({ cancelled: 'cancelled' });
      return passedOn(message, at) ?? beginTurn(message, at);
    }
    if (steers.length > 0 && !isStopping) {
      said.add([message]);
      return ask(at);
    }
    const read = talk.read(text);
    if (read.ok) return keep(message, read.value as Json);
    const errors = errorTexts(read.errors);
    if (repairs >= mostRepairs) return fail(unfit(text, errors));
    repairs++;
    // Nobody has said it: whoever goes on later has the answer that fits.
    said.add(repairMessages(message, errors), 'passing');
    return ask(at, { errors });
  }

  /** Undefined where the answer is no handoff. */
  function passedOn(message: AssistantMessage, at: number): readonly Command[] | undefined {
    const [only, ...more] = message.calls ?? [];
    const handoff =
      only && more.length === 0 && only.problem === undefined ? talk.own.get(only.tool)?.handoff : undefined;
    if (only === undefined || handoff === undefined) return undefined;
    const next = handoff(only.args);
    if ('refuse' in next || refusedHandoff(next.to) !== undefined) return undefined;
    handoffs++;
    visited.add(next.to);
    const content = `"${next.to}" goes on from here.`;
    said.add([message, { role: 'tool', call: only.id, tool: only.tool, content }]);
    before = said.passOn();
    talk = next.talk;
    offered = new Map();
    unavailable = [];
    recalled = nothingRecalled;
    const { offer } = talk;
    return offer ? [opening(`tools#${++offers}`, offer, at)] : ask(at);
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
      key: said.key(),
      next: () => ++toolSteps,
      timeoutMs: (now) => smaller(timeLeft(now), undefined),
      stepTimeoutMs: timeoutMs,
      waiting,
      pool,
      about: talk.about,
      toolKey: talk.toolKey,
      endsOthers: options.hears,
      own: (each, now, keyOfCall) => ownCall(each, wanted.length, now, keyOfCall),
    });
    return goOn(turn.start(at), at);
  }

  function ownCall(each: ToolCall, count: number, now: number, key: () => string): OwnCall | undefined {
    const own = talk.own.get(each.tool);
    if (own?.handoff) {
      if (count > 1) return { refuse: 'The conversation is not passed on: this must be the only call of an answer.' };
      const next = own.handoff(each.args);
      return { refuse: 'refuse' in next ? next.refuse : (refusedHandoff(next.to) ?? 'It is not passed on.') };
    }
    if (own?.hand === undefined) return undefined;
    const nth = (hands.get(each.tool) ?? 0) + 1;
    const made = own.hand({ args: each.args, nth, prefix, key, timeoutMs: smaller(timeLeft(now), undefined), init });
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
    if (answer !== undefined) said.add([answer, ...ended.results]);
    return ask(at, { refused: ended.refused });
  }

  /** The answer is there; what was said is kept where somebody may go on with it. */
  function keep(message: AssistantMessage, value: Json): readonly Command[] {
    if (entry.turn === undefined || isStopping) return end({ ok: value });
    answer = message;
    result = value;
    const id = `${prefix}turn#${++turns}`;
    open.add(id);
    const whole = said.whole(message);
    const key = said.key();
    return [
      lazyStep(
        { op: 'step', id, spec: entry.turn },
        () => whole() as unknown as Json,
        () => shortHash(['turn', laterKey(key(), [message])]),
      ),
    ];
  }

  /** Somebody may have spoken meanwhile: then the answer was none yet, and the turn is kept once more. */
  function kept(at: number): readonly Command[] {
    if (steers.length === 0 || isStopping || answer === undefined) return end({ ok: result });
    said.add([answer]);
    return ask(at);
  }

  function timeLeft(at: number): number | undefined {
    if (timeoutMs === undefined) return undefined;
    return timeoutMs - (worked ?? at - init.at - waiting.ms(at));
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

  function fromOutside(fact: Fact): readonly Command[] {
    switch (fact.id) {
      case cancelFact:
        return cancel(fact);
      case stopFact:
        if (!options.hears) return [];
        isStopping = true;
        // Nobody is asked any more; what is done may end.
        return turn?.stop() ?? [];
      case steerFact:
        if (options.hears && !options.isHand) steers.push(...wordsIn(fact));
        return [];
      default:
        return [];
    }
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
    return failure ? fail(failure) : ask(fact.at);
  }

  const machine: Draft<Machine> = {
    start: begin,
    deliver(fact) {
      if (options.hears) worked = fact.worked ?? worked;
      if (fact.id.startsWith('@')) return fromOutside(fact);
      if (turn !== undefined) return goOn(turn.deliver(fact), fact.at);
      if (!open.delete(fact.id)) return [];
      const id = fact.id.slice(prefix.length);
      if (id.startsWith('tools#') || id.startsWith('recall#')) return opened(id, fact);
      if (cancelled !== undefined) return end({ cancelled });
      if ('err' in fact) return fail(fact.err);
      if (id.startsWith('turn#')) return kept(fact.at);
      const told = 'ok' in fact ? answerOf(fact.ok) : undefined;
      if (told) return answered(answerMessage(told), told.finish, fact.at);
      return fail({ code: 'model', message: `"${talk.name}" gave no answer`, retryable: true });
    },
    end: undefined,
  };
  return machine;
}

function withOwn(offered: ReadonlyMap<string, OfferedTool>, own: Talk['own']): ReadonlyMap<string, OfferedTool> {
  return new Map([...offered, ...Array.from(own, ([name, { tool }]) => [name, { ...tool, readOnly: true }] as const)]);
}

function wordsIn(fact: Fact): readonly string[] {
  return 'ok' in fact && isRecord(fact.ok) && typeof fact.ok.message === 'string' ? [fact.ok.message] : [];
}

/** In whole milliseconds, at least one. */
function smaller(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined && b === undefined) return undefined;
  return Math.max(1, Math.ceil(Math.min(a ?? Number.POSITIVE_INFINITY, b ?? Number.POSITIVE_INFINITY)));
}
