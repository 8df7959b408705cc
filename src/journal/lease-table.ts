/** Who drives a root run, in SQLite. An epoch is used once: whoever holds an older one writes nothing any more. */
import { type Database, plain, type SqlRow } from './sqlite.ts';
import { type Lease, LeaseLost, type LeaseOwner } from './store.ts';

export interface LeaseTable {
  readonly get: (root: string) => Lease | undefined;
  /** Throws `LeaseLost` if the lease is not held under this epoch. */
  readonly need: (root: string, epoch: number) => void;
  /** For whoever sees that it holds it no more. */
  readonly lost: (root: string) => LeaseLost;
  readonly take: (root: string, owner: LeaseOwner, from: number | undefined, at: number) => number | undefined;
  readonly beat: (root: string, epoch: number, at: number) => boolean;
  readonly free: (root: string, epoch: number) => void;
  readonly isHeld: (root: string, epoch: number) => boolean;
}

export function leaseTable(db: Database): LeaseTable {
  const select = db.prepare('SELECT epoch, at, host, boot, pid, started FROM leases WHERE root = ?');
  const held = db.prepare('SELECT 1 AS held FROM leases WHERE root = ? AND epoch = ? AND pid IS NOT NULL');
  const replace = db.prepare('INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?, ?, ?)');
  const heartbeat = db.prepare('UPDATE leases SET at = ? WHERE root = ? AND epoch = ? AND pid IS NOT NULL');
  const clear = db.prepare(
    'UPDATE leases SET host = NULL, boot = NULL, pid = NULL, started = NULL WHERE root = ? AND epoch = ?',
  );

  function get(root: string): Lease | undefined {
    const row = select.get(root);
    return row && leaseOf(row);
  }

  function isHeld(root: string, epoch: number): boolean {
    return held.get(root, epoch) !== undefined;
  }

  function lost(root: string): LeaseLost {
    return new LeaseLost(root, get(root)?.owner);
  }

  return {
    get,
    isHeld,
    lost,
    need(root, epoch) {
      if (!isHeld(root, epoch)) throw lost(root);
    },
    take(root, owner, from, at) {
      const lease = get(root);
      if (lease?.owner !== undefined && lease.epoch !== from) return undefined;
      const epoch = (lease?.epoch ?? 0) + 1;
      replace.run(plain(root), epoch, at, plain(owner.host), plain(owner.boot), owner.pid, plain(owner.started));
      return epoch;
    },
    beat: (root, epoch, at) => heartbeat.run(at, root, epoch).changes === 1,
    free: (root, epoch) => void clear.run(root, epoch),
  };
}

function leaseOf({ epoch, at, host, boot, pid, started }: SqlRow): Lease {
  const lease = { epoch: Number(epoch), at: Number(at) };
  if (pid === null) return lease;
  return { ...lease, owner: { host: String(host), boot: String(boot), pid: Number(pid), started: String(started) } };
}
