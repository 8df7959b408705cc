/**
 * Does steps inside of a host: `run` code, handlers, nodes and agents of plugins, one at a time. Who gives the steps out, and
 * what happens when one never ends, is the business of `pool.ts`, outside.
 * 1. A step has ended when its value is there and one more turn has passed: what it left to fail fails as this step.
 * 2. The next step finds the folder and the environment as this one did. Where something of this one still runs, the host
 *    says so and does no other.
 * 3. Only JSON leaves the host; what is not is named by its path.
 */
import { Script } from 'node:vm';
import { effectFor, isEffect, refuseOldEffect, thrownByCause } from './effect.ts';
import { activeKinds, backIn, isBusy, turn, watchedEnvironment } from './left-behind.ts';
import type { AgentCall, CodeAction, HandlerCall, PluginCall, StepWork, Thrown } from './protocol.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { resultText } from './result-text.ts';
import type { Given, HostServices, StepPlace } from './services.ts';
import { createShell } from './shell.ts';
import { codeFile, failureAt, thrownOf } from './thrown.ts';
import type { UserLibrary } from './user-library.ts';
import { type AskedSteps, askForSteps } from './values.ts';

export interface StepServer {
  /** The line that reports it. */
  readonly perform: (work: StepWork) => Promise<string>;
  readonly abort: (reason: string) => void;
  /** What was thrown where nobody catches it, by the step that is being done. */
  readonly thrown: (error: unknown) => Thrown;
  /** Gives back what services hold; what went wrong with that. */
  readonly close: () => Promise<readonly Thrown[]>;
}

interface Code {
  readonly call: (...values: readonly unknown[]) => unknown;
  /** It may read `signal`, which takes longer to make than most code runs. */
  readonly isStoppable: boolean;
}
type Scope = Readonly<Record<string, unknown>>;
type Handler = { readonly file: string; readonly call: (scope: Scope) => unknown };

