// What a sync with nothing to do costs beyond the start of the program, with 1,000 caps: `npm run bench`.
// Processor time of whole processes, in turns with `toolang --version`; other work on the machine only ever adds to it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { quartile, tableOf, verdict } from './measure.mjs';

/** Milliseconds of processor time. */
const goal = 100;

/** Says on a file descriptor of its own what the process has used. */
const meter = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(3, String((user + system) / 1000)); });",
)}`;

/**
 * @param {string} dir
 * @param {number} caps
 */
function fill(dir, caps) {
  /** @type {(file: string, text: string) => void} */
  const write = (file, text) => {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  };
  let source = '';
  for (let i = 0; i < caps; i++) {
    if (i % 5 === 0) write(`home/.toolang/prompts/p${i}.md`, `---\ntone: calm\n---\nSay ${i}.\n`);
    if (i % 5 === 1) {
      write(`home/.toolang/skills/s${i}/SKILL.md`, `---\ndescription: Skill ${i}.\n---\nLook at ${i}.\n`);
      write(`home/.toolang/skills/s${i}/scripts/run.sh`, '#!/bin/sh\n');
    }
    if (i % 5 === 2) {
      write(`root/services/v${i}.md`, `---\ndescription: ${i}.\ntransport: stdio\ntarget: serve ${i}\n---\n`);
    }
    if (i % 5 === 3) write(`root/psyches/y${i}.md`, `Be ${i}.\n`);
    if (i % 5 === 4) source += `psyche inline${i}:\n  Be ${i}.\n\n`;
  }
  write('home/agent.too', `${source}thunk go(input: Message) -> Text:\n  user: Go.\n`);
}

/**
 * @param {string} cli the built program
 * @param {number} rounds
 * @param {number} [caps]
 */
export function syncCosts(cli, rounds, caps = 1000) {
  const dir = mkdtempSync(join(tmpdir(), 'toolang-bench-'));
  /** @type {(args: readonly string[], expected: string) => number} */
  const run = (args, expected) => {
    const ran = spawnSync(process.execPath, ['--import', meter, cli, ...args], {
      cwd: join(dir, 'home'),
      env: { ...process.env, TOOLANG_ROOT: join(dir, 'root') },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    if (ran.status !== 0 || !`${ran.stdout}${ran.stderr}`.includes(expected)) {
      throw new Error(`toolang ${args.join(' ')} ended with ${ran.status ?? ran.signal}: ${ran.stderr}`);
    }
    return Number(ran.output[3]);
  };
  try {
    fill(dir, caps);
    const whole = run(['sync'], `${caps} changes`);
    /** @type {number[]} */
    const start = [];
    /** @type {number[]} */
    const sync = [];
    for (let round = 0; round < rounds; round++) {
      start.push(run(['--version'], '.'));
      sync.push(run(['sync'], 'up to date'));
    }
    return { whole, start: quartile(start), sync: quartile(sync), beyond: quartile(sync) - quartile(start) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const { values } = parseArgs({
    options: {
      cli: { type: 'string', default: join(root, 'dist/cli.cjs') },
      rounds: { type: 'string', default: '15' },
    },
  });
  if (!existsSync(values.cli)) throw new Error(`${values.cli} is not there: run \`npm run build\` first`);
  console.log(
    `sync of 1,000 caps, processor time, lower quartile of ${values.rounds} runs on Node ${process.versions.node}`,
  );
  const { whole, start, sync, beyond } = syncCosts(resolve(values.cli), Number(values.rounds));
  const ms = (/** @type {number} */ time) => `${time.toFixed(0)} ms`;
  console.log(
    tableOf([
      ['', 'time', 'goal', ''],
      ['the first, which makes all', ms(whole), '', ''],
      ['toolang --version', ms(start), '', ''],
      ['with nothing to do', ms(sync), '', ''],
      ['with nothing to do, beyond the start', ms(beyond), `<= ${goal} ms`, verdict(beyond, goal, 'most').text],
    ]),
  );
  if (verdict(beyond, goal, 'most').gross) process.exitCode = 1;
}
