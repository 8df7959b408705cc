/**
 * What a run would do if it went on with something else: which results stay, which steps run again, and which perhaps.
 * Nothing is done: the machines of the new plan are given the results that are kept, and where a step has to run again it
 * is assumed to give what it gave before. So loops and branches are followed as they would be.
 * 1. `kept`: its result stays, whatever the others give. `may`: it stays unless what it depends on gives something else.
 * 2. `again`: it has run, and something of its key is not what it was, or it did not succeed. `fresh`: it has not run.
 * 3. Where the way on cannot be known (what is new in a loop decides whether that goes on), results behind it are judged by
 *    what the plan says they depend on.
 */
import { type EventBody, isFact, type JournalEvent } from '../journal/index.ts';
import {
  addUsage,
  type Json,
  type Machine,
  type MachineInit,
  type MakeMachine,
  type Outcome,
  type RunError,
  type Usage,
} from '../machine/index.ts';
import { dependenciesOf, diffPlans, type KeyPart, nodesOf, sharedName, type WorkflowPlan } from '../plan/index.ts';
import { workflowMaker } from '../plan/machine/index.ts';
import { fits, identityOf, type MemoEntry, pathOf } from './memo.ts';
import { readPast } from './past.ts';
import { type Applied, emptyApplied, replay } from './state.ts';

export interface Preview {
  readonly kept: readonly string[];
  /** Kept under another name. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  /** Without parts: it had failed, or was denied. */
  readonly again: readonly { readonly step: string; readonly parts: readonly KeyPart[] }[];
  readonly may: readonly { readonly step: string; readonly because: readonly string[] }[];
  readonly fresh: readonly string[];
  /** Steps with results whose node is gone, or that are not reached any more. */
  readonly removed: readonly string[];
  /** What the results that certainly stay have cost. */
  readonly saved: Usage;
}

export interface PreviewOptions {
  readonly root: string;
  /** The journal, with the event that would open the new segment at its end. */
  readonly events: Iterable<JournalEvent>;
  readonly opening: JournalEvent;
  readonly before: { readonly plan: WorkflowPlan; readonly modules?: Readonly<Record<string, string>> };
  readonly after: { readonly plan: WorkflowPlan; readonly modules?: Readonly<Record<string, string>> };
  /** Where its last segment began: what counted only before that is not missed. */
  readonly since: number;
  /** The run was done: what it has not done is new. */
  readonly wasDone: boolean;
}

type Verdict = 'kept' | 'again' | 'may' | 'fresh' | 'next';

