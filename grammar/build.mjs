// Builds the grammar: grammar.js -> src/parser.c (tree-sitter CLI) -> tree-sitter-toolang.wasm (clang), and records hashes.
// usage: node grammar/build.mjs [PATH-OF-TREE-SITTER-CLI]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const cache = join(here, '..', '.cache');
const clangPackage = '@yowasp/clang';
// One version, so that the same sources give the same bytes.
const clangVersion = '22.0.0-git20542-10';
const hashed = ['grammar.js', 'src/scanner.c', 'src/parser.c', 'tree-sitter-toolang.wasm'];

generate(findCli(process.argv[2]));
await compile();
writeHashes();

/** @param {string | undefined} given */
function findCli(given) {
  const found = given === undefined ? ['tree-sitter', join(cache, 'tree-sitter-cli', 'tree-sitter')] : [given];
  return found.find((path) => spawnSync(path, ['--version']).status === 0);
}

/** @param {string | undefined} cli */
function generate(cli) {
  if (cli !== undefined) {
    console.log(`generating src/parser.c with ${cli}`);
    run(cli, ['generate', '--abi', '15'], here);
    return;
  }
  if (readHashes()['grammar.js'] === hashOf('grammar.js') && existsSync(join(here, 'src', 'parser.c'))) {
    console.log('no tree-sitter CLI found; grammar.js is unchanged, so src/parser.c is kept');
    return;
  }
  fail('grammar.js has changed and no tree-sitter CLI was found: run grammar/get-tree-sitter-cli, or give its path');
}

async function compile() {
  const { runClang } = await loadClang();
  const headers = Object.fromEntries(
    readdirSync(join(here, 'src/tree_sitter')).map((name) => [name, read(`src/tree_sitter/${name}`)]),
  );
  const files = { src: { 'parser.c': read('src/parser.c'), 'scanner.c': read('src/scanner.c'), tree_sitter: headers } };
  console.log('compiling tree-sitter-toolang.wasm');
  const output = await runClang(
    [
      'clang',
      '--target=wasm32-unknown-wasip1',
      '-o',
      'out.wasm',
      '-fPIC',
      '-shared',
      '-Os',
      '-Wall',
      '-Wextra',
      '-nostdlib',
      '-fno-exceptions',
      '-fvisibility=hidden',
      '-Isrc',
      '-Wl,--export=tree_sitter_toolang',
      '-Wl,--allow-undefined',
      '-Wl,--no-entry',
      '-Wl,--strip-debug',
      'src/parser.c',
      'src/scanner.c',
    ],
    files,
  );
  const wasm = output['out.wasm'];
  if (!(wasm instanceof Uint8Array)) fail('clang gave no wasm');
  writeFileSync(join(here, 'tree-sitter-toolang.wasm'), wasm);
  console.log(`tree-sitter-toolang.wasm: ${wasm.length} bytes`);
}

/** clang is 100 MB, so it is installed only here, when it is needed. */
async function loadClang() {
  const root = join(cache, 'clang');
  const manifest = join(root, 'node_modules', clangPackage, 'package.json');
  if (!existsSync(manifest) || JSON.parse(readFileSync(manifest, 'utf8')).version !== clangVersion) {
    console.log(`installing ${clangPackage} into .cache/clang`);
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "private": true }\n');
    run('npm', ['install', '--no-audit', '--no-fund', `${clangPackage}@${clangVersion}`], root);
  }
  const entry = createRequire(join(root, 'package.json')).resolve(clangPackage);
  return import(pathToFileURL(entry).href);
}

function writeHashes() {
  const hashes = Object.fromEntries(hashed.map((name) => [name, hashOf(name)]));
  writeFileSync(join(here, 'hashes.json'), `${JSON.stringify(hashes, null, 2)}\n`);
}

/** @returns {Record<string, string>} */
function readHashes() {
  const path = join(here, 'hashes.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

/** @param {string} name */
function hashOf(name) {
  return createHash('sha256')
    .update(readFileSync(join(here, name)))
    .digest('hex');
}

/** @param {string} name */
function read(name) {
  return readFileSync(join(here, name), 'utf8');
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 */
function run(command, args, cwd) {
  const done = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (done.status !== 0) fail(`${command} ${args.join(' ')} failed${done.error ? `: ${done.error.message}` : ''}`);
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(`grammar: ${message}`);
  process.exit(1);
}
