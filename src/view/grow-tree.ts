/**
 * Grows the tree of a run along its plan: what the journal says of a node, and what follows for those it says nothing of.
 * Something that stands behind it in the same list has begun, or all has ended: then it was left out.
 */
import type { RunError } from '../machine/index.ts';
import type { BranchNode, LoopNode, WorkflowNode, WorkflowPlan } from '../plan/index.ts';
import { emptyArm } from './empty-arms.ts';
import { createGrowHands } from './grow-hands.ts';
import { asInside, leafState, type Standing } from './leaf-state.ts';
import type { RunNode } from './run-node.ts';
import type { TreeNode, TreeStatus } from './tree-node.ts';

/** What the journal and the row of a run say. */
export interface Told extends Standing {
  readonly nodes: ReadonlyMap<string, RunNode>;
  /** By the name of a loop: the last of its rounds. */
  readonly rounds: ReadonlyMap<string, number>;
  readonly errors: ReadonlyMap<string, RunError>;
  readonly isDone: boolean;
}

/** Where a list of nodes stands: how their paths become names. */
interface Spot {
  readonly plan: WorkflowPlan;
  /** Stands before what is left of a path behind `cut` characters. */
  readonly before: string;
  readonly cut: number;
  /** Stands before the paths of the plan. */
  readonly prefix: string;
}

