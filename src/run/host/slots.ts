/**
 * The hosts that there are: warm child processes, each in its folder, for all who have steps to do.
 * 1. A host does one step at a time, and only steps of its folder. It is kept for the next one, and dropped when it was idle
 *    for a while.
 * 2. There are never more than the limit, those that are ending included. Who wants one waits in order, and holds nothing.
 * 3. Nobody gets a host that loaded modules before it came: files may have changed since.
 * 4. Who was told of a host (`told`) is told when its whole group has ended, unless it was forgotten before.
 */
import { statSync } from 'node:fs';
import type { RunError } from '../../machine/index.ts';
import { type Clock, isInside, quotePath } from '../../sys/index.ts';
import type { AskedStop } from './exchange.ts';
import { type HostProcess, startHost } from './process.ts';

export interface HostSlot {
  readonly host: HostProcess;
  readonly cwd: string;
  /** Resolves when it can do steps, or should by all means. */
  readonly ready: Promise<void>;
  /** Who was told of it. */
  readonly told: Map<HostGuest, (pid: number) => void>;
  /** Its steps may have loaded users' modules, which stay as they were then. */
  hasModules: boolean;
}

/** Who has steps to do; `since`: as `HostSlots.now` was when it came. */
export interface HostGuest {
  readonly since: number;
}

export interface HostSlots {
  /** Later than all that was before. */
  readonly now: () => number;
  /** A host of that folder: idle, new, or when it is this one's turn. */
  readonly acquire: (guest: HostGuest, cwd: string, stop: AskedStop) => Promise<HostSlot | RunError>;
  /** Its step is done, and nothing of it runs any more. */
  readonly release: (slot: HostSlot) => void;
  /** `thorough`: it was doing a step, or a step left something behind. */
  readonly drop: (slot: HostSlot, thorough?: boolean) => Promise<void>;
  /** Tells it of all in these folders, and when they have ended; gives those of which it did not know. */
  readonly tell: (guest: HostGuest, cwds: ReadonlySet<string>, ended: (pid: number) => void) => readonly number[];
  /** Of the hosts that go on, it is told nothing more. */
  readonly forget: (guest: HostGuest) => void;
  /** Ends those that are idle in a folder or below it, and resolves when they have ended: it is about to go. */
  readonly dismiss: (folder: string) => Promise<void>;
  /** No step is being done: ends all there are, and resolves when they have ended. */
  readonly empty: () => Promise<void>;
}

export interface HostSlotsOptions {
  readonly env: () => Readonly<Record<string, string>>;
  readonly limit: number;
  readonly clock: Clock;
  readonly idleMs: number;
  readonly closeMs?: number | undefined;
}

interface Slot extends HostSlot {
  readonly since: number;
  idleSince: number;
  ending?: Promise<void>;
}

interface Waiter {
  readonly guest: HostGuest;
  readonly cwd: string;
  readonly take: (slot: Slot | RunError) => void;
}

const printedChars = 4096;
const longestStartMs = 30_000;

export const stopped: RunError = { code: 'cancelled', message: 'it was stopped', retryable: false };

