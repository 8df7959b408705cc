/**
 * A run that goes on otherwise: with an edited file, again where it failed, or as a new run that shares the past of another.
 * All of them open a segment; what they keep of the ones before is said in `memo.ts`.
 * 1. A segment is opened by who holds the lease, in one transaction with the row of the run: it is there whole or not at all.
 * 2. What people have answered and nobody has taken up yet is written before that, so that it counts as what they were asked.
 * 3. Who was shown what would happen opens it only if that is still so: otherwise nothing is written.
 * 4. A fork holds a copy of the journal it shares, so it does not need the other run any more. Places in the journal are the
 *    same in both.
 */
import {
  type EventBody,
  type EventDraft,
  isTaken,
  type JournalEvent,
  type RunRow,
  type SegmentWhy,
  type Store,
  type Writer,
} from '../../journal/index.ts';
import { nodesOf } from '../../plan/index.ts';
import { type Clock, newRunId } from '../../sys/index.ts';
import { giveLease, type Machine, missingRun, takeLease } from '../lease.ts';
import { type CreatedRun, definitionOf, type NewRun, readRun, type StoredRun, storedPlan } from '../runs.ts';
import { subRunId } from '../state.ts';
import { identityOf, pathOf } from './memo.ts';
import { type Preview, previewOf } from './preview.ts';
import { answersFor } from './untaken-answers.ts';

/** What a run goes on with. */
export interface Change extends NewRun {
  readonly why: Exclude<SegmentWhy, 'fork'>;
}

export type Opened =
  | ({ readonly kind: 'opened' } & CreatedRun)
  | { readonly kind: 'held'; readonly by: NonNullable<ReturnType<Store['lease']>>['owner'] };

/** It is not where it was when it was shown. */
export interface Moved {
  readonly kind: 'moved';
}

/** `seen`: what was last in the journal, as the preview says it. Throws where there is no such run. */
export function openSegment(
  store: Store,
  root: string,
  change: Change,
  machine: Machine,
  clock: Clock,
): Promise<Opened>;
export function openSegment(
  store: Store,
  root: string,
  change: Change,
  machine: Machine,
  clock: Clock,
  seen: number | undefined,
): Promise<Opened | Moved>;
export async function openSegment(
  store: Store,
  root: string,
  change: Change,
  machine: Machine,
  clock: Clock,
  seen?: number,
): Promise<Opened | Moved> {
  // Whoever has the lease and does not drive keeps others out.
  if (isMoved()) return { kind: 'moved' };
  const taken = await takeLease(store, root, machine, clock);
  if (taken.kind === 'held') return taken;
  const { epoch } = taken;
  return store.write((writer) => {
    if (isMoved()) {
      giveLease(store, writer, root, epoch);
      return { kind: 'moved' };
    }
    const row = rowOf(store, root);
    const at = Math.max(clock.now(), row.updatedAt);
    const answers = answersFor(store, row, at);
    if (answers.length > 0) {
      const events = answers.map(({ event }) => event);
      writer.append(root, epoch, events);
      const ids = answers.map(({ id }) => id);
      writer.dropInbox(root, epoch, ids);
    }
    const { why } = change;
    open(store, writer, root, epoch, { kind: 'segment.opened', why, ...definitionOf(writer, change) }, at);
    writer.updateRun(root, { name: change.plan.name, ...(change.file !== undefined && { file: change.file }) });
    return { kind: 'opened', id: root, epoch };
  });

  function isMoved(): boolean {
    if (seen === undefined) return false;
    const last = seen - answersFor(store, rowOf(store, root), 0).length;
    let count = 0;
    for (const { seq } of store.events(root, last - 1)) if (++count > 1 || seq !== last) return true;
    return count === 0;
  }
}

function rowOf(store: Store, root: string): RunRow {
  const row = store.run(root);
  if (row === undefined) throw missingRun(store, root);
  return row;
}

/** What is open in sub-workflows of the segment before ends with it; those that the new one has begin anew. */
function open(store: Store, writer: Writer, root: string, epoch: number, body: EventBody, at: number): void {
  const segment = writer.append(root, epoch, [{ at, run: root, body }]);
  for (const { id, endedAt } of store.runs({ root })) {
    if (id !== root && endedAt === undefined) {
      writer.updateRun(id, { status: 'cancelled', updatedAt: at, endedAt: at, waiting: [] });
    }
  }
  writer.updateRun(root, {
    status: 'running',
    updatedAt: at,
    endedAt: undefined,
    waiting: [],
    error: undefined,
    output: undefined,
    segment,
  });
}

/** `last`: the `seq` before that of the segment. */
export type ShownChange = Preview & { readonly last: number };

