/** What a run that goes on has to tell: which nodes came to something worth a line, and which are running. */
import type { EventBody, EventDraft } from '../journal/index.ts';
import { Roster, type Usage } from '../machine/index.ts';
import type { WorkflowPlan } from '../plan/index.ts';
import type { RunNode } from './run-node.ts';
import { createRunNodes } from './run-nodes.ts';
import type { RunRemark } from './run-remark.ts';
import { createRunSkips, type RunSkips, type Skipped } from './run-skips.ts';

export interface RunProgress {
  /** Takes what was stored together; gives the nodes to print, in the order in which they came to it. `tell`: of remarks. */
  readonly add: (
    events: Iterable<Pick<EventDraft, 'at' | 'node' | 'body'>>,
    tell?: (node: RunNode, remark: RunRemark) => void,
  ) => readonly RunNode[];
  /** Those that do something, the innermost of them, and those that wait for their next attempt. */
  readonly running: () => readonly RunNode[];
  readonly nodes: ReadonlyMap<string, RunNode>;
  /** By the run so far. */
  readonly spent: () => Usage;
}

/** What is left out follows from the plan, which is asked for again with each segment: without it, nothing of that is told. */
export function createRunProgress(planOf: () => WorkflowPlan | undefined = () => undefined): RunProgress {
  const fold = createRunNodes();
  let skips = skipsOf(planOf());
  const running = new Roster<RunNode>();
  /** What was told of each node last. */
  const told = new Map<string, string>();
  /** How many remarks of each were told. */
  const heard = new WeakMap<RunNode, number>();
  return {
    nodes: fold.nodes,
    spent: fold.spent,
    running() {
      // What was in something that has ended has ended with it, without an event of its own.
      for (const node of running.values()) if (!isGoing(node)) running.delete(node.name);
      const open = [...running.values()].filter(({ run }) => run === undefined);
      const outer = new Set(open.flatMap(({ within = [] }) => within));
      return open.filter(({ name }) => !outer.has(name));
    },
    add(events, tell) {
      const touched = new Map<string, RunNode>();
      const left = new Set<RunNode>();
      for (const event of events) {
        if (event.body.kind === 'segment.opened') {
          skips = skipsOf(planOf());
          running.clear();
          told.clear();
          touched.clear();
        }
        const node = fold.add(event);
        const said = node?.remarks ?? [];
        if (node && said.length > (heard.get(node) ?? 0)) {
          for (const remark of said.slice(heard.get(node))) tell?.(node, remark);
          heard.set(node, said.length);
        }
        const skipped = skips?.add(event.node, event.body) ?? [];
        // What a denial leaves out stands behind it, all else before what has begun since.
        if (event.body.kind !== 'approval.decided') leave(skipped, event.at);
        if (node !== undefined) touch(node, event.node ?? '', event.body.kind);
        if (event.body.kind === 'approval.decided') leave(skipped, event.at);
      }
      return [...touched.values()].filter((node) => left.has(node) || isNews(node, told));

      function touch(node: RunNode, id: string, kind: EventBody['kind']): void {
        follow(node);
        for (const name of node.within ?? []) {
          const outer = fold.nodes.get(name);
          if (outer) follow(outer);
        }
        // Of what goes on inside only that somebody is asked is told.
        if (fold.read(id).inner.startsWith('/') && kind !== 'approval.requested') return;
        // It moves behind those that came to something before it.
        touched.delete(node.name);
        touched.set(node.name, node);
      }

      function follow(node: RunNode): void {
        if (isGoing(node)) running.set(node.name, node);
        else running.delete(node.name);
      }

      function leave(skipped: readonly Skipped[], at: number): void {
        for (const { name, why } of skipped) {
          const node: RunNode = {
            name,
            status: 'skipped',
            startedAt: at,
            attempts: [],
            usage: {},
            repairs: [],
            calls: 0,
          };
          if (why !== undefined) node.why = why;
          left.add(node);
          // Nodes without an id may share their name.
          touched.set(`${name} ${left.size}`, node);
        }
      }
    },
  };
}

function skipsOf(plan: WorkflowPlan | undefined): RunSkips | undefined {
  return plan && createRunSkips(plan);
}

function isGoing({ status, until }: RunNode): boolean {
  return status === 'running' || until !== undefined;
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
