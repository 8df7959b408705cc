// Whether time grows with the length of a text and no faster: `node bench/linear.mjs [PART OF A NAME]`;
// `node bench/linear.mjs '' 1/2` takes every second shape, so that two of these can run beside each other.
// With `node --max-semi-space-size=256` it is not measured how the collector copies what lives a little longer.
// Each shape of `test/generate/huge.ts` and `huge-workflow.ts` is taken at the size at which it takes long enough to be
// measured, and at four times that. All that is done with a text is measured part by part, and the ratio of the times
// is taken for texts of four times the length: 4 is linear, 16 quadratic. More than 10 fails, when it does so again at
// larger sizes.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { bundle, loadFrontEnd } from './bundle.mjs';
import { cpu, cpuOf, tableOf } from './measure.mjs';

/** @typedef {import('../test/generate/huge.ts').HugeShape & { timesOf: (text: string) => Promise<Times> }} HugeShape */
/** @typedef {Record<string, number>} Times milliseconds of each part */
/** @typedef {{ stage: string, ms: number, length: number, ratio: number }} Growth */

const limit = 10;
/** What the smaller size takes at least, if the shape gets there at all. */
const enoughMs = 30;
/** Below this nothing can be told from noise. */
const leastMs = 30;
const longMs = 1000;

setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = runInNewContext('gc');

const [, , part = '', share = '1/1'] = process.argv;
const [which = 1, parts = 1] = share.split('/').map(Number);
const api = await loadFrontEnd(await bundle(`linear-${which}`, 'bench/front-end.ts'));
const host = { tools: api.builtinTools, models: ['model-1'], caps: [], hands: [], hasFile: () => false };
const shapes = [
  ...api.hugeShapes.map((shape) => ({ ...shape, timesOf })),
  ...api.hugeWorkflows.map((shape) => ({ ...shape, name: `.toon: ${shape.name}`, timesOf: timesOfWorkflow })),
].filter(({ name }, place) => name.includes(part) && place % parts === which - 1);
if (shapes.length === 0) throw new Error(`no shape has "${part}" in its name`);
/** @type {Map<string, Growth & { problem: string }>} */
const results = new Map();
for (const shape of shapes) results.set(shape.name, await measure(shape));
// The machine has slow phases: what failed is tried again when they may be over.
for (let again = 0; again < 2; again++) {
  for (const shape of shapes)
    if (results.get(shape.name)?.problem !== '') results.set(shape.name, await measure(shape));
}
const failed = [...results.values()].filter(({ problem }) => problem !== '').length;
const rows = Array.from(results, ([name, { ms, length, ratio, stage, problem }]) => {
  const kilobytes = length / 1000;
  return [
    name,
    `${kilobytes.toFixed(0)} kB`,
    `${ms.toFixed(0)} ms`,
    (ms / kilobytes).toFixed(2),
    stage === '' ? '' : ratio.toFixed(1),
    stage,
    problem,
  ];
});
console.log(
  `growth of CPU time with four times the text, on Node ${process.versions.node} (4 is linear, at most ${limit})`,
);
console.log(tableOf([['', 'text', 'all', 'ms/kB', 'ratio', 'worst part', ''], ...rows]));
console.log(
  failed === 0
    ? `all ${shapes.length} are linear`
    : `${failed} of ${shapes.length} fail, or grow faster than their text`,
);
if (failed > 0) process.exitCode = 1;

/**
 * Other work on the machine and the collector of garbage make outliers, and only ever add to a time. So what seems to grow
 * too fast is measured again, also at larger sizes, and the shortest times of each size count; what already took long is not
 * made larger.
 * @param {HugeShape} shape
 * @returns {Promise<Growth & { problem: string }>}
 */
async function measure(shape) {
  try {
    const n = await sizeOf(shape);
    /** @type {Map<number, Times>} */
    const best = new Map();
    let growth = await growthOf(shape, n, 1, best);
    let longest = growth.ms;
    for (const times of [1, 1, 4, 1, 4, 16, 1, 1]) {
      if (growth.ratio <= limit) break;
      if (times > 1 && longest > longMs) continue;
      growth = await growthOf(shape, sizeFor(shape, n, times), 3, best);
      longest = Math.max(longest, growth.ms);
    }
    return { ...growth, problem: growth.ratio > limit ? 'TOO FAST' : '' };
  } catch (error) {
    // The others are still of interest.
    const problem = `FAILED: ${error instanceof Error ? error.message : error}`;
    return { stage: '', ms: 0, length: 0, ratio: 0, problem };
  }
}

/**
 * The first size that takes long enough, or the whole. The way there also warms up.
 * @param {HugeShape} shape
 */
