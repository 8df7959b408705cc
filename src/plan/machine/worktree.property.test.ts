/** Worktrees in random workflows, with facts in any order, failures and cancels: each that was made is removed, once. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../../machine/index.ts';
import type { WorkflowNode, WorkflowPlan } from '../node.ts';
import { flow, planOf } from '../plan-test-kit.ts';
import { type PlanRun, startPlan } from './run-plan.ts';

type Shape =
  | { readonly kind: 'step' }
  | { readonly kind: 'worktree' | 'sequence' | 'parallel'; readonly inside: readonly Shape[] };

const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constant<Shape>({ kind: 'step' }),
    fc.record({
      kind: fc.constantFrom('worktree' as const, 'worktree' as const, 'sequence' as const, 'parallel' as const),
      inside: fc.array(tie('shape'), { minLength: 1, maxLength: 3 }),
    }),
  ),
}));

interface Made {
  readonly nodes: readonly WorkflowNode[];
  /** By the name of a worktree: what is inside of it. */
  readonly inside: ReadonlyMap<string, readonly string[]>;
}

const empty = await planOf(flow('  - id: a\n    run: "return 1"\n    output: number\n'));
const [step] = empty.children;

function make(shapes: readonly Shape[]): Made {
  let number = 0;
  const inside = new Map<string, string[]>();
  const build = (each: Shape, around: readonly string[]): WorkflowNode => {
    const path = `n${++number}`;
    for (const name of around) inside.get(name)?.push(path);
    if (each.kind === 'step') return { ...step, id: path, path } as WorkflowNode;
    if (each.kind === 'worktree') inside.set(path, []);
    const holders = each.kind === 'worktree' ? [...around, path] : around;
    const children = each.inside.map((child) => build(child, holders));
    const folder = { text: path, parts: [{ kind: 'text', text: path }], reads: [] };
    return {
      kind: each.kind,
      id: path,
      path,
      children,
      ...(each.kind === 'worktree' && { folder, keep: false }),
    } as WorkflowNode;
  };
  return { nodes: shapes.map((each) => build(each, [])), inside };
}

const nodeOf = (id: string) => id.replace(/#\d+$|\.(add|remove)$/, '');

it('whatever happens, each worktree is removed once, when nothing in it is open, and inner ones first', () => {
  const act = fc.record({ pick: fc.nat(), what: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'err', 'cancel') });
  fc.assert(
    fc.property(fc.array(shape, { minLength: 1, maxLength: 3 }), fc.array(act, { maxLength: 40 }), (shapes, acts) => {
      const { nodes, inside } = make(shapes);
      const plan: WorkflowPlan = { ...empty, children: nodes };
      const run = startPlan(plan);
      /** Those that may be there. */
      const there = new Set<string>();
      const removed: string[] = [];
      const look = (out: readonly string[]) => {
        for (const id of out) {
          if (id.startsWith('-')) continue;
          if (id.endsWith('.add')) there.add(nodeOf(id));
          if (!id.endsWith('.remove')) continue;
          const name = nodeOf(id);
          removed.push(name);
          expect(there.has(name)).toBe(true);
          const open = run.open().map(nodeOf);
          for (const inner of inside.get(name) ?? []) {
            expect(open).not.toContain(inner);
            expect(there.has(inner) && !removed.includes(inner)).toBe(false);
          }
        }
        for (const id of out) expect(id).not.toMatch(/^-.*\.remove$/);
      };
      look(run.first);
      let isCancelled = false;
      for (let turn = 0; run.end() === undefined; turn++) {
        const { pick, what } = acts[turn] ?? { pick: 0, what: 'ok' };
        if (what === 'cancel' && !isCancelled) {
          isCancelled = true;
          look(run.cancel());
          continue;
        }
        const open = run.open();
        const id = open[pick % open.length] ?? '';
        // What could not be made is not there.
        if (id.endsWith('.add') && what === 'err' && !run.isRecalled(id)) there.delete(nodeOf(id));
        look(answer(run, id, what));
        if (turn > 1000) throw new Error('it does not end');
      }
      expect(run.open()).toEqual([]);
      expect(removed.toSorted()).toEqual([...there].toSorted());
    }),
    { numRuns: 300 },
  );
});

function answer(run: PlanRun, id: string, what: string): string[] {
  if (run.isRecalled(id)) return run.err(id, { code: 'cancelled' });
  if (what === 'err' && !id.endsWith('.remove')) return run.err(id, { code: 'code' });
  const value: Json = id.endsWith('.add') ? { path: `/${id}`, commit: 'abc' } : 1;
  return run.ok(id, value);
}
