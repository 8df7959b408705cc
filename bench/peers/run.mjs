// The same work by hand on this machine, done by us and by others: `node bench/peers/run.mjs [NAME...] [--rounds N]
// [--short]`. `--short` leaves out how the cost of a step grows with the length of its run, which takes most of the time.
// Each number comes from a process of its own that is ended when it takes too long. Systems take turns, and the least of
// the rounds counts, because other work on the machine only ever adds. What cannot be installed or does not run is skipped
// by name. Never a part of `npm run bench`: it installs some hundred megabytes.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { bundle, root } from '../bundle.mjs';
import { tableOf } from '../measure.mjs';
import { install, nodeFor } from './install.mjs';
import { bounded } from './process.mjs';
import { systems } from './systems.mjs';
import { lengths } from './work.mjs';

/** @typedef {Record<string, any>} Result */
/** @typedef {{ name: string, variant: string, runtime: string, packages: string, results: Record<string, Result> }} Entry */

const place = join(root, '.cache/peers');
const child = join(dirname(fileURLToPath(import.meta.url)), 'child.mjs');
const patience = {
  few: 240_000,
  many: 60_000 + lengths.warmMs,
  leave: 300_000,
  resume: 120_000,
  wide: 120_000,
  once: 300_000,
};
/** What took longer is not measured again. */
const longMs = 60_000;
const levels = ['OFF', 'NORMAL', 'FULL', 'EXTRA'];

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string' }, short: { type: 'boolean' } },
  allowPositionals: true,
});
const loadBefore = loadavg();
const rounds = Number(values.rounds ?? 2);
const unknown = positionals.find((name) => systems[name] === undefined);
if (unknown !== undefined) throw new Error(`"${unknown}" is none of ${Object.keys(systems).join(', ')}`);
const asked = Object.keys(systems).filter(
  (name) => name === 'toolang' || !positionals.length || positionals.includes(name),
);

mkdirSync(place, { recursive: true });
const node = await nodeFor(place);
/** @type {Entry[]} */
const entries = [];
/** @type {string[]} */
const skipped = [];
for (const name of asked) await prepare(name);
for (let round = 1; round <= rounds; round++) {
  for (const what of /** @type {const} */ (['few', 'wide', 'once'])) {
    for (const entry of entries) await measure(entry, what);
  }
}
for (const entry of entries.filter(({ variant }) => variant !== 'full')) {
  if (!values.short) await measure(entry, 'many');
  await measureResume(entry);
}
print();

/** @param {string} name */
async function prepare(name) {
  const system = systems[name];
  if (system === undefined) return;
  let packages = join(place, name);
  let runtime = node;
  if (name === 'toolang') {
    packages = dirname(await bundle('engine', 'bench/engine-api.ts'));
    await bundle('host', 'src/run/host/main.ts', 'js');
  } else {
    const installed = await install(system, packages, node);
    if ('problem' in installed) {
      skipped.push(`${system.title}: ${installed.problem}`);
      return;
    }
    runtime = installed.runtime;
  }
  for (const variant of Object.keys(system.variants)) entries.push({ name, variant, runtime, packages, results: {} });
}

/**
 * @param {Entry} entry
 * @param {'few' | 'many' | 'wide' | 'once'} what
 */
async function measure(entry, what) {
  const before = entry.results[what];
  const plain = entries.find(({ name, variant }) => name === entry.name && variant === '')?.results[what];
  if (entry.variant === 'full' && plain?.problem !== undefined) return;
  if (before !== undefined && (before.problem !== undefined || before.took > longMs)) return;
  await withFolder(async (folder) => {
    const result = await inChild(entry, what, folder);
    if (result.problem === undefined && (what === 'few' || what === 'many')) {
      const steps = lengths[what];
      result.bytes = (sizeOf(join(folder, 'store.db')) - sizeOf(join(folder, 'empty.db'))) / steps;
    }
    entry.results[what] = leastOf(before, result);
  });
}

/** @param {Entry} entry */
async function measureResume(entry) {
  await withFolder(async (folder) => {
    const left = await inChild(entry, 'leave', folder);
    // It ends itself as a crash does.
    if (!left.problem?.includes('SIGKILL')) {
      entry.results.resume = { problem: left.problem ?? 'there is no resume' };
      return;
    }
    const kept = ['', '-wal'].filter((ending) => existsSync(join(folder, `store.db${ending}`)));
    for (const ending of kept) copyFileSync(join(folder, `store.db${ending}`), join(folder, `left.db${ending}`));
    for (let i = 0; i < 3; i++) {
      for (const ending of ['', '-wal', '-shm']) rmSync(join(folder, `store.db${ending}`), { force: true });
      for (const ending of kept) copyFileSync(join(folder, `left.db${ending}`), join(folder, `store.db${ending}`));
      entry.results.resume = leastOf(entry.results.resume, await inChild(entry, 'resume', folder));
    }
  });
}

/**
 * @param {Entry} entry
 * @param {keyof typeof patience} what
 * @param {string} folder
 * @returns {Promise<Result>}
 */
