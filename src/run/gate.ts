/**
 * Which of the steps that are ready may begin: those for which there is a place, and money. The others wait here, and no
 * journal says that they were begun. Places may be shared with other runs (`places.ts`).
 * 1. Who waits for a place begins when it is the run's turn, in the order in which its steps became ready: document order.
 * 2. What waits for a place holds no money, and what waits for money holds no place.
 * 3. Where a step ends and the next one of the run is ready in the same round, that one has its place, so that the end of
 *    the one and the begin of the other are one transaction, and a host that was just started has more to do; but only for
 *    a while, because others may wait.
 * 4. A step that is held back waits until somebody insists; nothing else waits for it here.
 */
import { Roster, type RunError, type StepCommand, type Usage } from '../machine/index.ts';
import type { OpenStep } from './open-command.ts';
import type { Places } from './places.ts';
import type { Price, Purse } from './purse.ts';

/** What a step can cost at most; undefined where its price is not known. */
export type MostCost = (command: StepCommand) => Price | undefined | Promise<Price | undefined>;

/** The steps of which there may be a most, by their kind. */
export type CallKind = 'model' | 'tool';

export interface CallCount {
  readonly made: number;
  readonly most: number;
}

export interface GateOptions {
  readonly places?: readonly Places[];
  /** It may be this run's turn: `admit` should be asked. */
  readonly ring?: () => void;
  /** In milliseconds; never goes back. */
  readonly ticks: () => number;
  readonly purse?: Purse | undefined;
  readonly mostCost?: MostCost | undefined;
  /** Calls that the run has made, and may make. */
  readonly calls?: Readonly<Partial<Record<CallKind, CallCount>>> | undefined;
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
  /**
   * A step has ended, whether it was begun or not; `admit` or `stop` follows, before anything is waited for. `isUnmade`: it
   * was a call, and was not made.
   */
  readonly ended: (opened: OpenStep, usage: Usage | undefined, isUnmade?: boolean) => void;
  /** It waits no longer; false if it did not wait here. */
  readonly remove: (id: string) => boolean;
  /** Those that wait for money, in document order. */
  readonly poor: () => readonly OpenStep[];
  /** The most that a call costs, as far as that is known, which can never begin with what there is; undefined if all can. */
  readonly missing: () => number | undefined;
  /** Those that are not begun by themselves. */
  readonly held: () => readonly string[];
  /** How many wait for people: for money, or to be insisted on. */
  readonly parked: () => number;
  /** Nothing is admitted any more: others need not wait for this run to take its turn. */
  readonly stop: () => void;
  /** Nothing of the run is being done any more: all of its places are free. */
  readonly close: () => void;
}

export interface Refused {
  readonly opened: OpenStep;
  readonly err: RunError;
}

/** Steps that wait for one of these places. The run stands in line for them as long as there are any. */
interface Line {
  readonly places: Places;
  readonly waiting: Map<string, OpenStep>;
  /** Places of steps that ended in this round: since when each is kept. */
  readonly kept: number[];
}

/** For so long a run goes on with a place, from the end of the first step that had it. */
const keepMs = 200;

