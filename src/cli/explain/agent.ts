/** `toolang explain` of an agent: what `toolang invoke` with the same words would send first, and why. */
import { dirname, resolve } from 'node:path';
import type { Json } from '../../plan/index.ts';
import type { Preview, ThunkProgram } from '../../program/index.ts';
import { previewThunk, sampleArguments } from '../../program/index.ts';
import { type DiagnosticJson, painter, toJson } from '../../text/index.ts';
import { activationOf, agentImage, capsFor, hiddenWhy, refuseUnknown } from '../agents/agent-image.ts';
import { type PeekedAgent, peekAgent, peekOpen } from '../agents/peek-agent.ts';
import { commandNames, withPrompts } from '../agents/prompt-input.ts';
import { chooseThunk, nearThunk, readThunkWords } from '../agents/thunk-words.ts';
import { type WordSource, wordSource } from '../agents/word-source.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { type InputProblem, STDIN } from '../input.ts';
import { jsonText } from '../json.ts';
import { printDiagnostics, printErrors, printProblems } from '../report.ts';
import { readSettings } from '../settings.ts';
import { stoppable } from '../stoppable.ts';
import { type ExplainedCall, explainCall, stops, usualWords } from './call.ts';
import { type SetsHere, setsHere } from './sets.ts';

/** The shape of `--json` for an agent, as in `spec/json/explain.schema.json`. */
interface ExplainJson {
  version: 1;
  file: string;
  /** The names of its thunks; none when there are errors. */
  thunks: string[];
  preview?: ShownThunk;
  call?: ExplainedCall;
  /** What stands in the way of a run, or is to be known of this call. */
  remarks?: readonly string[];
  diagnostics: DiagnosticJson[];
  problems: readonly InputProblem[];
}

export interface ShownThunk extends Preview {
  readonly sets: SetsHere;
  /** What stands in the texts, by parameter. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The values are samples: none were given. */
  readonly isSample: boolean;
}

export async function explainAgent(args: Args, context: Context): Promise<ExitCode> {
  const [word = '', ...words] = args.positionals;
  const json = args.switches.json ?? false;
  const read = await peekAgent(word, args, context);
  const input = read.ok ? read.agent.input : read.input;
  const printShape = (rest: Partial<ExplainJson>) => {
    const shape: ExplainJson = { version: 1, file: input.name, thunks: [], diagnostics: [], problems: [], ...rest };
    context.stdout.write(jsonText(shape));
  };
  if (!read.ok) {
    const { diagnostics, problems } = read;
    if (json) printShape({ diagnostics: diagnostics.map(toJson), problems });
    else if (problems.length > 0) printProblems(problems, context);
    else printErrors(diagnostics, context);
    return exit.usage;
  }
  const { agent } = read;
  const { program, diagnostics } = agent;
  const thunks = [...program.thunks.keys()];
  const chosen = chooseThunk(program, words);
  if (!chosen.ok) throw new UsageError(chosen.message, chosen.help);
  const { thunk } = chosen;
  const given = await argumentsOf(agent, thunk, chosen.words, args, context);
  if (!given.ok) {
    if (json) printShape({ thunks, diagnostics: diagnostics.map(toJson), problems: given.problems });
    else printProblems(given.problems, context);
    return exit.usage;
  }
  const explained = await explainThunk(agent, thunk, given, args, context);
  const { preview, call } = explained;
  const remarks = [...nearThunk(program.thunks, words, thunk), ...explained.remarks];
  if (json) printShape({ thunks, preview, call, remarks, diagnostics: diagnostics.map(toJson) });
  else {
    const { agentText } = await import('./agent-text.ts');
    const { stdout, stderr } = context;
    const columns = stdout.isTTY ? Math.max(40, stdout.columns) : 80;
    stdout.write(agentText({ preview, call, remarks }, program, { paint: painter(stdout.color), columns }));
    printDiagnostics(diagnostics, stderr);
  }
  return exit.done;
}

