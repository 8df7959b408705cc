/**
 * What a run may spend. One purse for a root run and all inside of it; the driver asks it before a model is asked.
 * 1. What a call can cost at most is set aside before it begins, so that calls side by side cannot spend the same dollar.
 * 2. What it did cost is charged when it is known, and the rest comes back.
 * 3. Under a limit a call without a known price does not begin.
 */
export interface Purse {
  /** `wait`: there is not enough left at the moment, or at all. */
  readonly reserve: (id: string, most: number | undefined) => 'go' | 'wait' | 'unknown';
  readonly charge: (id: string, cost: number) => void;
  readonly add: (dollars: number) => void;
  readonly limit: () => number;
  readonly spent: () => number;
}

export function createPurse(limit: number, spentBefore: number): Purse {
  const aside = new Map<string, number>();
  let most = limit;
  let spent = spentBefore;
  let reserved = 0;

  function giveBack(id: string): void {
    reserved -= aside.get(id) ?? 0;
    aside.delete(id);
  }

  return {
    reserve(id, cost) {
      if (cost === undefined) return 'unknown';
      giveBack(id);
      if (spent + reserved + cost > most) return 'wait';
      aside.set(id, cost);
      reserved += cost;
      return 'go';
    },
    charge(id, cost) {
      giveBack(id);
      spent += cost;
    },
    add(dollars) {
      most += dollars;
    },
    limit: () => most,
    spent: () => spent,
  };
}
