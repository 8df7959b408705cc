/**
 * Names of the configuration that stand for a model, perhaps at an address of one's own.
 * An address of one's own gets the key that `key_env` names, and no other: the key of a provider goes to nobody else.
 */
import type { ModelAlias } from '../../config/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import type { ModelInfo } from '../resolved.ts';
import type { FoundModel, Lookup } from './lookup.ts';
import { problem } from './problem.ts';
import { compatible, hasKey, isAddress, type Provider, providerNamed, providerNames } from './providers.ts';
import { addressHelp, fail, found, noKey, type Otherwise, providerModel, quoted } from './resolve.ts';
import { findUnaliased } from './unaliased.ts';

export async function findAlias(alias: string, given: ModelAlias, lookup: Lookup): Promise<FoundModel> {
  const { ref, endpoint } = given;
  if (endpoint !== undefined && !isAddress(endpoint)) {
    const message = `the endpoint of the alias ${quoted(alias)} is no address that can be asked.`;
    return fail(problem('malformed', alias, message, { help: addressHelp }));
  }
  const { price_in: input, price_out: output } = given;
  if ((input === undefined) !== (output === undefined)) {
    const [has, lacks] = input === undefined ? ['price_out', 'price_in'] : ['price_in', 'price_out'];
    const message = `the alias ${quoted(alias)} has ${has} and no ${lacks}.`;
    const help = `Add ${lacks} to [models.aliases.${alias}]: dollars for a million tokens, 0 if they cost nothing.`;
    return fail(problem('malformed', alias, message, { help }));
  }
  const slash = ref.indexOf('/');
  const first = slash === -1 ? undefined : ref.slice(0, slash);
  const name =
    given.provider ??
    (first !== undefined && isServing(first) ? first : endpoint === undefined ? undefined : compatible);
  if (name === undefined) return findOther(alias, given, lookup);
  if (!isServing(name)) return fail(unknownProvider(alias, name));
  // `provider/model` is the model of that provider, also where the provider is named beside it.
  const id = first === name ? ref.slice(slash + 1) : ref;
  const provider = providerNamed(name);
  if (provider) return providerModel({ ref: alias, provider, id }, lookup, otherwiseOf(alias, given));
  if (endpoint !== undefined) return compatibleModel(alias, name, id, given, lookup);
  if (name === compatible) {
    const help = `Add endpoint = "http://host/v1" to [models.aliases.${alias}].`;
    return fail(
      problem('malformed', alias, `the alias ${quoted(alias)} is ${compatible} and has no endpoint.`, { help }),
    );
  }
  return again(alias, given, await findUnaliased(`${name}/${id}`, lookup));
}

/** A bare name. */
async function findOther(alias: string, given: ModelAlias, lookup: Lookup): Promise<FoundModel> {
  const { ref, key_env: keyEnv } = given;
  if (keyEnv !== undefined) {
    const message = `the alias ${quoted(alias)} has a key and no provider.`;
    const help = `${keyEnv} is the key of one provider: add provider = "…" to [models.aliases.${alias}].`;
    return fail(problem('malformed', alias, message, { help }));
  }
  if (Object.hasOwn(lookup.settings.models.aliases, ref)) {
    const message = `the alias ${quoted(alias)} stands for ${quoted(ref)}, which is an alias too.`;
    const help = `Write what ${quoted(ref)} stands for.`;
    return fail(problem('malformed', alias, message, { help }));
  }
  return again(alias, given, await findUnaliased(ref, lookup));
}

/** What was found, under the alias and as it says. */
function again(alias: string, given: ModelAlias, result: FoundModel): FoundModel {
  if (!result.ok) {
    const { problem: why } = result;
    return fail({ ...why, ref: alias, message: `the alias ${quoted(alias)}: ${why.message}` });
  }
  const { headers, tools } = given;
  const info = ownInfo(given);
  const { model: found } = result;
  const model = {
    ...found,
    alias,
    ...(headers && { headers }),
    ...(tools && { tools }),
    ...(info && { info: { ...found.info, ...info } }),
  };
  return { ...result, model };
}

function compatibleModel(alias: string, provider: string, id: string, given: ModelAlias, { env }: Lookup): FoundModel {
  const { endpoint = '', key_env: keyEnv, headers, tools = 'text' } = given;
  const info = ownInfo(given);
  const model = {
    ref: alias,
    provider,
    id,
    endpoint: endpoint.replace(/\/+$/, ''),
    keyEnv: keyEnv === undefined ? [] : [keyEnv],
    ...(headers && { headers }),
    tools,
    alias,
    ...(info && { info }),
  };
  if (!hasKey(env, model.keyEnv)) return fail(noKey(alias, model));
  const note = `${quoted(alias)} is at an address of its own: its price is not known.`;
  return found(model, info?.price === undefined ? [note] : []);
}

/** What the configuration says of a model that nothing else does, or says otherwise. */
function ownInfo({ price_in: input, price_out: output, max_tokens: most }: ModelAlias): ModelInfo | undefined {
  const isPriced = input !== undefined && output !== undefined;
  if (!isPriced && most === undefined) return undefined;
  return { ...(isPriced && { price: { input, output } }), ...(most !== undefined && { output: most }) };
}

function otherwiseOf(alias: string, given: ModelAlias): Otherwise {
  const { endpoint, key_env: keyEnv, headers, tools } = given;
  const info = ownInfo(given);
  const keys = keyEnv === undefined ? (endpoint === undefined ? undefined : []) : [keyEnv];
  return {
    alias,
    ...(endpoint !== undefined && { endpoint: endpoint.replace(/\/+$/, '') }),
    ...(keys && { keyEnv: keys }),
    ...(headers && { headers }),
    ...(tools && { tools }),
    ...(info && { info }),
  };
}

function isServing(name: string): boolean {
  return name === compatible || providerNames.includes(name);
}

function unknownProvider(alias: string, name: Provider['name']) {
  const near = closest(name, [...providerNames, compatible]);
  const message = `the alias ${quoted(alias)} names a provider ${quoted(name)} that there is not.${didYouMean(near)}`;
  const help = `Providers: ${[...providerNames, compatible].join(', ')}.`;
  return problem('unknown-provider', alias, message, { help });
}
