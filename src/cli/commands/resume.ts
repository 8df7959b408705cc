/** `toolang resume RUN`: goes on with a run that was left, or with one whose file was edited. */
import { existsSync } from 'node:fs';
import type { RunRow } from '../../journal/index.ts';
import type { WorkflowPlan } from '../../plan/index.ts';
import { displayPath } from '../../sys/index.ts';
import { printable } from '../../text/index.ts';
import { runWord } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { type Edit, editOf } from '../runs/edit.ts';
import { driveAndTell, headLine } from '../runs/follow.ts';
import { type ChangeJson, goOn } from '../runs/go-on.ts';
import { heldError } from '../runs/held.ts';
import { ownCommand } from '../runs/own-command.ts';
import { recordWish } from '../runs/recording.ts';
import { remarkText } from '../runs/remark.ts';
import { command, printEnd } from '../runs/result.ts';
import { type FoundRun, findRun, refuseReadOnly } from '../runs/stores.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  if (args.switches.keep === true && args.switches['as-it-was'] === true) {
    throw new UsageError('--keep and --as-it-was exclude each other.', '--as-it-was does not look at the file at all.');
  }
  const found = await findRun(args.positionals[0] ?? '', args, context, 'resume');
  try {
    const { root, name, engine } = found;
    const short = found.short(root);
    const isDry = args.switches['dry-run'] === true;
    const driver = engine.driver(root);
    // What is shown would not come true: it goes on meanwhile.
    if (isDry && driver !== undefined) throw heldError(found, root, driver, context);
    const edit = await editFor(found, driver === undefined, args, context);
    if (edit.kind === 'wrong') return refuseEdit(found, context);
    if (edit.kind === 'same') refuseOver(found, 'resumed', context);
    await found.settings();
    if (!isDry) refuseReadOnly(found);
    if (edit.kind === 'edited') {
      if (!isDry) context.stderr.write(`${headLine(name, short, 'was edited', context)}\n`);
      const why = args.switches.keep === true ? 'keep' : 'edit';
      return await goOn({ runs: found, root, change: { ...edit.run, why }, unasked: 'refuse' }, args, context);
    }
    if (!isDry) context.stderr.write(`${headLine(name, short, goesOn(found) ? 'goes on' : '', context)}\n`);
    if (edit.isGone === true) tellGone(found, context);
    if (isDry) return tellSame(found, edit.isGone === true, args, context);
    const ended = await driveAndTell({
      runs: found,
      root,
      context,
      json: args.switches.json === true,
      wait: args.switches.wait === true,
      again: args.switches.again === true,
      record: await recordWish(args, engine.store.run(root)?.file, context),
      held: 'refuse',
    });
    return printEnd(ended, context);
  } finally {
    found.close();
  }
}

/** Of a run that somebody drives the file is not looked at: it cannot go on otherwise. */
async function editFor(found: FoundRun, isLeft: boolean, args: Args, context: Context): Promise<Edit> {
  if (!isLeft || args.switches['as-it-was'] === true) return { kind: 'same' };
  return editOf(found, found.root, args, context);
}

/** What is wrong with the file was told. */
function refuseEdit({ engine, root, short }: FoundRun, context: Context): ExitCode {
  const isOver = engine.store.run(root)?.endedAt !== undefined;
  const again = command(context, 'resume', short(root), '--as-it-was');
  const text = isOver ? 'nothing was done' : 'nothing was done. To go on with the stored text:';
  context.stderr.write(remarkText(text, context.stderr));
  if (!isOver) context.stderr.write(`      ${again}\n`);
  return exit.usage;
}

function tellGone({ engine, root }: FoundRun, context: Context): void {
  const name = printable(displayPath(engine.store.run(root)?.file ?? '', context.cwd));
  const text = `note  ${name} is gone: the run goes on with the stored text`;
  context.stderr.write(remarkText(text, context.stderr, { word: 'note' }));
}

function tellSame({ engine, root }: FoundRun, isGone: boolean, args: Args, context: Context): ExitCode {
  const shape: ChangeJson = { version: 1, run: root, store: engine.store.name, why: 'edit', same: true };
  if (args.switches.json === true) context.stdout.write(jsonText(shape));
  else if (!isGone) context.stdout.write('  nothing was changed: the run goes on as it is\n');
  return exit.done;
}

/** Whether there is something to do, and nobody who does it. */
function goesOn({ engine, root, row }: FoundRun): boolean {
  return engine.driver(root) === undefined && runWord(engine.store.run(root) ?? row, false) === 'interrupted';
}

/** What has ended cannot be driven, decided or cancelled any more. */
export function refuseOver({ engine, root, short }: FoundRun, done: string, context: Context): void {
  const row = engine.store.run(root);
  if (row?.endedAt === undefined) return;
  const words = { done: 'is done', failed: 'has failed', cancelled: 'was cancelled' };
  const word = runWord(row, true);
  const said = word in words ? words[word as keyof typeof words] : 'has ended';
  const id = short(root);
  const show = `What became of it: ${command(context, 'show', id)}`;
  throw new UsageError(
    `the run ${id} ${said} already, and cannot be ${done}.`,
    done === 'resumed' ? [...waysOn(row, engine.read(root).plan, id, context), show].join('\n') : show,
  );
}

/** What stands for a step: of a run that is one thunk there is only that. */
export function stepWord(plan: WorkflowPlan): string {
  return plan.activation?.thunk ?? 'STEP';
}

/** How a run that has ended can go on nevertheless, a line each. */
function waysOn({ id: root, status, file }: RunRow, plan: WorkflowPlan, id: string, context: Context): string[] {
  const isThere = file !== undefined && existsSync(file);
  const change = isThere ? [`change ${printable(displayPath(file, context.cwd))}, and resume it`] : [];
  const retry = ownCommand(plan, root, context)('retry', id);
  if (status !== 'done') return [`To try again: ${retry}`, ...change.map((way) => `or ${way}`)];
  const fork = `do a part again: ${command(context, 'fork', id, '--from', stepWord(plan))}`;
  return [...change.map((way) => `To go on, ${way}`), change.length > 0 ? `or ${fork}` : `To ${fork}`];
}
