/**
 * The words of the journal. An event is a fact, which a machine was given and is given again when a run is resumed, in
 * the same order; or a note, for people and for the port's own restart, which no machine ever sees. The set is closed: a
 * new word needs a new version of the store.
 *
 * `node` is the id of the command it belongs to, with its attempt: `polish[2]/review#1`.
 */
import type { Json, Outcome, RunError, Usage } from '../machine/index.ts';

export interface JournalEvent {
  /** Its place among all events of the root run, from 1. */
  readonly seq: number;
  readonly at: number;
  /** The run it belongs to: the root, or a sub-workflow of it. */
  readonly run: string;
  readonly node?: string;
  readonly body: EventBody;
}

/** What is appended: the store gives it its place. */
export type EventDraft = Omit<JournalEvent, 'seq'>;

export type EventBody = FrameBody | FactBody | NoteBody;

export type FrameBody =
  | {
      readonly kind: 'run.started';
      readonly name: string;
      /** Hashes of blobs. */
      readonly plan: string;
      readonly source: string;
      readonly input: Json;
      /** The number of the machine: a change of what it decides has a new one. */
      readonly machine: number;
      readonly models: Readonly<Record<string, string>>;
      /** The file that answers for every model of the run, absolute. */
      readonly script?: string;
      /** The files with replies that it was begun with: hashes of blobs, by absolute paths. */
      readonly replies?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'segment.opened'; readonly why: string; readonly kept: number };

export type FactBody =
  /** A step; without `output` it has no value. */
  | { readonly kind: 'node.done'; readonly output?: Json; readonly from?: 'cache' | 'kept'; readonly usage?: Usage }
  | { readonly kind: 'node.failed'; readonly error: RunError; readonly usage?: Usage }
  /** It answers permissions too. `value`: what the machine is given. */
  | {
      readonly kind: 'approval.decided';
      readonly approved: boolean;
      readonly note?: string;
      readonly by: string;
      readonly value: Json;
    }
  | { readonly kind: 'limit.answered'; readonly approved: boolean; readonly add?: number; readonly by: string }
  | { readonly kind: 'timer.fired' }
  /** A timer or a question that was cancelled. */
  | { readonly kind: 'node.cancelled'; readonly error: RunError }
  | { readonly kind: 'child.ended'; readonly outcome: Outcome; readonly usage?: Usage }
  | { readonly kind: 'model.answered'; readonly message: Json; readonly usage: Usage }
  | { readonly kind: 'model.failed'; readonly error: RunError; readonly usage?: Usage }
  | { readonly kind: 'run.steered'; readonly message: string; readonly by: string }
  | { readonly kind: 'run.cancel'; readonly by: string; readonly reason: string };

export type NoteBody =
  | { readonly kind: 'run.waiting'; readonly nodes: readonly string[] }
  /** Its owner was told to leave, and has not died of what was running. `held`: steps that it did not begin again. */
  | { readonly kind: 'run.stopped'; readonly held?: readonly string[] }
  | { readonly kind: 'run.done'; readonly output?: Json }
  | { readonly kind: 'run.failed'; readonly error: RunError }
  | { readonly kind: 'run.cancelled'; readonly by: string; readonly reason: string }
  | { readonly kind: 'node.started'; readonly key: string }
  | { readonly kind: 'node.skipped'; readonly why: string }
  /** A result that came after the step was cancelled: it cost something, and goes nowhere. */
  | { readonly kind: 'node.late'; readonly usage?: Usage }
  | { readonly kind: 'approval.requested'; readonly request: Json; readonly hash: string }
  | { readonly kind: 'timer.set'; readonly until: number }
  /** Of a sub-workflow: its own run, and what that was given. */
  | { readonly kind: 'child.started'; readonly child?: string; readonly name?: string; readonly input?: Json }
  /** `add`: hashes of the messages that the call before did not have; `after`: the seq of that call. */
  | {
      readonly kind: 'model.asked';
      readonly ref: string;
      readonly settings: Json;
      readonly after?: number;
      readonly add: readonly string[];
    }
  | { readonly kind: 'output.repaired'; readonly errors: readonly string[] }
  | { readonly kind: 'limit.reached'; readonly limit: string; readonly request: Json; readonly hash: string }
  | { readonly kind: 'session'; readonly id: string }
  /** What a step printed last. */
  | { readonly kind: 'node.printed'; readonly text: string };

const facts: ReadonlySet<EventBody['kind']> = new Set<FactBody['kind']>([
  'node.done',
  'node.failed',
  'approval.decided',
  'limit.answered',
  'timer.fired',
  'node.cancelled',
  'child.ended',
  'model.answered',
  'model.failed',
  'run.steered',
  'run.cancel',
]);

export function isFact(body: EventBody): body is FactBody {
  return facts.has(body.kind);
}
