/**
 * What a run has done before it was changed: the results of its earlier segments, offered to the commands of a new one.
 * 1. A result is kept for a command of the same identity and key: who it is, and all that its result depends on. Of several
 *    it is the one that counted last, so that what is kept is what the run has now.
 * 2. What finds none is matched by key, first come, first served, among the results of nodes that are gone or are something
 *    else now: so a step that was renamed or moved keeps its result, whoever had that name before. It takes nothing from a
 *    step that is still there as it was, and a step that was there itself, as it is now, takes nothing of others.
 * 3. Where keys do not count (`--keep`), identity alone does, and that the result fits. What people decided stays only with
 *    the words that they have read.
 * 4. Who tries again or forks has edited nothing: there a result is also kept for the modules that made it, whatever became
 *    of them. What runs is recorded under those of now.
 * 5. Calls inside of a thunk that has not ended are kept in their order: the second stays the second, with keys and without.
 * 6. The work of a step in a worktree is in its files, too: whether those are there is said in `memo-places.ts`.
 */
import type { EventBody, JournalEvent } from '../../journal/index.ts';
import type { Outcome } from '../../machine/index.ts';
import type { WorkflowPlan } from '../../plan/index.ts';
import { fitting } from '../step-output.ts';
import { createDenials } from './denials.ts';
import { collectEntries, type Kept, type MemoEntry } from './memo-entries.ts';
import {
  commandKey,
  identityOf,
  isKeyOf,
  type Keepable,
  numberIn,
  numberOf,
  pathOf,
  readsNow,
  visibleNames,
  wasKeyOf,
} from './memo-key.ts';
import { type NodesThere, nodesThere, type PlanOf } from './memo-nodes.ts';
import { createPlaces } from './memo-places.ts';

export type { Kept, MemoEntry, Offer } from './memo-entries.ts';
export { identityOf, type Keepable, pathOf, readHash, requestKey, shortHash } from './memo-key.ts';

export interface Memo {
  /** The result that the command keeps; undefined where it has to be done. */
  readonly take: (command: Keepable) => Kept | undefined;
  /** The command has kept the result of this event before. */
  readonly kept: (command: Keepable, seq: number) => void;
  /** The command was begun before, and nothing was kept for it. */
  readonly missed: (command: Keepable) => void;
  /** All that is offered, in the order in which it was recorded. */
  readonly entries: readonly MemoEntry[];
  /** The places in which its work is: branches, and worktrees on none. */
  readonly placesOf: (command: Keepable) => readonly string[];
  /** Somebody wants it done, and not looked up. */
  readonly isAgain: (command: Keepable) => boolean;
}

export interface MemoOptions {
  /** That which is offered the results, and those before it, by their hashes. */
  readonly plan: WorkflowPlan;
  readonly planOf: PlanOf;
  /** Whether a result fits what a command is to give; asked where keys do not count. */
  readonly fits: (command: Keepable, outcome: Outcome) => boolean;
}

/** Whether a result that is kept without looking at its key is one that the command may give. */
export function fits(command: Keepable, outcome: Outcome): boolean {
  if (command.op === 'signal') return true;
  const { output, types } = command.op === 'step' ? command.spec : command.ref;
  const spec = { kind: 'any', ...(output !== undefined && { output }), ...(types !== undefined && { types }) };
  return !('err' in fitting(outcome, spec));
}

/**
 * How the journal tells that a result was kept. What it says to have cost was paid before. Where it is kept under another key
 * than it was come to, that is told, with what it would read now.
 */
export function keptBody(kept: Kept | MemoEntry, command: Keepable): EventBody {
  const { seq, event } = kept;
  const body = { ...event.body, from: 'kept', of: seq } as EventBody & { worktree?: string };
  if (command.op === 'signal') return body;
  if (command.worktree !== undefined) body.worktree = command.worktree;
  const { key } = command;
  if (!('made' in kept)) return body;
  const { slot, ...made } = kept.made;
  if (isKeyOf(made, command, key) || wasKeyOf(made, command)) return body;
  const { reads: old, ...rest } = body as typeof body & Pick<MemoEntry, 'reads'>;
  const reads = readsAnew(command, old, slot !== undefined);
  return { ...rest, key, ...(reads && { reads }) } as EventBody;
}

