/**
 * The services of steps: plain values, and Effect services with their layers. Runs in hosts only.
 * 1. Each is made once for a host, when the first step needs it. One that could not be made spoils the host: the next
 *    attempt gets another.
 * 2. Layers share what they are made of (one memo map for a copy of Effect), and live as long as the host: when it is told
 *    to end, their finalizers run.
 * 3. An Effect is run by one copy of Effect: the one that made it, be it that of the module which returned it, of a service or
 *    of a plugin. Services of another copy are not given to it; one that needs such a service is told so.
 */

import type { ModuleImport } from '../../plan/index.ts';
import { quotePath } from '../../sys/index.ts';
import { unusable } from './describe-export.ts';
import { loadModule, threwAt } from './describe-module.ts';
import {
  type EffectCopy,
  effectFor,
  hasDefect,
  hasMade,
  isEffect,
  isKnownEffect,
  refuseOldEffect,
  thrownByCause,
} from './effect.ts';
import { createHostPlugins, type HostPlugin } from './plugin-node.ts';
import type { StepUses, Thrown } from './protocol.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { thrownOf } from './thrown.ts';
import type { UserLibrary } from './user-library.ts';

export interface HostServices {
  /** What a step may use. */
  readonly prepare: (uses: StepUses, step: StepPlace) => Promise<Given>;
  /** What the Effects of a plugin may use: its own services. */
  readonly prepareOwn: (plugin: HostPlugin, step: StepPlace) => Promise<Given>;
  readonly plugins: ReturnType<typeof createHostPlugins>;
  /** How many services and plugins were made so far: something may run for them. */
  readonly count: () => number;
  /** There are layers to close. */
  readonly holds: () => boolean;
  readonly isSpoiled: () => boolean;
  /** Runs the finalizers of all layers; gives what went wrong with them. */
  readonly close: () => Promise<readonly Thrown[]>;
}

export interface StepPlace {
  /** From where modules are named. */
  readonly folder: string;
  readonly signal: () => AbortSignal;
}

/** What was prepared for a step. */
export interface Given {
  /** Services and functions, as they are in scope. */
  readonly names: Readonly<Record<string, unknown>>;
  readonly services: Readonly<Record<string, unknown>>;
  /** The value, or that of the Effect that it is. `file`: of the code that gave it; undefined for `run` code. */
  readonly settle: (value: unknown, file: string | undefined) => Promise<unknown>;
}

interface Service {
  readonly value: unknown;
  /** Of an Effect service. */
  readonly effect?: { readonly copy: EffectCopy; readonly context: unknown };
}

/** What Effects are run with. */
interface Means {
  readonly services: ReadonlyMap<string, Service>;
  /** Of the plugins whose functions may have made them. */
  readonly files: readonly string[];
  readonly whose: 'step' | 'plugin';
}

/** The layers of a copy of Effect, and what they share. */
interface Layers {
  readonly copy: EffectCopy;
  readonly memoMap: unknown;
  readonly scope: unknown;
}

