/**
 * `toolang test --from RUN`: makes a case of a run, and a recording of what its models said.
 * 1. The run is told anew, in a copy, with the answers that its models gave and the decisions that people made then: so the recording
 *    has what is asked now, and the case expects what comes of it now. It passes at once.
 * 2. What differs from then, as the time of a decision, is left out of what is expected.
 * 3. Neither file is written where the run cannot be told anew, and nothing that stands in them is lost.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Case, type Outcome, outcomeOf, readCases } from '../../cases/index.ts';
import type { JournalEvent } from '../../journal/index.ts';
import { displayPath, readTextFile } from '../../sys/index.ts';
import { createSource, hasErrors } from '../../text/index.ts';
import { runTree, thunkOf } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { printDiagnostics } from '../report.ts';
import { type FoundRun, findRun } from '../runs/stores.ts';
import { writeBack } from '../write.ts';
import { addCase, caseText, type MadeCase } from './case-text.ts';
import { createReporter } from './report-text.ts';
import { retellingOf } from './retelling.ts';
import { type CaseResult, runCase } from './run-case.ts';
import type { SuiteFile } from './suite-file.ts';

export async function caseFromRun(word: string, args: Args, context: Context): Promise<ExitCode> {
  const found = await findRun(word, args, context, 'test');
  try {
    return await make(found, args, context);
  } finally {
    found.close();
  }
}

interface Places {
  /** Absolute. */
  readonly target: string;
  readonly out: string;
  readonly recording: string;
}

async function make(found: FoundRun, args: Args, context: Context): Promise<ExitCode> {
  const places = placesOf(found, args, context);
  const before = await readBefore(places.out, context);
  tellFlags(found, context);
  const then = outcomeThen(found);
  const made = madeCase(found, then, places, before);
  const clean = found.engine.clean(made);
  let recording: string | undefined;
  const { before: plan, answer } = retellingOf(found);
  const recorded = (text: string) => {
    recording = text;
  };
  // Without what is expected: that is what comes of it.
  const first = await tell(clean, places, context, { before: plan, answer, recorded });
  if (first.status !== 'passed' || first.outcome === undefined) return refuse(first, context);
  const stable = { ...clean, ...expected(then, first.outcome, clean) };
  const final = recording === undefined ? withoutRecording(stable) : stable;
  refuseSecrets(recording, found);
  const text = addCase(before, final);
  if (recording !== undefined) await write(places.recording, recording, context);
  await write(places.out, text, context);
  const shown = (file: string) => displayPath(file, context.cwd);
  const files = [shown(places.out), ...(recording === undefined ? [] : [shown(places.recording)])].join(' and ');
  context.stderr.write(`wrote the case "${final.name}" into ${files}\n`);
  const checked = await runWritten(places, final.name, context);
  createReporter(context).tell(checked);
  context.stderr.write(`to run it: toolang test ${shown(places.out)}\n`);
  return checked.status === 'passed' ? exit.done : exit.failed;
}

function placesOf({ row, engine, root, short }: FoundRun, { texts }: Args, { cwd }: Context): Places {
  const { file } = row;
  const id = short(root);
  const refused = (why: string, help: string) => new UsageError(`no case can be made of the run ${id}: ${why}.`, help);
  if (row.id !== root)
    throw refused('it is a part of another run', `Take that one: toolang test --from ${short(root)}`);
  if (file === undefined)
    throw refused('it was started by a program, or from standard input', 'Runs of files can be told anew.');
  if (!existsSync(file)) throw refused(`"${displayPath(file, cwd)}" is gone`, 'A case runs the file.');
  if (row.status === 'running') throw refused('it has not ended', 'Wait for it, or cancel it.');
  if (row.status === 'cancelled') throw refused('it was cancelled', 'Take a run that came to something.');
  if (engine.driver(root) !== undefined) throw refused('somebody drives it', 'Wait for it to end.');
  const base = file.replace(/\.toon?$/i, '');
  const out = path.resolve(cwd, texts.out ?? `${base}.test.toon`);
  if (!/\.test\.toon$/i.test(out)) {
    throw new UsageError(`--out: "${texts.out}" is no name of a test file.`, 'Those end in .test.toon.');
  }
  return { target: file, out, recording: out.replace(/\.test\.toon$/i, '.record.toon') };
}

