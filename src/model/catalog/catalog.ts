/**
 * What is known of the models of providers, from published data that ships with the package. Each provider's file is loaded
 * when it is first asked for.
 * What is not in the data is not known: it has no price, which is not a price of nothing.
 */
import type { ModelInfo, ModelPrice } from '../resolved.ts';
import { findRow, hasName } from './match.ts';
import type { CatalogRow } from './row.ts';

export interface Catalog {
  /** The row that a name means, by the rules of the data. */
  readonly find: (id: string) => CatalogRow | undefined;
  /** The one that has this very name. */
  readonly named: (id: string) => CatalogRow | undefined;
  /** Those that answer messages, under the names that their service knows. */
  readonly rows: readonly CatalogRow[];
}

const loaders: Readonly<Record<string, () => Promise<{ readonly rows: readonly CatalogRow[] }>>> = {
  openai: () => import('./data/openai.ts'),
  anthropic: () => import('./data/anthropic.ts'),
  google: () => import('./data/google.ts'),
  openrouter: () => import('./data/openrouter.ts'),
  deepseek: () => import('./data/deepseek.ts'),
  groq: () => import('./data/groq.ts'),
  mistral: () => import('./data/mistral.ts'),
  xai: () => import('./data/xai.ts'),
};

/** The providers of which anything is known. */
export const catalogProviders: readonly string[] = Object.keys(loaders);

/** Each is made once. */
const catalogs = new Map<string, Promise<Catalog>>();

/** Of a provider without data there are no rows. */
export function loadCatalog(provider: string): Promise<Catalog> {
  const known = catalogs.get(provider) ?? makeCatalog(provider);
  catalogs.set(provider, known);
  return known;
}

async function makeCatalog(provider: string): Promise<Catalog> {
  const load = Object.hasOwn(loaders, provider) ? loaders[provider] : undefined;
  const { rows: all } = load ? await load() : { rows: [] };
  // Routers call every model `vendor/model`; the data has some of them without it too.
  const isReal = (row: CatalogRow) => provider !== 'openrouter' || row.id.includes('/');
  const isListed = (row: CatalogRow) =>
    !row.other && isReal(row) && !row.id.endsWith('-') && hasName(row, row.id) && findRow(all, row.id) === row;
  let listed: readonly CatalogRow[] | undefined;
  return {
    find: (id) => findRow(all, id),
    named: (id) => all.find((row) => isReal(row) && hasName(row, id)),
    get rows() {
      listed ??= all.filter(isListed);
      return listed;
    },
  };
}

/** What a row says of one of its names on a day (in milliseconds since 1970). */
export function infoOf(row: CatalogRow, id: string, at: number): ModelInfo {
  const own = row.own !== undefined && Object.hasOwn(row.own, id) ? row.own[id] : undefined;
  const context = own?.context ?? row.context;
  const output = own?.output ?? row.output;
  const price = priceAt(row, at);
  return {
    ...(context !== undefined && { context }),
    ...(output !== undefined && { output }),
    ...(price !== undefined && { price }),
  };
}

function priceAt({ price, later = [] }: CatalogRow, at: number): ModelPrice | undefined {
  return later.findLast(({ from }) => Date.parse(from) <= at)?.price ?? price;
}
