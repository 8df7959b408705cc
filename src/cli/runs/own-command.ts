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
  const isOfProgram = modulesOf(plan).some(isFunctionModule);
  return (...words) => {
    if (!isOfProgram || words[0] !== 'resume') return command(context, ...words.map(quoted));
    return `run(…, { resume: "${root}"${words.includes('--again') ? ', again: true' : ''} }) in its program`;
  };
}
