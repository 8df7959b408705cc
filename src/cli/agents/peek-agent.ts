/**
 * An agent that a word names, to be looked at: found, read and checked, with its caps as they are written and as they were
 * synced. Nothing is fetched, synced or written.
 */
import { statSync } from 'node:fs';
import nodePath from 'node:path';
import { version } from '../../api/index.ts';
import { type Peeked, peekState } from '../../caps/index.ts';
import { homeOfFile, homeOfGuest } from '../../config/index.ts';
import type { Host } from '../../program/index.ts';
import { displayPath, systemCode } from '../../sys/index.ts';
import { type Diagnostic, hasErrors } from '../../text/index.ts';
import { type AgentSourceHere, hostOf, placesHere, refusal } from '../caps/places.ts';
import { requestsOf } from '../caps/sync-here.ts';
import { checkAgent } from '../check-agent.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { homeOptions } from '../home-options.ts';
import { hostFinder } from '../host.ts';
import { type InputFile, type InputProblem, inputFile, readInput, readWord, STDIN } from '../input.ts';
import { printErrors, printProblems } from '../report.ts';
import type { OpenAgent } from './open-agent.ts';

export interface PeekedAgent extends OpenAgent {
  readonly late: Peeked['late'];
  /** What lies around it, whether it may see it here or not. */
  readonly host: Host;
  readonly input: InputFile;
  /** With errors of caps alone: they need not be any that it uses. */
  readonly diagnostics: readonly Diagnostic[];
}

export type PeekRead =
  | { readonly ok: true; readonly agent: PeekedAgent }
  | {
      readonly ok: false;
      readonly input: InputFile;
      readonly diagnostics: readonly Diagnostic[];
      readonly problems: readonly InputProblem[];
    };

/** `word`: a file, `-`, or the name of an agent. Throws where it names none. */
export async function peekAgent(word: string, args: Args, context: Context): Promise<PeekRead> {
  const isFile = word === STDIN || /\.too$/i.test(word) || isThere(nodePath.resolve(context.cwd, word));
  const read = isFile ? await readWord(word, context, args.texts['stdin-name']) : await readNamed(word, args, context);
  const { file: input } = read;
  if (!read.ok) return { ok: false, input, diagnostics: [], problems: [read.problem] };
  const described = await hostFinder(context, [], homeOptions(args.texts))(input);
  const { host, diagnostics: around, ofCaps } = described;
  const { program, diagnostics: own } = await checkAgent(read.source, described);
  const diagnostics = [...ofCaps, ...around, ...own];
  if (hasErrors([...around, ...own])) return { ok: false, input, diagnostics, problems: [] };
  const { root, agent } = word === STDIN ? pipedHere(input, args, context) : placesHere(args, context, word);
  if (agent === undefined) throw new Error('an agent was named, and none was found');
  const { kind, name, file, home } = agent;
  const [request] = requestsOf([agent], root);
  if (request === undefined) throw new Error(`nothing to look at for ${word}`);
  const {
    state,
    late,
    diagnostics: ofSync,
  } = await peekState(
    { ...request, home },
    {
      toolang: version,
      compile: () => ({ program: undefined, caps: program.caps, uses: program.uses, diagnostics: [] }),
      shown: (path) => displayPath(path, context.cwd),
      readSource: async () => ({ ok: true, text: read.source.text }),
    },
  );
  const all = [...diagnostics, ...ofSync];
  return { ok: true, agent: { kind, name, file, home, root, state, program, late, host, input, diagnostics: all } };
}

/** As `openAgent`, for agents of workflows that are only looked at. */
export async function peekOpen(word: string, args: Args, context: Context): Promise<OpenAgent | undefined> {
  const read = await peekAgent(word, args, context);
  if (read.ok) return read.agent;
  if (read.problems.length > 0) printProblems(read.problems, context);
  else printErrors(read.diagnostics, context);
  return undefined;
}

async function readNamed(word: string, args: Args, context: Context) {
  const { agent } = placesHere(args, context, word);
  if (agent === undefined) throw new Error('an agent was named, and none was found');
  const file = inputFile(agent.file, context.cwd);
  return { file, ...(await readInput(file, context)) };
}

/** What is piped in lies where we are; where nothing may lie, it is as a guest is. */
function pipedHere(input: InputFile, args: Args, context: Context) {
  const host = hostOf(context);
  const options = homeOptions(args.texts);
  const file = nodePath.resolve(context.cwd, /\.too$/i.test(input.name) ? input.name : 'stdin.too');
  const name = nodePath.basename(file).replace(/\.too$/i, '');
  const own = homeOfFile(file, host, options);
  const found = own.ok ? own : homeOfGuest('stdin', 'stdin', host, options);
  if (!found.ok) throw refusal(found.problem);
  const home = found.places;
  const agent: AgentSourceHere = { kind: home.kind, name, file, home };
  return { root: home.root, agent };
}

/** Something that is no folder, whether it can be read or not. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch (error) {
    // A path that leads through a file or in a circle, or that may not be looked at, is no file: then it may be a name.
    if (systemCode(error) !== undefined) return false;
    throw error;
  }
}
