/**
 * What a run leaves out, told while it goes on: the journal has no word for it, it follows from the plan and from what has
 * begun since.
 * 1. What stands before something that has begun, in the same list, and has not begun itself, was left out; so was all
 *    that has not begun in what is over: a round that has a next one, a sub-workflow or a run that is done.
 * 2. A denial with `skip` leaves out the rest of its list at once.
 * 3. Of arms that were not taken nothing is told: those that were taken are.
 * 4. Linear: each list of each round is passed once, and what is known of a round is forgotten with the next one.
 */
import type { EventBody } from '../journal/index.ts';
import type { ApprovalNode, CallNode, LoopNode, WorkflowNode, WorkflowPlan } from '../plan/index.ts';
import { readNodeId } from './node-id.ts';

export interface Skipped {
  readonly name: string;
  readonly why?: string;
}

export interface RunSkips {
  /** Gives what is known to be left out since. */
  readonly add: (node: string | undefined, body: EventBody) => readonly Skipped[];
}

/** Where a node stands in its plan. */
interface Spot {
  readonly node: WorkflowNode;
  readonly list: readonly WorkflowNode[];
  readonly index: number;
  readonly holder?: Spot;
}

/** A plan that is run, or a round of a loop in it. */
interface Frame {
  readonly plan: WorkflowPlan;
  readonly spots: ReadonlyMap<string, Spot>;
  readonly list: readonly WorkflowNode[];
  /** Names are this and what is left of a path behind `cut` characters. */
  readonly before: string;
  readonly cut: number;
  readonly round: number;
  /** What it is a round or a call of. */
  readonly outer?: Found;
  readonly begun: Set<WorkflowNode>;
  /** How far each list was passed. */
  readonly passed: Map<readonly WorkflowNode[], number>;
  /** By approvals that were not given: whose denial that was. */
  readonly denied: Map<ApprovalNode, string>;
  readonly rounds: Map<LoopNode, Frame>;
  readonly calls: Map<CallNode, Frame>;
}

interface Found {
  readonly frame: Frame;
  readonly spot: Spot;
}

