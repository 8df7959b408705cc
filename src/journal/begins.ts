/**
 * How often steps were begun by owners that did not come back: what the driver goes by, and what is shown, must be the same.
 * A step that was begun so often without an end is not begun again by itself. That a run goes on otherwise changes nothing of
 * that, as long as the step is the same, by its name and its key; but a fork is a new run.
 */
import { Roster } from '../machine/index.ts';
import { isFact, type JournalEvent } from './event.ts';

export const mostDeaths = 3;

export interface Begins {
  /** In the order of the journal. */
  readonly take: (event: Pick<JournalEvent, 'node' | 'body'>) => void;
  /**
   * How often it was begun since an owner left in order; 0 of what has ended. `key`: of a step that may have been begun in an
   * earlier segment only.
   */
  readonly of: (node: string, key?: () => string) => number;
}

interface Count {
  readonly key: string;
  readonly times: number;
}

export function createBegins(): Begins {
  const counts = new Roster<Count>();
  /** Those of earlier segments, by names without attempts. */
  const earlier = new Map<string, Count>();

  function before(node: string, key: () => string): number {
    const count = earlier.size === 0 ? undefined : earlier.get(nameOf(node));
    return count && count.key === key() ? count.times : 0;
  }

  function forget(node: string): void {
    counts.delete(node);
    if (earlier.size > 0) earlier.delete(nameOf(node));
  }

  return {
    take({ node, body }) {
      if (body.kind === 'node.started') {
        if (node === undefined) return;
        const { key } = body;
        counts.set(node, { key, times: (counts.get(node)?.times ?? before(node, () => key)) + 1 });
      } else if (body.kind === 'segment.opened') {
        if (body.why === 'fork') earlier.clear();
        else for (const [id, count] of counts) earlier.set(nameOf(id), count);
        counts.clear();
      } else if (body.kind === 'run.stopped') {
        // Whoever leaves in order has not died of what was running; what it held back was not running.
        const held = new Set(body.held);
        for (const id of counts.keys()) if (!held.has(id)) forget(id);
      } else if (node !== undefined && counts.size + earlier.size > 0 && isFact(body)) forget(node);
    },
    of: (node, key) => counts.get(node)?.times ?? (key ? before(node, key) : 0),
  };
}

function nameOf(node: string): string {
  return node.replace(/#\d+/g, '');
}
