/** Real child processes: from source a host is loaded by jiti (see `hostArguments`). */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NoteBody } from '../../journal/index.ts';
import type { Json, Outcome, StepCommand } from '../../machine/index.ts';
import { readCode } from '../../plan/index.ts';
import { endGroup, manualClock } from '../../sys/index.ts';
import type { StepContext } from '../execute.ts';
import { createHostPool, type HostPool, type HostPoolOptions, type HostRun, type HostRunOptions } from './pool.ts';

let dir: string;
let pools: HostRun[] = [];
/** What contexts were told, in order. */
let told: string[] = [];

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-pool-')));
  told = [];
});

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.leave()));
  pools = [];
  rmSync(dir, { recursive: true, force: true });
});

const linuxOnly = test.skipIf(process.platform !== 'linux');

/** The hosts of one run. */
function pool({ cwd = dir, folder = cwd, ...options }: Partial<HostPoolOptions & HostRunOptions> = {}): HostRun {
  return joined(createHostPool({ limit: 2, ...options }), { cwd, folder });
}

function joined(shared: HostPool, where: HostRunOptions = { cwd: dir }): HostRun {
  const run = shared.join(where);
  pools.push(run);
  return run;
}

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
}

function runStep(code: string, args: Json = {}, rest: Partial<StepCommand> & { names?: string[] } = {}): StepCommand {
  const { names = [], ...more } = rest;
  const spec = { kind: 'run', code, edits: [], names };
  return { op: 'step', id: 'step#1', spec, args: { steps: {}, ...(args as object) } as Json, key: 'k', ...more };
}

function handlerStep(module: string, name = 'default', args: Json = {}): StepCommand {
  const spec = { kind: 'handler', module, name };
  return { op: 'step', id: 'step#1', spec, args: { steps: {}, ...(args as object) } as Json, key: 'k' };
}

function context(extra: Partial<StepContext> = {}): StepContext & { printed: () => string } {
  const notes: NoteBody[] = [];
  return {
    runId: 'run1',
    idempotencyKey: 'run1/step#1',
    attempt: 1,
    signal: new AbortController().signal,
    notes: [],
    note: (body) => void notes.push(body),
    spawned: (pid) => void told.push(`spawned ${pid}`),
    ended: (pid) => void told.push(`ended ${pid}`),
    printed: () => notes.map((note) => (note.kind === 'node.printed' ? note.text : '')).join('|'),
    ...extra,
  };
}

async function run(pool: HostRun, code: string, args: Json = {}, names: string[] = []): Promise<Outcome> {
  return (await pool.execute(runStep(code, args, { names }), context())).outcome;
}

async function handle(pool: HostRun, module: string, name?: string, args?: Json): Promise<Outcome> {
  return (await pool.execute(handlerStep(module, name, args), context())).outcome;
}

/** Of the host that did a step. */
async function pidOf(pool: HostRun, extra?: Partial<StepContext>): Promise<number> {
  const { outcome } = await pool.execute(runStep('return process.pid'), context(extra));
  return ('ok' in outcome ? outcome.ok : 0) as number;
}