export function growTree(plan: WorkflowPlan, told: Told): TreeNode[] {
  const hands = createGrowHands(told.nodes, told);
  return list(plan.children, { plan, before: '', cut: 0, prefix: '' }, told.isDone);

  /** `over`: what holds the list has ended well, so what has not begun was left out. */
  function list(nodes: readonly WorkflowNode[], spot: Spot, over: boolean): TreeNode[] {
    const grown: TreeNode[] = [];
    const begun = nodes.map((node) => hasBegun(node, spot));
    let last = begun.lastIndexOf(true);
    let denied: string | undefined;
    for (const [i, node] of nodes.entries()) {
      const isPast = over || i < last;
      grown.push(denied === undefined ? grow(node, spot, isPast) : leftOut(node, spot, `${denied} was denied`));
      if (node.kind !== 'approval' || node.onDeny !== 'skip' || denied !== undefined) continue;
      if (told.nodes.get(nameOf(node, spot))?.decision?.approved !== false) continue;
      denied = node.id;
      last = i;
    }
    return grown;
  }

  function grow(node: WorkflowNode, spot: Spot, over: boolean): TreeNode {
    const name = nameOf(node, spot);
    const found = told.nodes.get(name);
    const error = told.errors.get(name);
    switch (node.kind) {
      case 'step':
      case 'approval':
      case 'plugin':
        return leaf(node, spot, found, error, over);
      case 'workflow': {
        const called = spot.plan.workflows[node.use];
        const inner = { plan: called ?? spot.plan, before: `${name}/`, cut: 0, prefix: `${spot.prefix}${node.path}/` };
        // What has not begun is not opened: one workflow may be called very often.
        const isDone = found?.status === 'done' || found?.status === 'kept';
        const children = called && found ? list(called.children, inner, isDone) : [];
        const own = leaf(node, spot, found, error, over, children);
        return found === undefined ? own : { ...own, ...asInside(own, found, told) };
      }
      case 'loop': {
        const grown = group(node, spot, rounds(node, spot, over), error, over);
        return !over && wasStopped(grown) ? { ...grown, status: 'cancelled' } : grown;
      }
      case 'branch':
        return group(node, spot, arms(node, spot, over), error, over);
      case 'parallel':
        return group(
          node,
          spot,
          node.children.map((child) => grow(child, spot, over)),
          error,
          over,
        );
      default:
        return group(node, spot, list(node.children, spot, over), error, over);
    }
  }

  function leaf(
    node: WorkflowNode,
    spot: Spot,
    found: RunNode | undefined,
    error: RunError | undefined,
    over: boolean,
    inner?: readonly TreeNode[],
  ): TreeNode {
    const base = baseOf(node, spot);
    if (found === undefined) {
      if (error) return { ...base, status: 'failed', error };
      const why = over ? skippedBecause(node, spot) : undefined;
      return { ...base, status: untouched(over), ...(why !== undefined && { why }) };
    }
    const children = inner ?? (node.kind === 'workflow' ? [] : hands(base.name, base.path));
    return { ...base, ...leafState(found, children, error, told) };
  }

  function skippedBecause(node: WorkflowNode, spot: Spot): string | undefined {
    if (node.kind === 'step' && node.skipIf) return 'skipIf was true';
    return deniedNeed(node, spot);
  }

  function deniedNeed(node: WorkflowNode, spot: Spot): string | undefined {
    for (const need of 'needs' in node ? node.needs : []) {
      if (need.slice(0, spot.cut) !== node.path.slice(0, spot.cut)) continue;
      const found = told.nodes.get(spot.before + need.slice(spot.cut));
      if (found?.decision?.approved === false) return `${need.split('/').at(-1)} was denied`;
    }
    return undefined;
  }

  function rounds(node: LoopNode, spot: Spot, over: boolean): TreeNode[] {
    const name = nameOf(node, spot);
    const last = told.rounds.get(name) ?? 0;
    const grown: TreeNode[] = [];
    for (let round = 1; round <= last; round++) {
      const inner = { ...spot, before: `${name}[${round}]`, cut: node.path.length };
      const children = list(node.children, inner, over || round < last);
      const path = spot.prefix + node.path;
      grown.push({
        name: `${name}[${round}]`,
        path,
        kind: 'round',
        title: `round ${round}`,
        ...summed(children, over || round < last),
      });
    }
    return grown;
  }

  /** All that began in it is done, but the last after something beside it had failed: another round was not begun. */
  function wasStopped({ name, status, endedAt }: TreeNode): boolean {
    if (status !== 'done' || !told.isOver || endedAt === undefined) return false;
    for (const failed of told.errors.keys()) {
      const stopped = told.nodes.get(besideOf(failed, name))?.endedAt;
      if (stopped !== undefined && stopped < endedAt) return true;
    }
    return false;
  }

  /** A failure in a sub-workflow stops what is beside that when the sub-workflow has ended. */
  function besideOf(failed: string, name: string): string {
    for (let end = failed.indexOf('/'); end !== -1; end = failed.indexOf('/', end + 1)) {
      const outer = failed.slice(0, end);
      if (told.nodes.get(outer)?.run !== undefined && !name.startsWith(`${outer}/`)) return outer;
    }
    return failed;
  }

  function arms(node: BranchNode, spot: Spot, over: boolean): TreeNode[] {
    const begun = (['then', 'else'] as const).find((arm) => node[arm].some((child) => hasBegun(child, spot)));
    const taken = begun ?? (over ? emptyArm(node, (child) => deniedNeed(child, spot) !== undefined) : undefined);
    const grown: TreeNode[] = [];
    for (const arm of ['then', 'else'] as const) {
      if (node[arm].length === 0) continue;
      // Of what is over and has begun nothing in either, the one was not taken in which something would have begun.
      const isOther = taken === undefined ? over && node[arm].some(isSure) : taken !== arm;
      const why = arm === 'then' ? 'the condition was false' : 'the condition was true';
      const children = isOther
        ? node[arm].map((child) => leftOut(child, spot, why))
        : list(node[arm], spot, over && taken === arm);
      const name = `${nameOf(node, spot)}.${arm}`;
      const path = `${spot.prefix}${node.path}.${arm}`;
      const state = summed(children, over);
      const isUnknown = over && taken === undefined;
      grown.push({
        name,
        path,
        kind: 'arm',
        title: arm,
        ...state,
        ...(isOther && { status: 'skipped' as const, why }),
        ...(isUnknown && { why: 'it was not taken, or all in it was skipped' }),
      });
    }
    return grown;
  }

  function group(
    node: WorkflowNode,
    spot: Spot,
    children: readonly TreeNode[],
    error: RunError | undefined,
    over: boolean,
  ): TreeNode {
    const state = summed(children, over);
    const why = state.status === 'skipped' ? skippedBecause(node, spot) : undefined;
    return {
      ...baseOf(node, spot),
      ...state,
      ...(why !== undefined && { why }),
      ...(error && { status: 'failed' as const, error }),
    };
  }

  function leftOut(node: WorkflowNode, spot: Spot, why: string): TreeNode {
    const base = baseOf(node, spot);
    const inside = node.kind === 'branch' ? [...node.then, ...node.else] : 'children' in node ? node.children : [];
    const children = node.kind === 'loop' ? [] : inside.map((child) => leftOut(child, spot, why));
    return { ...base, status: 'skipped', why, children };
  }

  function untouched(over: boolean): TreeStatus {
    if (over) return 'skipped';
    return told.isOver ? 'unreached' : 'pending';
  }

  function hasBegun(node: WorkflowNode, spot: Spot): boolean {
    const name = nameOf(node, spot);
    if (told.nodes.has(name) || told.rounds.has(name)) return true;
    if (node.kind === 'loop' || node.kind === 'workflow') return false;
    if (node.kind === 'branch') return [...node.then, ...node.else].some((child) => hasBegun(child, spot));
    return 'children' in node && node.children.some((child) => hasBegun(child, spot));
  }

  /** A group is as its parts are: what goes on counts more than what is done. */
  function summed(children: readonly TreeNode[], over: boolean): Pick<TreeNode, 'status' | 'children'> & Times {
    const times: { startedAt?: number; endedAt?: number } = {};
    const states = new Set<TreeStatus>();
    for (const { status, startedAt, endedAt } of children) {
      states.add(status);
      if (startedAt !== undefined) times.startedAt = Math.min(times.startedAt ?? startedAt, startedAt);
      if (endedAt !== undefined) times.endedAt = Math.max(times.endedAt ?? endedAt, endedAt);
    }
    const strong = (['failed', 'running', 'interrupted', 'waiting', 'cancelled'] as const).find((s) => states.has(s));
    const isEnded = strong === 'failed' || strong === 'cancelled';
    if (strong) return { status: strong, ...(isEnded ? times : open(times)), children };
    const isBegun = states.has('done') || states.has('kept');
    const isPartly = states.has('pending') || states.has('unreached');
    if (isBegun && isPartly && told.isOver) return { status: 'unreached', ...times, children };
    if (isBegun && isPartly) {
      return { status: told.isWaiting ? 'waiting' : told.driven ? 'running' : 'interrupted', ...open(times), children };
    }
    if (isBegun) return { status: states.has('done') ? 'done' : 'kept', ...times, children };
    return { status: states.has('pending') ? 'pending' : untouched(over || states.has('skipped')), children };
  }
}

type Times = Pick<TreeNode, 'startedAt' | 'endedAt'>;

function open({ startedAt }: Times): Times {
  return startedAt === undefined ? {} : { startedAt };
}

function baseOf(
  node: WorkflowNode,
  spot: Spot,
): Pick<TreeNode, 'name' | 'path' | 'id' | 'kind' | 'title' | 'at' | 'children'> {
  const { id, kind, at } = node;
  return {
    name: nameOf(node, spot),
    path: spot.prefix + node.path,
    ...(id !== undefined && { id }),
    kind,
    title: id ?? (kind === 'plugin' ? node.type : kind),
    ...(at && { at: `${at.file}:${at.line}:${at.column}` }),
    children: [],
  };
}

function nameOf({ path }: WorkflowNode, { before, cut }: Spot): string {
  return before + path.slice(cut);
}

/** Something in it begins whenever it is come to. */
function isSure(node: WorkflowNode): boolean {
  if ('children' in node) return node.children.some(isSure);
  if (node.kind === 'branch') return node.then.some(isSure) && node.else.some(isSure);
  return !('needs' in node && node.needs.length > 0) && !(node.kind === 'step' && node.skipIf !== undefined);
}
