/**
 * The workflow graph: what a `.toon` file and a builder program both compile to. Frozen plain data (JSON): it can be
 * stored, compared and drawn, and the machine runs it without looking at a file again.
 */
import type { Expression, Interpolated } from '../expr/index.ts';
import type { StructType, Type } from '../type/index.ts';

export interface WorkflowPlan {
  readonly kind: 'plan';
  readonly name: string;
  readonly input: Type;
  /** The named types that `ref` types mean. */
  readonly types: Readonly<Record<string, StructType>>;
  readonly agents: Readonly<Record<string, AgentSpec>>;
  readonly services: readonly ModuleImport[];
  readonly plugins: readonly PluginImport[];
  /** The sub-workflows, by the name that `use` has for them. */
  readonly workflows: Readonly<Record<string, WorkflowPlan>>;
  readonly children: readonly WorkflowNode[];
  /** What the workflow gives: the result of its last node. */
  readonly result: ResultType;
  /** How its agents were put to work, for runs that go on with it. */
  readonly activation?: Activation;
}

/** What the command line says of agents: which caps they see, and the most that they may use. */
export interface Activation {
  /** Of a run that is one thunk: which, and where it works. */
  readonly thunk?: string;
  readonly cwd?: string;
  /** The conversation that it goes on with. */
  readonly thread?: string;
  /** The run before it, where one follows the other in a session: what scripted models said there is not said again. */
  readonly after?: string;
  readonly shared?: boolean;
  readonly global?: boolean;
  readonly models?: readonly string[];
  readonly tools?: readonly string[];
  readonly caps?: readonly string[];
}

/** What a node gives. Files cannot write the last three: they come from `parallel`, `branch` and what may be skipped. */
export type ResultType =
  | Type
  | { readonly kind: 'tuple'; readonly items: readonly ResultType[] }
  /** One of several; no member is a union. */
  | { readonly kind: 'union'; readonly members: readonly ResultType[] }
  | { readonly kind: 'nothing' };

/** Where something was written; not part of what a plan means, and left out when plans are compared. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Where the expressions of a text, or all of a code, stand: for each stretch that the node's file has as the text has it,
 * its offset in the text, its line and its column. A text that is a whole file has the name of that.
 * Not part of what a plan means either.
 */
export type Stretches = string | readonly number[];

export interface AgentSpec {
  readonly name: string;
  readonly type: string;
  /** Every other field as declared: model, instructions, tools, timeoutMs, own fields of the type. */
  readonly fields: Readonly<Record<string, Json>>;
  /** The module that exports it, when it is imported and not declared. */
  readonly from?: ModuleImport;
  /** The plugin that answers for it, when its type is a plugin's. */
  readonly plugin?: PluginImport;
  /** Of a sub-workflow: its file, from the folder of the root file. Replies beside that answer for it. */
  readonly workflow?: string;
  /** Of a thunk: its program, compiled. Plain data that no plan looks into; a run has it, a check does not. */
  readonly image?: Json;
  readonly at?: Place;
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One export of a user's module. `module` is relative to the folder of the root file, with `/`, or a package name. */
export interface ModuleImport {
  readonly module: string;
  readonly name: string;
  /** The name it has in the workflow. */
  readonly as: string;
}

export interface PluginImport {
  readonly module: string;
  /** Of the export; `default` also means the only function that there is. */
  readonly name: string;
  readonly config: Json;
  /** The names that code has from it: functions and services. */
  readonly gives?: readonly string[];
  /** The kinds of nodes that it brings. */
  readonly kinds?: readonly string[];
}

export type WorkflowNode =
  | StepNode
  | SequenceNode
  | ParallelNode
  | LoopNode
  | ApprovalNode
  | BranchNode
  | WorktreeNode
  | CallNode
  | ComponentNode
  | PluginNode;

/** The kinds of the language, as they are written. */
export const nodeKinds = [
  ...['step', 'sequence', 'parallel', 'loop', 'approval', 'branch', 'worktree', 'workflow', 'component'],
];

interface Node {
  /** The name that expressions and `needs` use; control nodes may have none. */
  readonly id?: string;
  /**
   * Identity: component uses, loops and the step's own id (`brief/short`, `polish/review`; a run adds iterations).
   * Unique in the plan. Sequence, parallel, branch and worktree do not count.
   */
  readonly path: string;
  readonly at?: Place;
}

interface Named extends Node {
  readonly id: string;
}

export interface StepNode extends Named {
  readonly kind: 'step';
  readonly action: PromptAction | RunAction | HandlerAction;
  readonly output: Type;
  /** Explicit dependencies, as paths. */
  readonly needs: readonly string[];
  readonly retry: RetryPolicy;
  readonly timeoutMs?: number;
  readonly cache?: { readonly by: readonly Text[]; readonly version: string };
  readonly skipIf?: Condition;
  readonly pool?: string;
}

export interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly maxAttempts: number;
  readonly backoff: 'fixed' | 'linear' | 'exponential';
  readonly initialDelayMs: number;
}

