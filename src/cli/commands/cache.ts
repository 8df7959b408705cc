/** `toolang cache`: the results that are kept for other runs. */
import { painter } from '../../text/index.ts';
import { cacheListText } from '../../view/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { openRunsHere } from '../runs/stores.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const runs = await openRunsHere(args, context);
  try {
    const store = runs?.engine.store;
    const entries = store?.cacheEntries() ?? [];
    if (args.switches.json === true) {
      context.stdout.write(jsonText({ version: 1, ...(store && { store: store.name }), entries }));
      return exit.done;
    }
    if (runs === undefined || entries.length === 0) {
      context.stderr.write('no results are kept here: a step with "cache" keeps its own\n');
      return exit.done;
    }
    const ids = new Set(runs.engine.store.runIds());
    context.stdout.write(
      cacheListText(entries, {
        paint: painter(context.stdout.color),
        now: runs.engine.clock.now(),
        columns: context.stdout.isTTY ? context.stdout.columns : 120,
        short: (run) => (ids.has(run) ? runs.short(run) : undefined),
      }),
    );
    return exit.done;
  } finally {
    runs?.close();
  }
}
