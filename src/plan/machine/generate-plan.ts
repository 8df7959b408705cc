/**
 * Random plans, for tests that drive machines: every kind of node that runs, nested, with waits between siblings, values
 * of earlier iterations, limits, retries, approvals, components and sub-workflows. The same numbers give the same plan.
 *
 * Children of a `parallel` are made one after another and shuffled at the end, so who waits for whom has no circles.
 */
import { parseCondition, parseInterpolated, readsOf } from '../../expr/index.ts';
import { booleanType, field, jsonType, numberType, structOf, textType } from '../../type/index.ts';
import type {
  AgentSpec,
  ApprovalNode,
  Condition,
  Place,
  Reference,
  RetryPolicy,
  StepNode,
  Target,
  Text,
  Value,
  WorkflowNode,
  WorkflowPlan,
} from '../node.ts';

export interface GenerateOptions {
  /** How many nodes with a result there are, about. */
  readonly size?: number;
  /** How deep control nodes nest. */
  readonly depth?: number;
  readonly approvals?: boolean;
  /** How often the first node is an approval. */
  readonly asksFirst?: number;
  readonly workflows?: boolean;
  /** What fails by the plan itself: loops that must come to an end, approvals that fail when denied. */
  readonly failures?: boolean;
}

/** What every step gives. */
export const generatedOutput = structOf([
  field('text', textType),
  field('score', numberType),
  field('flag', booleanType),
]);

/** What the plans take. */
export const generatedInput = structOf([field('topic', textType), field('fast', booleanType, { optional: true })]);

const agents: Readonly<Record<string, AgentSpec>> = {
  writer: { name: 'writer', type: 'scripted', fields: {} },
  critic: { name: 'critic', type: 'scripted', fields: { instructions: 'Be strict.' } },
};

/** What may be read at a place: names to paths, those that were made before. */
interface Scope {
  /** In whose paths those of the nodes begin. */
  readonly prefix: string;
  readonly known: ReadonlyMap<string, string>;
  /** In a loop: steps that come later, whose values are those of the iteration before. */
  readonly later: ReadonlyMap<string, string>;
  readonly loop?: string;
  readonly isComponent: boolean;
  readonly depth: number;
}