export function createHostSlots({ env, limit, clock, idleMs, closeMs }: HostSlotsOptions): HostSlots {
  const slots = new Set<Slot>();
  /** The one that was used last is at the end. */
  const idle: Slot[] = [];
  const line = new Set<Waiter>();
  let endings = 0;
  let ticks = 0;
  /** Of what drops idle hosts, while there are any. */
  let reaping: AbortController | undefined;

  function serve(): void {
    for (const waiter of line) {
      const slot = takeIdle(waiter) ?? start(waiter.cwd);
      if (slot === undefined) return;
      line.delete(waiter);
      waiter.take(slot);
    }
  }

  function takeIdle({ guest, cwd }: Waiter): Slot | undefined {
    for (let at = idle.length - 1; at >= 0; at--) {
      const slot = idle[at];
      if (slot?.cwd === cwd && (!slot.hasModules || slot.since > guest.since)) return idle.splice(at, 1)[0];
    }
    return undefined;
  }

  /** Undefined when there are enough: then one that cannot be used is ended, if that is all it takes. */
  function start(cwd: string): Slot | RunError | undefined {
    if (slots.size >= limit) {
      const oldest = endings < line.size ? idle.shift() : undefined;
      if (oldest) void drop(oldest);
      return undefined;
    }
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
      return {
        code: 'exit',
        message: `the folder ${quotePath(cwd)}, where the step works, does not exist`,
        retryable: false,
      };
    }
    let host: HostProcess;
    try {
      host = startHost({ cwd, env: env(), printedChars, ...(closeMs !== undefined && { closeMs }) });
    } catch (error) {
      return { code: 'exit', message: `no process could be started for the step: ${String(error)}`, retryable: true };
    }
    const slot: Slot = {
      host,
      cwd,
      ready: readiness(host),
      told: new Map(),
      hasModules: false,
      since: ++ticks,
      idleSince: 0,
    };
    slots.add(slot);
    // One that dies while it is idle.
    void host.over.then(() => {
      const at = idle.indexOf(slot);
      if (at === -1) return;
      idle.splice(at, 1);
      void drop(slot);
    });
    return slot;
  }

  /** One that never gets ready must not keep the time of its step from running. */
  async function readiness({ ready }: HostProcess): Promise<void> {
    const over = new AbortController();
    await Promise.race([ready, clock.sleep(longestStartMs, over.signal).catch(() => undefined)]);
    over.abort('ready');
  }

  function drop(slot: Slot, thorough = false): Promise<void> {
    slot.ending ??= ended(slot, thorough);
    return slot.ending;
  }

  async function ended(slot: Slot, thorough: boolean): Promise<void> {
    endings++;
    await slot.host.end(thorough);
    endings--;
    slots.delete(slot);
    const { pid } = slot.host;
    if (pid !== undefined) for (const tell of slot.told.values()) tell(pid);
    serve();
  }

  async function reap(): Promise<void> {
    const over = new AbortController();
    reaping = over;
    for (let first = idle[0]; first !== undefined && !over.signal.aborted; first = idle[0]) {
      const left = first.idleSince + idleMs - clock.now();
      if (left > 0) await clock.sleep(left, over.signal).catch(() => undefined);
      else {
        idle.shift();
        void drop(first);
      }
    }
    if (reaping === over) reaping = undefined;
  }

  return {
    now: () => ++ticks,
    acquire(guest, cwd, stop) {
      return new Promise((take) => {
        const waiter: Waiter = { guest, cwd, take };
        line.add(waiter);
        serve();
        if (!line.has(waiter)) return;
        void stop.asked.then(() => {
          if (line.delete(waiter)) take(stopped);
        });
      });
    },
    release(used) {
      const slot = used as Slot;
      slot.idleSince = clock.now();
      idle.push(slot);
      serve();
      if (reaping === undefined && idle.length > 0) void reap();
    },
    drop: (slot, thorough) => drop(slot as Slot, thorough),
    tell(guest, cwds, ended) {
      const pids: number[] = [];
      for (const { host, cwd, told, ending } of slots) {
        if (host.pid === undefined || ending !== undefined || told.has(guest) || !cwds.has(cwd)) continue;
        told.set(guest, ended);
        pids.push(host.pid);
      }
      return pids;
    },
    forget(guest) {
      for (const { told } of slots) told.delete(guest);
    },
    async dismiss(folder) {
      const gone = idle.filter(({ cwd }) => isInside(cwd, folder));
      for (const slot of gone) idle.splice(idle.indexOf(slot), 1);
      await Promise.all(gone.map((slot) => drop(slot)));
    },
    async empty() {
      reaping?.abort('empty');
      reaping = undefined;
      idle.length = 0;
      await Promise.all(Array.from(slots, (slot) => drop(slot)));
    },
  };
}
