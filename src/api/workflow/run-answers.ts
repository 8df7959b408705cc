/** Who answers for the models of a run that a program begins: files with replies, read before anything is begun. */
import { dirname, resolve } from 'node:path';
import { mergeConfig } from '../../config/index.ts';
import type { WorkflowPlan } from '../../plan/index.ts';
import type { PlacedAgent } from '../../run/index.ts';
import { displayPath, readTextFile, realClock } from '../../sys/index.ts';
import { createSource, oneLine } from '../../text/index.ts';
import { wrong } from './run-options.ts';

export interface AnswerPlace {
  /** The file that answers for all, absolute. */
  readonly script: string | undefined;
  /** Of a workflow file, absolute. */
  readonly file: string | undefined;
  readonly folder: string;
}

/** The scripts and the files of their replies, by absolute paths. Throws where something is missing or wrong. */
export async function repliesFor(
  plan: WorkflowPlan,
  { script, file, folder }: AnswerPlace,
): Promise<ReadonlyMap<string, string>> {
  const { scriptsOf } = await import('../../run/index.ts');
  const { scripts, left, asked, programs } = scriptsOf(plan, { script, file, cwd: folder });
  const [first] = left;
  if (first !== undefined) {
    const { name, type } = first.agent;
    const why =
      type === 'scripted' ? 'scripted, and no file says its replies' : `of type ${type}, which nothing here can ask`;
    throw wrong(`the agent "${name}" is ${why}. A file with replies answers for it: the option "script"`);
  }
  await refuseModels(asked);
  await refusePrograms(programs, folder);
  const replies = new Map<string, string>();
  for (const { path } of scripts) await readReplies(path, replies);
  return replies;
}

/** Models that cannot be used are told before anything is begun. */
async function refuseModels(asked: readonly PlacedAgent[]): Promise<void> {
  if (asked.length === 0) return;
  const { createAgentModels } = await import('../../run/index.ts');
  const { settings } = mergeConfig({});
  const models = createAgentModels({ env: process.env, settings, clock: realClock });
  for (const { agent } of asked) {
    const { problem } = await models.choose(agent);
    if (problem === undefined) continue;
    const { message, help = '' } = problem;
    throw wrong(`the agent "${agent.name}": ${message} ${help}`.trimEnd());
  }
}

/** So are programs that are not there. */
async function refusePrograms(programs: readonly PlacedAgent[], cwd: string): Promise<void> {
  if (programs.length === 0) return;
  const { cliAgents, findProgram } = await import('../../agent/cli/index.ts');
  for (const { agent } of programs) {
    const cli = cliAgents.get(agent.type);
    if (cli === undefined || findProgram(cli.program, { cwd, env: process.env }) !== undefined) continue;
    throw wrong(
      `the agent "${agent.name}" is of type ${agent.type}, and there is no program "${cli.program}" on the PATH. To install it: ${cli.install}`,
    );
  }
}

async function readReplies(path: string, replies: Map<string, string>): Promise<void> {
  const show = (text: string, of: string) => text.replace(of, displayPath(of, process.cwd()));
  const script = await readTextFile(path);
  if (!script.ok) {
    throw wrong(`the replies of the scripted model cannot be read: ${show(script.problem.message, path)}`);
  }
  replies.set(path, script.text);
  const { checkScript } = await import('../../model/index.ts');
  const name = displayPath(path, process.cwd());
  const { diagnostics } = await checkScript(createSource(name, script.text), async (other) => {
    const from = resolve(dirname(path), other);
    const text = await readTextFile(from);
    if (!text.ok) return { ok: false, message: show(text.problem.message, from).replace(/\.$/, '') };
    replies.set(from, text.text);
    return text;
  });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    throw wrong(`the replies have errors:\n${errors.map((each) => `  ${oneLine(each)}`).join('\n')}`);
}
