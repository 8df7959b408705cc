/**
 * What is wrong with a test file before anything runs: its shape, files that are not there, inputs and outputs that do not fit the
 * types of their targets, assertions that cannot hold.
 */
import { dirname, resolve } from 'node:path';
import {
  type Case,
  checkAssertion,
  type Given,
  isAgent,
  placeIn,
  readCases,
  type SuiteRead,
  type TargetTypes,
  typesOfPlan,
} from '../../cases/index.ts';
import { fromType } from '../../expr/index.ts';
import { type FileReader, nodesOf, type Planned } from '../../plan/index.ts';
import { signaturesOf } from '../../program/index.ts';
import { displayPath, readTextFile } from '../../sys/index.ts';
import {
  byPosition,
  closest,
  createSource,
  type Diagnostic,
  diagnostic,
  didYouMean,
  hasErrors,
  type Source,
  type Span,
} from '../../text/index.ts';
import { field, printTypeShort, structOf, type Type, type TypeTable, textType, validate } from '../../type/index.ts';
import { type InputFile, inputFile } from '../input.ts';
import { inputError } from '../runs/input-error.ts';

export interface CheckSuiteOptions {
  readonly cwd: string;
  /** The folder of the test file. */
  readonly folder: string;
  readonly strictToon?: boolean;
  readonly plan: (file: InputFile, source: Source) => Promise<Planned>;
  /** Reads a file by its absolute path; those of the disk, where nothing is said. */
  readonly read?: FileReader;
}

/** What is known of a target, or what is wrong with it. */
type TargetRead =
  | { readonly ok: false; readonly message: string; readonly help?: string }
  | {
      readonly ok: true;
      readonly types: TargetTypes;
      readonly input: Type;
      /** Missing where it is no type of ours. */
      readonly output?: Type;
      readonly table: TypeTable;
      /** Everything that may ask somebody; missing where that is not known. */
      readonly asks?: ReadonlySet<string>;
      readonly print?: (type: Type) => string;
    };

export async function checkSuite(source: Source, options: CheckSuiteOptions): Promise<SuiteRead> {
  const read = readCases(source, { ...(options.strictToon && { strictToon: true }) });
  if (read.suite === undefined) return read;
  const found: Diagnostic[] = [];
  const told = new Set<string>();
  const report = (span: Span, code: 'TOO6305' | 'TOO6307', message: string, help?: string) => {
    const key = `${span.start} ${message}`;
    // What stands at the top of the file is of every case.
    if (told.size !== told.add(key).size)
      found.push(diagnostic(code, source, span, message, help === undefined ? {} : { help }));
  };
  const targets = new Map<string, Promise<TargetRead>>();
  for (const one of read.suite.cases) {
    const { text, span } = one.target;
    const known = targets.get(text) ?? readTarget(one, options);
    targets.set(text, known);
    const target = await known;
    if (target.ok) checkCase(one, target, source, found, report);
    else report(span, 'TOO6305', target.message, target.help);
    await checkFiles(one, options, report);
  }
  for (const { path, span } of read.files) await checkFile(path, span, options, report);
  const diagnostics = byPosition([...read.diagnostics, ...found]);
  return hasErrors(diagnostics) ? { diagnostics, files: read.files } : { ...read, diagnostics };
}

type Report = (span: Span, code: 'TOO6305' | 'TOO6307', message: string, help?: string) => void;

async function checkFiles({ answers, expect }: Case, options: CheckSuiteOptions, report: Report): Promise<void> {
  if (answers && answers.kind !== 'replies') await checkFile(answers.text, answers.span, options, report);
  if (expect.schema) await checkFile(expect.schema.text, expect.schema.span, options, report);
}

const fromFolder = 'Paths are from the folder of the test file.';

async function checkFile(path: string, span: Span, options: CheckSuiteOptions, report: Report): Promise<void> {
  const read = await reader(options)(resolve(options.folder, path));
  if (!read.ok) report(span, 'TOO6305', read.message, fromFolder);
}

function reader({ read, cwd }: CheckSuiteOptions): FileReader {
  if (read) return read;
  return async (path) => {
    const found = await readTextFile(path);
    if (found.ok) return found;
    return { ok: false, message: found.problem.message.replace(path, displayPath(path, cwd)).replace(/\.$/, '') };
  };
}

async function readTarget({ target }: Case, options: CheckSuiteOptions): Promise<TargetRead> {
  const { folder, cwd, plan } = options;
  const path = resolve(folder, target.file);
  const file = inputFile(path, cwd);
  const read = await reader(options)(path);
  if (!read.ok) return { ok: false, message: read.message, help: fromFolder };
  const source = createSource(file.name, read.text);
  if (isAgent(target.file)) return thunkTarget(source, target.thunk);
  const planned = await plan(file, source);
  if (planned.plan === undefined) {
    const help = `What is wrong with it: toolang check ${file.name}`;
    return {
      ok: false,
      message: `"${file.name}" ${hasErrors(planned.diagnostics) ? 'has errors' : 'has no steps of its own'}`,
      help,
    };
  }
  const { result, input, types } = planned.plan;
  const isType = result.kind !== 'tuple' && result.kind !== 'union' && result.kind !== 'nothing';
  return {
    ok: true,
    types: typesOfPlan(planned.plan),
    input,
    ...(isType && { output: result }),
    table: new Map(Object.entries(types)),
    asks: new Set([...nodesOf(planned.plan)].flatMap(({ node }) => node.id ?? [])),
  };
}

