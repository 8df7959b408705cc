/**
 * Finds many texts in one pass over a text that may come in pieces (Aho and Corasick).
 * 1. The time is linear in what is looked through, however many needles there are and whatever they share.
 * 2. Of those that end in one place the longest is told: it covers the others.
 * 3. After each character it is known how far back a needle may have begun that is not over yet.
 */

export interface Needles {
  /** Where a search begins. */
  readonly start: number;
  /** The state behind one more character. */
  readonly next: (state: number, unit: number) => number;
  /** How many characters the needle has that ends in this state, 0 where none does. */
  readonly lengthAt: (state: number) => number;
  /** Which needle that is. */
  readonly needleAt: (state: number) => number;
  /** How many of the last characters may be the beginning of a needle. */
  readonly depthAt: (state: number) => number;
  /** Whether a needle begins with this character: where none has begun, others change nothing. */
  readonly begins: (unit: number) => boolean;
}

/** Needles must not be empty. */
export function createNeedles(texts: readonly string[]): Needles {
  /** From a state and a character to a state, in one number: a Map for each state would cost far more. */
  const edges = new Map<number, number>();
  const keyOf = (state: number, unit: number) => state * 0x10000 + unit;
  const depth = [0];
  const ends = [-1];
  const unitOf = [0];
  const parent = [0];
  for (const [index, text] of texts.entries()) {
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      let to = edges.get(keyOf(state, unit));
      if (to === undefined) {
        to = depth.length;
        edges.set(keyOf(state, unit), to);
        depth.push(at + 1);
        ends.push(-1);
        unitOf.push(unit);
        parent.push(state);
      }
      state = to;
    }
    if (ends[state] === -1) ends[state] = index;
  }

  /** The longest other beginning of a needle that ends as a state does. */
  const back = new Int32Array(depth.length);
  const next = (state: number, unit: number): number => {
    for (let from = state; ; from = back[from] ?? 0) {
      const to = edges.get(keyOf(from, unit));
      if (to !== undefined) return to;
      if (from === 0) return 0;
    }
  };
  // Those that are less deep first: each needs the ones before it.
  const order = depth.map((_, state) => state).sort((a, b) => (depth[a] ?? 0) - (depth[b] ?? 0));
  for (const state of order) {
    if ((depth[state] ?? 0) < 2) continue;
    back[state] = next(back[parent[state] ?? 0] ?? 0, unitOf[state] ?? 0);
    if (ends[state] === -1) ends[state] = ends[back[state] ?? 0] ?? -1;
  }
  const isStart = new Uint8Array(0x10000);
  for (const text of texts) isStart[text.charCodeAt(0)] = 1;

  return {
    start: 0,
    next,
    lengthAt: (state) => texts[ends[state] ?? -1]?.length ?? 0,
    needleAt: (state) => ends[state] ?? -1,
    depthAt: (state) => depth[state] ?? 0,
    begins: (unit) => isStart[unit] === 1,
  };
}
