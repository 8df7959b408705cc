/** A case as a run that can be created: its target read in the copy, its input checked, and who answers for its models. */
import path from 'node:path';
import { type Case, type CoveredPart, type Given, isAgent, type Outcome, placeIn } from '../../cases/index.ts';
import type { Json, WorkflowPlan } from '../../plan/index.ts';
import type { NewRun } from '../../run/index.ts';
import { displayPath, type ReadResult, readTextFile } from '../../sys/index.ts';
import { renderDiagnostic, type Span } from '../../text/index.ts';
import {
  field,
  printTypeShort,
  type ReadError,
  structOf,
  type Type,
  type TypeTable,
  validate,
} from '../../type/index.ts';
import type { Args } from '../command.ts';
import type { MemoryContext } from '../memory-context.ts';
import { inputError } from '../runs/input-error.ts';
import { readWorkflow } from '../runs/read-workflow.ts';
import type { AnswerWish } from '../runs/recording.ts';
import type { Answers } from '../runs/refuse.ts';
import { placeFrom, type SuiteFile } from './suite-file.ts';
import { coveredThunks, placesIn, thunkPlaces } from './thunk-coverage.ts';
import type { Workspace } from './workspace.ts';

/** What stands in the way of a case, at its place in the test file: that of its name where none is said. */
export class CaseProblem extends Error {
  override readonly name = 'CaseProblem';
  readonly span: Span | undefined;
  readonly notes: readonly string[];

  constructor(span: Span | undefined, message: string, notes: readonly string[] = []) {
    super(message);
    this.span = span;
    this.notes = notes;
  }
}

export interface PrepareWish {
  readonly file: SuiteFile;
  readonly one: Case;
  readonly workspace: Workspace;
  readonly howToRecord: string;
  /** Of a case that is made of a run: the plan of that. */
  readonly before?: WorkflowPlan;
}

export interface ReadyCase {
  readonly run: NewRun;
  /** The target, in the copy. */
  readonly file: string;
  /** The thunks of its agents, and which of them were reached. */
  readonly thunks: (outcome: Outcome) => readonly CoveredPart[];
  readonly fitsSchema?: (value: Json) => readonly string[];
}

export async function prepareCase(wish: PrepareWish, args: Args, context: MemoryContext): Promise<ReadyCase> {
  const { file, one, workspace } = wish;
  const target = workspace.at(placeFrom(file, one.target.file));
  const ready = isAgent(one.target.file)
    ? await prepareThunk(target, wish, args, context)
    : await prepareWorkflow(target, wish, args, context);
  const { schema } = one.expect;
  if (schema === undefined) return ready;
  const { schemaCheck } = await import('./schema-check.ts');
  return { ...ready, fitsSchema: await schemaCheck(schema, workspace.at(placeFrom(file, schema.text))) };
}

/** Who answers: a script or a recording, as files or in the case itself. */
interface AnswersOf extends AnswerWish {
  readonly readReplies?: (name: string) => Promise<ReadResult>;
}

function answersOf({ file, one, workspace, before }: PrepareWish): AnswersOf {
  const { answers } = one;
  if (answers === undefined) return {};
  if (answers.kind === 'replies') {
    // Under the name of the test file, so that whatever is told of them is told there.
    const script = workspace.at(file.file);
    const { script: text } = answers;
    return { script, readReplies: async (name) => (name === script ? { ok: true, text } : readTextFile(name)) };
  }
  const script = workspace.at(placeFrom(file, answers.text));
  if (answers.kind === 'script') return { script };
  if (before === undefined) return { script, replay: true };
  // What is recorded now is not there yet.
  const readReplies = async (name: string): Promise<ReadResult> => {
    const read = await readTextFile(name);
    return name === script && !read.ok && read.problem.kind === 'missing' ? { ok: true, text: 'replies: []\n' } : read;
  };
  return { script, replay: true, record: script, readReplies };
}

async function prepareWorkflow(
  target: string,
  wish: PrepareWish,
  args: Args,
  context: MemoryContext,
): Promise<ReadyCase> {
  const { one, workspace } = wish;
  const read = await readWorkflow(
    target,
    { ...answersOf(wish), ...(wish.before && { before: wish.before }) },
    args,
    context,
  );
  if (!read.ok) {
    const { diagnostics, problems } = read.read;
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const notes = [
      ...problems.map(({ message }) => message),
      ...errors.slice(0, 5).flatMap((each) => renderDiagnostic(each, { color: false, columns: 100 }).split('\n')),
    ];
    throw new CaseProblem(one.target.span, `${one.target.file} cannot be run`, [
      ...notes,
      copyNote(workspace, context),
    ]);
  }
  refuseProblems(read.problems, context, one.target.span);
  refuseAsked(read.answers, wish);
  const { plan } = read.workflow;
  const table: TypeTable = new Map(Object.entries(plan.types));
  const input = checkedInput(one.input, one.input?.value ?? {}, plan.input, table, one);
  const places = await thunkPlaces(plan, target);
  const thunks = (outcome: Outcome) => coveredThunks(plan, places, outcome);
  return { run: { ...read.workflow, input }, file: target, thunks };
}