export interface PromptAction {
  readonly kind: 'prompt';
  readonly agent: string;
  /** Without parts where there is none: of a thunk that takes no input. */
  readonly prompt: Text;
  /** The arguments of a thunk by name, beside the prompt, which is its input. */
  readonly with?: Value;
}

export interface RunAction {
  readonly kind: 'run';
  /** JavaScript: types blanked, hyphenated ids rewritten to `steps["…"]`. */
  readonly code: string;
  /** What was rewritten, so that a column of `code` leads back to what was written. */
  readonly edits: readonly { readonly start: number; readonly end: number; readonly text: string }[];
  readonly reads: readonly Reference[];
  /** What it uses of services and plugins, by name. */
  readonly uses?: readonly string[];
  /** In offsets of what was written. */
  readonly at?: Stretches;
}

export interface HandlerAction {
  readonly kind: 'handler';
  readonly module: string;
  readonly name: string;
}

export interface SequenceNode extends Node {
  readonly kind: 'sequence';
  readonly children: readonly WorkflowNode[];
}

export interface ParallelNode extends Node {
  readonly kind: 'parallel';
  readonly maxConcurrency?: number;
  readonly children: readonly WorkflowNode[];
}

export interface LoopNode extends Node {
  readonly kind: 'loop';
  readonly until: Condition;
  readonly maxIterations: number;
  readonly onMaxReached: 'return-last' | 'fail';
  readonly children: readonly WorkflowNode[];
}

export interface ApprovalNode extends Named {
  readonly kind: 'approval';
  readonly request: { readonly title: Text; readonly summary?: Text };
  readonly needs: readonly string[];
  readonly onDeny: 'fail' | 'continue' | 'skip';
}

export interface BranchNode extends Node {
  readonly kind: 'branch';
  readonly condition: Condition;
  readonly then: readonly WorkflowNode[];
  readonly else: readonly WorkflowNode[];
}

export interface WorktreeNode extends Node {
  readonly kind: 'worktree';
  readonly folder: Text;
  readonly branch?: Text;
  readonly base?: Text;
  readonly keep: boolean;
  readonly children: readonly WorkflowNode[];
}

/** A sub-workflow. */
export interface CallNode extends Named {
  readonly kind: 'workflow';
  readonly use: string;
  readonly input: Value;
  readonly needs: readonly string[];
}

/** A use of a component, its steps already made for this use. */
export interface ComponentNode extends Named {
  readonly kind: 'component';
  readonly use: string;
  /** What `params` is inside. */
  readonly params: Value;
  readonly paramType: Type;
  readonly children: readonly WorkflowNode[];
}

export interface PluginNode extends Node {
  readonly kind: 'plugin';
  /** The `kind:` that was written. */
  readonly type: string;
  /** Of the plugin that brings the kind; without `name` it is the default export. */
  readonly module: string;
  readonly name?: string;
  readonly fields: Value;
  readonly output: Type;
  /** It has no value, whatever its function returns. */
  readonly silent?: true;
  readonly needs: readonly string[];
  readonly retry?: RetryPolicy;
  readonly timeoutMs?: number;
}

/** A text with holes, and what its holes read. */
export interface Text extends Interpolated {
  readonly reads: readonly Reference[];
  readonly at?: Stretches;
}

export interface Condition {
  readonly text: string;
  readonly expression: Expression;
  readonly reads: readonly Reference[];
  readonly at?: Stretches;
}

/** What a name in an expression means at its place, settled when the plan is made. */
export interface Reference {
  readonly name: string;
  readonly target: Target;
  /** The members read through it, as far as they are written out. */
  readonly path: readonly string[];
}

export type Target =
  | { readonly kind: 'input' | 'params' | 'id' }
  /** The loop whose iteration is meant, by its path. */
  | { readonly kind: 'loop'; readonly node: string }
  /** A step or another node with a result, by its path. */
  | { readonly kind: 'node'; readonly node: string };

/** A value with texts in it: `with` of a component or of a thunk, `input` of a sub-workflow, fields of a plugin's node. */
export type Value =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'text'; readonly text: Text }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'record'; readonly fields: Readonly<Record<string, Value>> };
