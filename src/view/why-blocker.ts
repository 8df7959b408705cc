/** Which step that has not ended keeps another one from being reached: one that stands before it, not beside it. */
import { isOpenStatus, type TreeNode } from './tree-node.ts';

/** By the names of steps, for those that have such a step before them. */
export function blockersOf(nodes: readonly TreeNode[]): ReadonlyMap<string, string> {
  const blockers = new Map<string, string>();
  visit(nodes, true, undefined);
  return blockers;

  /** `inOrder`: one after the other. Gives the first that is open. */
  function visit(list: readonly TreeNode[], inOrder: boolean, before: string | undefined): string | undefined {
    let first: string | undefined;
    let now = before;
    for (const { name, kind, status, children } of list) {
      if (now !== undefined) blockers.set(name, now);
      const isLeaf = children.length === 0 || kind === 'step';
      const own = isLeaf && isOpenStatus(status) ? name : undefined;
      const open = own ?? visit(children, kind !== 'parallel' && kind !== 'branch', now);
      first ??= open;
      if (inOrder) now = open ?? now;
    }
    return first;
  }
}
