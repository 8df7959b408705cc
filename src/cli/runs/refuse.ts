/** What stands in the way of a run before anything is begun: nodes that cannot run yet, agents that nobody answers for. */
import { existsSync } from 'node:fs';
import { nodesOf, type Place, type WorkflowPlan } from '../../plan/index.ts';
import { unsupportedIn } from '../../plan/machine/index.ts';
import { quotePath, readTextFile } from '../../sys/index.ts';
import { createSource, hasErrors } from '../../text/index.ts';
import type { Context } from '../context.ts';
import type { InputProblem } from '../input.ts';
import { printDiagnostics } from '../report.ts';

export interface ScriptWish {
  /** `--script`, absolute. */
  readonly script: string | undefined;
  /** The file of the workflow, absolute. */
  readonly file: string | undefined;
  /** As people see a path. */
  readonly show: (path: string) => string;
}

/** In written order. */
export function unsupportedProblems(plan: WorkflowPlan): InputProblem[] {
  return unsupportedIn(plan).map(({ node, what, at }) => ({
    message: `${placeText(at)}${what} cannot be run yet${node === '' || node.includes('@') ? '' : ` (${node})`}`,
  }));
}

/** Agents of prompt steps that only a script could answer for, and scripts that are missing or have errors. */
export async function agentProblems(
  plan: WorkflowPlan,
  { script, file, show }: ScriptWish,
  context: Context,
): Promise<InputProblem[]> {
  const { scriptBeside } = await import('../../run/index.ts');
  const problems: InputProblem[] = [];
  const told = new Set<string>();
  const beside = file === undefined ? undefined : scriptBeside(file);
  const standsIn = beside !== undefined && existsSync(beside);
  const wanted = new Set<string>(script === undefined ? [] : [script]);
  for (const { node, plan: own } of nodesOf(plan)) {
    if (script !== undefined || node.kind !== 'step' || node.action.kind !== 'prompt') continue;
    const agent = own.agents[node.action.agent];
    if (agent === undefined) continue;
    if (agent.type === 'scripted') {
      if (agent.fields.script === undefined && beside !== undefined) wanted.add(beside);
      continue;
    }
    if (standsIn) {
      wanted.add(beside);
      continue;
    }
    const at = agent.at ?? node.at;
    const message = `${placeText(at)}the agent "${agent.name}" is of type ${agent.type}, which cannot be asked yet`;
    if (told.has(message)) continue;
    told.add(message);
    const help =
      beside === undefined
        ? 'A file with replies answers for it: --script FILE'
        : `A file with replies answers for it: --script FILE, or ${quotePath(show(beside))}`;
    problems.push({ message, help });
  }
  for (const path of wanted) {
    const problem = await scriptProblem(path, show(path), context);
    if (problem) problems.push(problem);
  }
  return problems;
}

async function scriptProblem(path: string, name: string, context: Context): Promise<InputProblem | undefined> {
  const read = await readTextFile(path);
  if (!read.ok) {
    const message = `the replies of the scripted model cannot be read: ${read.problem.message.replace(path, name)}`;
    return { message, help: 'Write the file, or name another one: --script FILE' };
  }
  const { readScript } = await import('../../model/index.ts');
  const { diagnostics } = readScript(createSource(name, read.text));
  if (!hasErrors(diagnostics)) return undefined;
  printDiagnostics(diagnostics, context.stderr);
  return { message: `"${name}" has errors`, help: 'Mend them first.' };
}

function placeText(at: Place | undefined): string {
  return at === undefined ? '' : `${at.file}:${at.line}:${at.column}: `;
}
