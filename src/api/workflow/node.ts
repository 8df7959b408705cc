/** Nodes of builder programs. Outside they are references to their results; what they are made of is known here only. */
import type { Agent } from './agent.ts';
import { type Expr, makeRef, type Ref, type TextLike } from './expression.ts';
import type { AnySchema } from './schema.ts';

declare const result: unique symbol;

/** A node of the graph, which gives an `R`. */
export interface Node<out R> {
  readonly [result]: R;
}

/** A node that has an id: its result can be read. */
export type NamedNode<R> = Node<R> & Ref<R>;

/** The result of the last node of a list. */
export type ResultOf<N> = N extends readonly [...unknown[], Node<infer R>]
  ? R
  : N extends readonly Node<infer R>[]
    ? R
    : unknown;

export type Needs = Node<unknown> | string | readonly (Node<unknown> | string)[];

/** `250ms`, `30s`, `5m`, `1h` */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h'}`;

/** A condition: text with one expression, `text`, `expr` or a reference. */
export type Condition = string | Expr<unknown>;

export interface StepData {
  readonly kind: 'step';
  readonly id: string;
  readonly agent?: Agent;
  readonly prompt?: TextLike;
  readonly promptFrom?: string;
  readonly run?: string | StepFunction;
  readonly handler?: string;
  /** What a thunk takes beside its prompt. */
  readonly with?: unknown;
  /** Left out, it is that of the thunk. */
  readonly output?: AnySchema;
  readonly needs?: Needs;
  readonly maxAttempts?: number;
  readonly retry?: Retry;
  readonly timeout?: Duration;
  readonly cache?: Cache;
  readonly skipIf?: Condition;
  readonly pool?: string;
}

export interface Retry {
  /** Attempts in all, the first included. */
  readonly maxAttempts?: number;
  readonly backoff?: 'fixed' | 'linear' | 'exponential';
  readonly initialDelay?: Duration;
}

export interface Cache {
  readonly by: TextLike | readonly TextLike[];
  readonly version?: string | number;
}

/** What a function step is called with. */
export interface StepContext {
  /** The value that a reference has now. */
  readonly read: <T>(reference: Expr<T>) => T;
  readonly input: unknown;
  /** Results by the ids of their steps. */
  readonly steps: Readonly<Record<string, unknown>>;
  readonly params: unknown;
  readonly attempt: number;
  readonly runId: string;
  readonly key: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

export type StepFunction = (context: StepContext) => unknown;

type Nodes = readonly Node<unknown>[];

export type NodeData =
  | StepData
  | { readonly kind: 'sequence'; readonly id?: string; readonly children: Nodes }
  | { readonly kind: 'parallel'; readonly id?: string; readonly maxConcurrency?: number; readonly children: Nodes }
  | {
      readonly kind: 'loop';
      readonly id?: string;
      readonly until: Condition;
      readonly maxIterations?: number;
      readonly onMaxReached?: 'return-last' | 'fail';
      readonly children: Nodes;
    }
  | {
      readonly kind: 'approval';
      readonly id: string;
      readonly request: { readonly title: TextLike; readonly summary?: TextLike };
      readonly needs?: Needs;
      readonly onDeny?: 'fail' | 'continue' | 'skip';
    }
  | {
      readonly kind: 'branch';
      readonly id?: string;
      readonly condition: Condition;
      readonly then: Nodes;
      readonly else?: Nodes;
    }
  | {
      readonly kind: 'worktree';
      readonly id?: string;
      readonly path: TextLike;
      readonly branch?: TextLike;
      readonly base?: TextLike;
      readonly keep?: boolean;
      readonly children: Nodes;
    }
  | {
      readonly kind: 'workflow';
      readonly id: string;
      /** The workflow object. */
      readonly use: object;
      readonly input?: unknown;
      readonly needs?: Needs;
    }
  /** `use` is the component object. */
  | { readonly kind: 'component'; readonly id: string; readonly use: object; readonly with?: unknown }
  | {
      readonly kind: 'other';
      readonly type: string;
      readonly id?: string;
      readonly fields: Readonly<Record<string, unknown>>;
      readonly needs?: Needs;
      readonly maxAttempts?: number;
      readonly retry?: Retry;
      readonly timeout?: Duration;
    };

const nodes = new WeakMap<object, NodeData>();

export function makeNode<R>(data: NodeData): NamedNode<R> {
  // Without an id nothing can read its result, and the type has no members.
  const node = data.id === undefined ? Object.freeze({}) : makeRef(nameInside(data.id));
  nodes.set(node, data);
  return node as NamedNode<R>;
}

/** What a node was made from; undefined if the value is no node. */
export function dataOf(node: unknown): NodeData | undefined {
  return typeof node === 'object' && node !== null ? nodes.get(node) : undefined;
}

/** In its component, a step `{id}-short` goes by the rest of its name. */
export function nameInside(id: string): string {
  return (
    String(id)
      .replaceAll('{id}', '')
      .replace(/^[-_]+|[-_]+$/g, '') || id
  );
}

export function childrenOf(data: NodeData): Nodes {
  if (data.kind === 'branch') return [...listOf(data.then), ...listOf(data.else)];
  return 'children' in data ? listOf(data.children) : [];
}

/** What is no list is reported when the workflow is checked. */
export function listOf(nodes: unknown): Nodes {
  return Array.isArray(nodes) ? nodes : [];
}
