/** The commands that go on with a run. One whose functions a program has is gone on with there, and by no command. */
import { isFunctionModule, modulesOf, type WorkflowPlan } from '../../plan/index.ts';
import { UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { exit } from '../exit.ts';
import { command, quoted } from './result.ts';
import type { FoundRun } from './stores.ts';

/** `plan`, `root`: of the whole run. */
export function ownCommand(
  plan: WorkflowPlan,
  root: string,
  context: Context,
): (...words: readonly string[]) => string {
  const hasFunctions = isOfProgram(plan);
  return (...words) => {
    const [word] = words;
    if (!hasFunctions || (word !== 'resume' && word !== 'retry')) return command(context, ...words.map(quoted));
    const more = `${word === 'retry' ? ', retry: true' : ''}${words.includes('--again') ? ', again: true' : ''}`;
    return `run(…, { resume: "${root}"${more} }) in its program`;
  };
}

/** Whether only the program that made it can go on with it. */
export function isOfProgram(plan: WorkflowPlan): boolean {
  return modulesOf(plan).some(isFunctionModule);
}

/** Before anything is written: what a command would begin of such a run, nobody could go on with here. */
export function refuseOfProgram({ engine, root, short }: FoundRun, help: string): void {
  const module = modulesOf(engine.read(root).plan).find(isFunctionModule);
  if (module === undefined) return;
  const text = `the run ${short(root)} has a step that is a function of a program (${module}), and only that can run it.`;
  throw new UsageError(text, help, exit.failed);
}
