/** A machine for tests: it emits what it is told, round by round, and ends with what it was given. */
import {
  type Command,
  cancelFact,
  type End,
  type Fact,
  type Json,
  type Machine,
  type MachineInit,
  type MachineRef,
  steerFact,
} from '../machine/index.ts';

/** The commands of a round are emitted when all of the round before have their facts. */
export function roundsRef(...rounds: readonly (readonly Command[])[]): MachineRef {
  return { kind: 'rounds', rounds: rounds as unknown as Json };
}

export function makeRounds(ref: MachineRef, { path }: MachineInit): Machine {
  const rounds = ref.rounds as unknown as readonly (readonly Command[])[];
  const prefix = path === '' ? '' : `${path}/`;
  const open = new Set<string>();
  const got: Json[] = [];
  let next = 0;
  let end: End | undefined;
  let cancelled: string | undefined;

  function emit(): Command[] {
    for (; next < rounds.length && open.size === 0; next++) {
      const commands = (rounds[next] ?? []).map((command): Command => {
        if (command.op === 'cancel' || command.op === 'proceed') return { ...command, target: prefix + command.target };
        open.add(prefix + command.id);
        return { ...command, id: prefix + command.id };
      });
      if (commands.length > 0) {
        next++;
        return commands;
      }
    }
    if (open.size === 0) end = { ok: got };
    return [];
  }

  function deliver(fact: Fact): Command[] {
    if (fact.id === cancelFact) {
      cancelled = 'asked';
      if (open.size === 0) end = { cancelled };
      return [...open].map((target) => ({ op: 'cancel', target }));
    }
    // It is heard, and changes nothing.
    if (fact.id === steerFact) return [];
    if (!open.delete(fact.id)) throw new Error(`${fact.id} is not open`);
    got.push(
      'err' in fact ? { id: fact.id, failed: fact.err.code } : { id: fact.id, value: 'ok' in fact ? fact.ok : null },
    );
    if (cancelled === undefined) return emit();
    if (open.size === 0) end = { cancelled };
    return [];
  }

  return {
    start: emit,
    deliver,
    get end() {
      return end;
    },
  };
}

export function step(id: string, args: Json = null, more: { readonly timeoutMs?: number } = {}): Command {
  return { op: 'step', id, spec: { kind: 'test' }, args, key: id, ...more };
}
