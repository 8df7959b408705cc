/** Reads one workflow file and plans it, or prints why there is no plan. */
import type { WorkflowPlan } from '../plan/index.ts';
import { type Diagnostic, hasErrors, type Source } from '../text/index.ts';
import { type Args, UsageError } from './command.ts';
import type { Context } from './context.ts';
import { type InputFile, type InputProblem, languageOf, readWord } from './input.ts';
import { printErrors, printProblems } from './report.ts';
import { openWorkflows } from './workflows.ts';

export interface PlanRead {
  readonly file: InputFile;
  /** Absent when something is wrong. */
  readonly plan?: WorkflowPlan;
  /** Absent when it cannot be read. */
  readonly source?: Source;
  readonly diagnostics: readonly Diagnostic[];
  readonly problems: readonly InputProblem[];
  /** The files that it is made of, as far as they were looked for, absolute. */
  readonly files: readonly string[];
  /** The modules of users that it loads. */
  readonly modules: readonly string[];
}

/** `word` names the file; what cannot be a workflow is wrong usage. */
export async function readPlan(word: string, args: Args, context: Context): Promise<PlanRead> {
  const stdinName = args.texts['stdin-name'] ?? (word === '-' ? '<stdin>.toon' : undefined);
  const read = await readWord(word, context, stdinName);
  const { file } = read;
  const own = file.path === undefined ? [] : [file.path];
  if (!read.ok) return { file, diagnostics: [], problems: [read.problem], files: own, modules: [] };
  const language = languageOf(file);
  if (language !== 'workflow') {
    const what = language === 'agent' ? 'an agent' : 'data';
    throw new UsageError(`"${file.name}" is ${what}, not a workflow.`, 'Name a workflow file (.toon).');
  }
  const workflows = openWorkflows(args, context);
  try {
    const { plan, diagnostics } = await workflows.plan(file, read.source);
    if (plan === undefined && !hasErrors(diagnostics)) {
      const help = 'It holds only parts. Name the workflow that imports it.';
      throw new UsageError(`"${file.name}" has no steps of its own: it is there to be imported.`, help);
    }
    return {
      file,
      source: read.source,
      ...(plan && { plan }),
      diagnostics,
      problems: [],
      files: [...own, ...workflows.files()],
      modules: workflows.modules(),
    };
  } finally {
    await workflows.close();
  }
}

/** What stands in the way of a plan. */
export function printObstacles({ diagnostics, problems }: PlanRead, context: Context): void {
  printProblems(problems, context);
  printErrors(diagnostics, context);
}
