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
  | ({ readonly kind: 'run.started' } & Definition)
  /** The run goes on with this, and with what it has done before as far as that is offered. */
  | ({
      readonly kind: 'segment.opened';
      readonly why: SegmentWhy /** The `seq` from which on nothing is offered. */;
      readonly before?: number;
    } & Definition);

/**
 * Why a run goes on otherwise. `edit`: its file was changed. `keep`: so too, and what is done stays whatever was changed.
 * `retry`: what failed or was denied is done again. `fork`: it is a new run that shares the past of another.
 */
export type SegmentWhy = 'edit' | 'keep' | 'retry' | 'fork';

/** What is run. */
export interface Definition {
  readonly name: string;
  /** Hashes of blobs. */
  readonly plan: string;
  readonly source: string;
  readonly input: Json;
  /** The number of the machine: a change of what it decides has a new one. */
  readonly machine: number;
  /** What was chosen for this run, by the names of agents: laid over the plan of the file. */
  readonly models: Readonly<Record<string, string>>;
  /** The file that answers for every model of the run, absolute. */
  readonly script?: string;
  /** That file is a recording, and answers as one. */
  readonly replay?: true;
  /** The file that what is asked and answered is recorded in, absolute. */
  readonly record?: string;
  /** The files with replies that it was begun with: hashes of blobs, by absolute paths. */
  readonly replies?: Readonly<Record<string, string>>;
  /** Hashes of the modules of its handlers, with the local modules that they import; by the names in the plan. */
  readonly modules?: Readonly<Record<string, string>>;
  /** Hashes of all files that the plan was made of, by absolute paths: where none is another, the plan is the same. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Of a result that was not come to now. `of`: the event of an earlier segment that holds it; the store keeps it once. */
export interface Taken {
  readonly from?: 'cache' | 'kept';
  readonly of?: number;
  /** That of the command which took it, where nothing else tells it; what that reads is hashed anew then. */
  readonly key?: string;
  /** In which worktree it counts, of one that was kept. */
  readonly worktree?: string;
}

export type FactBody =
  /** A step; without `output` it has no value. */
  | ({
      readonly kind: 'node.done';
      readonly output?: Json;
      readonly usage?: Usage;
      /** Of code: hashes of what it read while it was done, by names. */
      readonly reads?: Readonly<Record<string, string>>;
      /** Of one from the cache, also that of a prompt: the run that came to it, and the key of its slot. */
      readonly origin?: string;
      readonly slot?: string;
    } & Taken)
  | { readonly kind: 'node.failed'; readonly error: RunError; readonly usage?: Usage }
  /** It answers permissions too. `value`: what the machine is given. */
  | ({
      readonly kind: 'approval.decided';
      readonly approved: boolean;
      readonly note?: string;
      readonly by: string;
      readonly value: Json;
    } & Taken)
  | { readonly kind: 'limit.answered'; readonly approved: boolean; readonly add?: number; readonly by: string }
  | { readonly kind: 'timer.fired' }
  /** A timer or a question that was cancelled. */
  | { readonly kind: 'node.cancelled'; readonly error: RunError }
  | ({ readonly kind: 'child.ended'; readonly outcome: Outcome; readonly usage?: Usage } & Taken)
  | ({ readonly kind: 'model.answered'; readonly message: Json; readonly usage: Usage } & Taken)
  | { readonly kind: 'model.failed'; readonly error: RunError; readonly usage?: Usage }
  /** A tool was called, or must not be before somebody was asked. What the model is told, also of what went wrong. */
  | ({ readonly kind: 'tool.answered'; readonly result: Json } & Taken)
  | { readonly kind: 'run.steered'; readonly message: string; readonly by: string }
  | { readonly kind: 'run.cancel'; readonly by: string; readonly reason: string };

export type NoteBody =
  | { readonly kind: 'run.waiting'; readonly nodes: readonly string[] }
  /** Its owner was told to leave, and has not died of what was running. `held`: steps that it did not begin again. */
  | { readonly kind: 'run.stopped'; readonly held?: readonly string[] }
  | { readonly kind: 'run.done'; readonly output?: Json }
  | { readonly kind: 'run.failed'; readonly error: RunError }
  | { readonly kind: 'run.cancelled'; readonly by: string; readonly reason: string }
  /** `worktree`: in which it works. */
  | { readonly kind: 'node.started'; readonly key: string; readonly worktree?: string }
  | { readonly kind: 'node.skipped'; readonly why: string }
  /** A result that came after the step was cancelled: it cost something, and goes nowhere. */
  | { readonly kind: 'node.late'; readonly usage?: Usage }
  /** `permission`: a tool is to be called, and somebody must allow it. */
  | { readonly kind: 'approval.requested'; readonly request: Json; readonly hash: string; readonly permission?: true }
  | { readonly kind: 'timer.set'; readonly until: number }
  /** Of a sub-workflow: its own run, and what that was given; of all others the key. */
  | {
      readonly kind: 'child.started';
      readonly child?: string;
      readonly name?: string;
      readonly input?: Json;
      readonly key?: string;
      readonly worktree?: string;
    }
  /** `add`: hashes of the messages that the call before did not have; `after`: the seq of that call. */
  | {
      readonly kind: 'model.asked';
      readonly ref: string;
      readonly settings: Json;
      readonly after?: number;
      readonly add: readonly string[];
    }
  /** It could not be asked, and the next one of its list was. */
  | { readonly kind: 'model.skipped'; readonly ref: string; readonly error: RunError }
  /** The arguments are in the answer with this call. */
  | { readonly kind: 'tool.asked'; readonly tool: string; readonly call: string }
  /** By a tool: it is in the memory of the agent from now on. */
  | { readonly kind: 'memory.saved'; readonly id: number; readonly text: string }
  /** A service that a thunk would have had cannot be reached: it goes on without. */
  | { readonly kind: 'service.left'; readonly service: string; readonly reason: string }
  /** The conversation goes on with another thunk. */
  | { readonly kind: 'handoff'; readonly from: string; readonly to: string }
  | { readonly kind: 'output.repaired'; readonly errors: readonly string[] }
  /** Of the answer before: calls that nothing was done for, and what the model was told instead. */
  | { readonly kind: 'calls.refused'; readonly calls: readonly { readonly call: string; readonly text: string }[] }
  | { readonly kind: 'limit.reached'; readonly limit: string; readonly request: Json; readonly hash: string }
  | { readonly kind: 'session'; readonly id: string }
  /**
   * `why`: it is not where, or not on what, the workflow says. `asked`: what that says; `around`: the worktree outside of it;
   * `made`: the branch is its own.
   */
  | {
      readonly kind: 'worktree.added';
      readonly path: string;
      readonly branch?: string;
      readonly commit: string;
      readonly why?: string;
      readonly asked?: { readonly branch?: string; readonly base?: string };
      readonly around?: string;
      readonly made?: true;
    }
  /** `kept`: why it is still there. */
  | { readonly kind: 'worktree.removed'; readonly path: string; readonly kept?: string }
  /** The files were set back to how they were; `left`: the ref that has what was there. `ahead`: what of people's is in them. */
  | { readonly kind: 'worktree.restored'; readonly left?: string; readonly ahead?: string }
  /** Something in it could not be kept, so it cannot be set back to that. */
  | { readonly kind: 'worktree.unkept'; readonly why: string }
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
  'tool.answered',
  'run.steered',
  'run.cancel',
]);

