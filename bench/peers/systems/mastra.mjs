// Mastra's workflows with its LibSQL store: a run is one row with a snapshot that is written anew at each step.
import { loaderOf } from '../contract.mjs';

/** @type {import('../contract.mjs').System} */
export const mastra = {
  title: 'Mastra',
  packages: ['@mastra/core@1.71.0', '@mastra/libsql@1.23.1', 'zod@^4'],
  native: [],
  env: { MASTRA_TELEMETRY_DISABLED: '1' },
  variants: { '': 'a step for each step', full: 'a step for each step, synchronous=FULL' },
  async open(folder, file, variant) {
    const load = await loaderOf(folder);
    const { Mastra } = await load('@mastra/core');
    const { createStep, createWorkflow } = await load('@mastra/core/workflows');
    const { LibSQLStore } = await load('@mastra/libsql');
    const { z } = await load('zod');
    const url = `file:${file}`;
    const client = variant === 'full' ? fullClient(await load('@libsql/client'), url) : undefined;
    const storage = new LibSQLStore({ id: 'bench', ...(client ? { client } : { url }) });
    await storage.init();
    const shape = z.object({ n: z.number() });

    function createRuns() {
      /** @type {Map<string, () => void>} by run */
      const calls = new Map();
      const stepOf = (/** @type {number} */ i) => {
        const execute = async (/** @type {{ runId: string, inputData: { n: number } }} */ { runId, inputData }) => {
          calls.get(runId)?.();
          return { n: inputData.n + 1 };
        };
        return createStep({ id: `s${i}`, inputSchema: shape, outputSchema: shape, execute });
      };
      /** @returns {import('../contract.mjs').Program} */
      const programOf = (/** @type {any} */ workflow, /** @type {(result: any) => boolean} */ isRight) => {
        workflow.commit();
        const app = new Mastra({ storage, workflows: { bench: workflow }, logger: false });
        const go = async (/** @type {string} */ id, /** @type {() => void} */ called, /** @type {boolean} */ isNew) => {
          calls.set(id, called);
          const run = await app.getWorkflow('bench').createRun({ runId: id });
          const end = isNew ? await run.start({ inputData: { n: 0 } }) : await run.restart();
          calls.delete(id);
          if (end.status !== 'success') throw new Error(`it ended as ${end.status}: ${String(end.error?.message)}`);
          if (!isRight(end.result)) throw new Error(`the result is ${JSON.stringify(end.result)}`);
        };
        return {
          start: (id, called) => go(id, called, true),
          resume: (id, called) => go(id, called, false),
        };
      };
      return { stepOf, programOf };
    }

    return {
      async settings() {
        // It has some connections, and asks only some of them for less than FULL: the weakest counts.
        const ask = (/** @type {string} */ name) => storage.client.execute(`PRAGMA ${name}`);
        const mode = await ask('journal_mode');
        const asked = await Promise.all(Array.from({ length: 8 }, () => ask('synchronous')));
        return { mode: String(mode.rows[0][0]), level: Math.min(...asked.map(({ rows }) => Number(rows[0][0]))) };
      },
      async define(steps) {
        const { stepOf, programOf } = createRuns();
        const workflow = createWorkflow({ id: `bench-${steps}`, inputSchema: shape, outputSchema: shape });
        for (let i = 1; i <= steps; i++) workflow.then(stepOf(i));
        return programOf(workflow, (/** @type {{ n: number }} */ { n }) => n === steps);
      },
      async fan(steps) {
        const { stepOf, programOf } = createRuns();
        const each = Array.from({ length: steps }, (_, i) => stepOf(i + 1));
        const outputSchema = z.object(Object.fromEntries(each.map(({ id }) => [id, shape])));
        const workflow = createWorkflow({ id: `fan-${steps}`, inputSchema: shape, outputSchema }).parallel(each);
        return programOf(workflow, (/** @type {object} */ result) => Object.keys(result).length === steps);
      },
      close: () => storage.close(),
    };
  },
};

/**
 * There is no setting for it: the store asks for NORMAL itself, on whatever connection it gets, and gets FULL here.
 * @param {any} library
 * @param {string} url
 */
function fullClient({ createClient }, url) {
  const client = createClient({ url, timeout: 5000 });
  const execute = client.execute.bind(client);
  client.execute = (/** @type {unknown} */ statement, /** @type {unknown} */ args) =>
    execute(
      typeof statement === 'string' ? statement.replace(/(synchronous\s*=\s*)NORMAL/, '$1FULL') : statement,
      args,
    );
  return client;
}