export function previewOf(options: PreviewOptions): Preview {
  const { root, events, opening, before, after, since, wasDone } = options;
  const nodes = new Map(Array.from(nodesOf(after.plan), (placed) => [placed.path, placed]));
  const hashes = { before: mapOf(before.modules), after: mapOf(after.modules) };
  const diff = diffPlans(before.plan, after.plan, hashes);
  const changed = new Map(diff.changed.map(({ path, parts }) => [path, parts]));
  const oldPaths = new Set(Array.from(nodesOf(before.plan), ({ path }) => path));
  const failed = new Set<string>();
  const past = readPast(withLast(noting(events, failed), opening), [], { paths: new Set(nodes.keys()), fits });
  const latest = latestOf(past.memo.entries);
  const spoiled = createSpoiled(after.plan);
  const bySeq = new Map(past.memo.entries.map((entry) => [entry.seq, entry]));
  /** Who can be read by a name. */
  const named = new Map<string, string[]>();
  for (const { node, path } of nodes.values()) {
    if (node.id === undefined) continue;
    const list = named.get(node.id);
    if (list) list.push(path);
    else named.set(node.id, [path]);
  }
  const verdicts = new Map<string, Verdict>();
  /** Entries that somebody kept, by their `seq`, and who. */
  const used = new Map<number, string>();

  const make = assumingMaker(workflowMaker(after.plan, after.modules));
  const ref = { kind: 'workflow', plan: '' };
  const state = replay({ root, make, ref, events: [opening], past });
  let applied = emptyApplied();
  state.beginAll(applied);
  for (let next = judge(applied); next.length > 0; next = judge(applied)) {
    applied = emptyApplied();
    for (const { id, outcome } of next) state.settle(id, outcome, undefined, opening.at, applied);
    if (state.end() !== undefined && 'err' in (state.end() ?? {})) {
      // What was kept on the way there still counts.
      judge(applied);
      break;
    }
  }

  /** What was kept, and what is assumed of the rest. */
  function judge({ events: told, ready }: Applied): { readonly id: string; readonly outcome: Outcome }[] {
    const next: { id: string; outcome: Outcome }[] = [];
    for (const { node, body } of told) {
      if (node === undefined) continue;
      if ('of' in body && body.of !== undefined) {
        const identity = identityOf(node);
        used.set(body.of, identity);
        keepOrDoubt(identity, bySeq.get(body.of));
      } else if (body.kind === 'approval.requested') {
        const outcome = assume(node, { ok: { approved: true, decidedBy: '', decidedAt: '' } });
        if (outcome) next.push({ id: node, outcome });
      } else if (body.kind === 'timer.set') next.push({ id: node, outcome: { ok: null } });
    }
    for (const { effect } of ready) {
      const { id, spec } = effect;
      if (spec.kind === 'worktree') {
        next.push({ id, outcome: latest.get(identityOf(id))?.outcome ?? { ok: { path: '.' } } });
        continue;
      }
      const outcome = assume(id.endsWith(assumed) ? id.slice(0, -assumed.length) : id, undefined);
      if (outcome) next.push({ id, outcome });
    }
    return next;
  }

  /** What a command that is done gives, as far as anybody can know: what it gave before. */
  function assume(id: string, otherwise: Outcome | undefined): Outcome | undefined {
    const identity = identityOf(id);
    const path = pathOf(identity);
    const entry = latest.get(identity);
    // What its own key reads may only seem changed: something before it was assumed.
    const isOwn = changed.has(path) || reasonsOf(identity, entry).length === 0;
    if (entry) verdicts.set(identity, isOwn ? 'again' : 'may');
    else verdicts.set(identity, failed.has(identity) ? 'again' : isNew(path) ? 'fresh' : 'next');
    spoiled.add(path);
    if (otherwise) return otherwise;
    if (entry) return entry.outcome;
    if (identity === path) return { none: true };
    // Whether a loop goes on depends on what nobody knows; but all of it has another iteration.
    const loop = `${pathOf(identity.slice(0, identity.lastIndexOf('[')))}/`;
    for (const inside of nodes.keys()) if (inside.startsWith(loop)) spoiled.add(inside);
    return undefined;
  }

  function keepOrDoubt(identity: string, entry: MemoEntry | undefined): void {
    const isSure = reasonsOf(identity, entry).length === 0;
    verdicts.set(identity, isSure ? 'kept' : 'may');
    // What it read the plan does not tell, so its readers are not known to depend on that.
    if (!isSure && spoiled.by(pathOf(identity)).length === 0) spoiled.add(pathOf(identity));
  }

  /** What runs again that it depends on: by the plan, and by what it read. */
  function reasonsOf(identity: string, entry: MemoEntry | undefined): readonly string[] {
    const reasons = new Set(spoiled.by(pathOf(identity)));
    for (const name of Object.keys(entry?.reads ?? {})) {
      const paths = name === '*' ? spoiled.all() : [...(named.get(name) ?? []), ...givenAs(name, pathOf(identity))];
      for (const path of paths) {
        if (spoiled.has(path)) reasons.add(path);
        else for (const reason of spoiled.by(path)) reasons.add(reason);
      }
    }
    return [...reasons].slice(0, mostReasons);
  }

  /** `input` and `params` are what somebody around gives. */
  function givenAs(name: string, path: string): string[] {
    const kind = name === 'input' ? 'workflow' : name === 'params' ? 'component' : undefined;
    if (kind === undefined) return [];
    const found: string[] = [];
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const around = path.slice(0, at);
      if (nodes.get(around)?.node.kind === kind) found.push(sharedName('given', around));
    }
    return found;
  }

  /** Something inside of a thunk that did not come to its end, or what makes a worktree: the node is what is shown. */
  function isInner(identity: string): boolean {
    const path = pathOf(identity);
    return !nodes.has(path) && !oldPaths.has(path);
  }

  function isNew(path: string): boolean {
    return wasDone || !oldPaths.has(path);
  }

  const removed: string[] = [];
  for (const [identity, entry] of latest) {
    if (verdicts.has(identity) || used.has(entry.seq) || isInner(identity) || entry.last < since) continue;
    const path = pathOf(identity);
    if (!nodes.has(path) || state.end() !== undefined) removed.push(identity);
    else if (changed.has(path)) verdicts.set(identity, 'again');
    else keepOrDoubt(identity, entry);
  }
  return { ...sorted(), removed, saved: savedBy() };

  function sorted(): Omit<Preview, 'removed' | 'saved'> {
    const of = (wanted: Verdict) => [...verdicts].flatMap(([step, verdict]) => (verdict === wanted ? [step] : []));
    const names = new Map(past.memo.entries.map(({ seq, identity }) => [seq, identity]));
    return {
      kept: of('kept'),
      moved: [...used].flatMap(([seq, to]) => {
        const from = names.get(seq);
        return from === undefined || from === to ? [] : [{ from, to }];
      }),
      again: of('again').map((step) => ({
        step,
        parts: changed.get(pathOf(step)) ?? (latest.has(step) ? ['values'] : []),
      })),
      may: of('may').map((step) => ({ step, because: reasonsOf(step, latest.get(step)) })),
      fresh: of('fresh'),
    };
  }

  /** Of each step the one result that stays: it may have come to others before. */
  function savedBy(): Usage {
    let sum: Usage = {};
    const taken = new Set(used.values());
    const counted = new Set<number>();
    for (const entry of past.memo.entries) {
      const { seq, identity, event } = entry;
      const to = used.get(seq) ?? (taken.has(identity) || latest.get(identity) !== entry ? undefined : identity);
      if (to === undefined || verdicts.get(to) !== 'kept' || counted.has(seq)) continue;
      counted.add(seq);
      const { body } = event;
      if ('usage' in body && body.usage) sum = addUsage(sum, body.usage);
    }
    return sum;
  }
}

