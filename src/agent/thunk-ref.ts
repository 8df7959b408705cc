/** What a thunk's machine is made of: plain data that a workflow's machine, or the machine of another thunk, puts together. */
import type { Json, MachineRef } from '../machine/index.ts';
import { isRecord, type StructType, type Type, type TypeTable } from '../type/index.ts';
import type { AgentImage } from './image.ts';

export interface ThunkRef {
  readonly agent: ThunkAgent;
  readonly thunk: string;
  /** Of the step that asks; without it the answer is of the thunk's own type. */
  readonly output?: Type;
  readonly types: TypeTable;
  /** What a script may call it, the most specific first. */
  readonly names: readonly string[];
  /** How the plan is reached that has the agent. */
  readonly plan: string;
  readonly timeoutMs?: number;
  readonly pool?: string;
  /** Of a hand: the thunks that wait for it, the outermost first. */
  readonly chain: readonly string[];
}

export interface ThunkAgent {
  readonly name: string;
  readonly fields: { readonly [name: string]: Json };
  readonly image: AgentImage;
  readonly at?: string;
  readonly workflow?: string;
}

export function isThunkRef(ref: MachineRef): boolean {
  return ref.kind === 'thunk' && ref.form === 'thunk';
}

/** Throws where the ref is not one of a thunk: then whoever made it has a bug. */
export function readThunkRef(ref: MachineRef): ThunkRef {
  const { agent, thunk, output, types, timeoutMs, pool, plan, chain } = ref;
  if (!isThunkRef(ref) || typeof thunk !== 'string') throw new Error(`not a thunk: ${ref.kind} ${ref.form}`);
  const names: Json | undefined = ref.for;
  const read: { -readonly [K in keyof ThunkRef]: ThunkRef[K] } = {
    agent: readAgent(agent),
    thunk,
    types: new Map(Object.entries((types ?? {}) as unknown as Record<string, StructType>)),
    names: Array.isArray(names) ? names.map(String) : [],
    plan: typeof plan === 'string' ? plan : '',
    chain: Array.isArray(chain) ? chain.map(String) : [],
  };
  if (isRecord(output)) read.output = output as unknown as Type;
  if (typeof timeoutMs === 'number') read.timeoutMs = timeoutMs;
  if (typeof pool === 'string') read.pool = pool;
  return read;
}

function readAgent(agent: Json | undefined): ThunkAgent {
  if (!isRecord(agent) || typeof agent.name !== 'string' || !isRecord(agent.image)) {
    throw new Error('a thunk without an agent, or an agent without its image');
  }
  const { name, at, workflow } = agent;
  const read: { -readonly [K in keyof ThunkAgent]: ThunkAgent[K] } = {
    name,
    fields: isRecord(agent.fields) ? (agent.fields as ThunkAgent['fields']) : {},
    image: agent.image as unknown as AgentImage,
  };
  if (typeof at === 'string') read.at = at;
  else if (isRecord(at)) read.at = `${at.file}:${at.line}:${at.column}`;
  if (typeof workflow === 'string') read.workflow = workflow;
  return read;
}
