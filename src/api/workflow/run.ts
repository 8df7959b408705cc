/**
 * Runs workflows from programs. To begin a run and to go on with it are one call: the store says which of them it is.
 * 1. A run that has ended gives what it gave, and does nothing again, unless it failed and the program asks for that.
 * 2. Nothing is begun before all is known to be there: functions, replies, an input that fits.
 */
import { createHash } from 'node:crypto';
import type { LeaseOwner, RunRow } from '../../journal/index.ts';
import { hashOf, type Preview, type WorkflowPlan } from '../../plan/index.ts';
import type { Change, Engine, RunEnd } from '../../run/index.ts';
import { ToolangError } from '../../text/index.ts';
import { inputFor, type Prepared, prepare } from './run-begin.ts';
import {
  checkOptions,
  type RunArguments,
  type RunEvent,
  type RunOptions,
  type RunResult,
  shown,
  wrong,
} from './run-options.ts';
import { createQuestions } from './run-questions.ts';
import { openStore } from './run-store.ts';
import type { Workflow } from './workflow.ts';

/** Runs a workflow until it has ended, or only people can say how it goes on. Rejects with a ToolangError where it cannot. */
export async function run<I, R>(
  workflow: Workflow<I, R>,
  ...[input, options = {}]: RunArguments<NoInfer<I>>
): Promise<RunResult<R>> {
  checkOptions(options);
  const prepared = await prepare(workflow as Workflow<never, unknown>, options);
  return withStore(options, async ({ engine, isMemory }) => {
    const begun = await begin(engine, prepared, input, options);
    const result = 'row' in begun ? resultOf(begun.row) : await drive(engine, begun, prepared, options);
    // Nobody could ask for it any more, and there is no disk for it.
    if (isMemory && isOver(result)) engine.store.write((writer) => writer.removeRun(result.runId));
    return result as RunResult<R>;
  });
}

/** A text of any kind as the id of a run: the same text gives the same id. */
export function runIdOf(text: string): string {
  if (typeof text !== 'string') throw wrong(`"runIdOf" takes a string, not ${shown(text)}`);
  const bytes = createHash('sha256').update(text).digest();
  // Of each byte the five low bits, as in ids that are random.
  return Array.from(bytes.subarray(0, 12), (byte) => '0123456789abcdefghjkmnpqrstvwxyz'[byte & 31]).join('');
}

interface Ours {
  readonly id: string;
  readonly epoch?: number;
  /** What the journal has behind this `seq` was written by us, to begin or to go on. */
  readonly after?: number;
}

type Begun = Ours | { readonly row: RunRow };

async function begin(engine: Engine, prepared: Prepared, input: unknown, options: RunOptions): Promise<Begun> {
  const { store } = engine;
  const { runId, resume } = options;
  const id = resume ?? runId;
  const row = id === undefined ? undefined : store.run(id);
  if (row === undefined) {
    if (resume !== undefined) throw new ToolangError('TOO6201', `the store ${store.name} has no run ${resume}`);
    const value = await inputFor(prepared.run.plan, input);
    try {
      return { ...engine.create({ ...prepared.run, input: value, ...(id !== undefined && { id }) }), after: 0 };
    } catch (error) {
      // Somebody else has begun it meanwhile.
      if (id === undefined || store.run(id) === undefined) throw error;
      return goOn(engine, id, prepared, input, options);
    }
  }
  if (row.root !== row.id) {
    throw new ToolangError('TOO6201', `the run ${row.id} is a part of the run ${row.root}: go on with that one`);
  }
  return goOn(engine, row.id, prepared, input, options);
}

async function goOn(
  engine: Engine,
  id: string,
  prepared: Prepared,
  input: unknown,
  options: RunOptions,
): Promise<Begun> {
  const { row, plan, started, input: before } = engine.read(id);
  const { run } = prepared;
  if (plan.name !== run.plan.name) {
    throw new ToolangError('TOO6203', `the run ${id} is one of the workflow "${plan.name}", not of "${run.plan.name}"`);
  }
  if (row.endedAt !== undefined && (row.status !== 'failed' || !(options.retry || options.yes))) return { row };
  const value = input === undefined && options.resume !== undefined ? before : await inputFor(run.plan, input);
  const isChanged =
    !(await isSamePlan(plan, run.plan)) ||
    hashOf(started.modules ?? {}) !== hashOf(run.modules ?? {}) ||
    hashOf(before) !== hashOf(engine.clean(value));
  const why = row.endedAt !== undefined && options.retry ? 'retry' : 'edit';
  if (!isChanged && why === 'edit') return row.endedAt === undefined ? { id } : { row };
  const change: Change = { ...run, models: started.models, input: value, why };
  if (isChanged && !options.yes) throw changed(id, engine.preview(id, change));
  const after = options.onEvent && lastOf(engine, row);
  const opened = await engine.reopen(id, change);
  if (opened.kind === 'held') throw held(id, opened.by);
  return { id, epoch: opened.epoch, ...(after !== undefined && { after }) };
}

/** The `seq` of its last event. */
function lastOf({ store }: Engine, { id, segment = 0 }: RunRow): number {
  let last = segment;
  for (const { seq } of store.events(id, segment)) last = seq;
  return last;
}

async function isSamePlan(a: WorkflowPlan, b: WorkflowPlan): Promise<boolean> {
  // Most are the same to the letter, and that is seen sooner.
  if (JSON.stringify(a) === JSON.stringify(b)) return true;
  const { hashOfPlan } = await import('./plan-words.ts');
  return hashOfPlan(a) === hashOfPlan(b);
}

