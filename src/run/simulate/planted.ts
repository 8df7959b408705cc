/** Mistakes that the simulator must find: each is one that a driver or a machine could make. */
import type { MemoryStore, Store } from '../../journal/index.ts';
import { type Command, type Fact, type Machine, restFact, wakeFact } from '../../machine/index.ts';
import type { Clock } from '../../sys/index.ts';
import type { RunState } from '../state.ts';

export type Plant =
  | 'effect before its commit'
  | 'a slot held while waiting'
  | 'a slot held while a child waits'
  | 'a child that goes on without a slot'
  | 'a signal delivered twice'
  | 'a step called begun without a place'
  | 'deaths that nobody counts'
  | 'money that is counted when it is spent';

/** A planted mistake: a commit is told before it has happened. */
export function lateStore(store: MemoryStore, clock: Clock): Store {
  class Undone extends Error {}
  return {
    ...store,
    write(work) {
      let result: ReturnType<typeof work> | undefined;
      try {
        store.write((writer) => {
          result = work(writer);
          throw new Undone();
        });
      } catch (error) {
        if (!(error instanceof Undone)) throw error;
      }
      clock
        .sleep(3)
        .then(() => store.write(work))
        .catch(() => undefined);
      return result as ReturnType<typeof work>;
    },
  };
}

/** A planted mistake: what was decided still counts as open. */
export function forgetful(state: RunState): RunState {
  const decided = new Map(state.open);
  const open = new Proxy(state.open, {
    get(target, key) {
      if (key !== 'get') {
        const value = Reflect.get(target, key, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return (id: string) => {
        const opened = target.get(id);
        if (opened?.effect.op === 'signal') decided.set(id, opened);
        return opened ?? decided.get(id);
      };
    },
  });
  return { ...state, open };
}

export function plantedMachine(machine: Machine, plant: Plant | undefined): Machine {
  switch (plant) {
    case 'a slot held while waiting':
      return holding(machine);
    case 'a slot held while a child waits':
      return unasked(machine, true);
    case 'a child that goes on without a slot':
      return unasked(machine, false);
    default:
      return machine;
  }
}

/** A planted mistake: a child goes on whenever it wants to; and either it never gave its slot back, or it takes none. */
function unasked(machine: Machine, keeps: boolean): Machine {
  return {
    start: machine.start,
    deliver(fact: Fact) {
      if (fact.id === restFact && keeps) return [];
      if (fact.id !== wakeFact) return machine.deliver(fact);
      return [{ op: 'proceed', target: 'ok' in fact ? String(fact.ok) : '' }];
    },
    get end() {
      return machine.end;
    },
  };
}

/** A planted mistake: while somebody is asked, no step begins. */
function holding(machine: Machine): Machine {
  const signals = new Set<string>();
  let held: Command[] = [];
  const pass = (commands: readonly Command[]): Command[] => {
    for (const command of commands) if (command.op === 'signal') signals.add(command.id);
    const all = [...held, ...commands];
    if (signals.size === 0) {
      held = [];
      return all;
    }
    held = all.filter(({ op }) => op === 'step' || op === 'child');
    return all.filter(({ op }) => op !== 'step' && op !== 'child');
  };
  return {
    start: () => pass(machine.start()),
    deliver(fact: Fact) {
      signals.delete(fact.id);
      return pass(machine.deliver(fact));
    },
    get end() {
      return machine.end;
    },
  };
}
