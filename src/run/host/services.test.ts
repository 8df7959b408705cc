/** Services in real hosts, with the real Effect of the user's own project. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json, Outcome, RunError, StepCommand } from '../../machine/index.ts';
import { manualClock } from '../../sys/index.ts';
import type { StepContext } from '../execute.ts';
import { createHostPool, type HostRun } from './pool.ts';

const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url));
let dir: string;
let pools: HostRun[] = [];

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-services-')));
});

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.leave()));
  pools = [];
  rmSync(dir, { recursive: true, force: true });
});

/** Nothing here depends on how fast the machine is: time stands still, and finalizers have all they need. */
function pool(closeMs = 200_000): HostRun {
  const made = createHostPool({ limit: 1, clock: manualClock(), closeMs }).join({ cwd: dir });
  pools.push(made);
  return made;
}

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
}

function install(...names: string[]): void {
  mkdirSync(join(dir, 'node_modules'), { recursive: true });
  for (const name of names) symlinkSync(join(packages, name), join(dir, 'node_modules', name), 'junction');
}

/** `./file.ts#name` under that name. */
function services(...refs: string[]): Json {
  return refs.map((ref) => {
    const [module = '', name = ''] = ref.split('#');
    return { module, name, as: name };
  });
}

function code(text: string, uses: Json): StepCommand {
  const names = (uses as { as: string }[]).map(({ as }) => as);
  const spec = { kind: 'run', code: text, edits: [], names, services: uses };
  return { op: 'step', id: 'step#1', spec, args: { steps: {} }, key: 'k' };
}

function handler(module: string, name: string, uses: Json): StepCommand {
  return {
    op: 'step',
    id: 'step#1',
    spec: { kind: 'handler', module, name, services: uses },
    args: { steps: {} },
    key: 'k',
  };
}

async function run(
  hosts: HostRun,
  command: StepCommand,
  signal = new AbortController().signal,
  now?: AbortSignal,
): Promise<Outcome> {
  const context: StepContext = {
    runId: 'run1',
    idempotencyKey: 'run1/step#1',
    attempt: 1,
    signal,
    ...(now && { now }),
    notes: [],
    note: () => undefined,
    spawned: () => undefined,
    ended: () => undefined,
  };
  return (await hosts.execute(command, context)).outcome;
}

function errorOf(outcome: Outcome): RunError {
  if (!('err' in outcome)) throw new Error(`no error: ${JSON.stringify(outcome)}`);
  return outcome.err;
}

/** Waits for something outside; the test's own limit ends it. */
async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const tracker = `
  import { appendFileSync } from 'node:fs';
  import { Context, Effect, Layer } from 'effect';
  export class Tracker extends Context.Service<Tracker, { readonly next: () => number; readonly find: (id: number) => Effect.Effect<string> }>()('Tracker') {
    static readonly layer = Layer.effect(this, Effect.acquireRelease(
      Effect.sync(() => {
        appendFileSync('log', 'open ');
        let n = 0;
        return { next: () => ++n, find: (id: number) => Effect.succeed('T-' + id) };
      }),
      () => Effect.promise(async () => { await new Promise((done) => setTimeout(done, 5)); appendFileSync('log', 'close '); }),
    ));
  }
  export class Log extends Context.Service<Log, { readonly say: (text: string) => string }>()('Log') {
    static readonly layer = Layer.effect(this, Effect.gen(function* () {
      const tracker = yield* Tracker;
      return { say: (text: string) => text + tracker.next() };
    })).pipe(Layer.provide(Tracker.layer));
  }
`;

