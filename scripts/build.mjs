// Builds the package: bundles into `dist/`, types, and the licences of what was bundled.
// `node scripts/build.mjs [--out DIR] [--without-types]`
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { declarations } from './declarations.mjs';
import { modules, programText } from './program.mjs';
import { noticesOf } from './third-party.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** One for each subpath export, and the program of hosts; keys are the names in `dist/`. */
const entries = {
  toolang: join(root, 'src/api/toolang.ts'),
  calls: join(root, 'src/api/calls.ts'),
  ai: join(root, 'src/api/ai.ts'),
  effect: join(root, 'src/api/effect.ts'),
  workflow: join(root, 'src/api/workflow.ts'),
  host: join(root, 'src/run/host/main.ts'),
};

/** What is not bundled: our own dependencies, and what must be the user's copy. */
const packages = ['jiti', '@swc/wasm-typescript', 'effect'];

/** The native files of SQLite: one folder for each platform, found beside the chunks (`src/journal/sqlite.ts`). */
const sqlite = join(root, 'node_modules/@photostructure/sqlite');
const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-arm64', 'win32-x64'];

/** What is in the bundle as data that was made of it (`scripts/catalog.mjs`). */
const published = [join(root, 'node_modules/@pydantic/genai-prices/package.json')];

/**
 * The result replaces `out` only when it is complete.
 * @param {string} out
 * @param {{ withTypes?: boolean }} [options]
 */
export async function build(out, { withTypes = true } = {}) {
  const work = `${out}.${process.pid}.tmp`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  try {
    const files = [...new Set([...(await bundleLibraries(work)), ...(await bundleProgram(work))])].sort();
    const copied = copySqlite(join(work, 'sqlite'));
    writeFileSync(join(work, 'THIRD-PARTY.md'), noticesOf([...files, ...copied, ...published]));
    if (withTypes) emitTypes(join(work, 'types'));
    rmSync(out, { recursive: true, force: true });
    renameSync(work, out);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Names and lines are kept: a stack in a report should say something. */
const readable = /** @type {const} */ ({
  // Of an error that nobody catches Node shows the whole line, which without line ends would be thousands of characters.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
  comments: { legal: false, jsdoc: false },
});

/**
 * What can be imported, and hosts.
 * @param {string} dir
 * @returns {Promise<string[]>} the files that went in
 */
async function bundleLibraries(dir) {
  const chunks = await bundle(entries, (built) =>
    built.write({
      dir,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      ...readable,
      codeSplitting: {
        groups: [
          // Used alone, in browsers too: they must not share a file with anything else.
          { name: 'calls', test: /[\\/]src[\\/]calls[\\/]/, priority: 3 },
          { name: 'brackets', test: /[\\/]src[\\/]model[\\/]brackets[\\/]/, priority: 3 },
        ],
      },
    }),
  );
  return chunks.flatMap(({ moduleIds }) => moduleIds);
}

/**
 * What the command line runs: one text of many modules, and the small file that starts it.
 * @param {string} dir
 * @returns {Promise<string[]>} the files that went in
 */
async function bundleProgram(dir) {
  const chunks = await bundle({ program: join(root, 'src/cli/process.ts') }, (built) =>
    built.generate({ ...modules, ...readable }),
  );
  const { text, build } = programText(chunks);
  writeFileSync(join(dir, 'program.cjs'), text);
  const start = await bundle(
    { cli: join(root, 'src/cli/main.ts') },
    (built) =>
      built.write({ dir, format: 'cjs', entryFileNames: '[name].cjs', ...readable, banner: '#!/usr/bin/env node' }),
    { __TOOLANG_BUILD__: JSON.stringify(build) },
  );
  chmodSync(join(dir, 'cli.cjs'), 0o755);
  return [...chunks, ...start].flatMap(({ moduleIds }) => moduleIds);
}

/**
 * @param {Record<string, string>} input
 * @param {(built: import('rolldown').RolldownBuild) => Promise<import('rolldown').RolldownOutput>} output
 * @param {Record<string, string>} [define]
 * @returns {Promise<import('rolldown').OutputChunk[]>}
 */
async function bundle(input, output, define = {}) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const built = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    // What is not used is left out, so that a command loads only what it needs.
    treeshake: { moduleSideEffects: [{ test: /[\\/](?:src|acorn)[\\/]/, sideEffects: false }] },
    external: [/^node:/, ...packages],
    transform: { target: 'node20', define: { __TOOLANG_VERSION__: JSON.stringify(version), ...define } },
    onLog(level, log) {
      // A warning here is a bug there: an import that is not found, a cycle of chunks.
      if (level === 'warn') throw new Error(`build: ${log.message}`);
    },
  });
  const chunks = (await output(built)).output.filter((each) => each.type === 'chunk');
  await built.close();
  const names = new Set(chunks.map(({ fileName }) => fileName));
  for (const { fileName, imports, dynamicImports } of chunks) {
    for (const id of [...imports, ...dynamicImports]) {
      if (!id.startsWith('node:') && !packages.includes(id) && !names.has(id)) {
        throw new Error(`build: "${id}" is imported by ${fileName} but neither bundled nor part of Node`);
      }
    }
  }
  return chunks;
}

/**
 * @param {string} dir
 * @returns {string[]} a file of each package that is in them
 */
function copySqlite(dir) {
  for (const platform of platforms) {
    cpSync(join(sqlite, 'prebuilds', platform), join(dir, platform), { recursive: true });
  }
  return [join(sqlite, 'package.json'), join(root, 'node_modules/node-addon-api/package.json')];
}

/** @param {string} dir */
function emitTypes(dir) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const ran = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', dir], {
    encoding: 'utf8',
  });
  if (ran.status !== 0) throw new Error(`build: types failed\n${ran.stdout}${ran.stderr}`);
  declarations(dir);
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: join(root, 'dist') }, 'without-types': { type: 'boolean' } },
  });
  const start = performance.now();
  await build(resolve(values.out), { withTypes: !values['without-types'] });
  console.error(`built ${values.out} in ${Math.round(performance.now() - start)} ms`);
}
