/** Places that the decoder has reported and read as they may have been meant: what is wrong in them is told already. */
import type { Span } from '../../text/index.ts';

/** Whether a place lies in one of them. */
export function isWithin(spoiled: readonly Span[]): (place: Span) => boolean {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of [...spoiled].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return ({ start, end }) => {
    let low = -1;
    let high = merged.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((merged[middle]?.start ?? 0) <= start) low = middle;
      else high = middle - 1;
    }
    return end <= (merged[low]?.end ?? -1);
  };
}
