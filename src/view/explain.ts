/** How a workflow runs, as far as its plan says: the order of its nodes, what each reads and gives, what its key is of. */
import {
  approvalType,
  childrenOf,
  keyOf,
  keyParts,
  type Place,
  type PluginNode,
  type Reference,
  referencesOf,
  type StepNode,
  shortTypeText,
  typeText,
  type WorkflowNode,
  type WorkflowPlan,
  writtenValue,
} from '../plan/index.ts';
import { allNodes, type Graph, graphOf, meet, overlap, placesOf } from './graph.ts';
import { memberType } from './member-type.ts';

export interface ExplainedWorkflow {
  readonly name: string;
  readonly input: string;
  readonly result: string;
  readonly types: readonly { readonly name: string; readonly type: string }[];
  readonly agents: readonly ExplainedAgent[];
  readonly imports: readonly ExplainedImport[];
  /** In written order, which is the order they run in where nothing else is said. */
  readonly steps: readonly ExplainedStep[];
}

export interface ExplainedAgent {
  readonly name: string;
  readonly type: string;
  readonly model?: string;
  /** The module that exports it. */
  readonly from?: string;
}

export interface ExplainedImport {
  readonly kind: 'agent' | 'service' | 'plugin' | 'workflow' | 'handler';
  readonly name: string;
  /** The module; of sub-workflows only the name is kept. */
  readonly from?: string;
}

export interface ExplainedStep {
  /** `2`, `2.1`, of what runs at once `3a`, of an arm `4.then.1`. */
  readonly number: string;
  readonly path: string;
  readonly id?: string;
  readonly kind: WorkflowNode['kind'];
  /** Who or what does it, and the rest in few words, as in a drawing. */
  readonly what: string;
  readonly notes: readonly string[];
  /** The paths of those that may run at the same time; of very many the nearest. */
  readonly beside: readonly string[];
  /** How many more there are. */
  readonly moreBeside?: number;
  readonly reads: readonly ExplainedRead[];
  /** The paths of those that it waits for. */
  readonly needs: readonly string[];
  readonly result?: string;
  readonly key?: { readonly short: string; readonly parts: readonly string[] };
  readonly retry?: { readonly maxAttempts: number; readonly backoff: string; readonly initialDelayMs: number };
  readonly timeoutMs?: number;
  readonly cache?: { readonly by: readonly string[]; readonly version: string };
  readonly prompt?: string;
  readonly code?: string;
  /** What a part or a sub-workflow is given. */
  readonly given?: unknown;
  readonly at?: Place;
}

export interface ExplainedRead {
  /** `changes.lines`, `input.repo`. */
  readonly name: string;
  /** Of what is read, as far as it is known. */
  readonly type?: string;
}

export function explainWorkflow(plan: WorkflowPlan): ExplainedWorkflow {
  const graph = graphOf(plan);
  const words = new Map([...allNodes(graph.nodes)].map((node) => [node.path, node]));
  const waiting = waitsOf(graph);
  const byPath = new Map<string, WorkflowNode>();
  index(plan.children);
  const steps: ExplainedStep[] = [];
  number(plan.children, '', { beside: [] });
  return {
    name: plan.name,
    input: typeText(plan.input),
    result: typeText(plan.result),
    types: Object.entries(plan.types).map(([name, type]) => ({ name, type: typeText(type) })),
    agents: Object.values(plan.agents).map(({ name, type, fields, from }) => ({
      name,
      type,
      ...(typeof fields.model === 'string' && { model: fields.model }),
      ...(from && { from: from.module }),
    })),
    imports: importsOf(plan, byPath.values()),
    steps,
  };

  function index(nodes: readonly WorkflowNode[]): void {
    for (const node of nodes) {
      byPath.set(node.path, node);
      index(childrenOf(node));
    }
  }

  function number(nodes: readonly WorkflowNode[], before: string, at: Inside): void {
    for (const [i, node] of nodes.entries()) {
      const own = `${before}${at.beside.length > 0 ? letters(i) : i + 1}`;
      steps.push(explain(node, own, at, i));
      const inside = { ...at, beside: [], ...(node.kind === 'component' && { params: node }) };
      if (node.kind === 'branch') {
        number(node.then, `${own}.then.`, inside);
        number(node.else, `${own}.else.`, inside);
      } else if (node.kind === 'parallel') number(node.children, own, { ...inside, beside: node.children });
      else number(childrenOf(node), `${own}.`, inside);
    }
  }

  function explain(node: WorkflowNode, own: string, at: Inside, position: number): ExplainedStep {
    const parts = keyParts(node, plan);
    const drawn = words.get(node.path);
    const result = resultOf(node);
    return {
      number: own,
      path: node.path,
      ...(node.id !== undefined && { id: node.id }),
      kind: node.kind,
      what: drawn?.what ?? node.kind,
      notes: drawn?.notes ?? [],
      ...besideOf(node, at.beside, position),
      reads: readsOf(node, at),
      needs: 'needs' in node ? node.needs : [],
      ...(result !== undefined && { result }),
      ...(parts && { key: { short: keyOf(parts).slice(0, 12), parts: Object.keys(parts) } }),
      ...detailsOf(node),
      ...(node.at && { at: node.at }),
    };
  }

  /** Each of a thousand nodes has a thousand beside it: few are named, all are counted. */
  function besideOf(node: WorkflowNode, all: readonly WorkflowNode[], position: number) {
    if (all.length === 0) return { beside: [] };
    const waits = waiting.get(node.path);
    const nearest = all.slice(Math.max(0, position - mostBeside / 2), position + mostBeside / 2 + 1);
    const beside = nearest.flatMap(({ path }) => (path === node.path || waits?.has(path) ? [] : [path]));
    const more = all.length - 1 - (waits?.size ?? 0) - beside.length;
    return { beside, ...(more > 0 && { moreBeside: more }) };
  }

  function readsOf(node: WorkflowNode, at: Inside): ExplainedRead[] {
    const reads = new Map<string, ExplainedRead>();
    for (const reference of referencesOf(node)) {
      const name = [headOf(reference), ...reference.path].join('.');
      const type = typeRead(reference, at);
      if (!reads.has(name)) reads.set(name, { name, ...(type !== undefined && { type }) });
    }
    return [...reads.values()];
  }

  function headOf({ name, target }: Reference): string {
    return target.kind === 'node'
      ? (byPath.get(target.node)?.id ?? target.node)
      : target.kind === 'loop'
        ? 'loop'
        : name;
  }

  function typeRead({ target, path }: Reference, { params }: Inside): string | undefined {
    switch (target.kind) {
      case 'input':
        return memberType(plan.input, path, plan.types);
      case 'params':
        return memberType(params?.paramType, path, plan.types);
      case 'id':
        return 'string';
      case 'loop':
        return path[0] === 'iteration' ? 'number' : undefined;
      default: {
        const node = byPath.get(target.node);
        return node && memberType(typeOf(node), path, plan.types);
      }
    }
  }

  function typeOf(node: WorkflowNode): StepNode['output'] | undefined {
    if (node.kind === 'plugin' && node.silent) return undefined;
    if (node.kind === 'step' || node.kind === 'plugin') return node.output;
    if (node.kind === 'approval') return approvalType;
    if (node.kind === 'parallel' || node.kind === 'branch' || node.kind === 'workflow') return undefined;
    const last = node.children.at(-1);
    return last && typeOf(last);
  }

  /** Of a sub-workflow the words alone: its types are its own. */
  function resultOf(node: WorkflowNode): string | undefined {
    if (node.kind === 'workflow') return words.get(node.path)?.output;
    const type = typeOf(node);
    return type && shortTypeText(type);
  }
}

