/** `toolang resume RUN`: goes on with a run that was left. */
import { StoreFailure } from '../../journal/index.ts';
import { displayPath, readTextFile } from '../../sys/index.ts';
import { printable } from '../../text/index.ts';
import { runWord } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { driveAndTell, headLine } from '../runs/follow.ts';
import { remarkText } from '../runs/remark.ts';
import { command, printEnd } from '../runs/result.ts';
import { type FoundRun, findRun } from '../runs/stores.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const found = await findRun(args.positionals[0] ?? '', args, context, 'resume');
  try {
    const { root, name } = found;
    const short = found.short(root);
    refuseOver(found, 'resumed', context);
    await found.settings();
    refuseReadOnly(found);
    context.stderr.write(`${headLine(name, short, goesOn(found) ? 'goes on' : '', context)}\n`);
    if (args.switches['as-it-was'] !== true) await tellChange(found, context);
    const ended = await driveAndTell({
      runs: found,
      root,
      context,
      json: args.switches.json === true,
      wait: args.switches.wait === true,
      again: args.switches.again === true,
      held: 'refuse',
    });
    return printEnd(ended, context);
  } finally {
    found.close();
  }
}

/** Whether there is something to do, and nobody who does it. */
function goesOn({ engine, root, row }: FoundRun): boolean {
  return engine.driver(root) === undefined && runWord(engine.store.run(root) ?? row, false) === 'interrupted';
}

/** Found before anything is said or decided: a store that can be read only. */
export function refuseReadOnly({ engine }: FoundRun): void {
  try {
    engine.store.write(() => undefined);
  } catch (error) {
    if (!isReadOnly(error)) throw error;
    throw new UsageError(error.message, 'The run can be looked at, and only that.');
  }
}

function isReadOnly(error: unknown): error is StoreFailure {
  return error instanceof StoreFailure && error.reason === 'read-only';
}

/** What has ended cannot be driven, decided or cancelled any more. */
export function refuseOver({ engine, root, short }: FoundRun, done: string, context: Context): void {
  const row = engine.store.run(root);
  if (row?.endedAt === undefined) return;
  const words = { done: 'is done', failed: 'has failed', cancelled: 'was cancelled' };
  const word = runWord(row, true);
  const said = word in words ? words[word as keyof typeof words] : 'has ended';
  const id = short(root);
  throw new UsageError(
    `the run ${id} ${said} already, and cannot be ${done}.`,
    `What became of it: ${command(context, 'show', id)}`,
  );
}

/** A run goes on with the text that it began with, and says so where that is not the file any more. */
async function tellChange({ engine, root }: FoundRun, context: Context): Promise<void> {
  const { row, source } = engine.read(root);
  if (row.file === undefined) return;
  const file = await readTextFile(row.file);
  if (file.ok && file.text === source) return;
  const name = printable(displayPath(row.file, context.cwd));
  const what = file.ok ? 'was changed since' : file.problem.kind === 'missing' ? 'is gone' : 'cannot be read';
  const text = `note  ${name} ${what}: the run goes on with the text that it began with`;
  context.stderr.write(remarkText(text, context.stderr, { word: 'note' }));
}