type Given =
  | { readonly ok: true; readonly values: Readonly<Record<string, unknown>>; readonly isSample: boolean }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/** Without words nothing is read, and samples stand for all. */
async function argumentsOf(
  agent: PeekedAgent,
  thunk: ThunkProgram,
  words: readonly string[],
  args: Args,
  context: Context,
): Promise<Given> {
  const { program } = agent;
  if (words.length === 0) return { ok: true, values: sampleArguments(program, thunk), isSample: true };
  const source = onlyNamed(wordSource(context), args.positionals[0] === STDIN);
  const own = commandNames(agent, activationOf(args, agent.kind));
  const given = await readThunkWords({ ...thunk, types: program.types }, words, source, own);
  if (given.ok) return { ok: true, values: given.args, isSample: false };
  return { ok: false, problems: given.problems.map((message) => ({ message })) };
}

/** Standard input is read where a word asks for it, and not where it is the agent itself. */
function onlyNamed(source: WordSource, isTaken: boolean): WordSource {
  const taken = async () => ({ ok: false, message: 'standard input is the agent itself' }) as const;
  return { ...source, isPiped: false, ...(isTaken && { stdin: taken }) };
}

async function explainThunk(
  agent: PeekedAgent,
  thunk: ThunkProgram,
  given: Extract<Given, { ok: true }>,
  args: Args,
  context: Context,
): Promise<{ preview: ShownThunk; call: ExplainedCall; remarks: readonly string[] }> {
  const { program, host, file, root } = agent;
  const { cwd } = context;
  const activation = activationOf(args, agent.kind);
  refuseUnknown(agent, activation);
  const config = await readSettings(dirname(file), args, context);
  const script = args.texts.script === undefined ? undefined : resolve(cwd, args.texts.script);
  const values = withPrompts(given.values, agent, activation) as Readonly<Record<string, Json>>;
  const made = await agentImage(
    agent,
    { entry: thunk.name, activation, config, cwd, script, open: peekOpen },
    args,
    context,
  );
  const { image } = made;
  const own = image.thunks[thunk.name];
  if (own === undefined) throw new Error(`the thunk "${thunk.name}" is gone`);
  const isNamed = thunk.directives.some(({ key }) => key === 'models');
  const usual = isNamed ? undefined : made.usual;
  const { call, remarks } = await stoppable(context, (signal) =>
    explainCall(
      {
        image,
        thunk: thunk.name,
        values,
        isSample: given.isSample,
        usual,
        config,
        file,
        script,
        credentials: root.credentials,
        connect: args.switches.connect === true,
        signal,
      },
      context,
    ),
  );
  const { all } = capsFor(agent, activation);
  const preview = previewThunk(program, thunk, host);
  const why = isNamed ? undefined : usual === undefined ? 'chosen when it runs' : usualWords[usual];
  const sets = setsHere(preview.sets, own, { hidden: (kind, name) => hiddenWhy(all, kind, name), usual: why });
  const stopping = made.ok ? [] : made.problems.map(({ message }) => stops(message));
  const told = new Set([...stopping, ...remarks, ...lateRemarks(agent)]);
  return { preview: { ...preview, sets, values, isSample: given.isSample }, call, remarks: [...told] };
}

/** What a run would do first, or a person has to. */
function lateRemarks({ late, input }: PeekedAgent): string[] {
  const unknown = [...late].flatMap(([{ kind, name }, why]) => (why.kind === 'unknown' ? [`${kind} ${name}`] : []));
  const changed = [...late].flatMap(([{ kind, name }, why]) =>
    why.kind === 'written' && why.difference !== undefined ? [`${kind} ${name} (${why.difference})`] : [],
  );
  const run = `run toolang sync ${input.name}`;
  return [
    ...(unknown.length > 0 ? [`not synced yet, so not known here: ${unknown.join(', ')}; ${run}`] : []),
    ...(changed.length > 0 ? [`changed where it was synced, and put back by a run: ${changed.join(', ')}`] : []),
  ];
}
