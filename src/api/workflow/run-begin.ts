/** What a run of a program is made from: its plan, what its keys depend on, its input, and who answers for its models. */
import { dirname, resolve } from 'node:path';
import { hashOf, type Json, type WorkflowPlan } from '../../plan/index.ts';
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
  for (const [module, run] of functions) modules[module] = hashOfFunction(run);
  return {
    run: {
      plan,
      source: data.kind === 'file' ? data.source : '',
      ...(file !== undefined && { file }),
      ...(script !== undefined && { script }),
      replies,
      modules,
    },
    program: { functions, pathOf, folder, ...(options.cwd !== undefined && { cwd: resolve(options.cwd) }) },
  };
}

const hashes = new WeakMap<StepFunction, string>();

/** Of its text: what it closes over cannot be seen. */
function hashOfFunction(run: StepFunction): string {
  let hash = hashes.get(run);
  if (hash === undefined) {
    hash = hashOf(String(run));
    hashes.set(run, hash);
  }
  return hash;
}

/** As the plan reads it. */
export async function inputFor({ input: type, types }: WorkflowPlan, given: unknown): Promise<Json> {
  const [{ jsonProblem }, { misfit }] = await Promise.all([
    import('../../run/index.ts'),
    import('../../plan/machine/index.ts'),
  ]);
  const value = given === undefined ? {} : given;
  const problem = jsonProblem(value, 'input');
  if (problem !== undefined) throw wrong(`the input is not JSON: ${problem}`);
  const table: TypeTable = new Map(Object.entries(types));
  const read = validate(JSON.parse(JSON.stringify(value)), type, table);
  if (!read.ok) throw wrong(`the input does not fit the workflow: ${misfit(read.errors, type, table)}`);
  return read.value as Json;
}