export function createRunSkips(plan: WorkflowPlan): RunSkips {
  const root = frameOf(plan, plan.children, '', 0);
  const known = new Set<string>();
  let news: Skipped[] = [];
  return {
    add(id, body) {
      news = [];
      if (id === undefined) {
        if (body.kind === 'run.done') pass(root.list, root.list.length, root);
        return news;
      }
      const { name, inner } = readNodeId(id);
      const isNew = !known.has(name);
      const isDenial = body.kind === 'approval.decided' && !body.approved && inner === '';
      const isEnd = body.kind === 'child.ended' && !('err' in body.outcome);
      if (!isNew && !isDenial && !isEnd) return news;
      known.add(name);
      const found = find(name);
      if (found === undefined) return news;
      begin(found);
      if (isDenial) deny(found);
      if (isEnd && found.spot.node.kind === 'workflow') {
        const called = callOf(found.spot.node, found);
        if (called) pass(called.list, called.list.length, called);
      }
      return news;
    },
  };

  /** Undefined for what is no node of a plan, and for what comes late, from a round that is over. */
  function find(name: string): Found | undefined {
    let frame = root;
    /** The path up to where `rest` begins. */
    let base = '';
    let rest = name;
    for (;;) {
      const spot: Spot | undefined = rest.includes('[') ? undefined : frame.spots.get(base + rest);
      if (spot !== undefined) return { frame, spot };
      const inner: { frame: Frame; base: string; rest: string } | undefined = enter(frame, base, rest);
      if (inner === undefined) return undefined;
      ({ frame, base, rest } = inner);
    }
  }

  /** The first round or call that a name goes through: `l[2]/x` → `/x` in the second round of `l`. */
  function enter(frame: Frame, base: string, rest: string): { frame: Frame; base: string; rest: string } | undefined {
    for (const { index, 0: sign, 1: digits } of rest.matchAll(/\[(\d+)\]|\//g)) {
      const spot = index === 0 ? undefined : frame.spots.get(base + rest.slice(0, index));
      if (spot === undefined) continue;
      const { node } = spot;
      const behind = rest.slice(index + sign.length);
      const before = frame.before + (base + rest.slice(0, index + sign.length)).slice(frame.cut);
      if (digits !== undefined && node.kind === 'loop') {
        const inner = roundOf(node, Number(digits), before, { frame, spot });
        return inner && { frame: inner, base: node.path, rest: behind };
      }
      if (digits === undefined && node.kind === 'workflow') {
        const inner = callOf(node, { frame, spot });
        return inner && { frame: inner, base: '', rest: behind };
      }
    }
    return undefined;
  }

  function callOf(node: CallNode, outer: Found): Frame | undefined {
    const { calls, plan: own, before, cut } = outer.frame;
    const called = own.workflows[node.use];
    if (called === undefined) return undefined;
    const known = calls.get(node);
    if (known !== undefined) return known;
    const frame = frameOf(called, called.children, `${before}${node.path.slice(cut)}/`, 0, outer);
    calls.set(node, frame);
    return frame;
  }

  function roundOf(node: LoopNode, round: number, before: string, outer: Found): Frame | undefined {
    const { rounds, plan: own } = outer.frame;
    const last = rounds.get(node);
    if (last !== undefined && last.round >= round) return last.round === round ? last : undefined;
    if (last !== undefined) pass(last.list, last.list.length, last);
    const frame = { ...frameOf(own, node.children, before, node.path.length, outer), round };
    rounds.set(node, frame);
    return frame;
  }

  function begin({ frame, spot }: Found): void {
    if (frame.begun.has(spot.node)) return;
    frame.begun.add(spot.node);
    // What stands around it is passed first.
    const { holder } = spot;
    if (holder !== undefined) begin({ frame, spot: holder });
    else if (frame.outer !== undefined) begin(frame.outer);
    if (holder?.node.kind !== 'parallel') pass(spot.list, spot.index, frame);
  }

  function deny({ frame, spot }: Found): void {
    const { node, list, holder } = spot;
    if (node.kind !== 'approval' || node.onDeny !== 'skip') return;
    frame.denied.set(node, node.id);
    if (holder?.node.kind !== 'parallel') pass(list, list.length, frame);
  }

  /** All before `end` is over. */
  function pass(list: readonly WorkflowNode[], end: number, frame: Frame, isOrdered = true): void {
    const from = frame.passed.get(list) ?? 0;
    if (from >= end) return;
    frame.passed.set(list, end);
    let denied: string | undefined;
    for (const node of list.slice(from, end)) {
      if (frame.begun.has(node)) passInside(node, frame);
      else leaveOut(node, frame, denied);
      if (node.kind === 'approval' && isOrdered) denied ??= frame.denied.get(node);
    }
  }

  function passInside(node: WorkflowNode, frame: Frame): void {
    switch (node.kind) {
      case 'loop': {
        const last = frame.rounds.get(node);
        if (last) pass(last.list, last.list.length, last);
        return;
      }
      case 'branch':
        for (const arm of [node.then, node.else]) {
          if (arm.some((child) => frame.begun.has(child))) pass(arm, arm.length, frame);
        }
        return;
      case 'parallel':
      case 'sequence':
      case 'component':
      case 'worktree':
        pass(node.children, node.children.length, frame, node.kind !== 'parallel');
        return;
      default:
    }
  }

  /** `denied`: the approval before it that was not given. */
  function leaveOut(node: WorkflowNode, frame: Frame, denied: string | undefined): void {
    switch (node.kind) {
      case 'loop':
      case 'branch':
        // Whether all in it was left out, or none of it was to be done, is not known otherwise.
        if (denied !== undefined) tell(node, frame, `${denied} was denied`);
        return;
      case 'parallel':
      case 'sequence':
      case 'component':
      case 'worktree': {
        let before = denied;
        for (const child of node.children) {
          leaveOut(child, frame, before);
          if (child.kind === 'approval' && node.kind !== 'parallel') before ??= frame.denied.get(child);
        }
        return;
      }
      default: {
        const whose = denied ?? deniedNeed(node, frame);
        if (whose === undefined) {
          tell(node, frame, node.kind === 'step' && node.skipIf ? 'skipIf was true' : undefined);
          return;
        }
        if (node.kind === 'approval' && node.onDeny !== 'continue') frame.denied.set(node, whose);
        tell(node, frame, `${whose} was denied`);
      }
    }
  }

  function tell({ path, id, kind }: WorkflowNode, { before, cut }: Frame, why: string | undefined): void {
    const name = id === undefined ? kind : before + path.slice(cut);
    news.push(why === undefined ? { name } : { name, why });
  }
}

function deniedNeed(node: WorkflowNode, frame: Frame): string | undefined {
  for (const need of 'needs' in node ? node.needs : []) {
    const needed = frame.spots.get(need)?.node;
    if (needed?.kind !== 'approval') continue;
    for (let at: Frame | undefined = frame; at?.plan === frame.plan; at = at.outer?.frame) {
      const whose = at.denied.get(needed);
      if (whose !== undefined) return whose;
    }
  }
  return undefined;
}

function frameOf(plan: WorkflowPlan, list: readonly WorkflowNode[], before: string, cut: number, outer?: Found): Frame {
  return {
    plan,
    spots: spotsOf(plan),
    list,
    before,
    cut,
    round: 0,
    ...(outer && { outer }),
    begun: new Set(),
    passed: new Map(),
    denied: new Map(),
    rounds: new Map(),
    calls: new Map(),
  };
}

/** By path; one workflow may be called very often. */
const spotsByPlan = new WeakMap<WorkflowPlan, ReadonlyMap<string, Spot>>();

function spotsOf(plan: WorkflowPlan): ReadonlyMap<string, Spot> {
  let spots = spotsByPlan.get(plan);
  if (spots === undefined) {
    const made = new Map<string, Spot>();
    place(plan.children, undefined, made);
    spotsByPlan.set(plan, made);
    spots = made;
  }
  return spots;
}

function place(list: readonly WorkflowNode[], holder: Spot | undefined, into: Map<string, Spot>): void {
  for (const [index, node] of list.entries()) {
    const spot: Spot = { node, list, index, ...(holder && { holder }) };
    into.set(node.path, spot);
    // What is in a loop stands in a frame of its own.
    if (node.kind === 'loop') place(node.children, undefined, into);
    else if (node.kind === 'branch') for (const arm of [node.then, node.else]) place(arm, spot, into);
    else if ('children' in node) place(node.children, spot, into);
  }
}
