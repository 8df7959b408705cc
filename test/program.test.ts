/** Programs that run their own workflows, with the built package, as processes of their own: also when they are killed. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { built } from './built.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
let top: string;
let dir: string;
let places = 0;

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-program-')));
  const own = join(top, 'node_modules/toolang');
  mkdirSync(own, { recursive: true });
  cpSync(join(root, 'package.json'), join(own, 'package.json'));
  cpSync(built(), join(own, 'dist'), { recursive: true });
  for (const name of ['effect', 'jiti', '@swc']) {
    symlinkSync(join(root, 'node_modules', name), join(top, 'node_modules', name), 'junction');
  }
});
beforeEach(() => {
  dir = join(top, `work-${++places}`);
  mkdirSync(dir);
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

interface Ended {
  readonly out: string;
  readonly err: string;
  /** The code of its exit, or the signal that ended it. */
  readonly end: number | string | null;
}

function node(...args: string[]): Ended {
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, args, {
    cwd: dir,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { out: stdout, err: stderr, end: signal ?? status };
}

/** Each step writes a line `id key` when it begins; the process dies in the one whose number is given. */
const program = `import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { Schema } from 'effect';
import { parallel, run, runIdOf, step, workflow } from 'toolang/workflow';

const deadly = Number(process.argv[2]);
let begun = 0;
const done = (id, give) =>
  step(id, {
    async run(context) {
      appendFileSync('steps.txt', id + ' ' + context.key + '\\n');
      if (++begun === deadly) process.kill(process.pid, 'SIGKILL');
      return give(context);
    },
    output: Schema.Number,
  });

const flow = workflow({
  name: 'count',
  input: Schema.Struct({ n: Schema.Number }),
  steps: ({ input }) => {
    const one = done('one', ({ read }) => read(input.n) + 1);
    const code = step('code', { run: 'return one * 10', output: Schema.Number });
    const left = done('left', ({ read }) => read(code) + 1);
    const right = done('right', ({ read }) => read(code) + 2);
    const sum = done('sum', ({ read }) => read(left) + read(right));
    return [one, code, parallel({ children: [left, right] }), sum];
  },
});
const result = await run(flow, { n: 1 }, { store: 'runs.db', runId: runIdOf('count') });
console.log(JSON.stringify({ status: result.status, output: result.output }));
`;

describe('a program that is killed', () => {
  const steps = ['one', 'left', 'right', 'sum'];

  it.each([1, 2, 3, 4])('in function %i goes on where it was', (number) => {
    writeFileSync(join(dir, 'program.mjs'), program);
    expect(node('program.mjs', String(number)).end).toBe('SIGKILL');
    expect(node('program.mjs')).toEqual({ out: '{"status":"done","output":43}\n', err: '', end: 0 });
    const lines = readFileSync(join(dir, 'steps.txt'), 'utf8').trim().split('\n');
    // What had begun and was not kept begins again, with the same key; nothing else does.
    const again = lines.filter((line, at) => lines.indexOf(line) < at).map((line) => line.split(' ')[0] ?? '');
    expect(again).toContain(steps[number - 1]);
    expect(again.every((id) => (number === 3 ? ['left', 'right'].includes(id) : id === steps[number - 1]))).toBe(true);
    expect([...new Set(lines.map((line) => line.split(' ')[0]))]).toEqual(steps);
    expect(node('program.mjs').out).toBe('{"status":"done","output":43}\n');
    expect(readFileSync(join(dir, 'steps.txt'), 'utf8').trim().split('\n')).toEqual(lines);
  });

  it('each of the last times in the same step is not begun by itself', () => {
    writeFileSync(join(dir, 'program.mjs'), program);
    for (let i = 0; i < 3; i++) expect(node('program.mjs', '1').end).toBe('SIGKILL');
    const { err, end } = node('program.mjs');
    expect(end).toBe(1);
    expect(err).toMatch(/TOO6207|its process died each of the last times that one#1 was running/);
    writeFileSync(join(dir, 'program.mjs'), program.replace("runId: runIdOf('count')", '$&, again: true'));
    expect(node('program.mjs').out).toBe('{"status":"done","output":43}\n');
  });
});

it('an error that nobody catches is shown with its words and its code, and with no page of our code', () => {
  writeFileSync(join(dir, 'x.mjs'), "import { run } from 'toolang/workflow';\nawait run({}, {}, { stroe: 'a.db' });\n");
  const { err, end } = node('x.mjs');
  expect(end).toBe(1);
  expect(err).toContain('ToolangError: unknown option "stroe". Did you mean "store"?');
  expect(err).toContain("code: 'TOO6205'");
  expect(Math.max(...err.split('\n').map((line) => line.length))).toBeLessThan(300);
});

describe('the example', () => {
  it('charges each order once, and waits for a yes', () => {
    cpSync(join(root, 'examples/programs/orders.mjs'), join(dir, 'orders.mjs'));
    const tea = 'a-17: tea, cup (receipt of charge#1)\n';
    const waits = 'waits: Charge 48000 cents for the order b-4?\n';
    expect(node('orders.mjs')).toEqual({ out: `charging 1500 cents\n${tea}${waits}`, err: '', end: 0 });
    expect(node('orders.mjs')).toEqual({ out: `${tea}${waits}`, err: '', end: 0 });
    const bicycle = 'b-4: bicycle (receipt of charge#1)\n';
    expect(node('orders.mjs', '--approve')).toEqual({ out: `${tea}charging 57600 cents\n${bicycle}`, err: '', end: 0 });
    expect(node('orders.mjs')).toEqual({ out: `${tea}${bicycle}`, err: '', end: 0 });
  });
});

it('the command line knows the runs of a program, and says that only the program can go on with them', () => {
  cpSync(join(root, 'examples/programs/orders.mjs'), join(dir, 'orders.mjs'));
  node('orders.mjs');
  const cli = join(top, 'node_modules/toolang/dist/cli.cjs');
  const { runs } = JSON.parse(node(cli, 'runs', '--json', '--store', 'orders.db').out) as {
    runs: { run: string; status: string; name: string }[];
  };
  expect(runs.map(({ name, status }) => [name, status]).sort()).toEqual([
    ['ship', 'done'],
    ['ship', 'waiting'],
  ]);
  const id = runs.find(({ status }) => status === 'waiting')?.run ?? '';
  const said = node(cli, 'approve', id, '--store', 'orders.db');
  expect(said.err).toContain(`It goes on with run(…, { resume: "${id}" }) in its program`);
  expect(node('orders.mjs').out).toContain('charging 57600 cents\nb-4: bicycle');
});
