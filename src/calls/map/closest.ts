/** Finds the names a model may have meant. */

const mostCompared = 64;

/**
 * The names close to `word`, closest first, at most three. Letter case, `-` and `_` cost nothing; otherwise at most a
 * third of the letters may differ, two swapped ones counting as one.
 */
export function closestNames(word: string, names: Iterable<string>): string[] {
  const wanted = plain(word);
  // In a word of one letter every other letter is one away: that is no likeness.
  const limit = wanted.length < 2 ? 0 : Math.min(3, Math.max(1, Math.floor(wanted.length / 3)));
  const found: { name: string; cost: number }[] = [];
  for (const name of names) {
    const other = plain(name);
    if (name === word || Math.abs(other.length - wanted.length) > limit) continue;
    const cost = distance(wanted, other);
    if (cost <= limit) found.push({ name, cost });
  }
  found.sort((a, b) => a.cost - b.cost);
  // Beside one that is the same but for case, or nearly so, those that are much farther away were not meant.
  const farthest = 2 * (found[0]?.cost ?? 0);
  return found
    .filter(({ cost }) => cost <= farthest)
    .slice(0, 3)
    .map(({ name }) => name);
}

function plain(name: string): string {
  return name.slice(0, mostCompared).toLowerCase().replaceAll('_', '').replaceAll('-', '');
}

/** How many letters must be put in, left out, changed or swapped with the next. */
function distance(a: string, b: string): number {
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const now = [row];
    for (let column = 1; column <= b.length; column++) {
      const changed = (old[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let cost = Math.min(changed, (old[column] ?? 0) + 1, (now[column - 1] ?? 0) + 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (older[column - 2] ?? 0) + 1);
      now.push(cost);
    }
    older = old;
    old = now;
  }
  return old[b.length] ?? 0;
}