async function sizeOf(shape) {
  let n = Math.ceil(shape.n / 256);
  while (n < shape.n) {
    const text = shape.write(n);
    let ms = totalOf(await shape.timesOf(text));
    // The first time anything runs it takes longer.
    if (ms >= enoughMs) ms = Math.min(ms, totalOf(await shape.timesOf(text)));
    if (ms >= enoughMs) break;
    n = Math.min(shape.n, sizeFor(shape, n, 4), Math.ceil(n * Math.max(1.5, enoughMs / ms)));
  }
  return n;
}

/**
 * The size at which the text is about that many times as long: in some shapes there are `n` things of length `n`.
 * @param {HugeShape} shape
 * @param {number} n
 * @param {number} times 1, 4 or 16
 */
function sizeFor(shape, n, times) {
  let size = n;
  for (let longer = 1; longer < times; longer *= 4) {
    const power = Math.log2(shape.write(2 * size).length / shape.write(size).length);
    size = Math.ceil(size * 4 ** (1 / Math.max(1, power)));
  }
  return size;
}

/**
 * The part that grows fastest. Parts that take no time at the larger size are not compared.
 * @param {HugeShape} shape
 * @param {number} n the smaller size
 * @param {number} runs of the larger one
 * @param {Map<number, Times>} best of each size so far
 * @returns {Promise<Growth>}
 */
async function growthOf(shape, n, runs, best) {
  const small = shape.write(n);
  const size = sizeFor(shape, n, 4);
  const large = shape.write(size);
  const few = await shortest(shape, small, runs + 1, best.get(n));
  const many = await shortest(shape, large, runs, best.get(size));
  best.set(n, few).set(size, many);
  const wider = large.length / small.length / 4;
  const worst = { stage: '', ratio: 0 };
  for (const [stage, time] of Object.entries(many)) {
    if (time < leastMs) continue;
    const ratio = time / Math.max(few[stage] ?? 0, 1) / wider;
    if (ratio > worst.ratio) Object.assign(worst, { stage, ratio });
  }
  return { ...worst, ms: totalOf(many), length: large.length };
}

/**
 * The shortest time of each part. Where there is doubt, what was left by the run before is cleaned up first, so that its
 * collection is not counted here.
 * @param {HugeShape} shape
 * @param {string} text
 * @param {number} runs
 * @param {Times} [known] the shortest so far
 */
async function shortest({ timesOf: measureOnce }, text, runs, known = {}) {
  const best = { ...known };
  for (let run = 0; run < runs; run++) {
    if (runs > 2) collectGarbage();
    for (const [stage, time] of Object.entries(await measureOnce(text))) {
      best[stage] = Math.min(best[stage] ?? time, time);
    }
  }
  return best;
}

/** @param {Times} times */
function totalOf(times) {
  return Object.values(times).reduce((sum, time) => sum + time, 0);
}

/**
 * @param {string} text
 * @returns {Promise<Times>}
 */
async function timesOf(text) {
  const source = api.createSource('huge.too', text);
  let parsed = api.parse(api.createSource('empty.too', ''));
  const parse = cpuOf(() => (parsed = api.parse(source)));
  let { diagnostics } = parsed;
  const check = cpuOf(() => ({ diagnostics } = api.checkProgram(parsed, host)));
  const show = cpuOf(() => showAll(diagnostics));
  const times = { parse, check, show };
  if (api.hasErrors(parsed.diagnostics)) return times;
  return { ...times, format: cpuOf(() => api.format(source, parsed.tokens)) };
}

/**
 * @param {string} text
 * @returns {Promise<Times>}
 */
async function timesOfWorkflow(text) {
  const source = api.createSource('huge.toon', text);
  let { diagnostics: wrong } = api.parseToon(api.createSource('empty.toon', ''));
  const parse = cpuOf(() => ({ diagnostics: wrong } = api.parseToon(source, { profile: true })));
  const start = cpu();
  const { diagnostics, plan } = await api.planWorkflow(source, { file: '/huge.toon', read: api.readHuge });
  const check = cpu() - start;
  const times = { parse, check, show: cpuOf(() => showAll(diagnostics)) };
  if (!api.hasErrors(wrong)) Object.assign(times, { format: cpuOf(() => api.formatToon(source)) });
  if (plan === undefined) return times;
  const graph = api.graphOf(plan);
  const plain = api.painter(false);
  return {
    ...times,
    diff: cpuOf(() => api.diffPlans(plan, plan)),
    graph: cpuOf(() => api.graphText(api.graphOf(plan), plain)),
    mermaid: cpuOf(() => api.graphMermaid(graph)),
    svg: cpuOf(() => api.graphSvg(graph)),
    explain: cpuOf(() => api.explainText(api.explainWorkflow(plan), plain)),
  };
}

/**
 * All are kept as data; a person looks at the first.
 * @param {readonly import('../src/text/index.ts').Diagnostic[]} diagnostics
 */
function showAll(diagnostics) {
  for (const d of diagnostics) api.toJson(d);
  for (const d of diagnostics.slice(0, 100)) api.renderDiagnostic(d, { color: false, columns: 80 });
}
