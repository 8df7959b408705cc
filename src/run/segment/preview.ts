/**
 * What a run would do if it went on with something else: which results stay, which steps run again, and which perhaps.
 * Nothing is done: the machines of the new plan are given the results that are kept, and where a step has to run again it
 * is assumed to give what it gave before. So loops and branches are followed as they would be; how sure that is, and what
 * becomes of each step, is said in `preview-judge.ts`.
 * 1. What decides otherwise if a step gives something else is named as well: the other arm of a branch, further rounds.
 * 2. Where the machines come to an error by what was only assumed, or a loop goes on for too long, the rest is judged by
 *    what the plan says it depends on.
 */
import { type JournalEvent, mostDeaths } from '../../journal/index.ts';
import {
  addUsage,
  type Json,
  type Machine,
  type MachineInit,
  type MakeMachine,
  type Outcome,
  type RunError,
  type StepCommand,
  type Usage,
  workAt,
} from '../../machine/index.ts';
import { nodesOf, type Preview, type WorkflowPlan } from '../../plan/index.ts';
import { workflowMaker } from '../../plan/machine/index.ts';
import { type Applied, emptyApplied, replay } from '../state.ts';
import { createDenials } from './denials.ts';
import { fits, identityOf, type MemoEntry, pathOf } from './memo.ts';
import { readPast } from './past.ts';
import { createJudge, type Verdict } from './preview-judge.ts';
import { createPreviewPast, type Planned } from './preview-past.ts';
import { placesOf } from './preview-places.ts';
import { createSpoiled } from './preview-reasons.ts';

export type { Preview } from '../../plan/index.ts';

export interface PreviewOptions {
  readonly root: string;
  /** The journal, with the event that would open the new segment at its end. */
  readonly events: Iterable<JournalEvent>;
  readonly opening: JournalEvent;
  readonly before: Planned;
  readonly after: Planned;
  /** Where its last segment began: what counted only before that is not missed. */
  readonly since: number;
  /** The run was done: what it has not done is new. */
  readonly wasDone: boolean;
  /** The plans of earlier segments, by their hashes. */
  readonly planOf: (hash: string) => WorkflowPlan | undefined;
}

