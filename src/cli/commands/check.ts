/** `toolang check`: every error of the files, at its place, with the fix. */

import type { HomeOptions } from '../../config/index.ts';
import {
  createSource,
  type Diagnostic,
  type DiagnosticJson,
  printable,
  type Source,
  toJson,
} from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { homeOptions, hostFinder } from '../host.ts';
import { expandInputs, type InputFile, type InputProblem, readInput, STDIN } from '../input.ts';
import { jsonText } from '../json.ts';
import { mend } from '../mend.ts';
import { count, printDiagnostics, printProblems, printTotals, type Totals, totalsOf } from '../report.ts';
import { writeBack } from '../write.ts';

/** The shape of `--json`, as in `spec/json/check.schema.json`. */
interface CheckJson {
  version: 1;
  /** Notes, which ask for nothing, stand apart from what is wrong. */
  files: { file: string; fixed: number; diagnostics: DiagnosticJson[]; notes: DiagnosticJson[] }[];
  /** What could not be read or written at all. */
  problems: readonly InputProblem[];
  errors: number;
  warnings: number;
}

interface FileResult {
  readonly file: string;
  readonly fixed: number;
  /** Whether `--fix` may change it. */
  readonly canFix: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const { json = false, fix = false, quiet = false } = args.switches;
  if (fix && args.positionals.includes(STDIN)) {
    throw new UsageError('--fix cannot change standard input.', 'Name the file instead of "-".');
  }
  const { results, problems } = await checkAll(args.positionals, fix, homeOptions(args.texts), context);
  const totals = totalsOf(results.flatMap((result) => result.diagnostics));
  const shown = results.map((result) => ({
    ...result,
    diagnostics: result.diagnostics.filter((d) => !quiet || d.severity === 'error'),
  }));
  const most = args.counts['max-warnings'];
  const tooMany = most !== undefined && totals.warnings > most;
  if (json) context.stdout.write(jsonText(toShape(shown, problems, totals)));
  else {
    for (const { diagnostics } of shown) printDiagnostics(diagnostics, context.stdout);
    printProblems(problems, context);
    for (const { file, fixed } of shown)
      if (fixed > 0) context.stderr.write(`mended ${count(fixed, 'problem')} in ${printable(file)}\n`);
    if (results.length > 0 && (!quiet || totals.errors > 0 || tooMany)) {
      const offer = fix ? '' : offerOf(shown);
      context.stderr.write(`${printTotals(totals)} in ${count(results.length, 'file')}${offer}\n`);
    }
  }
  if (tooMany) {
    const message = `${count(totals.warnings, 'warning')}: more than the ${most} of --max-warnings.`;
    printProblems([{ message }], context);
  }
  return problems.length > 0 || totals.errors > 0 || tooMany ? exit.usage : exit.done;
}

function toShape(results: readonly FileResult[], problems: readonly InputProblem[], totals: Totals): CheckJson {
  const files = results.map(({ file, fixed, diagnostics }) => ({
    file,
    fixed,
    diagnostics: diagnostics.filter((d) => d.severity !== 'note').map(toJson),
    notes: diagnostics.filter((d) => d.severity === 'note').map(toJson),
  }));
  return { version: 1, files, problems, ...totals };
}

/** What `--fix` would do; it changes the files that were named, not their configuration and not standard input. */
function offerOf(results: readonly FileResult[]): string {
  const fixable = results
    .filter((result) => result.canFix)
    .flatMap((result) => result.diagnostics.filter((d) => d.fix && !d.fix.guess));
  return fixable.length === 0 ? '' : `, ${fixable.length} with a fix (--fix)`;
}

async function checkAll(
  words: readonly string[],
  fix: boolean,
  options: HomeOptions,
  context: Context,
): Promise<{ results: FileResult[]; problems: InputProblem[] }> {
  const expanded = await expandInputs(words, context);
  const problems = [...expanded.problems];
  const results: FileResult[] = [];
  const findHost = hostFinder(context, expanded.files, options);
  const { checkSource } = await import('../../program/index.ts');
  for (const file of expanded.files) {
    const read = await readInput(file, context);
    if (!read.ok) {
      problems.push(read.problem);
      continue;
    }
    const { host, diagnostics } = await findHost(file);
    // Those of a configuration stand under its own name; `findHost` tells them once.
    results.push(...bySource(diagnostics.filter((d) => d.source.name !== file.name)));
    const own = diagnostics.filter((d) => d.source.name === file.name);
    const check = (source: Source) => [...own, ...checkSource(source, host).diagnostics];
    results.push(fix ? await fixFile(file, read.source, check, problems) : plain(file, check(read.source)));
  }
  return { results, problems };
}

async function fixFile(
  file: InputFile,
  source: Source,
  check: (source: Source) => readonly Diagnostic[],
  problems: InputProblem[],
): Promise<FileResult> {
  const { text, fixes } = mend(file.name, source.text, check);
  if (fixes === 0 || file.path === undefined) return plain(file, check(source));
  const problem = await writeBack(file.path, file.name, text);
  if (problem) {
    problems.push(problem);
    return plain(file, check(source));
  }
  return { file: file.name, fixed: fixes, canFix: true, diagnostics: check(createSource(file.name, text)) };
}

function plain(file: InputFile, diagnostics: readonly Diagnostic[]): FileResult {
  return { file: file.name, fixed: 0, canFix: file.path !== undefined, diagnostics };
}

function bySource(diagnostics: readonly Diagnostic[]): FileResult[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const d of diagnostics) {
    const group = groups.get(d.source.name);
    if (group) group.push(d);
    else groups.set(d.source.name, [d]);
  }
  return [...groups].map(([file, group]) => ({ file, fixed: 0, canFix: false, diagnostics: group }));
}
