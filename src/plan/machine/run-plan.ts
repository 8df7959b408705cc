/** For tests: drives machines in memory. Sub-workflows are machines inside; prompt steps are answered as they are. */
import {
  type Command,
  cancelFact,
  type End,
  type Fact,
  type Json,
  type Machine,
  type Outcome,
  type RunError,
  type StepCommand,
  stopFact,
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
  readonly machine: Machine;
}

export interface PlanRun {
  /** All commands, in order. */
  readonly commands: Command[];
  /** What was given from outside, in order. */
  readonly facts: Fact[];
  /** What a test can answer: no sub-workflows. */
  readonly open: () => string[];
  readonly entry: (id: string) => OpenEntry;
  readonly isRecalled: (id: string) => boolean;
  /** Gives a fact; the ids of what came out of it, a cancel as `-id`. */
  readonly give: (id: string, outcome: Outcome, at?: number) => string[];
  readonly ok: (id: string, value?: Json, at?: number) => string[];
  readonly none: (id: string) => string[];
  readonly err: (id: string, error?: Partial<RunError>) => string[];
  readonly cancel: (reason?: string) => string[];
  readonly command: (id: string) => OpenCommand;
  /** What came out of the start. */
  readonly first: readonly string[];
  readonly end: () => End | undefined;
  /** The most steps and children that were open at once, by the path of their `parallel`. */
  readonly most: ReadonlyMap<Spot, number>;
}

interface Member {
  readonly machine: Machine;
  readonly plan: WorkflowPlan;
  readonly path: string;
  /** The id of its command, and who emitted it. */
  readonly parent?: Member;
}

export function startPlan(
  root: WorkflowPlan,
  { input = { topic: 'tea' }, runId = 'run', at = 0 }: RunOptions = {},
): PlanRun {
  const make = workflowMaker(root);
  const commands: Command[] = [];
  const facts: Fact[] = [];
  const ids = new Set<string>();
  const entries = new Map<string, OpenEntry & { readonly member: Member }>();
  const children = new Map<string, Member>();
  const recalled = new Set<string>();
  /** What a step could see when it was opened. */
  const seen = new Map<string, string>();
  const counts = new Map<Spot, Map<string, number>>();
  const most = new Map<Spot, number>();
  let now = at;
  let out: string[] = [];

  function count(spot: Spot, change: number, path: string): void {
    for (let holder = spot.limited; holder; holder = holder.limited) {
      const each = counts.get(holder) ?? new Map<string, number>();
      counts.set(holder, each);
      const number = (each.get(path) ?? 0) + change;
      each.set(path, number);
      most.set(holder, Math.max(most.get(holder) ?? 0, number));
    }
  }

  function take(member: Member, emitted: readonly Command[]): void {
    for (const command of emitted) {
      commands.push(command);
      if (command.op === 'cancel') {
        out.push(`-${command.target}`);
        recalled.add(command.target);
        const child = children.get(command.target);
        if (child) deliver(child, { id: command.gently ? stopFact : cancelFact, at: now, ok: { reason: 'above' } });
        continue;
      }
      if (ids.has(command.id)) throw new Error(`M2: ${command.id} was emitted twice`);
      ids.add(command.id);
      out.push(command.id);
      const local = command.id.slice(member.path === '' ? 0 : member.path.length + 1);
      const spot = layoutOf(member.plan).at(local.replace(/\[\d+\]/g, '').replace(/#\d+(\.wait)?$/, ''));
      const isChild = command.op === 'child' && command.ref.kind === 'workflow';
      if (command.op === 'step' || command.op === 'child') count(spot, 1, member.path);
      if (command.op === 'step') seen.set(command.id, valuesOf(command));
      if (!isChild) entries.set(command.id, { command, spot, member, machine: member.machine });
      else open(member, command);
    }
  }

  function open(parent: Member, command: Extract<Command, { op: 'child' }>): void {
    const path = String(command.ref.plan);
    const plan = path.split('/').reduce<WorkflowPlan | undefined>((each, name) => each?.workflows[name], root);
    if (plan === undefined) throw new Error(`no plan ${path}`);
    const machine = make(command.ref, { runId, path: command.id, input: command.input, at: now });
    const child: Member = { machine, plan, path: command.id, parent };
    children.set(command.id, child);
    take(child, machine.start());
    close(child);
  }

  function deliver(member: Member, fact: Fact): void {
    take(member, member.machine.deliver(fact));
    close(member);
  }

  function close({ machine, path, parent, plan: _ }: Member): void {
    const { end } = machine;
    if (end === undefined || parent === undefined || !children.delete(path)) return;
    const local = path.slice(parent.path === '' ? 0 : parent.path.length + 1).replace(/\[\d+\]/g, '');
    count(layoutOf(parent.plan).at(local), -1, parent.path);
    const outcome: Outcome = 'cancelled' in end ? { err: errorOf({ code: 'cancelled', message: end.cancelled }) } : end;
    deliver(parent, { ...outcome, id: path, at: now });
  }

  function collect(part: () => void): string[] {
    out = [];
    part();
    return out;
  }

  function give(id: string, outcome: Outcome, when = now + 1000): string[] {
    now = when;
    const fact: Fact = { ...outcome, id, at: when };
    facts.push(fact);
    if (id.startsWith('@')) return collect(() => deliver(top, fact));
    const found = entries.get(id);
    if (found === undefined) throw new Error(`${id} is not open; there are ${[...entries.keys()].join(', ')}`);
    entries.delete(id);
    const { command } = found;
    if (command.op === 'step' && valuesOf(command) !== seen.get(id)) throw new Error(`what ${id} can see has changed`);
    if (found.command.op !== 'timer' && found.command.op !== 'signal') count(found.spot, -1, found.member.path);
    return collect(() => deliver(found.member, fact));
  }

  const top: Member = {
    machine: make({ kind: 'workflow', plan: '' }, { runId, path: '', input, at }),
    plan: root,
    path: '',
  };
  const first = collect(() => take(top, top.machine.start()));
  const entry = (id: string) => {
    const found = entries.get(id);
    if (found === undefined) throw new Error(`${id} is not open; there are ${[...entries.keys()].join(', ')}`);
    return found;
  };

  return {
    commands,
    facts,
    first,
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
    end: () => top.machine.end,
  };
}

/** All that it would see, were it to ask. */
export function valuesOf({ values }: StepCommand): string {
  return JSON.stringify(values?.names().map((name) => [name, values.get(name)]));
}

export function errorOf(error: Partial<RunError>): RunError {
  return { code: 'code', message: 'it broke', retryable: true, ...error };
}
