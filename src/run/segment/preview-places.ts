/** Where the nodes of a plan stand, for previews: what decides whether they run, in which worktrees, and what they may read. */
import {
  childrenOf,
  type LoopNode,
  type Reference,
  referencesOf,
  sharedName,
  type WorkflowNode,
  type WorkflowPlan,
} from '../../plan/index.ts';

/** Sources are names of `dependenciesOf`: paths, and what is shared. */
export interface Decider {
  readonly kind: 'branch' | 'loop';
  readonly path: string;
  /** How many loops stand around it, itself included: so many rounds its name in a run has. */
  readonly loops: number;
  readonly sources: readonly string[];
  /** Of a loop. */
  readonly most: number;
}

export interface Tree {
  readonly path: string;
  readonly loops: number;
  /** What its folder, branch and base are made of. */
  readonly sources: readonly string[];
}

/** Where a node, or what holds it, stands among others that come one after the other; or which arm of a branch it is in. */
export interface Spot {
  readonly list: string;
  readonly index: number;
  readonly loops: number;
  readonly isArm: boolean;
}

export interface Place {
  readonly node: WorkflowNode;
  readonly plan: WorkflowPlan;
  readonly path: string;
  readonly prefix: string;
  /** The outermost first. */
  readonly spots: readonly Spot[];
  readonly deciders: readonly Decider[];
  readonly trees: readonly Tree[];
  /** What `skipIf` reads. */
  readonly skips: readonly string[];
  /** Approvals before it: denied, they leave it out. */
  readonly gates: readonly string[];
  /** All that it reads itself; of nodes with others in them what they decide and give. */
  readonly reads: readonly string[];
  /** What `input`, `params` and `loop` are made of there. */
  readonly input: readonly string[];
  readonly params: readonly string[];
  readonly loop: readonly string[];
  /** The use of a component that it is in. */
  readonly component: string | undefined;
}

interface Context
  extends Pick<Place, 'plan' | 'prefix' | 'spots' | 'deciders' | 'trees' | 'gates' | 'input' | 'params' | 'component'> {
  readonly loops: number;
  /** The loop around, in the same component. */
  readonly around: string | undefined;
}

/** By path; of all nodes, those of sub-workflows included, in written order. */
export function placesOf(plan: WorkflowPlan): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const none = {
    spots: [],
    deciders: [],
    trees: [],
    gates: [],
    input: [],
    params: [],
    component: undefined,
    loops: 0,
    around: undefined,
  };
  visit(plan.children, { plan, prefix: '', ...none }, '');
  return places;

  /** `list`: the name of nodes that come one after the other; those of a parallel have none. */
  function visit(nodes: readonly WorkflowNode[], context: Context, list: string | undefined): void {
    const isParallel = list === undefined;
    const { loops } = context;
    let before: string | undefined;
    /** The last one: whoever says no to one before it leaves that out, too. */
    let { gates } = context;
    for (const [index, node] of nodes.entries()) {
      const path = context.prefix + node.path;
      const spots = isParallel ? context.spots : [...context.spots, { list, index, loops, isArm: false }];
      visitNode(node, path, { ...context, gates, spots }, isParallel ? undefined : before);
      if (node.kind === 'loop') before = path;
      if (node.kind === 'approval' && node.onDeny === 'skip' && !isParallel) gates = [path];
    }
  }

  function visitNode(node: WorkflowNode, path: string, context: Context, before: string | undefined): void {
    const { prefix, spots, deciders, trees, input, params, component, around } = context;
    const needs = 'needs' in node ? node.needs.map((name) => prefix + name) : [];
    const gates = needs.length === 0 ? context.gates : [...context.gates, ...needs];
    const skips = node.kind === 'step' && node.skipIf ? sourcesOf(node.skipIf.reads, context) : [];
    const loop = around !== undefined || before === undefined ? [] : [before];
    // Inside of a loop its rounds are what they are.
    const reads = sourcesOf(referencesOf(node), context).filter((name) => name !== path || node.kind !== 'loop');
    const own = {
      node,
      plan: context.plan,
      path,
      prefix,
      spots,
      deciders,
      trees,
      gates,
      skips,
      reads,
      input,
      params,
      loop,
      component,
    };
    places.set(path, own);
    const called = node.kind === 'workflow' ? context.plan.workflows[node.use] : undefined;
    if (called) {
      const given = [sharedName('given', path)];
      const inner = {
        plan: called,
        prefix: `${path}/`,
        input: given,
        params: [],
        component: undefined,
        around: undefined,
      };
      visit(called.children, { ...context, gates, ...inner }, path);
      return;
    }
    const inner = { ...context, gates, ...within(node, path, context) };
    if (node.kind !== 'branch') {
      visit(childrenOf(node), inner, node.kind === 'parallel' ? undefined : path);
      return;
    }
    for (const [index, arm] of [node.then, node.else].entries()) {
      const taken = { list: path, index, loops: context.loops, isArm: true };
      visit(arm, { ...inner, spots: [...spots, taken] }, `${path}\n${index}`);
    }
  }

  function within(node: WorkflowNode, path: string, context: Context): Partial<Context> {
    const { loops, deciders, trees } = context;
    const { reads: sources } = places.get(path) as Place;
    switch (node.kind) {
      case 'branch':
        return { deciders: [...deciders, { kind: 'branch', path, loops, sources, most: 1 }] };
      case 'loop': {
        const { maxIterations: most } = node satisfies LoopNode;
        const decider = { kind: 'loop', path, loops: loops + 1, sources, most } as const;
        return { deciders: [...deciders, decider], loops: loops + 1, around: path };
      }
      case 'worktree':
        return { trees: [...trees, { path, loops, sources }] };
      case 'component':
        return { params: [sharedName('given', path)], component: path, around: undefined };
      default:
        return {};
    }
  }
}

function sourcesOf(references: readonly Reference[], context: Context): string[] {
  const { prefix, input, params, deciders } = context;
  const found = references.flatMap(({ target }) => {
    if (target.kind === 'input') return input;
    if (target.kind === 'params') return params;
    if (!('node' in target)) return [];
    const path = prefix + target.node;
    return target.kind === 'loop' && deciders.some((each) => each.path === path) ? [] : [path];
  });
  return [...new Set(found)];
}
