// One measurement in a process of its own: `child.mjs SYSTEM VARIANT WHAT PACKAGES FOLDER`, the result in FOLDER/result.json.
// What counts begins with the first step that is done and ends with the run: starting the first host, and whatever else a
// system does before it, is in no cost of a step. Packages are loaded and the work is defined before the time is taken.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { cpu } from '../measure.mjs';
import { systems } from './systems.mjs';
import { lengths } from './work.mjs';

const [name = '', variant = '', what = '', packages = '', folder = ''] = process.argv.slice(2);
const system = systems[name];
if (system === undefined) throw new Error(`there is no system "${name}"`);
const file = join(folder, 'store.db');
const refused = refuseNetwork();

/** @type {Record<string, () => Promise<Record<string, unknown>>>} */
const kinds = {
  few: () => sequence(lengths.few),
  many: () => sequence(lengths.many),
  leave,
  resume,
  wide,
  once,
};
const measured = await kinds[what]?.();
writeFileSync(join(folder, 'result.json'), JSON.stringify({ ...measured, refused: [...refused] }));
// Some leave timers behind.
process.exit(0);

/** @param {number} steps */
async function sequence(steps) {
  await warm();
  await openEmpty();
  const opened = await open(file);
  const program = await opened.define(steps);
  /** @type {ReturnType<typeof clocks> | undefined} */
  let first;
  let hosts = 0;
  await program.start(
    'run',
    doneCounter((done) => {
      if (done === 1) first = clocks();
      // Hosts are gone when the run has ended.
      if (done === 1 || done === steps) hosts = cpuOfChildren() - hosts;
    }),
  );
  const last = clocks();
  const settings = await settingsOf(opened);
  await opened.close();
  if (first === undefined) throw new Error('no step was done');
  return {
    wall: (last.wall - first.wall) / (steps - 1),
    cpu: (last.cpu - first.cpu + (system?.calls === 'done' ? hosts : 0)) / (steps - 1),
    written: (last.written - first.written) / (steps - 1),
    settings,
  };
}

/** Leaves a run as a crash does. */
async function leave() {
  const opened = await open(file);
  const program = await opened.define(lengths.resumed + 10);
  if (program.resume === undefined) return { cannot: true };
  await program.start(
    'run',
    doneCounter((done) => {
      if (done === lengths.resumed) process.kill(process.pid, 'SIGKILL');
    }),
  );
  throw new Error('the run came to its end');
}

/** From nothing open to the first step that was done. */
async function resume() {
  // Loads the packages.
  await openEmpty();
  let begin = performance.now();
  let beginCpu = cpu();
  const opened = await open(file);
  const opening = { ms: performance.now() - begin, cpu: cpu() - beginCpu };
  const program = await opened.define(lengths.resumed + 10);
  begin = performance.now() - opening.ms;
  beginCpu = cpu() - opening.cpu;
  let ms = 0;
  let used = 0;
  let steps = 0;
  await program.resume?.(
    'run',
    doneCounter((done) => {
      steps = done;
      if (done !== 1) return;
      ms = performance.now() - begin;
      used = cpu() - beginCpu + (system?.calls === 'done' ? cpuOfChildren() : 0);
    }),
  );
  await opened.close();
  if (steps === 0 || steps > 20) throw new Error(`${steps} steps were done after the resume, of 10 that were left`);
  return { ms, cpu: used };
}

/** One run with many steps that wait for nothing, from its begin to its end; the second time, when all is compiled. */
async function wide() {
  await warm();
  const opened = await open(file);
  const program = await opened.fan(lengths.wide);
  await fanOut('warm');
  const before = clocks();
  await fanOut('run');
  const after = clocks();
  await opened.close();
  return { wall: after.wall - before.wall, cpu: after.cpu + after.waited - before.cpu - before.waited };

  /** @param {string} id */
  async function fanOut(id) {
    let steps = 0;
    await program.start(id, () => {
      steps++;
    });
    if (steps !== lengths.wide) throw new Error(`${steps} steps were done instead of ${lengths.wide}`);
  }
}

