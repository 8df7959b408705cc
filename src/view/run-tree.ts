/**
 * A run as a tree: the nodes of its plan, each with what became of it. Loops have one child for each round, branches one
 * for each arm, sub-workflows the nodes of their own plan; what a prompt step did inside is part of the step.
 *
 * The journal says only what was begun. What was left out follows from the plan: something in the same list that stands
 * behind it has begun, or all has ended.
 */
import type { JournalEvent, RunRow } from '../journal/index.ts';
import type { Json, RunError, Usage } from '../machine/index.ts';
import type { BranchNode, LoopNode, WorkflowNode, WorkflowPlan } from '../plan/index.ts';
import {
  addUp,
  createRunNodes,
  type RunAttempt,
  type RunDecision,
  type RunNode,
  type RunRequest,
  readNodeId,
} from './run-nodes.ts';
import { failuresOf, type RunWord, runWord } from './run-status.ts';

/** `pending`: waits to start. `unreached`: all ended before it. `interrupted`: it ran when the owner of the run died. */
export type TreeStatus =
  | 'pending'
  | 'running'
  | 'waiting'
  | 'done'
  | 'failed'
  | 'skipped'
  | 'cancelled'
  | 'kept'
  | 'unreached'
  | 'interrupted';

export interface RunTree {
  readonly id: string;
  readonly name: string;
  readonly file?: string;
  readonly status: RunWord;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly input: Json;
  readonly output?: Json;
  readonly error?: RunError;
  /** Who ended it, and why. */
  readonly cancel?: { readonly by: string; readonly reason: string };
  readonly usage: Usage;
  /** What it waits for: people, or the time of the next attempt. */
  readonly waiting: readonly (RunRequest & { readonly since: number })[];
  readonly nodes: readonly TreeNode[];
}

export interface TreeNode {
  /** In the run: `polish[2]/review`. */
  readonly name: string;
  /** In the plan, from the root: the same in all rounds. */
  readonly path: string;
  readonly id?: string;
  readonly kind: WorkflowNode['kind'] | 'round' | 'arm';
  /** What people call it. */
  readonly title: string;
  readonly status: TreeStatus;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly attempts?: readonly RunAttempt[];
  readonly usage?: Usage;
  readonly repairs?: readonly (readonly string[])[];
  readonly calls?: number;
  readonly request?: RunRequest;
  readonly decision?: RunDecision;
  readonly until?: number;
  readonly output?: Json;
  readonly error?: RunError;
  /** Why it was left out. */
  readonly why?: string;
  readonly printed?: string;
  readonly fromCache?: true;
  /** The run of a sub-workflow. */
  readonly run?: string;
  /** Where it is written, as `file:line:column`. */
  readonly at?: string;
  readonly children: readonly TreeNode[];
}

export interface RunTreeOptions {
  readonly row: RunRow;
  readonly plan: WorkflowPlan;
  readonly events: Iterable<JournalEvent>;
  /** The owner of the lease lives. */
  readonly driven: boolean;
}

export function runTree({ row, plan, events, driven }: RunTreeOptions): RunTree {
  const fold = createRunNodes();
  let input: Json = null;
  let cancel: RunTree['cancel'];
  for (const event of events) {
    const { body } = event;
    fold.add(event);
    if (body.kind === 'run.started') input = body.input;
    if (body.kind === 'run.cancel') cancel = { by: body.by, reason: body.reason };
  }
  const status = runWord(row, driven);
  const nodes = growTree(plan, {
    nodes: fold.nodes,
    rounds: roundsOf(fold.nodes.keys()),
    errors: errorsByNode(row.error),
    isOver: row.endedAt !== undefined,
    isDone: row.status === 'done',
    driven,
  });
  let usage: Usage = {};
  const waiting: RunTree['waiting'][number][] = [];
  for (const node of fold.nodes.values()) {
    usage = addUp(usage, node.usage);
    if (node.status === 'waiting' && node.request) waiting.push({ ...node.request, since: node.startedAt });
  }
  return {
    id: row.id,
    name: row.name,
    ...(row.file !== undefined && { file: row.file }),
    status,
    startedAt: row.startedAt,
    ...(row.endedAt !== undefined && { endedAt: row.endedAt }),
    input,
    ...(row.output !== undefined && { output: row.output }),
    ...(row.error && { error: row.error }),
    ...(cancel && { cancel }),
    usage,
    waiting: row.endedAt === undefined ? waiting : [],
    nodes,
  };
}

