// Ours. A function of a program that calls `run` is what the others do, in the process of the engine; code in a host, a
// process of its own, and prompts that a scripted model answers go through the doors of `bench/engine.mjs`.
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
  variants: { function: 'a function', '': 'code in a host', model: 'a scripted model, no host' },
  calls: 'done',
  async open(folder, file, variant) {
    /** @type {Api} */
    const api = await import(pathToFileURL(join(folder, 'engine.mjs')).href);
    return variant === 'function' ? openProgram(api, file) : openEngine(api, file, variant);
  },
};

/**
 * @param {Api} api
 * @param {string} file
 * @returns {Promise<import('../contract.mjs').Opened>}
 */
async function openProgram(api, file) {
  const { z } = await import('zod');
  const output = z.object({ n: z.number() });
  /** @param {(steps: any[]) => any[]} arrange */
  const programOf = async (/** @type {number} */ count, arrange) => {
    const steps = Array.from({ length: count }, (_, i) => api.step(`s${i + 1}`, { run: () => ({ n: 1 }), output }));
    const flow = api.workflow({ name: 'bench', steps: () => arrange(steps) });
    await flow.plan();
    const go = async (/** @type {string} */ name, /** @type {() => void} */ called) => {
      const end = await api.run(
        flow,
        {},
        {
          store: file,
          runId: api.runIdOf(name),
          onEvent: ({ body }) => {
            if (body.kind === 'node.done') called();
          },
        },
      );
      if (end.status !== 'done') throw new Error(`it ended as ${JSON.stringify(end)}`);
    };
    return { start: go, resume: go };
  };
  return {
    settings: async () => ({ mode: 'wal', level: 2 }),
    define: (count) => programOf(count, (steps) => steps),
    fan: (count) => programOf(count, (children) => [api.parallel({ children })]),
    // It is opened when something is run, and made here so that it is there.
    close: async () => api.openSqliteStore(file).close(),
  };
}

/**
 * @param {Api} api
 * @param {string} file
 * @param {string} variant
 * @returns {Promise<import('../contract.mjs').Opened>}
 */
async function openEngine(api, file, variant) {
  const store = api.openSqliteStore(file);
  const engine = api.openEngine({ store, cwd: dirname(file) });

  /**
   * @param {string} name
   * @param {string} text
   * @param {string} script
   * @returns {Promise<import('../contract.mjs').Program>}
   */
  async function programOf(name, text, script) {
    const flow = join(dirname(file), `${name}.toon`);
    writeFileSync(flow.replace(/toon$/, 'script.toon'), script);
    const read = async () => ({ ok: /** @type {const} */ (false), message: 'there is no other file' });
    const { plan, diagnostics } = await api.planWorkflow(api.createSource('bench.toon', text), { file: flow, read });
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
      if (end.kind !== 'ended' || !('ok' in end.end))
        throw new Error(`it ended as ${JSON.stringify(end).slice(0, 300)}`);
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
  }

  const stepOf = variant === 'model' ? prompt : code;
  const head = variant === 'model' ? ['agents:', '  w:', '    type: scripted'] : [];
  return {
    // Of every connection that the store opens, and it cannot be asked: `src/journal/sqlite-connection.ts`.
    settings: async () => ({ mode: 'wal', level: 2 }),
    define(count) {
      const steps = Array.from({ length: count }, (_, i) => stepOf(i + 1, '  '));
      return programOf(
        `line-${count}`,
        textOf([...head, `steps[${count}]:`, ...steps]),
        replies(count, () => 'w'),
      );
    },
    fan(count) {
      const steps = Array.from({ length: count }, (_, i) => stepOf(i + 1, '      '));
      const list = ['steps[1]:', '  - kind: parallel', `    children[${count}]:`, ...steps];
      // Replies that are asked for at the same time are named, so that none is given by chance.
      return programOf(
        `fan-${count}`,
        textOf([...head, ...list]),
        replies(count, (i) => `s${i}`),
      );
    },
    async close() {
      store.close();
    },
  };
}

/**
 * @param {string} file
 * @param {string} name
 */
function idFile(file, name) {
  return join(dirname(file), `${name}.id`);
}

/** @param {readonly string[]} lines */
function textOf(lines) {
  return `${['name: bench', 'input:', ...lines].join('\n')}\n`;
}

/**
 * @param {number} number
 * @param {string} indent
 */
function code(number, indent) {
  const lines = [`- id: s${number}`, '  run: "return { n: 1 }"', '  output:', '    n: number'];
  return lines.map((line) => indent + line).join('\n');
}

/**
 * @param {number} number
 * @param {string} indent
 */
function prompt(number, indent) {
  const lines = [`- id: s${number}`, '  agent: w', '  prompt: Go', '  output: string'];
  return lines.map((line) => indent + line).join('\n');
}

/**
 * @param {number} count
 * @param {(number: number) => string} whose
 */
function replies(count, whose) {
  const lines = Array.from({ length: count }, (_, i) => `  - for: ${whose(i + 1)}\n    text: gone\n`);
  return `replies[${count}]:\n${lines.join('')}`;
}