/** What runs again, and who depends on it. */
function createSpoiled(plan: WorkflowPlan): {
  readonly add: (path: string) => void;
  readonly has: (path: string) => boolean;
  readonly all: () => Iterable<string>;
  readonly by: (path: string) => string[];
} {
  const readers = new Map<string, string[]>();
  for (const [reader, reads] of dependenciesOf(plan)) {
    for (const read of reads) {
      const list = readers.get(read);
      if (list) list.push(reader);
      else readers.set(read, [reader]);
    }
  }
  /** By each of those that run again. */
  const reasons = new Map<string, Set<string>>();
  const own = new Set<string>();
  return {
    has: (path) => own.has(path),
    all: () => own,
    add(path) {
      own.add(path);
      const reached = new Set(readers.get(path));
      for (const each of reached) {
        const all = reasons.get(each);
        // Then its readers have as many.
        if (all && (all.has(path) || all.size > mostReasons)) continue;
        if (all) all.add(path);
        else reasons.set(each, new Set([path]));
        for (const reader of readers.get(each) ?? []) reached.add(reader);
      }
    },
    by: (path) => [...(reasons.get(path) ?? [])].slice(0, mostReasons),
  };
}

const mostReasons = 10;

/** The last result of each step. */
function latestOf(entries: readonly MemoEntry[]): ReadonlyMap<string, MemoEntry> {
  return new Map(entries.map((entry) => [entry.identity, entry]));
}

function mapOf(modules: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  return new Map(Object.entries(modules));
}

function* withLast(events: Iterable<JournalEvent>, last: JournalEvent): Generator<JournalEvent> {
  yield* events;
  yield last;
}

const begins: ReadonlySet<EventBody['kind']> = new Set<EventBody['kind']>([
  'node.started',
  'child.started',
  'approval.requested',
]);

/** Notes what did not go well, and was not begun since. */
function* noting(events: Iterable<JournalEvent>, failed: Set<string>): Generator<JournalEvent> {
  for (const event of events) {
    const { node, body } = event;
    if (node !== undefined) {
      const isBad =
        body.kind === 'node.failed' ||
        (body.kind === 'child.ended' && 'err' in body.outcome && body.outcome.err.code !== 'cancelled') ||
        (body.kind === 'approval.decided' && !body.approved);
      if (isBad) failed.add(identityOf(node));
      // What was begun since is open, or has gone well.
      else if (isFact(body) || begins.has(body.kind)) failed.delete(identityOf(node));
    }
    yield event;
  }
}

const assumed = '/assumed';

/** Thunks give what is assumed of them, as one step. */
function assumingMaker(workflows: MakeMachine): MakeMachine {
  return (ref, init) => (ref.kind === 'workflow' ? workflows(ref, init) : createAssumed(init));
}

function createAssumed({ path }: MachineInit): Machine {
  let end: Machine['end'];
  return {
    start: () => [{ op: 'step', id: `${path}${assumed}`, spec: { kind: 'assumed' }, args: null, key: '' }],
    deliver(fact) {
      const cancelled: RunError = { code: 'cancelled', message: 'it was cancelled', retryable: false };
      end =
        'ok' in fact
          ? { ok: fact.ok as Json }
          : 'none' in fact
            ? { none: true }
            : { err: 'err' in fact ? fact.err : cancelled };
      return [];
    },
    get end() {
      return end;
    },
  };
}
