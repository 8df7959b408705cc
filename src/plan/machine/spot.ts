/**
 * Spots: the nodes of a plan in their places, as the machine looks at them. Made once for a plan, and shared by all
 * machines that run it.
 * 1. A spot's number is its place in the document: what holds others comes before them.
 * 2. The root is a sequence that is not in the plan: the steps of the file.
 * 3. Only what stands in different children of a `parallel` waits for each other: all else has its order already.
 */
import type { Reference, SequenceNode, Target, WorkflowNode, WorkflowPlan } from '../node.ts';
import { referencesOf } from '../walk.ts';

export interface Spot {
  readonly node: WorkflowNode;
  readonly number: number;
  readonly depth: number;
  readonly parent?: Spot;
  /** Its place in the list that it stands in. */
  readonly index: number;
  readonly arm: 'then' | 'else';
  /** Of a branch: `then`. */
  readonly children: readonly Spot[];
  /** Of a branch: `else`. */
  readonly others: readonly Spot[];
  /** The innermost one that holds it. */
  readonly loop?: Spot;
  readonly component?: Spot;
  readonly worktree?: Spot;
  /** It may be at work while others are, in the same worktree. */
  readonly shared?: true;
  /** The innermost `parallel` with a limit that holds it. */
  readonly limited?: Spot;
  /** What must have settled before it begins. */
  readonly waits: readonly Way[];
  /** The approvals that it needs: where one was denied, it is skipped. */
  readonly gates: readonly Way[];
  /** What others, from outside of it, wait for: itself, or something that it holds. */
  readonly waitedFor: ReadonlySet<Spot>;
}

/** The way to a spot, from what holds both it and who looks for it. */
export interface Way {
  readonly from: Spot;
  /** Each holds the next; the last one is what is looked for. */
  readonly through: readonly Spot[];
}

export interface Layout {
  readonly root: Spot;
  /** By number. */
  readonly spots: readonly Spot[];
  /** What the names in a text mean. */
  readonly targets: (reads: readonly Reference[]) => ReadonlyMap<string, Target>;
  readonly at: (path: string) => Spot;
  /** Those with that id. */
  readonly named: (id: string) => readonly Spot[];
  /** Those whose `needs` name an approval. */
  readonly neededBy: (spot: Spot) => readonly Spot[];
}

/** While it is made. */
type Draft = { -readonly [K in keyof Spot]: Spot[K] };

/** Most spots hold nothing and wait for nothing, and a plan may have thousands. */
const noSpots: readonly Spot[] = [];
const noWays: readonly Way[] = [];
const nobody: ReadonlySet<Spot> = new Set();

const layouts = new WeakMap<WorkflowPlan, Layout>();

export function layoutOf(plan: WorkflowPlan): Layout {
  let layout = layouts.get(plan);
  if (layout === undefined) {
    layout = createLayout(plan);
    layouts.set(plan, layout);
  }
  return layout;
}

/** Up from a spot: itself, what holds it, and so on to the root. */
export function* holdersOf(spot: Spot): Generator<Spot> {
  for (let at: Spot | undefined = spot; at !== undefined; at = at.parent) yield at;
}

/** The list that a spot stands in. */
export function listOf({ parent, arm }: Spot): readonly Spot[] {
  if (parent === undefined) return [];
  return arm === 'else' ? parent.others : parent.children;
}

