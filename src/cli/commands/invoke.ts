/** `toolang invoke AGENT` and `toolang FILE.too`: runs a thunk. */
import type { AgentProgram } from '../../program/index.ts';
import { readTextFile } from '../../sys/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import { activationOf, refuseUnknown } from '../agents/agent-image.ts';
import { openAgent } from '../agents/open-agent.ts';
import { commandNames, withPrompts } from '../agents/prompt-input.ts';
import { startThunk } from '../agents/start-thunk.ts';
import { chooseThunk, nearThunk, readThunkWords } from '../agents/thunk-words.ts';
import { wordSource } from '../agents/word-source.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { printProblems } from '../report.ts';
import { answerWish } from '../runs/recording.ts';
import { openRunsOf } from '../runs/stores.ts';
import { programName, quoteForShell } from '../shell.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const [word = '', ...words] = args.positionals;
  if (/\.toon$/i.test(word)) {
    throw new UsageError(`"${word}" is a workflow, not an agent.`, `to run it: toolang run ${quoteForShell(word)}`);
  }
  if (args.switches.help === true) return help(word, words[0], args, context);
  const agent = await openAgent(word, args, context);
  if (agent === undefined) return exit.usage;
  const { program } = agent;
  const activation = activationOf(args, agent.kind);
  refuseUnknown(agent, activation);
  const chosen = chooseThunk(program, words);
  if (!chosen.ok) throw new UsageError(chosen.message, chosen.help);
  const { thunk } = chosen;
  const given = await readThunkWords(
    { ...thunk, types: program.types },
    chosen.words,
    wordSource(context),
    commandNames(agent, activation),
  );
  if (!given.ok) {
    const { agentCall } = await import('../agents/thunk-help.ts');
    const help = `what it takes: ${agentCall(word, programName(context.env))} ${thunk.name} --help`;
    const last = given.problems.length - 1;
    printProblems(
      given.problems.map((message, i) => ({ message, ...(i === last && { help }) })),
      context,
    );
    return exit.usage;
  }
  const isPiped = args.texts.script === '-';
  const answers = await answerWish(args, agent.file, context);
  const { script } = answers;
  const runs = await openRunsOf(agent.file, args, context);
  try {
    const input = withPrompts(given.args, agent, activation);
    const remarks = nearThunk(program.thunks, words, thunk);
    const wish = { thunk: thunk.name, input, activation, remarks, ...answers };
    const readReplies = (name: string) => (isPiped && name === script ? context.stdin.read() : readTextFile(name));
    return await startThunk(agent, runs, { ...wish, readReplies }, args, context);
  } finally {
    runs.close();
  }
}

async function help(word: string, name: string | undefined, args: Args, context: Context): Promise<ExitCode> {
  const { readAgent } = await import('../agents/read-agent.ts');
  const read = await readAgent(word, args, context);
  if (read === undefined) return exit.usage;
  const { thunkHelp, programHelp } = await import('../agents/thunk-help.ts');
  context.stdout.write(helpText(read.program, word, name, context.stdout.color, { thunkHelp, programHelp }));
  return exit.done;
}

/** Of the thunk that is named, else of the agent. */
function helpText(
  program: AgentProgram,
  file: string,
  name: string | undefined,
  color: boolean,
  { thunkHelp, programHelp }: Pick<typeof import('../agents/thunk-help.ts'), 'thunkHelp' | 'programHelp'>,
): string {
  const thunk = name === undefined ? undefined : program.thunks.get(name);
  if (thunk) return thunkHelp(program, thunk, file, color);
  const near = name === undefined ? undefined : closest(name, program.thunks.keys());
  if (near === undefined) return programHelp(program, file, color);
  throw new UsageError(
    `"${file}" has no thunk "${name}".${didYouMean(near)}`,
    `Its thunks: ${[...program.thunks.keys()].join(', ')}.`,
  );
}