export function createHostServices(library: UserLibrary): HostServices {
  const made = new Map<string, Service>();
  const layers = new Map<string, Layers>();
  const plugins = createHostPlugins(library);
  let isSpoiled = false;

  async function imported({ module, name, as }: ModuleImport, step: StepPlace): Promise<Service> {
    const { folder } = step;
    const id = JSON.stringify([folder, module, name]);
    const known = made.get(id);
    if (known) return known;
    const loaded = await loadModule({ specifier: module, folder, as: 'module' }, library);
    if (!loaded.ok) {
      // Node keeps the failure of a module: to load it again takes another process.
      isSpoiled = true;
      const retryable = 'error' in loaded && thrownOf(loaded.error).retryable;
      const help = loaded.help === undefined ? '' : `. ${loaded.help}`;
      throw new Refusal(`the service "${as}" cannot be loaded: ${loaded.message}${help}`, retryable);
    }
    if (!(name in loaded.exports)) {
      throw new Refusal(`the service "${as}" is not there: ${quotePath(module)} exports no "${name}"`, false);
    }
    const service = await serviceOf(as, () => loaded.exports[name], loaded.file, step);
    made.set(id, service);
    return service;
  }

  async function ofPlugin(plugin: HostPlugin, name: string, step: StepPlace): Promise<Service> {
    const id = JSON.stringify([plugin.id, name]);
    const known = made.get(id);
    if (known) return known;
    const service = await serviceOf(name, () => plugin.services[name], plugin.file, step);
    made.set(id, service);
    return service;
  }

  /** A value as it is, an Effect service with its layer built. */
  async function serviceOf(as: string, read: () => unknown, file: string, step: StepPlace): Promise<Service> {
    const { value, wrong } = looked(as, read, step);
    if (wrong) throw new Refusal(`"${as}" is no service: it is ${wrong.what}. ${wrong.help}`, false);
    if (!isTag(value)) return { value };
    const copy = await effectFor(file, library);
    if (copy === undefined || !isKnownEffect(copy)) {
      const what = copy ? `${quotePath(copy.file)} is none` : 'the package "effect" is not installed';
      throw new Refusal(`the service "${as}" needs Effect 4, and ${what}`, false);
    }
    const { Context } = copy.api;
    if (!('layer' in value)) return { value: Context.get(Context.empty(), value) };
    const context = await build(as, value.layer, copy, step);
    try {
      return { value: Context.get(context, value), effect: { copy, context } };
    } catch {
      throw new Refusal(`the service "${as}" has a static "layer" that gives something else`, false);
    }
  }

  async function build(as: string, layer: unknown, copy: EffectCopy, step: StepPlace): Promise<unknown> {
    const { Effect, Layer } = copy.api;
    const { memoMap, scope } = layersOf(copy);
    const signal = step.signal();
    const exit = await Effect.runPromiseExit(Layer.buildWithMemoMap(layer, memoMap, scope), { signal });
    if (exit._tag === 'Success') return exit.value;
    // The memo map keeps the failure.
    isSpoiled = true;
    if (signal.aborted) throw new Refusal(`the service "${as}" was still being built when the step was stopped`, true);
    const cause = thrownByCause(exit.cause, (error) => threwAt(error, step), 'layer');
    throw new Refusal(`the service "${as}" could not be built: ${cause.message}`, cause.retryable, cause.cause);
  }

  function layersOf(copy: EffectCopy): Layers {
    let found = layers.get(copy.file);
    if (found === undefined) {
      const { Layer, Scope } = copy.api;
      found = { copy, memoMap: Layer.makeMemoMapUnsafe(), scope: Scope.makeUnsafe() };
      layers.set(copy.file, found);
    }
    return found;
  }

  function given(means: Means, functions: ReadonlyMap<string, unknown>, step: StepPlace): Given {
    const values: Record<string, unknown> = {};
    for (const [name, { value }] of means.services) values[name] = value;
    const names = Object.assign({}, values, Object.fromEntries(functions));
    return { names, services: values, settle: (value, file) => settle(value, file, means, step) };
  }

  async function settle(value: unknown, file: string | undefined, means: Means, step: StepPlace): Promise<unknown> {
    if (!isEffect(value)) return value;
    refuseOldEffect(value);
    const { services, whose } = means;
    const copy = await copyOf(value, file, means, step);
    if (copy === undefined) {
      throw new Refusal('it returned an Effect, and the package "effect" is not installed', false);
    }
    const { context, others } = environment(services, copy);
    const { Effect } = copy.api;
    const effect = context === undefined ? value : Effect.provide(value, context);
    const exit = await Effect.runPromiseExit(effect, { signal: step.signal() });
    if (exit._tag === 'Success') return exit.value;
    const thrown = thrownByCause(exit.cause, (error) => threwAt(error, step), whose);
    const other = hasDefect(exit.cause) ? others[0] : undefined;
    throw other ? twoCopies(other, copy, thrown) : refusalOf(thrown);
  }

  async function copyOf(
    effect: unknown,
    file: string | undefined,
    { services, files }: Means,
    { folder }: StepPlace,
  ): Promise<EffectCopy | undefined> {
    const own = await effectFor(file ?? `${folder}/run`, library);
    if (own && hasMade(own, effect)) return own;
    for (const { effect: of } of services.values()) if (of && hasMade(of.copy, effect)) return of.copy;
    for (const each of files) {
      const copy = await effectFor(each, library);
      if (copy && hasMade(copy, effect)) return copy;
    }
    // Nobody knows it. Code has no copy of its own: what it returns comes from the services that it names.
    const first = firstCopy(services);
    return file === undefined ? (first ?? own) : (own ?? first);
  }

  return {
    plugins,
    async prepare({ services, plugins: used }, step) {
      const all = new Map<string, Service>();
      const functions = new Map<string, unknown>();
      const files: string[] = [];
      for (const each of services) all.set(each.as, await imported(each, step));
      for (const each of used) {
        const plugin = await plugins.load(each, step);
        files.push(plugin.file);
        for (const [name, value] of Object.entries(plugin.functions)) functions.set(name, value);
        for (const name of Object.keys(plugin.services)) all.set(name, await ofPlugin(plugin, name, step));
      }
      return given({ services: all, files, whose: 'step' }, functions, step);
    },
    async prepareOwn(plugin, step) {
      const all = new Map<string, Service>();
      for (const name of Object.keys(plugin.services)) all.set(name, await ofPlugin(plugin, name, step));
      return given({ services: all, files: [], whose: 'plugin' }, new Map(), step);
    },
    count: () => made.size + plugins.count(),
    holds: () => layers.size > 0,
    isSpoiled: () => isSpoiled || plugins.isSpoiled(),
    async close() {
      const failed: Thrown[] = [];
      for (const { copy, scope } of layers.values()) {
        const { Effect, Scope, Exit } = copy.api;
        const exit = await Effect.runPromiseExit(Scope.close(scope, Exit.void));
        if (exit._tag === 'Failure') failed.push(thrownByCause(exit.cause, () => ''));
      }
      layers.clear();
      return failed;
    },
  };
}

