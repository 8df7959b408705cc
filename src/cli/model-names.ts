/** What is wrong with names of models. By itself: a check of an agent loads it only where the agent names some. */
import type { Settings } from '../config/index.ts';
import { modelNameProblem } from '../model/index.ts';
import type { Host } from '../program/index.ts';

type Problems = NonNullable<Host['modelProblems']>;

export async function modelProblems(names: Iterable<string>, models: Settings['models']): Promise<Problems> {
  const problems = new Map<string, NonNullable<ReturnType<Problems['get']>>>();
  for (const name of names) {
    const problem = await modelNameProblem(name, { models });
    if (problem) problems.set(name, problem.kind === 'unknown-model' ? 'unknown' : problem);
  }
  return problems;
}
