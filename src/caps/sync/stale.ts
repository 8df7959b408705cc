/** `toolang sync --check`: what a sync would change, told without the network and without writing anything. */
import type { Diagnostic } from '../../text/index.ts';
import type { RemoteCap } from '../scope/authored.ts';
import { type Change, changeOf, namesOf } from './change.ts';
import { desiresOf, wantedOf } from './desire.ts';
import { goneChanges } from './gone.ts';
import { type Locks, lockChanges, type Part, type PartDesires } from './parts.ts';
import type { SyncRequest } from './request.ts';
import { straysIn } from './root.ts';

export interface Stale {
  readonly diagnostics: readonly Diagnostic[];
  readonly changes: readonly Change[];
  /** References that nobody has accepted yet. */
  readonly unlocked: readonly RemoteCap[];
  /** What the locks hold is what is named. */
  readonly isLockSame: boolean;
}

export function staleIn(parts: readonly Part[], locks: Locks, request: SyncRequest): Stale {
  const unlocked: RemoteCap[] = [];
  const changes: Change[] = [];
  const desires: PartDesires[] = [];
  const problems: Diagnostic[] = [];
  for (const part of parts) {
    const { caps } = part.gathered;
    const there = caps.filter((cap) => {
      const [wanted] = wantedOf([cap], part.options);
      if (wanted === undefined || !('ref' in cap)) return true;
      if (wanted.locked === undefined) unlocked.push(cap);
      else
        changes.push({
          what: 'repaired',
          ...namesOf(cap),
          ref: cap.ref,
          why: 'it does not lie there as it was locked',
        });
      return false;
    });
    const { desired, diagnostics } = desiresOf(there, new Map(), part.options);
    problems.push(...diagnostics);
    desires.push({ part, desired });
    changes.push(...desired.flatMap(changeOf));
    const strays = straysIn(part.root, caps);
    changes.push(...strays.map((each) => ({ what: 'removed' as const, scope: part.scope, ...each })));
  }
  changes.push(...goneChanges(request));
  // What is not there yet would change the lock for that reason alone.
  const isWhole = desires.every(({ part, desired }) => desired.length === part.gathered.caps.length);
  const isLockSame = !isWhole || lockChanges(desires, locks, request).every(({ isSame }) => isSame);
  return { diagnostics: problems, changes, unlocked, isLockSame };
}