describe('plain objects', () => {
  test('are in scope by name and under "services", and are made once for a host', async () => {
    write({ 'counter.ts': 'let n = 0; export const counter = { next: () => ++n }; export const hosts = [1];' });
    const uses = services('./counter.ts#counter', './counter.ts#hosts');
    const hosts = pool();
    const text = 'return [counter.next(), services.counter.next(), services.hosts, Object.keys(services)]';
    expect(await run(hosts, code(text, uses))).toEqual({ ok: [1, 2, [1], ['counter', 'hosts']] });
    write({
      'use.ts': 'export const next = ({ counter, services }) => [counter.next(), services.counter === counter]',
    });
    expect(await run(hosts, handler('./use.ts', 'next', uses))).toEqual({ ok: [3, true] });
  });

  test('may set variables that all later steps see; those that a step sets are its own', async () => {
    write({ 'env.ts': "process.env.FROM_SERVICE = 'kept'; export const env = { all: () => process.env };" });
    const uses = services('./env.ts#env');
    const hosts = pool();
    const text =
      "const seen = [env.all().FROM_SERVICE, env.all().FROM_STEP ?? 'none']; process.env.FROM_STEP = 'gone'; return seen";
    expect(await run(hosts, code(text, uses))).toEqual({ ok: ['kept', 'none'] });
    expect(await run(hosts, code(text, uses))).toEqual({ ok: ['kept', 'none'] });
  });

  test('that are not there or no services are told by name', async () => {
    write({
      'bad.ts': 'export const later = Promise.resolve(1); export let none: unknown;',
      'broken.ts': "throw Object.assign(new Error('no config'), { retryable: false });",
    });
    const hosts = pool();
    const said = async (ref: string) => errorOf(await run(hosts, code('return 1', services(ref))));
    expect(await said('./bad.ts#missing')).toMatchObject({
      message: 'the service "missing" is not there: "./bad.ts" exports no "missing"',
      retryable: false,
    });
    expect((await said('./bad.ts#later')).message).toBe(
      '"later" is no service: it is a promise. Await it in the module.',
    );
    expect((await said('./bad.ts#none')).message).toBe('"none" is no service: it is undefined. Give it a value.');
    expect(await said('./broken.ts#x')).toMatchObject({
      message:
        'the service "x" cannot be loaded: "./broken.ts" threw while it was loaded: Error: no config (broken.ts:1)',
      retryable: false,
    });
  });
});

