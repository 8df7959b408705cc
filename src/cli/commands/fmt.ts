/** `toolang fmt`: files in the one layout; nothing is written where there are syntax errors. */
import {
  createSource,
  type Diagnostic,
  type DiagnosticJson,
  printable,
  type Source,
  toJson,
} from '../../text/index.ts';
import type { Args } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { expandInputs, type InputFile, type InputProblem, languageOf, readInput } from '../input.ts';
import { jsonText } from '../json.ts';
import { count, printDiagnostics, printProblems } from '../report.ts';
import { writeBack } from '../write.ts';

/** The shape of `--json`, as in `spec/json/fmt.schema.json`. */
interface FmtJson {
  version: 1;
  files: { file: string; status: Status; recounted?: true; text?: string; diagnostics: DiagnosticJson[] }[];
  /** What could not be read or written at all. */
  problems: readonly InputProblem[];
}

/** `changed` means "would change" with `--check`; `error` was left as it was. */
type Status = 'same' | 'changed' | 'error';

interface FileResult {
  readonly file: InputFile;
  readonly status: Status;
  /** Of a workflow with errors: the lengths of its arrays were mended, and nothing else. */
  readonly recounted?: true;
  /** Of standard input: what is printed. */
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const { json = false, check = false } = args.switches;
  const { files, problems: notFound } = await expandInputs(args.positionals, context, args.texts['stdin-name']);
  const problems = [...notFound];
  const results: FileResult[] = [];
  for (const file of files) {
    const read = await readInput(file, context);
    if (!read.ok) {
      problems.push(read.problem);
      continue;
    }
    const laidOut = await layOut(file, read.source, args.switches['strict-toon'] === true);
    results.push(await formatFile(file, read.source, laidOut, check, problems));
  }
  if (json) context.stdout.write(jsonText(toShape(results, problems)));
  else print(results, problems, check, context);
  const differs = check && results.some((result) => result.status === 'changed');
  const broken = results.some((result) => result.status === 'error');
  return problems.length > 0 || broken || differs ? exit.usage : exit.done;
}

/** The new text, or the errors that are in its way; of a workflow with errors also the text with its lengths mended. */
interface LaidOut {
  readonly text: string;
  readonly errors: readonly Diagnostic[];
}

async function layOut(file: InputFile, source: Source, strict: boolean): Promise<LaidOut> {
  const errorsOf = (diagnostics: readonly Diagnostic[]) => diagnostics.filter((d) => d.severity === 'error');
  if (languageOf(file) === 'agent') {
    const { format, parse } = await import('../../too/index.ts');
    const { tokens, diagnostics } = parse(source);
    const errors = errorsOf(diagnostics);
    return { text: errors.length > 0 ? source.text : format(source, tokens), errors };
  }
  const { formatToon, parseToon } = await import('../../toon/index.ts');
  const { text, formatted } = formatToon(source, { strict });
  if (formatted) return { text, errors: [] };
  // Mending moves what stands behind it: the errors are those of the text that is left.
  return { text, errors: errorsOf(parseToon(createSource(source.name, text), { profile: true }).diagnostics) };
}

async function formatFile(
  file: InputFile,
  source: Source,
  { text, errors }: LaidOut,
  check: boolean,
  problems: InputProblem[],
): Promise<FileResult> {
  const isChanged = text !== source.text;
  const isBroken = errors.length > 0;
  if (file.path === undefined) {
    if (isBroken) return { file, status: 'error', diagnostics: errors };
    return { file, status: isChanged ? 'changed' : 'same', diagnostics: [], ...(!check && { text }) };
  }
  const problem = isChanged && !check ? await writeBack(file.path, file.name, text) : undefined;
  if (problem) problems.push(problem);
  const status = problem || isBroken ? 'error' : isChanged ? 'changed' : 'same';
  return { file, status, diagnostics: errors, ...(isBroken && isChanged && !problem && { recounted: true }) };
}

function toShape(results: readonly FileResult[], problems: readonly InputProblem[]): FmtJson {
  const files = results.map(({ file, status, recounted, text, diagnostics }) => ({
    file: file.name,
    status,
    ...(recounted && { recounted }),
    ...(text !== undefined && { text }),
    diagnostics: diagnostics.map(toJson),
  }));
  return { version: 1, files, problems };
}

function print(
  results: readonly FileResult[],
  problems: readonly InputProblem[],
  check: boolean,
  { stdout, stderr, ...rest }: Context,
): void {
  for (const { file, status, text, diagnostics } of results) {
    printDiagnostics(diagnostics, stderr);
    if (text !== undefined) stdout.write(text);
    else if (status === 'changed') stdout.write(`${printable(file.name)}\n`);
  }
  printProblems(problems, { stdout, stderr, ...rest });
  const broken = results.filter((result) => result.diagnostics.length > 0);
  const recounted = broken.filter((result) => result.recounted).length;
  const left = broken.length - recounted;
  if (left > 0) stderr.write(`${count(left, 'file')} left as written: mend the errors first\n`);
  if (recounted > 0) {
    const done = check ? 'would only get new lengths' : 'left as written but for the lengths';
    stderr.write(`${count(recounted, 'file')} ${done}: mend the errors first\n`);
  }
  // What is printed whole speaks for itself.
  const named = results.filter((result) => result.text === undefined && result.status !== 'error');
  const changed = named.filter((result) => result.status === 'changed').length;
  if (changed > 0) stderr.write(`${count(changed, 'file')} ${check ? 'would change' : 'formatted'}\n`);
  else if (named.length > 0) stderr.write(`nothing to change in ${count(named.length, 'file')}\n`);
}
