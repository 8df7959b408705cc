/** `toolang retry RUN`: does again what failed or was denied, and goes on; all else is kept. */

import { answerCommands, questionsOf } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { asStored } from '../runs/edit.ts';
import { headLine } from '../runs/follow.ts';
import { goOn } from '../runs/go-on.ts';
import { heldError } from '../runs/held.ts';
import { ownCommand, refuseOfProgram } from '../runs/own-command.ts';
import { answerText, command } from '../runs/result.ts';
import { type FoundRun, findRun, refuseReadOnly } from '../runs/stores.ts';
import { stepWord } from './resume.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const found = await findRun(args.positionals[0] ?? '', args, context, 'retry');
  try {
    const { root, name } = found;
    refuseOthers(found, context);
    await found.settings();
    const isDry = args.switches['dry-run'] === true;
    if (!isDry) {
      refuseReadOnly(found);
      const own = ownCommand(found.engine.read(root).plan, root, context);
      refuseOfProgram(found, `To try again: ${own('retry', found.short(root))}`);
    }
    const change = { ...(await asStored(found, root, context)), why: 'retry' as const };
    if (!isDry) context.stderr.write(`${headLine(name, found.short(root), 'is tried again', context)}\n`);
    return await goOn({ runs: found, root, change, unasked: 'do' }, args, context);
  } finally {
    found.close();
  }
}

/** Only what failed or was cancelled is tried again; all others are told the command that helps. */
function refuseOthers(found: FoundRun, context: Context): void {
  const { engine, root, row, short } = found;
  const now = engine.store.run(root) ?? row;
  const id = short(root);
  if (now.status === 'failed' || now.status === 'cancelled') return;
  const driver = engine.driver(root);
  if (driver !== undefined) throw heldError(found, root, driver, context);
  if (now.status === 'done') {
    throw new UsageError(
      `the run ${id} is done: nothing in it failed.`,
      `To do a part of it again in a new run: ${command(context, 'fork', id, '--from', stepWord(engine.read(root).plan))}`,
    );
  }
  const questions = questionsOf(now);
  if (now.status === 'waiting' && questions.length > 0) {
    const answers = answerCommands(questions).map((each) =>
      answerText(each, id, context).trim().replaceAll(/\n +/g, '\n'),
    );
    throw new UsageError(`the run ${id} has not failed: it waits for an answer.`, answers.join('\n'));
  }
  throw new UsageError(`the run ${id} has not failed: it was left.`, `To go on: ${command(context, 'resume', id)}`);
}
