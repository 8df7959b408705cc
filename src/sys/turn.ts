/**
 * A turn at something that only one process may change at a time, as a file beside it.
 * 1. The file appears with its content in one step, so nobody sees half of it; it says which process holds it.
 * 2. What a dead process left behind is taken away by whoever wants a turn. Only one of them can: it first makes a mark
 *    that bears the name of that very turn, looks again, and removes the file only if it is still that turn's.
 * 3. A living process is never pushed aside, however long it takes.
 */
import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Clock, realClock } from './clock.ts';
import { systemCode } from './failure.ts';
import { bootId, isSameBoot, processStart } from './process-start.ts';

export interface TurnOptions {
  /** Told once, when somebody else has to be waited for. */
  readonly waiting?: (holder: TurnHolder) => void;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

export interface TurnHolder {
  readonly pid: number;
  readonly host: string;
}

interface Holder extends TurnHolder {
  readonly turn: string;
  readonly boot: string;
  readonly started: string;
}

/** A mark is held for as long as two calls of the system take: an older one was left by a process that died. */
const staleMarkMs = 10_000;
const pollMs = 15;

/** Does the work when it is our turn. Throws the signal's reason when it is aborted while waiting. */
export async function inTurn<T>(file: string, work: () => Promise<T>, options: TurnOptions = {}): Promise<T> {
  const turn = await take(file, options);
  try {
    await sweep(file);
    return await work();
  } finally {
    await release(file, turn);
  }
}

async function take(file: string, { waiting, signal, clock = realClock }: TurnOptions): Promise<string> {
  const turn = randomBytes(8).toString('hex');
  const { pid } = process;
  const mine: Holder = { pid, host: hostname(), turn, boot: bootId(), started: processStart(pid) ?? '' };
  for (let isTold = false; ; ) {
    if (await appear(file, turn, JSON.stringify(mine))) return turn;
    const holder = await read(file);
    if (holder === undefined) continue; // It was just given back.
    if (isDead(holder)) {
      await clearAway(file, holder);
      continue;
    }
    if (!isTold) waiting?.(holder);
    isTold = true;
    await clock.sleep(pollMs + Math.random() * pollMs, signal);
  }
}

async function release(file: string, turn: string): Promise<void> {
  if ((await read(file))?.turn === turn) await rm(file, { force: true });
}

/** False if it is there already. */
async function appear(file: string, turn: string, text: string): Promise<boolean> {
  const temporary = `${file}.${turn}`;
  await writeFile(temporary, text, { flag: 'wx' });
  try {
    await link(temporary, file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    // Some file systems have no links.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'].includes(systemCode(error) ?? '')) throw error;
    return await writeFile(file, text, { flag: 'wx' }).then(
      () => true,
      (second: unknown) => {
        if (systemCode(second) === 'EEXIST') return false;
        throw second;
      },
    );
  } finally {
    await unlink(temporary);
  }
}

/** Undefined if nobody holds it. */
async function read(file: string): Promise<Holder | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const holder = holderIn(text);
  if (holder !== undefined) return holder;
  // Only where links are not possible: it is being written, or was left by a process that died just then.
  const age = await ageOf(file);
  const isLeft = age !== undefined && age > staleMarkMs;
  return { pid: isLeft ? 0 : process.pid, host: hostname(), turn: text, boot: bootId(), started: '' };
}

function holderIn(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'turn' in value ? (value as Holder) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isDead({ pid, host, boot, started }: Holder): boolean {
  if (host !== hostname()) return false;
  if (!isSameBoot(boot, bootId())) return true;
  if (boot !== bootId()) return false; // Another container: its pids say nothing here.
  const start = processStart(pid);
  return start === undefined || (started !== '' && start !== started);
}

async function clearAway(file: string, dead: Holder): Promise<void> {
  const mark = `${file}.${dead.turn.replace(/[^0-9a-f]/g, '') || 'x'}.left`;
  try {
    await writeFile(mark, '', { flag: 'wx' });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    const age = await ageOf(mark);
    if (age !== undefined && age > staleMarkMs) await rm(mark, { force: true });
    return;
  }
  try {
    if ((await read(file))?.turn === dead.turn) await rm(file, { force: true });
  } finally {
    await rm(mark, { force: true });
  }
}

/** What processes have left that died while they asked for a turn. Only who has it looks for them. */
async function sweep(file: string): Promise<void> {
  const dir = dirname(file);
  const start = `${basename(file)}.`;
  for (const name of await readdir(dir)) {
    if (!name.startsWith(start) || !/^[0-9a-f]+(?:\.left)?$/.test(name.slice(start.length))) continue;
    const at = join(dir, name);
    const asker = holderIn(await readFile(at, 'utf8').catch(missing));
    const age = await ageOf(at);
    if (asker === undefined ? age !== undefined && age > staleMarkMs : isDead(asker)) await rm(at, { force: true });
  }
}

/** It was given back in the meantime. */
function missing(error: unknown): string {
  if (systemCode(error) === 'ENOENT') return '';
  throw error;
}

async function ageOf(file: string): Promise<number | undefined> {
  try {
    return Math.abs(Date.now() - (await stat(file)).mtimeMs);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