function copyNote({ from }: Workspace, { cwd }: MemoryContext): string {
  return `The case runs in a copy of ${displayPath(from, cwd)}: what lies outside of it is not there; "workspace" names a larger folder.`;
}

async function prepareThunk(target: string, wish: PrepareWish, args: Args, context: MemoryContext): Promise<ReadyCase> {
  const { one } = wish;
  const [
    { openAgent },
    { activationOf },
    { thunkRun },
    { chooseThunk },
    { withPrompts },
    { readSettings },
    { imagesOf },
  ] = await Promise.all([
    import('../agents/open-agent.ts'),
    import('../agents/agent-image.ts'),
    import('../agents/thunk-run.ts'),
    import('../agents/thunk-words.ts'),
    import('../agents/prompt-input.ts'),
    import('../settings.ts'),
    import('../agents/with-images.ts'),
  ]);
  const { span } = one.target;
  const agent = await openAgent(target, args, context);
  if (agent === undefined) throw new CaseProblem(span, `${one.target.file} cannot be run`, printed(context));
  const { program } = agent;
  const name = one.target.thunk;
  if (name !== undefined && !program.thunks.has(name)) {
    throw new CaseProblem(span, `${one.target.file} has no thunk "${name}"`, [
      `Its thunks: ${[...program.thunks.keys()].join(', ')}.`,
    ]);
  }
  const chosen = chooseThunk(program, name === undefined ? [] : [name]);
  if (!chosen.ok) throw new CaseProblem(span, chosen.message, [chosen.help]);
  const { thunk } = chosen;
  const whole = structOf(thunk.params.map((param) => field(param.name, param.type, { optional: param.optional })));
  const given = thunkInput(one, whole, program.types);
  const activation = activationOf(args, agent.kind);
  const config = await readSettings(path.dirname(target), args, context);
  const made = await thunkRun(
    agent,
    {
      thunk: thunk.name,
      input: withPrompts(given, agent, activation),
      activation,
      config,
      cwd: context.cwd,
      ...answersOf(wish),
      ...(wish.before && { recorded: imagesOf(wish.before) }),
    },
    args,
    context,
  );
  if (!made.ok) {
    const [first, ...rest] = made.problems.flatMap(({ message, help }) => [
      message,
      ...(help === undefined ? [] : [help]),
    ]);
    throw new CaseProblem(span, first ?? 'it cannot be run', [...rest, ...printed(context), wish.howToRecord]);
  }
  refuseAsked(made.answers, wish);
  const places = new Map([[target, placesIn(program)]]);
  const thunks = (outcome: Outcome) => coveredThunks(made.run.plan, places, outcome);
  return { run: made.run, file: target, thunks };
}

/** `input` and `with` together are what a thunk takes. */
function thunkInput(one: Case, whole: Type, table: TypeTable): Readonly<Record<string, unknown>> {
  const { input, with: others } = one;
  const value = { ...(others?.value as Record<string, Json> | undefined), ...(input && { input: input.value }) };
  const checked = validate(value, whole, table);
  if (checked.ok) return checked.value as Record<string, unknown>;
  const [error] = checked.errors;
  if (error === undefined) throw new Error('an input does not fit, and nothing says why');
  const isInput = error.pointer === '/input' || error.pointer.startsWith('/input/');
  const place =
    isInput && input ? placeIn(input, error.pointer.slice('/input'.length)) : others && placeIn(others, error.pointer);
  throw new CaseProblem(place ?? one.target.span, inputError(error, whole, table, printTypeShort));
}

function checkedInput(given: Given | undefined, value: Json, type: Type, table: TypeTable, one: Case): Json {
  const checked = validate(value, type, table);
  if (checked.ok) return checked.value as Json;
  const words = (error: ReadError) => inputError(error, type, table);
  const [first, ...rest] = checked.errors;
  if (first === undefined) throw new Error('an input does not fit, and nothing says why');
  throw new CaseProblem(given ? placeIn(given, first.pointer) : one.name.span, words(first), rest.map(words));
}

function refuseProblems(
  problems: readonly { readonly message: string; readonly help?: string }[],
  context: MemoryContext,
  span: Span,
): void {
  const [first, ...rest] = problems;
  if (first === undefined) return;
  const notes = [first.help, ...rest.flatMap(({ message, help }) => [message, help])].filter(
    (each) => each !== undefined,
  );
  throw new CaseProblem(span, first.message, [...notes, ...printed(context)]);
}

/** Nobody is asked, whoever has a key: neither models of providers nor programs. */
function refuseAsked({ asked, programs }: Answers, { one, howToRecord }: PrepareWish): void {
  const [first] = [...asked, ...programs];
  if (first === undefined) return;
  const { name, type } = first.agent;
  const what = programs.includes(first) ? 'is a program of others' : 'would ask a model of a provider';
  throw new CaseProblem(one.target.span, `the agent "${name}" (${type}) ${what}, and tests ask none`, [howToRecord]);
}

/** What was told on the way: errors of scripts and programs. */
function printed(context: MemoryContext): string[] {
  return context
    .err()
    .split('\n')
    .filter((line) => line.trim() !== '');
}
