/**
 * What all that is done with the files of a run's steps goes by: the past of the run, what is kept of its files, and whose turn
 * it is in a folder. It is for one segment, and for one process that drives that.
 */
import type { JournalEvent } from '../../journal/index.ts';
import type { Clock } from '../../sys/index.ts';
import type { TreeContext } from './context.ts';
import { commonFolder } from './list.ts';
import { createWorktreePast, type WorktreePast } from './past.ts';
import { copyRefs, listRefs, type RefPart, refOf } from './refs.ts';

export interface DeskOptions extends Omit<TreeContext, 'watch' | 'isPast'> {
  /** Where the segment begins that is driven. */
  readonly segment: number;
  /** The journal, from this event on. */
  readonly events: (from?: number) => Iterable<JournalEvent>;
  readonly clock: Clock;
  /** Ends the processes that stay in a folder for the next step. */
  readonly leave: (folder: string) => Promise<void>;
}

export interface Desk extends DeskOptions {
  readonly past: WorktreePast;
  /** Asked once, when the first worktree is met. */
  readonly knowledge: () => Promise<Known>;
  /** What is done to the files in a folder, one after the other. */
  readonly inLine: <T>(folder: string, work: () => Promise<T>) => Promise<T>;
  /** Under which ref files of this run are kept. */
  readonly nameOf: (node: string, segment: number, part: RefPart) => string;
}

export interface Known {
  readonly common: string;
  /** What is kept, by refs. */
  readonly refs: Map<string, string>;
}

export function createDesk(options: DeskOptions): Desk {
  const { git, home, run, forkOf } = options;
  let known: Promise<Known> | undefined;
  const past = createWorktreePast(options.events);
  const lines = new Map<string, Promise<unknown>>();

  function knowledge(): Promise<Known> {
    known ??= know().catch((error) => {
      known = undefined;
      throw error;
    });
    return known;
  }

  async function know(): Promise<Known> {
    const common = await commonFolder(git, home);
    const cwd = { cwd: home };
    if (forkOf === undefined) return { common, refs: await listRefs(git, run, cwd) };
    return { common, refs: await copyRefs(git, forkOf, run, cwd, past.forkedAt()) };
  }

  function inLine<T>(folder: string, work: () => Promise<T>): Promise<T> {
    const turn = (lines.get(folder) ?? Promise.resolve()).then(work);
    lines.set(
      folder,
      turn.catch(() => undefined),
    );
    return turn;
  }

  function nameOf(node: string, of: number, part: RefPart): string {
    return refOf({ run, node, segment: of, part });
  }

  return { ...options, past, knowledge, inLine, nameOf };
}