function messageOf(outcome: Outcome): string {
  return 'err' in outcome ? outcome.err.message : `no error: ${JSON.stringify(outcome)}`;
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

function pidsIn(name: string, count = 1): number[] {
  const path = join(dir, name);
  const pids = existsSync(path) ? readFileSync(path, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number) : [];
  return pids.length >= count ? pids : [];
}

test('code runs in another process with all that is in scope, and a second step in the same one', async () => {
  const hosts = pool();
  const code = `return { pid: process.pid, here: process.cwd() === cwd, input, loop, params, id, attempt, runId, key,
    a: draft.text, b: steps['re-view'], none: none ?? 'none', isAborted: signal.aborted }`;
  const step = runStep(
    code,
    {
      input: { n: 'ü𝄞\u2028' },
      loop: { iteration: 2 },
      params: { p: 1 },
      id: 'use',
      steps: { draft: { text: 'x' }, 're-view': [1] },
    },
    { names: ['draft', 're-view', 'none'] },
  );
  const first = await hosts.execute(step, context({ attempt: 3 }));
  expect(first.outcome).toEqual({
    ok: {
      pid: expect.any(Number),
      here: true,
      input: { n: 'ü𝄞\u2028' },
      loop: { iteration: 2 },
      params: { p: 1 },
      id: 'use',
      attempt: 3,
      runId: 'run1',
      key: 'run1/step#1',
      a: 'x',
      b: [1],
      none: 'none',
      isAborted: false,
    },
  });
  const pid = ('ok' in first.outcome && (first.outcome.ok as { pid: number }).pid) as number;
  expect(pid).not.toBe(process.pid);
  expect(await run(hosts, 'return process.pid')).toEqual({ ok: pid });
  expect(told).toEqual([`spawned ${pid}`]);
  await hosts.leave();
  expect(isRunning(pid)).toBe(false);
  // Who has left has no record of it any more.
  expect(told).toEqual([`spawned ${pid}`]);
});

test('an exception says where in the written code it was thrown, whether to try again, and why', async () => {
  const hosts = pool();
  const text = 'const words: string[] = []\nconst n = re-view.list.length + re-view.missing.length\nreturn n';
  const { code, edits, problems } = await readCode(text, {
    names: new Set(['re-view']),
    context: new Set(['steps']),
  });
  expect(problems).toEqual([]);
  const spec = { kind: 'run', code, edits: edits as unknown as Json, names: ['re-view'] };
  const args = { steps: { 're-view': { list: [] } } };
  const thrown = await hosts.execute({ op: 'step', id: 'x#1', spec, args, key: 'k' }, context());
  expect(thrown.outcome).toEqual({
    err: {
      code: 'code',
      message: "TypeError: Cannot read properties of undefined (reading 'length') (line 2, column 49 of the code)",
      retryable: true,
      codeAt: { line: 2, column: 1 + 'const n = re-view.list.length + re-view.missing.'.length },
    },
  });
  expect(
    await run(hosts, 'throw Object.assign(new Error("no", { cause: new RangeError("deep") }), { retryable: false })'),
  ).toMatchObject({
    err: { code: 'code', retryable: false, cause: { code: 'code', message: 'RangeError: deep' } },
  });
  expect(messageOf(await run(hosts, 'throw "plain"'))).toBe('plain');
  expect(messageOf(await run(hosts, 'throw { message: "data", _tag: "Odd" }'))).toBe('Odd: data');
  expect(messageOf(await run(hosts, 'throw undefined'))).toBe('undefined was thrown');
  expect(messageOf(await run(hosts, 'throw new Proxy({}, { get() { throw 1 } })'))).toBe(
    'something that cannot be shown',
  );
});

test('what a step returns is JSON; what is not is named by its path', async () => {
  const hosts = pool();
  const said = async (code: string) => messageOf(await run(hosts, code));
  expect(await said('return { items: [1, 2, 3, { fn() {} }] }')).toBe(
    'the result is not JSON: output.items[3].fn is a function',
  );
  expect(await said('return { "a b": 1n }')).toBe(
    'the result is not JSON: output["a b"] is a bigint, which JSON cannot hold',
  );
  expect(await said('const a = { b: [] }; a.b.push(a); return a')).toBe(
    'the result is not JSON: output.b[0] is a part of itself',
  );
  expect(await said('return')).toBe('the code returned nothing: a step gives its value with "return"');
  expect(await run(hosts, 'return { at: new Date(0), none: undefined, url: new URL("http://x.y/") }')).toEqual({
    ok: { at: '1970-01-01T00:00:00.000Z', url: 'http://x.y/' },
  });
  expect(await run(hosts, 'return null')).toEqual({ ok: null });
});

test('megabytes go both ways; more than 32 are too much for a result, and the host goes on', async () => {
  const hosts = pool();
  const [most, less] = process.env.TOOLANG_DEEP ? [50, 20] : [33, 2];
  const text = 'ä\n'.repeat((less * 1_000_000) / 4);
  const back = await run(hosts, 'return { pid: process.pid, text: input }', { input: text });
  const { pid, text: same } = ('ok' in back ? back.ok : {}) as { pid: number; text: string };
  expect(same === text).toBe(true);
  expect(messageOf(await run(hosts, `return "x".repeat(${most} * 1024 * 1024)`))).toBe(
    `the result has ${most} MB as JSON, and 32 MB are the limit; write it to a file and return its path`,
  );
  expect(await run(hosts, 'return [process.pid, input.length]', { input: 'x'.repeat(most * 1024 * 1024) })).toEqual({
    ok: [pid, most * 1024 * 1024],
  });
});

test('what a step changes of its process is not seen by the next one', async () => {
  mkdirSync(join(dir, 'other'));
  const hosts = pool();
  const first = await run(
    hosts,
    `process.chdir('other'); process.env.PLANTED = 'x'; delete process.env.PATH; return process.pid`,
  );
  const second = await run(
    hosts,
    'return [process.pid, process.cwd(), process.env.PLANTED ?? null, !!process.env.PATH]',
  );
  expect(second).toEqual({ ok: ['ok' in first && first.ok, dir, null, true] });
});

test('what a step left running has ended when it settles', async () => {
  const hosts = pool();
  const [timer, child] = await Promise.all([
    run(hosts, 'setTimeout(() => process.exit(3), 100); return process.pid'),
    run(
      hosts,
      `const { spawn } = await import('node:child_process'); return [process.pid, spawn('sleep', ['60']).pid]`,
    ),
  ]);
  const pids = [timer, child].flatMap((end) => ('ok' in end ? (end.ok as number | number[]) : []));
  expect(pids).toHaveLength(3);
  expect(pids.map(isRunning)).toEqual([false, false, false]);
  expect(await run(hosts, 'await new Promise((r) => setTimeout(r, 150)); return 1')).toEqual({ ok: 1 });
});

test('a promise that nobody waits for fails its step, and no other', async () => {
  const hosts = pool();
  expect(await run(hosts, 'Promise.reject(new Error("lost")); return 1')).toEqual({
    err: {
      code: 'code',
      message: 'it threw where nothing catches it: lost (line 1, column 16 of the code)',
      retryable: true,
      codeAt: { line: 1, column: 16 },
    },
  });
  expect(
    messageOf(await run(hosts, 'setTimeout(() => { throw new TypeError("late") }); await new Promise(() => {})')),
  ).toBe('it threw where nothing catches it: TypeError: late (line 1, column 26 of the code)');
  expect(await run(hosts, 'return 1')).toEqual({ ok: 1 });
});

test('what does not fit the output is an error before it is a fact; what fits is as its type reads it', async () => {
  const hosts = pool();
  const field = (name: string, optional: boolean) => ({ name, type: { kind: 'text' }, optional });
  const output = { kind: 'struct', fields: [field('text', false), field('more', true)] };
  const give = async (code: string): Promise<Outcome> => {
    const step = runStep(code);
    return (await hosts.execute({ ...step, spec: { ...step.spec, output } }, context())).outcome;
  };
  expect(await give('return { text: "x", more: null }')).toEqual({ ok: { text: 'x' } });
  expect(await give('return { text: 1 }')).toEqual({
    err: {
      code: 'schema',
      message: 'what it gave does not fit its output: "/text" must be string, but it is the number 1.',
      retryable: true,
    },
  });
});

test('a process that ends is an error of the step, with what it printed last', async () => {
  const hosts = pool();
  const told = context();
  const { outcome } = await hosts.execute(runStep('console.log("one\\ntwo"); process.exit(3)'), told);
  expect(outcome).toEqual({
    err: {
      code: 'exit',
      message: 'its process ended with code 3 before it was done. It printed last:\none\ntwo',
      retryable: true,
    },
  });
  expect(told.printed()).toBe('one\ntwo');
  expect(await run(hosts, 'process.abort()')).toMatchObject({ err: { code: 'exit', retryable: true } });
  expect(messageOf(await run(hosts, 'process.kill(process.pid, "SIGKILL"); await new Promise(() => {})'))).toBe(
    'its process ended by SIGKILL before it was done',
  );
  expect(await run(hosts, 'return 1')).toEqual({ ok: 1 });
});

test('a step that runs out of memory says so', async () => {
  const hosts = pool({ env: { ...process.env, NODE_OPTIONS: '--max-old-space-size=60' } });
  expect(await run(hosts, 'const all = []; for (;;) all.push(new Array(1000).fill(all.length + 0.5))')).toMatchObject({
    err: {
      code: 'exit',
      message: expect.stringMatching(/^its process ended .*: it ran out of memory/),
      retryable: true,
    },
  });
});

test('what a step prints is kept, the last 4 kB of it, and belongs to no other step', async () => {
  const hosts = pool();
  const loud = context();
  const end = await hosts.execute(
    runStep(
      `for (let i = 0; i < 3000; i++) console.log('line ' + i); console.log('\\u001b[31mend\\u001b[0m'); return 1`,
    ),
    loud,
  );
  expect(end.outcome).toEqual({ ok: 1 });
  expect(loud.printed()).toMatch(/^…[\s\S]*line 2998\nline 2999\nend$/);
  expect(loud.printed().length).toBe(4097);
  const quiet = context();
  await hosts.execute(runStep('return 1'), quiet);
  expect(quiet.printed()).toBe('');
});

test('sh gives what a command prints, and its failure in words', async () => {
  const hosts = pool();
  write({ 'a b.txt': 'x\ny\n' });
  expect(await run(hosts, 'return (await sh`cat ${input}; pwd`).split("\\n")', { input: 'a b.txt' })).toEqual({
    ok: ['x', 'y', dir],
  });
  expect(await run(hosts, 'const x = 1\nawait sh`echo "no such" >&2; exit 7`')).toEqual({
    err: {
      code: 'code',
      message:
        'the command "echo "no such" >&2; exit 7" failed with exit code 7: no such (line 2, column 9 of the code)',
      retryable: true,
      codeAt: { line: 2, column: 9 },
    },
  });
  expect(messageOf(await run(hosts, 'return await sh`head -c 11000000 /dev/zero`'))).toContain(
    'printed more than 10 MB',
  );
  expect(messageOf(await run(hosts, 'return await sh`echo ${undefined}`'))).toContain('sh: value 1 is undefined');
  expect(await run(hosts, 'return (await sh`head -c 9000000 /dev/zero`).length')).toEqual({ ok: 9_000_000 });
});

test('import() in code takes files of the workflow, TypeScript too, packages, and parts of Node', async () => {
  write({
    'flows/help.ts': 'export enum Kind { A = 3 }\nexport const twice = (n: number): number => n * 2;',
    'flows/data.json': '[1]',
    'flows/node_modules/small/package.json': '{"name":"small","main":"index.cjs"}',
    'flows/node_modules/small/index.cjs': 'exports.name = "small";',
    'work/x': '',
  });
  const hosts = pool({ cwd: join(dir, 'work'), folder: join(dir, 'flows') });
  expect(
    await run(
      hosts,
      `const { twice, Kind } = await import('./help.ts'), { name } = await import("small"), { sep } = await import('node:path'),
       data = (await import('./data.json', { with: { type: 'json' } })).default;
       return [twice(Kind.A), name, sep, data, 'import("x")', process.cwd()]`,
    ),
  ).toEqual({ ok: [6, 'small', '/', [1], 'import("x")', join(dir, 'work')] });
  expect(messageOf(await run(hosts, "return 1 + await import('./hlp.ts')"))).toBe(
    'import(): the module "./hlp.ts" does not exist. Did you mean "./help.ts"? (line 1, column 18 of the code)',
  );
});

test('a handler gets what is in scope, and returns a value, a promise or an Effect', async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  write({
    'checks.ts': `import { Effect, Data } from '${join(root, 'node_modules/effect/dist/index.js')}';
      export default (context: Record<string, unknown>) => Object.keys(context).sort().join(' ');
      export function value({ draft, steps }: { draft: { n: number }; steps: Record<string, unknown> }) { return [draft.n, steps]; }
      export async function later({ sh }: { sh: (t: TemplateStringsArray) => Promise<string> }) { return sh\`echo hi\`; }
      export const effect = ({ input }: { input: number }) => Effect.promise(async () => input + 1);
      class Bad extends Data.TaggedError('Bad')<{ message: string; retryable: boolean }> {}
      export const fails = () => Effect.fail(new Bad({ message: 'as typed', retryable: false }));
      export const dies = () => Effect.sync(() => { throw new Error('by mistake'); });
      export function throws() {
        throw new Error('no');
      }
      export const none = () => undefined;
      export const five = 5;`,
    'node_modules/effect/package.json': '{"name":"effect","type":"module","main":"index.js"}',
    'node_modules/effect/index.js': `export * from '${join(root, 'node_modules/effect/dist/index.js')}';`,
  });
  const hosts = pool();
  const args = { input: 4, params: {}, steps: { draft: { n: 1 } } };
  expect(await handle(hosts, './checks.ts', 'default', args)).toEqual({
    ok: 'attempt cwd draft input key params runId services sh signal steps',
  });
  expect(await handle(hosts, './checks.ts', 'value', args)).toEqual({ ok: [1, { draft: { n: 1 } }] });
  expect(await handle(hosts, './checks.ts', 'later')).toEqual({ ok: 'hi' });
  expect(await handle(hosts, './checks.ts', 'effect', args)).toEqual({ ok: 5 });
  expect(await handle(hosts, './checks.ts', 'fails')).toMatchObject({
    err: { code: 'code', message: expect.stringContaining('Bad: as typed'), retryable: false },
  });
  expect(messageOf(await handle(hosts, './checks.ts', 'dies'))).toContain('by mistake');
  expect(await handle(hosts, './checks.ts', 'throws')).toEqual({
    err: { code: 'code', message: 'no (checks.ts:10)', retryable: true },
  });
  expect(messageOf(await handle(hosts, './checks.ts', 'none'))).toBe('the handler returned nothing');
  expect(await handle(hosts, './checks.ts', 'five')).toEqual({
    err: { code: 'code', message: '"./checks.ts" exports no function "five"', retryable: false },
  });
  expect(await handle(hosts, './cheks.ts')).toEqual({
    err: {
      code: 'code',
      message: 'the handler cannot be loaded: the module "./cheks.ts" does not exist. Did you mean "./checks.ts"?',
      retryable: false,
    },
  });
});

