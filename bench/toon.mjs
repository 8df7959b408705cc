// How fast 10,000 lines of a workflow are read and checked, beside the reference decoder of TOON, which only decodes:
// `node bench/toon.mjs`. Runs are interleaved, so that whatever else the machine does hits all alike.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { decode } from '@toon-format/toon';
import { bundleFrontEnd, loadFrontEnd } from './bundle.mjs';
import { cpu, quartile, tableOf, verdict } from './measure.mjs';

/** @typedef {import('./bundle.mjs').FrontEnd} FrontEnd */

const lines = 10_000;
const goalMs = 100;
const goalRatio = 1;
const rounds = 24;

const coldOption = '--cold=';
const cold = process.argv.find((arg) => arg.startsWith(coldOption));
if (cold !== undefined) await runCold(cold.slice(coldOption.length));
else await run();

async function run() {
  const bundle = await bundleFrontEnd();
  const api = await loadFrontEnd(bundle);
  const text = api.realisticWorkflow(1, lines);
  const [found] = (await plan(api, text)).diagnostics;
  if (found !== undefined) throw new Error(`the workflow of the bench has problems: ${found.message}`);
  /** @type {Record<string, () => unknown>} */
  const work = {
    decode: () => decode(text),
    parse: () => api.parseToon(api.createSource('bench.toon', text)),
    check: () => plan(api, text),
  };
  /** @type {Record<string, number[]>} */
  const times = { decode: [], parse: [], check: [] };
  // Warm: V8 goes on compiling for many rounds.
  for (let round = -20; round < rounds; round++) {
    for (const [name, task] of Object.entries(work)) {
      const start = cpu();
      await task();
      if (round >= 0) times[name]?.push(cpu() - start);
    }
  }
  const reference = quartile(times.decode ?? []);
  const parse = quartile(times.parse ?? []);
  const check = quartile(times.check ?? []);
  const start = coldMs(bundle);
  const ratio = verdict(reference / parse, goalRatio, 'least');
  const warm = verdict(check, goalMs, 'most');
  const fresh = verdict(start, goalMs, 'most');
  console.log(
    `${lines} lines (${Math.round(text.length / 1000)} KB) of .toon, lower quartile of the CPU time on Node ${process.versions.node}`,
  );
  console.log(
    tableOf([
      ['', 'CPU', 'speed', 'goal', ''],
      ['the reference decoder', ms(reference), '1x', '', ''],
      ['parseToon(), with positions', ms(parse), speed(reference / parse), `>= ${goalRatio}x`, ratio.text],
      ['read, planned and checked, warm', ms(check), speed(reference / check), `<= ${goalMs} ms`, warm.text],
      ['the same, first in a process', ms(start), speed(reference / start), `<= ${goalMs} ms`, fresh.text],
    ]),
  );
  // The first run is told but does not fail: most of it is V8 compiling, on other threads too.
  if (ratio.gross || warm.gross) process.exitCode = 1;
}

/**
 * @param {FrontEnd} api
 * @param {string} text
 */
function plan(api, text) {
  return api.planWorkflow(api.createSource('bench.toon', text), { file: '/bench.toon', read: api.readHuge });
}

/**
 * In fresh processes: after start and load, before anything was compiled.
 * @param {string} bundle
 */
function coldMs(bundle) {
  const runs = Array.from({ length: 8 }, () => {
    // As the program sets it for itself, in `src/cli/process.ts`.
    const args = ['--interrupt-budget=600000', fileURLToPath(import.meta.url), `${coldOption}${bundle}`];
    const ran = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(`the fresh process ended with ${ran.status ?? ran.signal}: ${ran.stderr}`);
    return Number(ran.stdout);
  });
  return quartile(runs);
}

/** @param {string} bundle */
async function runCold(bundle) {
  const api = await loadFrontEnd(bundle);
  const text = api.realisticWorkflow(1, lines);
  const start = cpu();
  await plan(api, text);
  console.log(cpu() - start);
}

/** @param {number} value */
function speed(value) {
  return `${value.toFixed(1)}x`;
}

/** @param {number} value */
function ms(value) {
  return `${value.toFixed(1)} ms`;
}
