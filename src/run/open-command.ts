/** Commands that are open: what is known of them besides what they say, and how the journal and lists tell of them. */
import { createHash } from 'node:crypto';
import type { EventBody, WaitingRow } from '../journal/index.ts';
import type { Json, SignalCommand, StepCommand, TimerCommand } from '../machine/index.ts';
import type { Unit } from './purse.ts';
import { unitIn } from './segment/past.ts';

export type Open = OpenStep | OpenTimer | OpenSignal;

interface OpenBase {
  /** The run that it belongs to: the root, or a sub-workflow. */
  readonly run: string;
  readonly since: number;
  /** Whether the journal tells of it; of a step it does only when it was begun. */
  noted: boolean;
}

export interface OpenStep extends OpenBase {
  readonly effect: StepCommand;
  /** When it was begun, the last time. */
  began?: number;
  /** What was noted for it, by this owner or one before. */
  readonly notes: EventBody[];
}

export interface OpenTimer extends OpenBase {
  readonly effect: TimerCommand;
  readonly until: number;
}

export interface OpenSignal extends OpenBase {
  readonly effect: SignalCommand;
  readonly hash: string;
}

/** What a decision has to name: the request as it was shown. */
export function requestHash(request: Json): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 16);
}

/** What a question about a limit is about. */
export function unitOf(opened: Open | undefined): Unit {
  return unitIn(opened !== undefined && 'hash' in opened ? opened.effect.request : undefined);
}

export function openOf(
  effect: StepCommand | TimerCommand | SignalCommand,
  run: string,
  since: number,
  clean: <T>(value: T) => T,
): Open {
  switch (effect.op) {
    case 'step':
      return { effect, run, since, noted: false, notes: [] };
    case 'timer':
      return { effect, run, since, noted: false, until: since + effect.ms };
    default: {
      // The hash is that of the request as the machine made it: an owner may know other secrets than the one before.
      const request = clean(effect.request);
      const shown = request === effect.request ? effect : { ...effect, request };
      return { effect: shown, run, since, noted: false, hash: requestHash(effect.request) };
    }
  }
}

/** What is noted of a timer or a question when it is opened. */
export function openNote(opened: OpenTimer | OpenSignal): EventBody {
  if ('until' in opened) return { kind: 'timer.set', until: opened.until };
  const { effect, hash } = opened;
  const { request, kind } = effect;
  if (kind === 'limit') return { kind: 'limit.reached', limit: titleOf(request), request, hash };
  const body = { kind: 'approval.requested', request, hash } as const;
  return kind === 'permission' ? { ...body, permission: true } : body;
}

export function waitingOf(waits: Iterable<OpenTimer | OpenSignal>): WaitingRow[] {
  const rows: WaitingRow[] = [];
  for (const opened of waits) {
    const { effect, since } = opened;
    if (effect.op === 'timer') {
      rows.push({ node: effect.id, kind: 'timer', title: '', since, until: (opened as OpenTimer).until });
    } else if (effect.op === 'signal') {
      const { hash } = opened as OpenSignal;
      const row = { node: effect.id, kind: effect.kind, title: titleOf(effect.request), since, hash };
      rows.push(effect.kind === 'limit' ? { ...row, ...leastOf(opened) } : row);
    }
  }
  return rows;
}

/** What must be added to a limit; of a journal that does not say so, nothing is known. */
function leastOf(opened: Open): Pick<WaitingRow, 'least' | 'unit'> {
  const request = 'hash' in opened ? opened.effect.request : null;
  const least = typeof request === 'object' && request !== null && 'least' in request ? request.least : undefined;
  return typeof least === 'number' ? { least, unit: unitOf(opened) } : {};
}

function titleOf(request: Json): string {
  const title = typeof request === 'object' && request !== null && 'title' in request ? request.title : undefined;
  return typeof title === 'string' ? title : JSON.stringify(request);
}
