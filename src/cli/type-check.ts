/** The types of workflows' code, through the project's own `tsc`: it reads the code and runs nothing of it. */
import path from 'node:path';
import type { Planned } from '../plan/index.ts';
import { typesFile } from '../plan/index.ts';
import { runTsc } from '../run/index.ts';
import { displayPath } from '../sys/index.ts';
import { type Diagnostic, hasErrors } from '../text/index.ts';
import type { Context } from './context.ts';
import { type InputFile, type InputProblem, placeOf } from './input.ts';

/** What `tsc` finds in the code of a file. What it cannot do, or finds elsewhere, goes to `problems`, each once. */
export async function checkTypes(
  file: InputFile,
  { typesCheck, diagnostics }: Planned,
  context: Context,
  problems: InputProblem[],
): Promise<readonly Diagnostic[]> {
  // Code that is wrong already would only be found wrong again.
  if (typesCheck === undefined || hasErrors(diagnostics)) return [];
  const add = (problem: InputProblem) => {
    if (!problems.some((each) => each.message === problem.message)) problems.push(problem);
  };
  const cwd = path.dirname(placeOf(file, context.cwd));
  const ran = await runTsc({ cwd, text: typesCheck.text, name: typesFile });
  if (ran.kind === 'missing') {
    const message = `--types needs TypeScript, and there is none for "${displayPath(cwd, context.cwd)}".`;
    add({ code: 'TOO3322', message, help: 'Install it there: npm install --save-dev typescript' });
    return [];
  }
  if (ran.kind === 'stopped') {
    add({
      file: file.name,
      message: `tsc was stopped after ${ran.limitMs / 1000} s, before it was done with "${file.name}".`,
    });
    return [];
  }
  const found = typesCheck.diagnose(ran.output);
  for (const line of found.other) add({ message: `tsc: ${line}` });
  // A compiler that fails without a word has told nothing of the code.
  if (!ran.ok && found.diagnostics.length + found.other.length === 0)
    add({ message: 'tsc failed without saying why.' });
  return found.diagnostics;
}
