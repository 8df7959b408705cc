/**
 * Who drives a run. One process at a time; the store fences out whoever lost it.
 * 1. On this machine, since it was started: a dead owner is replaced at once, a living one never.
 * 2. Where processes cannot be seen, on another machine or in a container: after a minute without a heartbeat. Clocks may
 *    differ, so a heartbeat that stays the same for a minute of our own time is none, whatever its time says.
 * 3. Whoever takes over ends what the owner before left running, before it begins anything.
 * 4. Nobody takes a run that is not there: it may be removed at any time while nobody drives it.
 * 5. Whoever gives a run up in order leaves no rows of processes: nothing of the run is being done, and the hosts that did
 *    its steps may do others', which nobody who drives it later may end.
 */
import { hostname } from 'node:os';
import type { Lease, LeaseOwner, ProcessRow, Store, Writer } from '../journal/index.ts';
import { bootId, type Clock, endGroup, isSameBoot, processMark, processStart, realClock } from '../sys/index.ts';
import { ToolangError } from '../text/index.ts';

export type Taken =
  | { readonly kind: 'mine'; readonly epoch: number }
  | { readonly kind: 'held'; readonly by: LeaseOwner };

/** What tells whether processes live; an argument, so that tests can let them die. */
export interface Machine {
  readonly me: LeaseOwner;
  readonly startOf: (pid: number) => string | undefined;
  /** With what left the group, as far as that can be told. */
  readonly endGroup: (pid: number, started: string) => Promise<unknown>;
  /** For how many milliseconds of our own time a lease is known with this heartbeat; 0 where nobody looks twice. */
  readonly knownFor?: (lease: Lease) => number;
}

const silentMs = 60_000;

export function thisMachine(): Machine {
  const me = { host: hostname(), boot: bootId(), pid: process.pid, started: processStart(process.pid) ?? '' };
  return {
    me,
    startOf: processStart,
    endGroup: (pid, started) => endGroup(pid, { mark: processMark(pid, started) }),
    knownFor: createHeartbeats(),
  };
}

const mostHeartbeats = 1000;

/** Remembers when each heartbeat was first seen. `ticks` never go back, whatever is done to the clock. */
export function createHeartbeats(ticks: () => number = realClock.monotonic): (lease: Lease) => number {
  const since = new Map<string, number>();
  return ({ owner, epoch, at }) => {
    if (owner === undefined) return 0;
    const key = [owner.host, owner.boot, owner.pid, owner.started, epoch, at].join();
    const known = since.get(key);
    const now = ticks();
    if (known !== undefined) return now - known;
    if (since.size >= mostHeartbeats) since.clear();
    since.set(key, now);
    return 0;
  };
}

/** It was never there, or somebody has removed it. */
export function missingRun(store: Store, root: string): ToolangError {
  return new ToolangError('TOO6201', `the store ${store.name} has no run ${root}`);
}

/** Throws where there is no such run. */
export async function takeLease(store: Store, root: string, machine: Machine, clock: Clock): Promise<Taken> {
  const lease = store.lease(root);
  if (lease?.owner !== undefined && isHeld(lease, machine, clock.now())) return { kind: 'held', by: lease.owner };
  const epoch = store.write((writer) => {
    if (store.run(root) === undefined) throw missingRun(store, root);
    return writer.takeLease(root, machine.me, lease?.epoch, clock.now());
  });
  if (epoch === undefined) {
    const by = store.lease(root)?.owner;
    // It was taken and given up again meanwhile.
    return by === undefined ? takeLease(store, root, machine, clock) : { kind: 'held', by };
  }
  await endLeftovers(store, root, machine);
  return { kind: 'mine', epoch };
}

export function giveLease(store: Store, writer: Writer, root: string, epoch: number): ReturnType<Writer['release']> {
  const answer = writer.release(root, epoch);
  if (answer === 'released') for (const { pid } of store.processes(root)) writer.dropProcess(root, pid);
  return answer;
}

export function isHeld(lease: Lease, machine: Machine, now: number): boolean {
  const { owner, at } = lease;
  const { me, startOf } = machine;
  if (owner === undefined) return false;
  if (owner.host === me.host && owner.boot === me.boot) return startOf(owner.pid) === owner.started;
  if (owner.host === me.host && !isSameBoot(owner.boot, me.boot)) return false;
  return now - at < silentMs && (machine.knownFor?.(lease) ?? 0) < silentMs;
}

/** What steps of an earlier owner still do: their results would go nowhere, and the steps are begun again. */
async function endLeftovers(store: Store, root: string, machine: Machine): Promise<void> {
  const rows = store.processes(root);
  if (rows.length === 0) return;
  const { me, startOf } = machine;
  // Elsewhere, or before this machine was started: its processes are gone, or not ours to end. Who held the lease does not
  // tell: there may have been several since. A leader that is gone may have left members; while there are any, no other
  // process gets its number.
  const isOurs = ({ pid, started }: ProcessRow) =>
    started.startsWith(me.boot) && [undefined, started].includes(startOf(pid));
  await Promise.all(rows.filter(isOurs).map(({ pid, started }) => machine.endGroup(pid, started)));
  store.write((writer) => {
    for (const { pid } of rows) writer.dropProcess(root, pid);
  });
}
