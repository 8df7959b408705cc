/**
 * What of the files no case reached: thunks, steps, and every way that a workflow can go. A fold over the trees of runs. One
 * part counts once, wherever it is used from: a sub-workflow is covered by the workflows that call it, too.
 */
import { nodesOf, type WorkflowNode, type WorkflowPlan } from '../plan/index.ts';
import { type TreeNode, treeNodes } from '../view/index.ts';
import type { Outcome } from './outcome.ts';

/**
 * `skipped`: a step that its `skipIf` left out. `then`, `else`: the arms of a branch. `round`: the body of a loop. `approved`, `denied`: the
 * two answers of an approval.
 */
export type PartKind = 'thunk' | 'step' | 'skipped' | 'then' | 'else' | 'round' | 'approved' | 'denied';

export interface CoveredPart {
  /** As the plan names it. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly kind: PartKind;
  readonly name: string;
  readonly reached: boolean;
}

/** The parts of a plan, and which of them a run has reached; without an outcome none. */
export function partsOf(plan: WorkflowPlan, outcome: Outcome | undefined): CoveredPart[] {
  const byPath = new Map<string, TreeNode[]>();
  for (const node of treeNodes(outcome?.tree.nodes ?? [])) {
    const list = byPath.get(node.path);
    if (list) list.push(node);
    else byPath.set(node.path, [node]);
  }
  const at = (path: string) => byPath.get(path) ?? [];
  const parts: CoveredPart[] = [];
  for (const { node, path } of nodesOf(plan)) {
    const { at: place } = node;
    // What has no place was not written: the step that a thunk is.
    if (place === undefined) continue;
    const name = node.id ?? path;
    for (const [kind, reached] of waysOf(node, path, at)) parts.push({ ...place, kind, name, reached });
  }
  return parts;
}

type At = (path: string) => readonly TreeNode[];

function waysOf(node: WorkflowNode, path: string, at: At): (readonly [PartKind, boolean])[] {
  const here = at(path);
  switch (node.kind) {
    case 'step': {
      const isSkipped = here.some(({ status, why }) => status === 'skipped' && (why ?? '').startsWith('skipIf'));
      return [['step', here.some(isBegun)], ...(node.skipIf ? [['skipped', isSkipped] as const] : [])];
    }
    case 'workflow':
    case 'plugin':
      return [['step', here.some(isBegun)]];
    case 'approval':
      return [
        ['approved', here.some(({ decision }) => decision?.approved === true)],
        ['denied', here.some(({ decision }) => decision?.approved === false)],
      ];
    case 'branch': {
      const arms = [...at(`${path}.then`), ...at(`${path}.else`)];
      const went = (arm: 'then' | 'else') =>
        at(`${path}.${arm}`).some(isBegun) || arms.some(({ why }) => why === becauseOf(arm));
      return [
        ['then', went('then')],
        ['else', went('else')],
      ];
    }
    case 'loop':
      return [['round', here.some(({ kind }) => kind === 'round')]];
    default:
      return [];
  }
}

/** Why the other arm was left out. */
function becauseOf(arm: 'then' | 'else'): string {
  return `the condition was ${arm === 'then'}`;
}

function isBegun({ status, startedAt }: TreeNode): boolean {
  return startedAt !== undefined || status === 'done' || status === 'kept' || status === 'failed';
}

/** The names of thunks that a run came to: those of steps by `entry`, their hands, and whom they handed over to. */
export function thunksReached(
  { tree, handoffs }: Outcome,
  entry: (path: string) => string | undefined,
): ReadonlySet<string> {
  const names = new Set(handoffs);
  for (const node of treeNodes(tree.nodes)) {
    if (!isBegun(node)) continue;
    const name = node.kind === 'hand' ? node.title.replace(/\[\d+\]$/, '') : entry(node.path);
    if (name !== undefined) names.add(name);
  }
  return names;
}

/** One part for each place and kind; reached where any of them was. */
export function mergeParts(all: Iterable<CoveredPart>): CoveredPart[] {
  const parts = new Map<string, CoveredPart>();
  for (const part of all) {
    const key = JSON.stringify([part.file, part.line, part.column, part.kind, part.name]);
    const before = parts.get(key);
    parts.set(key, before?.reached ? before : part);
  }
  return [...parts.values()].sort(
    (a, b) =>
      compare(a.file, b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      order(a) - order(b) ||
      compare(a.name, b.name),
  );
}

const kinds: readonly PartKind[] = ['thunk', 'step', 'skipped', 'round', 'then', 'else', 'approved', 'denied'];

function order({ kind }: CoveredPart): number {
  return kinds.indexOf(kind);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function percentOf(parts: readonly CoveredPart[]): number {
  if (parts.length === 0) return 100;
  return (parts.filter(({ reached }) => reached).length / parts.length) * 100;
}

/** What nobody reached, in words: `the arm "else" of reply`. */
export function partText({ kind, name }: Pick<CoveredPart, 'kind' | 'name'>): string {
  switch (kind) {
    case 'then':
    case 'else':
      return `the arm "${kind}" of ${name}`;
    case 'skipped':
      return `${name}, left out by its skipIf`;
    case 'round':
      return `the body of the loop ${name}`;
    case 'approved':
      return `${name}, approved`;
    case 'denied':
      return `${name}, denied`;
    default:
      return `the ${kind} ${name}`;
  }
}