/** What only a command line says, no case can: it is told as if nothing had been said. */
function tellFlags({ engine, root }: FoundRun, { stderr }: Context): void {
  const { activation = {} } = engine.read(root).plan;
  const flags = (['models', 'tools', 'caps', 'shared', 'global', 'thread'] as const).filter(
    (flag) => activation[flag] !== undefined,
  );
  if (flags.length === 0) return;
  stderr.write(`the run was started with ${flags.map((flag) => `--${flag}`).join(', ')}, which a case cannot say\n`);
}

/** What stands in the file already. */
async function readBefore(out: string, context: Context): Promise<string | undefined> {
  const read = await readTextFile(out);
  if (!read.ok && read.problem.kind === 'missing') return undefined;
  if (!read.ok) throw new UsageError(read.problem.message, 'Name another file: --out FILE');
  const { diagnostics } = readCases(createSource(displayPath(out, context.cwd), read.text));
  if (!hasErrors(diagnostics)) return read.text;
  printDiagnostics(diagnostics, context.stderr);
  throw new UsageError(
    `"${displayPath(out, context.cwd)}" has errors: nothing was written.`,
    'Mend them, or name another file: --out FILE',
  );
}

function outcomeThen({ engine, root, row }: FoundRun): Outcome {
  const { plan } = engine.read(root);
  const events = () => engine.store.events(root);
  return outcomeOf(runTree({ row, plan, events: events(), driven: false }), lastSegment(events()));
}

/** A run that went on otherwise is told as it is now. */
function lastSegment(events: Iterable<JournalEvent>): JournalEvent[] {
  let last: JournalEvent[] = [];
  for (const event of events) {
    if (event.body.kind === 'segment.opened') last = [];
    last.push(event);
  }
  return last;
}

function madeCase(found: FoundRun, then: Outcome, places: Places, before: string | undefined): MadeCase {
  const { engine, root, name } = found;
  const { plan, input } = engine.read(root);
  const thunk = plan.activation?.thunk;
  const folder = path.dirname(places.out);
  const file = relative(folder, places.target);
  const given =
    typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Record<string, never>) : {};
  const { input: said, ...others } = given;
  const called = thunk === undefined ? name : (thunkOf(plan)?.thunk ?? thunk);
  return {
    name: freeName(`${called}, as in the run ${found.short(root)}`, before),
    target: thunk === undefined ? file : `${file}#${thunk}`,
    ...(thunk === undefined
      ? { input }
      : { ...(said !== undefined && { input: said }), ...(Object.keys(others).length > 0 && { with: others }) }),
    recording: relative(folder, places.recording),
    tools: toolAnswers(then),
    decisions: decisionsOf(lastSegment(engine.store.events(root))),
    expect: endOf(then),
  };
}

function relative(folder: string, file: string): string {
  const way = path.relative(folder, file).replaceAll('\\', '/');
  return way.startsWith('.') ? way : `./${way}`;
}

