/**
 * The machines of one run: the root, and those inside of it. Pure, like they are. To the driver it is one machine whose
 * commands are the effects of all of them; that children begin and end is told, because the journal keeps it.
 * 1. What a child emits stands where its own command stood, or where it was let go on: document order is kept.
 * 2. What becomes of a child is told to its parent in the same step, at the same time, but only when all is open that was
 *    emitted together: or it could not be cancelled. No call nests deeper than the machines do.
 * 3. To cancel a child is to give it `@cancel`, or `@stop` where its open steps may finish; what comes from outside goes to
 *    the root alone, but for what people say (`@steer`), which every machine hears.
 * 4. A child rests when all that it has open are timers, signals and children that rest. Then it has no slot: steps and
 *    children that it emits are held back until its parent lets it go on, also what would let its own children go on.
 *    Where no limit counts it, its parent is not asked; but that may itself rest.
 * 5. A command may have its result before it is begun: kept from an earlier segment, or found. It needs no slot, and its
 *    machine is told when all is open that was emitted with it.
 * 6. What is held back was never begun, and nobody outside knows of it. Cancelled, it has its one fact at once; and for a
 *    child that was told to end nothing is held back any more.
 * 7. A machine with a timeout is told with each fact for how long its steps were at work: what else takes time is no work.
 */
import { factAs } from './fact.ts';
import type { Json } from './json.ts';
import {
  type CancelCommand,
  type ChildCommand,
  type Command,
  cancelFact,
  type End,
  type Fact,
  type Machine,
  type MachineInit,
  type MachineRef,
  type MakeMachine,
  type Outcome,
  type ProceedCommand,
  type RunError,
  restFact,
  type SignalCommand,
  type StepCommand,
  steerFact,
  stopFact,
  type Usage,
  wakeFact,
} from './machine.ts';
import { Roster } from './roster.ts';
import { addUsage } from './usage.ts';
import { workAt } from './work-place.ts';
import { createWorkSpan, type WorkSpan } from './work-span.ts';

/** What the driver does: commands that are no machines, nor about them. */
export type Effect = Exclude<Command, ChildCommand | ProceedCommand>;

export interface ChildStart {
  readonly command: ChildCommand;
  /** The child that it is within; empty for the root. */
  readonly within: string;
}

export interface ChildEnd {
  readonly id: string;
  readonly outcome: Outcome;
  readonly usage: Usage;
}

/** In the order in which it happened. */
export type Emission =
  /** `within`: the child that emitted it; empty for the root. */
  | { readonly kind: 'effect'; readonly effect: Effect; readonly within: string }
  | { readonly kind: 'child'; readonly child: ChildStart }
  /** It is not begun: this is its result. */
  | { readonly kind: 'given'; readonly command: Givable; readonly given: Given; readonly within: string }
  | { readonly kind: 'end'; readonly end: ChildEnd };

export interface Nest {
  readonly start: (at: number) => readonly Emission[];
  readonly deliver: (fact: Fact) => readonly Emission[];
  readonly end: () => End | undefined;
}

/** What may have a result before it is begun. */
export type Givable = StepCommand | SignalCommand | ChildCommand;

export interface Given {
  readonly outcome: Outcome;
}

export interface NestOptions {
  readonly make: MakeMachine;
  readonly ref: MachineRef;
  readonly runId: string;
  readonly input: Json;
  /** When the run was begun, where that is not now. */
  readonly runAt?: number;
  /** The result that a command has already, if any. */
  readonly given?: (command: Givable) => Given | undefined;
}

/** What needs a slot. */
type Work = StepCommand | ChildCommand | ProceedCommand;

interface Member {
  readonly machine: Machine;
  usage: Usage;
  /** How many steps it has open, and children that do not rest. */
  busy: number;
  /** What it has to be told: a child that may have changed, a command that was taken back. */
  due: (Child | Fact)[];
  /** What it emitted while it rested, by id; what would let a child go on, by the child's. */
  readonly held: Map<string, Work>;
  /** Of one with a timeout. */
  readonly span?: WorkSpan;
}

