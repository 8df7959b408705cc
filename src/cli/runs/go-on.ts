/** A run goes on otherwise: what that means is shown, whoever is there is asked, and it is driven. */
import type { Change, CreatedRun, Preview } from '../../run/index.ts';
import { painter } from '../../text/index.ts';
import { changeText, outsideSteps, type RunChange } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { driveAndTell } from './follow.ts';
import { remarkText } from './remark.ts';
import { command, ownerText, printEnd } from './result.ts';
import { wrapColumns } from './shown.ts';
import type { OpenRuns } from './stores.ts';

/** The shape of `--dry-run --json`, as in `spec/json/change.schema.json`. */
export interface ChangeJson {
  version: 1;
  run: string;
  store: string;
  why: Change['why'];
  /** Nothing counts that was changed: it goes on as it is. */
  same: boolean;
  change?: Omit<RunChange, 'fresh'> & { new: RunChange['fresh'] };
}

export interface GoOn {
  readonly runs: OpenRuns;
  readonly root: string;
  readonly change: Change;
  /** Where nobody can be asked: `refuse`, or do what was said. */
  readonly unasked: 'refuse' | 'do';
}

export async function goOn(wish: GoOn, args: Args, context: Context): Promise<ExitCode> {
  const { runs, root, change, unasked } = wish;
  const { stderr, stdout } = context;
  const shown = changeOf(runs, root, change);
  const isDry = args.switches['dry-run'] === true;
  const json = args.switches.json === true;
  const short = runs.short(root);
  const output = isDry ? stdout : stderr;
  const text = changeText(shown, {
    paint: painter(output.color),
    columns: output.columns,
    wrapAt: wrapColumns(output),
    all: isDry,
    retry: command(context, 'retry', short),
  });
  if (isDry) {
    const { why } = change;
    const { fresh, ...rest } = shown;
    const shape: ChangeJson = {
      version: 1,
      run: root,
      store: runs.engine.store.name,
      why,
      same: false,
      change: { ...rest, new: fresh },
    };
    stdout.write(json ? jsonText(shape) : text);
    return exit.done;
  }
  stderr.write(text);
  if (!(await mayGoOn(unasked, args, context))) {
    stderr.write(remarkText('nothing was done', stderr));
    return exit.usage;
  }
  const opened = await runs.engine.reopen(root, change);
  if (opened.kind === 'held') throw heldError(runs, root, opened.by, context);
  return drive(runs, opened, args, context);
}

async function mayGoOn(unasked: GoOn['unasked'], args: Args, context: Context): Promise<boolean> {
  if (unasked === 'do' && !context.stdin.isTTY) return true;
  return confirm('Go on?', args, context, 'yes');
}

export async function drive(
  runs: OpenRuns,
  { id, epoch }: CreatedRun,
  args: Args,
  context: Context,
): Promise<ExitCode> {
  const ended = await driveAndTell({
    runs,
    root: id,
    context,
    epoch,
    json: args.switches.json === true,
    wait: args.switches.wait === true,
    again: args.switches.again === true,
    held: 'refuse',
  });
  return printEnd(ended, context);
}

export function heldError(
  runs: OpenRuns,
  root: string,
  by: Parameters<typeof ownerText>[0],
  context: Context,
): UsageError {
  const short = runs.short(root);
  return new UsageError(
    `the run ${short} is driven ${ownerText(by)}.`,
    `To see how it goes on: ${command(context, 'watch', short)}`,
  );
}

/** The preview, with what people want to know of it. */
export function changeOf({ engine }: OpenRuns, root: string, change: Change): RunChange {
  const preview = engine.preview(root, change);
  const acts = outsideSteps(change.plan);
  const runs = [...preview.again.map(({ step }) => step), ...preview.may.map(({ step }) => step), ...preview.fresh];
  return {
    ...preview,
    outside: runs.flatMap((step) => {
      const what = acts.get(step.replace(/\[\d+\]/g, ''));
      return what === undefined ? [] : [{ step, what }];
    }),
    denied: deniedIn(engine, root, preview),
  };
}

function deniedIn({ store }: OpenRuns['engine'], root: string, { kept }: Preview): string[] {
  const all = new Set(kept);
  const denied = new Set<string>();
  for (const { node, body } of store.events(root)) {
    if (body.kind !== 'approval.decided' || node === undefined) continue;
    const name = node.replace(/#\d+/g, '');
    if (body.approved) denied.delete(name);
    else if (all.has(name)) denied.add(name);
  }
  return [...denied];
}
