/**
 * Runs as others use them: begun, driven, decided, cancelled. To begin a run and to resume it are one thing: the journal
 * of a new run holds only its start.
 */
import {
  type Definition,
  type InboxDraft,
  type InboxItem,
  type JournalEvent,
  type LeaseOwner,
  type RunRow,
  type Store,
  unreadableRun,
  type WaitingRow,
  type Writer,
} from '../journal/index.ts';
import type { Json, MachineRef, MakeMachine } from '../machine/index.ts';
import type { WorkflowPlan } from '../plan/index.ts';
import { machineNumber } from '../plan/machine/index.ts';
import { type Clock, newRunId } from '../sys/index.ts';
import { ToolangError } from '../text/index.ts';
import { type Clean, cleaner } from './clean.ts';
import { type DriveEnd, type DriveMessage, type DriveOptions, drive } from './drive.ts';
import { giveLease, type Machine, missingRun, takeLease } from './lease.ts';
import { hasCache, type ResultCache } from './result-cache.ts';
import { fits } from './segment/memo.ts';
import { type Past, readPast } from './segment/past.ts';
import { type RunState, replay } from './state.ts';

export interface NewRun {
  /** A new one, where nobody has chosen it. */
  readonly id?: string;
  readonly plan: WorkflowPlan;
  readonly input: Json;
  /** The file it comes from, absolute, and its text. */
  readonly file?: string;
  readonly source: string;
  readonly models?: Readonly<Record<string, string>>;
  /** The file that answers for every model of the run, absolute. */
  readonly script?: string;
  /** That file is a recording, and answers as one. */
  readonly replay?: true;
  /** The file that what is asked and answered is recorded in, absolute. */
  readonly record?: string;
  /** The files with replies, by absolute paths. They are kept; left out, files are read when a model is asked. */
  readonly replies?: ReadonlyMap<string, string>;
  /** Hashes of the modules of its handlers, by their names in the plan. */
  readonly modules?: Readonly<Record<string, string>>;
  /** Hashes of all files that its plan was made of, by absolute paths; where none is another, neither is the plan. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What a run is resumed from. */
export interface StoredRun {
  readonly row: RunRow;
  readonly plan: WorkflowPlan;
  readonly source: string;
  readonly input: Json;
  /** Of its last segment. */
  readonly started: Definition;
}

export interface DriveRunOptions extends Pick<DriveOptions, 'limit' | 'limits' | 'redactor'> {
  readonly store: Store;
  readonly root: string;
  /** Of the lease, for whoever has it already. */
  readonly epoch?: number;
  readonly machine: Machine;
  readonly clock: Clock;
  /** The machines of the run; `ref` is that of the root. */
  readonly machines: (run: StoredRun) => { readonly make: MakeMachine; readonly ref: MachineRef };
  /** The hashes of its modules as they are now: what its results are known by. Without it those that it has. */
  readonly modulesOf?: (run: StoredRun) => Promise<Readonly<Record<string, string>>>;
  /** What does its steps; closed when the run is left. */
  readonly executors: (run: StoredRun) => RunExecutors;
  /** The results that it shares with other runs; undefined where it shares none. */
  readonly cacheOf?: (run: StoredRun) => ResultCache | undefined;
  readonly soft?: AbortSignal;
  readonly hard?: AbortSignal;
  readonly wait?: boolean;
  readonly tell?: (message: DriveMessage) => void;
  /** Begin steps again that were running each of the last times their owner died. */
  readonly again?: boolean;
}

export interface RunExecutors
  extends Pick<DriveOptions, 'executors' | 'committed' | 'mostCost' | 'places' | 'hosts' | 'idle'> {
  readonly close: () => Promise<void>;
}

export type RunEnd =
  | DriveEnd
  | { readonly kind: 'held'; readonly by: LeaseOwner }
  /** It had ended before. */
  | { readonly kind: 'over'; readonly row: RunRow };

export interface CreatedRun {
  readonly id: string;
  readonly epoch: number;
}

/**
 * Nothing has been begun; whoever creates it holds its lease. Its input holds no secrets any more. It is on the disk when its first
 * step is: before that there is nothing to lose.
 */
export function createRun(store: Store, run: NewRun, { me }: Machine, clock: Clock): CreatedRun {
  const { plan, file } = run;
  const at = clock.now();
  const id = run.id ?? newRunId();
  return store.write((writer) => {
    if (store.run(id) !== undefined) throw new Error(`the store has a run ${id} already`);
    writer.addRun({
      id,
      root: id,
      name: plan.name,
      ...(file !== undefined && { file }),
      status: 'running',
      startedAt: at,
      updatedAt: at,
    });
    const body = { kind: 'run.started' as const, ...definitionOf(writer, run) };
    const epoch = writer.takeLease(id, me, undefined, at);
    if (epoch === undefined) throw new Error(`the new run ${id} is driven already`);
    writer.append(id, epoch, [{ at, run: id, body }]);
    return { id, epoch };
  }, 'soon');
}

/** What the journal keeps of what is run. */
export function definitionOf(writer: Writer, run: NewRun): Definition {
  const { plan, input, source, models = {}, script, replay, record, replies, modules, files } = run;
  return {
    name: plan.name,
    plan: writer.putBlob(JSON.stringify(plan)),
    source: writer.putBlob(source),
    input,
    machine: machineNumber,
    models,
    ...(script !== undefined && { script }),
    ...(replay && { replay }),
    ...(record !== undefined && { record }),
    ...(replies && {
      replies: Object.fromEntries([...replies].map(([path, text]) => [path, writer.putBlob(text)])),
    }),
    ...(modules && Object.keys(modules).length > 0 && { modules }),
    ...(files && { files }),
  };
}

export function readRun(store: Store, root: string): StoredRun {
  const row = store.run(root);
  if (row === undefined) throw missingRun(store, root);
  const [first] = store.events(root, (row.segment ?? 1) - 1);
  if (first?.body.kind !== 'run.started' && first?.body.kind !== 'segment.opened') {
    throw unreadableRun(root, 'its journal does not begin with its start');
  }
  const { body } = first;
  const plan = store.blob(body.plan);
  const source = store.blob(body.source);
  if (plan === undefined || source === undefined) throw unreadableRun(root, 'its plan is not in the store');
  return { row, plan: planOf(root, plan), source, input: body.input, started: body };
}

/** A plan by its hash; undefined where the store does not have it. */
export function storedPlan(store: Store, root: string, hash: string): WorkflowPlan | undefined {
  const text = store.blob(hash);
  return text === undefined ? undefined : planOf(root, text);
}

/** What was read last: who drives a run and who shows it read the same plan. */
let latest: { readonly text: string; readonly plan: WorkflowPlan } | undefined;

function planOf(root: string, text: string): WorkflowPlan {
  try {
    if (latest?.text !== text) latest = { text, plan: JSON.parse(text) as WorkflowPlan };
    return latest.plan;
  } catch (cause) {
    throw unreadableRun(root, 'its plan is no plan', cause);
  }
}

type Replayed = Pick<DriveRunOptions, 'store' | 'root' | 'machines' | 'redactor'>;

/** Throws where the journal does not fit, or is not one of this program. */
export function replayRun(options: Replayed, run: StoredRun, cache?: ResultCache): RunState {
  const { store, root, machines, redactor } = options;
  const { machine } = run.started;
  if (!(machine <= machineNumber)) {
    throw new ToolangError(
      'TOO6002',
      `the run ${root} was made by a newer Toolang (its machine has the number ${machine}, the newest known here is ${machineNumber}): go on with that one`,
    );
  }
  const { segment } = run.row;
  const events = store.replayed(root, (segment ?? 1) - 1);
  // What was taken from the cache the journal tells, and it has to be known before its command is emitted.
  const past = segment !== undefined || hasCache(run.plan) ? pastOf(store, root, segment ?? 1, run.plan) : undefined;
  const also = { ...(past && { past }), ...(cache && { cache }) };
  return replay({ root, ...machines(run), events, ...also, clean: cleaner(redactor) });
}

/** What came before the segment that begins there. */
function pastOf(store: Store, root: string, segment: number, plan: WorkflowPlan): Past {
  const options = { plan, planOf: (hash: string) => storedPlan(store, root, hash), fits };
  return readPast(upTo(store.events(root), segment), store.events(root, segment), options);
}

function* upTo(events: Iterable<JournalEvent>, last: number): Generator<JournalEvent> {
  for (const event of events) {
    yield event;
    if (event.seq >= last) return;
  }
}

/** Takes the lease and drives until there is nothing to do but to wait for people. */
export async function driveRun(options: DriveRunOptions): Promise<RunEnd> {
  const { store, root, clock } = options;
  const mine = options.epoch === undefined ? undefined : ({ kind: 'mine', epoch: options.epoch } as const);
  const taken = mine ?? (await takeLease(store, root, options.machine, clock));
  if (taken.kind === 'held') return taken;
  const give = () => store.write((writer) => giveLease(store, writer, root, taken.epoch));
  try {
    const stored = readRun(store, root);
    if (stored.row.endedAt !== undefined) {
      give();
      return { kind: 'over', row: stored.row };
    }
    const modules = await options.modulesOf?.(stored);
    const run = modules ? { ...stored, started: { ...stored.started, modules } } : stored;
    const cache = hasCache(run.plan) ? options.cacheOf?.(run) : undefined;
    const state = replayRun(options, run, cache);
    const { segment } = run.row;
    const place = { epoch: taken.epoch, ...(segment !== undefined && { segment }), ...(cache && { cache }) };
    return await drive({ ...options, ...place, state, ...options.executors(run) });
  } catch (error) {
    // Nobody can drive it; at least nobody seems to.
    if (error instanceof ToolangError) give();
    throw error;
  }
}

/** A message without the secrets that a person wrote into it. */
export function cleanMessage(message: InboxItem['message'], clean: Clean): InboxItem['message'] {
  switch (message.kind) {
    case 'decide':
      return {
        ...message,
        ...(message.note !== undefined && { note: clean(message.note) }),
        ...(message.value !== undefined && { value: clean(message.value) }),
      };
    case 'cancel':
      return { ...message, reason: clean(message.reason) };
    case 'steer':
      return { ...message, message: clean(message.message) };
    default:
      return message;
  }
}

/** Why a decision, or what is said, is not taken. */
export type Refusal =
  | { readonly kind: 'not-open'; readonly waiting: readonly WaitingRow[] }
  | { readonly kind: 'decided'; readonly by: string }
  /** Of what is said to it: no agent is asked at the moment. */
  | { readonly kind: 'deaf' }
  | { readonly kind: 'over'; readonly row: RunRow };

/** Leaves a message for whoever drives the run. A decision is refused where its request is not open, or was answered. */
export function post(store: Store, root: string, draft: InboxDraft): Refusal | undefined {
  return store.write((writer) => {
    const row = store.run(root);
    if (row === undefined) throw missingRun(store, root);
    if (row.endedAt !== undefined) return { kind: 'over', row };
    const { message } = draft;
    if (message.kind === 'decide' || message.kind === 'answer') {
      const before = store
        .inbox(root)
        .find(({ message: other }) => 'node' in other && other.node === message.node && other.hash === message.hash);
      if (before !== undefined) return { kind: 'decided', by: before.by };
      const waiting = row.waiting ?? [];
      if (!waiting.some(({ node, hash }) => node === message.node && hash === message.hash)) {
        return decidedBy(store, row, message.node) ?? { kind: 'not-open', waiting };
      }
    }
    writer.post(root, draft);
    return undefined;
  });
}

/** In its last segment: what was decided before that is not what is asked now. */
function decidedBy(store: Store, { id, segment }: RunRow, node: string): Refusal | undefined {
  for (const event of store.events(id, segment)) {
    const { body } = event;
    if (event.node !== node) continue;
    if (body.kind === 'approval.decided' || body.kind === 'limit.answered') return { kind: 'decided', by: body.by };
  }
  return undefined;
}
