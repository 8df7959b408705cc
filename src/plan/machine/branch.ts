/** One of two arms. */
import type { BranchNode } from '../node.ts';
import { goOn, startList } from './list.ts';
import { holds } from './scope.ts';
import { frameOf, type Kind } from './work.ts';

export const branchKind: Kind<BranchNode> = {
  begin: (frame, node, work) => {
    const { children, others, waitedFor } = frame.spot;
    const isThen = holds(node.condition, 'condition', frame, work);
    frame.taken = isThen ? 'then' : 'else';
    if (waitedFor.size > 0) work.leaveOut((isThen ? others : children).map((spot) => frameOf(spot, work)));
    if (!startList(isThen ? children : others, work)) work.settle(frame, undefined);
  },
  childSettled: (frame, _, child, work) => goOn(frame, child, work),
};