interface Child extends Member {
  readonly command: ChildCommand;
  readonly parent: Member;
  /** `awake`: it has its slot. `waking`: it wants one again. `ending`: it was told to end, and needs none. */
  state: 'awake' | 'resting' | 'waking' | 'ending';
}

const cancelled: RunError = { code: 'cancelled', message: 'it was cancelled', retryable: false };
/** What children are told: it says no more than that. */
const noReason = 'cancelled';

export function createNest({ make, ref, runId, input, runAt, given }: NestOptions): Nest {
  /** Who emitted an open command. */
  const owners = new Roster<Member>();
  const children = new Roster<Child>();
  /** The steps that are open. */
  const steps = new Roster<StepCommand>();
  let root: Member | undefined;
  let now = 0;
  let began = runAt ?? 0;
  let out: Emission[] = [];

  function take(member: Member, commands: readonly Command[]): void {
    for (const command of commands) {
      if (command.op === 'cancel') {
        cancel(member, command);
        continue;
      }
      if (command.op !== 'proceed') {
        if (owners.has(command.id)) throw new Error(`the command ${command.id} was emitted twice`);
        if (given && command.op !== 'timer' && isGiven(member, command, given(command))) continue;
        owners.set(command.id, member);
      }
      if (command.op === 'timer' || command.op === 'signal') push(member, command);
      else if (hasNoSlot(member)) member.held.set(nameOf(command), command);
      else begin(member, command);
    }
  }

  function isGiven(member: Member, command: Givable, known: Given | undefined): boolean {
    if (known === undefined) return false;
    out.push({ kind: 'given', command, given: known, within: idOf(member) });
    member.due.push(factAs(command.id, now, known.outcome, undefined));
    return true;
  }

  function begin(member: Member, command: Work): void {
    if (command.op === 'proceed') goOn(member, command.target);
    else if (command.op === 'child') open(member, command);
    else {
      steps.set(command.id, command);
      member.busy++;
      push(member, command);
    }
  }

  function push(member: Member, effect: Effect): void {
    out.push({ kind: 'effect', effect, within: idOf(member) });
  }

  function open(parent: Member, command: ChildCommand): void {
    const init: MachineInit = { runId, path: command.id, input: command.input, at: now, runAt: began };
    workAt(init, command);
    const machine = make(command.ref, init);
    const base: Child = { machine, command, parent, usage: {}, busy: 0, due: [], held: new Map(), state: 'awake' };
    const child = command.ref.timeoutMs === undefined ? base : { ...base, span: createWorkSpan() };
    children.set(command.id, child);
    parent.busy++;
    out.push({ kind: 'child', child: { command, within: idOf(parent) } });
    take(child, machine.start());
    finish(child);
    parent.due.push(child);
  }

  function goOn(parent: Member, id: string): void {
    const child = children.get(id);
    if (child?.state !== 'waking') throw new Error(`${id} does not wait for a slot`);
    awaken(child, 'awake');
    const held = [...child.held.values()];
    child.held.clear();
    for (const command of held) begin(child, command);
    finish(child);
    parent.due.push(child);
  }

  function awaken(child: Child, state: 'awake' | 'ending'): void {
    if (hasNoSlot(child)) child.parent.busy++;
    child.state = state;
  }

  function cancel(member: Member, command: CancelCommand): void {
    const { target, gently } = command;
    const child = children.get(target);
    // Of a child that is what would let it go on.
    const wasHeld = member.held.delete(target);
    if (child !== undefined) {
      if (child.machine.end === undefined) stop(child, gently ? stopFact : cancelFact);
    } else if (wasHeld) takeBack(member, target);
    else if (!gently && owners.has(target)) push(member, command);
  }

  function stop(child: Child, id: string): void {
    awaken(child, 'ending');
    const held = [...child.held.values()];
    deliver(child, { id, at: now, ok: { by: 'parent', reason: noReason } });
    // What its machine did not take back itself.
    for (const command of held) {
      if (!child.held.delete(nameOf(command))) continue;
      if (command.op === 'proceed') begin(child, command);
      else takeBack(child, command.id);
    }
    finish(child);
    child.parent.due.push(child);
  }

  function takeBack(member: Member, id: string): void {
    owners.delete(id);
    member.due.push({ id, at: now, err: cancelled });
  }

  function deliver(member: Member, fact: Fact): void {
    const { machine, span } = member;
    take(member, machine.deliver(span ? { ...fact, worked: span.ms() } : fact));
  }

  /** Tells a machine what it has to be told, and what follows from that. */
  function finish(member: Member): void {
    const { due } = member;
    for (let next = 0; next < due.length; next++) {
      const each = due[next] as Child | Fact;
      if ('machine' in each) look(each);
      else deliver(member, each);
    }
    if (due.length > 0) member.due = [];
  }

  /** Tells the parent of a child what has become of it. */
  function look(child: Child): void {
    const { command, parent, machine, held, state } = child;
    const { id, limited } = command;
    if (children.get(id) !== child) return;
    if (machine.end !== undefined) {
      children.delete(id);
      owners.delete(id);
      // It has been let go on, and its parent rests: now that is not needed.
      parent.held.delete(id);
      if (!hasNoSlot(child)) parent.busy--;
      const outcome = outcomeOf(machine.end);
      out.push({ kind: 'end', end: { id, outcome, usage: child.usage } });
      deliver(parent, factAs(id, now, outcome, undefined));
    } else if (state === 'resting' && held.size > 0) {
      child.state = 'waking';
      if (limited) deliver(parent, { id: wakeFact, at: now, ok: id });
      else take(parent, [{ op: 'proceed', target: id }]);
    } else if (state === 'awake' && child.busy === 0) {
      child.state = 'resting';
      parent.busy--;
      if (limited) deliver(parent, { id: restFact, at: now, ok: id });
    }
  }

  function collect(at: number, work: () => void): readonly Emission[] {
    now = at;
    out = [];
    work();
    return out;
  }

  return {
    start: (at) =>
      collect(at, () => {
        began = runAt ?? at;
        const machine = make(ref, { runId, path: '', input, at, runAt: began });
        const base: Member = { machine, usage: {}, busy: 0, due: [], held: new Map() };
        root = ref.timeoutMs === undefined ? base : { ...base, span: createWorkSpan() };
        take(root, machine.start());
        finish(root);
      }),
    deliver: (fact) =>
      collect(fact.at, () => {
        if (fact.id === steerFact) for (const child of [...children.values()]) deliver(child, fact);
        const member = fact.id.startsWith('@') ? root : owners.get(fact.id);
        if (member === undefined) throw new Error(`nobody waits for ${fact.id}`);
        owners.delete(fact.id);
        if (steps.delete(fact.id)) member.busy--;
        if (fact.usage) for (const each of upFrom(member)) each.usage = addUsage(each.usage, fact.usage);
        if (fact.began !== undefined) for (const each of upFrom(member)) each.span?.add(fact.began, fact.at);
        deliver(member, fact);
        for (const each of upFrom(member)) {
          finish(each);
          if (isChild(each)) look(each);
        }
      }),
    end: () => root?.machine.end,
  };
}

function isChild(member: Member): member is Child {
  return 'parent' in member;
}

/** Itself, what it is within, and so on to the root. */
function* upFrom(member: Member): Generator<Member> {
  for (let at: Member | undefined = member; at; at = isChild(at) ? at.parent : undefined) yield at;
}

function hasNoSlot(member: Member): boolean {
  return isChild(member) && (member.state === 'resting' || member.state === 'waking');
}

function idOf(member: Member): string {
  return isChild(member) ? member.command.id : '';
}

function nameOf(command: Work): string {
  return command.op === 'proceed' ? command.target : command.id;
}

function outcomeOf(end: End): Outcome {
  if (!('cancelled' in end)) return end;
  if (end.cancelled === noReason) return { err: cancelled };
  return { err: { ...cancelled, message: `it was cancelled: ${end.cancelled}` } };
}
