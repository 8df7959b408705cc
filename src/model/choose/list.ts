/** What models there are, which of them can be used now, and why the others cannot. */
import type { ResolvedModel } from '../resolved.ts';
import { findModel } from './find.ts';
import type { LocalServer } from './local.ts';
import type { FoundModel, Lookup } from './lookup.ts';
import type { ModelProblem } from './problem.ts';
import { endpointOf, hasKey, type Provider, providers } from './providers.ts';
import { localModel, providerModel } from './resolve.ts';

export interface ListOptions {
  /** Everything that is known of providers, and not only the model that each is asked for where none is named. */
  readonly all?: boolean;
}

export interface ModelList {
  /** Those of the configuration first, then those of providers in their order, then those of this machine. */
  readonly models: readonly ListedModel[];
  readonly providers: readonly ListedProvider[];
}

/** `wrong`: an alias that names what there is not, a provider at what is no address. */
export type ModelStatus = 'usable' | 'no-key' | 'not-running' | 'wrong';

export interface ListedModel extends Omit<ResolvedModel, 'headers'> {
  readonly status: ModelStatus;
  /** Why it cannot be used. */
  readonly problem?: ModelProblem;
  readonly notes: readonly string[];
}

export interface ListedProvider {
  readonly name: string;
  readonly status: ModelStatus;
  /** The variables that may hold its key. */
  readonly keyEnv: readonly string[];
  /** Of a server on this machine. */
  readonly address?: string;
  /** The one that should hold its address, and holds something else. */
  readonly variable?: string;
  /** How many models are known, or served. */
  readonly models: number;
}

export async function listModels({ all = false }: ListOptions, lookup: Lookup): Promise<ModelList> {
  const [aliases, known, servers] = await Promise.all([
    Promise.all(Object.keys(lookup.settings.models.aliases).map((name) => listAlias(name, lookup))),
    Promise.all(providers.map((provider) => listProvider(provider, all, lookup))),
    lookup.local(),
  ]);
  return {
    models: [...aliases, ...known.flatMap(({ models }) => models), ...servers.flatMap(listServed)],
    providers: [...known.map(({ provider }) => provider), ...servers.map(listServer)],
  };
}

async function listAlias(alias: string, lookup: Lookup): Promise<ListedModel> {
  const found = await findModel(alias, lookup);
  const listed = listedModel(found);
  if (listed) return listed;
  const given = lookup.settings.models.aliases[alias];
  return { ...wrong(alias, given?.provider ?? '', given?.ref ?? '', found), alias };
}

function wrong(ref: string, provider: string, id: string, found: FoundModel): ListedModel {
  const problem = found.ok ? {} : { problem: found.problem };
  return { ref, provider, id, keyEnv: [], tools: 'text', status: 'wrong', ...problem, notes: [] };
}

/** What was found, as lists have it; nothing where what is written is wrong. */
export function listedModel(found: FoundModel): ListedModel | undefined {
  if (found.ok) return { ...withoutSecrets(found.model), status: 'usable', notes: found.notes };
  const { problem } = found;
  const { kind, model } = problem;
  if (model === undefined || (kind !== 'no-key' && kind !== 'not-running')) return undefined;
  return { ...withoutSecrets(model), status: kind, problem, notes: [] };
}

async function listProvider(provider: Provider, all: boolean, lookup: Lookup) {
  const { name, keyEnv } = provider;
  const { rows } = await lookup.catalog(name);
  const ids = all ? rows.flatMap(({ id, names = [] }) => [id, ...names]) : [provider.model];
  const models = await Promise.all(
    ids.map(async (id): Promise<ListedModel> => {
      const ref = `${name}/${id}`;
      const found = await providerModel({ ref, provider, id }, lookup);
      return listedModel(found) ?? { ...wrong(ref, name, id, found), tools: provider.tools };
    }),
  );
  const endpoint = endpointOf(provider, lookup.env);
  const status = !endpoint.ok ? 'wrong' : hasKey(lookup.env, keyEnv) ? 'usable' : 'no-key';
  const listed: ListedProvider = { name, status, keyEnv, models: rows.length };
  return { provider: endpoint.ok ? listed : { ...listed, variable: endpoint.variable }, models };
}

function listServed(server: LocalServer): ListedModel[] {
  return server.models.map((served) => ({ ...localModel(server, served), status: 'usable', notes: [] }));
}

function listServer({ name, isRunning, address, models }: LocalServer): ListedProvider {
  return { name, status: isRunning ? 'usable' : 'not-running', keyEnv: [], address, models: models.length };
}

/** Headers, and what stands behind the `?` of an address, are for calls, and for nobody's eyes. */
function withoutSecrets({ headers: _, endpoint, ...rest }: ResolvedModel): Omit<ResolvedModel, 'headers'> {
  return endpoint === undefined ? rest : { ...rest, endpoint: endpoint.replace(/\?.*$/s, '?…') };
}
