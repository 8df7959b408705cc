/**
 * The hands of a step, and what is in them, as nodes of the tree: from the journal alone. The plan does not tell which thunks a
 * thunk calls, nor what is in a workflow that it calls.
 */

import { asInside, leafState, type Standing } from './leaf-state.ts';
import { handTitle } from './node-id.ts';
import type { RunNode } from './run-node.ts';
import type { TreeNode } from './tree-node.ts';

/** `name` and `path`: of the step that called them. In the order in which they began. */
export type GrowHands = (name: string, path: string) => readonly TreeNode[];

export function createGrowHands(nodes: ReadonlyMap<string, RunNode>, run: Standing): GrowHands {
  const inside = new Map<string, RunNode[]>();
  for (const node of nodes.values()) {
    if (node.within === undefined) continue;
    const around = holderOf(node.name);
    const known = inside.get(around);
    if (known) known.push(node);
    else inside.set(around, [node]);
  }

  /** The nearest that is known: a workflow may call another. That which it stands within always is. */
  function holderOf(name: string): string {
    let end = name.lastIndexOf('/');
    while (end > 0 && !nodes.has(name.slice(0, end))) end = name.lastIndexOf('/', end - 1);
    return name.slice(0, Math.max(0, end));
  }

  function grow(name: string, path: string): readonly TreeNode[] {
    return (inside.get(name) ?? []).map((found): TreeNode => {
      const part = found.name.slice(name.length + 1);
      const own = `${path}/${part}`;
      const state = leafState(found, grow(found.name, own), undefined, run);
      const kind = kindOf(found, part);
      const title = kind === 'hand' ? handTitle(part) : part;
      const base = { name: found.name, path: own, kind, title };
      return { ...base, ...(found.run === undefined ? state : asInside(state, found, run)) };
    });
  }

  return grow;
}

/** As far as it can be told from what became of it. */
function kindOf({ run, decision, request, attempts }: RunNode, part: string): TreeNode['kind'] {
  if (part.endsWith(']')) return 'hand';
  if (run !== undefined) return 'workflow';
  const isAsked = decision !== undefined || request?.kind === 'approval';
  return isAsked && attempts.length === 0 ? 'approval' : 'step';
}
