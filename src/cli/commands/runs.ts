/** `toolang runs`: the runs of this home, or of all homes. */
import { closest, didYouMean, painter } from '../../text/index.ts';
import { type ListedRun, type RunWord, runListText, runWord, runWords, totalsOf } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { printProblems } from '../report.ts';
import { command, runJson } from '../runs/result.ts';
import { type OpenRuns, openAllRuns, reading, titleOf } from '../runs/stores.ts';
import { quoteForShell } from '../shell.ts';

const usualLimit = 20;

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const status = statusOf(args.texts.status);
  const limit = args.counts.limit ?? usualLimit;
  const json = args.switches.json === true;
  const { opened, unread } = await openAllRuns(args, context);
  const listed: Listed[] = [];
  let read = 0;
  try {
    for (const runs of opened) {
      const own = await reading(unread, () => listOf(runs, status, limit));
      if (own === undefined) continue;
      read++;
      for (const each of own) listed.push(each);
    }
  } finally {
    for (const { close } of opened) close();
  }
  printProblems(unread, context);
  // What could not be read is not empty.
  const code = unread.length > 0 ? exit.failed : exit.done;
  if (code !== exit.done && read === 0) return code;
  listed.sort((a, b) => b.row.startedAt - a.row.startedAt);
  const more = listed.length > limit;
  const shown = listed.slice(0, limit);
  if (json) {
    const runs = shown.map((each) => {
      const { version: _, output: __, ...rest } = runJson(each);
      return rest;
    });
    context.stdout.write(
      jsonText({
        version: 1,
        runs,
        totals: totalsOf(shown),
        more,
        ...(unread.length > 0 && { unread: unread.map(({ message }) => message) }),
      }),
    );
    return code;
  }
  if (listed.length === 0) {
    const which = status === undefined ? 'no runs' : `no runs that are ${status}`;
    const where = unread.length > 0 ? 'in what could be read' : 'here';
    context.stderr.write(`there are ${which} ${where}. To start one: ${command(context, 'run', 'FILE')}\n`);
    return code;
  }
  const paint = painter(context.stdout.color);
  const columns = context.stdout.isTTY ? context.stdout.columns : 120;
  if (shown.length > 0) context.stdout.write(runListText(shown, { paint, now: Date.now(), columns }));
  if (more) {
    const next = String(Math.max(limit * 5, usualLimit));
    context.stderr.write(`there are more: ${command(context, 'runs', ...sameList(args), '--limit', next)}\n`);
  }
  return code;
}

type Listed = ListedRun & { readonly store: string; readonly driven: boolean };

function listOf({ engine, short }: OpenRuns, status: RunWord | undefined, limit: number): Listed[] {
  const { store } = engine;
  const listed: Listed[] = [];
  // Whether somebody drives a run is not in its row, so what is asked for is chosen here.
  for (const row of store.runs({ roots: true, ...(status === undefined && { limit: limit + 1 }) })) {
    const driven = row.endedAt === undefined && engine.driver(row.id) !== undefined;
    const word = runWord(row, driven);
    if (status !== undefined && word !== status) continue;
    listed.push({
      row,
      status: word,
      short: short(row.id),
      title: titleOf({ engine }, row.id),
      store: store.name,
      driven,
    });
  }
  return listed;
}

/** The flags that make the same list. */
function sameList({ switches, texts }: Args): string[] {
  const words = switches.all === true ? ['--all'] : [];
  for (const name of ['status', 'root', 'home', 'store']) {
    const value = texts[name];
    if (value !== undefined) words.push(`--${name}`, quoteForShell(value));
  }
  return words;
}

function statusOf(word: string | undefined): RunWord | undefined {
  if (word === undefined) return undefined;
  const found = runWords.find((each) => each === word);
  if (found) return found;
  const near = didYouMean(closest(word, runWords));
  throw new UsageError(`"${word}" is no status of a run.${near}`, `Write one of ${runWords.join(', ')}.`);
}
