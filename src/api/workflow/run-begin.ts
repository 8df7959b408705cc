/** What a run of a program is made from: its plan, what its keys depend on, its input, and who answers for its models. */
import { dirname, resolve } from 'node:path';
import { childrenOf, hashOf, type Json, type WorkflowPlan } from '../../plan/index.ts';
import type { NewRun, Program } from '../../run/index.ts';
import type { TypeTable } from '../../type/index.ts';
import { validate } from '../../type/index.ts';
import { pathOf } from './expression.ts';
import type { StepFunction } from './node.ts';
import { pathFrom } from './paths.ts';
import { writtenFunction } from './reached.ts';
import { repliesFor } from './run-answers.ts';
import { type RunOptions, wrong } from './run-options.ts';
import type { Workflow } from './workflow.ts';
import { workflowOf } from './workflow-data.ts';

export interface Prepared {
  readonly run: Omit<NewRun, 'input'>;
  readonly program: Program;
}

export async function prepare(workflow: Workflow<never, unknown>, options: RunOptions): Promise<Prepared> {
  const data = workflowOf(workflow);
  if (data === undefined) throw wrong('"run" takes a workflow: one of workflow(…), or of load(…)');
  const plan = await workflow.plan();
  const folder = dirname(data.file);
  const file = data.kind === 'file' ? data.file : undefined;
  const script = options.script === undefined ? undefined : pathFrom(options.script);
  const { moduleHashes } = await import('../../run/index.ts');
  const [modulesNow, replies] = await Promise.all([
    moduleHashes(plan, folder),
    repliesFor(plan, { script, file, folder }),
  ]);
  const functions = new Map([...workflow.functions].map(([module, run]) => [module, writtenFunction(run)]));
  const modules = { ...modulesNow.hashes };
  for (const [module, run] of functions) modules[module] = hashOfFunction(run, module);
  return {
    run: {
      plan,
      source: data.kind === 'file' ? data.source : '',
      ...(file !== undefined && { file }),
      ...(script !== undefined && { script }),
      replies,
      modules,
    },
    program: {
      functions,
      pathOf,
      hasNode: createNames(plan),
      folder,
      ...(options.cwd !== undefined && { cwd: resolve(options.cwd) }),
    },
  };
}

/**
 * Whether a node of a plan or of its sub-workflows goes by a name. In a component a node goes by the end of its id; whoever
 * has the whole of it has a name, wherever it stands.
 */
function createNames(plan: WorkflowPlan): (name: string) => boolean {
  let names: Set<string> | undefined;
  return (name) => {
    names ??= namesIn(plan);
    if (names.has(name)) return true;
    for (const id of names) if (id.endsWith(`-${name}`) || id.endsWith(`_${name}`)) return true;
    return false;
  };
}

function namesIn(plan: WorkflowPlan): Set<string> {
  const names = new Set<string>();
  // A set goes on over what is added while it is walked.
  const plans = new Set([plan]);
  for (const each of plans) {
    for (const called of Object.values(each.workflows)) plans.add(called);
    const nodes = [...each.children];
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      if (node.id !== undefined) names.add(node.id);
      names.add(node.path.slice(node.path.lastIndexOf('/') + 1));
      for (const child of childrenOf(node)) nodes.push(child);
    }
  }
  return names;
}

const hashes = new WeakMap<StepFunction, string>();

/** Of its text: what it closes over cannot be seen. */
function hashOfFunction(run: StepFunction, module: string): string {
  let hash = hashes.get(run);
  if (hash === undefined) {
    const text = Function.prototype.toString.call(run);
    if (isHidden.test(text)) {
      throw wrong(
        `the function of "${module}" is a bound one or has no source text, so nobody could see that it was changed: give it as an arrow function, run: (context) => …`,
      );
    }
    hash = hashOf(text);
    hashes.set(run, hash);
  }
  return hash;
}

/** The same text for all that are bound, or not written in JavaScript. */
const isHidden = /\{\s*\[native code\]\s*\}\s*$/;

/** As the plan reads it. */
export async function inputFor({ input: type, types }: WorkflowPlan, given: unknown): Promise<Json> {
  const [{ jsonProblem }, { misfit }] = await Promise.all([import('../../run/index.ts'), import('./plan-words.ts')]);
  const value = given === undefined ? {} : given;
  const problem = jsonProblem(value, 'input');
  if (problem !== undefined) throw wrong(`the input is not JSON: ${problem}`);
  const table: TypeTable = new Map(Object.entries(types));
  const read = validate(JSON.parse(JSON.stringify(value)), type, table);
  if (!read.ok) throw wrong(`the input does not fit the workflow: ${misfit(read.errors, type, table)}`);
  return read.value as Json;
}
