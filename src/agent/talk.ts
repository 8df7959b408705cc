/** A conversation as its machine has it: what is said to whom, what may be called, who may go on with it. */
import type { Json, MachineInit, StepSpec } from '../machine/index.ts';
import type { ModelCall, ModelMessage, ModelTool, ToolCall } from '../model/index.ts';
import type { ReadResult, TypeLanguage } from '../type/index.ts';
import type { Recalled, Unavailable, Wanted } from './assembly.ts';
import type { FirstCall } from './conversation.ts';
import type { OwnCall } from './tool-turn.ts';

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
  /** What the result of a tool depends on beside the call; undefined where that is all. */
  readonly toolKey?: (tool: string) => Json | undefined;
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

/** All that it may call: what was offered to it, and its hands and handoffs. */
export function toolsOf({ own }: Pick<Talk, 'own'>, offered: Iterable<ModelTool>): readonly ModelTool[] {
  return [...offered, ...Array.from(own.values(), ({ tool }) => tool)];
}
