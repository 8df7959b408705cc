/**
 * A run goes on otherwise: what that means is shown, whoever is there is asked, and it is driven. What was shown is what is
 * done: if the run has gone on meanwhile, that is shown, and asked again.
 */
import type { Change, CreatedRun } from '../../run/index.ts';
import { painter, ToolangError } from '../../text/index.ts';
import { changeText, type RunChange, runChange } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { driveAndTell } from './follow.ts';
import { goneError, heldError } from './held.ts';
import { recordWish } from './recording.ts';
import { remarkText } from './remark.ts';
import { command, printEnd } from './result.ts';
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
  const short = runs.short(root);
  try {
    if (args.switches['dry-run'] === true) {
      stdout.write(dryText(wish, args, context));
      return exit.done;
    }
    for (;;) {
      const { last, shown } = shownChange(runs, root, change, args);
      stderr.write(textOf(shown, short, false, context));
      if (!(await mayGoOn(unasked, args, context))) {
        stderr.write(remarkText('nothing was done', stderr));
        return exit.usage;
      }
      const opened = await runs.engine.reopen(root, change, last);
      if (opened.kind === 'held') throw heldError(runs, root, opened.by, context);
      if (opened.kind === 'opened') return await drive(runs, opened, args, context);
      refuseUnfailed(wish, short, context);
      stderr.write(remarkText('the run has gone on meanwhile, and nothing was done. What it means now:', stderr));
    }
  } catch (error) {
    if (error instanceof ToolangError && error.code === 'TOO6201') throw goneError(short, context);
    throw error;
  }
}

function dryText({ runs, root, change }: GoOn, args: Args, context: Context): string {
  const { shown } = shownChange(runs, root, change, args);
  if (args.switches.json !== true) return textOf(shown, runs.short(root), true, context);
  const { fresh, ...rest } = shown;
  const { why } = change;
  const store = runs.engine.store.name;
  const shape: ChangeJson = { version: 1, run: root, store, why, same: false, change: { ...rest, new: fresh } };
  return jsonText(shape);
}

function textOf(shown: RunChange, short: string, isDry: boolean, context: Context): string {
  const output = isDry ? context.stdout : context.stderr;
  return changeText(shown, {
    paint: painter(output.color),
    columns: output.columns,
    wrapAt: wrapColumns(output),
    all: isDry,
    retry: command(context, 'retry', short),
  });
}

async function mayGoOn(unasked: GoOn['unasked'], args: Args, context: Context): Promise<boolean> {
  if (unasked === 'do' && !context.stdin.isTTY) return true;
  return confirm('Go on?', args, context, 'yes');
}

/** What somebody else has tried again meanwhile, or gone on with, is not tried again. */
function refuseUnfailed({ runs, root, change }: GoOn, short: string, context: Context): void {
  const status = runs.engine.store.run(root)?.status;
  if (change.why !== 'retry' || status === undefined || status === 'failed' || status === 'cancelled') return;
  throw new UsageError(
    `the run ${short} has gone on meanwhile, and nothing was done.`,
    `What became of it: ${command(context, 'show', short)}`,
    exit.failed,
  );
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
    record: await recordWish(args, runs.engine.store.run(id)?.file, context),
    held: 'refuse',
  });
  return printEnd(ended, context);
}

/** The preview, with what people want to know of it. */
export function changeOf({ engine }: OpenRuns, root: string, change: Change): RunChange {
  const { last: _, ...preview } = engine.preview(root, change);
  return runChange(preview, change.plan);
}

/** `last`: where the journal ended. */
function shownChange({ engine }: OpenRuns, root: string, change: Change, args: Args) {
  const { last, ...preview } = engine.preview(root, change);
  const shown = runChange(preview, change.plan);
  if (args.switches.again !== true) return { last, shown };
  // Who insists has them begun.
  // biome-ignore lint/suspicious/noThenProperty: what comes then; nobody awaits it.
  return { last, shown: { ...shown, then: shown.then.map(({ step, begun }) => ({ step, begun })) } };
}
