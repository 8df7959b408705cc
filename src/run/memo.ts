/**
 * What a run has done before it was changed: the results of its earlier segments, offered to the commands of a new one.
 * 1. A result is kept for a command of the same identity and key: who it is, and all that its result depends on.
 * 2. What finds no partner by identity is matched by key, first come, first served: so a step that was renamed or moved
 *    keeps its result. It takes nothing from a step that still exists.
 * 3. Only what went well is offered, and what people decided: a failure is no work that somebody wants to keep.
 * 4. The work of a step in a worktree is in its files, too: when one there was not kept, none behind it is.
 * 5. Segments limit what later ones are offered: what a fork left behind, or a retry asks again, stays so.
 */
import type { EventBody, FrameBody, JournalEvent } from '../journal/index.ts';
import type { ChildCommand, Json, Outcome, SignalCommand, StepCommand } from '../machine/index.ts';
import { hashOf } from '../plan/index.ts';
import { outcomeOf } from './record.ts';
import { fitting } from './step-output.ts';

/** A result that becomes that of a command. */
export interface Kept {
  /** Of the event that holds it; 0 where it is that of another run. */
  readonly seq: number;
  readonly event: JournalEvent;
  readonly outcome: Outcome;
}

export type Keepable = StepCommand | SignalCommand | ChildCommand;

export interface Memo {
  /** The result that the command keeps; undefined where it has to be done. */
  readonly take: (command: Keepable) => Kept | undefined;
  /** The result of this event was kept before. */
  readonly taken: (seq: number) => void;
  /** The command was begun before, and nothing was kept for it. */
  readonly missed: (command: Keepable) => void;
  /** All that is offered, in the order in which it was recorded. */
  readonly entries: readonly MemoEntry[];
}

export interface MemoEntry extends Kept {
  readonly identity: string;
  readonly key: string;
  /** Where in the journal it counted last, as itself or kept. */
  readonly last: number;
  /** What it read while it was done: hashes by names. */
  readonly reads?: Readonly<Record<string, string>>;
}

/** What a segment takes over of those before it. */
export type Offer = Pick<Extract<FrameBody, { kind: 'segment.opened' }>, 'why' | 'before'>;

export interface MemoOptions {
  /** The nodes of the plan that is offered the results, by their paths. */
  readonly paths: ReadonlySet<string>;
  /** Whether a result fits what a command is to give; asked where keys do not count. */
  readonly fits: (command: Keepable, outcome: Outcome) => boolean;
}

