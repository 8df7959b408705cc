/**
 * Runs one case: in a copy of its folder, with a store of its own, no key, no network, and what the case says as the people and tools
 * around it. What came of it is judged here; what stands in its way before is told as a failure of the case, at its place.
 */
import path from 'node:path';
import {
  type Case,
  type CoveredPart,
  type Failure,
  isNamed,
  judge,
  type Outcome,
  outcomeOf,
  partsOf,
  plainName,
} from '../../cases/index.ts';
import type { Store } from '../../journal/index.ts';
import { nodesOf, type WorkflowPlan } from '../../plan/index.ts';
import type { NewRun, RunEnd, StandIn } from '../../run/index.ts';
import { isSecretVariable, readTextFile } from '../../sys/index.ts';
import { ToolangError } from '../../text/index.ts';
import { runTree } from '../../view/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { memoryContext } from '../memory-context.ts';
import { type OpenRuns, openStore } from '../runs/stores.ts';
import { CaseProblem, prepareCase, type ReadyCase } from './prepare-case.ts';
import { type CaseStandIn, standInFor, unansweredNotes } from './stand-in.ts';
import type { SuiteFile } from './suite-file.ts';
import { makeRepository, makeWorkspace, type Workspace, WorkspaceProblem } from './workspace.ts';
import { workspaceOf } from './workspace-of.ts';

export interface CaseOptions {
  readonly context: Context;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** The folder is left as it is, for people to look at. */
  readonly keep: boolean;
  /** The case is made of a run: what its models said there is told anew, and recorded. */
  readonly retell?: Retelling;
}

export interface Retelling {
  /** The plan of that run: what was chosen for it stays so. */
  readonly before: WorkflowPlan;
  readonly answer: NonNullable<StandIn['retell']>;
  /** Is given the recording. */
  readonly recorded: (text: string) => void;
}

export interface CaseResult {
  readonly file: SuiteFile;
  readonly one: Case;
  readonly status: 'passed' | 'failed' | 'skipped' | 'stopped';
  readonly failures: readonly Failure[];
  readonly ms: number;
  readonly outcome?: Outcome;
  /** With the names of files as they are, absolute. */
  readonly parts: readonly CoveredPart[];
  /** The folder that was kept, and the run in it. */
  readonly kept?: { readonly dir: string; readonly store: string; readonly run?: string };
}

export const usualTimeoutMs = 60_000;

export async function runCase(file: SuiteFile, one: Case, options: CaseOptions): Promise<CaseResult> {
  const since = performance.now();
  const made = await attempt();
  return { file, one, parts: [], ...made, ms: performance.now() - since };

  async function attempt(): Promise<Pick<CaseResult, 'status' | 'failures'> & Partial<CaseResult>> {
    if (one.skip !== undefined) return { status: 'skipped', failures: [] };
    if (options.signal.aborted) return { status: 'stopped', failures: [] };
    let workspace: Workspace | undefined;
    try {
      workspace = await makeWorkspace(workspaceOf(file, one, options.context), options.context.cwd);
      return await runIn(workspace, file, one, options);
    } catch (error) {
      return { status: 'failed', failures: [problemOf(error, one, workspace)] };
    } finally {
      if (!options.keep) await workspace?.remove();
    }
  }
}

/** What stood in its way, or went wrong around it. */
function problemOf(error: unknown, one: Case, workspace: Workspace | undefined): Failure {
  const shown = (text: string) => workspace?.shown(text) ?? text;
  if (error instanceof CaseProblem) {
    const { span, message, notes } = error;
    return { span: span ?? one.name.span, message: shown(message), notes: notes.map(shown) };
  }
  if (error instanceof WorkspaceProblem)
    return { span: one.workspace?.span ?? one.target.span, message: error.message };
  const { span } = one.target;
  if (error instanceof UsageError) {
    return {
      span,
      message: shown(error.message),
      ...(error.help !== undefined && { notes: shown(error.help).split('\n') }),
    };
  }
  if (error instanceof ToolangError) return { span, message: shown(`${error.message} (${error.code})`) };
  throw error;
}

async function runIn(
  workspace: Workspace,
  file: SuiteFile,
  one: Case,
  { context, signal, keep, retell }: CaseOptions,
): Promise<Pick<CaseResult, 'status' | 'failures'> & Partial<CaseResult>> {
  const env = environmentOf(context.env, workspace, one);
  const cwd = workspace.at(file.folder);
  const own = memoryContext({ cwd, env, fetch: refusedFetch });
  const args: Args = { positionals: [], switches: { offline: true }, texts: {}, counts: {}, lists: {} };
  const howToRecord =
    'Give the case "script", "replies" or "recording": "toolang run … --record" records one, and "toolang test --from RUN" makes a case of a run.';
  const before = retell && { before: retell.before };
  const ready = await prepareCase({ file, one, workspace, howToRecord, ...before }, args, own);
  if ([...nodesOf(ready.run.plan)].some(({ node }) => node.kind === 'worktree')) {
    await makeRepository(workspace, env as NodeJS.ProcessEnv);
  }
  const standIn = { ...standInFor(one, howToRecord), ...(retell && { retell: retell.answer }) };
  const storeFile = path.join(workspace.root, 'runs.db');
  const store = keep ? undefined : await memoryStore();
  const runs = await openStore(path.join(path.dirname(ready.file), '.toolang', 'runs.db'), args, own, {
    store: store ?? (await sqliteStore(storeFile)),
    standIn,
  });
  try {
    const driven = await driveCase(runs, ready.run, one, signal);
    if (retell && ready.run.record !== undefined) await tellRecording(ready.run.record, retell);
    const { engine } = runs;
    const row = engine.store.run(driven.id);
    if (row === undefined) throw new Error(`the run ${driven.id} is gone`);
    const { plan } = engine.read(driven.id);
    const tree = runTree({ row, plan, events: engine.store.events(driven.id), driven: false });
    const outcome = outcomeOf(tree, engine.store.events(driven.id));
    const failures = judgeCase(one, outcome, driven, standIn, ready.fitsSchema).map((failure) =>
      shownIn(failure, workspace),
    );
    const status = driven.isStopped ? 'stopped' : failures.length > 0 ? 'failed' : 'passed';
    const parts = [...partsOf(plan, outcome), ...ready.thunks(outcome)].map((part) => ({
      ...part,
      file: originalOf(path.resolve(cwd, part.file), workspace),
    }));
    return {
      status,
      failures,
      outcome,
      parts,
      ...(keep && { kept: { dir: workspace.dir, store: storeFile, run: driven.id } }),
    };
  } finally {
    runs.close();
  }
}