function createLayout(plan: WorkflowPlan): Layout {
  const spots: Draft[] = [];
  const byPath = new Map<string, Draft>();
  const needers = new Map<Spot, Spot[]>();
  const rootNode: SequenceNode = { kind: 'sequence', path: '', children: plan.children };
  const root = add(rootNode, undefined, 0, 'then');
  for (const spot of spots) addWaits(spot);
  const known = new WeakMap<readonly Reference[], ReadonlyMap<string, Target>>();
  let byId: Map<string, Spot[]> | undefined;

  return {
    root,
    spots,
    at,
    named(id) {
      byId ??= idsOf(spots);
      return byId.get(id) ?? noSpots;
    },
    neededBy: (spot) => needers.get(spot) ?? [],
    targets(reads) {
      let targets = known.get(reads);
      if (targets === undefined) {
        targets = new Map(reads.map(({ name, target }) => [name, target]));
        known.set(reads, targets);
      }
      return targets;
    },
  };

  function at(path: string): Draft {
    const spot = byPath.get(path);
    if (spot === undefined) throw new Error(`the plan has no node "${path}"`);
    return spot;
  }

  function add(node: WorkflowNode, parent: Draft | undefined, index: number, arm: Spot['arm']): Draft {
    const spot: Draft = {
      node,
      number: spots.length,
      depth: parent ? parent.depth + 1 : 0,
      index,
      arm,
      children: noSpots,
      others: noSpots,
      waits: noWays,
      gates: noWays,
      waitedFor: nobody,
    };
    if (parent !== undefined) {
      spot.parent = parent;
      byPath.set(node.path, spot);
      const loop = parent.node.kind === 'loop' ? parent : parent.loop;
      const component = parent.node.kind === 'component' ? parent : parent.component;
      const limited = isLimited(parent.node) ? parent : parent.limited;
      if (loop) spot.loop = loop;
      if (component) spot.component = component;
      const worktree = parent.node.kind === 'worktree' ? parent : parent.worktree;
      if (worktree) spot.worktree = worktree;
      if (parent.node.kind === 'parallel' || (parent.shared && parent !== worktree)) spot.shared = true;
      if (limited) spot.limited = limited;
    }
    spots.push(spot);
    if (node.kind === 'branch') {
      spot.children = node.then.map((each, place) => add(each, spot, place, 'then'));
      spot.others = node.else.map((each, place) => add(each, spot, place, 'else'));
    } else if ('children' in node) spot.children = node.children.map((each, place) => add(each, spot, place, 'then'));
    return spot;
  }

  function addWaits(spot: Draft): void {
    const needs = 'needs' in spot.node ? spot.node.needs : [];
    const references = referencesOf(spot.node);
    if (needs.length === 0 && references.length === 0) return;
    const waits: Way[] = [];
    const gates: Way[] = [];
    for (const path of needs) {
      const needed = at(path);
      if (needed.node.kind !== 'approval') continue;
      gates.push(wayTo(spot, needed));
      const others = needers.get(needed);
      if (others) others.push(spot);
      else needers.set(needed, [spot]);
    }
    const targets = new Set<Draft>(needs.map(at));
    for (const { target } of references) if (target.kind === 'node') targets.add(at(target.node));
    for (const target of targets) {
      const way = wayTo(spot, target);
      if (way.from.node.kind !== 'parallel' || way.through.length === 0 || way.from === spot) continue;
      // From outside of a loop what counts is its last iteration.
      const last = way.through.findIndex(({ node }) => node.kind === 'loop');
      const through = last === -1 ? way.through : way.through.slice(0, last + 1);
      waits.push({ from: way.from, through });
      const end = through.at(-1);
      for (const each of through) if (end) addWaiter(each as Draft, end);
    }
    spot.waits = waits;
    spot.gates = gates;
  }

  function addWaiter(spot: Draft, end: Spot): void {
    if (spot.waitedFor === nobody) spot.waitedFor = new Set();
    (spot.waitedFor as Set<Spot>).add(end);
  }
}

function idsOf(spots: readonly Spot[]): Map<string, Spot[]> {
  const byId = new Map<string, Spot[]>();
  for (const spot of spots) {
    const { id } = spot.node;
    if (id === undefined) continue;
    const others = byId.get(id);
    if (others) others.push(spot);
    else byId.set(id, [spot]);
  }
  return byId;
}

export function isLimited(node: WorkflowNode): boolean {
  return node.kind === 'parallel' && node.maxConcurrency !== undefined;
}

export function wayTo(reader: Spot, target: Spot): Way {
  const through: Spot[] = [];
  let from: Spot = reader;
  let to: Spot = target;
  while (from !== to) {
    if (to.depth >= from.depth && to.parent) {
      through.push(to);
      to = to.parent;
    } else if (from.parent) from = from.parent;
  }
  return { from, through: through.reverse() };
}
