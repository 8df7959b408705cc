/**
 * Who drives a run. One process at a time; the store fences out whoever lost it.
 * 1. On this machine, since it was started: a dead owner is replaced at once, a living one never.
 * 2. On another machine, whose processes cannot be seen: after a minute without a heartbeat.
 * 3. Whoever takes over ends what the owner before left running, before it begins anything.
 */
import { hostname } from 'node:os';
import type { Lease, LeaseOwner, ProcessRow, Store } from '../journal/index.ts';
import { bootId, type Clock, endGroup, processStart } from '../sys/index.ts';

export type Taken =
  | { readonly kind: 'mine'; readonly epoch: number }
  | { readonly kind: 'held'; readonly by: LeaseOwner };

/** What tells whether processes live; an argument, so that tests can let them die. */
export interface Machine {
  readonly me: LeaseOwner;
  readonly startOf: (pid: number) => string | undefined;
  readonly endGroup: (pid: number) => Promise<unknown>;
}

const silentMs = 60_000;

export function thisMachine(): Machine {
  const me = { host: hostname(), boot: bootId(), pid: process.pid, started: processStart(process.pid) ?? '' };
  return { me, startOf: processStart, endGroup: (pid) => endGroup(pid) };
}

export async function takeLease(store: Store, root: string, machine: Machine, clock: Clock): Promise<Taken> {
  const lease = store.lease(root);
  if (lease?.owner !== undefined && isHeld(lease, machine, clock.now())) return { kind: 'held', by: lease.owner };
  const epoch = store.write((writer) => writer.takeLease(root, machine.me, lease?.epoch, clock.now()));
  if (epoch === undefined) {
    const by = store.lease(root)?.owner;
    // It was taken and given up again meanwhile.
    return by === undefined ? takeLease(store, root, machine, clock) : { kind: 'held', by };
  }
  await endLeftovers(store, root, machine);
  return { kind: 'mine', epoch };
}

export function isHeld({ owner, at }: Lease, { me, startOf }: Machine, now: number): boolean {
  if (owner === undefined) return false;
  if (owner.host !== me.host) return now - at < silentMs;
  if (owner.boot !== me.boot) return false;
  return startOf(owner.pid) === owner.started;
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
  await Promise.all(rows.filter(isOurs).map(({ pid }) => machine.endGroup(pid)));
  store.write((writer) => {
    for (const { pid } of rows) writer.dropProcess(root, pid);
  });
}