/** Many short runs at the same time, in one process and one store. */
async function once() {
  await warm();
  const opened = await open(file);
  const program = await opened.define(lengths.short);
  await crowd(program, 'warm', 10);
  const before = clocks();
  await crowd(program, 'run', lengths.runs);
  const after = clocks();
  const settings = await settingsOf(opened);
  await opened.close();
  return { wall: after.wall - before.wall, cpu: after.cpu + after.waited - before.cpu - before.waited, settings };
}

/** @param {import('./contract.mjs').Opened} opened */
async function settingsOf(opened) {
  const settings = await opened.settings();
  if (variant === 'full' && settings.level < 2) throw new Error('synchronous=FULL did not hold');
  return settings;
}

/**
 * @param {import('./contract.mjs').Program} program
 * @param {string} prefix
 * @param {number} count
 */
async function crowd(program, prefix, count) {
  let steps = 0;
  const called = () => {
    steps++;
  };
  await Promise.all(Array.from({ length: count }, (_, i) => program.start(`${prefix}-${i}`, called)));
  if (steps !== count * lengths.short) throw new Error(`${steps} steps were done instead of ${count * lengths.short}`);
}

/** The same for all: as many steps as `bench/engine.mjs` warms up with, but no longer than some seconds. */
async function warm() {
  const path = join(folder, 'warm.db');
  const opened = await open(path);
  const program = await opened.define(lengths.warmRun);
  const end = performance.now() + lengths.warmMs;
  for (let i = 0; i < lengths.warm / lengths.warmRun && performance.now() < end; i++) {
    await program.start(`w${i}`, () => {});
  }
  await opened.close();
  remove(path);
}

/** What a store has in it before its first run. */
async function openEmpty() {
  await (await open(join(folder, 'empty.db'))).close();
}

/** @param {string} path */
async function open(path) {
  if (system === undefined) throw new Error('no system');
  return system.open(packages, path, variant);
}

/**
 * A step that begins says that the one before it is done.
 * @param {(done: number) => void} tell
 */
function doneCounter(tell) {
  let done = system?.calls === 'done' ? 0 : -1;
  return () => {
    done++;
    if (done > 0) tell(done);
  };
}

function clocks() {
  return { wall: performance.now(), cpu: cpu(), waited: cpuOfEnded(), written: bytesWritten() };
}

/** @param {string} path */
function remove(path) {
  for (const each of [path, `${path}-wal`, `${path}-shm`]) rmSync(each, { force: true });
}

/** Milliseconds that the children have used so far; only Linux tells. */
function cpuOfChildren() {
  if (!existsSync('/proc/self/task')) return Number.NaN;
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    read(`/proc/self/task/${task}/children`).split(' '),
  );
  return children
    .filter((pid) => pid !== '')
    .flatMap((pid) =>
      tasksOf(pid).map((task) => Number(read(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0]) / 1e6),
    )
    .reduce((sum, ms) => sum + ms, 0);
}

/** Milliseconds of children that have ended, in steps of ten. */
function cpuOfEnded() {
  if (!existsSync('/proc/self/stat')) return Number.NaN;
  const fields = read('/proc/self/stat')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

function bytesWritten() {
  return Number(/^write_bytes: (\d+)/m.exec(read('/proc/self/io'))?.[1] ?? Number.NaN);
}

/** @param {string} pid */
function tasksOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** A process may be gone before it is read. @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Nothing of this needs a network: who tries gets an error, and is named. */
function refuseNetwork() {
  /** @type {Set<string>} */
  const hosts = new Set();
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (/** @type {any[]} */ ...args) {
    const [options] = Array.isArray(args[0]) ? args[0] : args;
    if (typeof options !== 'object' || options.path) return Reflect.apply(connect, this, args);
    hosts.add(`${options.host}:${options.port}`);
    throw new Error('the bench has no network');
  };
  return hosts;
}
