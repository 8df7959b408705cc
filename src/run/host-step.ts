/**
 * Does steps inside of a host: `run` code and handlers, one at a time. Who gives the steps out, and what happens when one
 * never ends, is the business of `host-pool.ts`, outside.
 * 1. A step has ended when its value is there and one more turn has passed: what it left to fail fails as this step.
 * 2. The next step finds the folder and the environment as this one did. Where something of this one still runs, the host
 *    says so and does no other.
 * 3. Only JSON leaves the host; what is not is named by its path.
 */
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { CodeAction, HandlerCall, StepWork, Thrown } from './host-protocol.ts';
import { type AskedSteps, askForSteps } from './host-values.ts';
import { jsonProblem } from './json-problem.ts';
import { createShell } from './shell.ts';
import { codeFile, failureAt, thrownOf } from './thrown.ts';
import type { UserLibrary } from './user-library.ts';

export interface StepServer {
  /** The line that reports it. */
  readonly perform: (work: StepWork) => Promise<string>;
  readonly abort: (reason: string) => void;
  /** What was thrown where nobody catches it, by the step that is being done. */
  readonly thrown: (error: unknown) => Thrown;
}

/** Of a value as JSON. */
const longestResult = 32 * 1024 * 1024;

interface Code {
  readonly call: (...values: readonly unknown[]) => unknown;
  /** It may read `signal`, which takes longer to make than most code runs. */
  readonly isStoppable: boolean;
}
type Scope = Readonly<Record<string, unknown>>;
type Handler = { readonly file: string; readonly call: (scope: Scope) => unknown };

/** An error whose words are all there is to say. */
class Refusal extends Error {
  readonly retryable: boolean;
  constructor(message: string, retryable: boolean) {
    super(message);
    this.retryable = retryable;
  }
}

