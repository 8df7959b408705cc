/** The agent that a command is about, read and checked with what lies around it. */
import type { AgentProgram, Host } from '../../program/index.ts';
import { type Diagnostic, hasErrors } from '../../text/index.ts';
import { type AgentSourceHere, placesHere } from '../caps/places.ts';
import { checkAgent } from '../check-agent.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { homeOptions } from '../home-options.ts';
import { hostFinder } from '../host.ts';
import { inputFile, readInput } from '../input.ts';
import { printErrors, printProblems } from '../report.ts';

export interface AgentRead {
  readonly agent: AgentSourceHere;
  readonly program: AgentProgram;
  readonly host: Host;
  /** Warnings and notes: with errors there is no program. */
  readonly diagnostics: readonly Diagnostic[];
}

/** `word` is a file or the name of an agent. Undefined, and told, where there are errors. */
export async function readAgent(word: string, args: Args, context: Context): Promise<AgentRead | undefined> {
  const { agent } = placesHere(args, context, word);
  if (!agent) throw new Error('an agent was named, and none was found');
  const file = inputFile(agent.file, context.cwd);
  const read = await readInput(file, context);
  if (!read.ok) {
    printProblems([read.problem], context);
    return undefined;
  }
  const described = await hostFinder(context, [], homeOptions(args.texts))(file);
  const { host, diagnostics: around, ofCaps } = described;
  const { program, diagnostics: own } = await checkAgent(read.source, described);
  const diagnostics = [...ofCaps, ...around, ...own];
  // A cap that is wrong need not be one that the agent uses.
  if (!hasErrors([...around, ...own])) return { agent, program, host, diagnostics };
  printErrors(diagnostics, context);
  return undefined;
}
