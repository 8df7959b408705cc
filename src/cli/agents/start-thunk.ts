/** Starts a run of a thunk and drives it: what `invoke` and `run AGENT` do with each input. */
import type { ImageProblem } from '../../agent/index.ts';
import type { Activation, Json } from '../../plan/index.ts';
import { displayPath, type ReadResult } from '../../sys/index.ts';
import { printable } from '../../text/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { printProblems } from '../report.ts';
import { tellDetached } from '../runs/detach.ts';
import { driveAndTell, headLine } from '../runs/follow.ts';
import { readProviders } from '../runs/providers.ts';
import { remarkText } from '../runs/remark.ts';
import { printEnd } from '../runs/result.ts';
import type { OpenRuns } from '../runs/stores.ts';
import type { OpenAgent } from './open-agent.ts';
import { thunkRun } from './thunk-run.ts';

export interface StartWish {
  readonly thunk: string;
  readonly input: Json;
  readonly activation: Activation;
  /** `--script`, absolute. */
  readonly script?: string | undefined;
  readonly readReplies?: (path: string) => Promise<ReadResult>;
  /** It was said before: no head is printed. */
  readonly isQuiet?: boolean;
}

export async function startThunk(
  agent: OpenAgent,
  runs: OpenRuns,
  wish: StartWish,
  args: Args,
  context: Context,
): Promise<ExitCode> {
  const settings = await runs.settings();
  const { config } = settings;
  if (config === undefined) throw new Error('the settings of runs have no configuration');
  const made = await thunkRun(agent, { ...wish, config, cwd: context.cwd }, args, context);
  if (!made.ok) return refuse(made.problems, context);
  const { run, answers } = made;
  const asked = await readProviders(run.plan, answers.asked, settings, context);
  if (asked.problems.length > 0) return refuse(asked.problems, context);
  const created = runs.engine.create(run);
  const { id, epoch } = created;
  const json = args.switches.json === true;
  if (!wish.isQuiet) {
    const scripts = answers.scripts.map(({ path }) => printable(displayPath(path, context.cwd)));
    const about = modelText(asked.refs, scripts, settings.limit, made.chosen);
    const name = wish.thunk === 'default' ? agent.name : `${agent.name} ${wish.thunk}`;
    context.stderr.write(`${headLine(name, runs.short(id), about, context)}\n`);
  }
  for (const note of [...asked.notes, ...made.notes]) context.stderr.write(remarkText(note, context.stderr));
  const wait = args.switches.wait === true;
  if (args.switches.detach === true) {
    runs.engine.giveUp(created);
    return tellDetached(runs, id, { flags: wait ? ['--wait'] : [], json }, context);
  }
  const ended = await driveAndTell({ runs, root: id, context, json, epoch, wait, held: 'refuse' });
  return printEnd(ended, context);
}

function refuse(problems: readonly ImageProblem[], context: Context): ExitCode {
  printProblems(problems, context);
  return exit.usage;
}

/** Who answers, why where the file does not say, and what it may cost. */
function modelText(
  refs: readonly string[],
  scripts: readonly string[],
  limit: number | undefined,
  chosen: string | undefined,
): string {
  const why = chosen === undefined ? '' : `, ${chosen}`;
  const scripted = scripts.length === 0 ? [] : [`scripted (${scripts.join(', ')}${why})`];
  if (refs.length === 0) return `model: ${scripted.join()}`;
  const all = [...refs.map(printable), ...scripted].join(', ');
  const note = scripted.length === 0 && why !== '' ? ` (${chosen})` : '';
  return `model: ${all}${note}${limit === undefined ? '' : `, at most $${limit.toFixed(2)}`}`;
}
