/** `toolang invoke AGENT` and `toolang FILE.too`: runs a thunk. */
import type { AgentProgram } from '../../program/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import { readAgent } from '../agents/read-agent.ts';
import { agentCall, programHelp, thunkHelp } from '../agents/thunk-help.ts';
import { chooseThunk, readThunkWords } from '../agents/thunk-words.ts';
import { wordSource } from '../agents/word-source.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { printDiagnostics, printProblems } from '../report.ts';
import { programName, quoteForShell } from '../shell.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const [word = '', ...words] = args.positionals;
  const read = await readAgent(word, args, context);
  if (read === undefined) return exit.usage;
  const { program } = read;
  if (args.switches.help === true) {
    context.stdout.write(helpText(program, word, words[0], context.stdout.color));
    return exit.done;
  }
  printDiagnostics(read.diagnostics, context.stderr);
  const chosen = chooseThunk(program, words);
  if (!chosen.ok) throw new UsageError(chosen.message, chosen.help);
  const { thunk } = chosen;
  const given = await readThunkWords({ ...thunk, types: program.types }, chosen.words, wordSource(context));
  if (!given.ok) {
    const help = `what it takes: ${agentCall(word, programName(context.env))} ${thunk.name} --help`;
    const last = given.problems.length - 1;
    printProblems(
      given.problems.map((message, i) => ({ message, ...(i === last && { help }) })),
      context,
    );
    return exit.usage;
  }
  throw new UsageError(
    'agents cannot be run yet.',
    `to see what would be sent: toolang explain ${quoteForShell(word)}`,
  );
}

/** Of the thunk that is named, else of the agent. */
function helpText(program: AgentProgram, file: string, name: string | undefined, color: boolean): string {
  const thunk = name === undefined ? undefined : program.thunks.get(name);
  if (thunk) return thunkHelp(program, thunk, file, color);
  const near = name === undefined ? undefined : closest(name, program.thunks.keys());
  if (near === undefined) return programHelp(program, file, color);
  throw new UsageError(
    `"${file}" has no thunk "${name}".${didYouMean(near)}`,
    `Its thunks: ${[...program.thunks.keys()].join(', ')}.`,
  );
}
