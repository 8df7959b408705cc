/** Seeded chance: the same seed gives the same choices on every machine. */

export interface Random {
  /** A whole number from 0 up to, but without, `limit`. */
  below(limit: number): number;
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

export function createRandom(seed: number): Random {
  let state = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  return {
    below: (limit) => Math.floor(next() * limit),
    chance: (percent) => next() * 100 < percent,
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
  };
}
