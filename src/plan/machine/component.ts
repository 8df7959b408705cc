/** A use of a component: its parameters are filled in once, when it begins. */
import type { Json } from '../../machine/index.ts';
import { validate } from '../../type/index.ts';
import type { ComponentNode } from '../node.ts';
import { nodeError, throwError } from './errors.ts';
import { goOn, startList } from './list.ts';
import { misfit } from './misfit.ts';
import { fillIn } from './scope.ts';
import type { Kind } from './work.ts';

export const componentKind: Kind<ComponentNode> = {
  begin: (frame, node, work) => {
    const given = fillIn(node.params, 'with', frame, work);
    const read = validate(given, node.paramType, work.types);
    if (!read.ok) {
      const message = `the component "${node.use}" cannot take this: ${misfit(read.errors, node.paramType, work.types)}`;
      throwError(nodeError(work.nameOf(frame), node, 'input', message));
    }
    frame.params = read.value as Json;
    if (!startList(frame.spot.children, work)) work.settle(frame, undefined);
  },
  childSettled: (frame, _, child, work) => goOn(frame, child, work),
};