function thunkTarget(source: Source, thunk: string | undefined): TargetRead {
  const found = signaturesOf(source);
  if (!found.ok) return found;
  const names = [...found.thunks.keys()];
  const [only, ...more] = names;
  const name = thunk ?? (found.thunks.has('default') || more.length > 0 ? 'default' : only);
  const signature = name === undefined ? undefined : found.thunks.get(name);
  if (signature === undefined) {
    const help = names.length === 0 ? 'It has none.' : `Its thunks: ${names.join(', ')}.`;
    const message =
      thunk === undefined
        ? `"${source.name}" has several thunks and none is the default: name one behind "#"`
        : `"${source.name}" has no thunk "${thunk}".${didYouMean(closest(thunk, names))}`;
    return { ok: false, message, help };
  }
  const { params, types } = signature;
  const input = structOf(params.map((param) => field(param.name, param.type, { optional: param.optional })));
  const output = signature.output.kind === 'message' ? textType : signature.output;
  return {
    ok: true,
    types: { input: fromType(input, types), output: fromType(output, types) },
    input,
    output,
    table: types,
    print: printTypeShort,
  };
}

function checkCase(
  one: Case,
  target: Extract<TargetRead, { ok: true }>,
  source: Source,
  found: Diagnostic[],
  report: Report,
): void {
  const { input, expect, decisions } = one;
  if (isAgent(one.target.file)) checkThunkInput(one, target, report);
  else
    checkValue(
      input,
      input?.value ?? {},
      target.input,
      target,
      (words) => report(one.name.span, 'TOO6307', words),
      report,
    );
  if (expect.output && target.output) {
    checkValue(expect.output, expect.output.value, target.output, target, () => undefined, report, 'the output');
  }
  for (const assertion of expect.assert) found.push(...checkAssertion(assertion, source, target.types));
  const { asks } = target;
  if (asks === undefined) return;
  for (const { text, span } of [...decisions.map((each) => each.for), ...(expect.waitsFor ? [expect.waitsFor] : [])]) {
    const parts = text.split('/').map((part) => part.replace(/#\d+$/, '').replace(/\[\d+\]$/, ''));
    if (parts.includes('limit') || parts.some((part) => asks.has(part))) continue;
    report(
      span,
      'TOO6307',
      `nothing that could ask is called "${text}".${didYouMean(closest(parts.at(-1) ?? '', asks))}`,
    );
  }
}

/** `input` and `with` together are what a thunk takes. */
function checkThunkInput(
  { input, with: others, name }: Case,
  target: Extract<TargetRead, { ok: true }>,
  report: Report,
): void {
  const value = { ...(others?.value as Record<string, unknown> | undefined), ...(input && { input: input.value }) };
  checkFit(value, target.input, target, (pointer, part, words) => {
    const isInput = pointer === '/input' || pointer.startsWith('/input/');
    const given = isInput ? input : others;
    const inner = isInput ? pointer.slice('/input'.length) : pointer;
    report(given ? placeIn(given, inner, part) : name.span, 'TOO6307', words);
  });
}

function checkValue(
  given: Given | undefined,
  value: unknown,
  type: Type,
  target: Extract<TargetRead, { ok: true }>,
  missing: (words: string) => void,
  report: Report,
  what = 'the input',
): void {
  checkFit(value, type, target, (pointer, part, words) => {
    const said = words.replace(/\bthe input\b/, what);
    if (given) report(placeIn(given, pointer, part), 'TOO6307', said);
    else missing(said);
  });
}

/** Each error with its place; a field that is missing because its name is misspelt is told once. */
function checkFit(
  value: unknown,
  type: Type,
  { table, print }: Extract<TargetRead, { ok: true }>,
  tell: (pointer: string, part: 'key' | 'value', words: string) => void,
): void {
  const checked = validate(value, type, table);
  const errors = checked.ok ? [] : checked.errors;
  const told = errors.map((error) => ({ error, words: inputError(error, type, table, print) }));
  const meant = new Set(
    told.flatMap(({ words }) => /is not a field of .*Did you mean "([^"]+)"/.exec(words)?.[1] ?? []),
  );
  for (const { error, words } of told) {
    const name = error.pointer.slice(error.pointer.lastIndexOf('/') + 1);
    if (error.got === 'nothing' && meant.has(name)) continue;
    tell(error.pointer, / is not a field of /.test(words) ? 'key' : 'value', words);
  }
}

/** The folder of a test file that was piped in is where we are. */
export function folderOf({ path }: InputFile, cwd: string): string {
  return path === undefined ? cwd : dirname(path);
}
