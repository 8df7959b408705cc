// Installs what is compared into `.cache/peers/NAME`: npm only, nothing of it in our own package. What an install script
// would do is done here by name, so that a download that hangs ends, and a native part is built instead.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeLoader } from './contract.mjs';
import { bounded } from './process.mjs';

const minute = 60_000;
/** What Mastra asks for; all are measured on the same Node. */
const least = [22, 13];
const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];

/**
 * @param {string} place
 * @returns {Promise<string>} the path of a Node that all run on
 */
export async function nodeFor(place) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > (least[0] ?? 0) || (major === least[0] && minor >= (least[1] ?? 0))) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(place, 'node');
  const path = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(path)) return path;
  const problem = await npm(folder, ['install', ...quiet, `${name}@${least[0]}`], process.execPath, 5 * minute);
  if (problem === undefined && existsSync(path)) return path;
  console.log(`Node ${least.join('.')} could not be installed, so Node ${process.versions.node} is used: ${problem}`);
  return process.execPath;
}

/**
 * @param {import('./contract.mjs').System} system
 * @param {string} folder
 * @param {string} node
 * @returns {Promise<{ runtime: string } | { problem: string }>}
 */
export async function install(system, folder, node) {
  const bun = `@oven/bun-${process.platform}-${process.arch}`;
  const packages = [...system.packages, ...(system.runtime === 'bun' ? [`${bun}@1.4.4`] : [])];
  const runtime = system.runtime === 'bun' ? join(folder, 'node_modules', bun, 'bin/bun') : node;
  const marker = join(folder, 'installed.json');
  const wanted = JSON.stringify({ packages, overrides: system.overrides, node });
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return { runtime };
  console.log(`installing ${system.title} (${packages.join(' ')})`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, overrides: system.overrides ?? {} }));
  const problem = await npm(folder, ['install', ...quiet, ...packages], node, 15 * minute);
  if (problem !== undefined) return { problem: `npm could not install it: ${problem}` };
  for (const name of system.native) {
    const missing = await build(name, folder, node);
    if (missing !== undefined) return { problem: `${name} could not be built: ${missing}` };
  }
  writeLoader(folder);
  writeFileSync(marker, wanted);
  return { runtime };
}

/**
 * The prebuilt file where it can be had, else from source with the headers beside the Node that is used.
 * @param {string} name
 * @param {string} folder
 * @param {string} node
 */
async function build(name, folder, node) {
  const fetched = await npm(folder, ['rebuild', name], node, minute);
  if (fetched === undefined) return undefined;
  const nodedir = dirname(dirname(node));
  if (!existsSync(join(nodedir, 'include/node/node.h'))) {
    return `no prebuilt file could be fetched (${fetched}), and there are no headers of Node in ${nodedir}`;
  }
  console.log(`building ${name} from source, which takes minutes`);
  const env = { npm_config_build_from_source: 'true', npm_config_nodedir: nodedir };
  return npm(folder, ['rebuild', name], node, 20 * minute, env);
}

/**
 * @param {string} folder
 * @param {readonly string[]} args
 * @param {string} node
 * @param {number} ms
 * @param {Record<string, string>} [env]
 * @returns {Promise<string | undefined>} what went wrong
 */
async function npm(folder, args, node, ms, env = {}) {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const path = `${dirname(node)}:${process.env.PATH}`;
  return bounded('npm', [...args, '--prefix', folder], { cwd: folder, env: { ...env, PATH: path }, ms });
}
