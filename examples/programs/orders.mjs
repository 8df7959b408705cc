// Orders that are charged once, whatever happens: `node orders.mjs`. Run it again, or end it half way and run it again:
// what is done is kept in orders.db. A large order waits until somebody says yes: `node orders.mjs --approve`.
import { Schema } from 'effect';
import { approval, branch, expr, run, runIdOf, step, text, workflow } from 'toolang/workflow';

const Order = Schema.Struct({ id: Schema.String, cents: Schema.Number, items: Schema.Array(Schema.String) });

const ship = workflow({
  name: 'ship',
  input: Order,
  from: import.meta.url,
  steps: ({ input }) => {
    const price = step('price', {
      run: ({ read }) => ({ cents: read(input.cents), tax: Math.round(read(input.cents) * 0.2) }),
      output: Schema.Struct({ cents: Schema.Number, tax: Schema.Number }),
    });
    const large = branch({
      condition: expr`${price.cents} > 10000`,
      // biome-ignore lint/suspicious/noThenProperty: a word of the language.
      then: [approval('check', { request: { title: text`Charge ${price.cents} cents for the order ${input.id}?` } })],
    });
    const charge = step('charge', {
      // `key` is the same when the step is begun again after a crash: a shop tells it to its bank.
      run: ({ read, key }) => {
        console.log(`charging ${read(price.cents) + read(price.tax)} cents`);
        return { receipt: `receipt of ${key.split('/').at(-1)}` };
      },
      output: Schema.Struct({ receipt: Schema.String }),
      retry: { maxAttempts: 3, backoff: 'exponential' },
      timeout: '30s',
    });
    const label = step('label', {
      run: ({ read }) => `${read(input.id)}: ${read(input.items).join(', ')} (${read(charge.receipt)})`,
      output: Schema.String,
    });
    return [price, large, charge, label];
  },
});

const orders = [
  { id: 'a-17', cents: 1250, items: ['tea', 'cup'] },
  { id: 'b-4', cents: 48000, items: ['bicycle'] },
];
const isApproved = process.argv.includes('--approve');

for (const order of orders) {
  const result = await run(ship, order, {
    store: 'orders.db',
    runId: runIdOf(order.id),
    approve: () => (isApproved ? { approved: true, by: 'the shop' } : undefined),
  });
  if (result.status === 'done') console.log(result.output);
  else if (result.status === 'waiting') console.log(`waits: ${result.waiting[0]?.title}`);
  else console.log(`${order.id}: ${result.status}`);
}
