/**
 * Which replies the calls of each run have taken, as its journal says: `model.asked` tells what a call took, its fact that
 * it has ended. So a run that is resumed goes on where it was, whoever drives it.
 * 1. A call has ended when its fact is durable, not when its answer is here: what comes after depends on the journal alone.
 * 2. All of it can be read again, so runs that nobody asks for are forgotten.
 * 3. Whoever drives the run tells what was committed: then the journal is read once, and not for every call.
 * 4. A segment begins the lists anew: what is done again is answered as it was the first time. What was kept has taken its
 *    replies.
 * 5. What the runs before it in a session have taken is taken.
 */
import { hash } from 'node:crypto';
import { type EventBody, type EventDraft, isFact, type JournalEvent, type NoteBody } from '../journal/index.ts';
import { Roster } from '../machine/index.ts';
import { createTaken, scriptedRef, type Taken, type TakenLedger, type TakenReply } from '../model/index.ts';
import { isRecord } from '../type/index.ts';

export interface TakenReplies {
  /** Of a run, as new as its journal; lists by their keys. */
  readonly of: (runId: string) => TakenLedger;
  /** These are in the journal now; `last`: the `seq` of the last of them. */
  readonly committed: (runId: string, events: readonly EventDraft[], last: number) => void;
  /** The answer is here; without a journal that is all there is to know. */
  readonly ended: (runId: string, call: string) => void;
}

type ReadEvents = (root: string, after?: number) => Iterable<Pick<JournalEvent, 'seq' | 'node' | 'body'>>;

interface RunReplies {
  ledger: TakenLedger;
  /** What the calls of a child have taken, by the child; and what a call or a child took that has ended, by the `seq` of its end. */
  readonly open: Roster<TakenReply[]>;
  readonly ended: Map<number, readonly TakenReply[]>;
  /** How far it was read. */
  seq: number;
  /** How far the journal goes, where somebody tells. */
  last: number;
}

const mostRuns = 200;

/** `before`: what was taken before a run began. */
export function createTakenReplies(
  events: ReadEvents | undefined,
  before: (runId: string) => Iterable<TakenReply> = () => [],
): TakenReplies {
  const runs = new Map<string, RunReplies>();

  function fresh(runId: string): TakenLedger {
    const ledger = createTaken();
    let count = 0;
    for (const reply of before(runId)) {
      const call = `@before#${count++}`;
      ledger.add(call, reply);
      ledger.end(call);
    }
    return ledger;
  }

  function runOf(runId: string): RunReplies {
    const known = runs.get(runId);
    if (known) return known;
    const run: RunReplies = { ledger: fresh(runId), open: new Roster(), ended: new Map(), seq: 0, last: 0 };
    if (events && runs.size >= mostRuns) forget();
    runs.set(runId, run);
    return run;
  }

  function forget(): void {
    for (const [id, { ledger }] of runs) if (!ledger.hasOpen()) runs.delete(id);
  }

  function take(runId: string, run: RunReplies, seq: number, node: string | undefined, body: EventBody): void {
    if (body.kind === 'segment.opened') {
      run.ledger = fresh(runId);
      run.open.clear();
    }
    if (node === undefined) return;
    const { ledger, open, ended } = run;
    const taken = askedReply(body);
    if (taken) {
      ledger.add(node, taken);
      addTo(open, node, taken);
    } else if ('of' in body && body.of !== undefined) {
      for (const [at, reply] of (ended.get(body.of) ?? []).entries()) {
        const call = `${node}/kept#${at}`;
        ledger.add(call, reply);
        ledger.end(call);
        addTo(open, node, reply);
      }
    } else if (isFact(body)) {
      const own = body.kind === 'child.ended' ? undefined : ledger.of(node);
      ledger.end(node);
      const all = body.kind === 'child.ended' ? open.get(node) : own && [own];
      if (all) ended.set(seq, all);
      open.delete(node);
      // What a hand took is what its thunk took: that may be kept as a whole.
      if (all && body.kind === 'child.ended' && isInside(node)) for (const reply of all) addTo(open, node, reply);
    }
  }

  return {
    of(runId) {
      const run = runOf(runId);
      if (events === undefined || (run.seq > 0 && run.seq === run.last)) return run.ledger;
      for (const { seq, node, body } of events(runId, run.seq)) {
        run.seq = seq;
        take(runId, run, seq, node, body);
      }
      return run.ledger;
    },
    committed(runId, added, last) {
      const run = runs.get(runId);
      if (run === undefined) return;
      run.last = last;
      // What was missed is read.
      if (run.seq !== last - added.length) return;
      for (const [at, { node, body }] of added.entries()) take(runId, run, run.seq + at + 1, node, body);
      run.seq = last;
    },
    ended(runId, call) {
      if (!events) runs.get(runId)?.ledger.end(call);
    },
  };
}

/** What a run has taken, and those before it in its session. `afterOf`: which run is before another. */
export function* takenUpTo(
  last: string | undefined,
  events: ReadEvents,
  afterOf: (runId: string) => string | undefined,
): Generator<TakenReply> {
  const runs: string[] = [];
  for (let id = last; id !== undefined && !runs.includes(id); id = afterOf(id)) runs.unshift(id);
  for (const id of runs) {
    for (const { body } of events(id)) {
      const taken = askedReply(body);
      if (taken) yield taken;
    }
  }
}

/** Whether it stands inside of an attempt of a step. */
function isInside(node: string): boolean {
  return /#\d+\//.test(node);
}

/** For the child that the command is within. */
function addTo(open: Roster<TakenReply[]>, node: string, reply: TakenReply): void {
  const child = node.slice(0, Math.max(0, node.lastIndexOf('/')));
  const others = open.get(child);
  if (others) others.push(reply);
  else open.set(child, [reply]);
}

/** Tells the lists of a run's scripts apart. A hash, because names may hold what is taken out of the journal as a secret. */
export function listKey(script: string, list: string): string {
  const text = JSON.stringify([script, list]);
  let key = listKeys.get(text);
  if (key === undefined) {
    key = hash('sha256', text, 'hex').slice(0, 16);
    if (listKeys.size >= mostListKeys) listKeys.clear();
    listKeys.set(text, key);
  }
  return key;
}

/** Every call asks for the same few. */
const listKeys = new Map<string, string>();
const mostListKeys = 1000;

/** What the calls of a run have taken, in the words of one of its scripts and of a call with these names. */
export function takenIn(ledger: TakenLedger, script: string, names: readonly string[]): Taken {
  return {
    of(call) {
      const taken = ledger.of(call);
      const list = taken && names.find((name) => listKey(script, name) === taken.list);
      return taken && list !== undefined ? { list, nth: taken.nth } : undefined;
    },
    count: (list) => ledger.count(listKey(script, list)),
    open: (list) => ledger.open(listKey(script, list)),
  };
}

/** The note of a call that takes a reply; `messages`: hashes of what it sends. */
export function askedNote(script: string, { list, nth }: TakenReply, messages: readonly string[]): NoteBody {
  const settings = { for: list, list: listKey(script, list), nth };
  return { kind: 'model.asked', ref: scriptedRef, settings, add: messages };
}

/** What the note of a call says that it took, the list by its key. */
export function askedReply(body: EventBody): TakenReply | undefined {
  if (body.kind !== 'model.asked' || body.ref !== scriptedRef || !isRecord(body.settings)) return undefined;
  const { list, nth } = body.settings;
  return typeof list === 'string' && typeof nth === 'number' ? { list, nth } : undefined;
}
