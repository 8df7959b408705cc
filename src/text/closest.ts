/** Finds the name a person meant. */

/**
 * The candidate closest to `word`: Damerau-Levenshtein (optimal string alignment), letter case costs nothing,
 * and at most a third of the word (at least one letter of two, at most three) may differ. Ties go to the earlier candidate.
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.slice(0, 64).toLowerCase();
  // In a word of one letter every other letter is one away: that is no likeness.
  let limit = word.length < 2 ? 0 : Math.min(3, Math.max(1, Math.floor(word.length / 3)));
  let best: string | undefined;
  for (const candidate of candidates) {
    if (candidate === word || Math.abs(candidate.length - word.length) > limit) continue;
    const cost = distance(wanted, candidate.slice(0, 64).toLowerCase(), limit);
    if (cost < limit || (cost === limit && best === undefined)) {
      best = candidate;
      limit = cost;
      if (cost === 0) break;
    }
  }
  return best;
}

/** The edit distance of two words, or `limit + 1` as soon as it must be over `limit`. */
export function distance(a: string, b: string, limit: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return limit + 1;
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? limit + 1;
}

/** ` Did you mean "x"?`, or nothing: made to be appended to a message. */
export function didYouMean(name: string | undefined): string {
  return name === undefined ? '' : ` Did you mean "${name}"?`;
}
