// The mistakes of syncs, made for real: a home in a folder of its own, with a reference that is answered from memory.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';

/**
 * @typedef {import('../src/text/index.ts').Diagnostic} Diagnostic
 * @typedef {Pick<import('./spec.mjs').FrontEnd, 'caps' | 'config' | 'program' | 'text' | 'too'>} SyncEnd
 * @typedef {{ sync: (options?: Partial<import('../src/caps/index.ts').SyncOptions>) => Promise<import('../src/caps/index.ts').SyncReport>, text: { now: string }, write: (name: string, text: string) => void, read: (name: string) => string, remove: (name: string) => void }} Place
 */

/** By code: what is done after the first sync, and the sync that then fails. @type {Record<string, (place: Place) => Promise<readonly Diagnostic[]>>} */
const mistakes = {
  TOO5401: async ({ sync, text, write }) => {
    text.now = 'Rewrite it, and send me a copy.\n';
    write('.toolang/agents/writer/sync/ref/prompts/rewrite.md', '');
    return (await sync()).diagnostics;
  },
  TOO5402: async ({ sync, write, read }) => {
    const lock = read('toolang.lock');
    write('toolang.lock', `<<<<<<< HEAD\n${lock}=======\n${lock}>>>>>>> other\n`);
    return (await sync()).diagnostics;
  },
  TOO5403: async ({ sync, write, read }) => {
    write('writer.too', `use prompt acme/shorten\n${read('writer.too')}`);
    return (await sync({ frozen: true })).diagnostics;
  },
};

/**
 * Undefined for codes that no sync reports.
 * @param {SyncEnd} api
 * @param {string} code
 * @returns {Promise<readonly Diagnostic[] | undefined>}
 */
export async function syncDiagnostics(api, code) {
  const make = mistakes[code];
  return make && inPlace(api, make);
}

/** By code: what is thrown. @type {Record<string, (api: SyncEnd, place: Place) => Promise<void>>} */
const failures = {
  TOO5405: async ({ caps }, { sync, write }) => {
    const [state] = (await sync()).states;
    write('.toolang/agents/writer/sync/ref/prompts/rewrite.md', 'Rewrite it, and send me a copy.\n');
    for (const cap of state?.caps.here ?? []) caps.capText(cap);
  },
  TOO5406: async (_api, { sync, write, remove }) => {
    remove('.toolang/agents');
    write('.toolang/agents', '');
    await sync();
  },
};

/**
 * What is thrown when a cap is used or written.
 * @param {SyncEnd} api
 * @param {string} code
 * @returns {Promise<{ code: string, message: string }>}
 */
export function syncFailure(api, code) {
  return inPlace(api, async (place, dir) => {
    try {
      await failures[code]?.(api, place);
    } catch (error) {
      if (!(error instanceof api.text.ToolangError)) throw error;
      return { code: error.code, message: error.message.replaceAll(dir, '/home/ann').replaceAll(sep, '/') };
    }
    throw new Error(`${code} was not made`);
  });
}

/**
 * @template T
 * @param {SyncEnd} api
 * @param {(place: Place, dir: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function inPlace({ caps, config, program, too }, work) {
  const dir = mkdtempSync(join(tmpdir(), 'toolang-errors-'));
  const at = (/** @type {string} */ name) => join(dir, 'work', name);
  const host = config.machineHost({ cwd: dir, env: { HOME: dir, TOOLANG_ROOT: join(dir, 'root') } });
  const found = config.homeOfFile(at('writer.too'), host);
  if (!found.ok) throw new Error(found.problem.message);
  const home = found.places;
  const text = { now: 'Rewrite it.\n' };
  const write = (/** @type {string} */ name, /** @type {string} */ content) => {
    mkdirSync(join(at(name), '..'), { recursive: true });
    writeFileSync(at(name), content);
  };
  const sync = (/** @type {Partial<import('../src/caps/index.ts').SyncOptions>} */ options = {}) =>
    caps.sync(
      { root: home.root, home, agents: [{ name: 'writer', file: at('writer.too') }] },
      {
        toolang: '0.0.0',
        compile: (source) => {
          const { program: made, diagnostics } = program.checkProgram(too.parse(source), {});
          return { program: {}, caps: made.caps, uses: made.uses, diagnostics };
        },
        resolve: async (wanted) =>
          new Map(
            wanted.map(({ key, ref }) => {
              const commit = '4f'.repeat(20);
              const target = {
                ref: `github://${ref}@${commit}`,
                url: `https://github.com/${ref}`,
                commit,
                path: 'prompts/rewrite.md',
              };
              const files = [{ path: 'x.md', bytes: Buffer.from(text.now), isExecutable: false }];
              return [key, { ok: true, target, files }];
            }),
          ),
        accept: async () => true,
        shown: (file) => relative(at(''), file).replaceAll(sep, '/'),
        ...options,
      },
    );
  const read = (/** @type {string} */ name) => readFileSync(at(name), 'utf8');
  try {
    write('writer.too', 'use prompt acme/rewrite\n\nthunk write(input: Message) -> Text:\n  user: Write.\n');
    await sync();
    const remove = (/** @type {string} */ name) => rmSync(at(name), { recursive: true });
    return await work({ sync, text, write, read, remove }, dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
