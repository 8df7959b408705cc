/** `toolang why RUN [STEP]`: why steps ran again or were kept, what they wait for, and why others did not run. */
import type { WorkflowPlan } from '../../plan/index.ts';
import { displayWidth, painter, wrap } from '../../text/index.ts';
import { canResume, readNodeId, runWhy, type StepWhy, shorten, stepWhyText, whyText } from '../../view/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { namedSteps } from '../runs/named-steps.ts';
import { ownCommand } from '../runs/own-command.ts';
import { type FoundRun, findRun } from '../runs/stores.ts';
import { viewOf } from './show.ts';

/** The shape of `--json`, as in `spec/json/why.schema.json`. */
interface WhyJson {
  version: 1;
  run: string;
  store: string;
  status: string;
  segment?: { why: string; at: number };
  steps: readonly (Omit<StepWhy, 'answers'> & { answers: readonly string[] })[];
  /** Missing where one step was asked about. */
  waiting?: readonly { title: string; since: number; answers: readonly string[] }[];
}

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const [word = '', wanted] = args.positionals;
  const found = await findRun(word, args, context, 'why');
  try {
    const { engine, root, row, short } = found;
    const { tree } = viewOf({ ...found, row: engine.store.run(root) ?? row });
    const {
      steps: all,
      segment,
      waiting,
    } = runWhy({
      row: engine.store.run(root) ?? row,
      tree,
      texts: { planOf: plansOf(found), sourceOf: engine.store.blob },
      events: engine.store.events(root),
    });
    const inside =
      row.id === root || row.node === undefined
        ? all
        : all.filter(({ name }) => name.startsWith(`${readNodeId(row.node ?? '').name}/`));
    const steps = wanted === undefined ? inside : namedSteps(inside, wanted, tree, short(root));
    const own = ownCommand(engine.read(root).plan, root, context);
    const paste = ([verb = '', ...rest]: readonly string[]) => own(verb, short(root), ...rest);
    if (args.switches.json === true) {
      const shape: WhyJson = {
        version: 1,
        run: tree.id,
        store: engine.store.name,
        status: tree.status,
        ...(segment && { segment }),
        steps: steps.map((step) => ({ ...step, answers: step.answers.map(paste) })),
        ...(wanted === undefined && {
          waiting: waiting.map((each) => ({ ...each, answers: each.answers.map(paste) })),
        }),
      };
      context.stdout.write(jsonText(shape));
      return exit.done;
    }
    const { stdout } = context;
    const options = {
      paint: painter(stdout.color),
      columns: stdout.isTTY ? stdout.columns : 120,
      command: paste,
      whole: !stdout.isTTY,
    };
    if (wanted !== undefined) {
      for (const step of steps) stdout.write(stepWhyText(step, options));
      return exit.done;
    }
    const why = segment === undefined ? '' : `, ${segmentWords[segment.why]}`;
    const rest = ` · run ${short(root)} · ${tree.status}${why}`;
    const head = `${shorten(tree.name, Math.max(10, options.columns - displayWidth(rest)))}${rest}`;
    stdout.write(`${wrap(head, options.columns, options.columns - 2).join('\n  ')}\n`);
    stdout.write(whyText({ steps, waiting }, options));
    if (canResume(tree)) stdout.write(`  nobody drives it now. To go on:\n      ${paste(['resume'])}\n`);
    return exit.done;
  } finally {
    found.close();
  }
}

const segmentWords = { edit: 'edited', keep: 'edited, results kept', retry: 'tried again', fork: 'forked' };

/** The plans of its segments, by their hashes. */
function plansOf({ engine, root }: FoundRun): (hash: string) => WorkflowPlan | undefined {
  const { plan, started } = engine.read(root);
  return (hash) => {
    if (hash === started.plan) return plan;
    const text = engine.store.blob(hash);
    return text === undefined ? undefined : (JSON.parse(text) as WorkflowPlan);
  };
}
