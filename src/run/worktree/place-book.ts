/**
 * What has come in the worktrees of a run, segment by segment, by its journal. `segment/memo-places.ts` says what follows for what is
 * kept, `past.ts` what follows for the files.
 */
import type { JournalEvent } from '../../journal/index.ts';
import { wasStopped } from '../stopped.ts';
import {
  addIn,
  type Begun,
  come,
  count,
  hasAll,
  isPart,
  leaveIn,
  type Made,
  openSegment,
  type PlaceSegment,
  type Thunk,
  touch,
} from './place-segment.ts';

/** What has come of the worktrees of a run, by its journal. */
export interface PlaceBook {
  readonly look: (event: JournalEvent) => void;
  readonly made: ReadonlyMap<number, Made>;
  /** In the last segment. */
  readonly segment: () => PlaceSegment;
  /** Of the segments before it, the last ones first. */
  readonly earlier: () => readonly PlaceSegment[];
}

/** Reads a journal, event by event. */
export function createBook(): PlaceBook {
  const made = new Map<number, Made>();
  const earlier: PlaceSegment[] = [];
  let current = openSegment(1);

  function began(id: string, worktree: string, isThunk: boolean): void {
    const added = current.added.get(worktree);
    if (added === undefined) return;
    const begun: Begun = { files: { node: id, segment: current.at }, added, head: added.place.head };
    const identity = id.replace(/#\d+/g, '');
    if (!current.begun.has(identity)) current.begun.set(identity, begun);
    current.open.set(id, begun);
    if (isThunk) current.thunks.set(id, {});
    else touch(added);
  }

  function ended(id: string, seq: number, isWell: boolean): void {
    const begun = current.open.get(id);
    if (begun === undefined) return;
    current.open.delete(id);
    const thunk = current.thunks.get(id);
    current.thunks.delete(id);
    if (thunk && !isWell) thunk.isVoid = true;
    if (!isWell) return;
    const { added, head } = begun;
    const files = thunk?.files ?? begun.files;
    const inside = thunkAround(id);
    if (inside) inside.files = files;
    made.set(seq, { seq, files, added, place: added.place, head });
    if (thunk?.files) {
      thunk.seq = seq;
      count(added.place, seq);
    } else come(added.place, seq, inside);
  }

  function thunkAround(id: string): Thunk | undefined {
    for (let at = id.lastIndexOf('/'); at > 0; at = id.lastIndexOf('/', at - 1)) {
      const thunk = current.thunks.get(id.slice(0, at));
      if (thunk) return thunk;
    }
    return undefined;
  }

  /** It counts here too: by what it was kept for, where that is not what it was made with. */
  function kept(id: string, of: number, worktree: string): void {
    const added = current.added.get(worktree);
    const result = made.get(of);
    if (added === undefined || result === undefined) return;
    const { place } = added;
    if (!hasAll(place, result.head) || !isPart(place, result.place)) {
      result.head = place.head;
      result.place = place;
    }
    result.added = added;
    if ((added.lastKept?.seq ?? 0) < of) added.lastKept = result;
    const inside = thunkAround(id);
    if (inside) inside.files = result.files;
    come(place, of, inside);
  }

  function look({ seq, node, body }: JournalEvent): void {
    if (body.kind === 'segment.opened') {
      earlier.unshift(current);
      current = openSegment(seq);
    } else if (body.kind === 'run.cancel') current.isCancelled = true;
    if (node === undefined) return;
    switch (body.kind) {
      case 'worktree.added': {
        const { path, branch, commit, asked, around, made: isNew = false } = body;
        const said = asked ?? (branch === undefined ? {} : { branch });
        const worktree = node.replace(/\.add$/, '');
        Object.assign(addIn(current, { worktree, path, around, ...said }), { commit, isNew });
        break;
      }
      case 'worktree.removed':
        leaveIn(current, node.replace(/\.remove$/, ''), body.kept !== undefined);
        break;
      case 'node.started':
        if (body.worktree !== undefined) began(node, body.worktree, false);
        break;
      case 'child.started':
        if (body.worktree !== undefined && body.key !== undefined) began(node, body.worktree, true);
        break;
      case 'node.done':
      case 'model.answered':
      case 'tool.answered':
        if (body.of === undefined) ended(node, seq, true);
        else if (body.worktree !== undefined) kept(node, body.of, body.worktree);
        break;
      case 'node.failed':
      case 'model.failed':
        ended(node, seq, false);
        break;
      case 'child.ended':
        if (body.of !== undefined) {
          if (body.worktree !== undefined) kept(node, body.of, body.worktree);
        } else if (!wasStopped(body.outcome)) {
          // What was stopped goes on from what it had.
          ended(node, seq, !('err' in body.outcome));
        }
        break;
      default:
    }
  }

  return { look, made, segment: () => current, earlier: () => earlier };
}
