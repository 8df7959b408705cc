/** `--detach`: another process drives the run; this one returns when that has begun. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { displayPath, readTextFile } from '../../sys/index.ts';
import { painter, printable } from '../../text/index.ts';
import { UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonText } from '../json.ts';
import { remarkWith } from './remark.ts';
import { command, runJson } from './result.ts';
import type { OpenRuns } from './stores.ts';

interface Detached {
  /** Where its progress is written. */
  readonly log: string;
  /** Why it did not begin. */
  readonly problem?: string;
}

const pollMs = 25;
const tailLines = 10;

/** The run was created here and given up. */
async function detach(runs: OpenRuns, id: string, flags: readonly string[], context: Context): Promise<Detached> {
  const { store, clock } = runs.engine;
  const [file, ...args] = context.self ?? [];
  if (file === undefined) throw new UsageError('--detach needs a program that can be started again.');
  const log = logOf(store.name, id);
  mkdirSync(dirname(log), { recursive: true });
  const out = openSync(log, 'a');
  // The file may be another by then: what was begun here goes on.
  const child = spawn(file, [...args, 'resume', id, '--as-it-was', '--store', store.name, ...flags], {
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
  // Its first commit comes behind the event with which the run, or its segment, began: that is ours.
  const first = store.run(id)?.segment ?? 1;
  while (!hasMore(store.events(id, first))) {
    if (end !== undefined) return { log, problem: `${end}${await tailOf(log)}` };
    await clock.sleep(pollMs);
  }
  child.unref();
  return { log };
}

function hasMore(events: Iterable<unknown>): boolean {
  for (const _ of events) return true;
  return false;
}

export interface DetachWish {
  readonly flags: readonly string[];
  readonly json: boolean;
}

/** Detaches, and tells how to see what becomes of it. */
export async function tellDetached(
  runs: OpenRuns,
  root: string,
  { flags, json }: DetachWish,
  context: Context,
): Promise<ExitCode> {
  const { store } = runs.engine;
  const { stderr, stdout, cwd } = context;
  const { log, problem } = await detach(runs, root, flags, context);
  const row = store.run(root);
  if (row && json) stdout.write(jsonText(runJson({ row, store: store.name, driven: true, log })));
  if (problem !== undefined) {
    stderr.write(`  ${painter(stderr.color).red('not begun')}  ${problem}\n`);
    return exit.failed;
  }
  // A script may keep it for long, and what is short today is not for ever.
  if (!json) stdout.write(`${root}\n`);
  stderr.write(remarkWith('it goes on by itself; its log is', printable(displayPath(log, cwd)), stderr));
  stderr.write(`      ${command(context, 'watch', runs.short(root))}\n`);
  return exit.done;
}

/** Where what a run of a store tells is written while nobody sees it. */
export function logOf(store: string, id: string): string {
  const folder = dirname(store);
  return join(basename(folder) === '.toolang' ? join(folder, 'logs') : `${store}.logs`, `${id}.log`);
}

async function tailOf(log: string): Promise<string> {
  const read = await readTextFile(log);
  if (!read.ok || read.text.trim() === '') return '';
  return `:\n${read.text.trimEnd().split('\n').slice(-tailLines).map(printable).join('\n')}`;
}
