/**
 * Which model a name means, who serves it, and whether it can be used now.
 * 1. A name means one model or is a problem; it never becomes another model than the one that it names.
 * 2. Whether a key is there is all that is looked at; no value of a key is read, kept or given.
 * 3. Servers on this machine are asked only where a name may be theirs, or where all that is usable is wanted.
 * 4. Catalogs age: an id of a known provider that is not in them is taken as it is, without a price, and a note says so.
 */
import type { Settings } from '../../config/index.ts';
import type { Clock } from '../../sys/index.ts';
import { loadCatalog } from '../catalog/index.ts';
import { type Choice, chooseModels } from './choose.ts';
import { findModel } from './find.ts';
import { fetchIfOpen } from './knock.ts';
import { type ListOptions, listModels, type ModelList } from './list.ts';
import { askLocal, type LocalServer } from './local.ts';
import { type LocalPorts, localAddresses } from './local-address.ts';
import type { FoundModel, Lookup } from './lookup.ts';
import type { Env } from './providers.ts';

export interface ModelsOptions {
  readonly env: Env;
  readonly settings: Pick<Settings, 'models'>;
  readonly clock: Clock;
  readonly fetch?: typeof globalThis.fetch;
  readonly ports?: LocalPorts;
}

export interface Models {
  /** The one model that a name means: `provider/model`, an alias, a bare name, `scripted`. */
  readonly find: (ref: string) => Promise<FoundModel>;
  /** Models in order of preference; without names, those of the configuration, else what can be used. */
  readonly choose: (refs?: readonly string[]) => Promise<Choice>;
  /** What there is, and what of it can be used now. */
  readonly list: (options?: ListOptions) => Promise<ModelList>;
}

/** For so long what the servers of this machine said is not asked again. */
const freshMs = 5000;

export function createModels({ env, settings, clock, fetch = fetchIfOpen, ports }: ModelsOptions): Models {
  let asked: { readonly at: number; readonly servers: Promise<readonly LocalServer[]> } | undefined;
  const lookup: Lookup = {
    env,
    settings,
    now: () => clock.now(),
    catalog: loadCatalog,
    local() {
      const at = clock.monotonic();
      if (asked === undefined || at - asked.at > freshMs) {
        const servers = localAddresses(env, ports).map((each) => askLocal(each, { fetch, clock }));
        asked = { at, servers: Promise.all(servers) };
      }
      return asked.servers;
    },
  };
  return {
    find: (ref) => findModel(ref, lookup),
    choose: (refs = []) => chooseModels(refs, lookup),
    list: (options = {}) => listModels(options, lookup),
  };
}
