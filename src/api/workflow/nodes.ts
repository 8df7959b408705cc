/** The functions that make nodes. Their keys are those of workflow files, and so is what they mean. */
import type { Agent } from './agent.ts';
import { type Expr, type Given, makeRef, type Ref, type TextLike } from './expression.ts';
import {
  type Cache,
  type Condition,
  type Duration,
  makeNode,
  type NamedNode,
  type Needs,
  type Node,
  type NodeData,
  type ResultOf,
  type Retry,
  type StepContext,
  type StepData,
} from './node.ts';
import type { AnySchema, ValueOf } from './schema.ts';
import type { Workflow } from './workflow.ts';

type Nodes = readonly Node<unknown>[];

/** The results of all nodes of a list. */
type Each<N> = { readonly [K in keyof N]: N[K] extends Node<infer R> ? R : unknown };

/** Only a node with an id can be read. */
type Made<O, R> = O extends { readonly id: string } ? NamedNode<R> : Node<R>;

interface StepOptions<S, Skip> {
  readonly output: S;
  readonly needs?: Needs;
  readonly maxAttempts?: number;
  readonly retry?: Retry;
  readonly timeout?: Duration;
  readonly cache?: Cache;
  readonly skipIf?: Skip;
  readonly pool?: string;
}

/** A step that may be skipped has no value then. */
type Skippable<R, Skip> = [Skip] extends [undefined] ? R : R | undefined;

/** What a thunk takes beside its prompt, by name; its file says which types. */
type Arguments = Expr<unknown> | { readonly [param: string]: unknown };

/** A thunk says itself what it takes and gives. */
interface ThunkAction {
  readonly agent: Agent;
  readonly prompt?: TextLike;
  readonly promptFrom?: string;
  readonly with?: Arguments;
  readonly output?: never;
  readonly run?: never;
  readonly handler?: never;
}

/** A step does exactly one of these. */
type Action<S> =
  | {
      readonly agent: Agent;
      readonly prompt: TextLike;
      readonly with?: Arguments;
      readonly promptFrom?: never;
      readonly run?: never;
      readonly handler?: never;
    }
  | {
      readonly agent: Agent;
      readonly promptFrom: string;
      readonly with?: Arguments;
      readonly prompt?: never;
      readonly run?: never;
      readonly handler?: never;
    }
  | {
      /** A thunk that takes no input. */
      readonly agent: Agent;
      readonly with: Arguments;
      readonly prompt?: never;
      readonly promptFrom?: never;
      readonly run?: never;
      readonly handler?: never;
    }
  | {
      /** Code as in files, or a function. */
      readonly run: string | ((context: StepContext) => ValueOf<S> | Promise<ValueOf<S>>);
      readonly agent?: never;
      readonly with?: never;
      readonly prompt?: never;
      readonly promptFrom?: never;
      readonly handler?: never;
    }
  | {
      readonly handler: string;
      readonly agent?: never;
      readonly with?: never;
      readonly prompt?: never;
      readonly promptFrom?: never;
      readonly run?: never;
    };

export interface Approval {
  readonly approved: boolean;
  readonly note?: string;
  readonly decidedBy?: string;
  readonly decidedAt: string;
}

/** One piece of work: a prompt for an agent, code, or a handler. */
export function step<const S extends AnySchema, Skip extends Condition | undefined = undefined>(
  id: string,
  options: StepOptions<S, Skip> & Action<S>,
): NamedNode<Skippable<ValueOf<S>, Skip>>;
/** The same for an agent of type `too`: without `output` the step gives what its thunk gives, which TypeScript cannot know. */
export function step(
  id: string,
  options: Omit<StepOptions<never, Condition>, 'output'> & ThunkAction,
): NamedNode<unknown>;
export function step(id: string, options: object): NamedNode<unknown> {
  return makeNode({ ...(options as Omit<StepData, 'kind' | 'id'>), kind: 'step', id });
}

/** Nodes one after the other. */
export function sequence<const O extends { readonly id?: string; readonly children: Nodes }>(
  options: O,
): Made<O, ResultOf<O['children']>> {
  return make<O, ResultOf<O['children']>>({ ...options, kind: 'sequence' });
}

