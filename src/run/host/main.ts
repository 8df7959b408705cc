/**
 * The program of a host: a child process in which users' code runs, so that none of it runs in ours. It is told what to do
 * on a pipe of its own, and ends with everything it started when that pipe closes.
 */
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { markName, processMark } from '../../sys/index.ts';
import {
  type HostReport,
  type HostWork,
  hostPipe,
  lineReader,
  type ModuleWork,
  ownLine,
  writeReport,
} from './protocol.ts';
import { createStepServer } from './step.ts';
import type { UserLibrary } from './user-library.ts';

/** By which all that is started here is known, wherever it goes. Before the environment is watched. */
const mark = processMark(process.pid);
if (mark !== undefined) process.env[markName] = mark;

const pipe = new Socket({ fd: hostPipe });
const steps = createStepServer(library);
let isCrashing = false;
/** The step that is being done. */
let doing: number | undefined;

/** Resolves when the line is with the system: a module that ends the process cannot take it back. */
function report(message: HostReport): Promise<void> {
  return new Promise((done) => pipe.write(writeReport(message), () => done()));
}

/** We lead a group of our own: this ends us and all that was started here. */
function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit(1);
  }
}

/** What was printed is with the system. Looked at, not asked for: modules may have replaced `write`. */
async function flushed(): Promise<void> {
  while (hasUnwritten()) await new Promise((next) => setImmediate(next));
}

function hasUnwritten(): boolean {
  const { stdout, stderr } = process;
  return (stdout.writableLength > 0 && !stdout.destroyed) || (stderr.writableLength > 0 && !stderr.destroyed);
}

let made: Promise<UserLibrary> | undefined;
/** Much code needs no modules: what loads them is loaded with the first. */
function library(): Promise<UserLibrary> {
  made ??= import('./user-library.ts').then(({ createUserLibrary }) => createUserLibrary());
  return made;
}

async function serve(work: HostWork): Promise<void> {
  if ('abort' in work) steps.abort(work.abort);
  else if ('end' in work) {
    // However that goes: the owner waits only for a while.
    const failed = await steps.close().catch((error: unknown) => [steps.thrown(error)]);
    for (const thrown of failed) await report({ kind: 'crash', thrown });
    endGroup();
  } else if ('step' in work) {
    if (isCrashing) return;
    doing = work.step.id;
    const line = await steps.perform(work.step);
    if (hasUnwritten()) await flushed();
    if (isCrashing) return;
    doing = undefined;
    pipe.write(ownLine(line));
  } else await describe(work.module);
}

async function describe({ id, request }: ModuleWork): Promise<void> {
  const { describeModule } = await import('./describe-module.ts');
  await report({ kind: 'begin', id });
  const answer = await describeModule(request, await library());
  await flushed();
  await report({ kind: 'answer', id, answer });
}

/** Code that never yields would not notice the closed pipe: a thread of its own looks whether the owner is there. */
const watchdog = `
  const owner = require('node:worker_threads').workerData;
  const gone = () => { try { process.kill(owner, 0); return false; } catch (error) { return error.code === 'ESRCH'; } };
  setInterval(() => {
    if (process.ppid === owner && !gone()) return;
    try { process.kill(-process.pid, 'SIGKILL'); } catch { process.kill(process.pid, 'SIGKILL'); }
  }, 500);
`;
new Worker(watchdog, { eval: true, workerData: process.ppid })
  .on('error', (error: NodeJS.ErrnoException) => {
    // A new thread asks for the folder, which the first step may have taken away by then. Such a host does no other step.
    if (error.syscall !== 'uv_cwd') throw error;
  })
  .unref();

process.on('uncaughtException', (error) => {
  isCrashing = true;
  const thrown = steps.thrown(error);
  const crash: HostReport = doing === undefined ? { kind: 'crash', thrown } : { kind: 'crash', id: doing, thrown };
  void report(crash).then(() => process.exit(1));
});
pipe.on('close', endGroup);
pipe.on('error', endGroup);
pipe.setEncoding('utf8');
// With the system as soon as it is written: nothing else is on its way.
pipe.write(writeReport({ kind: 'ready' }));
pipe.on(
  'data',
  // What the owner sends is as long as it has to be.
  lineReader((line) => void serve(JSON.parse(line ?? '')), Number.POSITIVE_INFINITY),
);
