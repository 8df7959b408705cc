/**
 * Who may take a slot next. Each `parallel` with a limit has a queue of its own, in which those that it holds stand, and
 * it stands in the queue of the next one around it as long as it has both a free slot and somebody who wants one. So the
 * first in the document that no limit holds back is found by going down, and nothing is looked at in vain.
 * 1. A slot is taken in every `parallel` with a limit around the one that starts.
 * 2. What a `parallel` holds stands together in the document: its own number is its place among its neighbours.
 */
import { createHeap, type Heap } from './heap.ts';
import { isLimited, type Layout, type Spot } from './spot.ts';

export interface ReadyQueue {
  readonly add: (spot: Spot) => void;
  /** The first one that may start: it has its slots now. */
  readonly take: () => Spot | undefined;
  /** Gives the slots back. */
  readonly free: (spot: Spot) => void;
  readonly clear: () => void;
}

interface Group {
  readonly number: number;
  readonly limit: number;
  readonly outer: Group | undefined;
  readonly queue: Heap;
  open: number;
  /** Whether it stands in the queue of the one around it. */
  queued: boolean;
}

export function createReadyQueue({ spots }: Layout): ReadyQueue {
  const groups = new Map<number, Group>();
  const root = createGroup(-1, Number.POSITIVE_INFINITY, undefined);
  for (const { node, number, limited } of spots) {
    if (!isLimited(node) || node.kind !== 'parallel') continue;
    groups.set(number, createGroup(number, node.maxConcurrency ?? 1, groupOf(limited)));
  }

  function groupOf(limited: Spot | undefined): Group {
    return (limited && groups.get(limited.number)) ?? root;
  }

  /** Puts it into the queue around it if it belongs there. */
  function offer(group: Group): void {
    for (let at = group; at.outer && !at.queued && at.open < at.limit && at.queue.size() > 0; at = at.outer) {
      at.queued = true;
      at.outer.queue.push(at.number);
    }
  }

  return {
    add({ number, limited }) {
      const group = groupOf(limited);
      group.queue.push(number);
      offer(group);
    },
    take() {
      let group = root;
      let first = group.queue.peek();
      for (let inner = groups.get(first ?? -1); inner; inner = groups.get(first ?? -1)) {
        group = inner;
        first = group.queue.peek();
      }
      if (first === undefined) return undefined;
      group.queue.pop();
      for (let at: Group | undefined = group; at; at = at.outer) {
        at.open++;
        if (at.outer && (at.open >= at.limit || at.queue.size() === 0)) {
          // It was reached by going down, so it is the first there.
          at.outer.queue.pop();
          at.queued = false;
        }
      }
      return spots[first];
    },
    free({ limited }) {
      for (let at: Group | undefined = groupOf(limited); at; at = at.outer) {
        at.open--;
        offer(at);
      }
    },
    clear() {
      for (const group of [root, ...groups.values()]) {
        group.queue.clear();
        group.queued = false;
      }
    },
  };
}

function createGroup(number: number, limit: number, outer: Group | undefined): Group {
  return { number, limit, outer, queue: createHeap(), open: 0, queued: false };
}
