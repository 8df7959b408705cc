/**
 * Prompts of the simulator that call tools: the thunk machine as it is, with models and tools that answer from a seed. The same
 * command always gets the same answer, so a run that was disturbed must come to what a calm one comes to.
 */
import { mostRepairs } from '../../agent/index.ts';
import type { NoteBody } from '../../journal/index.ts';
import type { Json, MachineRef, Outcome, StepCommand } from '../../machine/index.ts';
import type { AgentSpec, WorkflowPlan } from '../../plan/index.ts';
import { isRecord } from '../../type/index.ts';
import { hash8 } from './hash.ts';
import { isThunkModel } from './thunks.ts';

interface SimulatedTool {
  readonly name: string;
  readonly readOnly: boolean;
  /** It is done only when somebody has allowed it. */
  readonly asks?: true;
  readonly fails?: true;
}

const tools: readonly SimulatedTool[] = [
  { name: 'sim/look', readOnly: true },
  { name: 'sim/peek', readOnly: true, fails: true },
  { name: 'sim/write', readOnly: false },
  { name: 'sim/push', readOnly: false, asks: true },
  { name: 'sim/break', readOnly: false, fails: true },
  { name: 'sim/open', readOnly: true, asks: true },
];

const mostRounds = 4;

/** Models call it, and nobody has it. */
const unknown = 'sim/gone';

/** The same plan, whose writers call tools. */
export function withTools(plan: WorkflowPlan): WorkflowPlan {
  const agents = Object.entries(plan.agents).map(([name, agent]): [string, AgentSpec] => {
    return [name, name === 'writer' ? { ...agent, fields: { ...agent.fields, tools: ['sim'] } } : agent];
  });
  const workflows = Object.entries(plan.workflows).map(([name, sub]): [string, WorkflowPlan] => [name, withTools(sub)]);
  return { ...plan, agents: Object.fromEntries(agents), workflows: Object.fromEntries(workflows) };
}

/** Whether a thunk is one whose agent has tools. */
export function callsTools({ agent }: MachineRef): boolean {
  return isRecord(agent) && isRecord(agent.fields) && Array.isArray(agent.fields.tools);
}

/** What a command inside of such a thunk comes to; undefined of all others. `of`: what its answer follows from. */
export function toolOutcome({ id, spec, args }: StepCommand, of: string, value: Json): Outcome | undefined {
  switch (spec.kind) {
    case 'tools':
      return { ok: { tools: hasSet(spec) ? tools.map(({ name, readOnly }) => offered(name, readOnly)) : [] } };
    case 'tool':
      return { ok: called(String(spec.tool), spec.granted === true, of, args) };
    case 'model':
      return callsTools(spec as unknown as MachineRef) ? { ok: answered(id, of, value) } : undefined;
    default:
      return undefined;
  }
}

/** What executors note of a call; once, however often it is begun. */
export function callNotes({ spec }: StepCommand, noted: readonly unknown[]): NoteBody[] {
  if (noted.length > 0) return [];
  if (spec.kind === 'tool') return [{ kind: 'tool.asked', tool: String(spec.tool), call: String(spec.call) }];
  const { handoff } = spec;
  if (isRecord(handoff)) return [{ kind: 'handoff', from: String(handoff.from), to: String(handoff.to) }];
  const isLoop = callsTools(spec as unknown as MachineRef) || isThunkModel(spec);
  if (spec.kind !== 'model' || !isLoop) return [];
  const error = { code: 'model', message: 'nobody answers', retryable: true };
  const skipped: NoteBody[] =
    hash8(String(spec.for)) % 3 === 0 ? [{ kind: 'model.skipped', ref: 'sim/one', error }] : [];
  return [...skipped, { kind: 'model.asked', ref: 'sim/two', settings: {}, add: [] }];
}

function hasSet({ names }: StepCommand['spec']): boolean {
  return Array.isArray(names) && names.includes('sim');
}

function offered(name: string, readOnly: boolean): Json {
  return { name, description: name, parameters: { type: 'object', properties: {} }, readOnly };
}

function called(name: string, isGranted: boolean, of: string, args: Json): Json {
  const tool = tools.find((each) => each.name === name);
  if (tool?.asks && !isGranted)
    return { ask: { title: `May it call ${name} with ${JSON.stringify(args)}?`, tool: name } };
  const number = hash8(`tool ${of}`);
  return tool?.fails ? { text: `failed: ${number}`, isError: true, code: 'failed' } : { text: `t${number % 100}` };
}

/** Some rounds of calls, then an answer; of some the first ones do not fit. */
function answered(id: string, of: string, value: Json): Json {
  const nth = Number(id.slice(id.lastIndexOf('#') + 1));
  if (nth > mostRounds || hash8(`end ${of}`) % 3 === 0) {
    const isOdd = nth <= mostRepairs && hash8(`odd ${of}`) % 3 === 0;
    return { text: isOdd ? 'no JSON' : JSON.stringify(value), finish: 'stop' };
  }
  const calls = Array.from({ length: 1 + (hash8(`size ${of}`) % 3) }, (_, at) => {
    const pick = hash8(`pick ${of} ${at}`) % (tools.length + 1);
    return { id: `${nth}.${at}`, tool: tools[pick]?.name ?? unknown, args: { at, pick: pick % 2 } };
  });
  return { text: '', finish: 'calls', calls };
}
