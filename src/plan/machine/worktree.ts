/**
 * Worktrees: a step that makes the folder (`NAME.add`), the nodes inside in order, a step that removes it (`NAME.remove`).
 * 1. It is removed whatever happens inside: after a failure and a cancel when all that is open has ended, inner ones first.
 * 2. Of one that was asked for nobody knows whether it was made, when the step was cancelled: it is removed too.
 * 3. Whether something in it would be lost is for the one to see who removes it: then it stays, and that is no failure.
 */
import { type Fact, type Json, keyed, type StepCommand } from '../../machine/index.ts';
import { hashOf } from '../hash.ts';
import type { Text, WorktreeNode } from '../node.ts';
import { placed, placeText } from './errors.ts';
import type { Frame } from './frame.ts';
import { nextInList, startList } from './list.ts';
import { render } from './scope.ts';
import { frameOf, type Kind, type OpenCommand, type Work } from './work.ts';
import { placeOf } from './work-place.ts';

export const worktreeKind: Kind<WorktreeNode> = {
  begin: (frame, _, work) => work.queue(frame),
  admit: (frame, node, work) => {
    if (frame.tree?.end) work.open(frame, removeCommand(frame, node, work));
    else work.open(frame, addCommand(frame, node, work));
  },
  childSettled: (frame, _, child, work) => {
    const end = nextInList(frame, child, work);
    if (end) leave(frame, end.value, work);
  },
  fact: (frame, node, fact, command, work) => {
    if ('err' in fact) {
      frame.tree = undefined;
      work.fail(frame, placed(fact.err, work.nameOf(frame), node));
    } else if (isRemove(command)) {
      const value = frame.tree?.end?.value;
      frame.tree = undefined;
      work.settle(frame, value);
    } else {
      frame.tree = { cwd: folderIn(fact) };
      if (!work.isStopped() && !startList(frame.spot.children, work)) leave(frame, undefined, work);
    }
  },
};

/** Whether a command cleans up: such a step is not cancelled. */
export function isCleaning(command: OpenCommand): boolean {
  return isRemove(command);
}

/** Nothing is open any more and nothing starts: the commands that clean up now. `left`: what was begun. */
export function cleaningOf(
  left: Iterable<Frame>,
  work: Work,
): { readonly frame: Frame; readonly command: StepCommand }[] {
  const frames = [...left];
  const holders = new Set<Frame>();
  for (const { spot } of frames) {
    for (let at = spot.worktree; at; at = at.worktree) holders.add(frameOf(at, work));
  }
  return frames
    .filter((frame) => !holders.has(frame))
    .map((frame) => ({ frame, command: removeCommand(frame, frame.spot.node as WorktreeNode, work) }));
}

function leave(frame: Frame, value: Json | undefined, work: Work): void {
  if (frame.tree) frame.tree.end = { value };
  work.queue(frame);
}

function addCommand(frame: Frame, node: WorktreeNode, work: Work): StepCommand {
  const spec: Record<string, Json> = { path: render(node.folder, 'path', frame, work) };
  const branch = optional(node.branch, 'branch', frame, work);
  const base = optional(node.base, 'base', frame, work);
  if (branch !== undefined) spec.branch = branch;
  if (base !== undefined) spec.base = base;
  frame.tree = {};
  return command(frame, node, 'add', spec, work);
}

function removeCommand(frame: Frame, node: WorktreeNode, work: Work): StepCommand {
  if (frame.tree) frame.tree.isLeaving = true;
  return command(frame, node, 'remove', { keep: node.keep }, work);
}

function command(
  frame: Frame,
  node: WorktreeNode,
  action: 'add' | 'remove',
  fields: Readonly<Record<string, Json>>,
  work: Work,
): StepCommand {
  const name = work.nameOf(frame);
  const { cwd, worktree } = placeOf(frame, work);
  return keyed<StepCommand>(
    {
      op: 'step',
      id: `${name}.${action}`,
      spec: { kind: 'worktree', action, node: name, ...fields, ...(node.at && { at: placeText(node.at) }) },
      args: null,
      // It begins with what is committed in the worktree around it.
      ...(cwd !== undefined && { cwd }),
      ...(worktree !== undefined && { worktree }),
    },
    () => hashOf(['worktree', action, fields]),
  );
}

/** A text that comes to nothing is none. */
function optional(text: Text | undefined, what: string, frame: Frame, work: Work): string | undefined {
  const rendered = text && render(text, what, frame, work).trim();
  return rendered === '' ? undefined : rendered;
}

function isRemove(command: OpenCommand): boolean {
  return command.op === 'step' && command.spec.kind === 'worktree' && command.spec.action === 'remove';
}

function folderIn(fact: Fact): string {
  const value = 'ok' in fact ? fact.ok : null;
  const path = typeof value === 'object' && value !== null && 'path' in value ? value.path : undefined;
  if (typeof path !== 'string') throw new Error(`${fact.id} has made no folder`);
  return path;
}
