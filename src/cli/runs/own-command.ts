/** The commands that go on with a run. One whose functions a program has is gone on with there, and by no command. */
import { isFunctionModule, modulesOf, type WorkflowPlan } from '../../plan/index.ts';
import type { Context } from '../context.ts';
import { command, quoted } from './result.ts';

/** `plan`, `root`: of the whole run. */
export function ownCommand(
  plan: WorkflowPlan,
  root: string,
  context: Context,
): (...words: readonly string[]) => string {
  const hasFunctions = isOfProgram(plan);
  return (...words) => {
    if (!hasFunctions || words[0] !== 'resume') return command(context, ...words.map(quoted));
    return `run(…, { resume: "${root}"${words.includes('--again') ? ', again: true' : ''} }) in its program`;
  };
}

/** Whether only the program that made it can go on with it. */
export function isOfProgram(plan: WorkflowPlan): boolean {
  return modulesOf(plan).some(isFunctionModule);
}
