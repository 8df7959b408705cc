/** Real child processes: the program of the host is bundled from source (see `hostArguments`). */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModuleAnswer, ModuleRequest } from '../../plan/index.ts';
import { manualClock } from '../../sys/index.ts';
import { createModuleHost, type ModuleHost, type ModuleHostOptions } from './module-host.ts';

let dir: string;
let hosts: ModuleHost[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-host-'));
});

afterEach(async () => {
  await Promise.all(hosts.map((host) => host.close()));
  hosts = [];
  rmSync(dir, { recursive: true, force: true });
});

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
}

function host(options: Partial<ModuleHostOptions> = {}): ModuleHost {
  const made = createModuleHost({ cwd: dir, timeoutMs: 40_000, ...options });
  hosts.push(made);
  return made;
}

function request(specifier: string, extra: Partial<ModuleRequest> = {}): ModuleRequest {
  return { specifier, folder: dir, as: 'module', ...extra };
}

/** The answers for modules, by name. */
async function describe(names: string[], options: Partial<ModuleHostOptions> = {}): Promise<ModuleAnswer[]> {
  return [...(await host(options).describe(names.map((name) => request(name))))];
}

function fieldsOf(answer: ModuleAnswer | undefined, name = 'seen'): Record<string, unknown> {
  if (!answer?.ok) throw new Error(answer?.message);
  const info = answer.exports[name];
  if (info?.kind !== 'agent') throw new Error(`"${name}" is ${JSON.stringify(info)}`);
  return info.fields;
}