interface Inside {
  /** The children of the `parallel` that holds the node. */
  readonly beside: readonly WorkflowNode[];
  /** The part whose `params` are meant. */
  readonly params?: Extract<WorkflowNode, { kind: 'component' }>;
}

const mostBeside = 100;

/** For each child of a `parallel`, those beside it that it waits for itself, and those that wait for it. */
function waitsOf({ nodes, edges }: Graph): ReadonlyMap<string, ReadonlySet<string>> {
  const places = placesOf(nodes);
  const found = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    const [read, reader] = [places.get(from), places.get(to)];
    if (!read || !reader || overlap(read, reader)) continue;
    const { a, b, holder } = meet(read, reader);
    // What waits only inside has begun before.
    if (holder?.node.kind !== 'parallel' || b !== reader) continue;
    for (const [one, other] of [
      [a.node.path, b.node.path],
      [b.node.path, a.node.path],
    ] as const) {
      const waits = found.get(one);
      if (waits) waits.add(other);
      else found.set(one, new Set([other]));
    }
  }
  return found;
}

function detailsOf(node: WorkflowNode): Partial<ExplainedStep> {
  if (node.kind === 'workflow') return { given: writtenValue(node.input) };
  if (node.kind === 'component') return { given: writtenValue(node.params) };
  if (node.kind === 'plugin') return { ...attemptsOf(node), given: writtenValue(node.fields) };
  if (node.kind !== 'step') return {};
  const { action, cache } = node;
  return {
    ...attemptsOf(node),
    ...(cache && { cache: { by: cache.by.map((text) => text.text), version: cache.version } }),
    ...(action.kind === 'prompt' && action.prompt.parts.length > 0 && { prompt: action.prompt.text }),
    ...(action.kind === 'prompt' && action.with && { given: writtenValue(action.with) }),
    ...(action.kind === 'run' && { code: action.code }),
  };
}

function attemptsOf({ retry, timeoutMs }: Pick<PluginNode, 'retry' | 'timeoutMs'>): Partial<ExplainedStep> {
  return {
    ...(retry && retry.maxAttempts > 1 && { retry }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

function importsOf(plan: WorkflowPlan, nodes: Iterable<WorkflowNode>): ExplainedImport[] {
  const found: ExplainedImport[] = [
    ...Object.values(plan.agents).flatMap(({ name, from }) =>
      from ? [{ kind: 'agent' as const, name, from: from.module }] : [],
    ),
    ...plan.services.map(({ as, module }) => ({ kind: 'service' as const, name: as, from: module })),
    ...plan.plugins.map(({ name, module }) => ({ kind: 'plugin' as const, name, from: module })),
    ...Object.keys(plan.workflows).map((name) => ({ kind: 'workflow' as const, name })),
  ];
  const handlers = new Map<string, ExplainedImport>();
  for (const node of nodes) {
    if (node.kind !== 'step' || node.action.kind !== 'handler') continue;
    const { name, module } = node.action;
    handlers.set(`${module}#${name}`, { kind: 'handler', name, from: module });
  }
  return [...found, ...handlers.values()];
}

/** a, b … z, aa, ab … */
function letters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? letters(rest - 1) : '') + String.fromCharCode(97 + (index % 26));
}
