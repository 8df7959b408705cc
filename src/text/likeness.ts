/** Whether a name was surely meant, so that a fix may put it in unasked. */
import { distance } from './closest.ts';

/**
 * A word of up to three letters is another word when one of them differs, and one of up to five when two do; such a fix is
 * a guess. Letter case counts for nothing.
 */
export function isSurelyMeant(word: string, meant: string): boolean {
  const [a, b] = [word.toLowerCase(), meant.toLowerCase()];
  if (a === b) return true;
  const most = a.length <= 3 ? 0 : a.length <= 5 ? 1 : 3;
  return distance(a, b, most) <= most;
}
