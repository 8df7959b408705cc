/**
 * Steps that are functions of the program that drives the run: they are done in its process, with its folder and its
 * environment, and any number of them at the same time.
 * 1. What they are given is a copy: nothing that a function does to a value changes the run.
 * 2. What they read is taken down, so that after an edit only those run again that read something else.
 * 3. To stop one is to abort its signal. One that does not end then is left behind after a while, also where all else ends
 *    at once, and said to be; while it goes on, its step is not begun again, but waits for that. Code that never yields
 *    cannot be stopped at all.
 * 4. Only JSON is a result, and the run keeps a copy of it; what is no JSON is named by its path.
 */
import type { Json, Outcome, RunError, StepCommand, StepValues } from '../machine/index.ts';
import type { Clock } from '../sys/index.ts';
import type { Execute, StepContext, StepResult } from './execute.ts';
import { isEffect } from './host/effect.ts';
import { codeError, graceMs, type Stop, stopOf } from './host/exchange.ts';
import type { StepArgs } from './host/protocol.ts';
import { Refusal } from './host/refusal.ts';
import { resultText } from './host/result-text.ts';
import { stopped } from './host/slots.ts';
import { thrownOf } from './host/thrown.ts';
import { identityOf, readHash } from './segment/memo.ts';
import { fitting } from './step-output.ts';

/** A program that drives its own workflow. */
export interface Program {
  /** Its functions, by the modules that they are in the plan. */
  readonly functions: ReadonlyMap<string, StepFunction>;
  /** What one of its references reads: a name, then members. */
  readonly pathOf: (reference: unknown) => readonly string[] | undefined;
  /** Whether anything in its workflows goes by that name: asked where a step has no value. */
  readonly hasNode?: (name: string) => boolean;
  /** The folder from which its modules are named. */
  readonly folder: string;
  /** Where steps work that name no folder; `folder` when left out. */
  readonly cwd?: string;
}

export type StepFunction = (scope: FunctionScope) => unknown;