export function createStepServer(library: () => Promise<UserLibrary>): StepServer {
  const codes = new Map<string, Code>();
  const handlers = new Map<string, Handler>();
  const env = watchedEnvironment();
  let services: HostServices | undefined;
  /** What runs for services, by its kind. */
  let running: ReadonlyMap<string, number> = new Map();
  let current: Stop | undefined;
  let spoiled = false;
  /** Where a file threw, in words. */
  let where: (error: unknown) => string = () => '';

  async function perform(work: StepWork): Promise<string> {
    const stop = createStop();
    current = stop;
    const end = await ended(work, stop);
    await turn();
    const isSpoiled = spoiled || services?.isSpoiled() === true;
    const left = isSpoiled || !env.restore() || !backIn(work.cwd) || (await isBusy(running));
    current = undefined;
    const holds = services?.holds() === true ? '"holds":true,' : '';
    return `{"kind":"done","id":${work.id},"left":${left},${holds}${end}}`;
  }

  /** The field of the report. */
  async function ended(work: StepWork, stop: Stop): Promise<string> {
    const { action, folder, uses } = work;
    where = () => '';
    const asked = work.asks ? askForSteps() : undefined;
    const reads = new Set<string>();
    try {
      if (action.kind !== 'run') {
        const { threwAt } = await import('./describe-module.ts');
        where = (error) => threwAt(error, { folder });
      }
      const place: StepPlace = { folder, signal: stop.signal };
      if (action.kind === 'plugin' || action.kind === 'agent') return `"ok":${await ofPlugin(action, work, place)}`;
      const given = uses && (await prepared((all) => all.prepare(uses, place)));
      const own = scopeOf(work, stop, given, (specifier) => importFrom(specifier, folder));
      const scope = asked === undefined ? own : withSteps(own, asked, reads);
      const value = await result(action, scope, place, given);
      const text = resultText(value, action.kind === 'run' ? 'code' : 'handler');
      if (asked === undefined) return `"ok":${text}`;
      for (const name of asked.asked()) reads.add(name);
      return `"reads":${JSON.stringify([...reads])},"ok":${text}`;
    } catch (error) {
      const thrown = error instanceof Refusal ? error.thrown : thrownOf(error, where);
      return `"thrown":${JSON.stringify(thrown)}`;
    } finally {
      asked?.end();
    }
  }

  async function result(
    action: CodeAction | HandlerCall,
    scope: Record<string, unknown>,
    place: StepPlace,
    given: Given | undefined,
  ): Promise<unknown> {
    let value: unknown;
    let file: string | undefined;
    if (action.kind === 'run') {
      const code = compiled(action);
      if (code.isStoppable) scope.signal = place.signal();
      const values: unknown[] = [];
      for (const name of action.names) values.push(Object.hasOwn(scope, name) ? scope[name] : undefined);
      value = await code.call(...values);
    } else {
      scope.signal = place.signal();
      const handler = await handlerOf(action, place.folder);
      file = handler.file;
      value = await handler.call(scope);
    }
    if (!isEffect(value)) return value;
    return given ? given.settle(value, file) : runEffect(value, file, place);
  }

  /** The text of what a node gave, or of the answer of an agent. */
  async function ofPlugin(action: PluginCall | AgentCall, work: StepWork, place: StepPlace): Promise<string> {
    const { callNode, callAgent, answerOf } = await import('./plugin-node.ts');
    const { plugin, given } = await prepared(async (all) => {
      const loaded = await all.plugins.load(action.plugin, place);
      return { plugin: loaded, given: await all.prepareOwn(loaded, place) };
    });
    const { attempt, runId, key, cwd } = work;
    const signal = place.signal();
    const context = { attempt, runId, key, cwd, signal, sh: createShell({ cwd, signal: place.signal }) };
    const made = await (action.kind === 'plugin'
      ? callNode(plugin, action, context)
      : callAgent(plugin, action, context));
    const value = await given.settle(made, plugin.file);
    if (action.kind === 'agent') return resultText(answerOf(value), 'agent');
    return action.silent ? 'null' : resultText(value, 'node');
  }

  /** What is made for a step stays for the next ones; so does what runs for it, and what it wrote to the environment. */
  async function prepared<T>(prepare: (all: HostServices) => Promise<T>): Promise<T> {
    if (services === undefined) {
      const { createHostServices } = await import('./services.ts');
      services = createHostServices(await library());
    }
    const before = services.count();
    const made = await prepare(services);
    if (services.count() > before) {
      await turn();
      env.keep();
      running = activeKinds();
    }
    return made;
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
  async function runEffect(effect: object, file: string | undefined, place: StepPlace): Promise<unknown> {
    refuseOldEffect(effect);
    const copy = await effectFor(file ?? `${place.folder}/run`, await library());
    if (copy === undefined)
      throw new Refusal('it returned an Effect, and the package "effect" is not installed', false);
    const exit = await copy.api.Effect.runPromiseExit(effect, { signal: place.signal() });
    if (exit._tag === 'Success') return exit.value;
    throw refusalOf(thrownByCause(exit.cause, where));
  }

  return {
    perform,
    close: async () => (await services?.close()) ?? [],
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

function scopeOf(
  work: StepWork,
  stop: Stop,
  given: Given | undefined,
  load: (specifier: unknown) => Promise<unknown>,
): Record<string, unknown> {
  const { args, attempt, runId, key, cwd, action } = work;
  const scope: Record<string, unknown> = Object.assign({}, args.steps, given?.names, args);
  scope.services = given?.services ?? {};
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

/** What a result may depend on, besides the steps. */
const values: ReadonlySet<unknown> = new Set(['input', 'params', 'loop', 'id']);

/**
 * The scope of a step that may ask for others: they are its `steps`, and stand in it by their names, behind its own. What
 * is read of it is taken down.
 */
function withSteps(scope: Record<string, unknown>, { steps }: AskedSteps, reads: Set<string>): Record<string, unknown> {
  scope.steps = steps;
  return new Proxy(scope, {
    get(own, name) {
      if (values.has(name)) reads.add(name as string);
      return Reflect.has(own, name) ? Reflect.get(own, name) : Reflect.get(steps, name);
    },
    has: (own, name) => Reflect.has(own, name) || Reflect.has(steps, name),
    set: (own, name, value) => Reflect.set(own, name, value),
    ownKeys: (own) => [...new Set([...Reflect.ownKeys(own), ...Reflect.ownKeys(steps)])],
    getOwnPropertyDescriptor: (own, name) =>
      Reflect.getOwnPropertyDescriptor(own, name) ?? Reflect.getOwnPropertyDescriptor(steps, name),
  });
}
