/** `toolang cancel RUN`: ends a run and all that it has running. */
import { painter } from '../../text/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { driveAndTell, followNote, headLine, storyFromNow } from '../runs/follow.ts';
import { personName } from '../runs/person.ts';
import { printEnd } from '../runs/result.ts';
import { findRun, refuseReadOnly } from '../runs/stores.ts';
import { refuseOver } from './resume.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const found = await findRun(args.positionals[0] ?? '', args, context, 'cancel');
  try {
    const { engine, root, name } = found;
    refuseOver(found, 'cancelled', context);
    refuseReadOnly(found);
    const reason = args.texts.reason ?? 'cancelled on the command line';
    const story = storyFromNow({ runs: found, root, context });
    const refusal = engine.post(root, { by: personName(context), message: { kind: 'cancel', reason } });
    // It ended in this very moment.
    if (refusal !== undefined) refuseOver(found, 'cancelled', context);
    const paint = painter(context.stderr.color);
    context.stderr.write(`${headLine(name, found.short(root), '', context)}\n  ${paint.yellow('cancelling')}\n`);
    followNote(found, root, context);
    const json = args.switches.json === true;
    const ended = await driveAndTell({ runs: found, root, context, json, held: 'follow', story });
    const code = printEnd(ended, context);
    return ended.row.status === 'cancelled' ? exit.done : code;
  } finally {
    found.close();
  }
}
