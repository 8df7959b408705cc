/**
 * Which results that were made in worktrees may be kept, as far as files go: the work of a step is in files, which the ones
 * before it have made. A place is a branch, or a worktree that is on none.
 * 1. A result knows what had come in its place before it began. It is kept only where all of that is kept before it, and
 *    nothing else is but what was done there at the same time.
 * 2. Nothing is kept behind what is done anew in the place.
 * 3. A worktree begins as it did: the same branch and base, and the same has come where that is taken from, which is the
 *    worktree around it, or a branch of the run that is its base.
 * 4. What was made outside of worktrees is not kept in one, and the other way round.
 * 5. Calls inside of a prompt step count until that has ended well: then it counts for them. What failed left no files.
 */
import type { JournalEvent } from '../../journal/index.ts';
import type { ChildCommand, SignalCommand, StepCommand } from '../../machine/index.ts';
import { createBook } from '../worktree/place-book.ts';
import {
  type Added,
  addIn,
  askedBy,
  come,
  hasAll,
  isPart,
  isSameStart,
  leaveIn,
  openSegment,
  touch,
} from '../worktree/place-segment.ts';

type Command = StepCommand | SignalCommand | ChildCommand;

export interface Places {
  /** Each event of what came before, in order. */
  readonly look: (event: JournalEvent) => void;
  /** Whether the result of the event with this `seq` may become that of the command. `anyhow`: whatever was changed but the branch, on which its work is. */
  readonly mayKeep: (command: Command, seq: number, anyhow?: boolean) => boolean;
  /** It has become that. */
  readonly kept: (command: Command, seq: number) => void;
  /** Nothing was kept for it: it is done. */
  readonly missed: (command: Command) => void;
  /** The place in which it works, and those with which that begins. */
  readonly namesOf: (command: Command) => readonly string[];
}

export function createPlaces(): Places {
  const book = createBook();
  const now = openSegment(Number.POSITIVE_INFINITY);

  return {
    look: book.look,
    mayKeep(command, seq, anyhow = false) {
      if (command.op === 'signal') return true;
      const made = book.made.get(seq);
      if (command.worktree === undefined || made === undefined) return command.worktree === undefined && !made;
      const added = now.added.get(command.worktree);
      if (added === undefined || added.place.isTouched) return false;
      if (anyhow) return made.added.asked.branch === added.asked.branch;
      return hasAll(added.place, made.head) && isPart(added.place, made.place) && isSameStart(made.added, added);
    },
    kept(command, seq) {
      const made = book.made.get(seq);
      const added = command.op === 'signal' ? undefined : now.added.get(command.worktree ?? '');
      if (made && added) come(added.place, seq, undefined);
    },
    missed(command) {
      if (command.op !== 'step') return;
      const asked = askedBy(command);
      if (asked) addIn(now, asked);
      else if (command.spec.kind === 'worktree') {
        const node = String(command.spec.node);
        leaveIn(now, node, true);
        // What was done anew inside may be looked at from outside.
        if (command.worktree !== undefined && now.added.get(node)?.place.isTouched)
          touch(now.added.get(command.worktree));
      } else if (command.worktree !== undefined) touch(now.added.get(command.worktree));
    },
    namesOf(command) {
      const added = command.op === 'signal' ? undefined : now.added.get(command.worktree ?? '');
      return added ? namesFrom(added) : [];
    },
  };
}

function namesFrom({ place, links }: Added): readonly string[] {
  const names = new Set([place.name]);
  for (const link of [...links, ...place.first.links]) for (const name of namesFrom(link.place.first)) names.add(name);
  return [...names];
}
