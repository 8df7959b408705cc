/** One model of the catalog, as the files in `data/` have it. */
import type { ModelPrice } from '../resolved.ts';

export interface CatalogRow {
  /** In small letters, as the published data calls it; mostly what the service calls it too. */
  readonly id: string;
  /** Which names mean it; missing where it is the id alone. */
  readonly match?: Rule;
  /** Names of the service that the rule fits and does not say. */
  readonly names?: readonly string[];
  readonly context?: number;
  readonly output?: number;
  /** Whether it has tools of its own; missing where nobody says. */
  readonly tools?: boolean;
  /** It does not answer messages: it makes pictures, or vectors. */
  readonly other?: true;
  readonly price?: ModelPrice;
  /** Prices that begin on a day to come, in order. */
  readonly later?: readonly { readonly from: string; readonly price: ModelPrice }[];
  /** Of names that share the row, those that differ from it. */
  readonly own?: Readonly<Record<string, { readonly context: number; readonly output: number }>>;
}

/** A name, with `*` at its beginning, its end or both; `/…/`, a regular expression; several of which one must fit. */
export type Rule = string | readonly Rule[] | { readonly all: readonly Rule[] };
