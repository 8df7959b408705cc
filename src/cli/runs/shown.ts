/** What a terminal shows of a run at the moment: how wide it is, and which questions are the last that stand there. */
import type { Output } from '../context.ts';

/** How wide a line may be, behind its margin. */
export function lineColumns({ isTTY, columns }: Output): number {
  return Math.max(20, (isTTY ? columns : 80) - 2);
}

/** Where what is told in full is broken: at the end of a terminal's lines. Elsewhere it is searched, and stays as it is. */
export function wrapColumns({ isTTY, columns }: Output): number {
  return isTTY ? Math.max(20, columns) : Number.POSITIVE_INFINITY;
}

const shown = new WeakMap<Output, Map<string, boolean>>();

/** The questions that nothing stands below, by the nodes that ask: whether with the commands that answer them. */
export function shownOn(output: Output): Map<string, boolean> {
  let own = shown.get(output);
  if (own === undefined) {
    own = new Map();
    shown.set(output, own);
  }
  return own;
}
