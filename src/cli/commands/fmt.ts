/** `toolang fmt`: files in the one layout; nothing is written where there are syntax errors. */
import { type Diagnostic, type DiagnosticJson, printable, type Source, toJson } from '../../text/index.ts';
import { format, parse } from '../../too/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { expandInputs, type InputFile, type InputProblem, readInput, STDIN } from '../input.ts';
import { jsonText } from '../json.ts';
import { count, printDiagnostics, printProblems } from '../report.ts';
import { writeBack } from '../write.ts';

/** The shape of `--json`, as in `spec/json/fmt.schema.json`. */
interface FmtJson {
  version: 1;
  files: { file: string; status: Status; text?: string; diagnostics: DiagnosticJson[] }[];
  /** What could not be read or written at all. */
  problems: readonly InputProblem[];
}

/** `changed` means "would change" with `--check`; `error` was left as it was. */
type Status = 'same' | 'changed' | 'error';

interface FileResult {
  readonly file: InputFile;
  readonly status: Status;
  /** Of standard input: what is printed. */
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const { json = false, check = false } = args.switches;
  const stdinName = args.texts['stdin-name'];
  if (stdinName !== undefined && !args.positionals.includes(STDIN)) {
    throw new UsageError('--stdin-name is a name for standard input.', 'Write "-" as well, to read from there.');
  }
  const { files, problems: notFound } = await expandInputs(args.positionals, context);
  const problems = [...notFound];
  const results: FileResult[] = [];
  for (const found of files) {
    const file = found.path === undefined ? { ...found, name: stdinName ?? found.name } : found;
    const read = await readInput(file, context);
    if (!read.ok) problems.push(read.problem);
    else results.push(await formatFile(file, read.source, check, problems));
  }
  if (json) context.stdout.write(jsonText(toShape(results, problems)));
  else print(results, problems, check, context);
  const differs = check && results.some((result) => result.status === 'changed');
  const broken = results.some((result) => result.status === 'error');
  return problems.length > 0 || broken || differs ? exit.usage : exit.done;
}

async function formatFile(
  file: InputFile,
  source: Source,
  check: boolean,
  problems: InputProblem[],
): Promise<FileResult> {
  const { tokens, diagnostics: all } = parse(source);
  const diagnostics = all.filter((d) => d.severity === 'error');
  if (diagnostics.length > 0) return { file, status: 'error', diagnostics };
  const text = format(source, tokens);
  const status = text === source.text ? 'same' : 'changed';
  if (file.path === undefined) return { file, status, diagnostics, ...(!check && { text }) };
  const problem = status === 'changed' && !check ? await writeBack(file.path, file.name, text) : undefined;
  if (problem) problems.push(problem);
  return { file, status: problem ? 'error' : status, diagnostics };
}

function toShape(results: readonly FileResult[], problems: readonly InputProblem[]): FmtJson {
  const files = results.map(({ file, status, text, diagnostics }) => ({
    file: file.name,
    status,
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
  const broken = results.filter((result) => result.diagnostics.length > 0).length;
  if (broken > 0) stderr.write(`${count(broken, 'file')} left as written: mend the errors first\n`);
  // What is printed whole speaks for itself.
  const named = results.filter((result) => result.text === undefined && result.status !== 'error');
  const changed = named.filter((result) => result.status === 'changed').length;
  if (changed > 0) stderr.write(`${count(changed, 'file')} ${check ? 'would change' : 'formatted'}\n`);
  else if (named.length > 0) stderr.write(`nothing to change in ${count(named.length, 'file')}\n`);
}
