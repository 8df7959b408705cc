// Builds the program, then shows what it does in a folder that is gone afterwards: `npm run demo`. No key, no network.
// `--dist DIR` shows a program that is built already.
// Each step says what it shows, runs a command as you would, and is held to what it said.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, stripVTControlCharacters } from 'node:util';

/**
 * @typedef {{ status: number | null, text: string }} Ran
 * @typedef {{ say: string[], args: string[], cut?: number, before?: () => void, holds: (ran: Ran) => boolean }} Step
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const columns = 80;

/**
 * @param {string} dist the built program
 * @param {boolean} color
 */
function demo(dist, color) {
  const top = mkdtempSync(join(tmpdir(), 'toolang-demo-'));
  const folder = join(top, 'hello');
  const file = join(folder, 'hello.too');
  const paint = (/** @type {number} */ style, /** @type {string} */ text) =>
    color ? `\x1b[${style}m${text}\x1b[0m` : text;
  try {
    for (const [i, step] of steps(file).entries()) {
      step.before?.();
      const cwd = i === 0 ? top : folder;
      console.log(`\n${step.say.map((line) => paint(2, `# ${line}`)).join('\n')}`);
      if (i === 1) console.log(paint(1, '$ cd hello'));
      console.log(`${paint(1, `$ toolang ${step.args.join(' ')}`)}`);
      const ran = toolang(dist, step.args, cwd, top, color);
      console.log(shorten(ran.text, step.cut));
      if (!step.holds(ran)) throw new Error(`"toolang ${step.args.join(' ')}" did not do what the demo says`);
    }
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
  console.log(`\n${paint(1, 'What to try next')}\n`);
  for (const line of next) console.log(line === '' ? '' : `  ${line}`);
}

const next = [
  'npx toolang new mine             # an agent of your own, here',
  'npx toolang check examples       # more agents to read, in examples/',
  'npx toolang explain TOO1601      # what an error means, with an example',
  'npx toolang --help               # everything else',
];

/**
 * @param {string} file
 * @returns {Step[]}
 */
function steps(file) {
  const read = () => readFileSync(file, 'utf8');
  let original = '';
  return [
    {
      say: ['A new agent: one file that says what it answers with, how it speaks,', 'and what it may use.'],
      args: ['new', 'hello'],
      holds: ({ status, text }) => status === 0 && text.includes('hello.too'),
    },
    {
      say: ['The checker reads all of it. Nothing is wrong yet.'],
      args: ['check'],
      holds: ({ status, text }) => {
        original = read();
        return status === 0 && text.includes('no problems');
      },
    },
    {
      say: [
        'Now three names are misspelled: a hand, a template, a parameter.',
        'Every mistake is found at once, before a model costs anything.',
      ],
      before: () => writeFileSync(file, broken(read())),
      args: ['check'],
      holds: ({ status, text }) => status === 2 && text.includes('3 errors in 1 file'),
    },
    {
      say: ['It knows what was meant, and can write it.'],
      args: ['check', '--fix'],
      holds: ({ status, text }) => status === 0 && text.includes('mended 3 problems') && read() === original,
    },
    {
      say: ['Somebody has indented the file by hand. There is one layout.'],
      before: () => writeFileSync(file, read().replaceAll(/^ +/gm, '$&$&').replaceAll(' -> ', '->')),
      args: ['fmt'],
      holds: ({ status, text }) => status === 0 && text.includes('1 file formatted') && read() === original,
    },
    {
      say: [
        'And this is what a model would be asked: the tools, the instructions,',
        'the messages, the shape of the answer. No model was called.',
      ],
      args: ['explain', 'hello.too'],
      cut: 36,
      holds: ({ status, text }) => status === 0 && text.includes('thunk default('),
    },
  ];
}

/**
 * Each name is changed in the one place that uses it.
 * @param {string} text
 */
function broken(text) {
  const changes = [
    ['hands = summarize', 'hands = sumarize'],
    ['\n  instruct: notes', '\n  instruct: nots'],
    ['{{audience}}', '{{audiense}}'],
  ];
  for (const [right = '', wrong = ''] of changes) {
    if (!text.includes(right)) throw new Error(`the new agent has no "${right}" to misspell`);
    text = text.replace(right, () => wrong);
  }
  return text;
}

/**
 * @param {string} dist
 * @param {string[]} args
 * @param {string} cwd
 * @param {string} home
 * @param {boolean} color
 * @returns {Ran}
 */
function toolang(dist, args, cwd, home, color) {
  const { NO_COLOR: _no, FORCE_COLOR: _force, npm_command: _npm, TOOLANG_ROOT: _root, ...env } = process.env;
  const ran = spawnSync(process.execPath, [join(dist, 'cli.js'), ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...env, HOME: home, ...(color ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) },
  });
  if (ran.error) throw ran.error;
  return { status: ran.status, text: `${ran.stdout}${ran.stderr}` };
}

/**
 * @param {string} text
 * @param {number | undefined} most
 */
function shorten(text, most) {
  const lines = text.trimEnd().split('\n');
  const wide = lines.find((line) => stripVTControlCharacters(line).length > columns + 20);
  if (wide !== undefined) throw new Error(`too wide for a terminal: ${wide}`);
  if (most === undefined || lines.length <= most) return lines.join('\n');
  return `${lines.slice(0, most).join('\n')}\n… and ${lines.length - most} lines more`;
}

/** Quietly: what the build says is of no interest here, unless it fails. */
function build() {
  const ran = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(`the build failed\n${ran.stdout}${ran.stderr}`);
  return join(root, 'dist');
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { dist: { type: 'string' } } });
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const color =
    !NO_COLOR && (FORCE_COLOR !== undefined ? FORCE_COLOR !== '0' : process.stdout.isTTY && TERM !== 'dumb');
  try {
    demo(values.dist ?? build(), color);
  } catch (error) {
    console.error(`\nthe demo failed: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
