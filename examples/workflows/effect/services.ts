/** The services of stock.toon. Nothing leaves the machine. */
import { Context, Data, Effect, Layer } from 'effect';

/** `retryable: false` says that to try again is of no use. */
export class SoldOut extends Data.TaggedError('SoldOut')<{ readonly message: string; readonly retryable: false }> {}

export class Prices extends Context.Service<Prices, { readonly of: (item: string) => Effect.Effect<number> }>()(
  'stock/Prices',
) {
  static readonly layer = Layer.succeed(this, { of: (item) => Effect.succeed(item.length * 10) });
}

interface StockShape {
  readonly count: (item: string) => Effect.Effect<number>;
  readonly take: (item: string, count: number) => Effect.Effect<number, SoldOut>;
}

export class Stock extends Context.Service<Stock, StockShape>()('stock/Stock') {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const prices = yield* Prices;
      // What is opened here is closed when the process ends: a connection, a file.
      const shelf = yield* Effect.acquireRelease(
        Effect.sync(() => new Map([['tea', 12]])),
        (open) => Effect.sync(() => open.clear()),
      );
      const count = (item: string) => Effect.sync(() => shelf.get(item) ?? 0);
      return {
        count,
        take: (item: string, wanted: number) =>
          Effect.gen(function* () {
            const left = (yield* count(item)) - wanted;
            if (left < 0) return yield* new SoldOut({ message: `there is not so much ${item}`, retryable: false });
            shelf.set(item, left);
            return wanted * (yield* prices.of(item));
          }),
      };
    }),
    // A layer brings what it needs; what both need is built once.
  ).pipe(Layer.provide(Prices.layer));
}