export function previewOf(options: PreviewOptions): Preview {
  const { root, events, opening, before, after, since, wasDone, planOf } = options;
  const places = placesOf(after.plan);
  const oldPaths = new Set(Array.from(nodesOf(before.plan), ({ path }) => path));
  const known = createPreviewPast(before, after, planOf);
  const past = readPast(withLast(known.noting(events), opening), [], { plan: after.plan, planOf, fits });
  const { entries, latest, bySeq } = grouped(past.memo.entries);
  const isByIdentity = opening.body.kind === 'segment.opened' && opening.body.why === 'keep';
  const spoiled = createSpoiled(after.plan, (path) => isByIdentity && isLeaf(path) && !isApproval(path));
  const isNew = (path: string) => wasDone || !oldPaths.has(path);
  const judge = createJudge({ places, spoiled, known, entries, latest, isByIdentity, isNew });
  /** Entries that somebody kept, by their `seq`, and who. */
  const used = new Map<number, string>();
  /** Steps that are not begun by themselves. */
  const held = new Set<string>();

  const make = assumingMaker(workflowMaker(after.plan, after.modules));
  const ref = { kind: 'workflow', plan: '' };
  const state = replay({ root, make, ref, events: [opening], past });
  let applied = emptyApplied();
  state.beginAll(applied);
  for (let next = follow(applied); next.length > 0; next = follow(applied)) {
    applied = emptyApplied();
    for (const { id, outcome } of next) {
      // What ended meanwhile took it back.
      if (state.open.has(id)) state.settle(id, outcome, undefined, opening.at, applied);
    }
  }
  const end = state.end();
  const isOver = end !== undefined && !('err' in end && isDoubtful(end.err));
  const removed = judgeRest();
  if (!isOver) judge.stop();

  /** What was kept, and what is assumed of the rest. */
  function follow({ events: told, ready, cancelled }: Applied): { readonly id: string; readonly outcome: Outcome }[] {
    const next: { id: string; outcome: Outcome }[] = [];
    for (const { node, body } of told) {
      if (node === undefined) continue;
      const identity = identityOf(node);
      if ('of' in body && body.of !== undefined) {
        const entry = bySeq.get(body.of);
        used.set(body.of, identity);
        if ('worktree' in body && body.worktree !== undefined) lookAt(body.worktree);
        if (entry) judge.meet(identity, { given: entry });
      } else if (body.kind === 'approval.requested') {
        meet(node, node);
      } else if (body.kind === 'timer.set') next.push({ id: node, outcome: { ok: null } });
    }
    for (const { effect } of ready) {
      const { id, spec } = effect;
      if (spec.kind !== 'worktree') {
        if (effect.worktree !== undefined) lookAt(effect.worktree);
        meet(id, id.endsWith(assumed) ? id.slice(0, -assumed.length) : id);
        continue;
      }
      next.push({ id, outcome: latest.get(identityOf(id))?.outcome ?? { ok: { path: '.' } } });
    }
    for (const id of cancelled) next.push({ id, outcome: { err: cancelledError } });
    return next;

    function meet(id: string, node: string): void {
      const identity = identityOf(node);
      if (state.begun(id) >= mostDeaths) held.add(identity);
      judge.meet(identity, 'done');
      const outcome = judge.assume(identity);
      if (outcome) next.push({ id, outcome });
    }
  }

  function lookAt(worktree: string): void {
    const someone = { op: 'step', id: '', spec: { kind: '' }, args: null, key: '', worktree } as const;
    judge.tree(worktree, past.memo.placesOf(someone));
  }

  /** What may let others come than those that were followed, where these came to a stop. */
  function stopsOf(): readonly string[] {
    if (isOver) return [];
    const found = end !== undefined && 'err' in end ? causesOf(end.err).flatMap(({ node }) => blockersAt(node)) : [];
    return [...new Set(found.length > 0 ? found : spoiled.all())];
  }

  function blockersAt(node: string | undefined): readonly string[] {
    const identity = identityOf(node ?? '');
    const path = pathOf(identity);
    const verdict = judge.verdicts.get(identity);
    if (verdict) return verdict.because.length > 0 ? verdict.because : [path];
    return spoiled.among(places.get(path)?.reads ?? []);
  }

  /** It came of what was assumed: nothing that runs again has a say in a failure that is real. */
  function isDoubtful(error: RunError): boolean {
    const causes = causesOf(error);
    if (causes[0] !== error) return causes.every(isDoubtful);
    const verdict = error.node === undefined ? undefined : judge.verdicts.get(identityOf(error.node));
    if (verdict !== undefined) return verdict.kind !== 'kept';
    const place = error.node === undefined ? undefined : places.get(pathOf(identityOf(error.node)));
    return place ? spoiled.among(place.reads).length > 0 : !isEmpty(spoiled.all());
  }

  /** What was not met: results that stay or not, and steps without any. Gives the names of those that are gone. */
  function judgeRest(): string[] {
    const gone = new Set<string>();
    const met = { stops: stopsOf() };
    const mayCome = (name: string) => judge.doubtsOf(name).length > 0 || (!isOver && !judge.isPassed(name));
    for (const [identity, entry] of latest) {
      if (judge.verdicts.has(identity) || used.has(entry.seq) || isInner(identity) || entry.last < since) continue;
      if (places.has(pathOf(identity)) && mayCome(identity)) judge.meet(identity, met);
      else gone.add(identity);
    }
    for (const place of places.values()) {
      if (!isLeaf(place.path)) continue;
      for (const name of judge.namesOf(place)) {
        if (!judge.verdicts.has(name) && !gone.has(name) && mayCome(name)) judge.meet(name, met);
      }
    }
    return [...gone];
  }

  function isLeaf(path: string): boolean {
    const kind = places.get(path)?.node.kind;
    return kind === 'step' || kind === 'approval' || kind === 'plugin';
  }

  function isApproval(path: string): boolean {
    return places.get(path)?.node.kind === 'approval';
  }

  /** Something inside of a thunk that did not come to its end, or what makes a worktree: the node is what is shown. */
  function isInner(identity: string): boolean {
    const path = pathOf(identity);
    return !places.has(path) && !oldPaths.has(path);
  }

  const of = (wanted: Verdict['kind']) => [...judge.verdicts].filter(([, { kind }]) => kind === wanted);
  const kept = of('kept');
  const isFailure = createDenials(() => after.plan);
  return {
    kept: kept.map(([step]) => step),
    moved: [...used].flatMap(([seq, to]) => {
      const from = bySeq.get(seq)?.identity;
      return from === undefined || from === to ? [] : [{ from, to }];
    }),
    again: of('again').map(([step, { parts }]) => ({ step, parts })),
    may: of('may').map(([step, { because }]) => ({ step, because })),
    fresh: of('fresh').map(([step]) => step),
    // biome-ignore lint/suspicious/noThenProperty: what comes then; nobody awaits it.
    then: of('next').map(([step]) => {
      const begun = known.isBegun(step);
      return held.has(step) ? { step, begun, held: true } : { step, begun };
    }),
    rounds: judge.rounds(),
    removed,
    denied: kept.flatMap(([step, { entry }]) => (isDenial(entry) && isFailure(step, '') ? [step] : [])),
    saved: savedBy(kept.flatMap(([, { entry }]) => (entry ? [entry] : []))),
  };
}

