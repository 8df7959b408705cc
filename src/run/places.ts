/**
 * Places for steps of some kinds: so many can be done at once, by all drives together that were given the same ones.
 * 1. There are never more taken than there are.
 * 2. Drives wait in one line. Whoever has taken a place and wants another waits behind the others, so that no run starves,
 *    however much another has to do.
 * 3. When it becomes a drive's turn its bell is rung; until it has looked, the place is kept for it. So whoever wants none
 *    any more must say so.
 */

/** A drive, known by its bell. */
export type Visitor = () => void;

export interface Places {
  readonly kinds: readonly string[];
  /** Takes a place; false when it is not the drive's turn yet: then it stands in line. */
  readonly take: (who: Visitor) => boolean;
  /** It wants none any more. */
  readonly quit: (who: Visitor) => void;
  /** Gives a place back. Who does so looks by itself whether it is its turn. */
  readonly give: (who: Visitor) => void;
}

export function createPlaces(kinds: readonly string[], most: number): Places {
  const line = new Set<Visitor>();
  let free = Math.max(1, most);

  /** Those whose turn it is. */
  function next(): readonly Visitor[] {
    const all: Visitor[] = [];
    for (const who of line) {
      if (all.length >= free) break;
      all.push(who);
    }
    return all;
  }

  return {
    kinds,
    take(who) {
      line.add(who);
      if (!next().includes(who)) return false;
      line.delete(who);
      free--;
      return true;
    },
    quit(who) {
      if (line.delete(who)) for (const each of next()) each();
    },
    give(who) {
      free++;
      for (const each of next()) if (each !== who) each();
    },
  };
}
