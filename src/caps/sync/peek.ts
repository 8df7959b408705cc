/**
 * What a sync would leave for an agent, told without one: nothing is fetched, asked or written. What a reference stands for
 * is known only where it was synced and lies there as it was locked.
 */
import type { Diagnostic } from '../../text/index.ts';
import type { AuthoredCap } from '../scope/authored.ts';
import type { Scope } from '../scope/scope.ts';
import { type Desired, desiresOf, wantedOf } from './desire.ts';
import { gatherParts, type PartOptions, readLocks } from './parts.ts';
import type { SyncRequest } from './request.ts';
import type { SyncState } from './state.ts';
import type { SyncedCap } from './synced.ts';
import type { Tree } from './tree.ts';

export interface Peeked {
  /** As the sync would write it; of what is not known here only the names are right. */
  readonly state: SyncState;
  /** Caps that are not as a sync would leave them, with why. */
  readonly late: ReadonlyMap<SyncedCap, Late>;
  /** Of locks, and of what was synced; what is wrong with what is written is told by who checks that. */
  readonly diagnostics: readonly Diagnostic[];
}

export type Late =
  /** It is written here: a run puts it in its place. */
  | { readonly kind: 'written'; readonly text: string; readonly difference?: string }
  /** A reference that nobody has accepted yet, or whose files are not those that were. */
  | { readonly kind: 'unknown'; readonly isLocked: boolean };

/** Of the one agent of the request. */
export async function peekState(
  request: SyncRequest & { readonly home: NonNullable<SyncRequest['home']> },
  options: PartOptions,
): Promise<Peeked> {
  const [agent] = request.agents;
  if (agent === undefined) throw new Error('no agent to look at');
  const read = await readLocks(request, options);
  // What is wrong with a lock is told; then it holds nothing.
  const none = { ok: true, lock: new Map(), text: undefined } as const;
  const locks = read.ok ? read : ({ ok: true, root: none, home: none } as const);
  const parts = await gatherParts(request, options, locks);
  const late = new Map<SyncedCap, Late>();
  const diagnostics = read.ok ? [] : [...read.diagnostics];
  const caps: Record<Scope, SyncedCap[]> = { here: [], home: [], root: [] };
  for (const part of parts) {
    const there: AuthoredCap[] = [];
    for (const cap of part.gathered.caps) {
      const [wanted] = wantedOf([cap], part.options);
      if (wanted === undefined) {
        there.push(cap);
        continue;
      }
      const name = nameOnly(cap);
      caps[part.scope].push(name);
      late.set(name, { kind: 'unknown', isLocked: wanted.locked !== undefined });
    }
    const { desired, diagnostics: wrong } = desiresOf(there, new Map(), part.options);
    diagnostics.push(...wrong);
    for (const { synced, tree, why, difference } of desired) {
      caps[part.scope].push(synced);
      if (tree) late.set(synced, { kind: 'written', text: mainText(synced, tree), ...changedBy(why, difference) });
    }
  }
  const { name, file } = agent;
  const program = parts.find((part) => part.agent !== undefined)?.program;
  const { toolang } = options;
  return {
    state: { version: 1, toolang, agent: name, source: file, root: request.root.dir, stamps: {}, program, caps },
    late,
    diagnostics,
  };
}

/** Only what somebody has changed since is a difference; what is new, or another version, was never there. */
function changedBy(why: Desired['why'], difference: string | undefined) {
  return why === 'repaired' && difference !== undefined ? { difference } : {};
}

function nameOnly({ kind, name, scope, form, file, line, column, ...rest }: AuthoredCap): SyncedCap {
  const facts = { kind: 'psyche', name, properties: {} } as const;
  const ref = 'ref' in rest ? { ref: rest.ref } : {};
  return { kind, name, scope, form, file, line, column, ...ref, path: '', files: {}, facts };
}

function mainText({ kind, name }: SyncedCap, { files }: Tree): string {
  const main = files.find(({ path }) => path === (kind === 'skill' ? 'SKILL.md' : `${name}.md`));
  if (main === undefined) throw new Error(`the ${kind} "${name}" has no file of its own`);
  return Buffer.from(main.bytes).toString('utf8');
}
