/** For tests: drives plans in memory. Sub-workflows are machines inside; prompt steps are answered as they are. */
import {
  type Command,
  cancelFact,
  createNest,
  type Emission,
  type End,
  type Fact,
  type Json,
  type Machine,
  type Outcome,
  type RunError,
  type StepCommand,
} from '../../machine/index.ts';
import type { WorkflowPlan } from '../node.ts';
import { workflowMaker } from './machine.ts';
import { layoutOf, type Spot } from './spot.ts';
import type { OpenCommand } from './work.ts';

export interface RunOptions {
  readonly input?: Json;
  readonly runId?: string;
  /** When it begins. */
  readonly at?: number;
}

export interface OpenEntry {
  readonly command: OpenCommand;
  readonly spot: Spot;
  /** The sub-workflow that it is in; empty for the root. */
  readonly within: string;
}

export interface PlanRun {
  /** What the workflow machines emitted, in order. */
  readonly commands: Command[];
  /** What was given from outside, in order. */
  readonly facts: Fact[];
  /** What a test can answer: no sub-workflows. */
  readonly open: () => string[];
  readonly entry: (id: string) => OpenEntry;
  readonly isRecalled: (id: string) => boolean;
  /** Gives a fact; the ids of what was begun and, as `-id`, of what was cancelled. */
  readonly give: (id: string, outcome: Outcome, at?: number) => string[];
  readonly ok: (id: string, value?: Json, at?: number) => string[];
  readonly none: (id: string) => string[];
  readonly err: (id: string, error?: Partial<RunError>) => string[];
  readonly cancel: (reason?: string) => string[];
  readonly command: (id: string) => OpenCommand;
  /** What came out of the start. */
  readonly first: readonly string[];
  readonly end: () => End | undefined;
  /** The most that worked at once in a `parallel` with a limit: steps, and sub-workflows with open steps in them. */
  readonly most: ReadonlyMap<Spot, number>;
}

/** A workflow machine, and where it stands. */
interface Place {
  readonly plan: WorkflowPlan;
  readonly within: string;
  /** Of its call; the root has none. */
  readonly spot?: Spot;
}