/** Getters of modules and of services may throw. */
function looked(as: string, read: () => unknown, step: StepPlace) {
  try {
    const value = read();
    return { value, wrong: unusable(value) };
  } catch (error) {
    const { message, retryable, cause } = thrownOf(error, (thrown) => threwAt(thrown, step));
    throw new Refusal(`the service "${as}" threw when it was read: ${message}`, retryable, cause);
  }
}

function firstCopy(services: ReadonlyMap<string, Service>): EffectCopy | undefined {
  for (const { effect } of services.values()) if (effect) return effect.copy;
  return undefined;
}

interface OtherCopy {
  readonly name: string;
  readonly copy: EffectCopy;
}

/** All services of that copy of Effect together, and those of others. */
function environment(
  services: ReadonlyMap<string, Service>,
  { file, api }: EffectCopy,
): { readonly context: unknown; readonly others: readonly OtherCopy[] } {
  let context: unknown;
  const others: OtherCopy[] = [];
  for (const [name, { effect }] of services) {
    if (effect === undefined) continue;
    if (effect.copy.file !== file) others.push({ name, copy: effect.copy });
    else context = context === undefined ? effect.context : api.Context.merge(context, effect.context);
  }
  return { context, others };
}

/** An Effect that died, and was not given a service, may have died of that. */
function twoCopies({ name, copy }: OtherCopy, { file }: EffectCopy, cause: Thrown): Refusal {
  const message = `there are two copies of Effect, and values of one are nothing to the other: the service "${name}" uses ${quotePath(copy.file)}, and the Effect is run by ${quotePath(file)}. Install it once: npm dedupe`;
  return new Refusal(message, false, cause);
}

function isTag(value: unknown): value is object {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && tagMark in value;
}

const tagMark = '~effect/Context/Service';
