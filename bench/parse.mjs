// How fast 10,000 lines of `.too` are parsed and checked, beside the Tree-sitter parser on the same text:
// `node bench/parse.mjs`. Runs are interleaved, so that whatever else the machine does hits all alike.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Language, Parser } from 'web-tree-sitter';
import { bundleFrontEnd, loadFrontEnd, root } from './bundle.mjs';
import { cpu, cpuOf, quartile, tableOf, verdict } from './measure.mjs';

const lines = 10_000;
const goalMs = 50;
const goalRatio = 3;
const rounds = 24;

const coldOption = '--cold=';
const cold = process.argv.find((arg) => arg.startsWith(coldOption));
if (cold !== undefined) await runCold(cold.slice(coldOption.length));
else await run();

async function run() {
  const bundle = await bundleFrontEnd();
  const api = await loadFrontEnd(bundle);
  const text = api.realisticProgram(1, lines);
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(join(root, 'grammar/tree-sitter-toolang.wasm')));
  const host = { tools: api.builtinTools, models: [], caps: [], hands: [], hasFile: () => false };
  /** @type {Record<string, () => unknown>} */
  const work = {
    parse: () => api.parse(api.createSource('bench.too', text)),
    check: () => api.checkProgram(api.parse(api.createSource('bench.too', text)), host),
    wasm: () => parser.parse(text)?.delete(),
    tree: () => readTree(parser, text),
  };
  const found = api.parse(api.createSource('bench.too', text)).diagnostics;
  if (found.length > 0) throw new Error(`the program of the bench has problems: ${found[0]?.message}`);
  /** @type {Record<string, number[]>} */
  const times = { parse: [], check: [], wasm: [], tree: [] };
  for (let round = -5; round < rounds; round++) {
    for (const [name, run] of Object.entries(work)) {
      const ms = cpuOf(run);
      if (round >= 0) times[name]?.push(ms);
    }
  }
  const parse = quartile(times.parse ?? []);
  const check = quartile(times.check ?? []);
  const wasm = quartile(times.wasm ?? []);
  const tree = quartile(times.tree ?? []);
  const start = coldMs(bundle);
  const warm = verdict(check, goalMs, 'most');
  const fresh = verdict(start, goalMs, 'most');
  const ratio = verdict(tree / parse, goalRatio, 'least');
  console.log(
    `${lines} lines (${Math.round(text.length / 1000)} KB) of .too, lower quartile of the CPU time on Node ${process.versions.node}`,
  );
  console.log(
    tableOf([
      ['', 'CPU', 'speed', 'goal', ''],
      ['Tree-sitter in wasm, its tree read', ms(tree), '1x', '', ''],
      ['Tree-sitter in wasm, nothing read', ms(wasm), speed(tree / wasm), '', ''],
      ['parse()', ms(parse), speed(tree / parse), `>= ${goalRatio}x`, ratio.text],
      ['parse() and check, warm', ms(check), speed(tree / check), `<= ${goalMs} ms`, warm.text],
      ['parse() and check, first in a process', ms(start), speed(tree / start), `<= ${goalMs} ms`, fresh.text],
    ]),
  );
  // The first run is told but does not fail: most of it is V8 compiling, on other threads too.
  if (warm.gross || ratio.gross) process.exitCode = 1;
}

/**
 * In fresh processes: after start and load, before anything was compiled.
 * @param {string} bundle
 */
function coldMs(bundle) {
  const runs = Array.from({ length: 8 }, () => {
    const args = [fileURLToPath(import.meta.url), `${coldOption}${bundle}`];
    const ran = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(`the fresh process ended with ${ran.status ?? ran.signal}: ${ran.stderr}`);
    return Number(ran.stdout);
  });
  return quartile(runs);
}

/** @param {string} bundle */
async function runCold(bundle) {
  const api = await loadFrontEnd(bundle);
  const text = api.realisticProgram(1, lines);
  const host = { tools: api.builtinTools, models: [], caps: [], hands: [], hasFile: () => false };
  const start = cpu();
  api.checkProgram(api.parse(api.createSource('bench.too', text)), host);
  console.log(cpu() - start);
}

/**
 * What a program in JavaScript must do to use the tree: the kind and the place of each node.
 * @param {Parser} parser
 * @param {string} text
 */
function readTree(parser, text) {
  const tree = parser.parse(text);
  if (tree === null) throw new Error('the grammar gave no tree');
  const cursor = tree.walk();
  const nodes = [];
  for (let more = true; more; ) {
    nodes.push([cursor.nodeType, cursor.startIndex, cursor.endIndex]);
    if (cursor.gotoFirstChild()) continue;
    while (more && !cursor.gotoNextSibling()) more = cursor.gotoParent();
  }
  cursor.delete();
  tree.delete();
  return nodes;
}

/** @param {number} value */
function speed(value) {
  return `${value.toFixed(1)}x`;
}

/** @param {number} value */
function ms(value) {
  return `${value.toFixed(1)} ms`;
}
