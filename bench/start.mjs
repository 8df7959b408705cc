// How long the program takes to start, as a ratio to `node -e 0`: `npm run bench`.
// Runs are interleaved, so that whatever else the machine does hits all alike; medians are compared.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, tableOf as printTable, verdict } from './measure.mjs';

/** The first start of a command keeps what it used of the program, the second what V8 made of that. */
const warmUp = 2;

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

const hello = `thunk(input: Message) -> Text:
  models = scripted
  user: Say hello.
`;

const replies = `replies[1]:
  - for: default
    text: Hello.
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
    const said = join(dir, 'hello.too');
    writeFileSync(said, hello);
    writeFileSync(join(dir, 'hello.script.toon'), replies);
    /** @type {Case[]} */
    const cases = [
      { name: 'toolang --version', args: [cli, '--version'] },
      { name: 'toolang --help', args: [cli, '--help'], reach: 1.5 },
      { name: 'toolang check (small file)', args: [cli, 'check', file], reach: 2.5 },
      // A whole run: its journal is on the disk when it ends.
      { name: 'toolang invoke (scripted)', args: [cli, 'invoke', said, 'Hi.'], reach: 3 },
    ];
    const wanted = cases.filter(({ args }) => only === undefined || only.includes(args[1] ?? ''));
    return measure([{ name: 'node -e 0', args: ['-e', '0'] }, ...wanted], rounds, dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** @param {Row[]} rows */
export function tableOf(rows) {
  const body = rows.map(({ name, ms, ratio, reach }) => [
    name,
    `${ms.toFixed(1)} ms`,
    `${ratio.toFixed(2)}x`,
    reach === undefined ? '' : `<= ${reach}x`,
    reach === undefined ? '' : verdict(ratio, reach, 'most').text,
  ]);
  return printTable([['', 'median', 'ratio', 'goal', ''], ...body]);
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
  // Runs are kept in the root: not in that of whoever measures. The list of certificates makes `node -e 0` itself slow, and so
  // the ratios small.
  const env = { ...process.env, TOOLANG_ROOT: join(cwd, 'root'), NODE_EXTRA_CA_CERTS: undefined };
  for (let round = -warmUp; round < rounds; round++) {
    for (const [i, { name, args }] of cases.entries()) {
      const start = process.hrtime.bigint();
      const ran = spawnSync(process.execPath, args, {
        cwd,
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
        encoding: 'utf8',
      });
      const ms = Number(process.hrtime.bigint() - start) / 1e6;
      if (ran.status !== 0) throw new Error(`${name} ended with ${ran.status ?? ran.signal}: ${ran.stderr}`);
      if (round >= 0) times[i]?.push(ms);
    }
  }
  const medians = times.map(median);
  const base = medians[0] ?? 1;
  return cases.map(({ name, reach }, i) => ({ name, ms: medians[i] ?? 0, ratio: (medians[i] ?? 0) / base, reach }));
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const { values } = parseArgs({
    options: {
      cli: { type: 'string', default: join(root, 'dist/cli.cjs') },
      rounds: { type: 'string', default: '25' },
    },
  });
  if (!existsSync(values.cli)) throw new Error(`${values.cli} is not there: run \`npm run build\` first`);
  console.log(`start, median of ${values.rounds} interleaved runs on Node ${process.versions.node}`);
  const rows = startRatios(resolve(values.cli), Number(values.rounds));
  console.log(tableOf(rows));
  if (rows.some(({ ratio, reach }) => reach !== undefined && verdict(ratio, reach, 'most').gross)) process.exitCode = 1;
}
