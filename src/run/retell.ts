/**
 * Tells a journal again from its facts alone: what the machines of today would have written. A journal of an earlier machine
 * that is told otherwise could not be resumed.
 */
import { type EventDraft, isFact, type JournalEvent } from '../journal/index.ts';
import type { End, MachineRef, MakeMachine } from '../machine/index.ts';
import { factOf } from './record.ts';
import { emptyApplied, replay } from './state.ts';

export interface Retold {
  readonly events: readonly EventDraft[];
  /** The keys of its steps, by their commands. */
  readonly keys: ReadonlyMap<string, string>;
  readonly end: End | undefined;
}

export function retell(events: readonly JournalEvent[], make: MakeMachine, ref: MachineRef): Retold {
  const [first, ...rest] = events;
  if (first === undefined) throw new Error('the journal is empty');
  const state = replay({ root: first.run, make, ref, events: [first] });
  const applied = emptyApplied();
  state.beginAll(applied);
  for (const event of rest) {
    const fact = isFact(event.body) ? factOf(event) : undefined;
    if (fact === undefined) continue;
    if (fact.id.startsWith('@')) {
      state.outside(event.body, event.at, applied);
      continue;
    }
    const outcome = 'ok' in fact ? { ok: fact.ok } : 'err' in fact ? { err: fact.err } : ({ none: true } as const);
    state.settle(fact.id, outcome, fact.usage, event.at, applied);
  }
  const keys = new Map<string, string>();
  for (const { effect } of applied.ready) keys.set(effect.id, effect.key);
  return { events: applied.events, keys, end: state.end() };
}

/** What only the driver and the executors write: it does not follow from facts. */
export function isTold({ body }: Pick<JournalEvent, 'body'>): boolean {
  switch (body.kind) {
    case 'run.started':
    case 'run.done':
    case 'run.failed':
    case 'run.cancelled':
    case 'node.started':
    case 'node.printed':
    case 'node.late':
    case 'model.asked':
    case 'model.skipped':
    case 'tool.asked':
    case 'memory.saved':
    case 'handoff':
    case 'service.left':
    case 'output.repaired':
    case 'calls.refused':
    case 'session':
    case 'worktree.added':
    case 'worktree.removed':
    case 'worktree.restored':
    case 'worktree.unkept':
      return false;
    default:
      return true;
  }
}
