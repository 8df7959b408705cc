// smithers-orchestrator with its SQLite store. It needs Bun: its store is that of Bun. A step is a task that computes.
import { dirname } from 'node:path';
import { loaderOf } from '../contract.mjs';

/** @type {import('../contract.mjs').System} */
export const smithers = {
  title: 'Smithers',
  // Named so that the packages beside it find the version it was made for, and not the newest.
  packages: ['smithers-orchestrator@0.32.0', 'effect@4.0.0-beta.102', 'zod@^4'],
  native: [],
  overrides: {
    // It takes the newest release candidate, which does not go with the version of effect above.
    '@effect/platform-node-shared': '4.0.0-beta.102',
    // Of its web gateway and of a memory service, which are not used here, in versions that not every registry has.
    '@tanstack/electric-db-collection': '0.3.x',
    '@vectorize-io/hindsight-client': '0.9.x',
  },
  env: { SMITHERS_OTEL_ENABLED: '0', SMITHERS_LOG_LEVEL: 'error' },
  variants: { '': 'a task for each step, on Bun', full: 'a task for each step, on Bun, synchronous=FULL' },
  runtime: 'bun',
  async open(folder, file, variant) {
    const load = await loaderOf(folder);
    const { createSmithers, Parallel, runWorkflow, Sequence } = await load('smithers-orchestrator');
    const { Effect } = await load('effect');
    const { createElement } = await load('react');
    const { z } = await load('zod');
    const api = createSmithers({ step: z.object({ n: z.number() }) }, { dbPath: file });
    const sqlite = api.db.$client;
    if (variant === 'full') sqlite.run('PRAGMA synchronous = FULL');

    return {
      async settings() {
        const [mode, level] = ['journal_mode', 'synchronous'].map((name) => sqlite.query(`PRAGMA ${name}`).get());
        return { mode: String(mode.journal_mode), level: Number(level.synchronous) };
      },
      define: (steps) => programOf(Sequence, steps),
      fan: (steps) => programOf(Parallel, steps),
      async close() {
        sqlite.close();
      },
    };

    /**
     * @param {unknown} kind
     * @param {number} steps
     * @returns {Promise<import('../contract.mjs').Program>}
     */
    async function programOf(kind, steps) {
      /** @type {Map<string, () => void>} by run */
      const calls = new Map();
      const workflow = api.smithers((/** @type {{ runId: string }} */ { runId }) => {
        const compute = () => {
          calls.get(runId)?.();
          return { n: 1 };
        };
        const tasks = Array.from({ length: steps }, (_, i) =>
          createElement(api.Task, { key: `s${i}`, id: `s${i}`, output: api.outputs.step }, compute),
        );
        return createElement(api.Workflow, { name: 'bench' }, createElement(kind, null, tasks));
      });
      const go = async (
        /** @type {string} */ runId,
        /** @type {() => void} */ called,
        /** @type {boolean} */ resume,
      ) => {
        calls.set(runId, called);
        // Without `force` it waits for half a minute without a heartbeat, though the process is gone.
        const options = { runId, input: {}, resume, force: resume, rootDir: dirname(file), logDir: null };
        const end = await Effect.runPromise(runWorkflow(workflow, options));
        calls.delete(runId);
        if (end.status !== 'finished') throw new Error(`it ended as ${JSON.stringify(end)}`);
      };
      return {
        start: (id, called) => go(id, called, false),
        resume: (id, called) => go(id, called, true),
      };
    }
  },
};
