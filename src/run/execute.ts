/** Who does a step: the contract between the driver and what runs code or asks models. */
import type { EventBody, NoteBody } from '../journal/index.ts';
import type { Outcome, StepCommand, Usage } from '../machine/index.ts';

/** By the kind of the step's spec. It never rejects for what the step did: that is an outcome. */
export type Execute = (command: StepCommand, context: StepContext) => Promise<StepResult>;

export type Executors = Readonly<Record<string, Execute>>;

export interface StepResult {
  readonly outcome: Outcome;
  readonly usage?: Usage;
  /** Hashes of what it read while it was done, by names. */
  readonly reads?: Reads;
}

export type Reads = Readonly<Record<string, string>>;

export interface StepContext {
  readonly runId: string;
  /** The same when the step is begun again after a crash: `run/id`. */
  readonly idempotencyKey: string;
  /** From 1. */
  readonly attempt: number;
  /** Aborted by a timeout, a cancel, or the end of the driver; it settles only when its processes are gone. */
  readonly signal: AbortSignal;
  /** Aborted, before `signal`, when there is no time to end by itself. */
  readonly now?: AbortSignal;
  /** What an earlier try of this very command noted. */
  readonly notes: readonly EventBody[];
  /** Durable with the next commit. */
  readonly note: (body: NoteBody) => void;
  /** A process group that it leads was started; known to whoever takes over. */
  readonly spawned: (pid: number) => void;
  readonly ended: (pid: number) => void;
  /** It waits for its turn, or for a process that is ready, until then: that does not count as time of the step. */
  readonly queued?: (turn: Promise<unknown>) => void;
}
