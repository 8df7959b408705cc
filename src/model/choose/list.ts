/** What models there are, which of them can be used now, and why the others cannot. */
import type { ModelInfo } from '../resolved.ts';
import { findModel } from './find.ts';
import type { LocalServer } from './local.ts';
import type { Lookup } from './lookup.ts';
import type { ModelProblem } from './problem.ts';
import { hasKey, type Provider, providers } from './providers.ts';
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

/** `wrong`: an alias that names what there is not. */
export type ModelStatus = 'usable' | 'no-key' | 'not-running' | 'wrong';

export interface ListedModel {
  readonly ref: string;
  readonly provider: string;
  readonly id: string;
  readonly alias?: string;
  readonly tools: 'native' | 'text';
  readonly status: ModelStatus;
  readonly info?: ModelInfo;
  /** Why it cannot be used. */
  readonly problem?: ModelProblem;
}

export interface ListedProvider {
  readonly name: string;
  readonly status: Exclude<ModelStatus, 'wrong'>;
  /** The variables that may hold its key. */
  readonly keyEnv: readonly string[];
  /** Of a server on this machine. */
  readonly address?: string;
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
  if (found.ok) {
    const { ref, provider, id, tools, info } = found.model;
    return { ref, provider, id, alias, tools, status: 'usable', ...(info && { info }) };
  }
  const { problem } = found;
  const { model } = problem;
  const status = problem.kind === 'no-key' || problem.kind === 'not-running' ? problem.kind : 'wrong';
  const given = lookup.settings.models.aliases[alias];
  return {
    ref: model?.ref ?? alias,
    provider: model?.provider ?? given?.provider ?? '',
    id: model?.id ?? given?.ref ?? '',
    alias,
    tools: model?.tools ?? 'text',
    status,
    ...(model?.info && { info: model.info }),
    problem,
  };
}

async function listProvider(provider: Provider, all: boolean, lookup: Lookup) {
  const { name, keyEnv } = provider;
  const { rows } = await lookup.catalog(name);
  const status = hasKey(lookup.env, keyEnv) ? 'usable' : 'no-key';
  const ids = all ? rows.flatMap(({ id, names = [] }) => [id, ...names]) : [provider.model];
  const models = await Promise.all(
    ids.map(async (id): Promise<ListedModel> => {
      const found = await providerModel({ ref: `${name}/${id}`, provider, id }, lookup);
      const model = found.ok ? found.model : found.problem.model;
      const why = found.ok ? undefined : found.problem;
      return {
        ref: `${name}/${id}`,
        provider: name,
        id,
        tools: model?.tools ?? provider.tools,
        status: why === undefined ? 'usable' : why.kind === 'no-key' ? 'no-key' : 'wrong',
        ...(model?.info && { info: model.info }),
        ...(why && { problem: why }),
      };
    }),
  );
  const listed: ListedProvider = { name, status, keyEnv, models: rows.length };
  return { provider: listed, models };
}

function listServed(server: LocalServer): ListedModel[] {
  return server.models.map((served) => {
    const { ref, provider, id, tools, info } = localModel(server, served);
    return { ref, provider, id, tools, status: 'usable', ...(info && { info }) };
  });
}

function listServer({ name, isRunning, address, models }: LocalServer): ListedProvider {
  return { name, status: isRunning ? 'usable' : 'not-running', keyEnv: [], address, models: models.length };
}