export function createStepServer(library: () => Promise<UserLibrary>): StepServer {
  const codes = new Map<string, Code>();
  const handlers = new Map<string, Handler>();
  const env = watchedEnvironment();
  let current: Stop | undefined;
  let spoiled = false;
  /** Where a file threw, in words. */
  let where: (error: unknown) => string = () => '';

  async function perform(work: StepWork): Promise<string> {
    const stop = createStop();
    current = stop;
    const end = await ended(work, stop);
    await turn();
    const left = spoiled || !env.restore() || !backIn(work.cwd) || (await isBusy());
    current = undefined;
    return `{"kind":"done","id":${work.id},"left":${left},${end}}`;
  }

  /** The field of the report. */
  async function ended(work: StepWork, stop: Stop): Promise<string> {
    const { action, folder } = work;
    where = () => '';
    const asked = work.asks ? askForSteps() : undefined;
    try {
      if (action.kind === 'handler') {
        const { threwAt } = await import('./describe-module.ts');
        where = (error) => threwAt(error, { folder });
      }
      const own = scopeOf(work, stop, (specifier) => importFrom(specifier, folder));
      const scope = asked === undefined ? own : withSteps(own, asked);
      const value = await result(action, scope, folder, stop);
      return `"ok":${textOf(value, action)}`;
    } catch (error) {
      const thrown: Thrown = error instanceof Refusal ? refused(error) : thrownOf(error, where);
      return `"thrown":${JSON.stringify(thrown)}`;
    } finally {
      asked?.end();
    }
  }

  async function result(
    action: StepWork['action'],
    scope: Record<string, unknown>,
    folder: string,
    stop: Stop,
  ): Promise<unknown> {
    if (action.kind === 'run') {
      const code = compiled(action);
      if (code.isStoppable) scope.signal = stop.signal();
      const values: unknown[] = [];
      for (const name of action.names) values.push(Object.hasOwn(scope, name) ? scope[name] : undefined);
      const value = await code.call(...values);
      return isEffect(value) ? runEffect(value, join(folder, 'run'), stop.signal()) : value;
    }
    scope.signal = stop.signal();
    const handler = await handlerOf(action, folder);
    const value = await handler.call(scope);
    return isEffect(value) ? runEffect(value, handler.file, stop.signal()) : value;
  }

  function compiled({ text }: CodeAction): Code {
    let code = codes.get(text);
    if (code === undefined) {
      // The code begins on the second line.
      const call = new Script(text, { filename: codeFile, lineOffset: -1 }).runInThisContext() as Code['call'];
      code = { call, isStoppable: readsSignal.test(text.slice(text.indexOf('\n'))) };
      codes.set(text, code);
    }
    return code;
  }

  async function handlerOf({ module, name }: HandlerCall, folder: string): Promise<Handler> {
    const id = `${folder}\0${module}#${name}`;
    const known = handlers.get(id);
    if (known) return known;
    const { loadModule } = await import('./describe-module.ts');
    const loaded = await loadModule({ specifier: module, folder, as: 'module' }, await library());
    if (!loaded.ok) {
      // Node keeps the failure of a module: to load it again takes another process.
      spoiled = true;
      const stop = /[.!?…]$/.test(loaded.message) ? '' : '.';
      const help = loaded.help === undefined ? '' : `${stop} ${loaded.help}`;
      const isRetryable = 'error' in loaded && thrownOf(loaded.error).retryable;
      throw new Refusal(`the handler cannot be loaded: ${loaded.message}${help}`, isRetryable);
    }
    const call = loaded.exports[name];
    if (typeof call !== 'function') {
      const what = name === 'default' ? 'default export that is a function' : `function "${name}"`;
      throw new Refusal(`"${module}" exports no ${what}`, false);
    }
    const handler = { file: loaded.file, call: (scope: Scope) => call(scope) };
    handlers.set(id, handler);
    return handler;
  }

  /** `import()` in `run` code: from the folder of the workflow, TypeScript too. */
  async function importFrom(specifier: unknown, folder: string): Promise<unknown> {
    const failed = failureAt();
    const { importModule } = await import('./import-module.ts');
    return importModule(String(specifier), folder, await library(), failed);
  }

  /** By the copy of Effect that made it. */
  async function runEffect(effect: unknown, from: string, signal: AbortSignal): Promise<unknown> {
    const users = await library();
    const file = users.resolve('effect', from);
    if (file === undefined)
      throw new Refusal('it returned an Effect, and the package "effect" is not installed', false);
    const { Effect, Cause } = (await users.load(file)) as unknown as EffectPackage;
    const exit = await Effect.runPromiseExit(effect, { signal });
    if (exit._tag === 'Success') return exit.value;
    throw Cause.squash(exit.cause);
  }

  return {
    perform,
    thrown: (error) => thrownOf(error, where),
    abort(reason) {
      current?.abort(Object.assign(new Error(`the step was stopped: ${reason}`), { name: 'AbortError' }));
    },
  };
}

/** The name itself, or what can reach a parameter without it. */
const readsSignal = /signal|eval|arguments|\\u/;

/** How a step learns that it has to end: made when it is asked for. */
interface Stop {
  readonly signal: () => AbortSignal;
  readonly abort: (reason: Error) => void;
}

function createStop(): Stop {
  let controller: AbortController | undefined;
  const made = () => {
    controller ??= new AbortController();
    return controller;
  };
  return { signal: () => made().signal, abort: (reason) => made().abort(reason) };
}

interface EffectPackage {
  readonly Effect: {
    readonly runPromiseExit: (
      effect: unknown,
      options: { signal: AbortSignal },
    ) => Promise<{ _tag: 'Success'; value: unknown } | { _tag: 'Failure'; cause: unknown }>;
  };
  readonly Cause: { readonly squash: (cause: unknown) => unknown };
}

function isEffect(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && ('~effect/Effect' in value || Symbol.for('effect/Effect') in value)
  );
}

