// How long the program takes to start, as a ratio to `node -e 0`: `npm run bench`.
// Runs are interleaved, so that whatever else the machine does hits all alike; medians are compared.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** @typedef {{ name: string, args: string[], reach?: number }} Case */
/** @typedef {{ name: string, ms: number, ratio: number, reach: number | undefined }} Row */

const agent = `struct Note:
  title: Text
  points: Text[]

thunk(input: Message) -> Note:
  hands = summarize
  user: Make notes.

thunk summarize(text: Text) -> Text:
  user: Summarize {{text}}
`;

/**
 * @param {string} cli the built program
 * @param {number} rounds
 * @param {readonly string[]} [only] the first arguments to measure, all if left out
 * @returns {Row[]}
 */
export function startRatios(cli, rounds, only) {
  const dir = mkdtempSync(join(tmpdir(), 'toolang-bench-'));
  try {
    const file = join(dir, 'small.too');
    writeFileSync(file, agent);
    /** @type {Case[]} */
    const cases = [
      { name: 'toolang --version', args: [cli, '--version'] },
      { name: 'toolang --help', args: [cli, '--help'], reach: 1.5 },
      { name: 'toolang check (small file)', args: [cli, 'check', file], reach: 2.5 },
    ];
    const wanted = cases.filter(({ args }) => only === undefined || only.includes(args[1] ?? ''));
    return measure([{ name: 'node -e 0', args: ['-e', '0'] }, ...wanted], rounds, dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** @param {Row[]} rows */
export function tableOf(rows) {
  const width = Math.max(...rows.map((row) => row.name.length));
  const line = (/** @type {string[]} */ [name = '', ms = '', ratio = '', reach = '']) =>
    `${name.padEnd(width)}  ${ms.padStart(9)}  ${ratio.padStart(6)}  ${reach.padStart(6)}`;
  const body = rows.map((row) => [
    row.name,
    `${row.ms.toFixed(1)} ms`,
    `${row.ratio.toFixed(2)}x`,
    row.reach === undefined ? '' : `≤ ${row.reach}x`,
  ]);
  return [['', 'median', 'ratio', 'reach'], ...body].map(line).join('\n');
}

/**
 * @param {Case[]} cases the first is what the others are compared with
 * @param {number} rounds
 * @param {string} cwd
 * @returns {Row[]}
 */
function measure(cases, rounds, cwd) {
  /** @type {number[][]} */
  const times = cases.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [i, { name, args }] of cases.entries()) {
      const start = process.hrtime.bigint();
      const ran = spawnSync(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
      const ms = Number(process.hrtime.bigint() - start) / 1e6;
      if (ran.status !== 0) throw new Error(`${name} ended with ${ran.status ?? ran.signal}: ${ran.stderr}`);
      // The first round warms the disk cache.
      if (round >= 0) times[i]?.push(ms);
    }
  }
  const medians = times.map(median);
  const base = medians[0] ?? 1;
  return cases.map(({ name, reach }, i) => ({ name, ms: medians[i] ?? 0, ratio: (medians[i] ?? 0) / base, reach }));
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const { values } = parseArgs({
    options: { cli: { type: 'string', default: join(root, 'dist/cli.js') }, rounds: { type: 'string', default: '25' } },
  });
  if (!existsSync(values.cli)) throw new Error(`${values.cli} is not there: run \`npm run build\` first`);
  console.log(`start, median of ${values.rounds} interleaved runs on Node ${process.versions.node}`);
  console.log(tableOf(startRatios(resolve(values.cli), Number(values.rounds))));
}
