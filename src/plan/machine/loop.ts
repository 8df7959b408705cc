/** Iterations: `until` is asked after each whole one. The values of the one before stay until there are new ones. */
import type { LoopNode } from '../node.ts';
import { nodeError, throwError } from './errors.ts';
import type { Frame } from './frame.ts';
import { nextInList, startList } from './list.ts';
import { holds } from './scope.ts';
import type { Kind, Work } from './work.ts';

export const loopKind: Kind<LoopNode> = {
  begin: (frame, node, work) => {
    frame.iteration = 0;
    iterate(frame, node, work);
  },
  childSettled: (frame, node, child, work) => {
    const end = nextInList(frame, child, work);
    if (end === undefined) return;
    if (isOver(frame, node, work)) work.settle(frame, end.value);
    else iterate(frame, node, work);
  },
};

function iterate(frame: Frame, node: LoopNode, work: Work): void {
  do {
    frame.iteration++;
    work.renew(frame);
    if (startList(frame.spot.children, work)) return;
  } while (!isOver(frame, node, work));
  work.settle(frame, undefined);
}

function isOver(frame: Frame, node: LoopNode, work: Work): boolean {
  if (holds(node.until, 'until', frame, work)) return true;
  if (frame.iteration < node.maxIterations) return false;
  if (node.onMaxReached === 'return-last') return true;
  const times = node.maxIterations === 1 ? 'one iteration' : `${node.maxIterations} iterations`;
  const message = `the loop did not come to its end in ${times}: "${node.until.text}" was never true`;
  return throwError(nodeError(work.nameOf(frame), node, 'max-iterations', message));
}