/** Nodes at the same time; one that reads a sibling waits for it. */
export function parallel<
  const O extends { readonly id?: string; readonly maxConcurrency?: number; readonly children: Nodes },
>(options: O): Made<O, Each<O['children']>> {
  return make({ ...options, kind: 'parallel' });
}

interface LoopOptions {
  readonly id?: string;
  readonly until: Condition;
  readonly maxIterations?: number;
  readonly onMaxReached?: 'return-last' | 'fail';
  readonly children: Nodes;
}

/** Nodes again and again, until a condition holds after a whole iteration. */
function makeLoop<const O extends LoopOptions>(options: O): Made<O, ResultOf<O['children']>> {
  return make<O, ResultOf<O['children']>>({ ...options, kind: 'loop' });
}

const iteration: Ref<number> = makeRef<{ iteration: number }>('loop').iteration;

/** `loop.iteration` is the number of the iteration, from 1 on. */
export const loop: typeof makeLoop & { readonly iteration: Ref<number> } = Object.assign(makeLoop, { iteration });

/** A person decides. */
export function approval(
  id: string,
  options: {
    readonly request: { readonly title: TextLike; readonly summary?: TextLike };
    readonly needs?: Needs;
    readonly onDeny?: 'fail' | 'continue' | 'skip';
  },
): NamedNode<Approval> {
  return makeNode({ ...options, kind: 'approval', id });
}

interface BranchOptions {
  readonly id?: string;
  readonly condition: Condition;
  readonly then: Nodes;
  readonly else?: Nodes;
}

type ArmsOf<O extends BranchOptions> =
  | ResultOf<O['then']>
  | (O extends { readonly else: infer Else } ? ResultOf<Else> : undefined);

/** One list of nodes or another. */
export function branch<const O extends BranchOptions>(options: O): Made<O, ArmsOf<O>> {
  return make<O, ArmsOf<O>>({ ...options, kind: 'branch' });
}

interface WorktreeOptions {
  readonly id?: string;
  readonly path: TextLike;
  readonly branch?: TextLike;
  readonly base?: TextLike;
  readonly keep?: boolean;
  readonly children: Nodes;
}

/** Nodes that work in a git worktree of their own. */
export function worktree<const O extends WorktreeOptions>(options: O): Made<O, ResultOf<O['children']>> {
  return make<O, ResultOf<O['children']>>({ ...options, kind: 'worktree' });
}

/** `input` may be left out where no field of it has to be given. */
type WithInput<I> = object extends I ? { readonly input?: Given<I> } : { readonly input: Given<I> };

/** Another workflow, as a run of its own. */
export function call<I, R>(
  id: string,
  options: { readonly use: Workflow<I, R>; readonly needs?: Needs } & WithInput<NoInfer<I>>,
): NamedNode<R> {
  return makeNode({ ...(options as { use: object; input?: unknown; needs?: Needs }), kind: 'workflow', id });
}

export interface PluginNodeOptions {
  readonly id?: string;
  readonly needs?: Needs;
  readonly maxAttempts?: number;
  readonly retry?: Retry;
  readonly timeout?: Duration;
  /** Those of the kind. */
  readonly [field: string]: unknown;
}

/** A node of a kind that a plugin brings. */
export function node(kind: string, options: PluginNodeOptions = {}): NamedNode<unknown> {
  const { id, needs, maxAttempts, retry, timeout, ...fields } = options;
  return makeNode({
    kind: 'other',
    type: kind,
    ...(id !== undefined && { id }),
    ...(needs !== undefined && { needs }),
    ...(maxAttempts !== undefined && { maxAttempts }),
    ...(retry !== undefined && { retry }),
    ...(timeout !== undefined && { timeout }),
    fields,
  });
}

/** A step by its id, where the step itself is not there yet: one that a loop has further down, or one of a component. */
export function ref<const S extends AnySchema>(id: string, _output: S): Ref<ValueOf<S>> {
  return makeRef(id);
}

function make<O, R>(data: NodeData): Made<O, R> {
  return makeNode<R>(data) as Made<O, R>;
}
