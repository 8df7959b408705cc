/** `toolang runs prune`: removes old runs that have ended, with all that was kept of them. */
import type { EndedRun, PruneWish } from '../../journal/index.ts';
import { painter, printable } from '../../text/index.ts';
import { bytesText, count, shorten, whenText } from '../../view/index.ts';
import { readAge } from '../age.ts';
import { type Args, UsageError } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { type OpenRuns, openRunsHere } from '../runs/stores.ts';

const mostListed = 10;
const dayMs = 86_400_000;

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const runs = await openRunsHere(args, context);
  if (runs === undefined) return nothing(args, context);
  try {
    return await pruneHere(runs, args, context);
  } finally {
    runs.close();
  }
}

async function pruneHere(runs: OpenRuns, args: Args, context: Context): Promise<ExitCode> {
  const { prunable, prune } = await import('../../journal/index.ts');
  const { engine } = runs;
  const { store } = engine;
  const isDry = args.switches['dry-run'] === true;
  const isJson = args.switches.json === true;
  const now = engine.clock.now();
  const goes = prunable(store, await wishOf(runs, args, now)).filter(({ id }) => engine.driver(id) === undefined);
  if (goes.length === 0) return nothing(args, context, store.name);
  if (!isJson) tell(goes, runs, now, context);
  if (isDry) {
    const removed = goes.map(({ id }) => id);
    if (isJson)
      context.stdout.write(jsonText({ version: 1, store: store.name, dryRun: true, removed, stayed: [], freed: 0 }));
    else context.stderr.write(`${count(goes.length, 'run')} would be removed\n`);
    return exit.done;
  }
  // Who may not write it is told so before anything is asked.
  store.write(() => undefined);
  if (!(await confirm(`Remove ${count(goes.length, 'run')}, with all that was kept of them?`, args, context))) {
    context.stderr.write('nothing was removed\n');
    return exit.failed;
  }
  const { removed, stayed, freed } = await prune(store, goes, {
    isDriven: (id) => engine.driver(id) !== undefined,
    forget: ({ id }) => engine.forget(id),
  });
  for (const { run: each, why } of stayed) {
    context.stderr.write(`${painter(context.stderr.color).yellow('stays')}  ${each.id}  ${printable(why)}\n`);
  }
  if (isJson) {
    const ids = removed.map(({ id }) => id);
    const left = stayed.map(({ run: { id }, why }) => ({ run: id, why }));
    context.stdout.write(jsonText({ version: 1, store: store.name, dryRun: false, removed: ids, stayed: left, freed }));
  } else {
    const space = freed > 0 ? `, and gave ${bytesText(freed)} back to the disk` : '';
    context.stderr.write(`removed ${count(removed.length, 'run')}${space}\n`);
  }
  return stayed.length > 0 ? exit.failed : exit.done;
}

async function wishOf(runs: OpenRuns, { texts, counts }: Args, now: number): Promise<PruneWish> {
  const { keepDays } = await runs.settings();
  const age = texts.older === undefined ? keepDays && keepDays * dayMs : readAge(texts.older, '--older');
  const { keep } = counts;
  if (age === undefined && keep === undefined) {
    throw new UsageError(
      'runs prune needs to know which runs are old.',
      'Write --older 30d or --keep 100, or keep_days under [runs] in config.toml.',
    );
  }
  return { ...(age !== undefined && { before: now - age }), ...(keep !== undefined && { keep }) };
}

/** The last that ended first. */
function tell(goes: readonly EndedRun[], runs: OpenRuns, now: number, context: Context): void {
  const paint = painter(context.stdout.color);
  const columns = context.stdout.isTTY ? context.stdout.columns : 120;
  const shown = goes.slice(0, mostListed).map(({ id, name, endedAt }) => {
    const short = runs.short(id);
    const when = `ended ${whenText(endedAt, now)}`;
    const cells = Math.max(8, columns - short.length - when.length - 4);
    return `${paint.bold(short)}  ${shorten(name, Math.min(40, cells))}  ${paint.dim(when)}`;
  });
  const more = goes.length > mostListed ? [paint.dim(`and ${goes.length - mostListed} more`)] : [];
  context.stdout.write(`${[...shown, ...more].join('\n')}\n`);
}

function nothing(args: Args, context: Context, store?: string): ExitCode {
  const dryRun = args.switches['dry-run'] === true;
  if (args.switches.json === true) {
    const of = store === undefined ? {} : { store };
    context.stdout.write(jsonText({ version: 1, ...of, dryRun, removed: [], stayed: [], freed: 0 }));
  } else context.stderr.write('there are no such runs: nothing was removed\n');
  return exit.done;
}
