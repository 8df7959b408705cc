/**
 * With which files a worktree and its first step begin in a later segment of a run.
 * 1. The first step that is not kept begins with the files after the last one that was kept in its worktree; with those from
 *    before itself, where exactly the same had come before it then. Where nothing was kept, the worktree's start.
 * 2. A worktree starts with the commit that it started with before, as long as it begins with the same.
 */
import type { JournalEvent } from '../../journal/index.ts';
import { createBook } from './place-book.ts';
import { type Added, type Asked, addedAs, type Files, isSameBase, isSameBefore, isSameStart } from './place-segment.ts';
import type { RefName } from './refs.ts';

export type Origin = Pick<RefName, 'node' | 'segment' | 'part'>;

/**
 * Where a worktree starts. `known`: with this commit. `base`: with its base, also where its branch is there, which is the run's
 * own. `fresh`: as if it were the first time, with this commit where that is its base still; `behind`: what came last on its
 * branch, where it cannot be on that.
 */
export type Start =
  | { readonly kind: 'known'; readonly commit: string }
  | { readonly kind: 'base' }
  | { readonly kind: 'fresh'; readonly commit?: string; readonly behind?: Files };

export interface WorktreePast {
  /** Where the files may be kept with which a step begins, the best first. Without a step: where all was kept. */
  readonly originsOf: (worktree: string, id?: string) => readonly Origin[];
  readonly startOf: (asked: Asked) => Start | undefined;
  /** The commits with which it has made branches. */
  readonly bases: () => readonly string[];
  /** What is kept from before belongs to another run, of which this one is a fork. */
  readonly isForeign: (segment: number) => boolean;
  /** Where this run began as a fork; 1 where it is none. */
  readonly forkedAt: () => number;
  /** Whether there were worktrees in earlier segments. */
  readonly hasEarlier: () => boolean;
  /** In this segment, whether it was removed or not. */
  readonly isAdded: (worktree: string) => boolean;
  /** Where the folder of a worktree is, while it is added and not removed in this segment. */
  readonly folderOf: (worktree: string) => string | undefined;
  /** What was begun in it and has not ended, in any segment. */
  readonly openIn: (worktree: string) => readonly Origin[];
  readonly isCancelled: () => boolean;
}

/** `read`: the events from that one on. Each answer is of what is there by then. */
export function createWorktreePast(read: (from: number) => Iterable<JournalEvent>): WorktreePast {
  const book = createBook();
  let next = 1;
  let forkedAt = 1;

  function update(): void {
    for (const event of read(next)) {
      if (event.seq < next) continue;
      next = event.seq + 1;
      book.look(event);
      if (event.body.kind === 'segment.opened' && event.body.why === 'fork') forkedAt = event.seq;
    }
  }

  function earlier(): Added[] {
    return book.earlier().flatMap(({ added }) => [...added.values()]);
  }

  return {
    originsOf(worktree, id) {
      update();
      const added = book.segment().added.get(worktree);
      if (added === undefined) return [];
      const identity = id?.replace(/#\d+/g, '') ?? '';
      const own = book.earlier().flatMap(({ begun }) => {
        const each = begun.get(identity);
        return each && isSameBefore(each, added) ? [{ ...each.files, part: 'before' as const }] : [];
      });
      return added.lastKept ? [...own, { ...added.lastKept.files, part: 'after' }] : own;
    },
    startOf(asked) {
      update();
      const segment = book.segment();
      // A process that was killed had added it.
      const again = segment.added.get(asked.worktree)?.commit;
      if (again !== undefined) return { kind: 'known', commit: again };
      const then = earlier();
      if (then.length === 0) return undefined;
      const now = addedAs(segment, asked);
      const same = then.filter((each) => isSameStart(each, now));
      const known = same.find((each) => each.asked.worktree === asked.worktree) ?? same[0];
      if (known?.commit !== undefined) return { kind: 'known', commit: known.commit };
      if (segment.places.has(now.place.name)) {
        const behind = book.made.get(now.place.order.at(-1) ?? 0)?.files;
        return { kind: 'fresh', ...(behind && { behind }) };
      }
      const base = then.find(
        (each) => (each.isNew || each.asked.branch === undefined) && isSameBase(each, now),
      )?.commit;
      const onBranch = asked.branch === undefined ? [] : then.filter((each) => each.asked.branch === asked.branch);
      const first = onBranch.at(-1)?.commit;
      if (first === undefined) return { kind: 'fresh', ...(base !== undefined && { commit: base }) };
      if (!onBranch.some(({ isNew }) => isNew)) return { kind: 'known', commit: first };
      return base === undefined ? { kind: 'base' } : { kind: 'known', commit: base };
    },
    bases() {
      update();
      const all = [...book.segment().added.values(), ...earlier()];
      return [...new Set(all.flatMap(({ isNew, commit }) => (isNew && commit !== undefined ? [commit] : [])))];
    },
    isForeign(segment) {
      update();
      return segment < forkedAt;
    },
    forkedAt() {
      update();
      return forkedAt;
    },
    hasEarlier() {
      update();
      return earlier().length > 0;
    },
    isAdded(worktree) {
      update();
      return book.segment().added.has(worktree);
    },
    folderOf(worktree) {
      update();
      const added = book.segment().added.get(worktree);
      return added?.isOpen ? added.asked.path : undefined;
    },
    openIn(worktree) {
      update();
      const open = [book.segment(), ...book.earlier()].flatMap((each) => [...each.open.values()]);
      const inside = open.filter(({ added }) => added.asked.worktree === worktree);
      return inside.map(({ files }) => ({ ...files, part: 'before' }));
    },
    isCancelled() {
      update();
      return book.segment().isCancelled;
    },
  };
}