/** As if the segment were opened now; nothing is written. */
export function previewChange(store: Store, root: string, change: Change, now: number): ShownChange {
  const { row, plan, started } = readRun(store, root);
  const at = Math.max(now, row.updatedAt);
  let last = 0;
  function* all(): Generator<JournalEvent> {
    for (const event of store.events(root)) {
      last = event.seq;
      yield event;
    }
    for (const { event } of answersFor(store, row, at)) yield { ...event, seq: ++last };
  }
  const { why, input, modules } = change;
  // What it is run with is given beside it.
  const { name, plan: text, source, machine, models } = started;
  const body: EventBody = { kind: 'segment.opened', why, name, plan: text, source, input, machine, models };
  const preview = previewOf({
    root,
    events: all(),
    opening: {
      get seq() {
        return last + 1;
      },
      at,
      run: root,
      body,
    },
    before: { plan, ...(started.modules && { modules: started.modules }) },
    after: { plan: change.plan, ...(modules && { modules }) },
    since: row.segment ?? 0,
    wasDone: row.status === 'done',
    planOf: (hash) => storedPlan(store, root, hash),
  });
  return { ...preview, last };
}

export interface Fork {
  /** The step from which on all is done again, as `stepAt` found it. */
  readonly before?: number;
  /** What it is run with; that of the other run, where nothing else is said. */
  readonly change: NewRun;
}

export function forkRun(
  store: Store,
  { row }: StoredRun,
  { before, change }: Fork,
  { me }: Machine,
  clock: Clock,
): CreatedRun {
  const id = newRunId();
  return store.write((writer) => {
    const at = Math.max(clock.now(), rowOf(store, row.id).updatedAt);
    const { plan, file } = change;
    writer.addRun({
      id,
      root: id,
      name: plan.name,
      ...(file !== undefined && { file }),
      forkOf: row.id,
      status: 'running',
      startedAt: at,
      updatedAt: at,
    });
    const epoch = writer.takeLease(id, me, undefined, at);
    if (epoch === undefined) throw new Error(`the new run ${id} is driven already`);
    copyEvents(store, writer, row, id, epoch);
    const offer = before === undefined ? {} : { before };
    open(
      store,
      writer,
      id,
      epoch,
      { kind: 'segment.opened', why: 'fork', ...offer, ...definitionOf(writer, change) },
      at,
    );
    return { id, epoch };
  });
}

const copiedAtOnce = 200;

/** Sub-workflows have runs of their own, which are called otherwise in the copy. */
function copyEvents(store: Store, writer: Writer, { id: from }: RunRow, to: string, epoch: number): void {
  const names = new Map([[from, to]]);
  let batch: EventDraft[] = [];
  for (const { at, run, node, body } of store.events(from)) {
    const copied: EventBody =
      body.kind === 'child.started' && body.child !== undefined && node !== undefined
        ? { ...body, child: renamed(body.child, node) }
        : body;
    batch.push({ at, run: names.get(run) ?? to, ...(node !== undefined && { node }), body: copied });
    if (batch.length >= copiedAtOnce) {
      writer.append(to, epoch, batch);
      batch = [];
    }
  }
  if (batch.length > 0) writer.append(to, epoch, batch);

  function renamed(child: string, node: string): string {
    const id = subRunId(to, node);
    names.set(child, id);
    return id;
  }
}

export type StepAt =
  | { readonly kind: 'found'; readonly seq: number; readonly step: string }
  /** The steps that were begun, in their order. */
  | { readonly kind: 'unknown'; readonly steps: readonly string[] };

/**
 * Where a step was begun in the last segment, or kept. `step` is what people write: the identity, with or without the
 * rounds of loops; without them it is the first. A loop, a component or a sub-workflow is where its first step was begun.
 * Where nothing is called so, the end of a path is enough, or the whole id of a step in a component: the first of them.
 */
export function stepAt(store: Store, root: string, step: string): StepAt {
  const { row, plan } = readRun(store, root);
  const ids = new Map(Array.from(nodesOf(plan), ({ path, node }) => [path, node.id]));
  const steps = new Set<string>();
  const wanted = identityOf(step);
  let ending: StepAt | undefined;
  for (const { seq, node, body } of store.events(root, row.segment ?? 1)) {
    if (node === undefined || !isBegin(body)) continue;
    const identity = identityOf(node);
    const path = pathOf(identity);
    if (!ids.has(path)) continue;
    const names = [identity, path];
    const found = { kind: 'found', seq, step: identity } as const;
    if (names.some((name) => isAt(name, wanted))) return found;
    const isEnd = ids.get(path) === wanted || names.some((name) => endsAt(name, wanted));
    if (isEnd) ending ??= found;
    steps.add(identity);
  }
  return ending ?? { kind: 'unknown', steps: [...steps] };
}

/** `polish[2]/revise` is at itself, and in `polish` and `polish[2]`. */
function isAt(name: string, wanted: string): boolean {
  return name === wanted || (name.startsWith(wanted) && /^[/[]/.test(name.slice(wanted.length)));
}

/** `polish[2]/revise` ends with `revise`. */
function endsAt(name: string, wanted: string): boolean {
  for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
    if (isAt(name.slice(at + 1), wanted)) return true;
  }
  return false;
}

function isBegin(body: EventBody): boolean {
  if (isTaken(body)) return true;
  return ['node.started', 'child.started', 'approval.requested'].includes(body.kind);
}
