/** `toolang runs prune`: removes old runs that have ended, with all that was kept of them. */
import { rm } from 'node:fs/promises';
import type { EndedRun, PruneWish } from '../../journal/index.ts';
import { painter, printable } from '../../text/index.ts';
import { bytesText, count, shorten, whenText } from '../../view/index.ts';
import { readAge } from '../age.ts';
import { type Args, UsageError } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { logOf } from '../runs/detach.ts';
import { type OpenRuns, openRunsHere } from '../runs/stores.ts';

const mostListed = 10;
const dayMs = 86_400_000;

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const { older } = args.texts;
  const age = older === undefined ? undefined : readAge(older, '--older');
  const isDry = args.switches['dry-run'] === true;
  const runs = await openRunsHere(args, context, isDry ? undefined : 'write');
  if (runs === undefined) return noHome(age, args, context);
  try {
    return await pruneHere(runs, age, args, context);
  } finally {
    runs.close();
  }
}

async function pruneHere(runs: OpenRuns, age: number | undefined, args: Args, context: Context): Promise<ExitCode> {
  const { prunable, prune } = await import('../../journal/index.ts');
  const { engine } = runs;
  const { store } = engine;
  const isDry = args.switches['dry-run'] === true;
  const isJson = args.switches.json === true;
  const now = engine.clock.now();
  const goes = prunable(store, await wishOf(runs, age, args, now)).filter(({ id }) => engine.driver(id) === undefined);
  if (goes.length === 0) return nothing(args, context, { store: store.name });
  if (!isJson) tell(goes, runs, now, context);
  if (isDry) {
    const removed = goes.map(({ id }) => id);
    if (isJson)
      context.stdout.write(jsonText({ version: 1, store: store.name, dryRun: true, removed, stayed: [], freed: 0 }));
    else context.stderr.write(`${count(goes.length, 'run')} would be removed\n`);
    return exit.done;
  }
  if (!(await confirm(`Remove ${count(goes.length, 'run')}, with all that was kept of them?`, args, context))) {
    context.stderr.write('nothing was removed\n');
    return exit.failed;
  }
  const { removed, stayed, freed } = await prune(store, goes, {
    isDriven: (id) => engine.driver(id) !== undefined,
    async forget({ id }) {
      await engine.forget(id);
      // It holds what the run has told.
      await rm(logOf(store.name, id), { force: true });
    },
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

/** What the configuration says counts only where nothing else is said. */
async function wishOf(runs: OpenRuns, age: number | undefined, { counts }: Args, now: number): Promise<PruneWish> {
  const { keepDays } = await runs.settings();
  const { keep } = counts;
  if (keep !== undefined) return { keep, ...(age !== undefined && { before: now - age }) };
  const oldest = age ?? (keepDays === undefined ? undefined : keepDays * dayMs);
  if (oldest === undefined) throw unsaid();
  return { before: now - oldest };
}

function unsaid(): UsageError {
  return new UsageError(
    'runs prune needs to know which runs are old.',
    'Write --older 30d or --keep 100, or keep_days under [runs] in config.toml.',
  );
}

/** `toolang runs` lists those of all homes here; nothing is taken away from a home that nobody named. */
function noHome(age: number | undefined, args: Args, context: Context): ExitCode {
  if (age === undefined && args.counts.keep === undefined) throw unsaid();
  return nothing(args, context, {
    said: 'there is no home with runs here: nothing was removed\n  Name one: --home DIR\n',
  });
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

function nothing(args: Args, context: Context, { store, said }: { store?: string; said?: string }): ExitCode {
  const dryRun = args.switches['dry-run'] === true;
  if (args.switches.json === true) {
    const of = store === undefined ? {} : { store };
    context.stdout.write(jsonText({ version: 1, ...of, dryRun, removed: [], stayed: [], freed: 0 }));
  } else context.stderr.write(said ?? 'there are no such runs: nothing was removed\n');
  return exit.done;
}