/** What is told of a result from the cache: who took it, and what that could see. */
export function cachedBody<Body extends EventBody>(body: Body, command: Keepable): Body {
  if (command.op === 'signal') return body;
  const reads = readsAnew(command, undefined, true);
  return { ...body, key: command.key, ...(reads && { reads }) };
}

/** `isUnknown`: nobody knows what it read. */
function readsAnew(command: Keepable, old: MemoEntry['reads'], isUnknown: boolean): MemoEntry['reads'] {
  if (command.op !== 'step') return undefined;
  const names = isUnknown ? visibleNames(command) : old && Object.keys(old);
  return names && readsNow(command, names);
}

/** Reads the journal up to the segment that is offered something, that one included. */
export function createMemo(events: Iterable<JournalEvent>, { plan, planOf, fits }: MemoOptions): Memo {
  const places = createPlaces();
  const { entries, isByIdentity, isAsItWas, again } = collectEntries(events, places.look, createDenials(planOf));
  let known: NodesThere | undefined;
  const nodes = () => (known ??= nodesThere(plan, planOf));
  const byIdentity = groupsOf(entries, ({ identity }) => [identity]);
  const byKey = groupsOf(entries, ({ key, made }) => (key === made.key ? [key] : [key, made.key]));
  /** Those of nodes that will not ask for them, by keys: what the run has now before what it had once. */
  const free = new Map<string, MemoEntry[]>();
  const taken = new Set<number>();

  function freeOf(key: string): readonly MemoEntry[] {
    let list = free.get(key);
    if (list === undefined) {
      list = (byKey.get(key) ?? []).filter(({ identity, plan: then }) => !nodes().isThere(pathOf(identity), then));
      list.sort((a, b) => b.segment - a.segment || a.last - b.last);
      free.set(key, list);
    }
    return list;
  }

  function found(command: Keepable): MemoEntry | undefined {
    const key = commandKey(command);
    const isSame = (entry: MemoEntry) =>
      isKeyOf(entry, command, key) || isKeyOf(entry.made, command, key) || (isAsItWas && wasKeyOf(entry.made, command));
    const isFit = (entry: MemoEntry) =>
      isByIdentity && command.op !== 'signal' ? fits(command, entry.outcome) : isSame(entry);
    const number = numberOf(command);
    const mayKeep = ({ seq, id }: MemoEntry) =>
      !taken.has(seq) &&
      (number === undefined || number === numberIn(id)) &&
      places.mayKeep(command, seq, isByIdentity);
    let own: MemoEntry | undefined;
    for (const entry of byIdentity.get(identityOf(command.id)) ?? []) {
      if (entry.last > (own?.last ?? 0) && isFit(entry) && mayKeep(entry)) own = entry;
    }
    if (own) return own;
    // Who was there then, as it is now, is no new name of another: it has not been done.
    const path = pathOf(identityOf(command.id));
    return freeOf(key).find((entry) => !nodes().wasThere(path, entry.plan) && isSame(entry) && mayKeep(entry));
  }

  function kept(command: Keepable, seq: number): void {
    taken.add(seq);
    places.kept(command, seq);
  }

  return {
    entries,
    missed: places.missed,
    placesOf: places.namesOf,
    kept,
    isAgain(command) {
      const identity = identityOf(command.id);
      return again !== undefined && (identity === again || identity.startsWith(`${again}/`));
    },
    take(command) {
      const entry = isAround(command) ? undefined : found(command);
      if (entry) kept(command, entry.seq);
      else places.missed(command);
      return entry;
    },
  };
}

/** It is no work of its own: a sub-workflow, whose steps are kept one by one, or what makes and removes a worktree. */
function isAround(command: Keepable): boolean {
  return command.op === 'child' ? command.run !== undefined : command.op === 'step' && command.spec.kind === 'worktree';
}

function groupsOf(
  entries: readonly MemoEntry[],
  namesOf: (entry: MemoEntry) => readonly string[],
): ReadonlyMap<string, MemoEntry[]> {
  const groups = new Map<string, MemoEntry[]>();
  for (const entry of entries) {
    for (const name of namesOf(entry)) {
      const list = groups.get(name);
      if (list) list.push(entry);
      else groups.set(name, [entry]);
    }
  }
  return groups;
}
