/**
 * How often steps were begun by owners that did not come back: what the driver goes by, and what is shown, must be the same.
 * A step that was begun so often without an end is not begun again by itself.
 */
import { isFact, type JournalEvent } from './event.ts';

export const mostDeaths = 3;

export interface Begins {
  /** In the order of the journal. */
  readonly take: (event: Pick<JournalEvent, 'node' | 'body'>) => void;
  /** How often it was begun since an owner left in order; 0 of what has ended. */
  readonly of: (node: string) => number;
}

export function createBegins(): Begins {
  const counts = new Map<string, number>();
  return {
    take({ node, body }) {
      if (body.kind === 'node.started') {
        if (node !== undefined) counts.set(node, (counts.get(node) ?? 0) + 1);
      } else if (body.kind === 'run.stopped') {
        // Whoever leaves in order has not died of what was running; what it held back was not running.
        const held = new Set(body.held);
        for (const id of counts.keys()) if (!held.has(id)) counts.delete(id);
      } else if (node !== undefined && counts.size > 0 && isFact(body)) counts.delete(node);
    },
    of: (node) => counts.get(node) ?? 0,
  };
}