export function startPlan(
  root: WorkflowPlan,
  { input = { topic: 'tea' }, runId = 'run', at = 0 }: RunOptions = {},
): PlanRun {
  const make = workflowMaker(root);
  const commands: Command[] = [];
  const facts: Fact[] = [];
  const entries = new Map<string, OpenEntry>();
  /** By the id of the call; empty for the root. */
  const places = new Map<string, Place>([['', { plan: root, within: '' }]]);
  const recalled = new Set<string>();
  /** What a step could see when it was opened. */
  const seen = new Map<string, string>();
  const most = new Map<Spot, number>();
  let now = at;
  const nest = createNest({
    make: (ref, init) => (ref.kind === 'workflow' ? watched(make(ref, init)) : answered(init.path)),
    ref: { kind: 'workflow', plan: '' },
    runId,
    input,
  });

  function watched(machine: Machine): Machine {
    function note(emitted: readonly Command[]): readonly Command[] {
      for (const command of emitted) {
        commands.push(command);
        if (command.op === 'step') seen.set(command.id, valuesOf(command));
      }
      return emitted;
    }
    return {
      start: () => note(machine.start()),
      deliver: (fact) => note(machine.deliver(fact)),
      get end() {
        return machine.end;
      },
    };
  }

  function take(emissions: readonly Emission[]): string[] {
    const out: string[] = [];
    for (const emission of emissions) {
      if (emission.kind === 'end' || emission.kind === 'given') continue;
      if (emission.kind === 'child') {
        const { command, within } = emission.child;
        const spot = spotOf(command.id, within);
        out.push(command.id);
        if (command.ref.kind !== 'workflow') entries.set(command.id, { command, spot, within });
        else places.set(command.id, { plan: calledBy(String(command.ref.plan)), within, spot });
        continue;
      }
      const { effect, within } = emission;
      if (effect.op === 'cancel') {
        const target = effect.target.replace(/\/answer$/, '');
        out.push(`-${target}`);
        recalled.add(target);
      } else if (places.has(within)) {
        out.push(effect.id);
        entries.set(effect.id, { command: effect, spot: spotOf(effect.id, within), within });
      }
    }
    count();
    return out;
  }

  function spotOf(id: string, within: string): Spot {
    const local = id.slice(within === '' ? 0 : within.length + 1);
    const path = local.replace(/\[\d+\]/g, '').replace(/#\d+(\.wait)?$|\.(add|remove)$/, '');
    return layoutOf(placeOf(within).plan).at(path);
  }

  function placeOf(id: string): Place {
    const place = places.get(id);
    if (place === undefined) throw new Error(`no workflow ${id}`);
    return place;
  }

  function calledBy(path: string): WorkflowPlan {
    const plan = path.split('/').reduce<WorkflowPlan | undefined>((each, name) => each?.workflows[name], root);
    if (plan === undefined) throw new Error(`no plan ${path}`);
    return plan;
  }

  /** What works under each limit now. */
  function count(): void {
    const working = new Map<string, { readonly spot: Spot; readonly units: Set<string> }>();
    for (const { command, spot, within } of entries.values()) {
      if (command.op === 'timer' || command.op === 'signal') continue;
      let unit = command.id;
      for (let [at, inside]: [Spot | undefined, string] = [spot, within]; at; ) {
        for (let limit = at.limited; limit; limit = limit.limited) {
          const key = `${inside} ${limit.number}`;
          const known = working.get(key) ?? { spot: limit, units: new Set() };
          working.set(key, known);
          known.units.add(unit);
        }
        unit = inside;
        const place = placeOf(inside);
        [at, inside] = [place.spot, place.within];
      }
    }
    for (const { spot, units } of working.values()) most.set(spot, Math.max(most.get(spot) ?? 0, units.size));
  }

  function give(id: string, outcome: Outcome, when = now + 1000): string[] {
    now = when;
    const fact: Fact = { ...outcome, id, at: when };
    facts.push(fact);
    if (id.startsWith('@')) return take(nest.deliver(fact));
    const { command } = entry(id);
    entries.delete(id);
    if (command.op === 'step' && valuesOf(command) !== seen.get(id)) throw new Error(`what ${id} can see has changed`);
    return take(nest.deliver(command.op === 'child' ? { ...fact, id: `${id}/answer` } : fact));
  }

  function entry(id: string): OpenEntry {
    const found = entries.get(id);
    if (found === undefined) throw new Error(`${id} is not open; there are ${[...entries.keys()].join(', ')}`);
    return found;
  }

  return {
    commands,
    facts,
    first: take(nest.start(at)),
    most,
    entry,
    give,
    open: () => [...entries.keys()],
    isRecalled: (id) => recalled.has(id),
    command: (id) => entry(id).command,
    ok: (id, value = null, when = now + 1000) => give(id, { ok: value }, when),
    none: (id) => give(id, { none: true }),
    err: (id, error = {}) => give(id, { err: errorOf(error) }),
    cancel: (reason = 'enough') => give(cancelFact, { ok: { by: 'ada', reason } }),
    end: nest.end,
  };
}

/** A prompt: one step, and what that comes to. */
function answered(path: string): Machine {
  const step: StepCommand = { op: 'step', id: `${path}/answer`, spec: { kind: 'answer' }, args: null, key: path };
  let end: End | undefined;
  return {
    start: () => [step],
    deliver({ id, at: _, ...outcome }) {
      if (id === cancelFact) return [{ op: 'cancel', target: step.id }];
      if (id === step.id) end = outcome;
      return [];
    },
    get end() {
      return end;
    },
  };
}

/** All that it would see, were it to ask. */
export function valuesOf({ values }: StepCommand): string {
  return JSON.stringify(values?.names().map((name) => [name, values.get(name)]));
}

export function errorOf(error: Partial<RunError>): RunError {
  return { code: 'code', message: 'it broke', retryable: true, ...error };
}
