/** What a yes starts: the steps behind an approval, up to the next question, as far as the plan shows them. */
import type { Json } from '../../machine/index.ts';
import type { WorkflowNode, WorkflowPlan } from '../node.ts';
import type { Frame } from './frame.ts';
import { holdersOf, listOf, type Spot } from './spot.ts';
import { frameOf, type Work } from './work.ts';

export interface NextSteps {
  readonly steps: readonly Json[];
  /** There are more of them. */
  readonly more: boolean;
}

const most = 20;

export function nextSteps({ spot }: Frame, work: Work): NextSteps {
  const steps: Json[] = [];
  const seen = new Set<Spot>();
  const around = new Set(holdersOf(spot));
  let more = false;

  /** False when a question comes: what follows starts with that. */
  function visit(at: Spot, maybe: boolean): boolean {
    if (more || seen.has(at)) return !more;
    const { node } = at;
    if (node.kind === 'branch') {
      const then = visitList(at.children, true);
      return visitList(at.others, true) && then;
    }
    if (node.kind === 'parallel') return at.children.map((child) => visit(child, maybe)).every(Boolean);
    if ('children' in node) return visitList(at.children, maybe);
    seen.add(at);
    if (steps.length === most) {
      more = true;
      return false;
    }
    steps.push(shown(nameAt(at), node, work.plan, maybe));
    return node.kind !== 'approval';
  }

  /** As it will be called: a loop that has not begun begins with its first iteration. */
  function nameAt({ node, loop }: Spot): string {
    const { path } = work.init;
    if (loop === undefined) return path === '' ? node.path : `${path}/${node.path}`;
    const iteration = around.has(loop) ? frameOf(loop, work).iteration : 1;
    return `${nameAt(loop)}[${iteration}]${node.path.slice(loop.node.path.length)}`;
  }

  function visitList(list: readonly Spot[], maybe: boolean): boolean {
    for (const each of list) if (!visit(each, maybe)) return false;
    return true;
  }

  // Up to what is done at the same time: what comes behind that starts when the others are done too.
  for (let at = spot; at.parent && at.parent.node.kind !== 'parallel'; at = at.parent) {
    const list = listOf(at);
    let isOpen = true;
    for (let index = at.index + 1; isOpen && index < list.length; index++) isOpen = visit(list[index] as Spot, false);
    if (!isOpen) break;
  }
  for (const other of work.layout.neededBy(spot)) visit(other, false);
  return { steps, more };
}

function shown(id: string, node: WorkflowNode, plan: WorkflowPlan, maybe: boolean): Json {
  const step: Record<string, Json> = { id, kind: node.kind === 'step' ? node.action.kind : node.kind };
  if (node.kind === 'step' && node.action.kind === 'prompt') {
    step.agent = node.action.agent;
    const type = plan.agents[node.action.agent]?.type;
    if (type !== undefined) step.type = type;
  }
  if (node.kind === 'workflow') step.use = node.use;
  if (maybe || (node.kind === 'step' && node.skipIf !== undefined)) step.maybe = true;
  return step;
}