export function isFact(body: EventBody): body is FactBody {
  return facts.has(body.kind);
}

/** A result that was not come to now. A handoff has a `from` too, which is a thunk. */
export function isTaken(body: EventBody): body is Extract<FactBody, Taken> & { readonly from: 'cache' | 'kept' } {
  return isFact(body) && 'from' in body && body.from !== undefined;
}

/** How a result is written that an earlier event of the run holds. Its key, and what it read, where those are others now. */
export interface KeptBody {
  readonly kind: 'kept';
  readonly of: number;
  readonly key?: string;
  readonly reads?: Readonly<Record<string, string>>;
  readonly worktree?: string;
}

/** A body as it is stored. */
export function bodyText(body: EventBody): string {
  if (!('of' in body) || body.of === undefined) return JSON.stringify(body);
  const { of, key, worktree } = body;
  const reads = key !== undefined && 'reads' in body ? body.reads : undefined;
  const kept: KeptBody = {
    kind: 'kept',
    of,
    ...(key !== undefined && { key }),
    ...(reads && { reads }),
    ...(worktree !== undefined && { worktree }),
  };
  return JSON.stringify(kept);
}

/** A stored body that took its result from this one, as it is read. */
export function keptFrom(original: EventBody, { of, key, reads, worktree }: KeptBody): EventBody {
  const at = worktree === undefined ? {} : { worktree };
  const body = { ...original, from: 'kept', of, ...at } as EventBody;
  if (key === undefined) return body;
  const { reads: _, ...rest } = body as EventBody & Pick<KeptBody, 'reads'>;
  return { ...rest, key, ...(reads && { reads }) } as EventBody;
}
