/** Which sub-workflows of a run did nothing anew: all in them was kept or left out. A fold, as far as it has come. */
import type { EventBody } from '../journal/index.ts';

/** What was seen in a sub-workflow that has not ended. */
type Seen = 'nothing' | 'kept' | 'work';

export interface KeptCalls {
  /** `name`: of the node that the event is about. True where it ends a sub-workflow of which all was kept. */
  readonly take: (name: string, body: EventBody) => boolean;
  readonly clear: () => void;
}

export function createKeptCalls(): KeptCalls {
  const open = new Map<string, Seen>();
  return {
    clear: () => open.clear(),
    take(name, body) {
      const seen = open.get(name);
      if (body.kind === 'child.started' && body.child !== undefined) {
        open.set(name, 'nothing');
        return false;
      }
      if (body.kind === 'child.ended' && seen !== undefined) {
        open.delete(name);
        return seen === 'kept';
      }
      if (open.size > 0 && body.kind !== 'node.skipped') tellAround(name, isKept(body) ? 'kept' : 'work');
      return false;
    },
  };

  /** What was done in one was done in all around it. */
  function tellAround(name: string, what: Seen): void {
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1)) {
      const around = name.slice(0, at);
      const seen = open.get(around);
      if (seen !== undefined && seen !== 'work') open.set(around, what);
    }
  }
}

/** It was come to in an earlier segment. */
export function isKept(body: EventBody): boolean {
  return 'of' in body && body.of !== undefined;
}