/** `random`: from 0 to 1. */
export function generatePlan(random: () => number, options: GenerateOptions = {}, name = 'made'): WorkflowPlan {
  const { size = 10, depth = 3, approvals = true, asksFirst = 0, workflows = true, failures = true } = options;
  let left = size;
  let count = 0;
  let line = 0;
  const below = (limit: number) => Math.floor(random() * limit);
  const chance = (share: number) => random() < share;
  const pick = <T>(items: readonly T[]): T | undefined => items[below(items.length)];

  const subs: Record<string, WorkflowPlan> = {};
  if (workflows && chance(0.5)) {
    const smaller = { ...options, size: Math.ceil(size / 3), depth: depth - 1, workflows: chance(0.3), asksFirst: 0.8 };
    subs.sub = generatePlan(random, smaller, 'sub');
  }
  const scope: Scope = { prefix: '', known: new Map(), later: new Map(), isComponent: false, depth };
  const first = approvals && chance(asksFirst) ? [approval(scope)] : [];
  const { nodes } = list(scope, 1 + below(4));
  return {
    kind: 'plan',
    name,
    input: generatedInput,
    types: {},
    agents,
    services: [],
    plugins: [],
    workflows: subs,
    children: [...first, ...nodes],
    result: jsonType,
  };

  /** Nodes in order; each may read those before it. */
  function list(from: Scope, length: number): { readonly nodes: WorkflowNode[]; readonly known: Map<string, string> } {
    const nodes: WorkflowNode[] = [];
    const known = new Map(from.known);
    for (let index = 0; index < length && (left > 0 || index === 0); index++) {
      const made = node({ ...from, known });
      nodes.push(made.node);
      for (const [id, path] of made.names) known.set(id, path);
    }
    return { nodes, known };
  }

  /** `names`: what can be read after it. */
  function node(at: Scope): { readonly node: WorkflowNode; readonly names: ReadonlyMap<string, string> } {
    left--;
    if (at.depth > 0 && chance(0.45)) return control(at);
    const made = chance(approvals ? 0.15 : 0) ? approval(at) : subs.sub && chance(0.2) ? call(at) : step(at);
    return { node: made, names: new Map([[made.id, made.path]]) };
  }

  function control(at: Scope): { readonly node: WorkflowNode; readonly names: ReadonlyMap<string, string> } {
    const inner: Scope = { ...at, depth: at.depth - 1 };
    switch (below(subs.sub ? 7 : 5)) {
      case 0: {
        const place = header(at, 'q', false);
        const { nodes, known } = list(inner, 1 + below(3));
        return { node: { kind: 'sequence', ...place, children: nodes }, names: known };
      }
      case 1:
        return branch(at, inner);
      case 2:
        return loop(at, inner);
      case 3:
        return component(at, inner);
      default: {
        const place = header(at, 'p', chance(0.5));
        const { nodes, known } = list(inner, 1 + below(5));
        // Sub-workflows beside each other, for their slots.
        if (subs.sub && chance(0.5)) nodes.push(call({ ...inner, known }), call({ ...inner, known }));
        const limit = chance(0.6) ? { maxConcurrency: 1 + below(3) } : {};
        const names = place.id === undefined ? known : new Map([...known, [place.id, place.path]]);
        return { node: { kind: 'parallel', ...place, ...limit, children: shuffled(nodes) }, names };
      }
    }
  }

  function branch(at: Scope, inner: Scope) {
    const place = header(at, 'b', false);
    const decided = condition(at);
    const yes = list(inner, 1 + below(2));
    const no = chance(0.6) ? list(inner, 1 + below(2)) : undefined;
    const names = new Map([...yes.known, ...(no?.known ?? [])]);
    // biome-ignore lint/suspicious/noThenProperty: the word of the language; a list is no promise.
    const arms = { then: yes.nodes, else: no?.nodes ?? [] };
    return { node: { kind: 'branch' as const, ...place, condition: decided, ...arms }, names };
  }

  function loop(at: Scope, inner: Scope) {
    const { id, ...place } = header(at, 'l', true);
    const prefix = `${place.path}/`;
    // The last step is known before it is made, so that others can read what it gave in the iteration before.
    const lastId = fresh('s');
    const later = new Map([...at.later, [lastId, prefix + lastId]]);
    const inside: Scope = { ...inner, prefix, later, loop: place.path };
    const { nodes, known } = list(inside, below(3));
    const last = step({ ...inside, known }, lastId);
    nodes.push(last);
    const names = new Map([...known, [lastId, last.path]]);
    const until = conditionOf(pick([`{${lastId}.score} > 4`, 'loop.iteration == 2', `{${lastId}.flag}`]) ?? '', {
      ...inside,
      known: names,
    });
    const made = {
      kind: 'loop' as const,
      ...place,
      ...(id !== undefined && { id }),
      until,
      maxIterations: 1 + below(3),
      onMaxReached: failures && chance(0.1) ? ('fail' as const) : ('return-last' as const),
      children: nodes,
    };
    return { node: made, names: id === undefined ? names : new Map([...names, [id, place.path]]) };
  }

  function component(at: Scope, inner: Scope) {
    const { id = '', ...place } = header(at, 'c', true);
    const params: Value = { kind: 'record', fields: { topic: { kind: 'text', text: text(at) } } };
    const own: Scope = {
      prefix: `${place.path}/`,
      known: new Map(),
      later: new Map(),
      isComponent: true,
      depth: inner.depth,
    };
    const { nodes } = list(own, 1 + below(3));
    const made = {
      kind: 'component' as const,
      id,
      ...place,
      use: 'Part',
      params,
      paramType: structOf([field('topic', textType)]),
      children: nodes,
    };
    return { node: made, names: new Map([[id, place.path]]) };
  }

  function step(at: Scope, id = fresh('s')): StepNode {
    const path = at.prefix + id;
    const readable = at.loop === undefined ? at : { ...at, later: new Map([...at.later, [id, path]]) };
    return {
      kind: 'step',
      id,
      path,
      action: actionOf(readable),
      output: generatedOutput,
      needs: needs(at),
      retry: retry(),
      ...(chance(0.15) && { skipIf: condition(readable) }),
      ...(chance(0.2) && { timeoutMs: 60_000 }),
      at: place(),
    };
  }

  function actionOf(at: Scope): StepNode['action'] {
    const form = below(4);
    if (form <= 1) return { kind: 'prompt', agent: chance(0.5) ? 'writer' : 'critic', prompt: text(at) };
    if (form === 2) return { kind: 'handler', module: './made.ts', name: 'work' };
    return { kind: 'run', code: 'return made()', edits: [], reads: text(at).reads };
  }

  function approval(at: Scope): ApprovalNode {
    const id = fresh('a');
    const onDeny = pick(failures ? (['fail', 'continue', 'skip'] as const) : (['continue', 'skip'] as const));
    const request = { title: text(at), ...(chance(0.5) && { summary: text(at) }) };
    return {
      kind: 'approval',
      id,
      path: at.prefix + id,
      request,
      needs: needs(at),
      onDeny: onDeny ?? 'skip',
      at: place(),
    };
  }

  function call(at: Scope): Extract<WorkflowNode, { kind: 'workflow' }> {
    const id = fresh('w');
    const input: Value = { kind: 'record', fields: { topic: { kind: 'text', text: text(at) } } };
    return { kind: 'workflow', id, path: at.prefix + id, use: 'sub', input, needs: needs(at), at: place() };
  }

  function needs({ known }: Scope): string[] {
    const wanted = chance(0.3) ? pick([...known.values()]) : undefined;
    return wanted === undefined ? [] : [wanted];
  }

  function retry(): RetryPolicy {
    const backoff = pick(['fixed', 'linear', 'exponential'] as const) ?? 'fixed';
    return { maxAttempts: chance(0.4) ? 2 + below(2) : 1, backoff, initialDelayMs: below(3) * 1000 };
  }

  /** Starts with a word of its own, so that no two texts are the same. */
  function text(at: Scope): Text {
    const holes = Array.from({ length: below(3) }, () => `{${read(at)}}`);
    return textOf(`Do ${++count} ${holes.join(' ')}`, at);
  }

  function read({ known, later, loop, isComponent }: Scope): string {
    const names = [...known.keys()];
    const past = [...later.keys()];
    if (names.length > 0 && chance(0.6)) return `${pick(names)}.text`;
    if (past.length > 0 && chance(0.6)) return `${pick(past)}.text ?? 'none'`;
    if (loop !== undefined && chance(0.5)) return 'loop.iteration';
    if (isComponent) return chance(0.3) ? 'id' : 'params.topic';
    return 'input.topic';
  }

  function condition(at: Scope): Condition {
    const names = [...at.known.keys()];
    const by = chance(0.8) ? pick(names) : undefined;
    return conditionOf(by === undefined ? `${chance(0.5)}` : `{${by}.score} > ${below(9)}`, at);
  }

  function header({ prefix }: Scope, letter: string, isNamed: boolean) {
    const id = fresh(letter);
    const path = `${prefix}${id}`;
    return isNamed ? { id, path, at: place() } : { path, at: place() };
  }

  function fresh(letter: string): string {
    return `${letter}${++count}`;
  }

  function place(): Place {
    return { file: `${name}.toon`, line: ++line, column: 5 };
  }

  function shuffled<T>(items: T[]): T[] {
    for (let index = items.length - 1; index > 0; index--) {
      const other = below(index + 1);
      [items[index], items[other]] = [items[other] as T, items[index] as T];
    }
    return items;
  }
}

function textOf(written: string, at: Scope): Text {
  const { value } = parseInterpolated(written);
  const reads = value.parts.flatMap((part) => (part.kind === 'hole' ? references(part.expression, at) : []));
  return { ...value, reads };
}

function conditionOf(written: string, at: Scope): Condition {
  const { expression } = parseCondition(written);
  if (expression === undefined) throw new Error(`not a condition: ${written}`);
  return { text: written, expression, reads: references(expression, at) };
}

function references(expression: Condition['expression'], at: Scope): Reference[] {
  return readsOf(expression).map(({ name, path }) => ({ name, path, target: targetOf(name, at) }));
}

function targetOf(name: string, { known, later, loop }: Scope): Target {
  if (name === 'input' || name === 'params' || name === 'id') return { kind: name };
  if (name === 'loop') return { kind: 'loop', node: loop ?? '' };
  const path = known.get(name) ?? later.get(name);
  if (path === undefined) throw new Error(`nothing is called "${name}" there`);
  return { kind: 'node', node: path };
}
