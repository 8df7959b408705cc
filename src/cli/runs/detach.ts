/** `run --detach`: another process drives the run; this one returns when that has begun. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { readTextFile } from '../../sys/index.ts';
import { printable } from '../../text/index.ts';
import { UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import type { OpenRuns } from './stores.ts';

export interface Detached {
  /** Where its progress is written. */
  readonly log: string;
  /** Why it did not begin. */
  readonly problem?: string;
}

const pollMs = 25;
const tailLines = 10;

/** The run was created here and given up. */
export async function detach(
  runs: OpenRuns,
  id: string,
  logs: string,
  flags: readonly string[],
  context: Context,
): Promise<Detached> {
  const { store, clock } = runs.engine;
  const [file, ...args] = context.self ?? [];
  if (file === undefined) throw new UsageError('--detach needs a program that can be started again.');
  mkdirSync(logs, { recursive: true });
  const log = join(logs, `${id}.log`);
  const out = openSync(log, 'a');
  const child = spawn(file, [...args, 'resume', id, '--store', store.name, ...flags], {
    cwd: context.cwd,
    env: context.env as NodeJS.ProcessEnv,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', out, out],
  });
  closeSync(out);
  let end: string | undefined;
  child.on('error', (error) => {
    end = error.message;
  });
  child.on('exit', (code, signal) => {
    end = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
  });
  // Its first commit is the second event: the first is ours.
  while ([...store.events(id, 1)].length === 0) {
    if (end !== undefined) return { log, problem: `${end}${await tailOf(log)}` };
    await clock.sleep(pollMs);
  }
  child.unref();
  return { log };
}

async function tailOf(log: string): Promise<string> {
  const read = await readTextFile(log);
  if (!read.ok || read.text.trim() === '') return '';
  return `:\n${read.text.trimEnd().split('\n').slice(-tailLines).map(printable).join('\n')}`;
}