/** Itself, where nothing else caused it. */
function causesOf(error: RunError): readonly RunError[] {
  const causes = [...(error.causes ?? []), ...(error.cause ? [error.cause] : [])];
  return causes.length > 0 ? causes.flatMap(causesOf) : [error];
}

function isDenial(entry: MemoEntry | undefined): boolean {
  const body = entry?.event.body;
  return body?.kind === 'approval.decided' && !body.approved;
}

/** Of each step the one result that stays. */
function savedBy(entries: readonly MemoEntry[]): Usage {
  let sum: Usage = {};
  for (const { event } of new Map(entries.map((entry) => [entry.seq, entry])).values()) {
    const { body } = event;
    if ('usage' in body && body.usage) sum = addUsage(sum, body.usage);
  }
  return sum;
}

/** By who has them: all, and the one that counted last; each result goes by the name under which it counted last. */
function grouped(all: readonly MemoEntry[]) {
  const bySeq = new Map<number, MemoEntry>();
  for (const entry of all) if (entry.last >= (bySeq.get(entry.seq)?.last ?? 0)) bySeq.set(entry.seq, entry);
  const entries = new Map<string, MemoEntry[]>();
  const latest = new Map<string, MemoEntry>();
  for (const entry of bySeq.values()) {
    const { identity, last } = entry;
    const list = entries.get(identity);
    if (list) list.push(entry);
    else entries.set(identity, [entry]);
    if (last >= (latest.get(identity)?.last ?? 0)) latest.set(identity, entry);
  }
  return { bySeq, entries, latest };
}

function isEmpty(all: Iterable<unknown>): boolean {
  for (const _ of all) return false;
  return true;
}

function* withLast(events: Iterable<JournalEvent>, last: JournalEvent): Generator<JournalEvent> {
  yield* events;
  yield last;
}

const assumed = '/assumed';
const cancelledError: RunError = { code: 'cancelled', message: 'it was cancelled', retryable: false };

/** Thunks give what is assumed of them, as one step. */
function assumingMaker(workflows: MakeMachine): MakeMachine {
  return (ref, init) => (ref.kind === 'workflow' ? workflows(ref, init) : createAssumed(init));
}

function createAssumed(init: MachineInit): Machine {
  let end: Machine['end'];
  return {
    start() {
      const id = `${init.path}${assumed}`;
      const command: StepCommand = { op: 'step', id, spec: { kind: 'assumed' }, args: null, key: '' };
      workAt(command, init);
      return [command];
    },
    deliver(fact) {
      end =
        'ok' in fact
          ? { ok: fact.ok as Json }
          : 'none' in fact
            ? { none: true }
            : { err: 'err' in fact ? fact.err : cancelledError };
      return [];
    },
    get end() {
      return end;
    },
  };
}
