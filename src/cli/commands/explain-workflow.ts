/** `toolang explain` of a workflow: how it runs, one of its steps in full, or what a run can cost. */
import { dirname } from 'node:path';
import type { WorkflowPlan } from '../../plan/index.ts';
import { closest, type DiagnosticJson, didYouMean, painter, toJson } from '../../text/index.ts';
import type { ExplainedStep, ExplainedWorkflow } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import type { WorkflowCost } from '../cost/cost.ts';
import { type ExitCode, exit } from '../exit.ts';
import type { InputProblem } from '../input.ts';
import { jsonText } from '../json.ts';
import { type PlanRead, printObstacles, readPlan } from '../read-plan.ts';
import { printDiagnostics } from '../report.ts';

/** The shape of `--json`, as in `spec/json/explain-workflow.schema.json`. */
interface ExplainWorkflowJson {
  version: 1;
  file: string;
  workflow?: ExplainedWorkflow;
  /** The step that was asked for, again. */
  step?: ExplainedStep;
  /** With `--cost`. */
  cost?: WorkflowCost;
  diagnostics: DiagnosticJson[];
  problems: readonly InputProblem[];
}

export async function explainWorkflowFile(args: Args, context: Context): Promise<ExitCode> {
  const [word = '', wanted] = args.positionals;
  const wantsCost = args.switches.cost === true;
  if (wantsCost && wanted !== undefined) {
    throw new UsageError(
      `"${wanted}" is one word too many: --cost is of the whole workflow, with a line for each step.`,
    );
  }
  const read = await readPlan(word, args, context);
  const { plan, diagnostics, problems, file } = read;
  const { explainStepText, explainText, explainWorkflow } = await import('../../view/index.ts');
  const workflow = plan && explainWorkflow(plan);
  const step = workflow && wanted !== undefined ? chooseStep(file.name, workflow, wanted) : undefined;
  const cost = plan && wantsCost ? await costOf(plan, read, args, context) : undefined;
  if (args.switches.json === true) {
    const shape: ExplainWorkflowJson = {
      version: 1,
      file: file.name,
      ...(workflow && { workflow }),
      ...(step && { step }),
      ...(cost && { cost }),
      diagnostics: diagnostics.map(toJson),
      problems,
    };
    context.stdout.write(jsonText(shape));
  } else if (workflow === undefined) printObstacles(read, context);
  else {
    const { stdout } = context;
    const paint = painter(stdout.color);
    if (cost) {
      const { costText } = await import('../cost/cost-text.ts');
      stdout.write(costText(cost, { paint, columns: stdout.isTTY ? stdout.columns : 100 }));
    } else stdout.write(step ? explainStepText(step, workflow, paint) : explainText(workflow, paint));
    printDiagnostics(diagnostics, context.stderr);
  }
  return workflow ? exit.done : exit.usage;
}

/** Prices and limits are those of the directory that the file lies in. */
async function costOf(plan: WorkflowPlan, { file }: PlanRead, args: Args, context: Context): Promise<WorkflowCost> {
  const { cwd, env, fetch } = context;
  const [{ workflowCost }, { createAgentModels }, { readSettings }, { realClock }] = await Promise.all([
    import('../cost/cost.ts'),
    import('../../run/index.ts'),
    import('../settings.ts'),
    import('../../sys/index.ts'),
  ]);
  const settings = await readSettings(file.path === undefined ? cwd : dirname(file.path), args, context);
  const models = createAgentModels({ env, settings, clock: realClock, ...(fetch && { fetch }) });
  return workflowCost(plan, settings.limits, { models, file: file.path, cwd });
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
