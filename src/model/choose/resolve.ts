/** Puts together what is known of a model that was found. */
import { closest } from '../../text/index.ts';
import { type Catalog, type CatalogRow, infoOf } from '../catalog/index.ts';
import type { ModelInfo, ResolvedModel } from '../resolved.ts';
import type { LocalModel, LocalServer } from './local.ts';
import type { FoundModel, Lookup } from './lookup.ts';
import { type ModelProblem, oneOf, problem } from './problem.ts';
import { endpointOf, hasKey, type Provider } from './providers.ts';

/** Addresses with a user and a password in them are refused by requests. */
export const addressHelp =
  'Write https://host/path, without a user and a password in it; those are a header (docs/models.md).';

export interface Wanted {
  /** As it was written. */
  readonly ref: string;
  readonly provider: Provider;
  readonly id: string;
}

/** What an alias says otherwise. */
export interface Otherwise {
  readonly alias?: string;
  readonly endpoint?: string;
  readonly keyEnv?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly tools?: 'native' | 'text';
  /** Goes before what is published. */
  readonly info?: ModelInfo;
}

export async function providerModel(
  { ref, provider, id }: Wanted,
  lookup: Lookup,
  otherwise: Otherwise = {},
): Promise<FoundModel> {
  const { env } = lookup;
  const own =
    otherwise.endpoint === undefined ? endpointOf(provider, env) : { ok: true as const, endpoint: otherwise.endpoint };
  if (!own.ok) {
    const message = `${own.variable} does not hold an address, so ${provider.name} cannot be reached.`;
    return fail(problem('malformed', ref, message, { help: addressHelp }));
  }
  const catalog = await lookup.catalog(provider.name);
  const row = catalog.find(id);
  const isOwn = otherwise.endpoint !== undefined && otherwise.alias !== undefined;
  const shown = isOwn ? otherwise.alias : `${provider.name}/${id}`;
  const info = { ...(row && infoOf(row, id, lookup.now())), ...otherwise.info };
  const keyEnv = otherwise.keyEnv ?? provider.keyEnv;
  const model: ResolvedModel = {
    ref: shown,
    provider: provider.name,
    id,
    ...(own.endpoint !== undefined && { endpoint: own.endpoint }),
    keyEnv,
    ...(otherwise.headers && { headers: otherwise.headers }),
    tools: otherwise.tools ?? (row?.tools === undefined ? provider.tools : row.tools ? 'native' : 'text'),
    ...(otherwise.alias !== undefined && { alias: otherwise.alias }),
    ...(Object.keys(info).length > 0 && { info }),
  };
  if (!hasKey(env, keyEnv)) return fail(noKey(ref, model));
  return found(
    model,
    notesOf({ name: `${provider.name}/${id}`, row, model, saysTools: otherwise.tools !== undefined }, catalog),
  );
}

interface Noted {
  readonly name: string;
  readonly row: CatalogRow | undefined;
  readonly model: ResolvedModel;
  readonly saysTools: boolean;
}

/** What is not known of a model, for who uses it. */
function notesOf({ name, row, model, saysTools }: Noted, catalog: Catalog): readonly string[] {
  if (row === undefined) {
    const known = catalog.rows.flatMap(({ id, names = [] }) => [id, ...names]);
    const near = closest(model.id, known);
    const hint = near === undefined ? '' : ` "${model.provider}/${near}" is known.`;
    const unknown =
      model.info?.price === undefined ? 'its price, its limits and its tools' : 'its limits and its tools';
    return [`${quoted(name)} is not in the catalog: ${unknown} are not known.${hint}`];
  }
  if (row.other) return [`${quoted(name)} does not answer messages with text, as far as is known.`];
  const taken = model.tools === 'native' ? 'it is taken as if it had' : 'it writes its calls in its answers';
  return [
    ...(model.info?.price === undefined ? [`the price of ${quoted(name)} is not known.`] : []),
    ...(row.tools === undefined && !saysTools
      ? [`whether ${quoted(name)} has tools of its own is not known; ${taken}.`]
      : []),
  ];
}

export function noKey(ref: string, model: ResolvedModel): ModelProblem {
  const message = `${quoted(ref)} cannot be used: ${model.provider} needs a key, and ${oneOf(model.keyEnv)} is not set.`;
  return problem('no-key', ref, message, { help: `Set ${oneOf(model.keyEnv)} in the environment.`, model });
}

/** What runs here costs nothing. */
export function localModel(
  server: Pick<LocalServer, 'name' | 'address'>,
  { id, context, hasTools }: LocalModel,
): ResolvedModel {
  const info: ModelInfo = { ...(context !== undefined && { context }), price: { input: 0, output: 0 } };
  return {
    ref: `${server.name}/${id}`,
    provider: server.name,
    id,
    // All of them speak as OpenAI does there.
    endpoint: `${server.address}/v1`,
    keyEnv: [],
    tools: hasTools ? 'native' : 'text',
    info,
  };
}

/** Its costs are those that its script says. */
export const scriptedModel: ResolvedModel = {
  ref: 'scripted',
  provider: 'scripted',
  id: 'scripted',
  keyEnv: [],
  tools: 'native',
};

export function found(model: ResolvedModel, notes: readonly string[] = []): FoundModel {
  return { ok: true, model, notes };
}

export function fail(why: ModelProblem): FoundModel {
  return { ok: false, problem: why };
}

/** A name in a message: quoted, and not longer than a line. */
export function quoted(name: string): string {
  return `"${name.length > 120 ? `${name.slice(0, 119)}…` : name}"`;
}
