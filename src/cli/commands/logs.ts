/** `toolang logs RUN`: the journal of a run, one event after the other. */
import { painter } from '../../text/index.ts';
import { logText } from '../../view/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonLine } from '../json.ts';
import { wrapColumns } from '../runs/shown.ts';
import { findRun } from '../runs/stores.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const found = await findRun(args.positionals[0] ?? '', args, context, 'logs');
  const { stdout } = context;
  try {
    const { engine, root, row } = found;
    const paint = painter(stdout.color);
    const inside = row.id === root || row.node === undefined ? undefined : row.node;
    for (const event of engine.store.events(root)) {
      if (inside !== undefined && event.node !== inside && !event.node?.startsWith(`${inside}/`)) continue;
      stdout.write(args.switches.json === true ? jsonLine(event) : logText(event, paint, wrapColumns(stdout)));
      // A journal may be long, and whoever reads it may have seen enough.
      if (!(await stdout.flush())) break;
    }
    return exit.done;
  } finally {
    found.close();
  }
}
