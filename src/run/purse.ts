/**
 * What a run may spend: dollars and tokens. One purse for a root run and all inside of it; the driver asks it before a model
 * is asked.
 * 1. What a call can cost at most is set aside before it begins, so that calls side by side cannot spend the same dollar.
 * 2. What it did cost is charged when it is known, and the rest comes back. Tokens are known only then: a call begins while
 *    any are left.
 * 3. Under a limit in dollars a call without a known price does not begin. What costs nothing needs no dollars.
 * 4. What tells its price only when it is done is treated like tokens: it begins while any dollars are left.
 */
import { Roster, type Usage } from '../machine/index.ts';

export type Unit = 'usd' | 'tokens';

/** What there is of each; what has no limit is left out. */
export type Amounts = { readonly [K in Unit]?: number | undefined };

/** What something can cost at most, in dollars; `afterwards`: it says what it cost when it is done. */
export type Price = number | 'afterwards';

export interface Purse {
  /** `wait`: there is not enough left at the moment, or at all. `isCall`: it asks a model. */
  readonly reserve: (id: string, most: Price | undefined, isCall: boolean) => 'go' | 'wait' | 'unknown';
  /** Whether so much could be set aside now, and once all that is set aside has come back. */
  readonly fits: (most: Price, isCall: boolean) => 'now' | 'later' | 'never';
  readonly charge: (id: string, usage: Usage | undefined) => void;
  readonly add: (unit: Unit, amount: number) => void;
  /** What is used up: that is asked for first. */
  readonly short: () => Unit;
  readonly limit: (unit: Unit) => number;
  readonly spent: (unit: Unit) => number;
}

/** Sums of tenths and hundredths are not exact. */
const tiny = 1e-9;

export function createPurse(limits: Amounts, before: Usage): Purse {
  const aside = new Roster<number>();
  const most = { usd: limits.usd ?? Number.POSITIVE_INFINITY, tokens: limits.tokens ?? Number.POSITIVE_INFINITY };
  const spent = { usd: before.cost ?? 0, tokens: tokensOf(before) };
  let reserved = 0;

  function giveBack(id: string): void {
    reserved -= aside.get(id) ?? 0;
    aside.delete(id);
    if (aside.size === 0) reserved = 0;
  }

  function isUsedUp(): boolean {
    return spent.tokens >= most.tokens;
  }

  function fits(cost: Price, isCall: boolean): ReturnType<Purse['fits']> {
    if (isCall && isUsedUp()) return 'never';
    if (cost === 'afterwards') {
      if (spent.usd + reserved < most.usd - tiny) return 'now';
      return spent.usd < most.usd - tiny ? 'later' : 'never';
    }
    if (cost <= 0 || spent.usd + reserved + cost <= most.usd + tiny) return 'now';
    return spent.usd + cost <= most.usd + tiny ? 'later' : 'never';
  }

  return {
    fits,
    reserve(id, cost, isCall) {
      if (cost === undefined && limits.usd !== undefined) return 'unknown';
      giveBack(id);
      if (fits(cost ?? 0, isCall) !== 'now') return 'wait';
      const amount = typeof cost === 'number' ? cost : 0;
      aside.set(id, amount);
      reserved += amount;
      return 'go';
    },
    charge(id, usage = {}) {
      giveBack(id);
      spent.usd += usage.cost ?? 0;
      spent.tokens += tokensOf(usage);
    },
    add(unit, amount) {
      most[unit] += amount;
    },
    short: () => (isUsedUp() ? 'tokens' : 'usd'),
    limit: (unit) => most[unit],
    spent: (unit) => spent[unit],
  };
}

function tokensOf({ inputTokens = 0, outputTokens = 0 }: Usage): number {
  return inputTokens + outputTokens;
}
