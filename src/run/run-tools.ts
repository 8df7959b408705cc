/**
 * The tools of one run: those that are built in, and the services of its home. Nothing is loaded before a step needs a tool,
 * and nothing is connected before a service is named.
 */
import { realpathSync } from 'node:fs';
import type { HomePlaces, RootPlaces, Settings } from '../config/index.ts';
import { type Clock, createRedactor, environmentSecrets, type Redactor, type Secret } from '../sys/index.ts';
import type { ServiceDefinition, Services, Toolbox, ToolSource } from '../tool/index.ts';
import type { Execute, StepContext } from './execute.ts';
import { type StandIn, standInSource } from './stand-in.ts';
import { createThunkTools, isOfThunk, type OwnTools, serviceOf } from './thunk-tools.ts';
import type { ToolExecutors } from './tool-executor.ts';

export interface RunToolsOptions {
  readonly config: Settings;
  /** The home, or the root where there is none: an agent may not change what decides about it. */
  readonly places?: HomePlaces | RootPlaces | undefined;
  /** The files that the run is made of: they are not for its agents to write. */
  readonly sources: () => Promise<readonly string[]>;
  /** Those that agents may name. */
  readonly services: () => Promise<readonly RunService[]>;
  /** Of this program, for services. */
  readonly version?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Where steps work that say nothing else. */
  readonly home: string;
  /** Tools that thunks bring beside those of their sets. */
  readonly own: OwnTools;
  /** In tests. */
  readonly standIn?: StandIn | undefined;
}

/** A service, or why there is none of that name now. */
export type RunService = ServiceDefinition | { readonly name: string; readonly reason: string };

export interface RunTools extends ToolExecutors {
  readonly close: () => Promise<void>;
}

interface Opened {
  readonly executors: ToolExecutors;
  /** The tools of agents that have no image of their own. */
  readonly ofHome: () => Promise<Toolbox>;
  /** Of the home, and of each agent that has some of its own. */
  readonly services: () => readonly Services[];
}

export function openRunTools(options: RunToolsOptions): RunTools {
  let opened: Promise<Opened> | undefined;
  /** Servers outlive the step that needed them first: they are noted with the one that is at it. */
  let latest: Pick<StepContext, 'spawned' | 'ended'> | undefined;

  async function open(): Promise<Opened> {
    const [tool, { createToolExecutors }] = await Promise.all([
      import('./tool-parts.ts'),
      import('./tool-executor.ts'),
    ]);
    const { config, places, env, clock, standIn } = options;
    const home = realpathSync(options.home);
    const guard = tool.guardOf(places, await options.sources());
    const policy = tool.createPolicy(config.permissions);
    const hidden = keyNames(config);
    const root = places && ('root' in places ? places.root : places);
    const opened: Services[] = [];
    const serve = async (definitions: readonly ServiceDefinition[]): Promise<readonly ToolSource[]> => {
      if (definitions.length === 0) return [];
      if (standIn) return definitions.map(({ name }) => standInSource(name, standIn));
      const { openServices } = await import('./service-parts.ts');
      const services = openServices(definitions, {
        workspace: home,
        env,
        clock,
        credentials: root?.credentials,
        version: options.version,
        spawned: (pid) => latest?.spawned(pid),
        ended: (pid) => latest?.ended(pid),
      });
      opened.push(services);
      return services.names.map((name) => serviceSource(services, name));
    };
    const builtIn = tool.builtInSources({ config, guard, hidden });
    let ofHomeNow: Promise<Toolbox> | undefined;
    const ofHome = () => {
      ofHomeNow ??= makeHome();
      // What is wrong may be mended before it is tried again.
      ofHomeNow.catch(() => {
        ofHomeNow = undefined;
      });
      return ofHomeNow;
    };
    const makeHome = async () => {
      const all = await options.services();
      const definitions = all.flatMap((each) => ('reason' in each ? [] : [each]));
      const absent = all.flatMap((each) => ('reason' in each ? [absentSource(each.name, each.reason)] : []));
      return tool.createToolbox([...absent, ...(await serve(definitions)), ...builtIn]);
    };
    const ofThunk = createThunkTools({ tool, builtIn, serve, own: options.own });
    const known = environmentSecrets(env, { hidden });
    const executors = createToolExecutors({
      toolboxOf: async (command) => (await ofThunk(command)) ?? ofHome(),
      policy,
      clock,
      env,
      home,
      standIn,
      isUnset: (service, command) => {
        const definition = serviceOf(command, service);
        return definition !== undefined && tool.missingVariables(definition, env).length > 0;
      },
      ownRedactor: redactorFor(known, []),
      redactorOf: fresh(clock, (workspace) => redactorFor(known, tool.workspaceSecrets(workspace).secrets)),
    });
    return { executors, ofHome, services: () => opened };
  }

  const lazily =
    (kind: keyof ToolExecutors): Execute =>
    async (command, context) => {
      latest = context;
      let all: Opened | undefined;
      try {
        opened ??= open();
        all = await opened;
        if (!isOfThunk(command)) await all.ofHome();
      } catch (error) {
        if (all === undefined) opened = undefined;
        const message = `the tools of this run cannot be used: ${error instanceof Error ? error.message : String(error)}`;
        return { outcome: { err: { code: 'tools', message, retryable: false } } };
      }
      return all.executors[kind](command, context);
    };

  return {
    tools: lazily('tools'),
    tool: lazily('tool'),
    async close() {
      // Whoever could not open them has been told.
      const all = await opened?.catch(() => undefined);
      await Promise.all(all?.services().map((each) => each.close()) ?? []);
    },
  };
}

/** Variables that the configuration says hold keys: secrets, whatever they are called. */
export function keyNames(config: Settings | undefined): readonly string[] {
  return Object.values(config?.models.aliases ?? {}).flatMap(({ key_env: name }) => name ?? []);
}

function absentSource(name: string, reason: string): ToolSource {
  return { name, list: async () => ({ ok: false, message: `the service "${name}" cannot be used: ${reason}` }) };
}

/** A service as a set of tools. */
export function serviceSource(services: Services, name: string): ToolSource {
  return {
    name,
    async list(signal) {
      const listed = await services.tools(name, signal);
      return listed.ok ? listed : { ok: false, message: `the service "${name}" cannot be used: ${listed.reason}` };
    },
  };
}

/** For so long nobody looks for the secrets of a folder again. */
const freshMs = 5000;

function fresh<T>(clock: Clock, make: (folder: string) => T): (folder: string) => Promise<T> {
  const known = new Map<string, { readonly at: number; readonly made: T }>();
  return async (folder) => {
    const at = clock.monotonic();
    const before = known.get(folder);
    if (before !== undefined && at - before.at < freshMs) return before.made;
    const made = make(folder);
    known.set(folder, { at, made });
    return made;
  };
}

function redactorFor(known: readonly Secret[], ofWorkspace: readonly Secret[]): Redactor | undefined {
  const all = [...known, ...ofWorkspace];
  return all.length === 0 ? undefined : createRedactor(all);
}
