/**
 * Finds the name a person meant.
 *
 * A file in which every name is wrong asks for very many comparisons, so most candidates are refused by their letters
 * alone, and the others cost no memory.
 */

/** Letters beyond these are not compared. */
const mostLetters = 64;

/**
 * The candidate closest to `word`: Damerau-Levenshtein (optimal string alignment), letter case costs nothing,
 * and at most a third of the word (at least one letter of two, at most three) may differ. Ties go to the earlier candidate.
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.slice(0, mostLetters).toLowerCase();
  // In a word of one letter every other letter is one away: that is no likeness.
  let limit = word.length < 2 ? 0 : Math.min(3, Math.max(1, Math.floor(word.length / 3)));
  let best: string | undefined;
  for (const candidate of candidates) {
    if (candidate === word || Math.abs(candidate.length - word.length) > limit) continue;
    const most = best === undefined ? limit : limit - 1;
    const cost = distance(wanted, candidate.slice(0, mostLetters).toLowerCase(), most);
    if (cost > most) continue;
    best = candidate;
    limit = cost;
    if (cost === 0) break;
  }
  return best;
}

/** The edit distance of two words, or `limit + 1` when it is over `limit`. */
export function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit || differingLetters(a, b) > limit) return limit + 1;
  const width = b.length + 1;
  if (rows[0].length < width) rows = [new Int32Array(width), new Int32Array(width), new Int32Array(width)];
  let [before, previous, row] = rows;
  for (let j = 0; j < width; j++) previous[j] = j;
  for (let i = 1; i <= a.length; i++) {
    // What lies farther from the diagonal than `limit` costs more than that; beside it stand cells that say so.
    const first = Math.max(1, i - limit);
    const last = Math.min(b.length, i + limit);
    const letter = a.charCodeAt(i - 1);
    const letterBefore = i > 1 ? a.charCodeAt(i - 2) : -1;
    row[first - 1] = first === 1 ? i : limit + 1;
    if (last === i + limit) previous[last] = limit + 1;
    let least = at(row, first - 1);
    for (let j = first; j <= last; j++) {
      const other = b.charCodeAt(j - 1);
      let cost = at(previous, j - 1) + (letter === other ? 0 : 1);
      cost = Math.min(cost, at(previous, j) + 1, at(row, j - 1) + 1);
      if (j > 1 && letter === b.charCodeAt(j - 2) && letterBefore === other)
        cost = Math.min(cost, at(before, j - 2) + 1);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return limit + 1;
    [before, previous, row] = [previous, row, before];
  }
  return Math.min(at(previous, b.length), limit + 1);
}

/** ` Did you mean "x"?`, or nothing: made to be appended to a message. */
export function didYouMean(name: string | undefined): string {
  return name === undefined ? '' : ` Did you mean "${name}"?`;
}

/** The last three rows of the table of distances; they are used again by each comparison. */
let rows: [Int32Array, Int32Array, Int32Array] = [new Int32Array(0), new Int32Array(0), new Int32Array(0)];

function at(row: Int32Array, index: number): number {
  return row[index] as number;
}

/** How often a letter stands in the one word and not yet in the other; letters may share a place. */
const counts = new Int32Array(64);

/** Never more than the distance: an edit takes away at most one letter and adds at most one. */
function differingLetters(a: string, b: string): number {
  let shared = 0;
  for (let i = 0; i < a.length; i++) counts[a.charCodeAt(i) & 63] = at(counts, a.charCodeAt(i) & 63) + 1;
  for (let i = 0; i < b.length; i++) {
    const place = b.charCodeAt(i) & 63;
    const count = at(counts, place);
    if (count === 0) continue;
    counts[place] = count - 1;
    shared++;
  }
  counts.fill(0);
  return Math.max(a.length, b.length) - shared;
}