describe('Effect services', () => {
  beforeEach(() => install('effect'));

  test('are built once for a host, share what they are made of, and are closed when the host ends', async () => {
    write({
      'tracker.ts': tracker,
      'use.ts': `import { Effect } from 'effect'; import { Log, Tracker } from './tracker.ts';
        export const effect = ({ Tracker: service }) => Effect.gen(function* () {
          const mine = yield* Tracker;
          const log = yield* Log;
          return [mine === service, log.say('n'), yield* mine.find(7)];
        });`,
    });
    const hosts = pool();
    const uses = services('./tracker.ts#Tracker', './tracker.ts#Log');
    expect(await run(hosts, code('return [Tracker.next(), Log.say("n")]', uses))).toEqual({ ok: [1, 'n2'] });
    expect(await run(hosts, code('return Tracker.find(3)', services('./tracker.ts#Tracker')))).toEqual({ ok: 'T-3' });
    expect(await run(hosts, handler('./use.ts', 'effect', uses))).toEqual({ ok: [true, 'n3', 'T-7'] });
    expect(readFileSync(join(dir, 'log'), 'utf8')).toBe('open ');
    await hosts.leave();
    expect(readFileSync(join(dir, 'log'), 'utf8')).toBe('open close ');
  });

  test('what runs for them is not laid to steps: they stay', async () => {
    write({
      'clock.ts': `import { Context, Effect, Layer } from 'effect';
        export class Beat extends Context.Service<Beat, { readonly born: number }>()('Beat') {
          static readonly layer = Layer.effect(this, Effect.gen(function* () {
            yield* Effect.forkScoped(Effect.forever(Effect.sleep('10 minutes')));
            return { born: process.pid };
          }));
        }`,
    });
    const hosts = pool();
    const uses = services('./clock.ts#Beat');
    const first = await run(hosts, code('return Beat.born', uses));
    expect(await run(hosts, code('return Beat.born', uses))).toEqual(first);
    // What a step leaves behind itself still ends the host.
    const left = await run(hosts, code('setTimeout(() => {}, 1e8); return Beat.born', uses));
    expect(left).toEqual(first);
    expect(await run(hosts, code('return Beat.born', uses))).not.toEqual(first);
  });

  test('that have no layer, or whose layers fail, throw or give something else, are told by name', async () => {
    write({
      'bad.ts': `import { Context, Data, Effect, Layer } from 'effect';
        class NoKey extends Data.TaggedError('NoKey')<{ readonly message: string }> { readonly retryable = false; }
        const tag = (name, layer) => Object.assign(class extends Context.Service<any, any>()(name) {}, layer && { layer });
        export const Bare = tag('Bare');
        export const Fails = tag('Fails'); Fails.layer = Layer.effect(Fails, Effect.fail(new NoKey({ message: 'no key' })));
        export const Throws = tag('Throws'); Throws.layer = Layer.effect(Throws, Effect.sync(() => { throw new TypeError('x is not a function'); }));
        export const Needs = tag('Needs'); Needs.layer = Layer.effect(Needs, Effect.gen(function* () { return yield* Bare; }));
        export const Other = tag('Other', Layer.succeed(Bare, {}));
        export const Level = Context.Reference('Level', { defaultValue: () => 3 });`,
    });
    const hosts = pool();
    const said = async (name: string) => errorOf(await run(hosts, code('return 1', services(`./bad.ts#${name}`))));
    expect(await said('Bare')).toMatchObject({
      message: expect.stringMatching(/^"Bare" is no service: it is an Effect service without a layer\. Give its class/),
      retryable: false,
    });
    expect((await said('Other')).message).toBe('the service "Other" has a static "layer" that gives something else');
    expect(await run(hosts, code('return Level', services('./bad.ts#Level')))).toEqual({ ok: 3 });
    expect(await said('Fails')).toMatchObject({
      message: expect.stringMatching(/^the service "Fails" could not be built: NoKey: no key \(bad\.ts:\d+\)$/),
      retryable: false,
    });
    expect(await said('Throws')).toMatchObject({
      message: expect.stringMatching(
        /^the service "Throws" could not be built: a defect: TypeError: x is not a function \(bad\.ts:\d+\)$/,
      ),
      retryable: true,
    });
    expect(await said('Needs')).toMatchObject({
      message: expect.stringMatching(
        /^the service "Needs" could not be built: the Effect needs the service "Bare", which it was not given: a layer brings/,
      ),
      retryable: false,
    });
  });

  test('a layer that is not built when the step is stopped is named, and finalizers run', async () => {
    write({
      'slow.ts': `import { appendFileSync } from 'node:fs'; import { Context, Effect, Layer } from 'effect';
        export class Slow extends Context.Service<Slow, {}>()('Slow') {
          static readonly layer = Layer.effect(this, Effect.gen(function* () {
            yield* Effect.acquireRelease(Effect.sync(() => appendFileSync('log', 'open ')), () => Effect.sync(() => appendFileSync('log', 'close')));
            return yield* Effect.never;
          }));
        }`,
    });
    const stop = new AbortController();
    const going = run(pool(), code('return 1', services('./slow.ts#Slow')), stop.signal);
    await until(() => existsSync(join(dir, 'log')));
    stop.abort('timeout');
    expect(errorOf(await going)).toMatchObject({
      code: 'code',
      message: 'the service "Slow" was still being built when the step was stopped',
    });
    expect(readFileSync(join(dir, 'log'), 'utf8')).toBe('open close');
  });

  test('finalizers run also where all is stopped at once, if the step ends when it is told to', async () => {
    write({
      'tracker.ts': tracker,
      'wait.ts': `import { appendFileSync } from 'node:fs'; import { Effect } from 'effect';
        export const waits = () => Effect.andThen(Effect.sync(() => appendFileSync('log', 'begun ')), Effect.never);`,
    });
    const [stop, now] = [new AbortController(), new AbortController()];
    const uses = services('./tracker.ts#Tracker');
    const going = run(pool(), handler('./wait.ts', 'waits', uses), stop.signal, now.signal);
    await until(() => existsSync(join(dir, 'log')) && readFileSync(join(dir, 'log'), 'utf8').endsWith('begun '));
    now.abort();
    stop.abort('cancelled');
    await going;
    expect(readFileSync(join(dir, 'log'), 'utf8')).toBe('open begun close ');
  });

  test('finalizers that fail are told to whoever runs the program', async () => {
    write({
      'bad.ts': `import { Context, Effect, Layer } from 'effect';
        export class Bad extends Context.Service<Bad, { readonly n: number }>()('Bad') {
          static readonly layer = Layer.effect(this, Effect.acquireRelease(
            Effect.succeed({ n: 1 }), () => Effect.die(new Error('the lock is gone'))));
        }`,
    });
    const warnings: Error[] = [];
    const hear = (warning: Error) => void warnings.push(warning);
    process.on('warning', hear);
    try {
      const hosts = pool();
      expect(await run(hosts, code('return Bad.n', services('./bad.ts#Bad')))).toEqual({ ok: 1 });
      await hosts.leave();
      await until(() => warnings.length > 0);
    } finally {
      process.off('warning', hear);
    }
    expect(warnings.map(({ name, message }) => [name, message])).toEqual([
      ['ToolangWarning', 'a service could not give back what it holds: a defect: the lock is gone'],
    ]);
  });

  test('finalizers that never end do not keep the host', async () => {
    write({
      'stuck.ts': `import { Context, Effect, Layer } from 'effect';
        export class Stuck extends Context.Service<Stuck, { readonly pid: number }>()('Stuck') {
          static readonly layer = Layer.effect(this, Effect.acquireRelease(
            Effect.succeed({ pid: process.pid }), () => Effect.never));
        }`,
    });
    const hosts = pool(1);
    const done = await run(hosts, code('return Stuck.pid', services('./stuck.ts#Stuck')));
    const pid = 'ok' in done ? Number(done.ok) : 0;
    expect(pid).toBeGreaterThan(0);
    await hosts.leave();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

describe('Effects of handlers', () => {
  beforeEach(() => install('effect'));

  test('fail with their causes: failures, defects, several at once, interrupts', async () => {
    write({
      'fail.ts': `import { Cause, Data, Effect } from 'effect';
        class Gone extends Data.TaggedError('Gone')<{ readonly message: string; readonly retryable?: boolean }> {}
        export const fails = () => Effect.fail(new Gone({ message: 'it is gone' }));
        export const final = () => Effect.fail(new Gone({ message: 'for good', retryable: false }));
        export const cause = () => Effect.fail(new Error('outer', { cause: new Error('inner') }));
        export const dies = () => Effect.die(new RangeError('too far'));
        export const text = () => Effect.fail('just words');
        export const both = () => Effect.failCause(Cause.combine(Cause.fail(new Gone({ message: 'one' })), Cause.die('two')));
        export const stops = () => Effect.interrupt;
        export const lacks = () => Effect.gen(function* () { return yield* (yield* Effect.promise(() => import('./tag.ts'))).Lost; });`,
      'tag.ts': `import { Context } from 'effect'; export class Lost extends Context.Service<Lost, {}>()('Lost') {}`,
    });
    const hosts = pool();
    const said = async (name: string) => errorOf(await run(hosts, handler('./fail.ts', name, [])));
    expect(await said('fails')).toMatchObject({ message: 'Gone: it is gone (fail.ts:3)', retryable: true });
    expect(await said('final')).toMatchObject({ message: 'Gone: for good (fail.ts:4)', retryable: false });
    expect(await said('cause')).toMatchObject({
      message: 'outer (fail.ts:5)',
      cause: { message: 'inner (fail.ts:5)' },
    });
    expect(await said('dies')).toMatchObject({ message: 'a defect: RangeError: too far (fail.ts:6)', retryable: true });
    expect(await said('text')).toMatchObject({ message: 'just words' });
    expect(await said('both')).toMatchObject({
      message: 'the Effect failed for 2 reasons',
      cause: {
        message: 'each of these:\n- Gone: one (fail.ts:8)\n- a defect: two',
        causes: [{ message: 'Gone: one (fail.ts:8)' }, { message: 'a defect: two' }],
      },
    });
    expect(await said('stops')).toMatchObject({ message: 'the Effect was interrupted', retryable: true });
    expect(await said('lacks')).toMatchObject({
      message: expect.stringMatching(/^the Effect needs the service "Lost", which it was not given: import it under/),
      retryable: false,
    });
  });

  test('are interrupted when the step is stopped', async () => {
    write({
      'wait.ts': `import { appendFileSync } from 'node:fs'; import { Effect } from 'effect';
        export const waits = () => Effect.andThen(Effect.sync(() => appendFileSync('log', 'begun ')), Effect.never).pipe(
          Effect.onInterrupt(() => Effect.sync(() => appendFileSync('log', 'interrupted'))));`,
    });
    const stop = new AbortController();
    const going = run(pool(), handler('./wait.ts', 'waits', []), stop.signal);
    await until(() => existsSync(join(dir, 'log')));
    stop.abort('cancelled');
    expect(errorOf(await going)).toMatchObject({ message: 'the Effect was interrupted' });
    expect(readFileSync(join(dir, 'log'), 'utf8')).toBe('begun interrupted');
  });
});

describe('copies of Effect', () => {
  /** A real copy: a link would be the same files. Only what is loaded, and not what is for people. */
  function copyEffect(from: string, to: string): void {
    cpSync(from, to, { recursive: true, filter: (path) => !/(?:\.map|\.d\.ts|[\\/]src|[\\/]ai-docs)$/.test(path) });
  }

  const users = `export const where = () => Effect.gen(function* () {
      const service = yield* Tracker;
      return [import.meta.url.length > 0, service.next(), yield* service.find(1)];
    });`;

  test('are those of the project, whichever one it has', async () => {
    copyEffect(join(packages, 'effect'), join(dir, 'node_modules/effect'));
    write({
      'tracker.ts': tracker,
      'use.ts': `import { Effect } from 'effect'; import { Tracker } from './tracker.ts'; ${users}`,
    });
    // Ours would not know what this one marks.
    const marked = join(dir, 'node_modules/effect/dist/index.js');
    writeFileSync(
      marked,
      `${readFileSync(marked, 'utf8')}\nglobalThis.copies = [...(globalThis.copies ?? []), import.meta.url];\n`,
    );
    const hosts = pool();
    expect(await run(hosts, handler('./use.ts', 'where', services('./tracker.ts#Tracker')))).toEqual({
      ok: [true, 1, 'T-1'],
    });
    const copies = await run(hosts, code('return globalThis.copies.map((url) => url.includes(cwd))', []));
    expect(copies).toEqual({ ok: [true] });
  });

  test('are never mixed: a service of another copy is refused, with both named', async () => {
    install('effect');
    copyEffect(join(packages, 'effect'), join(dir, 'lib/node_modules/effect'));
    write({
      'lib/tracker.ts': tracker,
      'use.ts': `import { Effect } from 'effect'; import { Tracker } from './lib/tracker.ts'; ${users}`,
    });
    const hosts = pool();
    const uses = services('./lib/tracker.ts#Tracker');
    const refused = errorOf(await run(hosts, handler('./use.ts', 'where', uses)));
    expect(refused).toMatchObject({
      message: expect.stringMatching(
        /^there are two copies of Effect, .* the service "Tracker" uses ".*lib\/node_modules/,
      ),
      retryable: false,
    });
    // One that does not need it is done.
    write({ 'other.ts': `import { Effect } from 'effect'; export const fine = () => Effect.succeed('fine');` });
    expect(await run(hosts, handler('./other.ts', 'fine', uses))).toEqual({ ok: 'fine' });
    // Code has no copy of its own.
    expect(await run(hosts, code('return Tracker.find(2)', uses))).toEqual({ ok: 'T-2' });
  });

  test('are those that made the Effects: of plugins, too, whatever the project has', async () => {
    copyEffect(join(packages, 'effect'), join(dir, 'lib/node_modules/effect'));
    write({
      'lib/plug.ts': `import { Effect } from 'effect';
        export default () => ({ functions: {
          seven: () => Effect.gen(function* () { return (yield* Effect.void, Effect.isEffect(Effect.void)) ? 7 : 0; }),
          scoped: () => Effect.acquireRelease(Effect.void, () => Effect.void),
        } });`,
    });
    const plugins = [{ module: './lib/plug.ts', name: 'default', config: null }];
    const command = (text: string): StepCommand => ({
      ...code(text, []),
      spec: { kind: 'run', code: text, edits: [], names: ['seven', 'scoped'], plugins },
    });
    expect(await run(pool(), command('return seven()'))).toEqual({ ok: 7 });
    expect(await run(pool(), command('return seven().pipe()'))).toEqual({ ok: 7 });
    expect(errorOf(await run(pool(), command('return scoped()')))).toMatchObject({
      message: expect.stringContaining('wrap it in "Effect.scoped"'),
      retryable: false,
    });
  });

  /** Installed here for comparisons of speed, or not. */
  const other = fileURLToPath(new URL('../../../.cache/peers/smithers/node_modules', import.meta.url));

  test.skipIf(!existsSync(join(other, 'effect')))('of another version do the same', async () => {
    mkdirSync(join(dir, 'node_modules'));
    symlinkSync(join(other, 'effect'), join(dir, 'node_modules/effect'), 'junction');
    write({
      'tracker.ts': tracker,
      'use.ts': `import { Effect } from 'effect'; import { Tracker } from './tracker.ts'; ${users}`,
    });
    const hosts = pool();
    const done = await run(hosts, handler('./use.ts', 'where', services('./tracker.ts#Tracker')));
    expect(done).toEqual({ ok: [true, 1, 'T-1'] });
    await hosts.leave();
    expect(readFileSync(join(dir, 'log'), 'utf8')).toBe('open close ');
  });

  test('that are not installed are asked for', async () => {
    write({ 'fake.ts': `export const fake = () => ({ '~effect/Effect': {} });` });
    const said = await run(pool(), handler('./fake.ts', 'fake', []));
    expect(errorOf(said)).toMatchObject({
      message: 'it returned an Effect, and the package "effect" is not installed',
      retryable: false,
    });
  });
});
