// Builds the package: bundles into `dist/`, types, and the licences of what was bundled.
// `node scripts/build.mjs [--out DIR] [--without-types]`
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { declarations } from './declarations.mjs';
import { noticesOf } from './third-party.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** One for each program and each subpath export; keys are the names in `dist/`. */
const entries = {
  cli: join(root, 'src/cli/main.ts'),
  toolang: join(root, 'src/api/toolang.ts'),
  calls: join(root, 'src/api/calls.ts'),
  ai: join(root, 'src/api/ai.ts'),
  effect: join(root, 'src/api/effect.ts'),
  workflow: join(root, 'src/api/workflow.ts'),
  host: join(root, 'src/run/host/main.ts'),
};

/** What is not bundled: our own dependencies, and what must be the user's copy. */
const packages = ['jiti', '@swc/wasm-typescript', 'effect'];

/** The frame around the commands: loaded by every call, so it must not grow by what only some commands need. */
const core = /[\\/]src[\\/]cli[\\/](?:args|command|context|exit|help|process|run|shell|table)\.ts$/;

/** A group without what its modules import, which has files of its own. */
const alone = { includeDependenciesRecursively: false };

/** @param {string} folder @param {readonly string[]} names */
const part = (folder, names) => new RegExp(`[\\\\/]src[\\\\/]${folder}[\\\\/](?:${names.join('|')})\\.ts$`);

/** Of plans, what runs are made of and shown by. */
const planWords = [
  ...['agent-types', 'approval-type', 'dependencies', 'diff', 'functions', 'groups', 'hash', 'key', 'shape'],
  ...['specifier', 'stretches', 'type-text', 'walk', 'code[\\\\/](?:edits|wrap|compile)'],
];

/** Of caps, what finds an agent and reads what was synced. */
const capWords = [
  ...['github-ref', 'ref', 'split', 'scope[\\\\/](?:agent-list|effective|find-agent|local-ref|scope|selector)'],
  'sync[\\\\/](?:fresh|read-synced|stamp|state|sync|synced|tree|trouble)',
];

/** Of the configuration, what finds homes and says what holds; what reads TOML is apart. */
const configWords = [
  ...['file-problem', 'home', 'homes', 'key-path', 'merge', 'places', 'read-config', 'rules', 'schema'],
];

/** Of tools, what decides about calls: each set has a file of its own. */
const toolFrame = [
  ...['built-in', 'toolbox', 'workspace-secrets', 'filesystem[\\\\/](?:guard|off-limits)'],
  'permission[\\\\/][a-z-]+',
  'child-env',
  'service[\\\\/](?:secrets|trouble)',
];

/** Of views, what is told while a run goes on and when it ends. */
const viewWords = [
  ...[
    'duration',
    'elapsed',
    'failure-text',
    'held-text',
    'kept-calls',
    'leaf-state',
    'node-id',
    'run-line',
    'run-node',
    'run-nodes',
  ],
  ...['run-progress', 'run-questions', 'run-remark', 'run-request', 'run-skips', 'run-status', 'run-tools'],
  ...['run-thunk', 'short-value', 'shorten', 'take-event', 'empty-arms'],
];

/** What reads expressions: plans hold them read. */
const expressionReader =
  /[\\/]src[\\/]expr[\\/](?:expression-(?:convert|converter|mask|parse|pattern|refusal|scan|syntax|token)|hyphen-names|interpolation|plain-expression|scan-literal|scan-state)\.ts$|[\\/]node_modules[\\/]acorn[\\/]/;

/** The native files of SQLite: one folder for each platform, found beside the chunks (`src/journal/sqlite.ts`). */
const sqlite = join(root, 'node_modules/@photostructure/sqlite');
const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-arm64', 'win32-x64'];

/** What is in the bundle as data that was made of it (`scripts/catalog.mjs`). */
const published = [join(root, 'node_modules/@pydantic/genai-prices/package.json')];

const ours = /[\\/]src[\\/]/;

/**
 * Where the index of a folder is imported later, the bundler also imports each chunk that holds something of the folder, used
 * or not. Our modules do nothing when they are loaded: an import of a chunk that takes nothing from it only costs time.
 * @type {import('rolldown').Plugin}
 */
