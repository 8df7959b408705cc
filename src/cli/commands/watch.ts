/** `toolang watch RUN`: shows what happens in a run, whoever drives it, until it ends. */
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, stopCode } from '../exit.ts';
import { headLine, watchAndTell } from '../runs/follow.ts';
import { remarkText } from '../runs/remark.ts';
import { printEnd } from '../runs/result.ts';
import { findRun } from '../runs/stores.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const found = await findRun(args.positionals[0] ?? '', args, context, 'watch');
  try {
    const { root, name } = found;
    const { stderr } = context;
    stderr.write(`${headLine(name, found.short(root), '', context)}\n`);
    const ended = await watchAndTell({ runs: found, root, context, json: args.switches.json === true });
    if (ended.signal === undefined) return printEnd(ended, context);
    if (ended.driven) stderr.write(remarkText('left  the run goes on without this command', stderr, { word: 'left' }));
    return stopCode(ended.signal);
  } finally {
    found.close();
  }
}
