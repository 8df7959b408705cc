/** `toolang check`: every error of the files, at its place, with the fix. */
import { basename, dirname } from 'node:path';
import type { NamedCap } from '../../caps/index.ts';
import type { Planned } from '../../plan/index.ts';
import {
  byPosition,
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
import { homeOptions } from '../home-options.ts';
import type { hostFinder } from '../host.ts';
import {
  expandInputs,
  type FindMore,
  type InputFile,
  type InputProblem,
  languageOf,
  placeOf,
  readInput,
  STDIN,
} from '../input.ts';
import { jsonText } from '../json.ts';
import { mend } from '../mend.ts';
import { count, printDiagnostics, printProblems, printTotals, type Totals, totalsOf } from '../report.ts';
import { toolLookup } from '../tool-lookup.ts';
import { openWorkflows, type Workflows } from '../workflows.ts';
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

/** A file that was read, and how it is checked. */
interface Checked {
  readonly file: InputFile;
  readonly source: Source;
  /** What was found around it: under the names of other files. */
  readonly around: readonly Diagnostic[];
  readonly check: (source: Source) => Promise<readonly Diagnostic[]>;
  /** The same and what is looked at once only, when everything is mended. */
  readonly report: (source: Source) => Promise<readonly Diagnostic[]>;
  /** How many fixes were applied. */
  readonly fixed: number;
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
  const { results, problems } = await checkAll(args, fix, context);
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
  args: Args,
  fix: boolean,
  context: Context,
): Promise<{ results: readonly FileResult[]; problems: InputProblem[] }> {
  const expanded = await expandInputs(args.positionals, context, args.texts['stdin-name'], moreInputs(args, context));
  const problems = [...expanded.problems];
  const workflows = openWorkflows(args, context, toolLookup(args, context));
  try {
    const types = args.switches.types === true ? (await import('../type-check.ts')).checkTypes : undefined;
    const findHost = await finder(expanded.files, args, context);
    const inputs: Checked[] = [];
    for (const file of expanded.files) {
      const read = await readInput(file, context);
      if (!read.ok) problems.push(read.problem);
      else if (file.cap) inputs.push(await capFile(file, read.source, file.cap));
      else if (findHost && languageOf(file) === 'agent') inputs.push(await agentFile(file, read.source, findHost));
      else {
        const checkTypes = types && ((planned: Planned) => types(file, planned, context, problems));
        inputs.push(workflowFile(file, read.source, workflows, checkTypes));
      }
    }
    // Files import each other: all are mended before any is reported.
    const mended: Checked[] = [];
    for (const input of inputs) mended.push(fix ? await fixFile(input, problems) : input);
    return { results: await collect(mended, expanded.diagnostics, context.cwd), problems };
  } finally {
    await workflows.close();
  }
}

type FindHost = ReturnType<typeof hostFinder>;

/** Agents alone have something around them, and looking for it takes a while to load. */
async function finder(files: readonly InputFile[], args: Args, context: Context): Promise<FindHost | undefined> {
  if (!files.some((file) => languageOf(file) === 'agent')) return undefined;
  const host = await import('../host.ts');
  return host.hostFinder(context, files, homeOptions(args.texts));
}

async function agentFile(file: InputFile, source: Source, findHost: FindHost): Promise<Checked> {
  const { checkAgent } = await import('../check-agent.ts');
  const found = await findHost(file);
  const { diagnostics, ofCaps } = found;
  // Those of a configuration stand under its own name; `findHost` tells them once.
  const around = [...diagnostics.filter((d) => d.source.name !== file.name), ...ofCaps];
  const own = diagnostics.filter((d) => d.source.name === file.name);
  const check = async (text: Source) => [...own, ...(await checkAgent(text, found)).diagnostics];
  return { file, source, around, check, report: check, fixed: 0 };
}

async function capFile(file: InputFile, source: Source, { kind, name }: NamedCap): Promise<Checked> {
  const { validateCapFile } = await import('../../caps/index.ts');
  const check = async (text: Source) => validateCapFile(kind, name, text).diagnostics;
  return { file, source, around: [], check, report: check, fixed: 0 };
}

/** Caps are looked for where a path may mean some: most have nothing to do with them, and this takes a while to load. */
function moreInputs(args: Args, context: Context): FindMore {
  const { root, home } = args.texts;
  const options = { ...(root !== undefined && { root }), ...(home !== undefined && { home }) };
  return {
    ofName: async (name) => (name.endsWith('.md') ? (await import('../cap-inputs.ts')).capOfName(name) : undefined),
    ofFile: async (path) =>
      path.endsWith('.md') ? (await import('../cap-inputs.ts')).capOfFile(path, context, options) : undefined,
    ofDirectory: async (path, hasFiles) => {
      const maybe = !hasFiles || /^(?:\.toolang|(?:psyche|skill|service|prompt)s)$/.test(basename(path));
      const isSkill = basename(dirname(path)) === 'skills';
      if (!maybe && !isSkill) return undefined;
      return (await import('../cap-inputs.ts')).capsOfDirectory(path, hasFiles, context, options);
    },
  };
}

function workflowFile(
  file: InputFile,
  source: Source,
  workflows: Workflows,
  types: ((planned: Planned) => Promise<readonly Diagnostic[]>) | undefined,
): Checked {
  const check = async (text: Source) => (await workflows.plan(file, text)).diagnostics;
  const report = async (text: Source) => {
    const planned = await workflows.plan(file, text);
    return types ? [...planned.diagnostics, ...(await types(planned))] : planned.diagnostics;
  };
  return { file, source, around: [], check, report, fixed: 0 };
}

async function fixFile(input: Checked, problems: InputProblem[]): Promise<Checked> {
  const { file, source, check } = input;
  const { text, fixes } = await mend(file.name, source.text, check);
  if (fixes === 0 || file.path === undefined) return input;
  const problem = await writeBack(file.path, file.name, text);
  if (problem) {
    problems.push(problem);
    return input;
  }
  return { ...input, source: createSource(file.name, text), fixed: fixes };
}

/** What is wrong, by file: of those that were named, of configurations, and of those that are imported. Nothing twice. */
async function collect(
  inputs: readonly Checked[],
  ofPaths: readonly Diagnostic[],
  cwd: string,
): Promise<readonly FileResult[]> {
  const named = new Map(inputs.map((input) => [placeOf(input.file, cwd), input]));
  const results = new Map<string, { -readonly [K in keyof FileResult]: FileResult[K] }>();
  const told = new Set<string>();
  const resultOf = (file: InputFile) => {
    const place = placeOf(file, cwd);
    const input = named.get(place);
    const result = results.get(place) ?? {
      file: file.name,
      fixed: input?.fixed ?? 0,
      canFix: input?.file.path !== undefined,
      diagnostics: [],
    };
    results.set(place, result);
    return result;
  };
  const add = (diagnostics: readonly Diagnostic[]) => {
    for (const [name, group] of bySource(diagnostics)) {
      const result = resultOf({ path: undefined, name });
      const fresh = group.filter((d) => {
        const key = JSON.stringify([placeOf({ path: undefined, name }, cwd), d.code, d.span, d.message]);
        return told.size !== told.add(key).size;
      });
      // Importing files find different things in one file.
      const before = result.diagnostics;
      result.diagnostics = before.length === 0 ? fresh : byPosition([...before, ...fresh]);
    }
  };
  add(ofPaths);
  for (const { file, source, around, report } of inputs) {
    add(around);
    resultOf(file);
    add(await report(source));
  }
  return [...results.values()];
}

function bySource(diagnostics: readonly Diagnostic[]): Map<string, Diagnostic[]> {
  const groups = new Map<string, Diagnostic[]>();
  for (const d of diagnostics) {
    const group = groups.get(d.source.name);
    if (group) group.push(d);
    else groups.set(d.source.name, [d]);
  }
  return groups;
}
