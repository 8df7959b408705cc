/**
 * The machines of one run: the root, and those inside of it. Pure, like they are. To the driver it is one machine whose
 * commands are the effects of all of them; that children begin and end is told, because the journal keeps it.
 * 1. What a child emits stands where its own command stood: document order is kept.
 * 2. A child that has ended is a fact of its parent in the same step, at the same time.
 * 3. To cancel a child is to give it `@cancel`, or `@stop` where its open steps may finish; what comes from outside goes to the root alone.
 */
import {
  type ChildCommand,
  type Command,
  cancelFact,
  type End,
  type Fact,
  type Json,
  type Machine,
  type MachineRef,
  type MakeMachine,
  type Outcome,
  stopFact,
  type Usage,
} from '../machine/index.ts';
import { factAs } from './record.ts';
import { addUsage } from './usage.ts';

/** What the driver does: commands that are no machines. */
export type Effect = Exclude<Command, ChildCommand>;

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
  | { readonly kind: 'end'; readonly end: ChildEnd };

export interface Nest {
  readonly start: (at: number) => readonly Emission[];
  readonly deliver: (fact: Fact) => readonly Emission[];
  readonly end: () => End | undefined;
}

export interface NestOptions {
  readonly make: MakeMachine;
  readonly ref: MachineRef;
  readonly runId: string;
  readonly input: Json;
}

interface Member {
  readonly machine: Machine;
  readonly command?: ChildCommand;
  readonly parent?: Member;
  usage: Usage;
}

export function createNest({ make, ref, runId, input }: NestOptions): Nest {
  /** Who emitted an open command. */
  const owners = new Map<string, Member>();
  const children = new Map<string, Member>();
  let root: Member | undefined;
  let out: Emission[] = [];

  function take(member: Member, commands: readonly Command[], at: number): void {
    /** Those that may have ended: told when all is open that was emitted with them, or it could not be cancelled. */
    const touched: Member[] = [];
    for (const command of commands) {
      if (command.op === 'cancel') {
        const child = children.get(command.target);
        const id = command.gently ? stopFact : cancelFact;
        if (child === undefined) {
          if (owners.has(command.target)) push(member, command);
        } else if (child.machine.end === undefined) {
          deliver(child, { id, at, ok: { by: 'parent', reason: 'cancelled' } });
          touched.push(child);
        }
        continue;
      }
      if (owners.has(command.id)) throw new Error(`the command ${command.id} was emitted twice`);
      owners.set(command.id, member);
      if (command.op === 'child') touched.push(open(member, command, at));
      else push(member, command);
    }
    for (const child of touched) close(child, at);
  }

  function push(member: Member, effect: Effect): void {
    out.push({ kind: 'effect', effect, within: member.command?.id ?? '' });
  }

  function open(parent: Member, command: ChildCommand, at: number): Member {
    const init = { runId, path: command.id, input: command.input, at };
    const child: Member = { machine: make(command.ref, init), command, parent, usage: {} };
    children.set(command.id, child);
    out.push({ kind: 'child', child: { command, within: parent.command?.id ?? '' } });
    take(child, child.machine.start(), at);
    return child;
  }

  function give(member: Member, fact: Fact): void {
    deliver(member, fact);
    close(member, fact.at);
  }

  function deliver(member: Member, fact: Fact): void {
    if (fact.usage)
      for (let each: Member | undefined = member; each; each = each.parent)
        each.usage = addUsage(each.usage, fact.usage);
    take(member, member.machine.deliver(fact), fact.at);
  }

  /** Tells the parent of a child that has ended. */
  function close(child: Member, at: number): void {
    const { command, parent, machine } = child;
    if (command === undefined || parent === undefined || machine.end === undefined) return;
    if (!children.delete(command.id)) return;
    owners.delete(command.id);
    const outcome = outcomeOf(machine.end);
    out.push({ kind: 'end', end: { id: command.id, outcome, usage: child.usage } });
    give(parent, factAs(command.id, at, outcome, undefined));
  }

  function collect(work: () => void): readonly Emission[] {
    out = [];
    work();
    return out;
  }

  return {
    start: (at) =>
      collect(() => {
        root = { machine: make(ref, { runId, path: '', input, at }), usage: {} };
        take(root, root.machine.start(), at);
      }),
    deliver: (fact) =>
      collect(() => {
        const member = fact.id.startsWith('@') ? root : owners.get(fact.id);
        if (member === undefined) throw new Error(`nobody waits for ${fact.id}`);
        owners.delete(fact.id);
        give(member, fact);
      }),
    end: () => root?.machine.end,
  };
}

function outcomeOf(end: End): Outcome {
  if (!('cancelled' in end)) return end;
  return { err: { code: 'cancelled', message: `it was cancelled: ${end.cancelled}`, retryable: false } };
}
