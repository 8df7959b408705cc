/** `toolang chat AGENT`: talks to an agent. `toolang chat --list`: the conversations there are. */
import { realClock } from '../../sys/index.ts';
import { displayWidth, painter, printable } from '../../text/index.ts';
import { count, shorten, whenText } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { withMemory } from '../memory/here.ts';
import { quoteForShell } from '../shell.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const [word] = args.positionals;
  if (args.switches.list === true) return list(word, args, context);
  if (word === undefined) {
    throw new UsageError('chat needs an agent.', 'toolang chat reviewer.too; "toolang list" has those that live here');
  }
  if (/\.toon$/i.test(word)) {
    throw new UsageError(`"${word}" is a workflow, not an agent.`, `to run it: toolang run ${quoteForShell(word)}`);
  }
  return (await import('../agents/session.ts')).runAgent(word, args, context, 'chat');
}

/** Of all agents of the home where we are, or of one; the one that was last used first. */
async function list(word: string | undefined, args: Args, context: Context): Promise<ExitCode> {
  // The home of an agent that is a file is where that lies.
  const found = word === undefined ? undefined : await agentPlace(word, args, context);
  const threads = found
    ? found.threads
    : await withMemory(args, context, (here) => [...(here?.memory.threads() ?? [])]);
  const { stdout, stderr } = context;
  if (args.switches.json === true) {
    stdout.write(jsonText({ version: 1, threads }));
    return exit.done;
  }
  if (threads.length === 0) {
    stderr.write('there is no conversation here. To begin one: toolang chat AGENT\n');
    return exit.done;
  }
  const paint = painter(stdout.color);
  const now = realClock.now();
  const rows = threads.map(({ agent, thread, turns, at, last }) => ({
    cells: [printable(agent), printable(thread), count(turns, 'turn'), whenText(at, now)],
    last,
  }));
  const widths = [0, 1, 2, 3].map((i) => Math.max(...rows.map(({ cells }) => displayWidth(cells[i] ?? ''))));
  const before = widths.reduce((sum, width) => sum + width + 2, 0);
  const columns = stdout.isTTY ? stdout.columns : 100;
  for (const { cells, last } of rows) {
    const [agent = '', thread = '', turns = '', when = ''] = cells.map(
      (cell, i) => cell + ' '.repeat((widths[i] ?? 0) - displayWidth(cell)),
    );
    const words = shorten(last, Math.max(10, columns - before - 1));
    stdout.write(`${agent}  ${paint.bold(thread)}  ${turns}  ${paint.dim(when)}  ${words}`.trimEnd());
    stdout.write('\n');
  }
  return exit.done;
}

async function agentPlace(word: string, args: Args, context: Context) {
  const [{ findAgent }, { hostOf, refusal }, { homeOptions }, { openMemory }] = await Promise.all([
    import('../../caps/index.ts'),
    import('../caps/places.ts'),
    import('../home-options.ts'),
    import('../../run/index.ts'),
  ]);
  const found = findAgent(word, hostOf(context), homeOptions(args.texts));
  if (!found.ok) throw refusal(found.problem);
  if (found.agent.kind === 'visiting') {
    throw new UsageError(
      `"${printable(word)}" is an agent from elsewhere; its conversations are in a home of its own.`,
      'List them with --home DIR',
    );
  }
  const { home, name } = found.agent;
  const memory = openMemory(home.memory);
  try {
    return { threads: memory.threads(name) };
  } finally {
    memory.close();
  }
}
