/**
 * The workflow machine: decides what a plan does next. It is pure; ports begin its commands and tell it facts, and keep
 * both. What each kind of node does is in a file of its own; here is what they share: turns, waits, slots, the end.
 *
 * M1-M7 of the contract hold, and inside:
 * 1. A fact costs its own consequences: turns are taken from a heap in document order, slots from queues, and who waits
 *    is woken by what it waits for. Nothing is searched, and no call nests as deep as a list is long.
 * 2. First all turns are taken (conditions, skips, arms, ends), then slots are given, in document order.
 * 3. No failure is caught anywhere in a plan, so the first one stops all: what is open ends, nothing starts.
 * 4. When nothing is open and nothing can start, it cleans up and has ended; a plan whose nodes wait for each other fails
 *    and says so.
 */
import {
  type Command,
  cancelFact,
  type End,
  type Fact,
  type Json,
  type Machine,
  type MachineInit,
  type MakeMachine,
  Roster,
  type RunError,
  restFact,
  stopFact,
  wakeFact,
} from '../../machine/index.ts';
import type { WorkflowPlan } from '../node.ts';
import { skipApproval } from './approval.ts';
import { type Cause, combined, nodeError, thrownError } from './errors.ts';
import { createFrames, type Frame, hasSettled, nameOf, wasDenied } from './frame.ts';
import { createHeap } from './heap.ts';
import { kindOf } from './kinds.ts';
import { createReadyQueue } from './ready-queue.ts';
import { layoutOf } from './spot.ts';
import type { OpenCommand, Work } from './work.ts';
import { cleaningOf, isCleaning } from './worktree.ts';

/** Kept with each run: a change of what the machine decides has a new one. */
export const machineNumber = 3;

/** The machines of a plan and of its sub-workflows: `plan` of a ref is the way to one, `notes/inner`; empty, the root. */
export function workflowMaker(root: WorkflowPlan, modules: Work['modules'] = {}): MakeMachine {
  return (ref, init) => {
    if (ref.kind !== 'workflow' || typeof ref.plan !== 'string') throw new Error('this is no reference to a workflow');
    let plan: WorkflowPlan | undefined = root;
    for (const name of ref.plan === '' ? [] : ref.plan.split('/')) plan = plan?.workflows[name];
    if (plan === undefined) throw new Error(`the plan has no workflow "${ref.plan}"`);
    return createWorkflowMachine(plan, init, ref.plan, modules);
  };
}

interface Open {
  readonly frame: Frame;
  readonly command: OpenCommand;
}