test('a handler that throws where nobody waits is named with its line', async () => {
  write({
    'late.ts': 'export default () => new Promise(() => {\n  setTimeout(() => { throw new Error("late"); });\n});',
  });
  expect(messageOf(await handle(pool(), './late.ts'))).toBe('it threw where nothing catches it: late (late.ts:2)');
});

test('a handler of a package that is not there says how to get it', async () => {
  expect(messageOf(await handle(pool(), 'nopkg'))).toBe(
    'the handler cannot be loaded: the package "nopkg" is not installed here. Install it: npm install nopkg',
  );
});

test('the reasons of an AggregateError are told with it', async () => {
  const code = 'await Promise.any([Promise.reject(new Error("first")), Promise.reject(new Error("second"))])';
  expect(await run(pool(), code)).toMatchObject({
    err: {
      message: expect.stringMatching(/^AggregateError: All promises were rejected/),
      cause: { message: 'each of these:\n- first\n- second', causes: [{ message: 'first' }, { message: 'second' }] },
    },
  });
});

test('a module that could not be loaded is loaded anew for the next attempt', async () => {
  write({
    'once.mjs': `import { existsSync, writeFileSync } from 'node:fs';
      if (!existsSync('ready')) { writeFileSync('ready', ''); throw new Error('not yet'); }
      export default () => 'ready';`,
  });
  const hosts = pool();
  expect(await handle(hosts, './once.mjs')).toMatchObject({ err: { code: 'code', retryable: true } });
  expect(await handle(hosts, './once.mjs')).toEqual({ ok: 'ready' });
});