/** What a function is called with. Values are read when they are asked for. */
export interface FunctionScope {
  /** The value of a reference; its type is known to whoever made that. */
  readonly read: (reference: unknown) => never;
  readonly input: unknown;
  readonly steps: Readonly<Record<string, unknown>>;
  readonly params: unknown;
  readonly loop: unknown;
  readonly id: unknown;
  readonly attempt: number;
  readonly runId: string;
  readonly key: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

export interface FunctionStepsOptions extends Program {
  readonly clock: Clock;
}

/** Functions that go on though they were told to end, by their steps; a program may drive a run more than once. */
const leftBehind = new Map<string, Promise<unknown>>();

export function createFunctionSteps(options: FunctionStepsOptions): Execute {
  const { functions, folder, clock } = options;

  return async (command, context) => {
    const call = functions.get(String(command.spec.module));
    if (call === undefined) return failed({ code: 'unsupported', message: missing(command), retryable: false });
    if (context.signal.aborted) return failed(stopped);
    const step = `${context.runId}/${identityOf(command.id)}`;
    const asked = stopOf(context);
    try {
      for (let before = leftBehind.get(step); before !== undefined; before = leftBehind.get(step)) {
        if (!(await isOver(before, asked))) return failed(stillRunning);
        // It has all of its time left.
        context.queued?.(Promise.resolve());
      }
      const reads = new Set<string>();
      const stop = createStop();
      const work = outcomeOf(call, createScope(command, context, stop.signal, reads, options), folder);
      const outcome = await settled(work, asked, stop, clock);
      if (outcome === undefined) {
        leftBehind.set(
          step,
          work.then(() => leftBehind.delete(step)),
        );
        return failed(goesOn);
      }
      const fit = fitting(outcome, command.spec);
      if ('err' in fit || reads.size === 0) return { outcome: fit };
      return { outcome: fit, reads: Object.fromEntries([...reads].map((name) => [name, readHash(command, name)])) };
    } finally {
      asked.forget();
    }
  };
}

/** False where the one that waits has to end before. */
function isOver(before: Promise<unknown>, { asked }: Stop): Promise<boolean> {
  return Promise.race([before.then(() => true), asked.then(() => false)]);
}

/** Undefined where it was told to end, and has not ended. */
async function settled(
  work: Promise<Outcome>,
  asked: Stop,
  stop: LazyStop,
  clock: Clock,
): Promise<Outcome | undefined> {
  const first = await Promise.race([work, asked.asked]);
  if (typeof first !== 'string') return first;
  stop.abort(first);
  const over = new AbortController();
  const grace = clock.sleep(graceMs, over.signal).then(
    () => undefined,
    () => undefined, // It has ended before.
  );
  try {
    return await Promise.race([work, grace]);
  } finally {
    over.abort('over');
  }
}

/** It never rejects. */
async function outcomeOf(call: StepFunction, scope: FunctionScope, folder: string): Promise<Outcome> {
  try {
    const value = await call(scope);
    if (isEffect(value)) throw new Refusal('it returned an Effect; run it, with "Effect.runPromise"', false);
    return { ok: JSON.parse(resultText(value, 'function')) as Json };
  } catch (error) {
    if (error instanceof Refusal) return { err: codeError(error.thrown, undefined) };
    const { threwAt } = await import('./host/describe-module.ts');
    return {
      err: codeError(
        thrownOf(error, (each) => threwAt(each, { folder })),
        undefined,
      ),
    };
  }
}

/** The names of a scope that are no steps. */
const around = ['input', 'params', 'loop', 'id'] as const;
type Around = (typeof around)[number];

function createScope(
  { args, values, cwd }: StepCommand,
  { attempt, runId, idempotencyKey: key }: StepContext,
  signal: () => AbortSignal,
  reads: Set<string>,
  program: FunctionStepsOptions,
): FunctionScope {
  const given = args as unknown as StepArgs;
  const copies = new Map<string, unknown>();
  let steps: FunctionScope['steps'] | undefined;

  /** The same object whenever it is asked for. */
  function whole(name: string, value: Json | undefined): unknown {
    reads.add(name);
    if (!copies.has(name)) copies.set(name, copyOf(value));
    return copies.get(name);
  }

  function read(reference: unknown): never {
    const path = program.pathOf(reference);
    if (path === undefined) throw new TypeError('read takes a reference: the input, a step, or something in them');
    const [name = '', ...members] = path;
    const own = around.find((each) => each === name);
    const [first] = members;
    // Of what stands around the step a field counts by itself.
    reads.add(own === undefined || first === undefined || first.includes('.') ? name : `${name}.${first}`);
    let value: Json | undefined = own === undefined ? stepValue(given, values, name) : given[own];
    if (own === undefined && value === undefined && program.hasNode?.(name) === false) throw unknownStep(name);
    for (const member of members) value = memberOf(value, member);
    return copyOf(value) as never;
  }

  const at = (name: Around) => whole(name, given[name]);
  return {
    read,
    get input() {
      return at('input');
    },
    get params() {
      return at('params');
    },
    get loop() {
      return at('loop');
    },
    get id() {
      return at('id');
    },
    get steps() {
      steps ??= createSteps(given, values, reads, whole);
      return steps;
    },
    attempt,
    runId,
    key,
    cwd: cwd ?? program.cwd ?? program.folder,
    get signal() {
      return signal();
    },
  };
}

/** Looked up when they are read: most functions read few of them. */
function createSteps(
  given: StepArgs,
  values: StepValues | undefined,
  reads: Set<string>,
  whole: (name: string, value: Json | undefined) => unknown,
): FunctionScope['steps'] {
  const get = (name: string | symbol) =>
    typeof name === 'string' && !(name in {}) ? whole(name, stepValue(given, values, name)) : undefined;
  return new Proxy({} as Record<string, unknown>, {
    get: (_, name) => get(name),
    set: () => false,
    has: (_, name) => get(name) !== undefined,
    ownKeys() {
      reads.add('*');
      return [...new Set([...Object.keys(given.steps), ...(values?.names() ?? [])])];
    },
    getOwnPropertyDescriptor(_, name) {
      const value = get(name);
      return value === undefined ? undefined : { value, enumerable: true, configurable: true };
    },
  });
}

function stepValue(given: StepArgs, values: StepValues | undefined, name: string): Json | undefined {
  return Object.hasOwn(given.steps, name) ? given.steps[name] : values?.get(name);
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (value === undefined || value === null || !Object.hasOwn(Object(value), name)) return undefined;
  return (value as { readonly [name: string]: Json })[name];
}

function copyOf(value: Json | undefined): unknown {
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value;
}

/** How a function learns that it has to end: made when it is asked for, which costs more than most functions. */
interface LazyStop {
  readonly signal: () => AbortSignal;
  readonly abort: (reason: string) => void;
}

function createStop(): LazyStop {
  let controller: AbortController | undefined;
  const made = () => {
    controller ??= new AbortController();
    return controller;
  };
  return {
    signal: () => made().signal,
    abort: (reason) =>
      made().abort(Object.assign(new Error(`the step was stopped: ${reason}`), { name: 'AbortError' })),
  };
}

function failed(err: RunError): StepResult {
  return { outcome: { err } };
}

/** It was made, and is in no list of nodes. */
function unknownStep(name: string): Error {
  const message = `there is no step "${name}" in the workflow: nodes count that "steps" returns, or the "children" of one`;
  return Object.assign(new TypeError(message), { retryable: false });
}

function missing({ spec }: StepCommand): string {
  return `the program that drives the run has no function "${String(spec.module)}"`;
}

const goesOn: RunError = {
  code: 'code',
  message: 'its function did not end when its signal was aborted: it goes on in this process, which cannot stop it',
  retryable: false,
};

const stillRunning: RunError = {
  code: 'code',
  message: 'it was not begun: its function was told to end before, and still goes on in this process',
  retryable: false,
};
