/** `toolang check`: every error of the files, at its place, with the fix. */
import { writeFileAtomic } from '../../sys/index.ts';
import { createSource, type Diagnostic, type DiagnosticJson, type Source, toJson } from '../../text/index.ts';
import type { Args } from '../command.ts';
import { UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { describeHost } from '../host.ts';
import { expandInputs, type InputFile, type InputProblem, readInput } from '../input.ts';
import { mend } from '../mend.ts';
import { count, printDiagnostics, printProblems, printTotals, totalsOf } from '../report.ts';

/** The shape of `--json`, as in `spec/json/check.schema.json`. */
interface CheckJson {
  version: 1;
  files: { file: string; fixed: number; diagnostics: DiagnosticJson[] }[];
  /** What could not be read at all. */
  problems: string[];
  errors: number;
  warnings: number;
}

interface FileResult {
  readonly file: string;
  readonly fixed: number;
  readonly diagnostics: readonly Diagnostic[];
}

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const { json = false, fix = false, quiet = false } = args.switches;
  if (fix && args.positionals.includes('-')) throw new UsageError('--fix cannot change standard input.');
  const { files, problems } = await expandInputs(args.positionals, context);
  const unread: InputProblem[] = [...problems];
  const results: FileResult[] = [];
  const seen = new Set<string>();
  for (const file of files) {
    const result = await checkFile(file, context, fix, seen);
    if ('problem' in result) unread.push(result.problem);
    else results.push({ ...result, diagnostics: result.diagnostics.filter((d) => !quiet || d.severity === 'error') });
  }
  const totals = totalsOf(results.flatMap((result) => result.diagnostics));
  if (json) {
    const shape: CheckJson = {
      version: 1,
      files: results.map(({ file, fixed, diagnostics }) => ({ file, fixed, diagnostics: diagnostics.map(toJson) })),
      problems: unread.map((problem) => problem.message),
      ...totals,
    };
    context.stdout.write(`${JSON.stringify(shape, null, 2)}\n`);
  } else {
    for (const { diagnostics } of results) printDiagnostics(diagnostics, context.stdout);
    printProblems(unread, context);
    if (results.length > 0 && !(quiet && totals.errors === 0)) {
      for (const { file, fixed } of results)
        if (fixed > 0) context.stderr.write(`mended ${count(fixed, 'problem')} in ${file}\n`);
      context.stderr.write(`${printTotals(totals)} in ${count(results.length, 'file')}\n`);
    }
  }
  const most = args.counts['max-warnings'];
  const tooMany = most !== undefined && totals.warnings > most;
  return unread.length > 0 || totals.errors > 0 || tooMany ? exit.usage : exit.done;
}

async function checkFile(
  file: InputFile,
  context: Context,
  fix: boolean,
  seen: Set<string>,
): Promise<FileResult | { readonly problem: InputProblem }> {
  const read = await readInput(file, context);
  if (!read.ok) return { problem: { message: read.problem.message } };
  const { checkSource } = await import('../../program/index.ts');
  const { host, diagnostics: ofConfig } = await describeHost(file, context);
  // A config.toml serves many files; its errors are told once.
  const shared = ofConfig.filter((d) => !seen.has(`${d.source.name}:${d.span.start}:${d.code}`));
  for (const d of shared) seen.add(`${d.source.name}:${d.span.start}:${d.code}`);
  const check = (source: Source) => checkSource(source, host).diagnostics;
  if (!fix || file.path === undefined) {
    return { file: file.name, fixed: 0, diagnostics: [...shared, ...check(read.source)] };
  }
  const mended = mend(file.name, read.source.text, check);
  if (mended.fixes > 0) await writeFileAtomic(file.path, mended.text);
  return {
    file: file.name,
    fixed: mended.fixes,
    diagnostics: [...shared, ...check(createSource(file.name, mended.text))],
  };
}