const withoutBareImports = {
  name: 'without-bare-imports',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
    const isIdle = (/** @type {string} */ name) =>
      chunks.some(({ fileName, moduleIds }) => fileName === name && moduleIds.every((id) => ours.test(id)));
    for (const chunk of chunks) {
      chunk.code = chunk.code.replace(/^import "\.\/(?:chunks\/)?([^"]+)";\n/gm, (line, name) =>
        isIdle(`chunks/${name}`) ? '' : line,
      );
    }
  },
};

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
    const modules = await bundle(work);
    const copied = copySqlite(join(work, 'sqlite'));
    writeFileSync(join(work, 'THIRD-PARTY.md'), noticesOf([...modules, ...copied, ...published]));
    chmodSync(join(work, 'cli.js'), 0o755);
    if (withTypes) emitTypes(join(work, 'types'));
    rmSync(out, { recursive: true, force: true });
    renameSync(work, out);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * @param {string} dir
 * @returns {Promise<string[]>} the files that went in
 */
async function bundle(dir) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const built = await rolldown({
    input: entries,
    cwd: root,
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    // What is not used is left out, so that a command loads only what it needs.
    treeshake: { moduleSideEffects: [{ test: /[\\/](?:src|acorn)[\\/]/, sideEffects: false }] },
    external: [/^node:/, ...packages],
    plugins: [withoutBareImports],
    transform: { target: 'node20', define: { __TOOLANG_VERSION__: JSON.stringify(version) } },
    onLog(level, log) {
      // A warning here is a bug there: an import that is not found, a cycle of chunks.
      if (level === 'warn') throw new Error(`build: ${log.message}`);
    },
  });
  const { output } = await built.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Names and lines are kept: a stack in a report should say something, and of an error that nobody catches Node shows the
    // whole line, which without line ends would be thousands of characters.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    comments: { legal: false, jsdoc: false },
    // What every command loads is one file: each file costs more to open than to read.
    codeSplitting: {
      groups: [
        { name: 'text', test: /[\\/]src[\\/](?:text|api[\\/]version)|get-east-asian-width/, priority: 2 },
        { name: 'core', test: core, priority: 1 },
        // What a run says of tools before any is used.
        { name: 'tool-words', test: /[\\/]src[\\/]tool[\\/](?:bounded-text|names)\.ts$/, priority: 1 },
        // What a run needs of what its folder holds, without what reads texts: the bundler would put it to that.
        { name: 'plan-words', test: part('plan', planWords), priority: 1, ...alone },
        { name: 'config-words', test: part('config', configWords), priority: 1, ...alone },
        { name: 'tool-frame', test: part('tool', toolFrame), priority: 1, ...alone },
        { name: 'type', test: part('type', ['[^\\\\/]*']), priority: 1, ...alone },
        { name: 'program-words', test: part('program', ['own-tools', 'packed', 'sets']), priority: 1, ...alone },
        { name: 'cap-words', test: part('caps', capWords), priority: 1, ...alone },
        { name: 'too-words', test: part('too', ['names']), priority: 1, ...alone },
        { name: 'view-words', test: part('view', viewWords), priority: 1, ...alone },
        { name: 'expression-reader', test: expressionReader, priority: 1, ...alone },
        // Used alone, in browsers too: it must not share a file with anything else.
        { name: 'calls', test: /[\\/]src[\\/]calls[\\/]/, priority: 3 },
        { name: 'brackets', test: /[\\/]src[\\/]model[\\/]brackets[\\/]/, priority: 3 },
      ],
    },
    banner: (chunk) => (chunk.isEntry && chunk.name === 'cli' ? '#!/usr/bin/env node' : ''),
  });
  await built.close();
  const modules = new Set();
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue;
    for (const id of chunk.moduleIds) modules.add(id);
    for (const id of [...chunk.imports, ...chunk.dynamicImports]) {
      if (!id.startsWith('node:') && !packages.includes(id) && !output.some((other) => other.fileName === id)) {
        throw new Error(`build: "${id}" is imported by ${chunk.fileName} but neither bundled nor part of Node`);
      }
    }
  }
  return [...modules].sort();
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
