/**
 * The results that the journal of a run holds for its next segment, each as it counted last: its name, its key and what it
 * read are those of the command that had it then, as itself or kept.
 * 1. Only what went well is offered, and what people decided: a failure is no work that somebody wants to keep.
 * 2. What a thunk has done counts while that has not ended, or was stopped from outside.
 * 3. Segments limit what later ones are offered: what a fork left behind, or a retry asks again, stays so.
 */
import type { EventBody, FrameBody, JournalEvent } from '../../journal/index.ts';
import type { Outcome } from '../../machine/index.ts';
import { outcomeOf } from '../record.ts';
import type { IsFailure } from './denials.ts';
import { identityOf, type ResultKey, requestKey } from './memo-key.ts';

/** A result that becomes that of a command. */
export interface Kept {
  /** Of the event that holds it; 0 where it is that of another run. */
  readonly seq: number;
  readonly event: JournalEvent;
  readonly outcome: Outcome;
}

export interface MemoEntry extends Kept, ResultKey {
  /** Under which it counted last, with its attempt and without. */
  readonly id: string;
  readonly identity: string;
  /** Under what it was come to: it is still a result of that. */
  readonly made: ResultKey;
  /** Where in the journal it counted last, as itself or kept; and where its step was begun then, or kept. */
  readonly last: number;
  readonly began: number;
  /** Where the segment began in which it counted last, and the hash of its plan. */
  readonly segment: number;
  readonly plan: string;
}

/** What a segment takes over of those before it. */
export type Offer = Pick<Extract<FrameBody, { kind: 'segment.opened' }>, 'why' | 'before'>;

export interface Entries {
  /** In the order in which they were recorded. */
  readonly entries: readonly MemoEntry[];
  /** Keys do not count. */
  readonly isByIdentity: boolean;
  /** Nothing was edited, as far as this segment is concerned: what is done stays done. */
  readonly isAsItWas: boolean;
  /** The step from which on a fork does all again, as long as it has not come to a result there. */
  readonly again: string | undefined;
}

type Entry = { -readonly [K in keyof MemoEntry]: MemoEntry[K] };

type Result = Extract<
  EventBody,
  { kind: 'node.done' | 'model.answered' | 'tool.answered' | 'approval.decided' | 'child.ended' }
>;

