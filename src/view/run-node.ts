/** What the journal of a run says of one of its nodes. */
import type { Json, RunError, Usage } from '../machine/index.ts';
import type { RunRemark } from './run-remark.ts';
import type { RunRequest } from './run-request.ts';
import type { PassedModel, RunToolCall } from './run-tools.ts';

export interface RunNode {
  readonly name: string;
  /** Of hands, and of what is in them: the names of the step and the hands around, outer ones first. */
  readonly within?: readonly string[];
  status: RunNodeStatus;
  startedAt: number;
  endedAt?: number;
  /** Of a step, from the first. */
  readonly attempts: RunAttempt[];
  usage: Usage;
  /** What was wrong with answers that were sent back. */
  readonly repairs: (readonly string[])[];
  /** Calls of models. */
  calls: number;
  /** The model that was asked last, and those that could not be. */
  model?: string;
  passed?: PassedModel[];
  /** Of an agent that is a program: what it calls the conversation. */
  session?: string;
  /** Tools that it called, in order. */
  tools?: RunToolCall[];
  /** To whom it handed over, what it remembered, in order. */
  remarks?: RunRemark[];
  request?: RunRequest;
  decision?: RunDecision;
  /** When it is tried again. */
  until?: number;
  output?: Json;
  error?: RunError;
  why?: string;
  fromCache?: true;
  /** What it printed last. */
  printed?: string;
  /** Of what makes and removes a worktree: what it did, for people. */
  did?: string;
  /** The run of a sub-workflow, and what it was given. */
  run?: string;
  input?: Json;
}

/** As far as events say; whether something was left out follows from the plan. */
export type RunNodeStatus = 'running' | 'waiting' | 'done' | 'failed' | 'skipped' | 'cancelled' | 'kept';

export interface RunAttempt {
  readonly number: number;
  startedAt: number;
  /** More than once when its owner died. */
  begun: number;
  endedAt?: number;
  error?: RunError;
}

export interface RunDecision {
  readonly approved: boolean;
  readonly by: string;
  readonly note?: string;
}
