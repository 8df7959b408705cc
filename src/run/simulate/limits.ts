/** What a plan says of the steps of its run, from their ids: how often they are tried, and which limits count them. */
import { childrenOf, type WorkflowNode, type WorkflowPlan } from '../../plan/index.ts';

interface Limit {
  readonly path: string;
  readonly most: number;
}

interface Leaf {
  readonly node: WorkflowNode;
  /** Of each `parallel` with a limit around it. */
  readonly limits: readonly Limit[];
}

/** A step, or a sub-workflow that it is in. */
interface Unit {
  readonly name: string;
  /** Stands before the paths of its plan. */
  readonly within: string;
  readonly leaf: Leaf;
}

const known = new WeakMap<WorkflowPlan, ReadonlyMap<string, Leaf>>();
/** They are asked for again and again. */
const units = new WeakMap<WorkflowPlan, Map<string, readonly Unit[]>>();

/** Throws where more work at once than a limit allows: steps, and sub-workflows with an open step in them. */
export function holdLimits(plan: WorkflowPlan, openSteps: Iterable<string>): void {
  const working = new Map<string, { readonly most: number; readonly units: Set<string> }>();
  for (const id of openSteps) {
    for (const { name, within, leaf } of unitsOf(plan, id)) {
      for (const { path, most } of leaf.limits) {
        const key = `${within}${path}`;
        const each = working.get(key) ?? { most, units: new Set() };
        working.set(key, each);
        each.units.add(name);
      }
    }
  }
  for (const [path, { most, units }] of working) {
    if (units.size > most) throw new Error(`${[...units].join(', ')} work at once, and ${path} allows ${most}`);
  }
}

export function isLastAttempt(plan: WorkflowPlan, id: string): boolean {
  const last = unitsOf(plan, id).at(-1);
  if (last?.leaf.node.kind !== 'step') throw new Error(`the plan has no step ${id}`);
  return Number(/#(\d+)/.exec(id)?.[1]) >= last.leaf.node.retry.maxAttempts;
}

function unitsOf(plan: WorkflowPlan, id: string): readonly Unit[] {
  const all = units.get(plan) ?? new Map<string, readonly Unit[]>();
  units.set(plan, all);
  let found = all.get(id);
  if (found === undefined) {
    found = findUnits(plan, id);
    all.set(id, found);
  }
  return found;
}

/** The outermost first. */
function findUnits(root: WorkflowPlan, id: string): readonly Unit[] {
  const [path = ''] = id.replace(/\[\d+\]/g, '').split('#');
  const found: Unit[] = [];
  let plan = root;
  let from = 0;
  for (let to = 0; to < path.length; ) {
    const slash = path.indexOf('/', to);
    const end = slash === -1 ? path.length : slash;
    const leaf = leavesIn(plan).get(path.slice(from, end));
    to = end + 1;
    if (leaf === undefined) continue;
    found.push({ name: path.slice(0, end), within: path.slice(0, from), leaf });
    if (leaf.node.kind !== 'workflow') break;
    plan = plan.workflows[leaf.node.use] ?? plan;
    from = to;
  }
  return found;
}

function leavesIn(plan: WorkflowPlan): ReadonlyMap<string, Leaf> {
  const before = known.get(plan);
  if (before) return before;
  const leaves = new Map<string, Leaf>();
  add(plan.children, []);
  known.set(plan, leaves);
  return leaves;

  function add(nodes: readonly WorkflowNode[], limits: readonly Limit[]): void {
    for (const node of nodes) {
      const most = node.kind === 'parallel' ? node.maxConcurrency : undefined;
      if (node.kind === 'step' || node.kind === 'workflow') leaves.set(node.path, { node, limits });
      else add(childrenOf(node), most === undefined ? limits : [...limits, { path: node.path, most }]);
    }
  }
}