/** Every node, outer ones first. */
export function* treeNodes(nodes: readonly TreeNode[]): Generator<TreeNode> {
  for (const node of nodes) {
    yield node;
    yield* treeNodes(node.children);
  }
}

interface Told {
  readonly nodes: ReadonlyMap<string, RunNode>;
  /** By the name of a loop: the last of its rounds. */
  readonly rounds: ReadonlyMap<string, number>;
  readonly errors: ReadonlyMap<string, RunError>;
  readonly isOver: boolean;
  readonly isDone: boolean;
  readonly driven: boolean;
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

function growTree(plan: WorkflowPlan, told: Told): TreeNode[] {
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
        const children = called && found ? list(called.children, inner, found.status === 'done') : [];
        return { ...leaf(node, spot, found, error, over), children };
      }
      case 'loop':
        return group(node, spot, rounds(node, spot, over), error, over);
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
  ): TreeNode {
    const base = baseOf(node, spot);
    if (found === undefined) {
      if (error) return { ...base, status: 'failed', error };
      return { ...base, status: untouched(over), ...(over && node.kind === 'step' && node.skipIf && skipped) };
    }
    const { attempts, usage, repairs, calls, name: _, status, error: own, ...rest } = found;
    const failure = error ?? own;
    return {
      ...base,
      ...rest,
      status: leafStatus(status, error),
      ...(attempts.length > 0 && { attempts: [...attempts] }),
      ...(Object.keys(usage).length > 0 && { usage }),
      ...(repairs.length > 0 && { repairs: [...repairs] }),
      ...(calls > 0 && { calls }),
      ...(failure && { error: failure }),
    };
  }

  /** An error that the machine found in what a step gave is known to the run alone. */
  function leafStatus(status: RunNode['status'], error: RunError | undefined): TreeStatus {
    if (error !== undefined && status !== 'cancelled') return 'failed';
    if (status === 'running' && told.isOver) return 'cancelled';
    if (status === 'running' && !told.driven) return 'interrupted';
    return status;
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

  function arms(node: BranchNode, spot: Spot, over: boolean): TreeNode[] {
    const taken = (['then', 'else'] as const).find((arm) => node[arm].some((child) => hasBegun(child, spot)));
    const grown: TreeNode[] = [];
    for (const arm of ['then', 'else'] as const) {
      if (node[arm].length === 0) continue;
      const isOther = taken !== undefined && taken !== arm;
      const why = arm === 'then' ? 'the condition was false' : 'the condition was true';
      const children = isOther
        ? node[arm].map((child) => leftOut(child, spot, why))
        : list(node[arm], spot, over && taken === arm);
      const name = `${nameOf(node, spot)}.${arm}`;
      const path = `${spot.prefix}${node.path}.${arm}`;
      const state = summed(children, over);
      grown.push({
        name,
        path,
        kind: 'arm',
        title: arm,
        ...state,
        ...(isOther && { status: 'skipped' as const, why }),
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
    return { ...baseOf(node, spot), ...state, ...(error && { status: 'failed' as const, error }) };
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
    if (strong) return { status: strong, ...(strong === 'failed' ? times : open(times)), children };
    const isBegun = states.has('done') || states.has('kept');
    const isPartly = states.has('pending') || states.has('unreached');
    if (isBegun && isPartly) return { status: told.isOver ? 'unreached' : 'running', ...open(times), children };
    if (isBegun) return { status: 'done', ...times, children };
    return { status: states.has('pending') ? 'pending' : untouched(over || states.has('skipped')), children };
  }
}

type Times = Pick<TreeNode, 'startedAt' | 'endedAt'>;

function open({ startedAt }: Times): Times {
  return startedAt === undefined ? {} : { startedAt };
}

const skipped = { why: 'skipIf was true' };

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

/** The last round of each loop, from the names of what ran in it: `outer[1]/inner[3]/x`. */
function roundsOf(names: Iterable<string>): Map<string, number> {
  const rounds = new Map<string, number>();
  for (const name of names) {
    for (const { index, 1: digits } of name.matchAll(/\[(\d+)\]/g)) {
      const loop = name.slice(0, index);
      rounds.set(loop, Math.max(rounds.get(loop) ?? 0, Number(digits)));
    }
  }
  return rounds;
}

function errorsByNode(error: RunError | undefined): Map<string, RunError> {
  const byNode = new Map<string, RunError>();
  for (const failure of error ? failuresOf(error) : []) {
    if (failure.node !== undefined) byNode.set(readNodeId(failure.node).name, failure);
  }
  return byNode;
}
