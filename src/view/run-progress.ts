/** What a run that goes on has to tell: which nodes came to something worth a line, and which are running. */
import type { EventDraft } from '../journal/index.ts';
import type { Usage } from '../machine/index.ts';
import { createRunNodes, type RunNode, readNodeId } from './run-nodes.ts';

export interface RunProgress {
  /** Takes what was stored together; gives the nodes to print, in the order in which they came to it. */
  readonly add: (events: Iterable<Pick<EventDraft, 'at' | 'node' | 'body'>>) => readonly RunNode[];
  /** Those that do something, and those that wait for their next attempt. */
  readonly running: () => readonly RunNode[];
  readonly nodes: ReadonlyMap<string, RunNode>;
  /** By the run so far. */
  readonly spent: () => Usage;
}

export function createRunProgress(): RunProgress {
  const fold = createRunNodes();
  const running = new Map<string, RunNode>();
  /** What was told of each node last. */
  const told = new Map<string, string>();
  return {
    nodes: fold.nodes,
    spent: fold.spent,
    running: () => [...running.values()].filter(({ run }) => run === undefined),
    add(events) {
      const touched = new Map<string, RunNode>();
      for (const event of events) {
        const node = fold.add(event);
        if (node === undefined) continue;
        if (node.status === 'running' || node.until !== undefined) running.set(node.name, node);
        else running.delete(node.name);
        // It moves behind those that came to something before it.
        if (event.node !== undefined && readNodeId(event.node).inner.startsWith('/')) continue;
        touched.delete(node.name);
        touched.set(node.name, node);
      }
      return [...touched.values()].filter((node) => isNews(node, told));
    },
  };
}

function isNews(node: RunNode, told: Map<string, string>): boolean {
  const { name, status, attempts, until, request } = node;
  const last = attempts.at(-1)?.number ?? 0;
  const isRetry = status === 'running' && last > 1 && attempts.at(-1)?.endedAt === undefined;
  if (status === 'running' && !isRetry) return false;
  // What only waits for its turn has nothing to tell.
  if (status === 'waiting' && request === undefined && until === undefined) return false;
  const word = [status, last, until ?? '', request?.hash ?? ''].join(' ');
  if (told.get(name) === word) return false;
  told.set(name, word);
  // That it is tried again was said when it failed.
  return !isRetry || attempts.at(-2)?.error === undefined;
}