/** `planPath`: how the plan is reached from that of the root. */
export function createWorkflowMachine(
  plan: WorkflowPlan,
  init: MachineInit,
  planPath = '',
  modules: Work['modules'] = {},
): Machine {
  const layout = layoutOf(plan);
  const frames = createFrames(layout);
  const ready = createReadyQueue(layout);
  const [root] = frames;
  if (root === undefined) throw new Error('a layout has a root');
  /** Whose turn has come. */
  const turns = createHeap();
  const open = new Roster<Open>();
  /** With the places of their nodes in the document. */
  let out: { readonly number: number; readonly command: Command }[] = [];
  const causes: Cause[] = [];
  let serial = 0;
  /** Nothing starts any more. */
  let isStopped = false;
  /** Why, if that came from outside before anything failed; `isGentle`: a failure that comes later still counts. */
  let cancelled: { readonly reason: string; readonly isGentle: boolean } | undefined;
  /** The commands that are cancelled already. */
  const recalled = new Set<string>();
  /** Worktrees that may be there. */
  const trees = new Set<Frame>();
  let end: End | undefined;

  const work: Work = {
    plan,
    planPath,
    modules,
    types: new Map(Object.entries(plan.types)),
    layout,
    frames,
    init,
    isStopped: () => isStopped,
    nameOf: (frame) => nameOf(frame, frames, init.path),
    start,
    renew(frame) {
      frame.serial = ++serial;
    },
    queue,
    open(frame, command) {
      open.set(command.id, { frame, command });
      out.push({ number: frame.spot.number, command });
      if (frame.tree) trees.add(frame);
    },
    settle,
    leaveOut(left) {
      for (const frame of left) wake(frame);
    },
    fail,
  };

  function start(frame: Frame): void {
    frame.born = frame.parent?.serial ?? 0;
    frame.serial = ++serial;
    frame.life = 'due';
    frame.taken = undefined;
    frame.denied = false;
    turns.push(frame.spot.number);
  }

  function queue(frame: Frame): void {
    frame.isQueued = true;
    ready.add(frame.spot);
  }

  /** Runs a part of a node; what it throws is the node's failure. */
  function doing(frame: Frame, part: () => void): void {
    try {
      part();
    } catch (thrown) {
      fail(frame, thrownError(thrown));
    }
  }

  function takeTurn(frame: Frame): void {
    const { node, waits, gates } = frame.spot;
    if (frame.life === 'due') {
      frame.pending = 0;
      for (const wait of waits) {
        const target = wait.through.at(-1);
        if (target === undefined || hasSettled(wait, frames)) continue;
        frame.pending++;
        frames[target.number]?.waiters.push(frame);
      }
      if (frame.pending > 0) {
        frame.life = 'waiting';
        return;
      }
    }
    frame.life = 'live';
    if (gates.some((gate) => wasDenied(gate, frames))) {
      if (node.kind === 'approval') skipApproval(frame, node);
      settle(frame, undefined);
    } else doing(frame, () => kindOf(node).begin(frame, node, work));
  }

  function settle(frame: Frame, value: Json | undefined): void {
    frame.life = 'settled';
    frame.value = value;
    if (value !== undefined) frame.latest = value;
    if (isStopped) return;
    wake(frame);
    const { parent } = frame;
    if (parent === undefined) end = value === undefined ? { none: true } : { ok: value };
    else doing(parent, () => kindOf(parent.spot.node).childSettled?.(parent, parent.spot.node, frame, work));
  }

  /** With a node all that it holds has settled. */
  function wake({ spot }: Frame): void {
    for (const { number } of spot.waitedFor) {
      const target = frames[number];
      if (target === undefined || target.waiters.length === 0) continue;
      for (const waiter of target.waiters) if (--waiter.pending === 0) turns.push(waiter.spot.number);
      target.waiters = [];
    }
  }

  function fail(frame: Frame, error: RunError): void {
    frame.life = 'settled';
    causes.push({ number: frame.spot.number, error });
    if (!isStopped) stop(false);
  }

  /** Questions and waits are taken back; what was begun ends, unless all is to be cancelled, and nothing else begins. */
  function stop(all: boolean): void {
    isStopped = true;
    turns.clear();
    ready.clear();
    for (const { frame, command } of open.values()) {
      const { number } = frame.spot;
      const { id: target, op } = command;
      if (isCleaning(command)) continue;
      if (!all && (op === 'step' || op === 'child')) {
        out.push({ number, command: { op: 'cancel', target, gently: true } });
        continue;
      }
      if (!recalled.has(target)) out.push({ number, command: { op: 'cancel', target } });
      recalled.add(target);
    }
  }

  function fromOutside(fact: Fact): void {
    if (fact.id === cancelFact) {
      if (!isStopped || cancelled?.isGentle) cancelled = { reason: reasonOf(fact), isGentle: causes.length > 0 };
      stop(true);
    } else if (fact.id === stopFact && !isStopped) {
      cancelled = { reason: reasonOf(fact), isGentle: true };
      stop(false);
    } else if (fact.id === restFact) {
      const { frame, command } = openNamed(saidOf(fact));
      frame.resting = command.id;
      ready.free(frame.spot);
    } else if (fact.id === wakeFact) queue(openNamed(saidOf(fact)).frame);
    // What is said to a run (`@steer`) is for agents: a workflow has its plan.
  }

  function openNamed(id: string): Open {
    const found = open.get(id);
    if (found === undefined) throw new Error(`nothing is open that is called "${id}"`);
    return found;
  }

  function fromInside(fact: Fact): void {
    const { frame, command } = openNamed(fact.id);
    open.delete(fact.id);
    if (frame.resting !== undefined) {
      frame.resting = undefined;
      frame.isQueued = false;
    } else if (command.op === 'step' || command.op === 'child') ready.free(frame.spot);
    if (isTakenBack(fact, command)) {
      // What was not begun was not made.
      if (!recalled.has(command.id)) trees.delete(frame);
      return;
    }
    const { node } = frame.spot;
    doing(frame, () => kindOf(node).fact?.(frame, node, fact, command, work));
    if (trees.size > 0 && frame.tree === undefined) trees.delete(frame);
  }

  /** A step that was cancelled because all stops is no failure; the wait of a step that failed once is. */
  function isTakenBack(fact: Fact, { op }: OpenCommand): boolean {
    return isStopped && op !== 'timer' && 'err' in fact && fact.err.code === 'cancelled';
  }

  /** It has its slots. */
  function admit(frame: Frame): void {
    const { spot, resting } = frame;
    if (!frame.isQueued) {
      // A child that woke has ended while it stood in the line.
      ready.free(spot);
      return;
    }
    frame.isQueued = false;
    if (resting === undefined) {
      doing(frame, () => kindOf(spot.node).admit?.(frame, spot.node, work));
      return;
    }
    frame.resting = undefined;
    out.push({ number: spot.number, command: { op: 'proceed', target: resting } });
  }

  /** Goes on until only facts can change something. */
  function goOn(): readonly Command[] {
    while (!isStopped && end === undefined) {
      const turn = turns.pop();
      if (turn !== undefined) {
        takeTurn(frames[turn] as Frame);
        continue;
      }
      const spot = ready.take();
      if (spot === undefined) {
        if (open.size === 0 && end === undefined) failStuck();
        break;
      }
      admit(frames[spot.number] as Frame);
    }
    if (isStopped && open.size === 0) {
      for (const { frame, command } of cleaningOf(trees, work)) {
        work.open(frame, command);
        trees.delete(frame);
      }
    }
    if (isStopped && open.size === 0) {
      const isCancelled = cancelled && (!cancelled.isGentle || causes.length === 0);
      end = cancelled && isCancelled ? { cancelled: cancelled.reason } : { err: combined(causes) };
    }
    const commands = out;
    out = [];
    // Who was woken by one that stands behind it comes too late.
    return commands.sort((a, b) => a.number - b.number).map(({ command }) => command);
  }

  /** A plan that was checked has no circles, so this is one that was not. */
  function failStuck(): void {
    const stuck = frames.filter(({ life, pending }) => life === 'waiting' && pending > 0);
    for (const frame of stuck.length > 0 ? stuck : [root as Frame]) {
      const { waits, node } = frame.spot;
      const names = waits.flatMap(({ through }) => through.slice(-1).map((spot) => `"${spot.node.path}"`));
      fail(frame, nodeError(work.nameOf(frame), node, 'needs', `it waits for ${names.join(', ')}, which never end`));
    }
  }

  return {
    get end() {
      return end;
    },
    start() {
      start(root);
      return goOn();
    },
    deliver(fact) {
      if (end !== undefined) throw new Error(`the machine has ended, and was given "${fact.id}"`);
      if (fact.id.startsWith('@')) fromOutside(fact);
      else fromInside(fact);
      return goOn();
    },
  };
}

/** The child that a fact about one names. */
function saidOf(fact: Fact): string {
  return 'ok' in fact ? String(fact.ok) : '';
}

function reasonOf(fact: Fact): string {
  const said = 'ok' in fact ? (fact.ok as { readonly by?: Json; readonly reason?: Json } | null) : undefined;
  return String(said?.reason ?? said?.by ?? 'no reason was given');
}