/** What is offered after all of these events. `look` sees each of them; `isFailure`: of approvals that were denied. */
export function collectEntries(
  events: Iterable<JournalEvent>,
  look: (event: JournalEvent) => void,
  isFailure: IsFailure,
): Entries {
  let entries: Entry[] = [];
  let isByIdentity = false;
  let isAsItWas = false;
  let modules: ResultKey['modules'];
  let again: string | undefined;
  let segment = 0;
  let plan = '';
  /** The keys of what was begun, by ids; and where it was begun first, by identities. */
  const keys = new Map<string, string>();
  const begins = new Map<string, number>();
  /** Thunks that have not ended, with what was done inside of them. */
  const thunks = new Map<string, Entry[]>();
  const bySeq = new Map<number, Entry>();

  function failed({ identity, plan: then, event: { body } }: Entry): boolean {
    return body.kind === 'approval.decided' && !body.approved && isFailure(identity, then);
  }

  function begin(identity: string, seq: number): void {
    if (!begins.has(identity)) begins.set(identity, seq);
  }

  function add(event: JournalEvent, id: string, body: Result): void {
    const outcome = outcomeOf(body);
    const made = keyIn(body, keys.get(id), modules);
    if (made === undefined || 'err' in outcome) return;
    const identity = identityOf(id);
    const { seq } = event;
    begin(identity, seq);
    const began = begins.get(identity) ?? seq;
    const entry: Entry = { key: made.key, made, id, identity, seq, last: seq, began, segment, plan, event, outcome };
    if (made.reads) entry.reads = made.reads;
    if (made.slot !== undefined) entry.slot = made.slot;
    bySeq.set(seq, entry);
    (thunkAround(id, thunks) ?? entries).push(entry);
    if (identity === again) again = undefined;
  }

  /** It counts here, perhaps under another name and another key, and nowhere else any more. */
  function keep(of: number, { seq }: JournalEvent, id: string, body: Result): void {
    const entry = bySeq.get(of);
    if (entry === undefined) return;
    const identity = identityOf(id);
    begin(identity, seq);
    const { key, reads } = keyIn(body, entry.made.key, undefined) ?? entry.made;
    Object.assign(entry, { id, identity, last: seq, began: seq, segment, plan, key });
    if (reads) entry.reads = reads;
    else delete entry.reads;
  }

  function addInside(inside: readonly Entry[]): void {
    for (const entry of inside) entries.push(entry);
  }

  function result(event: JournalEvent, node: string, body: Result): void {
    if (body.of === undefined) add(event, node, body);
    else keep(body.of, event, node, body);
  }

  for (const event of events) {
    look(event);
    const { body, node, seq } = event;
    if (body.kind === 'run.started') ({ plan, modules } = body);
    if (body.kind === 'segment.opened') {
      for (const inside of thunks.values()) addInside(inside);
      thunks.clear();
      entries = entries.filter((entry) => isOffered(entry, body, segment) && !(body.why === 'retry' && failed(entry)));
      isByIdentity = body.why === 'keep';
      isAsItWas = body.why === 'retry' || body.why === 'fork';
      if (body.why === 'fork') again = nameAt(begins, body.before);
      segment = seq;
      ({ plan, modules } = body);
      keys.clear();
      begins.clear();
    }
    if (node === undefined) continue;
    switch (body.kind) {
      case 'node.started':
        keys.set(node, body.key);
        begin(identityOf(node), seq);
        break;
      case 'child.started':
        begin(identityOf(node), seq);
        if (body.key === undefined) break;
        keys.set(node, body.key);
        if (!thunks.has(node)) thunks.set(node, []);
        break;
      case 'approval.requested':
        keys.set(node, requestKey(body.permission ? 'permission' : 'approval', body.request));
        begin(identityOf(node), seq);
        break;
      case 'node.done':
      case 'model.answered':
      case 'tool.answered':
      case 'approval.decided':
        result(event, node, body);
        break;
      case 'child.ended': {
        const inside = thunks.get(node);
        thunks.delete(node);
        // What was stopped from outside goes on from what it had.
        if (inside && 'err' in body.outcome && body.outcome.err.code === 'cancelled') addInside(inside);
        result(event, node, body);
        break;
      }
      default:
    }
  }
  for (const inside of thunks.values()) addInside(inside);
  return { entries, isByIdentity, isAsItWas, again };
}

/** Under what the event of a result says that it is known; `begun`: the key with which it was begun. */
function keyIn(body: Result, begun: string | undefined, modules: ResultKey['modules']): ResultKey | undefined {
  const slot = 'slot' in body ? body.slot : undefined;
  const key = body.key ?? begun ?? (slot === undefined ? undefined : '');
  if (key === undefined) return undefined;
  const reads = 'reads' in body ? body.reads : undefined;
  return { key, ...(reads && { reads }), ...(slot !== undefined && { slot }), ...(modules && { modules }) };
}

function nameAt(begins: ReadonlyMap<string, number>, before: number | undefined): string | undefined {
  for (const [identity, seq] of begins) if (seq === before) return identity;
  return undefined;
}

/** The innermost thunk around a command that has not ended. */
function thunkAround(id: string, thunks: ReadonlyMap<string, Entry[]>): Entry[] | undefined {
  for (let at = id.lastIndexOf('/'); at > 0; at = id.lastIndexOf('/', at - 1)) {
    const inside = thunks.get(id.slice(0, at));
    if (inside) return inside;
  }
  return undefined;
}

/** `start`: where the segment began that ends here. */
function isOffered({ began, last }: Entry, { before }: Offer, start: number): boolean {
  return before === undefined || (began < before && last >= start);
}
