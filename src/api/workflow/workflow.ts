/** Workflow objects: built, or loaded from a file. */
import type { Planned, WorkflowPlan } from '../../plan/index.ts';
import { ToolangError } from '../../text/index.ts';
import { checkProgram, failed } from './check.ts';
import { makeRef, type Ref } from './expression.ts';
import { type Described, mark } from './marker.ts';
import type { Node, ResultOf, StepFunction } from './node.ts';
import { cwdFile, pathFrom } from './paths.ts';
import { functionsOf, reach } from './reached.ts';
import type { AnySchema, ValueOf } from './schema.ts';
import { type Imports, keepWorkflow, type WorkflowData } from './workflow-data.ts';

declare const shape: unique symbol;

/** A workflow that takes an `I` and gives an `R`. */
export interface Workflow<I, R> {
  readonly [shape]?: { readonly input: I; readonly result: R };
  readonly name: string;
  /** The graph; rejects with one ToolangError that has all `diagnostics`. */
  readonly plan: () => Promise<WorkflowPlan>;
  /** The graph if nothing is wrong, and everything that was found. */
  readonly check: () => Promise<Planned>;
  /** The functions of steps, its sub-workflows' included, by the modules of their handlers in the graph. */
  readonly functions: ReadonlyMap<string, StepFunction>;
}

export interface WorkflowOptions<S, N> {
  readonly name: string;
  /** Left out: it takes nothing. */
  readonly input?: S;
  readonly steps: (scope: { readonly input: Ref<ValueOf<S>> }) => N;
  readonly imports?: Imports;
  /** `import.meta.url`, or a path: what paths in the program are relative to. Left out: the current folder. */
  readonly from?: string | URL;
}

export function workflow<const N extends readonly Node<unknown>[], const S extends AnySchema = Nothing>(
  options: WorkflowOptions<S, N>,
): Workflow<ValueOf<S>, ResultOf<N>> {
  const { name, input, steps, imports = {}, from } = options;
  // What is no function gives no list of nodes, and that is reported.
  const nodes = typeof steps === 'function' ? steps({ input: makeRef<ValueOf<S>>('input') }) : steps;
  const reached = reach(nodes, input === undefined ? [] : [input]);
  const file = from === undefined ? cwdFile() : pathFrom(from);
  const program = { name, file, workflow: { ...(input && { input }), nodes, imports, given: options }, reached };
  const check = () => checkProgram(program);
  const functions = functionsOf(name, reached);
  return makeWorkflow({ kind: 'built', name, file, check, functions }, check, { functions });
}

/** A schema of nothing, for workflows without `input`. */
interface Nothing {
  readonly '~effect/Schema/Schema': string;
  readonly Encoded: Readonly<Record<never, never>>;
}

/** `extra`: its functions, and what else the object has. */
export function makeWorkflow<I, R, E extends { readonly functions: ReadonlyMap<string, StepFunction> }>(
  data: WorkflowData,
  check: () => Promise<Planned>,
  extra: E,
): Workflow<I, R> & E {
  const { name, file } = data;
  const made = {
    ...extra,
    name,
    async plan() {
      const checked = await check();
      if (checked.plan) return checked.plan;
      if (data.kind === 'built') throw failed(`the workflow "${name}"`, checked);
      throw new ToolangError('TOO4002', `${file} is no workflow: it is only there to be imported`);
    },
    check,
  };
  keepWorkflow(made, data);
  return mark(made, { kind: 'workflow', name, describe });

  async function describe(): Promise<Described> {
    try {
      return { kind: 'workflow', name, plan: await made.plan(), file, functions: [...extra.functions.keys()] };
    } catch (error) {
      if (!(error instanceof ToolangError)) throw error;
      return { kind: 'other', what: `a workflow with mistakes. ${error.message}` };
    }
  }
}
