/**
 * The tool calls of one answer: which of them are done when, who is asked, and what the model is told of each.
 * 1. Calls are done in the order of the answer. Those that change nothing are done side by side, any other one alone.
 * 2. What may be called is what was offered, and nothing else, whatever the model writes: no step is emitted for the rest.
 * 3. A tool that must be asked for is not done: its step says so, a question follows, and what was allowed is a step of its
 *    own. One question at a time. All three have the number of the call, whatever is answered when: `tool#2`, `permit#2`,
 *    `granted#2`.
 * 4. Whatever a tool comes to is told to the model. Only what keeps a step from being done at all (a limit, a cancel) is a
 *    failure of the turn; it has come to it when all that was begun has ended. Beside it nobody is asked any more, and hands
 *    begin nothing.
 * 5. A hand is a machine of its own, and goes beside others. What it gives, and what it fails of, is told like a tool's.
 */
import { hash } from 'node:crypto';
import {
  type ChildCommand,
  type Command,
  type Fact,
  type Json,
  lazyStep,
  type MachineInit,
  type RunError,
  workAt,
} from '../machine/index.ts';
import type { ModelTool, ToolCall, ToolMessage } from '../model/index.ts';
import { closest, didYouMean } from '../text/index.ts';
import { isRecord } from '../type/index.ts';
import type { Waiting } from './waiting.ts';

/** A tool as it was offered, for the whole of a conversation. */
export interface OfferedTool extends ModelTool {
  readonly readOnly: boolean;
}

export interface ToolTurn {
  readonly start: (at: number) => readonly Command[];
  readonly deliver: (fact: Fact) => readonly Command[];
  /** Nothing begins any more; what is done may end, and nobody is asked. */
  readonly stop: () => readonly Command[];
  /** The ids of what is open. */
  readonly open: () => readonly string[];
  /** Set when nothing is open any more: what the model is told, in the order of the calls, or why it cannot go on. */
  readonly end: () => TurnEnd | undefined;
}

export type TurnEnd =
  | { readonly results: readonly ToolMessage[]; readonly refused: readonly RefusedCall[] }
  | { readonly err: RunError };

/** Nothing was begun for it: no step and no hand tells of it. */
export interface RefusedCall {
  readonly call: string;
  readonly text: string;
}

export interface TurnOptions {
  readonly calls: readonly ToolCall[];
  readonly offered: ReadonlyMap<string, OfferedTool>;
  readonly init: MachineInit;
  /** What the answer with these calls depended on. */
  readonly key: () => string;
  /** The number of the next call of the thunk, each time another. */
  readonly next: () => number;
  /** What is left of the step's time, and the time that it was given: people are told the latter. */
  readonly timeoutMs: (at: number) => number | undefined;
  readonly stepTimeoutMs?: number | undefined;
  /** Is told what waits for people. */
  readonly waiting: Waiting;
  readonly pool?: string | undefined;
  /** Laid into the steps of tools: whose they are. */
  readonly about?: Readonly<Record<string, Json>> | undefined;
  /** What the result of a tool depends on beside its call. */
  readonly toolKey?: ((tool: string) => Json | undefined) | undefined;
  /** Beside a failure questions are taken back, and hands are told to end. */
  readonly endsOthers: boolean;
  /** Tools that are no steps: what is begun for a call, or why nothing is; undefined for all others. */
  readonly own?: ((call: ToolCall, now: number, key: () => string) => OwnCall | undefined) | undefined;
}

export type OwnCall = { readonly command: ChildCommand } | { readonly refuse: string };

interface State {
  readonly call: ToolCall;
  readonly at: number;
  /** It may be done beside others. */
  readonly isFree: boolean;
  /** It is a machine of its own. */
  isHand?: true;
  status: 'waiting' | 'open' | 'unasked' | 'done';
  number: number;
  request: Json;
  isRefused?: true;
  result?: ToolMessage;
}

