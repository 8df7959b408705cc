/**
 * The contract of durable runs. A machine decides what happens; a port does it and keeps it. The machine's job: retry,
 * backoff, order, limits, loops, branches, approvals. The port's job: to begin commands, to record facts, time, processes.
 *
 * A machine is pure: no clock, no chance, no I/O, no promises. The same facts give the same commands, for ever.
 * M1 Time is the last fact's `at`; chance is a hash of (run, id).
 * M2 An id is emitted once in a segment; every command but `cancel` and `proceed` gets exactly one fact.
 * M3 Commands that become ready together are emitted in document order.
 * M4 A limit counts open steps and children under its node; waiting (needs, timer, signal, queue) holds no slot. A child
 *    in which all wait rests: it has given its slot back, and what it wants to begin waits until it has one again.
 * M5 After a failure inside a `parallel` open steps finish, none starts, open signals and timers are cancelled, and the
 *    error lists every cause in document order.
 * M6 A timeout is part of its step: the fact comes only when the step's processes are gone, so attempts never overlap. That
 *    of a child is for the time in which its steps are at work: nobody waits within it, for people, for money, or for an owner.
 * M7 Facts from outside have ids with `@`. On `@cancel` the machine cancels all that is open, waits for the facts of
 *    what it cancelled, emits its cleaning steps, and ends; so too after a failure. Cleaning steps are never cancelled.
 */
import type { Json } from './json.ts';
import type { WorkPlace } from './work-place.ts';

export interface Machine {
  /** Called once, before anything is delivered. */
  readonly start: () => readonly Command[];
  /** `fact.id` is that of an open command of this machine, or one with `@`. */
  readonly deliver: (fact: Fact) => readonly Command[];
  /** Set when it has ended: nothing is open, and nothing is delivered any more. */
  readonly end: End | undefined;
}

/** `none`: it went well and has no value, because what would have given it was skipped. */
export type End =
  | { readonly ok: Json }
  | { readonly none: true }
  | { readonly err: RunError }
  | { readonly cancelled: string };

/** What a machine is made of: plain data, kept with the run. `kind` names the maker. */
export interface MachineRef {
  readonly kind: string;
  readonly [field: string]: Json;
}

export interface MachineInit extends WorkPlace {
  readonly runId: string;
  /** Stands before the ids of its commands, with a slash; empty for the root. */
  readonly path: string;
  readonly input: Json;
  /** When it was begun. */
  readonly at: number;
  /** When the run was begun, in its first segment: the time of expressions. That of `at` where nothing is said. */
  readonly runAt?: number;
}

/** By `ref.kind`: "workflow" (plan), "thunk" (agent). Throws only where the ref is not one that it made. */
export type MakeMachine = (ref: MachineRef, init: MachineInit) => Machine;

export type Command = StepCommand | TimerCommand | SignalCommand | ChildCommand | CancelCommand | ProceedCommand;

/** Something that is done outside: code, a handler, a model call. */
export interface StepCommand extends WorkPlace {
  readonly op: 'step';
  readonly id: string;
  readonly spec: StepSpec;
  readonly args: Json;
  /** More of them, for who asks while it is done: a handler may read any step, and most read few. */
  readonly values?: StepValues;
  /** What its result depends on, as far as that is known before. */
  readonly key: string;
  /** The same with other hashes of modules; absent where none counts. */
  readonly keyWith?: KeyWith;
  readonly timeoutMs?: number;
  /** Other runs may take its result from there. */
  readonly cache?: CacheSlot;
  readonly pool?: string;
}

export type KeyWith = (modules: Readonly<Record<string, string>>) => string;

/** Under what a result is kept for other runs. */
export interface CacheSlot {
  /** All that the result depends on. */
  readonly key: string;
  /** For people: the name of the workflow, and the path of the step in it. */
  readonly workflow: string;
  readonly step: string;
}

/** The values that a step can see. They do not change while it is open. */
export interface StepValues {
  readonly names: () => readonly string[];
  /** Undefined where there is none. */
  readonly get: (name: string) => Json | undefined;
}

/** `kind` names the executor: "run", "handler", "function", "model", "worktree". */
export interface StepSpec {
  readonly kind: string;
  readonly [field: string]: Json;
}

export interface TimerCommand {
  readonly op: 'timer';
  readonly id: string;
  readonly ms: number;
}

/** A question to people. */
export interface SignalCommand {
  readonly op: 'signal';
  readonly id: string;
  readonly kind: 'approval' | 'permission' | 'limit';
  readonly request: Json;
}

/** A machine inside of this one: a prompt step on a model or a thunk, a sub-workflow. */
export interface ChildCommand extends WorkPlace {
  readonly op: 'child';
  readonly id: string;
  readonly ref: MachineRef;
  readonly input: Json;
  readonly key: string;
  readonly keyWith?: KeyWith;
  readonly cache?: CacheSlot;
  /** The child has a run of its own in lists: a sub-workflow. */
  readonly run?: { readonly name: string };
  /** It has a slot: who emitted it is told when it rests and when it wakes, and answers the latter with `proceed`. */
  readonly limited?: true;
}

/** Has no fact of its own: the target gets its own result if that came first, else the error `cancelled`. */
export interface CancelCommand {
  readonly op: 'cancel';
  /** The id of the command that is cancelled. */
  readonly target: string;
  /** Beside a failure: what was begun may end, nothing else begins. A child is told so; a step that is done is let be. */
  readonly gently?: true;
}

/** A child that woke has a slot again. Between machines only: it has no fact, and no port sees it. */
export interface ProceedCommand {
  readonly op: 'proceed';
  /** The id of the child's command. */
  readonly target: string;
}

export type Outcome = { readonly ok: Json } | { readonly none: true } | { readonly err: RunError };

export type Fact = Outcome & {
  readonly id: string;
  /** Milliseconds since 1970; never before that of an earlier fact. */
  readonly at: number;
  readonly usage?: Usage;
  /** Not done now: found in the cache, or kept from an earlier segment. */
  readonly from?: 'cache' | 'kept';
  /** Of a step: when it was begun, the last time. What was never begun took no time. */
  readonly began?: number;
  /** For how long steps of this machine, and of those inside of it, were at work so far; told to children with a timeout. */
  readonly worked?: number;
};

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** In dollars; missing where the price is not known. */
  readonly cost?: number;
}

export interface RunError {
  /** `timeout`, `cancelled`, `schema`, `denied`, `limit`, `code` …: for programs. */
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly cause?: RunError;
  /** Of a failure with several causes, in document order. */
  readonly causes?: readonly RunError[];
  /** The node whose failure it is. */
  readonly node?: string;
  /** Where it was written, as `file:line:column`. */
  readonly at?: string;
  /** Of an exception in `run` code: where in that code it was thrown, from 1. */
  readonly codeAt?: { readonly line: number; readonly column: number };
}

/** The ids of facts from outside. */
export const cancelFact = '@cancel';
export const steerFact = '@steer';
/** From the machine around it: what is open ends, nothing starts. */
export const stopFact = '@stop';
/** About a child with a slot, whose id is the value: all in it waits, and then something could begin. Never recorded. */
export const restFact = '@rest';
export const wakeFact = '@wake';
