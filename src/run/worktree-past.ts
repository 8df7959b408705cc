/**
 * With which files the first step of a worktree begins in a later segment of a run: as they were before that step, the last
 * time that it was begun, or after the last of the kept ones, whichever is later. What stands in between was not kept.
 */
import type { JournalEvent } from '../journal/index.ts';
import { childrenOf, type WorkflowNode, type WorkflowPlan } from '../plan/index.ts';
import { identityOf, pathOf } from './memo.ts';
import type { RefName } from './worktree-refs.ts';

export type Origin = Pick<RefName, 'node' | 'segment' | 'part'>;

export interface WorktreePast {
  /** Where the files are kept with which it begins; none: those that the worktree began with. */
  readonly originOf: (worktree: string, id: string) => Origin | undefined;
  /** What is kept from before belongs to another run, of which this one is a fork. */
  readonly isForeign: (segment: number) => boolean;
}

interface Moment {
  readonly seq: number;
  readonly node: string;
  readonly segment: number;
}

/** `segment`: where the last one begins. */
export function readWorktreePast(events: Iterable<JournalEvent>, plan: WorkflowPlan, segment: number): WorktreePast {
  /** By identity: where it was begun first, in the last segment that began it. */
  const begins = new Map<string, Moment>();
  /** In the order of the journal. */
  const ends: Moment[] = [];
  const kept: { readonly node: string; readonly of: number }[] = [];
  let current = 1;
  let forkedAt = 1;
  for (const { seq, node, body } of events) {
    if (body.kind === 'segment.opened') {
      current = seq;
      if (body.why === 'fork') forkedAt = seq;
    }
    if (node === undefined) continue;
    if ('of' in body && body.of !== undefined) {
      if (current === segment) kept.push({ node, of: body.of });
    } else if (current < segment && body.kind === 'node.started') {
      const identity = identityOf(node);
      if (begins.get(identity)?.segment !== current) begins.set(identity, { seq, node, segment: current });
    } else if (current < segment && ['node.done', 'model.answered', 'child.ended'].includes(body.kind)) {
      ends.push({ seq, node, segment: current });
    }
  }
  const worktreeOf = worktreesIn(plan);

  /** The last one of the worktree that was kept. */
  function lastKept(worktree: string): Moment | undefined {
    let last: { readonly of: number } | undefined;
    for (const each of kept) if (isWithin(each.node, worktree) && each.of > (last?.of ?? 0)) last = each;
    const at = last === undefined ? -1 : ends.findIndex(({ seq }) => seq === last.of);
    const end = ends[at];
    if (end === undefined) return undefined;
    // The files of a prompt step are kept with its calls.
    const inner = ends.findLast(
      ({ node, segment: own }, i) => i < at && own === end.segment && node.startsWith(`${end.node}/`),
    );
    return inner ? { ...inner, seq: end.seq } : end;
  }

  function isWithin(id: string, worktree: string): boolean {
    const own = roundsIn(identityOf(id));
    return (
      worktreeOf(pathOf(identityOf(id))) === pathOf(worktree) &&
      roundsIn(worktree).every((round, i) => own[i] === round)
    );
  }

  return {
    isForeign: (each) => each < forkedAt,
    originOf(worktree, id) {
      const last = lastKept(worktree);
      const own = begins.get(identityOf(id));
      if (own && own.seq > (last?.seq ?? 0)) return { node: own.node, segment: own.segment, part: 'before' };
      return last && { node: last.node, segment: last.segment, part: 'after' };
    },
  };
}

function roundsIn(name: string): readonly string[] {
  return name.match(/\[\d+\]/g) ?? [];
}

/** The path of the innermost worktree around a node, by the path of that. */
function worktreesIn(plan: WorkflowPlan): (path: string) => string | undefined {
  const found = new Map<string, string | undefined>();
  const look = (nodes: readonly WorkflowNode[], own: WorkflowPlan, prefix: string, around: string | undefined) => {
    for (const node of nodes) {
      const path = prefix + node.path;
      found.set(path, around);
      const called = node.kind === 'workflow' ? own.workflows[node.use] : undefined;
      if (called) look(called.children, called, `${path}/`, around);
      look(childrenOf(node), own, prefix, node.kind === 'worktree' ? path : around);
    }
  };
  look(plan.children, plan, '', undefined);
  return (path) => {
    // What a prompt step does is not in the plan.
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      if (found.has(at)) return found.get(at);
    }
    return undefined;
  };
}