export function createToolTurn(options: TurnOptions): ToolTurn {
  const { calls, offered, init, next } = options;
  const states = calls.map((call, at): State => {
    const isFree = offered.get(call.tool)?.readOnly === true;
    return { call, at, isFree, status: 'waiting', number: 0, request: null };
  });
  /** What is open, by its id: steps, and one question. */
  const open = new Map<string, State>();
  let isAsking = false;
  let failure: RunError | undefined;

  function idOf(what: 'tool' | 'permit' | 'granted', number: number): string {
    return `${init.path === '' ? '' : `${init.path}/`}${what}#${number}`;
  }

  function begin(state: State, isGranted: boolean, now: number): Command {
    const { call } = state;
    const timeoutMs = options.timeoutMs(now);
    if (!isGranted) state.number = next();
    const id = idOf(isGranted ? 'granted' : 'tool', state.number);
    const spec: Record<string, Json> & { kind: string } = { kind: 'tool', tool: call.tool, call: call.id };
    if (options.about) Object.assign(spec, options.about);
    if (isGranted) spec.granted = isRecord(state.request) ? (state.request.about ?? true) : true;
    if (options.stepTimeoutMs !== undefined) spec.stepTimeoutMs = options.stepTimeoutMs;
    const command = lazyStep(
      { op: 'step', id, spec },
      () => call.args,
      () => keyOf(state, isGranted),
    );
    if (timeoutMs !== undefined) command.timeoutMs = timeoutMs;
    if (options.pool !== undefined) command.pool = options.pool;
    workAt(command, init);
    state.status = 'open';
    open.set(id, state);
    return command;
  }

  function keyOf({ call, at }: State, what: boolean | 'hand'): string {
    const parts: Json[] = [options.key(), at, call.tool, call.args, what];
    const more = options.toolKey?.(call.tool);
    if (more !== undefined) parts.push(more);
    return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
  }

  function call(state: State, command: ChildCommand): Command {
    state.isHand = true;
    state.status = 'open';
    open.set(command.id, state);
    return command;
  }

  function ask(state: State, now: number): Command {
    const id = idOf('permit', state.number);
    isAsking = true;
    options.waiting.begin(id, now);
    state.status = 'open';
    open.set(id, state);
    return { op: 'signal', id, kind: 'permission', request: state.request };
  }

  /** What can be begun now. */
  function advance(now: number): readonly Command[] {
    if (failure !== undefined) return [];
    const commands: Command[] = [];
    for (const state of states) {
      if (state.status === 'done') continue;
      if (state.status === 'unasked' && !isAsking) commands.push(ask(state, now));
      else if (state.status === 'waiting') {
        const refusal = refusalOf(state.call, offered);
        if (refusal !== undefined) {
          refuse(state, refusal);
          continue;
        }
        if (!state.isFree && open.size > 0) break;
        const own = options.own?.(state.call, now, () => keyOf(state, 'hand'));
        if (own && 'refuse' in own) {
          refuse(state, own.refuse);
          continue;
        }
        commands.push(own ? call(state, own.command) : begin(state, false, now));
      }
      // Nothing behind it begins before it is done.
      if (!state.isFree) break;
    }
    return commands;
  }

  function refuse(state: State, why: string): void {
    state.isRefused = true;
    tell(state, why, true);
  }

  function tell(state: State, content: string, isError: boolean): void {
    const { id, tool } = state.call;
    state.status = 'done';
    state.result = { role: 'tool', call: id, tool, content, ...(isError && { isError: true as const }) };
  }

  function deliver(fact: Fact): readonly Command[] {
    const state = open.get(fact.id);
    if (state === undefined) return [];
    open.delete(fact.id);
    options.waiting.end(fact.id, fact.at);
    const isAnswer = fact.id === idOf('permit', state.number);
    if (isAnswer) isAsking = false;
    if ('err' in fact) {
      if (state.isHand && !endsAll.has(fact.err.code)) {
        tell(state, `"${state.call.tool}" failed (${fact.err.code}): ${fact.err.message}`, true);
        return advance(fact.at);
      }
      state.status = 'done';
      return fails(fact.err);
    }
    if (state.isHand) {
      tell(state, 'ok' in fact ? handText(fact.ok) : '', false);
      return advance(fact.at);
    }
    const value = 'ok' in fact && isRecord(fact.ok) ? fact.ok : {};
    if (isAnswer) {
      if (value.approved === true && failure === undefined) return [begin(state, true, fact.at)];
      tell(state, denialText(value), true);
    } else if (value.ask !== undefined) {
      state.request = value.ask as Json;
      state.status = 'unasked';
      // What was allowed was about something else: that is another question.
      if (fact.id === idOf('granted', state.number)) state.number = next();
    } else tell(state, typeof value.text === 'string' ? value.text : '', value.isError === true);
    return advance(fact.at);
  }

  function fails(err: RunError): readonly Command[] {
    const isNew = failure === undefined;
    failure ??= err;
    if (!isNew || !options.endsOthers) return [];
    const commands: Command[] = [];
    for (const [target, { isHand }] of open) {
      if (isHand) commands.push({ op: 'cancel', target, gently: true });
      else if (isAsking && isQuestion(target)) commands.push({ op: 'cancel', target });
    }
    return commands;
  }

  function isQuestion(id: string): boolean {
    return id === idOf('permit', open.get(id)?.number ?? 0);
  }

  return {
    start: advance,
    deliver,
    stop: () => fails({ code: 'cancelled', message: 'it was cancelled', retryable: false }),
    open: () => [...open.keys()],
    end() {
      if (open.size > 0) return undefined;
      if (failure !== undefined) return { err: failure };
      const results: ToolMessage[] = [];
      const refused: RefusedCall[] = [];
      for (const { result, isRefused } of states) {
        if (result === undefined) return undefined;
        results.push(result);
        if (isRefused) refused.push({ call: result.call, text: result.content });
      }
      return { results, refused };
    },
  };
}

/** What of a hand is no matter for the model that called it. */
const endsAll: ReadonlySet<string> = new Set(['limit', 'cancelled']);

/** Text as it is, and so is what a thunk says that gives a message; anything else as JSON. */
function handText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Why a call is not done at all, for the model. */
function refusalOf({ tool, problem }: ToolCall, offered: ReadonlyMap<string, OfferedTool>): string | undefined {
  if (problem !== undefined) return problem;
  if (offered.has(tool)) return undefined;
  const names = [...offered.keys()];
  const rest = names.length === 0 ? 'There are no tools here.' : `The tools are ${names.join(', ')}.`;
  return `There is no tool "${tool}" here.${didYouMean(closest(tool, names))} ${rest}`;
}

function denialText({ decidedBy, note }: Readonly<Record<string, unknown>>): string {
  const by = typeof decidedBy === 'string' && decidedBy !== '' ? ` by ${decidedBy}` : '';
  const why = typeof note === 'string' && note !== '' ? `: ${note}` : '.';
  return `This call was not allowed${by}${why}`;
}