test('the turn of a step has come when its host is ready, not when the host is being started', async () => {
  write({
    'slow.cjs': `const { existsSync, writeFileSync } = require('node:fs');
      if (require('node:worker_threads').isMainThread) {
        writeFileSync('starts', '');
        while (!existsSync('go')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }`,
  });
  const hosts = pool({ env: { ...process.env, NODE_OPTIONS: `--require ${join(dir, 'slow.cjs')}` } });
  let isTurn = false;
  const queued = (turn: Promise<unknown>) =>
    void turn.then(() => {
      isTurn = true;
    });
  const end = hosts.execute(runStep('return 1'), context({ queued }));
  await until(() => existsSync(join(dir, 'starts')));
  expect(isTurn).toBe(false);
  write({ go: '' });
  expect((await end).outcome).toEqual({ ok: 1 });
  expect(isTurn).toBe(true);
});

test('a host that never gets ready does not keep the time of its step from running', async () => {
  write({ 'never.cjs': 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)' });
  const clock = manualClock();
  const hosts = pool({ clock, env: { ...process.env, NODE_OPTIONS: `--require ${join(dir, 'never.cjs')}` } });
  const abort = new AbortController();
  const queued = (turn: Promise<unknown>) => void turn.then(() => abort.abort('timeout'));
  const end = hosts.execute(runStep('return 1'), context({ queued, signal: abort.signal }));
  await until(() => clock.sleeping() === 1);
  await clock.advance(30_000);
  await until(() => abort.signal.aborted && clock.sleeping() === 1);
  await clock.advance(2000);
  expect((await end).outcome).toMatchObject({ err: { code: 'cancelled' } });
});

const endless = {
  'a loop': 'writeFileSync("pid", String(process.pid)); while (true);',
  'a wait inside of Node':
    'writeFileSync("pid", String(process.pid)); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
  'a pattern that goes back for ever':
    'writeFileSync("pid", String(process.pid)); /^(a+)+$/.test("a".repeat(50) + "!")',
  'a computation in native code':
    'writeFileSync("pid", String(process.pid)); (await import("node:crypto")).pbkdf2Sync("a", "b", 2 ** 31 - 1, 64, "sha512")',
  'a promise that never settles': 'writeFileSync("pid", String(process.pid)); await new Promise(() => {})',
  'children that do not listen to SIGTERM': `process.on("SIGTERM", () => {});
    const { spawn } = await import("node:child_process");
    const below = spawn("sh", ["-c", "trap '' TERM; while true; do sleep 60; done"]);
    await new Promise((done) => below.once("spawn", done));
    writeFileSync("pid", process.pid + " " + below.pid); await new Promise(() => {})`,
};

linuxOnly.each(Object.entries(endless))(
  '%s is stopped, and the step settles when its group is gone',
  async (_, code) => {
    const clock = manualClock();
    const hosts = pool({ clock });
    const abort = new AbortController();
    const step = runStep(`const { writeFileSync } = await import("node:fs"); ${code}`);
    let isSettled = false;
    const end = hosts.execute(step, context({ signal: abort.signal })).finally(() => {
      isSettled = true;
    });
    await until(() => pidsIn('pid', code.includes('below') ? 2 : 1).length > 0);
    const pids = pidsIn('pid');
    expect(pids.map(isRunning)).not.toContain(false);
    abort.abort('timeout');
    await until(() => clock.sleeping() === 1);
    await clock.advance(1999);
    expect(isSettled).toBe(false);
    await clock.advance(1);
    expect(await end).toEqual({ outcome: { err: { code: 'cancelled', message: 'it was stopped', retryable: false } } });
    expect(pids.map(isRunning)).not.toContain(true);
    expect(told).toEqual([`spawned ${pids[0]}`, `ended ${pids[0]}`]);
  },
);

const detached = {
  'setsid in a command':
    "await sh`setsid sh -c 'echo $$ > out.part; mv out.part out; exec sleep 300' & wait; sleep 300`; return 1",
  'a detached spawn': `const { spawn } = await import('node:child_process');
    spawn('sh', ['-c', 'echo $$ > out.part; mv out.part out; exec sleep 300'], { detached: true, stdio: 'ignore' }).unref();
    await new Promise(() => {})`,
};

linuxOnly.each(Object.entries(detached))('what left the group by %s ends with its step', async (_, code) => {
  const hosts = pool();
  const abort = new AbortController();
  const end = hosts.execute(runStep(code), context({ signal: abort.signal }));
  await until(() => pidsIn('out').length > 0);
  const [pid] = pidsIn('out') as [number];
  expect(isRunning(pid)).toBe(true);
  abort.abort('cancelled');
  await end;
  expect(isRunning(pid)).toBe(false);
});

linuxOnly('what a step that went well left running outside of its group stays', async () => {
  const hosts = pool();
  const daemon = "await sh`setsid sh -c 'echo $$ > out.part; mv out.part out; exec sleep 300' >/dev/null 2>&1 &`";
  expect(await run(hosts, `${daemon}; return 1`)).toEqual({ ok: 1 });
  await until(() => pidsIn('out').length > 0);
  const [pid] = pidsIn('out') as [number];
  await hosts.leave();
  expect(isRunning(pid)).toBe(true);
  process.kill(pid, 'SIGKILL');
});

test.each(['with its signal', 'while it has time to end'])(
  'a step that must end at once does so, told %s',
  async (when) => {
    // The clock stands: nothing waits for the time that steps have to end by themselves.
    const clock = manualClock();
    const hosts = pool({ clock });
    const abort = new AbortController();
    const now = new AbortController();
    const code = 'signal.aborted; (await import("node:fs")).writeFileSync("on", ""); await new Promise(() => {})';
    const end = hosts.execute(runStep(code), context({ signal: abort.signal, now: now.signal }));
    await until(() => existsSync(join(dir, 'on')));
    if (when === 'with its signal') now.abort();
    abort.abort('cancelled');
    if (when !== 'with its signal') {
      await until(() => clock.sleeping() === 1);
      now.abort();
    }
    expect((await end).outcome).toMatchObject({ err: { code: 'cancelled' } });
  },
);

test('a step that listens to its signal ends in time, and its late result is told', async () => {
  const clock = manualClock();
  const hosts = pool({ clock });
  write({
    'wait.ts': `import { writeFileSync } from 'node:fs';
      export default ({ signal }: { signal: AbortSignal }) => new Promise((done) => {
        signal.addEventListener('abort', () => done(String(signal.reason.message)));
        writeFileSync('waits', '1');
      });
      export const hangs = async ({ sh }: { sh: (t: TemplateStringsArray) => Promise<string> }) => {
        writeFileSync('hangs', '1');
        await sh\`sleep 60\`;
      };`,
  });
  for (const [name, file, outcome] of [
    ['default', 'waits', { ok: 'the step was stopped: timeout' }],
    [
      'hangs',
      'hangs',
      {
        err: {
          code: 'code',
          message: expect.stringMatching(/^AbortError: the command "sleep 60" was stopped with its step/),
          retryable: true,
        },
      },
    ],
  ] as const) {
    const abort = new AbortController();
    const end = hosts.execute(handlerStep('./wait.ts', name), context({ signal: abort.signal }));
    await until(() => existsSync(join(dir, file)));
    abort.abort('timeout');
    expect((await end).outcome).toEqual(outcome);
  }
  expect(told).toHaveLength(4);
});

test('steps run in parallel up to the limit; the others wait in order, and can be stopped there', async () => {
  const hosts = pool({ limit: 2 });
  const code = `const fs = await import('node:fs'); fs.appendFileSync('order', input);
    while (!fs.existsSync('go-' + input)) await new Promise((r) => setTimeout(r, 5)); return [input, process.pid]`;
  const abort = new AbortController();
  const begin = (input: string, signal = new AbortController().signal) =>
    hosts.execute(runStep(code, { input }), context({ signal }));
  const ends = [begin('a'), begin('b')];
  const order = () => (existsSync(join(dir, 'order')) ? readFileSync(join(dir, 'order'), 'utf8') : '');
  await until(() => order().length === 2);
  ends.push(begin('c'), begin('d', abort.signal), begin('e'));
  abort.abort('cancelled');
  expect(await ends[3]).toMatchObject({ outcome: { err: { code: 'cancelled' } } });
  write({ 'go-b': '' });
  await until(() => order().length === 3);
  write({ 'go-c': '' });
  await until(() => order().length === 4);
  expect(order()).toMatch(/^(ab|ba)ce$/);
  write({ 'go-a': '', 'go-e': '' });
  const all = await Promise.all(ends);
  const pids = all.map(({ outcome }) => ('ok' in outcome ? (outcome.ok as [string, number])[1] : 0));
  expect(new Set(pids.filter(Boolean)).size).toBe(2);
  expect(pids[4]).toBe(pids[1]);
});

test('a host works in one folder: another folder has its own, and takes the place of an idle one', async () => {
  mkdirSync(join(dir, 'b'));
  const hosts = pool({ limit: 1 });
  const where = async (cwd: string) =>
    (await hosts.execute(runStep('return [process.cwd(), process.pid]', {}, { cwd }), context())).outcome;
  const first = await where(dir);
  const second = await where(join(dir, 'b'));
  expect([first, second]).toEqual([{ ok: [dir, expect.any(Number)] }, { ok: [join(dir, 'b'), expect.any(Number)] }]);
  const pid = ('ok' in first && (first.ok as [string, number])[1]) as number;
  expect(told.slice(0, 2)).toEqual([`spawned ${pid}`, `ended ${pid}`]);
  expect(await where(join(dir, 'gone'))).toEqual({
    err: {
      code: 'exit',
      message: expect.stringMatching(/^the folder ".*gone", where the step works, does not exist$/),
      retryable: false,
    },
  });
});

linuxOnly('a step finds the folder that is there now, where the one before it made it anew', async () => {
  const hosts = pool({ limit: 1 });
  const cwd = join(dir, 'work');
  mkdirSync(cwd);
  const ended = async (code: string) => (await hosts.execute(runStep(code, {}, { cwd }), context())).outcome;
  await ended("await sh`rm -r '${cwd}' && mkdir '${cwd}' && echo new > '${cwd}'/file`");
  expect(await ended("return (await import('node:fs')).readFileSync('file', 'utf8')")).toEqual({ ok: 'new\n' });
});

test('an idle host is dropped after its time, one that died is replaced, and each run is told of it', async () => {
  const clock = manualClock();
  const shared = createHostPool({ limit: 2, clock, idleMs: 5000 });
  const [one, two] = [joined(shared), joined(shared)];
  const first = await pidOf(one);
  expect(await pidOf(one)).toBe(first);
  await clock.advance(4000);
  expect(await pidOf(two)).toBe(first);
  await clock.advance(4999);
  expect(isRunning(first)).toBe(true);
  await clock.advance(1);
  await until(() => told.length === 4);
  expect(isRunning(first)).toBe(false);
  expect(told).toEqual([`spawned ${first}`, `spawned ${first}`, `ended ${first}`, `ended ${first}`]);
  const second = await pidOf(one);
  process.kill(second, 'SIGKILL');
  expect(await pidOf(one)).not.toBe(second);
  await until(() => told.includes(`ended ${second}`));
});

linuxOnly('a host that ends before it read its step is replaced, and the step is done once', async () => {
  const hosts = pool();
  const log = `const { appendFileSync } = await import('node:fs'); appendFileSync('log', 'x');`;
  const first = (await run(hosts, 'return process.pid')) as { readonly ok: number };
  process.kill(first.ok, 'SIGSTOP');
  const end = run(hosts, `${log} return process.pid`);
  // Then it was sent, and lies with the system.
  await new Promise((next) => setImmediate(next));
  process.kill(first.ok, 'SIGKILL');
  expect(await end).toEqual({ ok: expect.any(Number) });
  expect(await end).not.toEqual(first);
  expect(readFileSync(join(dir, 'log'), 'utf8')).toBe('x');
});

test('a step whose process dies at once was begun: it has failed, and is not done again', async () => {
  const hosts = pool();
  for (const before of ['', 'return 1']) {
    if (before !== '') await run(hosts, before);
    rmSync(join(dir, 'log'), { force: true });
    const end = await run(
      hosts,
      `(await import('node:fs')).appendFileSync('log', 'x'); process.kill(process.pid, 'SIGKILL'); while (true);`,
    );
    expect(end).toMatchObject({ err: { code: 'exit', retryable: true } });
    expect(messageOf(end)).toContain('ended by SIGKILL before it was done');
    expect(readFileSync(join(dir, 'log'), 'utf8')).toBe('x');
  }
});

test('code reaches its signal by whatever name', async () => {
  const hosts = pool();
  for (const code of [
    'return signal.aborted',
    'return sign\\u0061l.aborted',
    "return eval('sig' + 'nal').aborted",
    'return arguments[9].aborted',
  ]) {
    expect(await run(hosts, code)).toEqual({ ok: false });
  }
});

test('leaving ends what runs and what waits, and leaves no process', async () => {
  const hosts = pool({ limit: 1 });
  const step = runStep(`const { spawn } = await import('node:child_process');
    (await import('node:fs')).writeFileSync('pids', process.pid + ' ' + spawn('sleep', ['60']).pid); while (true);`);
  const ends = [hosts.execute(step, context()), hosts.execute(runStep('return 1'), context())];
  await until(() => pidsIn('pids', 2).length > 0);
  await hosts.leave();
  expect(await Promise.all(ends)).toMatchObject([
    { outcome: { err: { code: 'cancelled' } } },
    { outcome: { err: { code: 'cancelled' } } },
  ]);
  expect(pidsIn('pids').map(isRunning)).toEqual([false, false]);
  expect(messageOf(await run(hosts, 'return 1'))).toBe('it was not begun: the run was left');
});

/** A step that says that it is there, and stays until it may go. */
const staying = (name: string) =>
  runStep(`const fs = await import('node:fs'); fs.writeFileSync('pid-${name}', String(process.pid));
    while (!fs.existsSync('go')) await new Promise((next) => setTimeout(next, 5)); return '${name}'`);

test('runs share hosts, up to one limit for all of them, and each is told of those that it may get', async () => {
  write({ 'a/x': '', 'b/x': '' });
  const shared = createHostPool({ limit: 2 });
  const runs = Array.from({ length: 5 }, () => joined(shared));
  const pids = await Promise.all(runs.flatMap((run) => [pidOf(run), pidOf(run), pidOf(run)]));
  expect(pids).not.toContain(0);
  const [one, two, ...more] = [...new Set(pids)];
  expect([isRunning(one ?? 0), isRunning(two ?? 0), more]).toEqual([true, true, []]);
  // Each of the runs may have had both, and was told of each at most once.
  expect(told.length).toBeLessThanOrEqual(10);
  const late = joined(shared);
  told = [];
  const ended = (pid: number) => void told.push(`ended ${pid}`);
  const known = (cwd: string) => late.hosts([runStep('return 1', {}, { cwd })], ended);
  expect(known(join(dir, 'a'))).toEqual([]);
  expect(new Set(known(dir))).toEqual(new Set([one, two]));
  expect(known(dir)).toEqual([]);
  expect([one, two]).toContain(await pidOf(late));
  expect(told).toEqual([]);
  process.kill(one ?? 0, 'SIGKILL');
  await until(() => told.includes(`ended ${one}`));
});

test('who leaves ends its own steps; hosts and steps of others go on, and it is told nothing more', async () => {
  const shared = createHostPool({ limit: 2 });
  const [one, two] = [joined(shared), joined(shared)];
  const told: string[] = [];
  const say = (name: string) => ({ ended: (pid: number) => void told.push(`${name} ${pid}`) });
  // Both have used the same host.
  const common = await pidOf(one, say('one'));
  expect(await pidOf(two, say('two'))).toBe(common);
  const going = two.execute(staying('two'), context(say('two')));
  const ending = one.execute(staying('one'), context(say('one')));
  await until(() => pidsIn('pid-one').length + pidsIn('pid-two').length === 2);
  const [[mine], [theirs]] = [pidsIn('pid-one'), pidsIn('pid-two')] as [[number], [number]];
  // The one that both have used goes on.
  expect(theirs).toBe(common);
  await one.leave();
  expect(await ending).toMatchObject({ outcome: { err: { code: 'cancelled' } } });
  expect([isRunning(mine), isRunning(theirs)]).toEqual([false, true]);
  expect(shared.isUsed()).toBe(true);
  expect(told.splice(0)).toEqual([`one ${mine}`]);
  write({ go: '' });
  expect(await going).toEqual({ outcome: { ok: 'two' } });
  expect(await pidOf(two)).toBe(common);
  process.kill(common, 'SIGKILL');
  await until(() => told.length > 0);
  expect(told).toEqual([`two ${common}`]);
  expect(messageOf((await one.execute(runStep('return 1'), context())).outcome)).toContain('the run was left');
});

test('the last one to leave waits until all hosts have ended; who comes then gets new ones', async () => {
  const shared = createHostPool({ limit: 2 });
  const [one, two] = [joined(shared), joined(shared)];
  const both = await Promise.all([pidOf(one), pidOf(two)]);
  await one.leave();
  expect(both.map(isRunning)).toEqual([true, true]);
  // Who comes in time keeps them.
  const leaving = two.leave();
  const three = joined(shared);
  await leaving;
  expect(both).toContain(await pidOf(three));
  await three.leave();
  expect(both.map(isRunning)).toEqual([false, false]);
  expect(shared.isUsed()).toBe(false);
  const four = joined(shared);
  const next = await pidOf(four);
  expect(both).not.toContain(next);
  await Promise.all([four.leave(), four.leave()]);
  expect(isRunning(next)).toBe(false);
});

test('a run never sees modules as they were before it came', async () => {
  const shared = createHostPool({ limit: 2 });
  write({ 'say.ts': 'export default () => ["old", process.pid]' });
  const one = joined(shared);
  const plain = await pidOf(one);
  const two = joined(shared);
  // Code that loads nothing does not care.
  expect(await pidOf(two)).toBe(plain);
  expect(await handle(one, './say.ts')).toEqual({ ok: ['old', plain] });
  write({ 'say.ts': 'export default () => ["new", process.pid]' });
  const three = joined(shared);
  const seen = await handle(three, './say.ts');
  expect(seen).toEqual({ ok: ['new', expect.any(Number)] });
  expect(await run(three, "return (await import('./say.ts')).default()")).toEqual(seen);
  await three.leave();
  // A host that came later will do for those that came before.
  expect(await handle(two, './say.ts')).toEqual(seen);
});

test('steps see the environment without secrets, but those that they are shown', async () => {
  const env = {
    ...process.env,
    GITHUB_TOKEN: 'theirs',
    OPENAI_API_KEY: 'planted-1',
    DB_PASSWORD: 'planted-2',
    LOCAL_MODEL: 'planted-3',
    DATABASE_URL: 'postgres://u:planted-4@h/db',
  };
  const hosts = pool({ env, shown: ['GITHUB_TOKEN'], hidden: ['LOCAL_MODEL'] });
  const seen = await run(hosts, 'return { ...process.env, shell: await sh`env` }');
  expect(JSON.stringify(seen)).not.toContain('planted');
  expect(seen).toMatchObject({ ok: { GITHUB_TOKEN: 'theirs' } });
});

test('a step that fails and names a secret is told how to see it', async () => {
  write({ 'h.ts': 'export default () => { if (!process.env.B_TOKEN) throw new Error("no token"); };' });
  const hosts = pool({ env: { ...process.env, A_TOKEN: 'planted-1', B_TOKEN: 'planted-2' } });
  const hint = (name: string) =>
    `\n${name} is a secret that steps do not see; to show it to steps, write env = ["${name}"] under [runs] in config.toml`;
  expect(messageOf(await run(hosts, 'return process.env.A_TOKEN'))).toBe(
    `the code returned nothing: a step gives its value with "return"${hint('A_TOKEN')}`,
  );
  expect(messageOf(await handle(hosts, './h.ts'))).toBe(`no token (h.ts:1)${hint('B_TOKEN')}`);
  expect(messageOf(await run(hosts, 'throw new Error("other")'))).not.toContain('secret');
});

test('a connection that is kept open does not cost the host', async () => {
  const server = createServer((_, response) => response.end('hi'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    const hosts = pool();
    const { port } = server.address() as AddressInfo;
    const code = 'const text = await (await fetch(`http://127.0.0.1:${input}/`)).text(); return [text, process.pid]';
    const first = await run(hosts, code, { input: port });
    expect(first).toEqual({ ok: ['hi', expect.any(Number)] });
    expect(await run(hosts, code, { input: port })).toEqual(first);
    expect(await run(hosts, 'await fetch("http://127.0.0.1:1/")')).toMatchObject({
      err: { message: expect.stringMatching(/^TypeError: fetch failed/), cause: { code: 'code' } },
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('where no host works, the step says why', async () => {
  const hosts = pool({ env: { ...process.env, NODE_OPTIONS: '--no-such-option' } });
  expect(await run(hosts, 'return 1')).toEqual({
    err: {
      code: 'exit',
      message: expect.stringMatching(
        /^its process ended with code 9 before it began. It printed last:\n.*--no-such-option/,
      ),
      retryable: true,
    },
  });
  expect(told).toHaveLength(6);
});

test('200 steps go through one host', async () => {
  const hosts = pool();
  const pids = new Set<Json>();
  const one = async (index: number) => {
    const end = await run(hosts, 'return { pid: process.pid, n: input.n + 1 }', { input: { n: index } });
    const { pid, n } = ('ok' in end ? end.ok : {}) as { pid: number; n: number };
    expect(n).toBe(index + 1);
    pids.add(pid);
  };
  await one(0);
  for (let index = 1; index <= 200; index++) await one(index);
  expect(pids.size).toBe(1);
});

linuxOnly.each([
  ['waits for a command', 'await sh`sleep 60`'],
  ['never yields', 'spawn("sleep", ["60"], { stdio: "ignore" }); while (true);'],
])('a host whose step %s ends with all it started when its owner is killed', async (_, hang) => {
  const step =
    runStep(`const { spawn } = await import('node:child_process'); const { writeFileSync } = await import('node:fs');
    const child = spawn('sh', ['-c', 'sleep 60 & echo $!; wait']); writeFileSync('pids', process.pid + ' ' + child.pid); ${hang}`);
  const pool = JSON.stringify(pathToFileURL(join(dirname(process.env.TOOLANG_TEST_HOST ?? ''), 'host-pool.js')).href);
  const code = `import(${pool}).then(({ createHostPool }) =>
    createHostPool({}).join({ cwd: process.cwd() }).execute(${JSON.stringify(step)}, { runId: 'r', idempotencyKey: 'k', attempt: 1,
      signal: new AbortController().signal, notes: [], note() {}, spawned() {}, ended() {} }))`;
  const owner = spawn(process.execPath, ['-e', code], { cwd: dir, stdio: 'inherit' });
  await until(() => pidsIn('pids', 2).length > 0);
  const pids = pidsIn('pids');
  expect(pids.map(isRunning)).toEqual([true, true]);
  owner.kill('SIGKILL');
  await until(() => !pids.some(isRunning));
  // Whoever takes over ends the group before it begins anything; the last of it may just be dying.
  expect(['gone', 'ended']).toContain(await endGroup(pids[0] as number));
  expect(await endGroup(pids[0] as number)).toBe('gone');
});

linuxOnly('whoever takes over ends the group of a host, with the commands of its step', async () => {
  const hosts = pool();
  const end = hosts.execute(runStep('await sh`echo $$ $PPID > pids; sleep 60; true`'), context());
  await until(() => pidsIn('pids', 2).length > 0);
  const [shell, host] = pidsIn('pids') as [number, number];
  expect(told).toEqual([`spawned ${host}`]);
  await endGroup(host);
  expect([shell, host].map(isRunning)).toEqual([false, false]);
  expect(await end).toMatchObject({ outcome: { err: { code: 'exit', retryable: true } } });
});