/** A run that asks no model records nothing. */
async function tellRecording(file: string, { recorded }: Retelling): Promise<void> {
  const read = await readTextFile(file);
  if (read.ok) recorded(read.text);
  else if (read.problem.kind !== 'missing') throw new UsageError(read.problem.message);
}

function originalOf(file: string, { dir, from }: Workspace): string {
  const relative = path.relative(dir, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : path.join(from, relative);
}

function shownIn(failure: Failure, { shown }: Workspace): Failure {
  return {
    ...failure,
    message: shown(failure.message),
    ...(failure.notes && { notes: failure.notes.map(shown) }),
  };
}

async function memoryStore(): Promise<Store> {
  const { createMemoryStore } = await import('../../journal/index.ts');
  return createMemoryStore();
}

async function sqliteStore(file: string): Promise<Store> {
  const { openSqliteStore } = await import('../../journal/index.ts');
  return openSqliteStore(file);
}

/** Without secrets, so that nothing of the user's can be reached, and with what the case says. */
function environmentOf(env: Context['env'], { home, root }: Workspace, one: Case): Context['env'] {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !isSecretVariable(name, value));
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    TOOLANG_ROOT: root,
    TOOLANG_TEST: '1',
    TZ: 'UTC',
    ...one.env,
  };
}

async function refusedFetch(): Promise<Response> {
  throw new TypeError('tests reach no network');
}

interface Driven {
  readonly id: string;
  readonly end: RunEnd;
  readonly isStopped: boolean;
  readonly isLate: boolean;
  /** Decisions that nobody asked for. */
  readonly unused: readonly Case['decisions'][number][];
}

/** Until it is over, or asks what the case does not answer. */
async function driveCase({ engine }: OpenRuns, run: NewRun, one: Case, signal: AbortSignal): Promise<Driven> {
  const created = engine.create(run);
  const { id } = created;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), one.timeoutMs ?? usualTimeoutMs);
  const stop = AbortSignal.any([signal, late.signal]);
  let unused = [...one.decisions];
  let epoch: number | undefined = created.epoch;
  try {
    for (;;) {
      const end = await engine.drive(id, { ...(epoch !== undefined && { epoch }), soft: stop, hard: stop });
      epoch = undefined;
      const asked = end.kind === 'waiting' ? decide() : false;
      if (!asked || stop.aborted) {
        return { id, end, isStopped: signal.aborted, isLate: late.signal.aborted, unused };
      }
    }
  } finally {
    clearTimeout(timer);
  }

  /** Whether something was answered. */
  function decide(): boolean {
    let isAnswered = false;
    for (const { node, kind, hash = '' } of engine.store.run(id)?.waiting ?? []) {
      const decision = unused.find((each) => isNamed(node, each.for.text));
      if (decision === undefined || kind === 'timer') continue;
      const { approve: approved, by = 'test', note, value, add } = decision;
      const message =
        kind === 'limit'
          ? ({ kind: 'answer', node, hash, approved, ...(add !== undefined && { add }) } as const)
          : ({
              kind: 'decide',
              node,
              hash,
              approved,
              ...(note !== undefined && { note }),
              ...(value !== undefined && { value }),
            } as const);
      if (engine.post(id, { by, message }) !== undefined) continue;
      unused = unused.filter((each) => each !== decision);
      isAnswered = true;
    }
    return isAnswered;
  }
}

function judgeCase(
  one: Case,
  outcome: Outcome,
  { isStopped, isLate, unused, end }: Driven,
  { unanswered }: CaseStandIn,
  fitsSchema: ReadyCase['fitsSchema'],
): Failure[] {
  if (isStopped) return [];
  const { span } = one.name;
  const [first] = unanswered;
  if (first) {
    const message = `it called ${first.tool}, which reaches beyond the copy that the case runs in, and nothing answers for it`;
    return [{ span, message, notes: unansweredNotes(first) }];
  }
  if (isLate) {
    const seconds = (one.timeoutMs ?? usualTimeoutMs) / 1000;
    return [
      { span, message: `it took longer than ${seconds}s, and was stopped`, notes: ['More time: "timeout: 5m".'] },
    ];
  }
  if (end.kind !== 'ended' && end.kind !== 'waiting')
    return [{ span, message: `it could not be driven to its end (${end.kind})` }];
  const failures = judge(one, outcome, fitsSchema ? { fitsSchema } : {});
  const asked = outcome.waiting.map(({ node }) => plainName(node));
  // Of a run that failed before it could ask, that is enough to know.
  const isOver = outcome.status === 'done' || failures.length === 0;
  for (const { for: who } of isOver ? unused : []) {
    const others = asked.length === 0 ? '' : `; it asks ${asked.join(', ')}`;
    failures.push({ span: who.span, message: `nobody asked "${who.text}"${others}` });
  }
  return failures;
}