async function drive(
  engine: Engine,
  begun: Ours,
  { program }: Prepared,
  options: RunOptions,
): Promise<RunResult<unknown>> {
  const { id } = begun;
  const { signal, onEvent, limits } = options;
  /** What the program's own functions threw: it is theirs to know. */
  let thrown: { readonly error: unknown } | undefined;
  const hard = new AbortController();
  const stop = () => hard.abort(signal?.reason);
  const fail = (error: unknown) => {
    thrown ??= { error };
    hard.abort(error);
  };
  const questions = createQuestions(engine, id, options.approve, fail);
  /** What `onEvent` has begun and not ended. */
  const telling = new Set<Promise<void>>();
  const tell = (events: Iterable<RunEvent>) => {
    if (onEvent === undefined || thrown !== undefined) return;
    try {
      for (const event of events) {
        const told = onEvent(event);
        if (typeof told !== 'object' || told === null || !('then' in told)) continue;
        const settled: Promise<void> = Promise.resolve(told)
          .catch(fail)
          .then(() => void telling.delete(settled));
        telling.add(settled);
      }
    } catch (error) {
      fail(error);
    }
  };
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  if (onEvent !== undefined && begun.after !== undefined) tell([...engine.store.events(id, begun.after)]);
  try {
    for (let { epoch } = begun; ; epoch = undefined) {
      const end = await engine.drive(id, {
        ...(epoch !== undefined && { epoch }),
        ...(limits?.usd !== undefined && { limit: limits.usd }),
        ...(limits && { limits }),
        ...(options.again && { again: true }),
        hard: hard.signal,
        program,
        tell(message) {
          if (message.kind !== 'events') return;
          const { events, last } = message;
          questions.told(events);
          if (onEvent !== undefined) tell(events.map((event, i) => ({ ...event, seq: last - events.length + 1 + i })));
        },
      });
      if (end.kind === 'waiting' && (await questions.answered(end.waiting, hard.signal))) continue;
      await Promise.all(telling);
      if (thrown !== undefined) throw thrown.error;
      if (end.kind !== 'waiting') return ended(engine, id, end);
      const row = engine.store.run(id);
      // Others may have answered while the program thought about it.
      if (row?.endedAt !== undefined) return resultOf(row);
      if (signal?.aborted) return { runId: id, status: 'stopped', cost: row?.cost ?? 0 };
      if (!hard.signal.aborted && engine.store.inbox(id).length > 0) continue;
      return { runId: id, status: 'waiting', waiting: questions.open(row?.waiting ?? []), cost: row?.cost ?? 0 };
    }
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function ended(engine: Engine, id: string, end: Exclude<RunEnd, { kind: 'waiting' }>): RunResult<unknown> {
  const row = engine.store.run(id);
  switch (end.kind) {
    case 'ended':
    case 'over':
      if (row === undefined) throw new Error(`the run ${id} is gone`);
      return resultOf(row);
    case 'stopped':
      if (end.unsaved === undefined) return { runId: id, status: 'stopped', cost: row?.cost ?? 0 };
      throw new ToolangError('TOO6206', `what the run ${id} did last is not kept: ${end.unsaved}`);
    case 'deadly': {
      const steps = end.nodes.join(', ');
      throw new ToolangError(
        'TOO6207',
        `the run ${id} was left: its process died each of the last times that ${steps} was running. To try once more: again: true`,
      );
    }
    default:
      throw held(id, end.by);
  }
}

function resultOf({ id, status, output, error, cost = 0 }: RunRow): RunResult<unknown> {
  if (status === 'done') return { runId: id, status, output, cost };
  if (status !== 'failed' && status !== 'cancelled') throw new Error(`the run ${id} has not ended`);
  const cancelled = { code: 'cancelled', message: 'the run was cancelled', retryable: false };
  return { runId: id, status, error: error ?? cancelled, cost };
}

function isOver({ status }: RunResult<unknown>): boolean {
  return status === 'done' || status === 'failed' || status === 'cancelled';
}

function held(id: string, by: LeaseOwner | undefined): ToolangError {
  const who = by === undefined ? 'somebody else' : `the process ${by.pid} on ${by.host}`;
  return new ToolangError('TOO6202', `the run ${id} is driven by ${who}`);
}

function changed(id: string, { kept, again, may, fresh, then, rounds }: Preview): ToolangError {
  const parts = [`kept ${kept.length}`];
  if (again.length > 0) parts.push(`runs again ${again.map(({ step }) => step).join(', ')}`);
  if (may.length > 0) parts.push(`may run again ${may.map(({ step }) => step).join(', ')}`);
  if (fresh.length > 0) parts.push(`new ${fresh.join(', ')}`);
  if (then.length > 0) parts.push(`then ${then.map(({ step }) => step).join(', ')}`);
  for (const { loop, from, most } of rounds) parts.push(`rounds of ${loop} from ${from} to ${most} at most`);
  return new ToolangError(
    'TOO6203',
    `the program or the input of the run ${id} was changed since it began (${parts.join(' · ')}). To go on so: yes: true`,
  );
}

async function withStore<T>(
  { store }: RunOptions,
  work: (opened: Awaited<ReturnType<typeof openStore>>) => Promise<T>,
): Promise<T> {
  const { StoreFailure } = await import('../../journal/index.ts');
  try {
    const opened = await openStore(store);
    try {
      return await work(opened);
    } finally {
      opened.release();
    }
  } catch (error) {
    if (error instanceof StoreFailure) {
      // Its words are those of the command line.
      const message = error.message.replace(/ with --store$/, ' with the option "store"');
      throw new ToolangError('TOO6206', message, { cause: error });
    }
    throw error;
  }
}
