/** Starts a run of a thunk and drives it, as `invoke` does; what stands in the way is told before anything is begun. */
import type { ImageProblem } from '../../agent/index.ts';
import type { Activation, Json } from '../../plan/index.ts';
import type { NewRun } from '../../run/index.ts';
import { displayPath, type ReadResult } from '../../sys/index.ts';
import { printable } from '../../text/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { printProblems } from '../report.ts';
import { tellDetached } from '../runs/detach.ts';
import { driveAndTell, headLine } from '../runs/follow.ts';
import { readProviders } from '../runs/providers.ts';
import type { AnswerWish } from '../runs/recording.ts';
import { remarkText } from '../runs/remark.ts';
import { printEnd } from '../runs/result.ts';
import type { OpenRuns } from '../runs/stores.ts';
import type { OpenAgent } from './open-agent.ts';
import { thunkRun } from './thunk-run.ts';

export interface StartWish extends AnswerWish {
  readonly thunk: string;
  readonly input: Json;
  readonly activation: Activation;
  /** The model that a person has chosen. */
  readonly model?: string | undefined;
  readonly readReplies?: (path: string) => Promise<ReadResult>;
  /** What is to be known of it, beside what is found. */
  readonly remarks?: readonly string[];
}

export type ReadyThunk =
  | {
      readonly ok: true;
      readonly run: NewRun;
      /** Who answers, and what it may cost. */
      readonly about: string;
      /** What whoever uses the models should know. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly ImageProblem[] };

/** All that a run of it needs is there, or what is missing. */
export async function readyThunk(
  agent: OpenAgent,
  runs: OpenRuns,
  wish: StartWish,
  args: Args,
  context: Context,
): Promise<ReadyThunk> {
  const settings = await runs.settings();
  const { config } = settings;
  if (config === undefined) throw new Error('the settings of runs have no configuration');
  const made = await thunkRun(agent, { ...wish, config, cwd: context.cwd }, args, context);
  if (!made.ok) return made;
  const { run, answers } = made;
  const asked = await readProviders(run.plan, answers, settings, context);
  if (asked.problems.length > 0) return { ok: false, problems: asked.problems };
  const scripts = answers.scripts.map(({ path }) => printable(displayPath(path, context.cwd)));
  const about = modelText(asked.refs, scripts, settings.limit, wish.replay ? undefined : made.chosen, wish.replay);
  return { ok: true, run, about, notes: [...asked.notes, ...made.notes] };
}

/** `reviewer › review`; of the default its agent says enough. */
export function thunkTitle({ name }: Pick<OpenAgent, 'name'>, thunk: string): string {
  return thunk === 'default' ? name : `${name} › ${thunk}`;
}

export async function startThunk(
  agent: OpenAgent,
  runs: OpenRuns,
  wish: StartWish,
  args: Args,
  context: Context,
): Promise<ExitCode> {
  const ready = await readyThunk(agent, runs, wish, args, context);
  if (!ready.ok) {
    printProblems(ready.problems, context);
    return exit.usage;
  }
  const created = runs.engine.create(ready.run);
  const { id, epoch } = created;
  const json = args.switches.json === true;
  context.stderr.write(`${headLine(thunkTitle(agent, wish.thunk), runs.short(id), ready.about, context)}\n`);
  for (const note of [...(wish.remarks ?? []), ...ready.notes]) context.stderr.write(remarkText(note, context.stderr));
  const wait = args.switches.wait === true;
  if (args.switches.detach === true) {
    runs.engine.giveUp(created);
    return tellDetached(runs, id, { flags: wait ? ['--wait'] : [], json }, context);
  }
  const ended = await driveAndTell({ runs, root: id, context, json, epoch, wait, held: 'refuse' });
  return printEnd(ended, context);
}

/** Who answers, why where the file does not say, and what it may cost. */
function modelText(
  refs: readonly string[],
  scripts: readonly string[],
  limit: number | undefined,
  chosen: string | undefined,
  replay: true | undefined,
): string {
  const why = chosen === undefined ? '' : `, ${chosen}`;
  const word = replay ? 'replayed' : 'scripted';
  const scripted = scripts.length === 0 ? [] : [`${word} (${scripts.join(', ')}${why})`];
  if (refs.length === 0) return `model: ${scripted.join()}`;
  const all = [...refs.map(printable), ...scripted].join(', ');
  const note = scripted.length === 0 && why !== '' ? ` (${chosen})` : '';
  return `model: ${all}${note}${limit === undefined ? '' : `, at most $${limit.toFixed(2)}`}`;
}
