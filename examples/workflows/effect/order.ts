/** The handler of stock.toon: it returns an Effect, and the services of the workflow are there for it. */
import { Effect } from 'effect';
import { Stock } from './services.ts';

interface Context {
  readonly input: { readonly item: string; readonly count: number };
}

export function order({ input: { item, count } }: Context) {
  return Effect.gen(function* () {
    const stock = yield* Stock;
    return { item, count, price: yield* stock.take(item, count) };
  });
}
