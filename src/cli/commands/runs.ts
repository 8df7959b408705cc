/** `toolang runs`: the runs of this home, or of all homes. */
import { closest, didYouMean, painter } from '../../text/index.ts';
import { type ListedRun, type RunWord, runListText, runWord, runWords, totalsOf } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { runJson } from '../runs/result.ts';
import { openAllRuns } from '../runs/stores.ts';

const usualLimit = 20;

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const status = statusOf(args.texts.status);
  const limit = args.counts.limit ?? usualLimit;
  const json = args.switches.json === true;
  const opened = await openAllRuns(args, context);
  const listed: (ListedRun & { readonly store: string; readonly driven: boolean })[] = [];
  let more = false;
  try {
    for (const { engine, short } of opened) {
      const { store } = engine;
      // Whether somebody drives a run is not in its row, so what is asked for is chosen here.
      for (const row of store.runs({ roots: true, ...(status === undefined && { limit: limit + 1 }) })) {
        const driven = row.endedAt === undefined && engine.driver(row.id) !== undefined;
        const word = runWord(row, driven);
        if (status !== undefined && word !== status) continue;
        listed.push({ row, status: word, short: short(row.id), store: store.name, driven });
      }
    }
  } finally {
    for (const { close } of opened) close();
  }
  listed.sort((a, b) => b.row.startedAt - a.row.startedAt);
  more = listed.length > limit;
  const shown = listed.slice(0, limit);
  if (json) {
    const runs = shown.map((each) => {
      const { version: _, output: __, ...rest } = runJson(each);
      return rest;
    });
    context.stdout.write(jsonText({ version: 1, runs, totals: totalsOf(shown), more }));
    return exit.done;
  }
  if (shown.length === 0) {
    const which = status === undefined ? 'no runs' : `no runs that are ${status}`;
    context.stderr.write(`there are ${which} here. To start one: toolang run FILE\n`);
    return exit.done;
  }
  const paint = painter(context.stdout.color);
  const columns = context.stdout.isTTY ? context.stdout.columns : 120;
  context.stdout.write(runListText(shown, { paint, now: Date.now(), columns }));
  if (more) context.stderr.write(`there are more: toolang runs --limit ${limit * 5}\n`);
  return exit.done;
}

function statusOf(word: string | undefined): RunWord | undefined {
  if (word === undefined) return undefined;
  const found = runWords.find((each) => each === word);
  if (found) return found;
  const near = didYouMean(closest(word, runWords));
  throw new UsageError(`"${word}" is no status of a run.${near}`, `Write one of ${runWords.join(', ')}.`);
}
