// Writes the pages of `docs/` that are made from the code: `npm run docs`; `--check` only says which are old.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Each page, and the module and the function of `src/` that make its text. */
const pages = [
  { file: 'docs/cli.md', module: 'src/cli/describe.ts', make: 'describeCommands' },
  { file: 'docs/config.md', module: 'src/config/describe.ts', make: 'describeConfig' },
];

/** @returns {Promise<{ file: string, text: string }[]>} */
export async function makePages() {
  const cache = join(root, '.cache');
  mkdirSync(cache, { recursive: true });
  const dir = mkdtempSync(join(cache, 'docs-'));
  try {
    const input = Object.fromEntries(pages.map(({ module }, i) => [`page${i}`, join(root, module)]));
    // A page tells of the commands; it runs none.
    const external = [/^node:/, /^\.\/commands\//];
    const built = await rolldown({ input, cwd: root, platform: 'node', external });
    await built.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
    await built.close();
    return await Promise.all(
      pages.map(async ({ file, make }, i) => {
        const module = await import(pathToFileURL(join(dir, `page${i}.mjs`)).href);
        return { file, text: generated(module[make]()) };
      }),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * The pages whose text on disk is not the one the code makes.
 * @param {{ file: string, text: string }[]} made
 */
export function oldPages(made) {
  return made.filter(({ file, text }) => text !== readIfThere(join(root, file)));
}

/** @param {string} text */
function generated(text) {
  return `${text}\n<!-- Made by \`npm run docs\`: change the code, not this page. -->\n`;
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const old = oldPages(await makePages());
  for (const { file, text } of old) {
    if (values.check) {
      console.error(`${file} is old: run \`npm run docs\``);
      process.exitCode = 1;
      continue;
    }
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    console.error(`wrote ${file}`);
  }
}
