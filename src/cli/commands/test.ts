/** `toolang test`: runs the cases of test files, offline, and tells which of them came to what they expect. */
import { availableParallelism } from 'node:os';
import type { Diagnostic } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context, StopSignal } from '../context.ts';
import { type ExitCode, exit, stopCode } from '../exit.ts';
import { jsonText } from '../json.ts';
import { count, printDiagnostics, printProblems } from '../report.ts';
import { coverageOf, coverageText, leastCoverage } from '../test/coverage-report.ts';
import { type FoundSuites, findSuites } from '../test/find-suites.ts';
import { writeJunit } from '../test/junit.ts';
import { testJson } from '../test/report-json.ts';
import { createReporter } from '../test/report-text.ts';
import { type CaseResult, runCase } from '../test/run-case.ts';
import type { SuiteFile } from '../test/suite-file.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  if (args.texts.from !== undefined)
    return (await import('../test/from-run.ts')).caseFromRun(args.texts.from, args, context);
  if (args.texts.out !== undefined)
    throw new UsageError('--out is where --from writes the case.', 'Write --from RUN too.');
  const least = leastCoverage(args);
  const found = await findSuites(args, context);
  if (refuseBroken(found, context)) return exit.usage;
  const todo = chosenCases(found.files, args);
  const since = performance.now();
  const { results, signal } = await runAll(todo, args, context);
  const ms = performance.now() - since;
  const coverage = least === undefined && args.switches.json !== true ? undefined : coverageOf(results, context.cwd);
  const { junit } = args.texts;
  if (junit !== undefined) await writeJunit(junit, results, ms, context);
  const updated =
    args.switches.update === true ? await (await import('../test/update.ts')).acceptOutputs(results, context) : 0;
  const isShort = coverage !== undefined && least !== undefined && coverage.percent < least;
  if (args.switches.json === true) context.stdout.write(jsonText(testJson(results, ms, coverage, context.cwd)));
  else {
    if (coverage !== undefined) context.stdout.write(coverageText(coverage, least ?? 0, context.stdout.color));
    context.stderr.write(`${summary(results, ms)}\n`);
    if (updated > 0)
      context.stderr.write(`${count(updated, 'output')} written anew: look at what changed before you keep it\n`);
  }
  if (signal !== undefined) return stopCode(signal);
  const isFailed = results.some(({ status }) => status === 'failed' || status === 'stopped');
  return isFailed || isShort ? exit.failed : exit.done;
}

/** Errors of test files are found before anything is run. */
function refuseBroken({ diagnostics, problems, files }: FoundSuites, context: Context): boolean {
  printDiagnostics(diagnostics, context.stderr);
  printProblems(problems, context);
  const errors = diagnostics.filter(({ severity }: Diagnostic) => severity === 'error');
  if (errors.length > 0) context.stderr.write(`${count(errors.length, 'error')}: nothing was run\n`);
  if (errors.length === 0 && problems.length === 0 && files.length === 0) {
    const help = 'Write NAME.test.toon beside a workflow or an agent, or make a case of a run: toolang test --from RUN';
    throw new UsageError('there is no test file (*.test.toon) here.', help);
  }
  return errors.length > 0 || problems.length > 0;
}

interface Todo {
  readonly file: SuiteFile;
  readonly one: SuiteFile['suite']['cases'][number];
}

function chosenCases(files: readonly SuiteFile[], { lists }: Args): readonly Todo[] {
  const all = files.flatMap((file) => file.suite.cases.map((one) => ({ file, one })));
  const filters = (lists.filter ?? []).map((each) => each.toLowerCase());
  if (filters.length === 0) return all;
  const chosen = all.filter(({ one }) => filters.some((filter) => one.name.text.toLowerCase().includes(filter)));
  if (chosen.length > 0) return chosen;
  const shown = (lists.filter ?? []).map((each) => `"${each}"`).join(', ');
  throw new UsageError(
    `no case has ${shown} in its name.`,
    `There are: ${all
      .slice(0, 10)
      .map(({ one }) => `"${one.name.text}"`)
      .join(', ')}`,
  );
}

/** Several at once; told in the order of the files, whichever ends first. */
async function runAll(
  todo: readonly Todo[],
  args: Args,
  context: Context,
): Promise<{ results: readonly CaseResult[]; signal: StopSignal | undefined }> {
  const stop = new AbortController();
  let signal: StopSignal | undefined;
  const forget = context.onSignal?.((received) => {
    signal = received;
    stop.abort();
  });
  const results: CaseResult[] = [];
  const reporter = args.switches.json === true ? undefined : createReporter(context);
  const jobs = Math.max(1, args.counts.jobs ?? availableParallelism());
  let next = 0;
  let told = 0;
  let isBailed = false;
  const work = async () => {
    for (let at = next++; at < todo.length; at = next++) {
      const { file, one } = todo[at] as Todo;
      if (isBailed) return;
      const result = await runCase(file, one, { context, signal: stop.signal, keep: args.switches.keep === true });
      results[at] = result;
      if (result.status === 'failed' && args.switches.bail === true) isBailed = true;
      for (let each = results[told]; each !== undefined; each = results[++told]) reporter?.tell(each);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(jobs, todo.length) }, work));
  } finally {
    forget?.();
  }
  // Behind a case that was never begun may stand one that was.
  const done = results.filter((each) => each !== undefined);
  for (const each of done.slice(told)) reporter?.tell(each);
  return { results: done, signal };
}

function summary(results: readonly CaseResult[], ms: number): string {
  const of = (status: CaseResult['status']) => results.filter((each) => each.status === status).length;
  const parts = [
    `${of('passed')} passed`,
    ...(of('failed') > 0 ? [`${of('failed')} failed`] : []),
    ...(of('skipped') > 0 ? [`${of('skipped')} skipped`] : []),
    ...(of('stopped') > 0 ? [`${of('stopped')} stopped`] : []),
  ];
  return `${parts.join(', ')} of ${count(results.length, 'case')} in ${(ms / 1000).toFixed(1)}s`;
}
