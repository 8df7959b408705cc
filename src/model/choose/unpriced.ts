/** What to do where the price of a model is not known, and a limit in dollars has to be kept. */
import type { ResolvedModel } from '../resolved.ts';

export interface Unpriced {
  readonly message: string;
  readonly help: string;
}

/** Nothing where the price is known. `notes`: what was said of the model when it was found. */
export function unpriced(
  { ref, alias, info }: ResolvedModel,
  notes: readonly string[],
  limit: number,
): Unpriced | undefined {
  if (info?.price !== undefined) return undefined;
  const why = `the price of ${alias ?? ref} is not known, so the limit of $${limit.toFixed(2)} (limits.usd) could not be kept.`;
  const keys = 'price_in and price_out, in dollars for a million tokens, 0 if it costs nothing';
  return {
    message: [why, ...notes].join(' '),
    help:
      alias === undefined
        ? `Say it in config.toml: [models.aliases.NAME] with ref = "${ref}", ${keys}; then NAME is the model.`
        : `Say it in config.toml, in [models.aliases.${alias}]: ${keys}.`,
  };
}
