/** Who counts as an owner that lives. */
import { describe, expect, it } from 'vitest';
import type { Lease, LeaseOwner } from '../journal/index.ts';
import { createHeartbeats, isHeld, type Machine } from './lease.ts';

const me: LeaseOwner = { host: 'box', boot: 'b1 pid:[1]', pid: 10, started: 's10' };
const lease = (owner: Partial<LeaseOwner>, at = 1000): Lease => ({ epoch: 1, at, owner: { ...me, pid: 7, ...owner } });
/** No process can be seen. */
const machine = (more: Partial<Machine> = {}): Machine => ({
  me,
  startOf: () => undefined,
  endGroup: async () => undefined,
  ...more,
});

describe('an owner', () => {
  it('of this machine lives if its process does, whatever the heartbeat says', () => {
    const living = machine({ startOf: () => 's7' });
    expect(isHeld(lease({ started: 's7' }, 0), living, 1e9)).toBe(true);
    expect(isHeld(lease({ started: 's7' }), machine(), 1000)).toBe(false);
    expect(isHeld(lease({ boot: 'b0 pid:[1]' }), living, 1000)).toBe(false);
  });

  it('in another container of this machine cannot be seen: its heartbeat counts', () => {
    const hidden = lease({ boot: 'b1 pid:[2]' });
    expect(isHeld(hidden, machine(), 1000)).toBe(true);
    expect(isHeld(hidden, machine(), 60_999)).toBe(true);
    expect(isHeld(hidden, machine(), 61_000)).toBe(false);
  });

  it('of another machine whose clock is ahead is silent when its heartbeat stays the same for a minute of ours', () => {
    let ticks = 5;
    const watching = machine({ knownFor: createHeartbeats(() => ticks) });
    const ahead = lease({ host: 'far' }, 86_400_000);
    expect(isHeld(ahead, watching, 1000)).toBe(true);
    ticks += 59_999;
    expect(isHeld(ahead, watching, 1000)).toBe(true);
    // It beats: the minute begins anew.
    expect(isHeld(lease({ host: 'far' }, 86_410_000), watching, 1000)).toBe(true);
    ticks += 59_999;
    expect(isHeld(lease({ host: 'far' }, 86_410_000), watching, 1000)).toBe(true);
    ticks += 1;
    expect(isHeld(lease({ host: 'far' }, 86_410_000), watching, 1000)).toBe(false);
  });
});
