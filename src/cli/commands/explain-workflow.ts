/** `toolang explain` of a workflow: how it runs, or one of its steps in full. */
import { closest, type DiagnosticJson, didYouMean, painter, toJson } from '../../text/index.ts';
import type { ExplainedStep, ExplainedWorkflow } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import type { InputProblem } from '../input.ts';
import { jsonText } from '../json.ts';
import { printObstacles, readPlan } from '../read-plan.ts';
import { printDiagnostics } from '../report.ts';

/** The shape of `--json`, as in `spec/json/explain-workflow.schema.json`. */
interface ExplainWorkflowJson {
  version: 1;
  file: string;
  workflow?: ExplainedWorkflow;
  /** The step that was asked for, again. */
  step?: ExplainedStep;
  diagnostics: DiagnosticJson[];
  problems: readonly InputProblem[];
}

export async function explainWorkflowFile(args: Args, context: Context): Promise<ExitCode> {
  const [word = '', wanted] = args.positionals;
  const read = await readPlan(word, args, context);
  const { plan, diagnostics, problems, file } = read;
  const { explainStepText, explainText, explainWorkflow } = await import('../../view/index.ts');
  const workflow = plan && explainWorkflow(plan);
  const step = workflow && wanted !== undefined ? chooseStep(file.name, workflow, wanted) : undefined;
  if (args.switches.json === true) {
    const shape: ExplainWorkflowJson = {
      version: 1,
      file: file.name,
      ...(workflow && { workflow }),
      ...(step && { step }),
      diagnostics: diagnostics.map(toJson),
      problems,
    };
    context.stdout.write(jsonText(shape));
  } else if (workflow === undefined) printObstacles(read, context);
  else {
    const paint = painter(context.stdout.color);
    context.stdout.write(step ? explainStepText(step, workflow, paint) : explainText(workflow, paint));
    printDiagnostics(diagnostics, context.stderr);
  }
  return workflow ? exit.done : exit.usage;
}

/** By id, path or number. */
function chooseStep(file: string, { steps }: ExplainedWorkflow, wanted: string): ExplainedStep {
  const found =
    steps.find((step) => step.id === wanted) ?? steps.find((step) => step.path === wanted || step.number === wanted);
  if (found) return found;
  const names = steps.flatMap((step) => step.id ?? []);
  const help = names.length > 0 ? `Its steps: ${names.join(', ')}.` : 'Its steps have no ids.';
  throw new UsageError(`"${file}" has no step "${wanted}".${didYouMean(closest(wanted, names))}`, help);
}