async function inChild({ name, variant, runtime, packages }, what, folder) {
  console.error(`${name} ${variant || 'default'}: ${what}`);
  const result = join(folder, 'result.json');
  rmSync(result, { force: true });
  const begin = performance.now();
  const problem = await bounded(runtime, [child, name, variant, what, packages, folder], {
    cwd: folder,
    env: { NODE_ENV: 'production', ...systems[name]?.env },
    ms: patience[what],
  });
  const took = performance.now() - begin;
  return problem === undefined ? { ...JSON.parse(readFileSync(result, 'utf8')), took } : { problem };
}

/**
 * On the disk of the project, as stores are; the folder for temporary files may be in memory.
 * @param {(folder: string) => Promise<void>} work
 */
async function withFolder(work) {
  const folder = mkdtempSync(join(root, '.cache/peers-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Result | undefined} before
 * @param {Result} now
 * @returns {Result}
 */
function leastOf(before, now) {
  if (before === undefined || now.problem !== undefined) return now;
  const least = { ...now };
  for (const key of ['wall', 'cpu', 'ms']) if (key in now) least[key] = Math.min(before[key], now[key]);
  return least;
}

/**
 * With all that waits beside it, which some leave there.
 * @param {string} path
 */
function sizeOf(path) {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return statSync(path).size;
}

function print() {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const shown = (/** @type {number[]} */ [one = 0, five = 0]) => `${one.toFixed(1)} (${five.toFixed(1)})`;
  console.log(`\nnode ${version}; ${rounds === 1 ? 'one round' : `the least of ${rounds} rounds`}`);
  console.log(
    `${cpus().length} cores, ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}`,
  );
  console.log(`load of the last minute (five minutes) before ${shown(loadBefore)}, after ${shown(loadavg())}`);
  for (const name of asked) for (const each of systems[name]?.packages ?? []) console.log(each);
  console.log('\nwall time');
  const heads = [
    `${lengths.few} in sequence, each`,
    `${lengths.wide} in parallel`,
    `resume after ${lengths.resumed}`,
    `${lengths.runs} runs of ${lengths.short}`,
    'steps a second',
  ];
  console.log(tableOf([['', ...heads], ...entries.map(wallRow)]));
  console.log('\nprocessor time');
  console.log(tableOf([['', ...heads.slice(0, 4)], ...entries.map(cpuRow)]));
  console.log(`\n${lengths.few} trivial steps in sequence: milliseconds and bytes of a step`);
  console.log(tableOf([['', 'SQLite', 'wall', 'CPU', 'kept', 'written'], ...entries.map(stepRow)]));
  const grown = entries.filter(({ variant }) => variant !== 'full');
  if (!values.short) {
    console.log(`\n${lengths.many} steps against ${lengths.few}, a step`);
    console.log(tableOf([['', 'wall', 'CPU', 'kept', 'written'], ...grown.map(growthRow)]));
  }
  for (const line of skipped) console.log(`SKIPPED: ${line}`);
  for (const { name, variant, results } of entries) {
    for (const [what, { problem, refused }] of Object.entries(results)) {
      if (problem !== undefined) console.log(`SKIPPED: ${titleOf({ name, variant })}, ${what}: ${problem}`);
      if (refused?.length) console.log(`${titleOf({ name, variant })} wanted to call ${refused.join(', ')}`);
    }
  }
}

/** @param {{ name: string, variant: string }} entry */
function titleOf({ name, variant }) {
  return `${systems[name]?.title}, ${systems[name]?.variants[variant]}`;
}

/** @param {Entry} entry */
function stepRow(entry) {
  const { few } = entry.results;
  if (few === undefined || few.problem !== undefined) return [titleOf(entry), '-'];
  const { mode, level } = few.settings;
  return [titleOf(entry), `${mode}, ${levels[level]}`, ms(few.wall), ms(few.cpu), bytes(few.bytes), bytes(few.written)];
}

/** @param {Entry} entry */
function growthRow(entry) {
  const { few, many } = entry.results;
  if (!few || !many || few.problem !== undefined || many.problem !== undefined) return [titleOf(entry), '-'];
  const times = (/** @type {string} */ key) => `${(many[key] / few[key]).toFixed(1)}x`;
  return [titleOf(entry), times('wall'), times('cpu'), times('bytes'), times('written')];
}

/** @param {Entry} entry */
function wallRow(entry) {
  const { few, wide, resume, once } = entry.results;
  const rate = once?.wall === undefined ? '-' : ((lengths.runs * lengths.short * 1000) / once.wall).toFixed(0);
  return [titleOf(entry), ...[few?.wall, wide?.wall, resume?.ms, once?.wall].map(shownMs), rate];
}

/** @param {Entry} entry */
function cpuRow(entry) {
  const { few, wide, resume, once } = entry.results;
  return [titleOf(entry), ...[few?.cpu, wide?.cpu, resume?.cpu, once?.cpu].map(shownMs)];
}

/** @param {number | undefined} value */
function shownMs(value) {
  if (value === undefined) return '-';
  return value < 10_000 ? ms(value) : `${(value / 1000).toFixed(1)} s`;
}

/** @param {number} value */
function ms(value) {
  return `${value.toFixed(value < 100 ? 2 : 0)} ms`;
}

/** @param {number} value */
function bytes(value) {
  return Number.isNaN(value) ? '?' : value.toFixed(0);
}