/** Who a command is, across edits: its place among components and loops, without attempts. */
export function identityOf(id: string): string {
  return id.replace(/#\d+/g, '');
}

/** The path of its node in a plan. */
export function pathOf(identity: string): string {
  return identity.replace(/\[\d+\]/g, '');
}

/** What the answer to a question depends on: what people read. */
export function requestKey(kind: SignalCommand['kind'], request: Json): string {
  if (kind !== 'approval' || typeof request !== 'object' || request === null) return hashOf([kind, request]);
  const { title, summary } = request as { readonly title?: Json; readonly summary?: Json };
  return hashOf([kind, title ?? null, summary ?? null]);
}

/** The hash of a value that a step can see, by the name under which it was read; `*`: the names of all steps. */
export function readHash(
  command: Pick<StepCommand, 'args'> & { readonly values?: StepCommand['values'] | undefined },
  name: string,
): string {
  const { args, values } = command;
  return shortHash(name === '*' ? values?.names() : valueNamed(args, name, (step) => values?.get(step)));
}

export function shortHash(value: Json | undefined): string {
  return value === undefined ? '-' : hashOf(value).slice(0, 12);
}

function valueNamed(args: Json, name: string, step: (name: string) => Json | undefined): Json | undefined {
  const [first = '', field] = name.split('.', 2);
  const own = memberOf(args, first);
  if (field !== undefined) return memberOf(own, field);
  return own ?? memberOf(memberOf(args, 'steps'), name) ?? step(name);
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
    return undefined;
  return (value as { readonly [key: string]: Json })[name];
}

/** Whether a result that is kept without looking at its key is one that the command may give. */
export function fits(command: Keepable, outcome: Outcome): boolean {
  if (command.op === 'signal') return true;
  const { output, types } = command.op === 'step' ? command.spec : command.ref;
  const spec = { kind: 'any', ...(output !== undefined && { output }), ...(types !== undefined && { types }) };
  return !('err' in fitting(outcome, spec));
}

/** How the journal tells that a result was kept. What it says to have cost was paid before. One of another run is told whole. */
export function keptBody({ seq, event }: Kept): EventBody {
  if (seq === 0) return event.body;
  return { ...event.body, from: 'kept', of: seq } as EventBody;
}

/** Reads the journal up to the segment that is offered something, that one included. */
export function createMemo(events: Iterable<JournalEvent>, { paths, fits }: MemoOptions): Memo {
  const { entries, isByIdentity } = collect(events);
  const byIdentity = new Map<string, MemoEntry[]>();
  /** Those whose node is gone. */
  const orphans = new Map<string, MemoEntry[]>();
  for (const entry of entries) {
    addTo(byIdentity, entry.identity, entry);
    if (!paths.has(pathOf(entry.identity))) addTo(orphans, entry.key, entry);
  }
  const taken = new Set<number>();
  /** The worktrees whose files are not what they were. */
  const touched = new Set<string>();

  function missed(command: Keepable): void {
    if (command.op === 'signal' || command.worktree === undefined || isAround(command)) return;
    touched.add(command.worktree);
  }

  function isTouched(command: Keepable): boolean {
    return command.op !== 'signal' && command.worktree !== undefined && touched.has(command.worktree);
  }

  function found(command: Keepable): MemoEntry | undefined {
    const own = byIdentity.get(identityOf(command.id));
    if (own && isByIdentity) return own.findLast(({ outcome }) => fits(command, outcome));
    if (own) return own.findLast((entry) => isSame(entry, command) && !taken.has(entry.seq));
    return orphans.get(keyOfCommand(command))?.find((entry) => !taken.has(entry.seq) && isSame(entry, command));
  }

  return {
    entries,
    taken: (seq) => void taken.add(seq),
    missed,
    take(command) {
      const entry = isAround(command) || isTouched(command) ? undefined : found(command);
      if (entry) taken.add(entry.seq);
      else missed(command);
      return entry;
    },
  };
}

/** It is no work of its own: a sub-workflow, whose steps are kept one by one, or what makes and removes a worktree. */
function isAround(command: Keepable): boolean {
  return command.op === 'child' ? command.run !== undefined : command.op === 'step' && command.spec.kind === 'worktree';
}

function isSame({ key, reads }: MemoEntry, command: Keepable): boolean {
  if (key !== keyOfCommand(command) && key !== slotKeyOf(command)) return false;
  if (reads === undefined) return true;
  return command.op === 'step' && Object.entries(reads).every(([name, hash]) => readHash(command, name) === hash);
}

/** Of what was taken from the cache is known only under what it was kept there. */
function slotKeyOf(command: Keepable): string | undefined {
  return command.op === 'signal' || command.cache === undefined ? undefined : slotKey(command.cache.key);
}

function slotKey(slot: string): string {
  return `slot ${slot}`;
}

function keyOfCommand(command: Keepable): string {
  return command.op === 'signal' ? requestKey(command.kind, command.request) : command.key;
}

function addTo(map: Map<string, MemoEntry[]>, name: string, entry: MemoEntry): void {
  const list = map.get(name);
  if (list) list.push(entry);
  else map.set(name, [entry]);
}

type Collected = Omit<MemoEntry, 'last'> & { last: number };

/** What is offered after all of these events. */
function collect(events: Iterable<JournalEvent>): { entries: MemoEntry[]; isByIdentity: boolean } {
  let entries: Collected[] = [];
  let isByIdentity = false;
  /** The `seq` with which the segment began. */
  let start = 0;
  /** The keys of what was begun, by ids. */
  const keys = new Map<string, string>();
  /** Thunks that have not ended, with what was done inside of them. */
  const thunks = new Map<string, Collected[]>();
  const bySeq = new Map<number, Collected>();

  function add(event: JournalEvent, id: string, outcome: Outcome, reads?: MemoEntry['reads']): void {
    const key = keys.get(id);
    if (key === undefined || 'err' in outcome) return;
    const { seq } = event;
    const entry = { identity: identityOf(id), key, seq, last: seq, event, outcome, ...(reads && { reads }) };
    bySeq.set(seq, entry);
    (thunkAround(id, thunks) ?? entries).push(entry);
  }

  /** It counts here too, perhaps under another name. */
  function keep(of: number, { seq }: JournalEvent, id: string): void {
    const entry = bySeq.get(of);
    if (entry === undefined) return;
    const identity = identityOf(id);
    if (entry.identity === identity) entry.last = seq;
    else entries.push({ ...entry, identity, last: seq });
  }

  function addInside(inside: readonly Collected[]): void {
    for (const entry of inside) entries.push(entry);
  }

  for (const event of events) {
    const { body, node } = event;
    if (body.kind === 'segment.opened') {
      for (const inside of thunks.values()) addInside(inside);
      thunks.clear();
      entries = entries.filter((entry) => isOffered(entry, body, start));
      isByIdentity = body.why === 'keep';
      start = event.seq;
      keys.clear();
    }
    if (node === undefined) continue;
    switch (body.kind) {
      case 'node.started':
        keys.set(node, body.key);
        break;
      case 'child.started':
        if (body.key === undefined) break;
        keys.set(node, body.key);
        thunks.set(node, []);
        break;
      case 'approval.requested':
        keys.set(node, requestKey('approval', body.request));
        break;
      case 'node.done':
      case 'model.answered':
      case 'approval.decided':
        if ('slot' in body && body.slot !== undefined) keys.set(node, slotKey(body.slot));
        if (body.of !== undefined) keep(body.of, event, node);
        else add(event, node, outcomeOf(body), 'reads' in body ? body.reads : undefined);
        break;
      case 'child.ended': {
        const inside = thunks.get(node);
        thunks.delete(node);
        // What was stopped from outside goes on from what it had.
        if (inside && 'err' in body.outcome && body.outcome.err.code === 'cancelled') addInside(inside);
        if (body.of !== undefined) keep(body.of, event, node);
        else add(event, node, body.outcome);
        break;
      }
      default:
    }
  }
  for (const inside of thunks.values()) addInside(inside);
  return { entries, isByIdentity };
}

/** The innermost thunk around a command that has not ended. */
function thunkAround(id: string, thunks: ReadonlyMap<string, Collected[]>): Collected[] | undefined {
  for (let at = id.lastIndexOf('/'); at > 0; at = id.lastIndexOf('/', at - 1)) {
    const inside = thunks.get(id.slice(0, at));
    if (inside) return inside;
  }
  return undefined;
}

function isOffered({ last, event: { body } }: Collected, { why, before }: Offer, start: number): boolean {
  if (before !== undefined && (last >= before || last < start)) return false;
  return !(why === 'retry' && body.kind === 'approval.decided' && !body.approved);
}