function freeName(name: string, before: string | undefined): string {
  const taken = new Set(
    before === undefined ? [] : readCases(createSource('', before)).suite?.cases.map((one) => one.name.text),
  );
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} (${number})`;
  return free;
}

/** Sets of tools that reach beyond a folder: what they said is said again. */
const outside = /^(?:shell|web)\/|^(?!filesystem\/)[^/]+\//;

function toolAnswers({ calls }: Outcome): MadeCase['tools'] {
  return calls.flatMap(({ tool, args, result, status }) => {
    if (!outside.test(tool) || result === undefined || status === 'denied') return [];
    const { text, isError } = result;
    return [{ tool, args, ...(isError ? { error: text.replace(/^[a-z-]+: /, '') } : { result: text }) }];
  });
}

function decisionsOf(events: readonly JournalEvent[]): MadeCase['decisions'] {
  return events.flatMap(({ node, body }) => {
    if (node === undefined) return [];
    const name = node
      .replace(/^@/, '')
      .replaceAll(/#\d+/g, '')
      .replace(/\/permit$/, '');
    if (body.kind === 'limit.answered') {
      return [
        { for: name, ...(body.approved && body.add !== undefined ? { add: body.add } : { approve: body.approved }) },
      ];
    }
    if (body.kind !== 'approval.decided') return [];
    return [{ for: name, approve: body.approved, by: body.by, ...(body.note !== undefined && { note: body.note }) }];
  });
}

/** How it ended: whatever else comes of it, this must be the same. */
function endOf({ status, error, waiting }: Outcome): MadeCase['expect'] {
  if (status === 'failed') {
    const own = error?.causes?.[0] ?? error;
    return { error: own?.code === undefined ? true : { code: own.code } };
  }
  const [first] = waiting;
  if (status === 'waiting' && first)
    return {
      waitsFor: first.node
        .replace(/^@/, '')
        .replaceAll(/#\d+/g, '')
        .replace(/\/permit$/, ''),
    };
  return {};
}

/** What came of it then and now. */
function expected(then: Outcome, now: Outcome, { expect }: MadeCase): Pick<MadeCase, 'expect'> {
  const calls = now.calls.map(({ tool, args }) => ({ tool, ...(Object.keys(args ?? {}).length > 0 && { args }) }));
  const isSame = JSON.stringify(then.output) === JSON.stringify(now.output);
  const shared = isSame ? undefined : inCommon(then.output, now.output);
  return {
    expect: {
      ...(then.status === 'done' && isSame && now.output !== undefined && { output: now.output }),
      ...(then.status === 'done' && shared !== undefined && { outputHas: shared }),
      ...expect,
      calls,
      modelCalls: now.modelCalls,
    },
  };
}

type Json = Outcome['input'];

function inCommon(a: Json | undefined, b: Json | undefined): Json | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  if (!isRecord(a) || !isRecord(b)) return undefined;
  const fields = Object.entries(a).flatMap(([key, value]): [string, Json][] => {
    const shared = inCommon(value, b[key]);
    return shared === undefined ? [] : [[key, shared]];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutRecording({ recording: _, ...made }: MadeCase): MadeCase {
  return made;
}

/** Runs the case as it would stand in its file. */
async function tell(
  made: MadeCase,
  places: Places,
  context: Context,
  retell: NonNullable<Parameters<typeof runCase>[2]['retell']>,
): Promise<CaseResult> {
  const source = createSource(displayPath(places.out, context.cwd), caseText(made));
  const { suite, diagnostics } = readCases(source);
  if (suite === undefined) {
    printDiagnostics(diagnostics, context.stderr);
    throw new Error('a case that was made of a run cannot be read');
  }
  const [one] = suite.cases as readonly [Case];
  const file: SuiteFile = { file: places.out, folder: path.dirname(places.out), name: source.name, suite };
  return runCase(file, one, { context, signal: new AbortController().signal, keep: false, retell });
}

async function runWritten(places: Places, name: string, context: Context): Promise<CaseResult> {
  const read = await readTextFile(places.out);
  if (!read.ok) throw new UsageError(read.problem.message);
  const source = createSource(displayPath(places.out, context.cwd), read.text);
  const { suite } = readCases(source);
  const one = suite?.cases.find((each) => each.name.text === name);
  if (suite === undefined || one === undefined) throw new Error('the case that was written cannot be read');
  const file: SuiteFile = { file: places.out, folder: path.dirname(places.out), name: source.name, suite };
  return runCase(file, one, { context, signal: new AbortController().signal, keep: false });
}

function refuse(result: CaseResult, context: Context): ExitCode {
  createReporter(context).tell(result);
  context.stderr.write('the run cannot be told anew, so no case was written\n');
  return exit.failed;
}

function refuseSecrets(recording: string | undefined, { engine }: FoundRun): void {
  if (recording === undefined || engine.clean(recording) === recording) return;
  throw new UsageError(
    'the recording would hold a secret of the environment: nothing was written.',
    'Take it out of the files that the run reads.',
  );
}

async function write(file: string, text: string, context: Context): Promise<void> {
  const problem = await writeBack(file, displayPath(file, context.cwd), text);
  if (problem) throw new UsageError(problem.message, problem.help);
}
