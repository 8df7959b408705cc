/** What became of a node that the journal tells of: its status, as the run stands, and what is shown of it. */
import type { RunError } from '../machine/index.ts';
import type { RunNode } from './run-node.ts';
import type { TreeNode, TreeStatus } from './tree-node.ts';

/** How the run stands. */
export interface Standing {
  readonly isOver: boolean;
  /** Only people are awaited: then nothing runs, whatever was begun. */
  readonly isWaiting: boolean;
  readonly isAtLimit: boolean;
  readonly driven: boolean;
}

export type LeafState = Omit<TreeNode, 'name' | 'path' | 'id' | 'kind' | 'title' | 'at'>;

/** `children`: what it has called. `error`: that of the run, about it. */
export function leafState(
  found: RunNode,
  children: readonly TreeNode[],
  error: RunError | undefined,
  run: Standing,
): LeafState {
  const { attempts, usage, repairs, calls, tools, passed, remarks, status: noted, error: own, ...more } = found;
  const { name: _, within: __, ...rest } = more;
  const failure = error ?? own;
  const status = leafStatus(noted, error, run);
  const isHeld =
    status === 'waiting' &&
    found.run === undefined &&
    found.request === undefined &&
    found.until === undefined &&
    openStatus(children) === undefined;
  return {
    ...rest,
    status,
    ...(isHeld && { why: run.isAtLimit ? 'waits for more to be spent' : 'waits for its turn' }),
    ...(attempts.length > 0 && { attempts: [...attempts] }),
    ...(Object.keys(usage).length > 0 && { usage }),
    ...(repairs.length > 0 && { repairs: [...repairs] }),
    ...(calls > 0 && { calls }),
    ...(tools && { tools: tools.map((call) => ({ ...call })) }),
    ...(passed && { passed: [...passed] }),
    ...(remarks && { remarks: [...remarks] }),
    ...(failure && { error: failure }),
    children,
  };
}

/** An error that the machine found in what a step gave is known to the run alone. */
function leafStatus(status: RunNode['status'], error: RunError | undefined, run: Standing): TreeStatus {
  if (error !== undefined && status !== 'cancelled') return 'failed';
  if (status === 'waiting') return run.isOver ? 'unreached' : status;
  if (status !== 'running') return status;
  if (run.isOver) return 'cancelled';
  if (run.isWaiting) return 'waiting';
  return run.driven ? status : 'interrupted';
}

/** What has not ended is as what is open in it. */
export function openStatus(children: readonly TreeNode[]): TreeStatus | undefined {
  const states = new Set(children.map(({ status }) => status));
  return (['running', 'interrupted', 'waiting'] as const).find((status) => states.has(status));
}

/** Of a workflow: it does nothing itself. */
export function asInside(state: LeafState, found: RunNode, run: Standing): LeafState {
  const isOpen = !run.isOver && (found.status === 'running' || found.status === 'waiting');
  return isOpen ? { ...state, status: openStatus(state.children) ?? state.status } : state;
}
