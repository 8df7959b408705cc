/** For how long something was at work: what was done side by side counts once, and what lay between counts not at all. */

export interface WorkSpan {
  /** It ended now, and nothing ends before what has ended. */
  readonly add: (began: number, ended: number) => void;
  /** In milliseconds. */
  readonly ms: () => number;
}

export function createWorkSpan(): WorkSpan {
  /** Apart from each other, in the order of time. */
  const spans: { readonly from: number; readonly to: number }[] = [];
  let sum = 0;
  return {
    add(began, ended) {
      let from = began;
      for (let last = spans.at(-1); last !== undefined && last.to >= from; last = spans.at(-1)) {
        from = Math.min(from, last.from);
        sum -= last.to - last.from;
        spans.pop();
      }
      spans.push({ from, to: ended });
      sum += ended - from;
    },
    ms: () => sum,
  };
}
