/** What stands in the way of a run before anything is begun: agents that nobody answers for, scripts with errors. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Place, WorkflowPlan } from '../../plan/index.ts';
import type { PlanScripts } from '../../run/index.ts';
import { quotePath, type ReadResult } from '../../sys/index.ts';
import { createSource, hasErrors } from '../../text/index.ts';
import type { Context } from '../context.ts';
import type { InputProblem } from '../input.ts';
import { printDiagnostics } from '../report.ts';
import type { AnswerWish } from './recording.ts';

export interface ScriptWish extends AnswerWish {
  /** The file of the workflow, absolute. */
  readonly file: string | undefined;
  /** As people see a path. */
  readonly show: (path: string) => string;
  readonly read: (path: string) => Promise<ReadResult>;
}

/** Who answers for the models of a run. */
export interface Answers extends Pick<PlanScripts, 'scripts' | 'asked' | 'programs' | 'isAsked'> {
  /** The scripts and the files of their replies, by absolute paths. */
  readonly replies: ReadonlyMap<string, string>;
  /** Agents that only a script could answer for; scripts that are missing or have errors. */
  readonly problems: readonly InputProblem[];
}

export async function readAnswers(
  plan: WorkflowPlan,
  { script, replay, record, file, show, read }: ScriptWish,
  context: Context,
): Promise<Answers> {
  const { scriptBeside, scriptsOf } = await import('../../run/index.ts');
  const { scripts, left, asked, programs, isAsked } = scriptsOf(plan, { script, file, cwd: context.cwd });
  const beside = file === undefined ? '' : `, or ${quotePath(show(scriptBeside(file)))}`;
  const problems: InputProblem[] = left.map(({ agent, at }) => {
    const isScripted = agent.type === 'scripted';
    const why = isScripted
      ? 'scripted, and no file says its replies'
      : `of type ${agent.type}, which nothing here can ask`;
    return {
      message: `${placeText(at)}the agent "${agent.name}" is ${why}`,
      help: `A file with replies answers for it: --script FILE${beside}`,
    };
  });
  const replies = new Map<string, string>();
  for (const { path } of scripts) {
    const problem = await readReplies(path, replies, { show, read, replay }, context);
    if (problem) problems.push(problem);
  }
  if (record !== undefined && existsSync(record)) {
    const problem = await readReplies(record, new Map(), { show, read }, context);
    if (problem) problems.push({ ...problem, help: 'It is recorded into: mend it, or delete it.' });
  }
  return { scripts, asked, programs, isAsked, replies, problems };
}

/** Adds a script and the files that it names. */
async function readReplies(
  path: string,
  replies: Map<string, string>,
  { show, read, replay }: Pick<ScriptWish, 'show' | 'read' | 'replay'>,
  context: Context,
): Promise<InputProblem | undefined> {
  const name = show(path);
  const script = await read(path);
  if (!script.ok) {
    const why = script.problem.message.replace(path, name);
    return replay
      ? {
          message: `the recording cannot be read: ${why}`,
          help: 'Record one with --record, or name one: --replay=FILE',
        }
      : {
          message: `the replies of the scripted model cannot be read: ${why}`,
          help: 'Write the file, or name another one: --script FILE',
        };
  }
  replies.set(path, script.text);
  const { checkScript } = await import('../../model/index.ts');
  const { diagnostics, script: checked } = await checkScript(createSource(name, script.text), async (other) => {
    const from = resolve(dirname(path), other);
    const text = await read(from);
    if (!text.ok) return { ok: false, message: text.problem.message.replace(from, show(from)).replace(/\.$/, '') };
    replies.set(from, text.text);
    return text;
  });
  if (replay && checked?.replies.some(({ request }) => request === undefined)) {
    const message = `"${name}" has replies that do not say what was asked, and cannot be replayed`;
    return { message, help: 'Record them with --record. To answer from it whatever is asked: --script FILE' };
  }
  if (!hasErrors(diagnostics)) return undefined;
  printDiagnostics(diagnostics, context.stderr);
  return { message: `"${name}" has errors`, help: 'Mend them first.' };
}

/** What stands before a message about it. */
export function placeText(at: Place | undefined): string {
  return at === undefined ? '' : `${at.file}:${at.line}:${at.column}: `;
}
