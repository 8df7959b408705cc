// Ours, through the same doors as `bench/engine.mjs`: a step runs in a host, a process of its own, or is answered by a
// scripted model.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** @typedef {typeof import('../../engine-api.ts')} Api */

/** @type {import('../contract.mjs').System} */
export const toolang = {
  title: 'Toolang',
  packages: [],
  native: [],
  env: {},
  variants: { '': 'code in a host', model: 'a scripted model, no host' },
  calls: 'done',
  async open(folder, file, variant) {
    /** @type {Api} */
    const api = await import(pathToFileURL(join(folder, 'engine.mjs')).href);
    const store = api.openSqliteStore(file);
    const engine = api.openEngine({ store, cwd: dirname(file) });

    return {
      // Of every connection that the store opens, and it cannot be asked: `src/journal/sqlite-connection.ts`.
      settings: async () => ({ mode: 'wal', level: 2 }),
      async define(steps) {
        const flow = join(dirname(file), `bench-${steps}.toon`);
        const text = variant === 'model' ? prompts(steps) : code(steps);
        writeFileSync(flow.replace(/toon$/, 'script.toon'), replies(steps));
        const read = async () => ({ ok: /** @type {const} */ (false), message: 'there is no other file' });
        const { plan, diagnostics } = await api.planWorkflow(api.createSource('bench.toon', text), {
          file: flow,
          read,
        });
        if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
        const drive = async (
          /** @type {string} */ id,
          /** @type {() => void} */ called,
          /** @type {number | undefined} */ epoch,
        ) => {
          const end = await engine.drive(id, {
            ...(epoch !== undefined && { epoch }),
            tell(message) {
              if (message.kind !== 'events') return;
              for (const { body } of message.events) {
                if (body.kind === 'node.done' || body.kind === 'model.answered') called();
              }
            },
          });
          if (end.kind !== 'ended' || !('ok' in end.end)) throw new Error(`it ended as ${JSON.stringify(end)}`);
        };
        return {
          async start(name, called) {
            const { id, epoch } = engine.create({ plan, input: {}, file: flow, source: text });
            // Ids are the store's own: the one of the run to be resumed is left beside it.
            writeFileSync(idFile(file, name), id);
            await drive(id, called, epoch);
          },
          async resume(name, called) {
            await drive(readFileSync(idFile(file, name), 'utf8'), called, undefined);
          },
        };
      },
      async close() {
        store.close();
      },
    };
  },
};

/**
 * @param {string} file
 * @param {string} name
 */
function idFile(file, name) {
  return join(dirname(file), `${name}.id`);
}

/** @param {number} count */
function code(count) {
  const lines = ['name: bench', 'input:', `steps[${count}]:`];
  for (let i = 1; i <= count; i++) {
    lines.push(`  - id: s${i}`, '    run: "return { n: 1 }"', '    output:', '      n: number');
  }
  return `${lines.join('\n')}\n`;
}

/** @param {number} count */
function prompts(count) {
  const lines = ['name: bench', 'input:', 'agents:', '  w:', '    type: scripted', `steps[${count}]:`];
  for (let i = 1; i <= count; i++) lines.push(`  - id: s${i}`, '    agent: w', '    prompt: Go', '    output: string');
  return `${lines.join('\n')}\n`;
}

/** @param {number} count */
function replies(count) {
  return `replies[${count}]:\n${'  - for: w\n    text: gone\n'.repeat(count)}`;
}