function isRunning(pid: number): boolean {
  try {
    // A process that nobody waited for still answers signals.
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits for something outside; the test's own limit ends it. */
async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('modules run in another process, in the given folder, and what they export is described', async () => {
  write({
    'a.ts': `import { appendFileSync } from 'node:fs';
      enum Level { Low = 1 }
      appendFileSync('ran', process.pid + '\\n');
      export const seen: { type: string; pid: number; cwd: string } = { type: 'fake', pid: process.pid, cwd: process.cwd() };
      export default async function lint(context: unknown) { return Level.Low; }
      export const tracker = { open(id: string) {}, name: 'x' };
      export class Plain {}
      export class Queue { size = 0; push() {} }
      export const queue = new Queue();
      export const count = 3;
      export const waiting = Promise.resolve(1);
      export const broken = { type: 'fake', tools: [() => 1] };`,
    'b.mjs': `import { pid } from 'node:process'; export const seen = { type: 'fake', pid };`,
    'c.cjs': `exports.go = () => {}; exports.seen = { type: 'fake', pid: process.pid };`,
  });
  const answers = await describe(['./a.ts', './b.mjs', './c.cjs']);
  const pids = answers.map((answer) => fieldsOf(answer).pid);
  expect(new Set(pids).size).toBe(1);
  expect(pids[0]).not.toBe(process.pid);
  expect(readFileSync(join(dir, 'ran'), 'utf8')).toBe(`${pids[0]}\n`);
  expect(fieldsOf(answers[0]).cwd).toBe(dir);
  expect(answers[0]).toMatchObject({
    ok: true,
    file: join(dir, 'a.ts'),
    exports: {
      default: { kind: 'function' },
      tracker: { kind: 'service', members: ['open'] },
      queue: { kind: 'service', members: ['push'] },
      Plain: { kind: 'other', what: 'a class' },
      count: { kind: 'other', what: 'a number' },
      waiting: { kind: 'other', what: 'a promise' },
      broken: { kind: 'other', what: expect.stringContaining('"/tools/0"') },
    },
    files: [{ file: join(dir, 'a.ts'), hash: expect.stringMatching(/^[0-9a-f]{64}$/) }],
  });
});

test('each way to fail has its own words, and the others are described all the same', async () => {
  write({
    'throws.ts': 'const a: number = 1;\nthrow new TypeError("no database");\n',
    'exits.ts': 'console.error("bye"); process.exit(3);',
    'syntax.ts': 'export const a = 1;\nexport const b: = 2;\n',
    'deep.ts': "import { a } from './syntax.ts'; export { a };",
    'plain.mjs': 'const x = 1;\nconst y = ;\n',
    'lost.ts': "import { a } from './syntx.ts'; export { a };",
    'package.ts': "import x from 'no-such-package'; export const y = x;",
    'names.mjs': "import { nothing } from './good.mjs';",
    'good.mjs': 'export const seen = { type: "fake" };',
    'late.ts': 'setImmediate(() => { throw new Error("later"); }); await new Promise((r) => setTimeout(r, 50));',
    'rejects.ts': 'Promise.reject(new Error("nobody waits"));',
    'strange.ts': 'throw { code: 7, toString() { throw 1; } };',
    'node_modules/there/package.json': '{"exports":{"./part":"./part.js"}}',
    'folder/x.ts': '',
  });
  const good = './good.mjs';
  const names = [
    './throws.ts',
    good,
    './exits.ts',
    './syntax.ts',
    './deep.ts',
    './plain.mjs',
    './lost.ts',
    './package.ts',
    './names.mjs',
    './late.ts',
    './rejects.ts',
    './strange.ts',
    './god.mjs',
    './none/x.ts',
    './folder',
    'no-such-package/part',
    'there/prt',
    'there',
    'good.mjs',
    'node:fs',
    good,
  ];
  const answers = await describe(names);
  const said = Object.fromEntries(
    answers.map((answer, i) => [names[i], answer.ok ? 'ok' : [answer.message, answer.help].join(' | ')]),
  );
  expect(said).toEqual({
    './throws.ts': '"./throws.ts" threw while it was loaded: TypeError: no database (throws.ts:2) | ',
    './good.mjs': 'ok',
    './exits.ts':
      '"./exits.ts" ended its process with code 3 while it was loaded | A module must not end the process that imports it: move process.exit into a function.\nWhat was printed last:\nbye',
    './syntax.ts': 'syntax.ts:2:17 has a syntax error: Unexpected token `=` | ',
    './deep.ts': 'syntax.ts:2:17, which "./deep.ts" imports, has a syntax error: Unexpected token `=` | ',
    './plain.mjs': 'plain.mjs:2:11 has a syntax error: Unexpected token | ',
    './lost.ts': 'lost.ts imports "./syntx.ts", which does not exist. Did you mean "./syntax.ts"? | ',
    './package.ts':
      '"./package.ts" could not be loaded: it imports "no-such-package", which is not installed | Install it: npm install no-such-package',
    './names.mjs': expect.stringContaining(`does not provide an export named 'nothing'`),
    './late.ts': '"./late.ts" threw where nothing catches it: later | ',
    './rejects.ts': '"./rejects.ts" threw where nothing catches it: nobody waits | ',
    './strange.ts': '"./strange.ts" threw while it was loaded: {"code":7} was thrown | ',
    './god.mjs': 'the module "./god.mjs" does not exist. Did you mean "./good.mjs"? | ',
    './none/x.ts': 'the module "./none/x.ts" does not exist. There is no folder "./none". | ',
    './folder': 'the module "./folder" does not exist. | ',
    'no-such-package/part':
      'the package "no-such-package/part" is not installed here | Install it: npm install no-such-package',
    'there/prt': 'the package "there" is installed, but has no "there/prt" to import | ',
    there: 'the package "there" is installed, but has no "there" to import | ',
    'good.mjs': 'there is no package "good.mjs", but there is a file of that name. | Write "./good.mjs" for the file.',
    'node:fs': '"node:fs" is a part of Node; import a file or a package | ',
  });
});

test('exports that throw when they are read are named, and the rest is described', async () => {
  write({
    'getters.ts': `module.exports = { get bad() { throw new Error('not now'); }, good() {},
      proxy: new Proxy({}, { has() { throw new Error('no has'); } }) };`,
  });
  const [answer] = await describe(['./getters.ts']);
  expect(answer).toMatchObject({
    ok: true,
    exports: {
      bad: { kind: 'other', what: 'an export that throws when it is read: Error: not now' },
      good: { kind: 'function' },
      proxy: { kind: 'other', what: 'an export that throws when it is read: Error: no has' },
    },
  });
});

test('a module that throws has run once', async () => {
  write({ 'once.mjs': `import { appendFileSync } from 'node:fs'; appendFileSync('ran', 'x'); throw new Error('no');` });
  const [answer] = await describe(['./once.mjs']);
  expect(answer).toEqual({ ok: false, message: '"./once.mjs" threw while it was loaded: Error: no (once.mjs:1)' });
  expect(readFileSync(join(dir, 'ran'), 'utf8')).toBe('x');
});

test('megabytes of output, on any stream, disturb nothing; a failure shows the end of it', async () => {
  write({
    'loud.mjs': `import { writeSync } from 'node:fs';
      for (let i = 0; i < 200; i++) { console.log('{"kind":"answer","id":0}'.padEnd(10_000, 'x')); console.error('e'.repeat(10_000)); }
      export const seen = { type: 'fake' };`,
    'last.mjs': `console.log('noise\\n'.repeat(100_000)); console.log('\\u001b[31mthe last word\\u001b[0m'); throw new Error('no');`,
    'writes.mjs': `import { writeSync } from 'node:fs'; writeSync(3, 'hello\\n'); export const seen = { type: 'fake' };`,
  });
  const answers = await describe(['./loud.mjs', './last.mjs', './writes.mjs']);
  expect(fieldsOf(answers[0])).toEqual({});
  expect(answers[1]).toMatchObject({ ok: false, message: expect.stringContaining('Error: no') });
  const help = answers[1]?.ok === false ? (answers[1].help ?? '') : '';
  expect(help).toMatch(/^What was printed last:\n…[\s\S]*noise\n+the last word$/);
  expect(help.length).toBeLessThan(1300);
  // A line that is no report is the module's own business.
  expect(fieldsOf(answers[2])).toEqual({});
});

test('the environment holds no secrets', async () => {
  write({
    'env.mjs': `export const seen = { type: 'fake', names: Object.keys(process.env), values: Object.values(process.env) };`,
  });
  const env = {
    ...process.env,
    OPENAI_API_KEY: 'planted-1',
    NPM_TOKEN: 'planted-2',
    DATABASE_URL: 'planted-3',
    NODE_OPTIONS: '--no-warnings',
    LC_ALL: 'C',
    TZ: 'UTC',
  };
  const [answer] = await describe(['./env.mjs'], { env });
  const { names, values } = fieldsOf(answer) as { names: string[]; values: string[] };
  expect(values.filter((value) => value.includes('planted'))).toEqual([]);
  expect(names.filter((name) => /KEY|TOKEN|URL|NODE_OPTIONS|VITEST/.test(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['PATH', 'LC_ALL', 'TZ']));
});

test.skipIf(process.platform !== 'linux')(
  'modules that never end are stopped with all they started; the others get their turn',
  async () => {
    write({
      'spin.mjs': `import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs';
      process.on('SIGTERM', () => {});
      const below = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: 'inherit' });
      writeFileSync('spin', process.pid + ' ' + below.pid);
      while (true);`,
      'await.mjs': `import { writeFileSync } from 'node:fs'; writeFileSync('await', String(process.pid)); await new Promise(() => {});`,
      'good.ts': `export const seen = { type: 'fake' };`,
    });
    const clock = manualClock();
    const answers = host({ timeoutMs: 10_000, clock }).describe(
      ['./spin.mjs', './await.mjs', './good.ts'].map((name) => request(name)),
    );
    await until(() => existsSync(join(dir, 'spin')) && readFileSync(join(dir, 'spin'), 'utf8').includes(' '));
    await until(() => clock.sleeping() === 1);
    // Half of the time for the first, half of the rest for the second.
    await clock.advance(5000);
    await until(() => existsSync(join(dir, 'await')) && clock.sleeping() === 1);
    const pids = readFileSync(join(dir, 'spin'), 'utf8').split(' ').map(Number);
    expect(pids.map(isRunning)).toEqual([false, false]);
    await clock.advance(2500);
    const late = 'was not loaded in time (10 s for all modules), and was stopped';
    const help = 'Look for a loop or an await at the top level of the module that never ends.';
    expect(await answers).toMatchObject([
      { ok: false, message: `"./spin.mjs" ${late}`, help },
      { ok: false, message: `"./await.mjs" ${late}`, help },
      { ok: true },
    ]);
    expect(isRunning(Number(readFileSync(join(dir, 'await'), 'utf8')))).toBe(false);
  },
);

test('closing ends what is running, and whoever waits is told', async () => {
  write({
    'await.mjs': `import { writeFileSync } from 'node:fs'; writeFileSync('await', String(process.pid)); await new Promise(() => {});`,
  });
  const made = host();
  const answers = made.describe([request('./await.mjs')]);
  await until(() => existsSync(join(dir, 'await')) && readFileSync(join(dir, 'await'), 'utf8') !== '');
  await made.close();
  expect(await answers).toEqual([{ ok: false, message: '"./await.mjs" was not loaded: the check was ended' }]);
  expect(isRunning(Number(readFileSync(join(dir, 'await'), 'utf8')))).toBe(false);
  expect(await made.describe([request('./await.mjs')])).toMatchObject([{ ok: false }]);
});

test('a module is not blamed for what an earlier one left running', async () => {
  write({
    'leaves.mjs': `setTimeout(() => process.exit(5), 100); export const seen = { type: 'fake' };`,
    'slow.mjs': `await new Promise((resolve) => setTimeout(resolve, 400)); export const seen = { type: 'fake' };`,
  });
  expect(await describe(['./leaves.mjs', './slow.mjs'])).toMatchObject([{ ok: true }, { ok: true }]);
});

test('a folder that is not there, or no request at all, is an answer too', async () => {
  write({ 'good.ts': '' });
  const [answer] = await describe(['./good.ts'], { cwd: join(dir, 'gone') });
  expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('"./good.ts" could not be loaded') });
  expect(await describe([])).toEqual([]);
});

test.skipIf(process.platform !== 'linux').each([
  ['waits', 'await new Promise(() => {});'],
  ['never yields', 'while (true);'],
])('a host whose module %s ends with its owner', async (_, hang) => {
  write({ 'hang.mjs': `import { writeFileSync } from 'node:fs'; writeFileSync('hang', String(process.pid)); ${hang}` });
  const here = JSON.stringify(pathToFileURL(join(dirname(process.env.TOOLANG_TEST_HOST ?? ''), 'module-host.js')).href);
  const code = `import(${here}).then(({ createModuleHost }) =>
    createModuleHost({ cwd: '.', timeoutMs: 60000 }).describe([{ specifier: './hang.mjs', folder: process.cwd(), as: 'module' }]))`;
  const owner = spawn(process.execPath, ['-e', code], { cwd: dir, stdio: 'inherit' });
  await until(() => existsSync(join(dir, 'hang')) && readFileSync(join(dir, 'hang'), 'utf8') !== '');
  const pid = Number(readFileSync(join(dir, 'hang'), 'utf8'));
  expect(isRunning(pid)).toBe(true);
  owner.kill('SIGKILL');
  await until(() => !isRunning(pid));
});
