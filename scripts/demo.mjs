// Builds the program, then shows what it does in a folder that is gone afterwards: `npm run demo`. No key, no network.
// `--dist DIR` shows a program that is built already.
// Each step says what it shows, runs a command as you would, and is held to what it said.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, stripVTControlCharacters } from 'node:util';

/**
 * @typedef {{ status: number | null, text: string }} Ran
 * @typedef {{ say: string[], args: (id: string) => string[], cd?: string, cut?: number, before?: () => void,
 *   killAfter?: string, holds: (ran: Ran) => boolean }} Step
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const columns = 80;

/**
 * @param {string} dist the built program
 * @param {boolean} color
 */
async function demo(dist, color) {
  const top = mkdtempSync(join(tmpdir(), 'toolang-demo-'));
  const paint = (/** @type {number} */ style, /** @type {string} */ text) =>
    color ? `\x1b[${style}m${text}\x1b[0m` : text;
  const run = (/** @type {string[]} */ args, /** @type {string} */ cwd, /** @type {string} */ killAfter = '') =>
    toolang(dist, args, { cwd, home: top, color, killAfter });
  let cwd = top;
  let id = '';
  try {
    // Scripts answer, whatever keys and local models there are.
    mkdirSync(join(top, '.toolang'));
    writeFileSync(join(top, '.toolang/config.toml'), '[models]\ndefault = ["scripted"]\n');
    for (const { say, cd, args, cut, before, killAfter, holds } of steps(top)) {
      before?.();
      console.log(`\n${say.map((line) => paint(2, `# ${line}`)).join('\n')}`);
      if (cd !== undefined) {
        console.log(paint(1, `$ cd ${cd}`));
        cwd = join(cwd, cd);
      }
      const words = args(id);
      const line = `toolang ${words.map((word) => word.replace(/^([a-z]+=)?(.* .*)$/, '$1"$2"')).join(' ')}`;
      console.log(paint(1, `$ ${line}${killAfter === undefined ? '' : ' &'}`));
      const ran = await run(words, cwd, killAfter);
      const plain = stripVTControlCharacters(ran.text);
      id = / · run (\w+)/.exec(plain)?.[1] ?? id;
      console.log(shorten(ran.text, cut));
      if (killAfter !== undefined) console.log(paint(1, '$ kill -9 $!'));
      if (!holds({ status: ran.status, text: plain })) throw new Error(`"${line}" did not do what the demo says`);
    }
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
  console.log(`\n${paint(1, 'What to try next')}\n`);
  for (const line of next) console.log(line === '' ? '' : `  ${line}`);
}

const next = [
  'npx toolang new mine                  # an agent of your own, here',
  'npx toolang new --workflow release    # the workflow above, to change and run',
  'npx toolang check examples            # more of both to read, in examples/',
  'npx toolang explain TOO1601           # what an error means, with an example',
  'npx toolang --help                    # everything else',
];

/**
 * @param {string} top
 * @returns {Step[]}
 */
function steps(top) {
  const agent = join(top, 'hello/hello.too');
  const answers = join(top, 'hello/hello.script.toon');
  const workflow = join(top, 'release/release.toon');
  const replies = join(top, 'release/release.script.toon');
  const read = () => readFileSync(agent, 'utf8');
  let original = '';
  return [
    {
      say: ['A new agent: one file that says what it answers with, how it speaks,', 'and what it may use.'],
      args: () => ['new', 'hello'],
      holds: ({ status, text }) => status === 0 && text.includes('hello.too'),
    },
    {
      say: ['The checker reads all of it. Nothing is wrong yet.'],
      cd: 'hello',
      args: () => ['check'],
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
      before: () => writeFileSync(agent, broken(read())),
      args: () => ['check'],
      holds: ({ status, text }) => status === 2 && text.includes('3 errors in 2 files'),
    },
    {
      say: ['It knows what was meant, and can write it.'],
      args: () => ['check', '--fix'],
      holds: ({ status, text }) => status === 0 && text.includes('mended 3 problems') && read() === original,
    },
    {
      say: [
        'And this is what a model would be asked: the tools, the instructions,',
        'the messages, the shape of the answer. No model was called.',
      ],
      args: () => ['explain', 'hello.too'],
      cut: 24,
      holds: ({ status, text }) => status === 0 && text.includes('thunk default('),
    },
    {
      say: [
        'Ask it. A script answers for the model. Two parts are shortened by the hand',
        'at the same time, and an answer that does not fit is sent back and mended.',
      ],
      before: () => writeFileSync(answers, lively),
      args: () => ['hello.too', 'Bees dance. Bees see ultraviolet light.', 'audience=children'],
      holds: ({ status, text }) =>
        status === 0 && text.includes('summarize') && text.includes('repaired once') && text.includes('What bees do'),
    },
    {
      say: ['That was a run as every other: each call of a model, a tool or a hand is kept.'],
      args: (id) => ['show', id],
      holds: ({ status, text }) => status === 0 && text.includes('summarize[2]'),
    },
    {
      say: [
        'A workflow: a model does research and writes, another round of it reviews,',
        'a person decides, and code does the rest. The model answers from a file.',
      ],
      cd: '..',
      args: () => ['new', '--workflow', 'release'],
      holds: ({ status, text }) => status === 0 && text.includes('release.script.toon'),
    },
    {
      say: ['Run it, and pull the plug while the draft is written.'],
      cd: 'release',
      before: () => writeFileSync(replies, slowDraft(readFileSync(replies, 'utf8'))),
      args: () => ['run', 'release.toon', '--input', 'topic=durable agents'],
      killAfter: '✓ research',
      holds: ({ status, text }) => status === null && text.includes('✓ research') && !text.includes('✓ draft'),
    },
    {
      say: ['Nobody drives the run any more. What was done is kept.'],
      args: () => ['runs'],
      holds: ({ status, text }) => status === 0 && text.includes('interrupted'),
    },
    {
      say: [
        'One command goes on. The research is not paid for again; the draft, which was',
        'in the air, is. Then the run waits, and no process waits with it.',
      ],
      args: (id) => ['resume', id],
      holds: ({ status, text }) =>
        status === 3 && text.includes('✓ draft') && !text.includes('✓ research') && text.includes('⏸ publish'),
    },
    {
      say: [
        'Now the prompt of the draft is edited. It is shown what that means: one step',
        'runs again, and those that read it only if they have something else to read.',
      ],
      before: () => writeFileSync(workflow, edited(readFileSync(workflow, 'utf8'))),
      args: (id) => ['resume', id, '--yes'],
      holds: ({ status, text }) =>
        status === 3 &&
        text.includes('kept 1 · runs again 1') &&
        text.includes('= research') &&
        text.includes('✓ draft'),
    },
    {
      say: ['Why did it run again?'],
      args: (id) => ['why', id, 'draft'],
      holds: ({ status, text }) => status === 0 && text.includes('its prompt was changed'),
    },
    {
      say: ['Today, tomorrow, or after a restart of the machine: a person says yes.'],
      args: (id) => ['approve', id, '--note', 'fine'],
      holds: ({ status, text }) => status === 0 && text.includes('✓ post') && text.includes('nothing is lost'),
    },
    {
      say: ['The whole of it, as it was kept.'],
      args: (id) => ['show', id],
      holds: ({ status, text }) => status === 0 && text.includes('· done') && text.includes('round 2'),
    },
  ];
}

/** What answers in place of the agent's model: two calls of its hand, a note without its points, and a whole one. */
const lively = `replies[5]:
  - for: default
    calls[2]:
      - tool: summarize
        args:
          text: Bees dance.
      - tool: summarize
        args:
          text: Bees see ultraviolet light.
  - for: summarize[1]
    text: They dance.
  - for: summarize[2]
    text: They see ultraviolet light.
  - for: default
    json:
      title: What bees do
  - for: default
    json:
      title: What bees do
      points[2]: They dance.,They see ultraviolet light.
`;

/**
 * The reply of the draft comes word by word, so that there is time to kill the process in the middle of it.
 * @param {string} text
 */
function slowDraft(text) {
  const draft = '      text: A first draft.\n';
  if (!text.includes(draft)) throw new Error('the new workflow has no draft to slow down');
  return text.replace(draft, `${draft.replace('first draft', 'first draft that was written slowly')}    pace: 500ms\n`);
}

/** @param {string} text */
function edited(text) {
  const prompt = 'prompt: "Write {';
  if (!text.includes(prompt)) throw new Error('the new workflow has no prompt to edit');
  return text.replace(prompt, 'prompt: "Write at most {');
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
 * @param {{ cwd: string, home: string, color: boolean, killAfter: string }} options `killAfter`: the step behind which it is killed;
 *   the next one has begun when its line is printed
 * @returns {Promise<Ran>}
 */
async function toolang(dist, args, { cwd, home, color, killAfter }) {
  const { NO_COLOR: _no, FORCE_COLOR: _force, npm_command: _npm, TOOLANG_ROOT: _root, ...env } = process.env;
  const own = { ...env, HOME: home, ...(color ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) };
  // What is piped would be the input of an agent.
  const child = spawn(process.execPath, [join(dist, 'cli.cjs'), ...args], {
    cwd,
    env: own,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (/** @type {string} */ more) => {
      text += more;
      if (killAfter !== '' && stripVTControlCharacters(text).includes(killAfter)) child.kill('SIGKILL');
    });
  }
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { status: await ended, text };
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
    await demo(values.dist ?? build(), color);
  } catch (error) {
    console.error(`\nthe demo failed: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