export function createGate(options: GateOptions): Gate {
  const { places = [], ticks, purse, mostCost, calls, over, isHeld, isRecalled } = options;
  /** Others know this run by it. */
  const me = options.ring ?? (() => undefined);
  const lines = new Map<string, Line>();
  const all: Line[] = [];
  for (const each of places) {
    const line: Line = { places: each, waiting: new Map(), kept: [] };
    all.push(line);
    for (const kind of each.kinds) lines.set(kind, line);
  }
  const poor = new Map<string, { readonly opened: OpenStep; readonly most: Price }>();
  const held = new Set<string>();
  /** Those that have a place, or need none; `since`: when a step before it had the place. */
  const admitted = new Roster<{ readonly opened: OpenStep; readonly since: number | undefined }>();
  let fresh: OpenStep[] = [];
  const made = { model: calls?.model?.made ?? 0, tool: calls?.tool?.made ?? 0 };

  function takesPlace(opened: OpenStep, line: Line | undefined): boolean {
    const since = line?.kept.pop();
    // Who goes on with a place waits behind the others for the next one.
    if (since !== undefined) line?.places.quit(me);
    const isIn = line === undefined || since !== undefined || line.places.take(me);
    if (isIn) admitted.set(opened.effect.id, { opened, since });
    return isIn;
  }

  /** Takes a place, or waits for one behind the others of this run. */
  function enters(opened: OpenStep): boolean {
    const { id, spec } = opened.effect;
    const line = lines.get(spec.kind);
    const isIn = !line?.waiting.size && takesPlace(opened, line);
    if (!isIn) line?.waiting.set(id, opened);
    return isIn;
  }

  function leaves({ effect }: OpenStep): void {
    if (admitted.delete(effect.id)) lines.get(effect.spec.kind)?.places.give(me);
  }

  /** Places that are not used any more are free, and where nobody waits others need not wait for us. */
  function quitLines(): void {
    for (const { places, waiting, kept } of all) {
      for (; kept.length > 0; kept.pop()) places.give(me);
      if (waiting.size === 0) places.quit(me);
    }
  }

  function stop(): void {
    for (const { waiting } of all) waiting.clear();
    quitLines();
  }

  return {
    add: (opened) => fresh.push(opened),
    async admit() {
      const begin: OpenStep[] = [];
      const refused: Refused[] = [];
      const pass = (opened: OpenStep, most: Price | undefined) => {
        const { id } = opened.effect;
        const kind = callKind(opened);
        const limit = kind && calls?.[kind]?.most;
        const isMost = kind !== undefined && limit !== undefined && made[kind] >= limit;
        const verdict = isMost ? 'most' : (purse?.reserve(id, most, isCall(opened)) ?? 'go');
        if (verdict === 'go') {
          if (kind !== undefined) made[kind]++;
          begin.push(opened);
          return;
        }
        leaves(opened);
        if (verdict === 'wait') poor.set(id, { opened, most: most ?? 0 });
        else refused.push({ opened, err: verdict === 'most' ? tooManyCalls(kind ?? 'model', limit ?? 0) : noPrice });
      };
      const end = over?.();
      if (end !== undefined) {
        for (const opened of all.flatMap(({ waiting }) => [...waiting.values()]).concat(fresh))
          if (!isRecalled(opened.effect.id)) refused.push({ opened, err: end });
        for (const { opened } of poor.values()) refused.push({ opened, err: end });
        stop();
        poor.clear();
        fresh = [];
        return { begin, refused };
      }
      const price = (opened: OpenStep) => (purse && mostCost ? mostCost(opened.effect) : 0);
      for (const [id, { opened, most }] of poor) {
        if (isRecalled(id)) poor.delete(id);
        else if (purse?.fits(most, isCall(opened)) === 'now') {
          poor.delete(id);
          if (enters(opened)) pass(opened, most);
        }
      }
      for (const line of all) {
        for (const [id, opened] of line.waiting) {
          const isWanted = !isRecalled(id);
          if (isWanted && !takesPlace(opened, line)) break;
          line.waiting.delete(id);
          if (!isWanted) continue;
          const most = price(opened);
          pass(opened, most instanceof Promise ? await most : most);
        }
      }
      const ready = fresh;
      fresh = [];
      for (const opened of ready) {
        const { id } = opened.effect;
        if (isRecalled(id)) continue;
        if (isHeld(id)) held.add(id);
        else if (enters(opened)) {
          const most = price(opened);
          pass(opened, most instanceof Promise ? await most : most);
        }
      }
      quitLines();
      return { begin, refused };
    },
    ended(opened, usage, isUnmade) {
      const { id, spec } = opened.effect;
      const kind = isUnmade ? callKind(opened) : undefined;
      if (kind !== undefined) made[kind]--;
      purse?.charge(id, usage);
      const place = admitted.get(id);
      const line = lines.get(spec.kind);
      const now = ticks();
      const since = place?.since ?? now;
      if (place === undefined || line === undefined || now - since >= keepMs) leaves(opened);
      else {
        admitted.delete(id);
        line.kept.push(since);
      }
    },
    remove(id) {
      let isHere = poor.delete(id) || held.delete(id);
      for (const { waiting } of all) isHere = waiting.delete(id) || isHere;
      quitLines();
      return isHere;
    },
    poor: () => Array.from(poor.values(), ({ opened }) => opened),
    missing() {
      let most: number | undefined;
      for (const each of poor.values())
        if (purse?.fits(each.most, isCall(each.opened)) === 'never')
          most = Math.max(most ?? 0, each.most === 'afterwards' ? 0 : each.most);
      return most;
    },
    held: () => [...held],
    parked: () => poor.size + held.size,
    stop,
    close() {
      stop();
      for (const { opened } of admitted.values()) leaves(opened);
    },
  };
}

/** Of a model: those cost money. */
function isCall({ effect }: OpenStep): boolean {
  return effect.spec.kind === 'model';
}

function callKind({ effect: { spec } }: OpenStep): CallKind | undefined {
  return spec.kind === 'model' || spec.kind === 'tool' ? spec.kind : undefined;
}

const noPrice: RunError = {
  code: 'limit',
  message:
    'the price of this model is not known, so a limit in dollars could not be kept. Say it in config.toml: price_in and price_out of an alias (docs/models.md)',
  retryable: false,
};

function tooManyCalls(kind: CallKind, most: number): RunError {
  const made =
    most === 1
      ? `one ${kind} call (limits.${kind}_calls), and has made it`
      : `${most} ${kind} calls (limits.${kind}_calls), and has made them`;
  return { code: 'limit', message: `the run may make ${made}`, retryable: false };
}
