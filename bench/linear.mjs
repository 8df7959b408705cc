// Whether time grows with the length of a text and no faster: `node bench/linear.mjs [PART OF A NAME]`.
// Each shape of `test/generate/huge.ts` and `huge-workflow.ts` is read, checked and formatted at two sizes, one four times the other. The ratio
// of the times is taken for texts of four times the length: 4 is linear, 16 quadratic. More than 10 fails, when it does so
// again at larger sizes.
import { bundleFrontEnd, loadFrontEnd } from './bundle.mjs';
import { cpu, cpuOf, median, tableOf } from './measure.mjs';

/** @typedef {import('../test/generate/huge.ts').HugeShape & { timesOf: Times }} HugeShape */
/** @typedef {(text: string, runs: number) => Record<string, number> | Promise<Record<string, number>>} Times */
/** @typedef {{ stage: string, ms: number, ratio: number }} Growth */

const limit = 10;
/** Below this nothing can be told from noise. */
const leastMs = 30;
const longMs = 3000;

const api = await loadFrontEnd(await bundleFrontEnd());
const host = { tools: api.builtinTools, models: ['model-1'], caps: [], hands: [], hasFile: () => false };

/** Workflows take minutes, so they are measured only when they are asked for. */
const part = process.argv[2] ?? '';
const shapes = [
  ...api.hugeShapes.map((shape) => ({ ...shape, timesOf })),
  ...api.hugeWorkflows.map((shape) => ({ ...shape, name: `.toon: ${shape.name}`, timesOf: timesOfWorkflow })),
].filter(({ name }) => (part === '' ? !name.includes('.toon') : name.includes(part)));
if (shapes.length === 0) throw new Error(`no shape has "${part}" in its name`);
/** @type {string[][]} */
const rows = [];
let failed = 0;
for (const shape of shapes) {
  const { ms, ratio, stage, problem } = await measure(shape);
  if (problem !== '') failed++;
  rows.push([shape.name, `${ms.toFixed(0)} ms`, stage === '' ? '' : ratio.toFixed(1), stage, problem]);
}
console.log(
  `growth of CPU time with four times the text, on Node ${process.versions.node} (4 is linear, at most ${limit})`,
);
console.log(tableOf([['', 'all', 'ratio', 'worst part', ''], ...rows]));
console.log(
  failed === 0
    ? `all ${shapes.length} are linear`
    : `${failed} of ${shapes.length} fail, or grow faster than their text`,
);
if (failed > 0) process.exitCode = 1;

/**
 * Other work on the machine and the collector of garbage make outliers. What really grows too fast does so again with
 * four times the text; what already took long is not tried again.
 * @param {HugeShape} shape
 * @returns {Promise<Growth & { problem: string }>}
 */
async function measure(shape) {
  try {
    let growth = await growthOf(shape, shape.n, 3);
    for (let again = 1; again <= 2 && growth.ratio > limit && growth.ms < longMs; again++) {
      growth = await growthOf(shape, shape.n * 4 ** again, 3);
    }
    return { ...growth, problem: growth.ratio > limit ? 'TOO FAST' : '' };
  } catch (error) {
    // The others are still of interest.
    return { stage: '', ms: 0, ratio: 0, problem: `FAILED: ${error instanceof Error ? error.message : error}` };
  }
}

/**
 * The part that grows fastest. Parts that take no time at the larger size are not compared.
 * @param {HugeShape} shape
 * @param {number} n the larger size
 * @param {number} runs
 * @returns {Promise<Growth>}
 */
async function growthOf(shape, n, runs) {
  const small = shape.write(Math.ceil(n / 4));
  const large = shape.write(n);
  const few = await shape.timesOf(small, runs);
  const many = await shape.timesOf(large, runs);
  const wider = large.length / small.length / 4;
  /** @type {Growth} */
  let worst = { stage: '', ms: 0, ratio: 0 };
  let ms = 0;
  for (const [stage, time] of Object.entries(many)) {
    ms += time;
    if (time < leastMs) continue;
    const ratio = time / Math.max(few[stage] ?? 0, 1) / wider;
    if (ratio > worst.ratio) worst = { stage, ms, ratio };
  }
  return { ...worst, ms };
}

/**
 * @param {string} text
 * @param {number} runs
 * @returns {Record<string, number>}
 */
function timesOf(text, runs) {
  /** @type {Record<string, number[]>} */
  const times = { parse: [], check: [], show: [], format: [] };
  for (let run = 0; run < runs; run++) {
    const source = api.createSource('huge.too', text);
    let parsed = api.parse(api.createSource('empty.too', ''));
    times.parse?.push(cpuOf(() => (parsed = api.parse(source))));
    let { diagnostics } = parsed;
    times.check?.push(cpuOf(() => ({ diagnostics } = api.checkProgram(parsed, host))));
    times.show?.push(
      cpuOf(() => {
        for (const d of diagnostics) api.toJson(d);
        for (const d of diagnostics.slice(0, 100)) api.renderDiagnostic(d, { color: false, columns: 80 });
      }),
    );
    if (!api.hasErrors(parsed.diagnostics)) times.format?.push(cpuOf(() => api.format(source, parsed.tokens)));
  }
  return Object.fromEntries(Object.entries(times).map(([stage, values]) => [stage, median(values)]));
}

/**
 * @param {string} text
 * @param {number} runs
 * @returns {Promise<Record<string, number>>}
 */
async function timesOfWorkflow(text, runs) {
  /** @type {Record<string, number[]>} */
  const times = { parse: [], check: [], show: [], format: [] };
  for (let run = 0; run < runs; run++) {
    const source = api.createSource('huge.toon', text);
    let parsed = api.parseToon(source, { profile: true });
    times.parse?.push(cpuOf(() => (parsed = api.parseToon(source, { profile: true }))));
    const start = cpu();
    const { diagnostics } = await api.planWorkflow(source, { file: '/huge.toon', read: api.readHuge });
    times.check?.push(cpu() - start);
    times.show?.push(
      cpuOf(() => {
        for (const d of diagnostics) api.toJson(d);
        for (const d of diagnostics.slice(0, 100)) api.renderDiagnostic(d, { color: false, columns: 80 });
      }),
    );
    if (!api.hasErrors(parsed.diagnostics)) times.format?.push(cpuOf(() => api.formatToon(source)));
  }
  return Object.fromEntries(Object.entries(times).map(([stage, values]) => [stage, median(values)]));
}
