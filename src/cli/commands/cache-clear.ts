/** `toolang cache clear`: forgets results that are kept for other runs. Runs keep those that they have taken. */
import type { CacheFilter } from '../../journal/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import { bytesText, count } from '../../view/index.ts';
import { readAge } from '../age.ts';
import { type Args, UsageError } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { type OpenRuns, openRunsHere } from '../runs/stores.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const wish = wishOf(args);
  const runs = await openRunsHere(args, context, 'write');
  try {
    const store = runs?.engine.store;
    const now = runs?.engine.clock.now() ?? 0;
    const filter = { ...wish.filter, ...(wish.age !== undefined && { before: now - wish.age }) };
    const meant = store?.cacheEntries(filter) ?? [];
    const isDone = runs !== undefined && meant.length > 0 && (await clear(runs, filter, args, context));
    if (runs !== undefined && meant.length === 0) refuseUnknown(runs, wish.filter);
    const cleared = isDone ? meant.length : 0;
    if (args.switches.json === true) {
      context.stdout.write(jsonText({ version: 1, ...(store && { store: store.name }), cleared }));
    } else if (meant.length === 0) context.stderr.write('there is nothing to clear\n');
    else if (isDone) context.stderr.write(`cleared ${count(cleared, 'result')}\n`);
    else context.stderr.write('nothing was cleared\n');
    return isDone || meant.length === 0 ? exit.done : exit.failed;
  } finally {
    runs?.close();
  }
}

async function clear(runs: OpenRuns, filter: CacheFilter, args: Args, context: Context): Promise<boolean> {
  const { rowLimit } = await import('../../journal/index.ts');
  const { store } = runs.engine;
  const meant = store.cacheEntries(filter);
  const bytes = meant.reduce((sum, { size }) => sum + size, 0);
  const question = `Clear ${count(meant.length, 'result')} (${bytesText(bytes)})? The steps run again when they are reached.`;
  if (!(await confirm(question, args, context))) return false;
  store.write((writer) => writer.dropCache(filter));
  // Small ones stood in their rows.
  if (meant.some(({ size }) => size > rowLimit)) {
    store.sweep();
    store.shrink();
  }
  return true;
}

interface ClearWish {
  readonly filter: CacheFilter;
  readonly age?: number;
}

function wishOf({ positionals, texts, switches }: Args): ClearWish {
  const [step] = positionals;
  const { workflow, older } = texts;
  const isAll = switches.all === true;
  const isSome = step !== undefined || workflow !== undefined || older !== undefined;
  const ways = 'Write STEP, --workflow NAME, --older 7d, or --all.';
  if (!isAll && !isSome) throw new UsageError('cache clear needs to know what.', ways);
  if (isAll && isSome) throw new UsageError('--all leaves nothing to choose.', ways);
  return {
    filter: { ...(step !== undefined && { step }), ...(workflow !== undefined && { workflow }) },
    ...(older !== undefined && { age: readAge(older, '--older') }),
  };
}

/** A name that nothing has is a mistake; an age that nothing has is not. */
function refuseUnknown({ engine }: OpenRuns, { step, workflow }: CacheFilter): void {
  const all = engine.store.cacheEntries();
  if (all.length === 0) return;
  const known = (filter: CacheFilter) => engine.store.cacheEntries(filter).length > 0;
  if (workflow !== undefined && !known({ workflow })) {
    const near = didYouMean(closest(workflow, [...new Set(all.map((each) => each.workflow))]));
    throw new UsageError(`nothing is kept of a workflow "${workflow}".${near}`, 'What there is: toolang cache');
  }
  if (step !== undefined && !known({ step })) {
    const near = didYouMean(closest(step, [...new Set(all.map((each) => each.step))]));
    throw new UsageError(`nothing is kept of a step "${step}".${near}`, 'What there is: toolang cache');
  }
}
