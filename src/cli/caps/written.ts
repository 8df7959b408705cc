/** Changes a file that people write, together with what follows from it: where the sync fails, the file is as it was. */
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { inTurn, systemCode, writeFileAtomic } from '../../sys/index.ts';
import type { Context } from '../context.ts';

export interface WrittenText {
  /** Undefined where there was no file. */
  readonly before: string | undefined;
  readonly after: string;
  /** Told where the file cannot be as it was: somebody else has changed it since. */
  readonly left: () => void;
}

/** `work` says whether it went well; where not, or where it throws, what was there before is put back. */
export async function withWritten(file: string, text: WrittenText, work: () => Promise<boolean>): Promise<boolean> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFileAtomic(file, text.after);
  let isDone = false;
  try {
    isDone = await work();
    return isDone;
  } finally {
    if (!isDone) await putBack(file, text);
  }
}

async function putBack(file: string, { before, after, left }: WrittenText): Promise<void> {
  // What others have written meanwhile is not ours to take away.
  if ((await textOf(file)) !== after) left();
  else if (before === undefined) await rm(file, { force: true });
  else await writeFileAtomic(file, before);
}

/** One command at a time changes the files of a scope, from reading them on. `sync` is its sync root. */
export async function inEdit<T>(sync: string, context: Context, work: () => Promise<T>): Promise<T> {
  await mkdir(sync, { recursive: true });
  const waiting = ({ pid }: { readonly pid: number }) =>
    context.stderr.write(`waiting for another change (process ${pid})\n`);
  return inTurn(path.join(sync, '.edit'), work, { waiting });
}

/** Undefined of what is not there. */
export async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
