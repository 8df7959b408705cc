/**
 * What there is to draw of a plan: its nodes with the words that stand at them, and who reads whom. The drawings as text,
 * Mermaid and SVG are all made from this, so they cannot disagree.
 */
import {
  childrenOf,
  type PluginNode,
  referencesOf,
  shortTypeText,
  typeText,
  type WorkflowNode,
  type WorkflowPlan,
} from '../plan/index.ts';
import { durationText } from './duration.ts';
import type { TreeStatus } from './tree-node.ts';

export interface Graph {
  readonly name: string;
  readonly input: string;
  readonly result: string;
  readonly nodes: readonly GraphNode[];
  /** In the order of their readers. */
  readonly edges: readonly GraphEdge[];
}

export interface GraphNode {
  /** From the root; unique in the graph. */
  readonly path: string;
  readonly id?: string;
  readonly kind: WorkflowNode['kind'];
  /** Who or what does it: `agent writer`, `run`, `handler ./checks.ts#lint`, `loop`, `component Brief`. */
  readonly what: string;
  /** The type of its result, where it has one of its own. */
  readonly output?: string;
  /** What else matters, in a few words each. */
  readonly notes: readonly string[];
  /** Of a run: what became of it, in the last round where there are several. */
  readonly status?: TreeStatus;
  /** What it holds; of a branch its arms. */
  readonly parts: readonly GraphPart[];
}

export interface GraphPart {
  readonly label?: 'then' | 'else';
  readonly nodes: readonly GraphNode[];
}

/** `to` reads the result of `from`, or waits for it. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: 'reads' | 'needs';
  /** It is the value of the iteration before that is read. */
  readonly again: boolean;
}

/** Sub-workflows are drawn so deep. */
const levels = 1;
/** And no more of them, when so many of their nodes are drawn. */
const mostOpened = 2000;

export function graphOf(plan: WorkflowPlan): Graph {
  const edges: GraphEdge[] = [];
  const order = new Map<string, number>();
  let opened = 0;
  return {
    name: plan.name,
    input: typeText(plan.input),
    result: typeText(plan.result),
    nodes: draw(plan.children, { plan, prefix: '', level: 0 }),
    edges: edges.map((edge) => ({ ...edge, again: (order.get(edge.from) ?? 0) >= (order.get(edge.to) ?? 0) })),
  };

  function draw(nodes: readonly WorkflowNode[], at: Scope): GraphNode[] {
    return nodes.map((node) => {
      const path = at.prefix + node.path;
      order.set(path, order.size);
      if (at.level > 0) opened++;
      for (const edge of edgesTo(node, path, at.prefix)) edges.push(edge);
      const called = calledBy(node, at);
      const parts = partsOf(node, at, called);
      const { output, notes } = wordsOf(node, at, called !== undefined);
      return {
        path,
        ...(node.id !== undefined && { id: node.id }),
        kind: node.kind,
        what: whatOf(node),
        ...(output !== undefined && { output }),
        notes: notes.filter((note) => note !== undefined),
        parts,
      };
    });
  }

  /** One workflow may be called very often: at some point it is not drawn again. */
  function calledBy(node: WorkflowNode, { plan: own, level }: Scope): WorkflowPlan | undefined {
    if (node.kind !== 'workflow' || level >= levels || opened > mostOpened) return undefined;
    return own.workflows[node.use];
  }

  function partsOf(node: WorkflowNode, at: Scope, called: WorkflowPlan | undefined): GraphPart[] {
    if (node.kind === 'branch') {
      const arms = [
        { label: 'then', nodes: draw(node.then, at) },
        { label: 'else', nodes: draw(node.else, at) },
      ] as const;
      return arms.filter((arm) => arm.nodes.length > 0);
    }
    const nodes = called
      ? draw(called.children, { plan: called, prefix: `${at.prefix}${node.path}/`, level: at.level + 1 })
      : draw(childrenOf(node), at);
    return nodes.length > 0 ? [{ nodes }] : [];
  }
}

/** Where each node stands: its number in drawn order and that of the last node it holds, and what holds it. */
export interface GraphPlace {
  readonly node: GraphNode;
  readonly first: number;
  readonly last: number;
  readonly parent?: GraphPlace;
}

export function placesOf(nodes: readonly GraphNode[]): ReadonlyMap<string, GraphPlace> {
  const places = new Map<string, GraphPlace>();
  visit(nodes, undefined);
  return places;

  function visit(all: readonly GraphNode[], parent: GraphPlace | undefined): void {
    for (const node of all) {
      const place = { node, first: places.size, last: 0, ...(parent && { parent }) };
      places.set(node.path, place);
      for (const part of node.parts) visit(part.nodes, place);
      place.last = places.size - 1;
    }
  }
}

