// How fast calls are found in text, against one `indexOf` over the same text: `node bench/calls.mjs`.
// What a reader of this syntax cannot do without is one look at every unit; the rest is what reading costs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, load, root } from './bundle.mjs';
import { tableOf, verdict } from './measure.mjs';

/** @typedef {typeof import('../src/calls/index.ts')} Calls */

const goal = 5;
/** Enough of them that the compiler is done, and that some meet a quiet machine. */
const runs = 40;
const least = 1500;
const EMOJI = '\u{1f6e0}';
const START = `${EMOJI}\ufe0f[`;

/** @type {Calls} */
const calls = await load(await bundle('calls', 'src/calls/index.ts'));

const mixed = flat(answer(4_000_000));
const chunks = chunksOf(mixed, 16);
let failed = 0;

const rows = [
  row(
    'whole text, events',
    () => countMarkers(mixed),
    () => scan([mixed]),
  ),
  row(
    'whole text, parse()',
    () => countMarkers(mixed),
    () => calls.parse(mixed).segments.length,
  ),
  row(
    'chunks of 16 units',
    () => chunks.reduce((sum, chunk) => sum + (chunk.indexOf(EMOJI) === -1 ? 0 : 1), 0),
    () => scan(chunks),
  ),
];
console.log(
  `reading calls in ${(mixed.length / 1e6).toFixed(1)} million units, prose and files, on Node ${process.versions.node}`,
);
console.log(tableOf([['', 'indexOf', 'ours', 'ratio', `at most ${goal}`], ...rows]));

console.log(`\ngrowth with four times the text (4 is linear, at most ${goal} is the goal)`);
const shapes = Object.entries(adversarial());
console.log(tableOf([['', 'small', 'four times', 'ratio', ''], ...shapes.map(([name, write]) => growth(name, write))]));
if (failed > 0) process.exitCode = 1;

/**
 * A long answer of a model: some words, then a whole file, and so on. The words and files are those of this repository.
 * @param {number} length
 */
function answer(length) {
  const prose = ['CONTRIBUTING.md', 'DESIGN.md'].map((name) => readFileSync(join(root, name), 'utf8')).join('\n');
  const folder = join(root, 'src/too');
  const files = readdirSync(folder)
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  let text = '';
  for (let i = 0; text.length < length; i++) {
    const words = (i * 700) % (prose.length - 700);
    const { name, text: file } = files[i % files.length] ?? { name: '', text: '' };
    text += `${prose.slice(words, words + 700)}\n${START}write-file src/too/${name}]\n${file}${START}/end]\n`;
  }
  return text;
}

/** @returns {Record<string, (n: number) => string>} texts made to be read slowly, of about `n` units */
function adversarial() {
  /** @type {(part: string) => (n: number) => string} */
  const repeat = (part) => (n) => part.repeat(Math.ceil(n / part.length));
  return {
    'start markers': repeat(START),
    'emoji alone': repeat(EMOJI),
    'unclosed headers, a line each': repeat(`${START}t a\n`),
    'headers that are too long': (n) => repeat(`${START}${'x'.repeat(5000)}`)(n),
    brackets: repeat('['),
    'opened and closed brackets': repeat('[]'),
    'almost ends in a body': (n) => `${START}t]\n${repeat(`${START}/end`)(n)}`,
    'bare ends in a body': (n) => `${START}t]\n${repeat('[/end]')(n)}`,
    'calls without a body': repeat(`${START}t]${START}/end]`),
    'stray ends': repeat(`${START}/end]`),
    fences: (n) => `${repeat('```\n~~~\n')(n)}${START}t]${START}/end]`,
    'backticks in one line': (n) => `${repeat('```')(n)}${START}t]${START}/end]`,
    'damaged markers': repeat('\ufffd\ufffd['),
    'halves of the emoji': repeat('\ud83d[\udee0['),
    'blanks before brackets': repeat(`${EMOJI}   [`),
    escapes: (n) => `${START}t]\n${repeat(`${EMOJI}\\[/end]`)(n)}`,
  };
}

/**
 * In small chunks and in large ones; the worse counts. Sizes that fit into the caches of the processor, so that the text
 * is measured and not the memory.
 * @param {string} name
 * @param {(n: number) => string} write
 */
function growth(name, write) {
  const n = 25_000;
  const texts = [flat(write(n)), flat(write(4 * n))];
  const [worst] = [3, 4096]
    .map((size) => {
      const [few = [], many = []] = texts.map((text) => chunksOf(text, size));
      const { base, ours } = compare(
        () => scan(few),
        () => scan(many),
      );
      return { small: base, large: ours, ratio: ours / base };
    })
    .sort((a, b) => b.ratio - a.ratio);
  const { small, large, ratio } = worst ?? { small: 0, large: 0, ratio: 0 };
  const { text, gross } = verdict(ratio, goal, 'most');
  if (gross) failed++;
  return [name, ms(small), ms(large), ratio.toFixed(1), text];
}

/** @param {readonly string[]} pieces */
function scan(pieces) {
  const scanner = calls.createScanner();
  let events = 0;
  for (const piece of pieces) events += scanner.push(piece).length;
  return events + scanner.finish().length;
}

/** @param {string} text */
function countMarkers(text) {
  let count = 0;
  for (let at = text.indexOf(EMOJI); at !== -1; at = text.indexOf(EMOJI, at + 2)) count++;
  return count;
}

/**
 * In turn, so that what else the machine does falls on both.
 * @param {() => number} base
 * @param {() => number} ours
 */
function compare(base, ours) {
  const best = { base: Number.POSITIVE_INFINITY, ours: Number.POSITIVE_INFINITY };
  const start = performance.now();
  for (let run = 0; run < runs || performance.now() - start < least; run++) {
    best.base = Math.min(best.base, timeOf(base));
    best.ours = Math.min(best.ours, timeOf(ours));
  }
  return best;
}

/** @param {() => number} work */
function timeOf(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/**
 * A doubtful ratio is measured twice more: for seconds at a time other work may slow this machine.
 * @param {string} name
 * @param {() => number} base
 * @param {() => number} ours
 */
function row(name, base, ours) {
  let best = compare(base, ours);
  for (let more = 0; more < 2 && best.ours > goal * best.base; more++) {
    const again = compare(base, ours);
    if (again.ours / again.base < best.ours / best.base) best = again;
  }
  const ratio = best.ours / best.base;
  const { text, gross } = verdict(ratio, goal, 'most');
  if (gross) failed++;
  return [name, ms(best.base), ms(best.ours), `${ratio.toFixed(1)}x`, text];
}

/** @param {number} value */
function ms(value) {
  return `${value.toFixed(2)} ms`;
}

/**
 * @param {string} text
 * @param {number} size
 */
function chunksOf(text, size) {
  /** @type {string[]} */
  const list = [];
  for (let at = 0; at < text.length; at += size) list.push(text.slice(at, at + size));
  return list;
}

/**
 * One piece of memory, as a text that came from outside is.
 * @param {string} text
 */
function flat(text) {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
