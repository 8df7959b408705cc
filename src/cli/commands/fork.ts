/** `toolang fork RUN`: a new run that shares the finished past of another, and goes on otherwise. */
import type { Json, WorkflowPlan } from '../../plan/index.ts';
import type { NewRun } from '../../run/index.ts';
import { closest, didYouMean, printable } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { printProblems } from '../report.ts';
import { tellDetached } from '../runs/detach.ts';
import { asStored } from '../runs/edit.ts';
import { headLine } from '../runs/follow.ts';
import { drive } from '../runs/go-on.ts';
import { chosenModels, withChoice, withModels } from '../runs/models.ts';
import { refuseOfProgram } from '../runs/own-command.ts';
import { recordWish } from '../runs/recording.ts';
import { readRunInput } from '../runs/run-input.ts';
import { type FoundRun, findRun, type RunSettings, refuseReadOnly } from '../runs/stores.ts';
import { textSource } from '../runs/text-source.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const { from } = args.texts;
  const { input: words = [], model: models = [] } = args.lists;
  if (from === undefined && words.length === 0 && models.length === 0) {
    throw new UsageError(
      'a fork that changes nothing would do nothing.',
      'Say what is done again, or with what: --from STEP, --input name=value, --model REF',
    );
  }
  const found = await findRun(args.positionals[0] ?? '', args, context, 'fork');
  try {
    const { engine, root, name, short } = found;
    const settings = await found.settings();
    refuseReadOnly(found);
    refuseOfProgram(found, 'A fork of it would have nobody who goes on with it.');
    const stored = await asStored(found, root, context);
    const at = from === undefined ? undefined : stepNamed(found, from);
    const given = await inputOf(stored.input, words, stored.plan, context);
    if (given === undefined) return exit.usage;
    const chosen = withChoice(stored.models ?? {}, chosenModels(stored.plan, models));
    const record = (await recordWish(args, stored.file, context)) ?? stored.record;
    const change = {
      ...stored,
      plan: withModels(stored.plan, chosen),
      models: chosen,
      input: given.value,
      ...(record !== undefined && { record }),
    };
    if (models.length > 0 && !(await canAsk(change, settings, context))) return exit.usage;
    const created = engine.fork(root, { change, ...(at && { before: at.seq }) });
    const { id } = created;
    const about = `fork of ${short(root)}${at ? ` from ${printable(at.step)}` : ''}`;
    context.stderr.write(`${headLine(name, short(id), about, context)}\n`);
    if (args.switches.detach !== true) return await drive(found, created, args, context);
    engine.giveUp(created);
    const flags = args.switches.wait === true ? ['--wait'] : [];
    return await tellDetached(found, id, { flags, json: args.switches.json === true }, context);
  } finally {
    found.close();
  }
}

/** Whether the models that were chosen can be used; what is wrong is printed, before anything is begun. */
async function canAsk({ plan, script, file }: NewRun, settings: RunSettings, context: Context): Promise<boolean> {
  const [{ scriptsOf }, { readProviders }] = await Promise.all([
    import('../../run/index.ts'),
    import('../runs/providers.ts'),
  ]);
  const answers = scriptsOf(plan, { script, file, cwd: context.cwd });
  const { problems } = await readProviders(plan, answers, settings, context);
  printProblems(problems, context);
  return problems.length === 0;
}

function stepNamed({ engine, root, short }: FoundRun, from: string): { readonly seq: number; readonly step: string } {
  const at = engine.stepAt(root, from);
  if (at.kind === 'found') return at;
  const near = closest(from, at.steps);
  const begun = at.steps.length === 0 ? 'It has begun none.' : `Those that it has begun: ${listed(at.steps)}`;
  throw new UsageError(`the run ${short(root)} has begun no step "${from}".${didYouMean(near)}`, begun);
}

const mostListed = 20;

function listed(steps: readonly string[]): string {
  const shown = steps.slice(0, mostListed).join(', ');
  return steps.length > mostListed ? `${shown}, and ${steps.length - mostListed} more` : shown;
}

/** Fields that are given take the place of those of the run; what is wrong is printed. */
async function inputOf(
  before: Json,
  words: readonly string[],
  plan: WorkflowPlan,
  context: Context,
): Promise<{ readonly value: Json } | undefined> {
  if (words.length === 0) return { value: before };
  const isObject = typeof before === 'object' && before !== null && !Array.isArray(before);
  const all = isObject ? [JSON.stringify(before), ...words] : words;
  const read = await readRunInput(all, plan, textSource(undefined, context));
  if (read.ok) return { value: read.value as Json };
  printProblems(
    read.problems.map((message) => ({ message })),
    context,
  );
  return undefined;
}
