/**
 * Which of the steps that are ready may begin: those for which there is a place, and money. The others wait here, and no
 * journal says that they were begun.
 * 1. Who waits for a place begins when one is free, in the order in which steps became ready: document order.
 * 2. What waits for a place holds no money, and what waits for money holds no place.
 * 3. A step that is held back waits until somebody insists; nothing else waits for it here.
 */
import type { RunError, StepCommand, Usage } from '../machine/index.ts';
import type { Purse } from './purse.ts';
import type { OpenStep } from './state.ts';

/** Steps of these kinds share so many places. */
export interface Places {
  readonly kinds: readonly string[];
  readonly most: number;
}

/** What a step can cost at most, in dollars; undefined where its price is not known. */
export type MostCost = (command: StepCommand) => number | undefined | Promise<number | undefined>;

export interface GateOptions {
  readonly places?: readonly Places[];
  readonly purse?: Purse | undefined;
  readonly mostCost?: MostCost | undefined;
  /** Model calls that the run has made, and may make. */
  readonly calls?: { readonly made: number; readonly most: number } | undefined;
  /** Why nothing begins any more, if so. */
  readonly over?: () => RunError | undefined;
  /** Of an open step, that it is not begun by itself. */
  readonly isHeld: (id: string) => boolean;
  /** Of an open step, that nobody wants it any more. */
  readonly isRecalled: (id: string) => boolean;
}

export interface Gate {
  readonly add: (opened: OpenStep) => void;
  /** Those that begin now: each has its place and its money. `refused`: those that never may, and why. */
  readonly admit: () => Promise<{ readonly begin: readonly OpenStep[]; readonly refused: readonly Refused[] }>;
  /** A step has ended, whether it was begun or not. */
  readonly ended: (opened: OpenStep, usage: Usage | undefined) => void;
  /** It waits no longer; false if it did not wait here. */
  readonly remove: (id: string) => boolean;
  /** Those that wait for money, in document order. */
  readonly poor: () => readonly OpenStep[];
  /** The most that a call costs which can never begin with what there is; undefined if all can. */
  readonly missing: () => number | undefined;
  /** Those that are not begun by themselves. */
  readonly held: () => readonly string[];
  /** How many wait for people: for money, or to be insisted on. */
  readonly parked: () => number;
}

export interface Refused {
  readonly opened: OpenStep;
  readonly err: RunError;
}

interface Line {
  readonly most: number;
  readonly waiting: Map<string, OpenStep>;
  busy: number;
}

export function createGate({ places = [], purse, mostCost, calls, over, isHeld, isRecalled }: GateOptions): Gate {
  const lines = new Map<string, Line>();
  const all: Line[] = [];
  for (const { kinds, most } of places) {
    const line: Line = { most: Math.max(1, most), waiting: new Map(), busy: 0 };
    all.push(line);
    for (const kind of kinds) lines.set(kind, line);
  }
  const poor = new Map<string, { readonly opened: OpenStep; readonly most: number }>();
  const held = new Set<string>();
  const admitted = new Set<string>();
  let fresh: OpenStep[] = [];
  let made = calls?.made ?? 0;

  /** Takes a place, if there is one. */
  function hasPlace({ effect }: OpenStep): boolean {
    const line = lines.get(effect.spec.kind);
    if (line === undefined) return true;
    if (line.busy >= line.most) return false;
    line.busy++;
    return true;
  }

  function leavePlace({ effect }: OpenStep): void {
    const line = lines.get(effect.spec.kind);
    if (line !== undefined) line.busy--;
  }

  return {
    add: (opened) => fresh.push(opened),
    async admit() {
      const begin: OpenStep[] = [];
      const refused: Refused[] = [];
      const pass = (opened: OpenStep, most: number | undefined) => {
        const { id } = opened.effect;
        const isMost = calls !== undefined && isCall(opened) && made >= calls.most;
        const verdict = isMost ? 'most' : (purse?.reserve(id, most, isCall(opened)) ?? 'go');
        if (verdict === 'go') {
          if (isCall(opened)) made++;
          admitted.add(id);
          begin.push(opened);
          return;
        }
        leavePlace(opened);
        if (verdict === 'wait') poor.set(id, { opened, most: most ?? 0 });
        else refused.push({ opened, err: verdict === 'most' ? tooManyCalls(calls?.most ?? 0) : noPrice });
      };
      const end = over?.();
      if (end !== undefined) {
        for (const opened of all.flatMap(({ waiting }) => [...waiting.values()]).concat(fresh))
          if (!isRecalled(opened.effect.id)) refused.push({ opened, err: end });
        for (const { opened } of poor.values()) refused.push({ opened, err: end });
        for (const { waiting } of all) waiting.clear();
        poor.clear();
        fresh = [];
        return { begin, refused };
      }
      const price = (opened: OpenStep) => (purse && mostCost ? mostCost(opened.effect) : 0);
      for (const [id, { opened, most }] of poor) {
        if (isRecalled(id)) poor.delete(id);
        else if (purse?.fits(most, isCall(opened)) === 'now' && hasPlace(opened)) {
          poor.delete(id);
          pass(opened, most);
        }
      }
      for (const line of all) {
        for (const [id, opened] of line.waiting) {
          if (line.busy >= line.most) break;
          line.waiting.delete(id);
          if (isRecalled(id)) continue;
          line.busy++;
          const most = price(opened);
          pass(opened, most instanceof Promise ? await most : most);
        }
      }
      const ready = fresh;
      fresh = [];
      for (const opened of ready) {
        const { id, spec } = opened.effect;
        if (isRecalled(id)) continue;
        if (isHeld(id)) held.add(id);
        else if (!hasPlace(opened)) lines.get(spec.kind)?.waiting.set(id, opened);
        else {
          const most = price(opened);
          pass(opened, most instanceof Promise ? await most : most);
        }
      }
      return { begin, refused };
    },
    ended(opened, usage) {
      const { id } = opened.effect;
      purse?.charge(id, usage);
      if (admitted.delete(id)) leavePlace(opened);
    },
    remove(id) {
      let isHere = poor.delete(id) || held.delete(id);
      for (const { waiting } of all) isHere = waiting.delete(id) || isHere;
      return isHere;
    },
    poor: () => Array.from(poor.values(), ({ opened }) => opened),
    missing() {
      let most: number | undefined;
      for (const each of poor.values())
        if (purse?.fits(each.most, isCall(each.opened)) === 'never') most = Math.max(most ?? 0, each.most);
      return most;
    },
    held: () => [...held],
    parked: () => poor.size + held.size,
  };
}

function isCall({ effect }: OpenStep): boolean {
  return effect.spec.kind === 'model';
}

const noPrice: RunError = {
  code: 'limit',
  message: 'the price of this model is not known, so a limit in dollars could not be kept',
  retryable: false,
};

function tooManyCalls(most: number): RunError {
  const made =
    most === 1
      ? 'one model call (limits.model_calls), and has made it'
      : `${most} model calls (limits.model_calls), and has made them`;
  return { code: 'limit', message: `the run may make ${made}`, retryable: false };
}