function scopeOf(work: StepWork, stop: Stop, load: (specifier: unknown) => Promise<unknown>): Record<string, unknown> {
  const { args, attempt, runId, key, cwd, action } = work;
  const scope: Record<string, unknown> = Object.assign({}, args.steps, args);
  scope.attempt = attempt;
  scope.runId = runId;
  scope.key = key;
  scope.cwd = cwd;
  scope.sh = createShell({ cwd, signal: stop.signal });
  // The last parameter of code is its `import`, under a name that it does not use itself.
  const own = action.kind === 'run' ? action.names.at(-1) : undefined;
  if (own !== undefined) scope[own] = load;
  return scope;
}

/** The scope of a step that may ask for others: they are its `steps`, and stand in it by their names, behind its own. */
function withSteps(scope: Record<string, unknown>, { steps }: AskedSteps): Record<string, unknown> {
  scope.steps = steps;
  return new Proxy(scope, {
    get: (own, name) => (Reflect.has(own, name) ? Reflect.get(own, name) : Reflect.get(steps, name)),
    has: (own, name) => Reflect.has(own, name) || Reflect.has(steps, name),
    set: (own, name, value) => Reflect.set(own, name, value),
    ownKeys: (own) => [...new Set([...Reflect.ownKeys(own), ...Reflect.ownKeys(steps)])],
    getOwnPropertyDescriptor: (own, name) =>
      Reflect.getOwnPropertyDescriptor(own, name) ?? Reflect.getOwnPropertyDescriptor(steps, name),
  });
}

function textOf(value: unknown, { kind }: StepWork['action']): string {
  if (value === undefined) {
    const help = kind === 'run' ? ': a step gives its value with "return"' : '';
    throw new Refusal(`the ${kind === 'run' ? 'code' : 'handler'} returned nothing${help}`, true);
  }
  const problem = jsonProblem(value);
  if (problem !== undefined) throw new Refusal(`the result is not JSON: ${problem}`, true);
  const text = JSON.stringify(value);
  if (text.length <= longestResult) return text;
  const size = (text.length / 1024 / 1024).toFixed(0);
  throw new Refusal(
    `the result has ${size} MB as JSON, and 32 MB are the limit; write it to a file and return its path`,
    true,
  );
}

function refused({ message, retryable }: Refusal): Thrown {
  return { message, retryable };
}

function backIn(cwd: string): boolean {
  try {
    if (process.cwd() !== cwd) process.chdir(cwd);
    return process.cwd() === cwd;
  } catch {
    // The folder is gone, or is another one now: the next step gets a new host, which says so.
    return false;
  }
}

/** Changes are undone. Looked at only when there was one: to read all of it takes longer than a step. */
function watchedEnvironment(): { readonly restore: () => boolean } {
  const real = process.env;
  const before = { ...real };
  let isChanged = false;
  const changing = <A extends unknown[]>(change: (...args: A) => boolean) => {
    return (...args: A) => {
      isChanged = true;
      return change(...args);
    };
  };
  process.env = new Proxy(real, {
    set: changing((target, name, value) => Reflect.set(target, name, value)),
    deleteProperty: changing(Reflect.deleteProperty),
    defineProperty: changing(Reflect.defineProperty),
  }) as NodeJS.ProcessEnv;
  const ours = process.env;
  return {
    restore() {
      if (process.env !== ours) return false;
      if (!isChanged) return true;
      isChanged = false;
      for (const name of Object.keys(real)) if (!Object.hasOwn(before, name)) delete real[name];
      Object.assign(real, before);
      return true;
    },
  };
}

/** Connections stay for the next step, as they do in any server; all else that runs is work of a step that has ended. */
const harmless = /^(?:TCPSocketWrap|TLSWrap|PipeWrap|TTYWrap|MessagePort|HTTP.*)$/;

async function isBusy(): Promise<boolean> {
  for (let looks = 0; looks < 3; looks++) {
    if (process.getActiveResourcesInfo().every((kind) => harmless.test(kind))) return false;
    // What has just ended is closed in the next turn.
    await turn();
  }
  return true;
}

function turn(): Promise<void> {
  return new Promise((next) => setImmediate(next));
}
