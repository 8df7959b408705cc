/**
 * The program of a host: a child process in which users' modules are loaded, so that none of them runs in ours. It is told
 * what to do on a pipe of its own, and ends with everything it started when that pipe closes.
 */
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { reasonOf } from './describe-export.ts';
import { describeModule } from './describe-module.ts';
import { type HostReport, type HostWork, hostPipe, lineReader, writeLine } from './host-protocol.ts';
import { createUserLibrary } from './user-library.ts';

const pipe = new Socket({ fd: hostPipe });

/** Resolves when the line is with the system: a module that ends the process cannot take it back. */
function report(message: HostReport): Promise<void> {
  return new Promise((done) => pipe.write(writeLine(message), () => done()));
}

/** We lead a group of our own: this ends us and all that modules started. */
function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit(1);
  }
}

/** What modules printed is with the system. Looked at, not asked for: they may have replaced `write`. */
async function flushed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    while (stream.writableLength > 0 && !stream.destroyed) await new Promise((next) => setImmediate(next));
  }
}

async function serve({ modules }: HostWork): Promise<void> {
  const library = await createUserLibrary();
  for (const { id, request } of modules) {
    await report({ kind: 'begin', id });
    const answer = await describeModule(request, library);
    await flushed();
    await report({ kind: 'answer', id, answer });
  }
}

/** A module that never yields would not notice the closed pipe: a thread of its own looks whether the owner is there. */
const watchdog = `
  const owner = require('node:worker_threads').workerData;
  const gone = () => { try { process.kill(owner, 0); return false; } catch (error) { return error.code === 'ESRCH'; } };
  setInterval(() => {
    if (process.ppid === owner && !gone()) return;
    try { process.kill(-process.pid, 'SIGKILL'); } catch { process.kill(process.pid, 'SIGKILL'); }
  }, 500);
`;
new Worker(watchdog, { eval: true, workerData: process.ppid }).unref();

process.on('uncaughtException', (error) => {
  void report({ kind: 'crash', message: reasonOf(error) }).then(() => process.exit(1));
});
pipe.on('close', endGroup);
pipe.on('error', endGroup);
pipe.setEncoding('utf8');
pipe.on(
  'data',
  lineReader((line) => void serve(JSON.parse(line ?? ''))),
);
