/** How far a preview has come: in each list, in each loop, and which arm of each branch; so what was left out on the way. */
import { keyAt, roundsIn } from './preview-names.ts';
import type { Decider, Place, Spot } from './preview-places.ts';

export interface Reached {
  readonly add: (identity: string, place: Place) => void;
  /** Something was come to that is there after it, or instead of it. */
  readonly isPassed: (identity: string, place: Place) => boolean;
  /** What decides whether it runs was not come to. */
  readonly isOpen: (identity: string, place: Place) => boolean;
}

export function createReached(): Reached {
  /** The last of those that come one after the other, by lists; the arm, by branches; the last round, by loops. */
  const last = new Map<string, number>();

  return {
    add(identity, { spots, deciders }) {
      const rounds = roundsIn(identity);
      for (const spot of spots) note(spotKey(spot, rounds), spot.index);
      for (const each of deciders) if (each.kind === 'loop') note(loopKey(each, rounds), roundOf(each, rounds));
    },
    isPassed(identity, { spots, deciders }) {
      const rounds = roundsIn(identity);
      const isBehind = (each: Decider) =>
        each.kind === 'loop' && (last.get(loopKey(each, rounds)) ?? 0) > roundOf(each, rounds);
      return (
        deciders.some(isBehind) ||
        spots.some((spot) => {
          const at = last.get(spotKey(spot, rounds));
          return at !== undefined && (spot.isArm ? at !== spot.index : at > spot.index);
        })
      );
    },
    isOpen(identity, { node, spots, deciders }) {
      if (node.kind === 'step' && node.skipIf) return true;
      const rounds = roundsIn(identity);
      if (spots.some((spot) => spot.isArm && !last.has(spotKey(spot, rounds)))) return true;
      // The first round is sure.
      return deciders.some(
        (each) => each.kind === 'loop' && roundOf(each, rounds) > Math.max(1, last.get(loopKey(each, rounds)) ?? 1),
      );
    },
  };

  function note(key: string, at: number): void {
    last.set(key, Math.max(last.get(key) ?? 0, at));
  }
}

function spotKey({ list, loops, isArm }: Spot, rounds: readonly number[]): string {
  return `${isArm ? 'arm' : 'list'} ${keyAt(list, rounds.slice(0, loops))}`;
}

function loopKey({ path, loops }: Decider, rounds: readonly number[]): string {
  return `loop ${keyAt(path, rounds.slice(0, loops - 1))}`;
}

function roundOf({ loops }: Decider, rounds: readonly number[]): number {
  return rounds[loops - 1] ?? 1;
}
