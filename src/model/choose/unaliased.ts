/** The model that a name means which is no alias. */
import { closest, didYouMean } from '../../text/index.ts';
import type { FoundModel, Lookup } from './lookup.ts';
import { oneOf, problem } from './problem.ts';
import { compatible, hasKey, providerNamed, providerNames, providers } from './providers.ts';
import { fail, found, localModel, providerModel, quoted, scriptedModel } from './resolve.ts';

export async function findUnaliased(name: string, lookup: Lookup): Promise<FoundModel> {
  if (name === '') return fail(problem('malformed', name, 'no model is named.', { help: howToWrite }));
  if (/\s/.test(name))
    return fail(problem('malformed', name, `${quoted(name)} has a blank in it.`, { help: howToWrite }));
  if (/[*[\]]/.test(name)) {
    const help = `Name one; "toolang models" with the selector in quotes lists what it stands for.`;
    return fail(problem('ambiguous', name, `${quoted(name)} is a selector, and one model is meant here.`, { help }));
  }
  if (name === 'scripted') return found(scriptedModel);
  const slash = name.indexOf('/');
  if (slash === -1) return findBare(name, lookup);
  const [provider, id] = [name.slice(0, slash), name.slice(slash + 1)];
  if (provider === compatible)
    return fail(problem('malformed', name, `${compatible} has no address of its own.`, { help: aliasHelp }));
  if (!providerNames.includes(provider)) return findForeign(name, provider, lookup);
  if (id === '') return fail(providerAlone(name, provider));
  return findAt(name, provider, id, lookup);
}

async function findAt(ref: string, provider: string, id: string, lookup: Lookup): Promise<FoundModel> {
  const known = providerNamed(provider);
  if (known) return providerModel({ ref, provider: known, id }, lookup);
  const server = (await lookup.local()).find((each) => each.name === provider);
  if (!server) throw new Error(`nothing serves ${provider}`);
  const served = server.models.find((model) => sameLocal(model.id, id));
  if (served) return found(localModel(server, served));
  if (!server.isRunning) {
    const message = `${quoted(ref)} cannot be used: nothing answers as ${provider} at ${server.address}.`;
    const help = `${startHelp[server.name]} Another address is an alias with an endpoint (docs/models.md).`;
    return fail(problem('not-running', ref, message, { help, model: localModel(server, { id, hasTools: false }) }));
  }
  const names = server.models.map((model) => model.id);
  const near = closest(id, names);
  const message = `${provider} at ${server.address} has no model ${quoted(id)}.${didYouMean(near && `${provider}/${near}`)}`;
  const has = names.length === 0 ? 'It has none yet.' : `It has ${listed(names)}.`;
  return fail(
    problem('unknown-model', ref, message, {
      help: provider === 'ollama' ? `${has} "ollama pull ${id}" fetches it.` : has,
    }),
  );
}

/** A name without a provider: the first that has it and can be used. */
async function findBare(name: string, lookup: Lookup): Promise<FoundModel> {
  if (name === compatible)
    return fail(problem('malformed', name, `${compatible} is a kind of provider, not a model.`, { help: aliasHelp }));
  if (providerNames.includes(name)) return fail(providerAlone(name, name));
  const having = [];
  for (const provider of providers) {
    const catalog = await lookup.catalog(provider.name);
    if (catalog.named(name)) having.push(provider);
  }
  const usable = having.find(({ keyEnv }) => hasKey(lookup.env, keyEnv));
  if (usable) return providerModel({ ref: name, provider: usable, id: name }, lookup);
  const local = await findLocal(name, lookup);
  if (local) return local;
  const [first] = having;
  if (first) {
    const unusable = await providerModel({ ref: name, provider: first, id: name }, lookup);
    if (having.length === 1 || unusable.ok) return unusable;
    const keys = having.flatMap(({ keyEnv }) => keyEnv);
    const message = `${quoted(name)} is served by ${having.map((each) => each.name).join(', ')}, and no key of them is set.`;
    const { model } = unusable.problem;
    return fail(problem('no-key', name, message, { help: `Set ${oneOf(keys)}.`, ...(model && { model }) }));
  }
  return unknown(name, lookup);
}

/** Before its slash stands no provider: a model of a router, or of a server here, whose names have slashes too. */
async function findForeign(name: string, provider: string, lookup: Lookup): Promise<FoundModel> {
  const local = await findLocal(name, lookup);
  if (local) return local;
  const near = closest(provider, [...providerNames, ...Object.keys(lookup.settings.models.aliases)]);
  const routed = (await lookup.catalog('openrouter')).named(name) !== undefined;
  const meant =
    near === undefined ? (routed ? `openrouter/${name}` : undefined) : `${near}${name.slice(provider.length)}`;
  const message = `there is no provider ${quoted(provider)} of models.${didYouMean(meant)}`;
  const help = `Providers: ${providerNames.join(', ')}. Others are aliases with an endpoint (docs/models.md).`;
  return fail(problem('unknown-provider', name, message, { help, ...(meant !== undefined && { meant }) }));
}

async function findLocal(name: string, lookup: Lookup): Promise<FoundModel | undefined> {
  for (const server of await lookup.local()) {
    const served = server.models.find((model) => sameLocal(model.id, name));
    if (served) return found(localModel(server, served));
  }
  return undefined;
}

/** Ollama calls `qwen3` what it lists as `qwen3:latest`. */
function sameLocal(id: string, name: string): boolean {
  return id === name || id === `${name}:latest`;
}

async function unknown(name: string, lookup: Lookup): Promise<FoundModel> {
  const catalogs = await Promise.all(providers.map((each) => lookup.catalog(each.name)));
  const here = (await lookup.local()).flatMap((server) => server.models.map((model) => model.id));
  const names = catalogs.flatMap(({ rows }) => rows.flatMap(({ id, names: more = [] }) => [id, ...more]));
  const near = closest(name, ['scripted', ...Object.keys(lookup.settings.models.aliases), ...here, ...names]);
  const provider = near === undefined ? closest(name, providerNames) : undefined;
  const message = `no provider is known to have a model ${quoted(name)}.${didYouMean(near ?? (provider && `${provider}/…`))}`;
  const help = `Write it as provider/model, where it is newer than this program. "toolang models --all" lists what is known.`;
  return fail(problem('unknown-model', name, message, { help }));
}

function providerAlone(ref: string, provider: string) {
  const model = providerNamed(provider)?.model ?? 'NAME';
  const message = `${quoted(ref)} names a provider and no model.`;
  const help = `Write ${provider}/${model}, for example; "toolang models '${provider}/*'" lists its models.`;
  return problem('malformed', ref, message, { help });
}

const howToWrite = 'Write provider/model, an alias of config.toml, or "scripted".';
const aliasHelp = 'Give it one in config.toml: [models.aliases.NAME] with ref and endpoint; then NAME is the model.';
const startHelp = {
  ollama: 'Start it with "ollama serve", or set OLLAMA_HOST.',
  llamacpp: 'Start it with "llama-server -m FILE".',
  lmstudio: 'Start it with "lms server start".',
};

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 8).join(', ');
  return names.length > 8 ? `${shown} and ${names.length - 8} more` : shown;
}
