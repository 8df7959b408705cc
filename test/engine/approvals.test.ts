/** Approvals in the moment in which the owner of a run leaves, in processes; `leaving.test.ts` tries every moment. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { appendFileSync, existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openEngine } from '../../src/run/index.ts';
import { ask, inPlace, type Place, until } from './kit.ts';

const approvals = process.env.TOOLANG_DEEP ? 40 : 7;

test.runIf(process.platform === 'linux')(
  `${approvals} approvals while the owner is just leaving: none is left lying`,
  inPlace(async (w) => {
    let next = 0;
    const line = async () => {
      while (next < approvals) await approveLeaving(w, next++);
    };
    await Promise.all([line(), line(), line(), line()]);
    const store = w.store();
    expect(store.runs({ roots: true }).map(({ status }) => status)).toEqual(Array(approvals).fill('done'));
  }),
);

/** The one who approves is here, so that it can be as quick as it takes; the owner is the program. */
async function approveLeaving(w: Place, number: number): Promise<void> {
  w.write(`ask-${number}.toon`, ask.replace('name: ask', `name: ask-${number}`));
  const run = w.start('run', `ask-${number}.toon`);
  await until(() => existsSync(w.at('.toolang/runs.db')), 'the store');
  const store = w.store();
  const rowOf = () => store.runs({ roots: true }).find(({ name }) => name === `ask-${number}`);
  // As soon as it can be seen: a pause between two looks would miss the moment.
  while ((rowOf()?.waiting?.length ?? 0) === 0) await new Promise((done) => setImmediate(done));
  for (const end = Date.now() + (number % 7); Date.now() < end; );
  const row = rowOf();
  const hash = row?.waiting?.[0]?.hash ?? '';
  const engine = openEngine({ store, cwd: w.dir });
  const id = row?.id ?? '';
  engine.post(id, { by: 'bo', message: { kind: 'decide', node: 'ok', hash, approved: true } });
  for (const end = Date.now() + 120_000; store.run(id)?.endedAt === undefined; ) {
    if (Date.now() > end) throw new Error(`nobody drives ${JSON.stringify(store.run(id))} ${store.inbox(id).length}`);
    if (engine.driver(id) === undefined && store.inbox(id).length > 0) {
      appendFileSync(w.at('taken'), 'x');
      await engine.drive(id);
    } else await new Promise((done) => setTimeout(done, 5));
  }
  expect(store.inbox(id)).toEqual([]);
  await run.exit;
}
