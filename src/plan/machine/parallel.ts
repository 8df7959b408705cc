/** Children at the same time: limits and waits are the machine's, so all that is left is to count. */
import type { ParallelNode } from '../node.ts';
import { frameOf, type Kind } from './work.ts';

export const parallelKind: Kind<ParallelNode> = {
  begin: (frame, _, work) => {
    const { children } = frame.spot;
    frame.count = children.length;
    if (children.length === 0) work.settle(frame, []);
    for (const child of children) work.start(frameOf(child, work));
  },
  childSettled: (frame, _, __, work) => {
    if (--frame.count > 0) return;
    work.settle(
      frame,
      frame.spot.children.map((child) => frameOf(child, work).value ?? null),
    );
  },
};