/** Whether one of them is the other or holds it. */
export function overlap(a: GraphPlace, b: GraphPlace): boolean {
  return a.first <= b.last && b.first <= a.last;
}

/** The innermost node that holds both, and those directly in it that are the two or hold them. */
export function meet(one: GraphPlace, other: GraphPlace): Meeting {
  let a = one;
  let b = other;
  while (a.parent && !(a.parent.first <= b.first && b.last <= a.parent.last)) a = a.parent;
  while (b.parent && b.parent !== a.parent) b = b.parent;
  return { a, b, ...(a.parent && { holder: a.parent }) };
}

export interface Meeting {
  readonly a: GraphPlace;
  readonly b: GraphPlace;
  /** Absent: the whole. */
  readonly holder?: GraphPlace;
}

/** Every node, outer ones first. */
export function* allNodes(nodes: readonly GraphNode[]): Generator<GraphNode> {
  for (const node of nodes) {
    yield node;
    for (const part of node.parts) yield* allNodes(part.nodes);
  }
}

/** What people call a node. */
export function titleOf({ id, kind, what }: GraphNode): string {
  return id ?? (kind === 'plugin' ? what : kind);
}

interface Scope {
  readonly plan: WorkflowPlan;
  /** What stands before the paths of its nodes. */
  readonly prefix: string;
  readonly level: number;
}

/** One for each node that is read, or only needed. */
function edgesTo(node: WorkflowNode, path: string, prefix: string): GraphEdge[] {
  const kinds = new Map<string, GraphEdge['kind']>();
  if ('needs' in node) for (const need of node.needs) kinds.set(prefix + need, 'needs');
  for (const { target } of referencesOf(node)) if (target.kind === 'node') kinds.set(prefix + target.node, 'reads');
  // A loop that ends by what it holds says so in its words.
  if (kinds.size > 0) for (const inner of childPaths(node, prefix)) kinds.delete(inner);
  return [...kinds].map(([from, kind]) => ({ from, to: path, kind, again: false }));
}

function childPaths(node: WorkflowNode, prefix: string): string[] {
  return childrenOf(node).flatMap((child) => [prefix + child.path, ...childPaths(child, prefix)]);
}

function whatOf(node: WorkflowNode): string {
  switch (node.kind) {
    case 'step':
      if (node.action.kind === 'prompt') return `agent ${node.action.agent}`;
      if (node.action.kind === 'run') return 'run';
      return `handler ${node.action.module}${node.action.name === 'default' ? '' : `#${node.action.name}`}`;
    case 'workflow':
    case 'component':
      return `${node.kind} ${node.use}`;
    case 'plugin':
      return node.type;
    default:
      return node.kind;
  }
}

interface Words {
  readonly output?: string;
  readonly notes: readonly (string | undefined)[];
}

function wordsOf(node: WorkflowNode, at: Scope, isDrawn: boolean): Words {
  switch (node.kind) {
    case 'step':
      return {
        output: shortTypeText(node.output),
        notes: [
          node.skipIf && `skipped if ${node.skipIf.text}`,
          ...attemptNotes(node),
          node.cache && 'with cache',
          node.pool === undefined ? undefined : `pool ${node.pool}`,
        ],
      };
    case 'parallel':
      return { notes: [node.maxConcurrency === undefined ? undefined : `at most ${node.maxConcurrency} at once`] };
    case 'loop': {
      const most = `at most ${node.maxIterations} ${node.maxIterations === 1 ? 'round' : 'rounds'}`;
      return { notes: [`until ${node.until.text}`, node.onMaxReached === 'fail' ? `${most}, else it fails` : most] };
    }
    case 'approval': {
      const no = { fail: undefined, continue: 'a no goes on', skip: 'a no skips the rest' }[node.onDeny];
      return { notes: [`"${node.request.title.text}"`, no] };
    }
    case 'branch':
      return { notes: [`if ${node.condition.text}`] };
    case 'worktree':
      return { notes: [`in ${node.folder.text}`, node.keep ? 'kept' : undefined] };
    case 'workflow': {
      const called = at.plan.workflows[node.use];
      return {
        ...(called && { output: shortTypeText(called.result) }),
        notes: [isDrawn ? undefined : 'not drawn further'],
      };
    }
    case 'plugin':
      return {
        ...(!node.silent && { output: shortTypeText(node.output) }),
        notes: [`of ${node.module}`, ...attemptNotes(node)],
      };
    default:
      return { notes: [] };
  }
}

function attemptNotes({ retry, timeoutMs }: Pick<PluginNode, 'retry' | 'timeoutMs'>): (string | undefined)[] {
  return [
    retry && retry.maxAttempts > 1 ? `at most ${retry.maxAttempts} attempts` : undefined,
    timeoutMs === undefined ? undefined : `within ${durationText(timeoutMs)}`,
  ];
}
