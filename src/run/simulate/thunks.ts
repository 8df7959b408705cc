/**
 * Steps of the simulator on thunks: hands within hands, handoffs, a workflow as a hand, what is recalled and a thread that goes
 * on. Their models call what they are offered, from a seed, and less the deeper they are.
 */
import type { AgentImage, ThunkImage } from '../../agent/index.ts';
import type { Json, Outcome, StepCommand } from '../../machine/index.ts';
import type { ModelCall } from '../../model/index.ts';
import type { AgentSpec, WorkflowPlan } from '../../plan/index.ts';
import { isRecord, messageType, textType } from '../../type/index.ts';
import { hash8 } from './hash.ts';

/** How often models call something, from the outermost thunk on. */
const mostRounds = [3, 1];

/** The same plan, whose agents are thunks. */
export function withThunks(plan: WorkflowPlan): WorkflowPlan {
  const workflows = Object.fromEntries(Object.entries(plan.workflows).map(([name, sub]) => [name, withThunks(sub)]));
  return withImages({ ...plan, workflows }, ({ name }) => imageOf(name, workflows));
}

/** The same plan with another text in one of the thunks of its agents: what people do to an agent between two tries. */
export function withEditedThunk(plan: WorkflowPlan, thunk: string, text: string): WorkflowPlan {
  return withImages(plan, ({ image }) => {
    const before = image as unknown as AgentImage;
    const edited = { ...before.thunks[thunk], instruct: text } as ThunkImage;
    return { ...before, thunks: { ...before.thunks, [thunk]: edited } };
  });
}

function withImages(plan: WorkflowPlan, imageFor: (agent: AgentSpec) => AgentImage): WorkflowPlan {
  const agents = Object.values(plan.agents).map((agent): [string, AgentSpec] => {
    const image = imageFor(agent) as unknown as Json;
    return [agent.name, { ...agent, type: 'too', fields: { use: `./${agent.name}.too#write` }, image }];
  });
  return { ...plan, agents: Object.fromEntries(agents) };
}

export const thunkNames: readonly string[] = ['write', 'look', 'weigh', 'other'];

function imageOf(agent: string, workflows: WorkflowPlan['workflows']): AgentImage {
  const { sub } = workflows;
  const thunks = [
    thunk('write', {
      output: messageType,
      tools: ['sim'],
      hands: ['look', 'weigh', ...(sub ? ['sub'] : [])],
      handoffs: ['other'],
      recall: ['history', 'memory'],
    }),
    thunk('look', { tools: ['sim'] }),
    thunk('weigh', { hands: ['look', 'write'] }),
    thunk('other', { output: messageType, hands: ['look'], handoffs: ['write'] }),
  ];
  return {
    agent,
    types: {},
    thunks: Object.fromEntries(thunks.map((each) => [each.name, each])),
    skills: {},
    services: {},
    workflows: sub ? { sub: { input: sub.input, types: {}, plan: 'sub', name: 'sub' } } : {},
    depth: 3,
    cwd: '/sim',
    memory: '/sim/memory.db',
    thread: 'sim',
  };
}

function thunk(name: string, more: Partial<ThunkImage>): ThunkImage {
  return {
    name,
    params: [{ name: 'input', type: textType, optional: false }],
    output: textType,
    models: ['scripted'],
    ...{ tools: [], optional: [], skills: [], services: [], psyches: [], hands: [], handoffs: [], recall: [] },
    messages: [{ role: 'user', text: 'Do it: {{input}}' }],
    ...more,
  };
}

/** What a command inside of a thunk comes to, but for its tools; undefined of all others. `of`: what its answer follows from. */
export function thunkOutcome({ id, spec, args }: StepCommand, of: string, value: Json): Outcome | undefined {
  if (spec.kind === 'recall') return { ok: recalled(of) };
  if (spec.kind === 'turn') return { ok: null };
  if (spec.kind !== 'model' || !isThunkModel(spec)) return undefined;
  const nth = Number(id.slice(id.lastIndexOf('#') + 1));
  const depth = id.split('/').filter((part) => /\[\d+\]#1$/.test(part)).length;
  const rounds = mostRounds[depth] ?? 0;
  if (nth > rounds || hash8(`end ${of}`) % 4 === 0) return { ok: { text: JSON.stringify(value), finish: 'stop' } };
  const offered = ((args as unknown as ModelCall | null)?.tools ?? []).map(({ name }) => name);
  const handoff = hash8(`on ${of}`) % 4 === 0 ? offered.find((name) => name.startsWith('handoff')) : undefined;
  const count = handoff === undefined ? 1 + (hash8(`size ${of}`) % 3) : 1;
  const calls = Array.from({ length: count }, (_, at) => {
    const pick = hash8(`pick ${of} ${at}`) % (offered.length + 1);
    const tool = handoff ?? offered[pick] ?? 'sim/gone';
    return { id: `${nth}.${at}`, tool, args: argsOf(tool, at, pick) };
  });
  return { ok: { text: '', finish: 'calls', calls } };
}

/** Hands take words, the workflow a topic; some are called with neither. */
function argsOf(tool: string, at: number, pick: number): Json {
  if (tool === 'sub') return { topic: `t${pick}` };
  if (tool.includes('/')) return { at, pick: pick % 2 };
  return pick % 5 === 4 ? {} : { input: `do ${at}` };
}

/** Of a model step: whether it is one of a thunk. */
export function isThunkModel({ agent }: StepCommand['spec']): boolean {
  return isRecord(agent) && agent.type === 'too';
}

function recalled(of: string): Json {
  const number = hash8(`recall ${of}`);
  const turn = [
    { role: 'user', content: `before ${number % 10}` },
    { role: 'assistant', content: 'yes' },
  ];
  return {
    history: number % 2 === 0 ? turn : [],
    memories: number % 3 === 0 ? [{ text: `m${number % 7}`, at: 0, run: 'r', thunk: 'write' }] : [],
  };
}
