/** What a prompt thunk is made of: plain data that a workflow's machine puts together and the run keeps. */
import type { Json, MachineRef } from '../machine/index.ts';
import { isRecord, type StructType, type Type, type TypeTable } from '../type/index.ts';

/** The fields of the ref, read. */
export interface PromptRef {
  readonly agent: PromptAgent;
  readonly output: Type;
  readonly types: TypeTable;
  /** With its holes filled. */
  readonly prompt: string;
  /** What a script may call it, the most specific first. */
  readonly names: readonly string[];
  /** Of the step, for all its calls. */
  readonly timeoutMs?: number;
  readonly pool?: string;
}

export interface PromptAgent {
  readonly name: string;
  readonly type: string;
  readonly fields: { readonly [name: string]: Json };
  /** Where it was declared, as `file:line:column`. */
  readonly at?: string;
  /** Of a sub-workflow: its file, from the folder of the root file. */
  readonly workflow?: string;
  /** The plugin that answers for it, with a hash of its code where that is known. */
  readonly plugin?: Json;
}

/** Throws where the ref is not one of a prompt: then whoever made it has a bug. */
export function readPromptRef(ref: MachineRef): PromptRef {
  const { agent, output, types, prompt, timeoutMs, pool } = ref;
  if (ref.kind !== 'thunk' || ref.form !== 'prompt') throw new Error(`not a prompt thunk: ${ref.kind} ${ref.form}`);
  if (typeof prompt !== 'string' || !isRecord(output)) throw new Error('a prompt thunk without a prompt or an output');
  // By hand: every prompt of a run that is resumed is read, and conditional spreads are slow.
  const read: { -readonly [K in keyof PromptRef]: PromptRef[K] } = {
    agent: readAgent(agent),
    output: output as unknown as Type,
    types: typesOf(types),
    prompt,
    names: readNames(ref.for),
  };
  if (typeof timeoutMs === 'number') read.timeoutMs = timeoutMs;
  if (typeof pool === 'string') read.pool = pool;
  return read;
}

const noTypes: TypeTable = new Map();

function typesOf(types: Json | undefined): TypeTable {
  const entries = Object.entries((types ?? {}) as unknown as Record<string, StructType>);
  return entries.length === 0 ? noTypes : new Map(entries);
}

function readAgent(agent: Json | undefined): PromptAgent {
  if (!isRecord(agent) || typeof agent.name !== 'string' || typeof agent.type !== 'string') {
    throw new Error('a prompt thunk without an agent');
  }
  const { name, type, at, workflow } = agent;
  const fields = isRecord(agent.fields) ? (agent.fields as PromptAgent['fields']) : {};
  const read: { -readonly [K in keyof PromptAgent]: PromptAgent[K] } = { name, type, fields };
  if (isRecord(at)) read.at = `${at.file}:${at.line}:${at.column}`;
  if (typeof workflow === 'string') read.workflow = workflow;
  if (agent.plugin !== undefined) read.plugin = agent.plugin;
  return read;
}

function readNames(given: Json | undefined): readonly string[] {
  if (!Array.isArray(given) || given.length === 0 || given.some((name) => typeof name !== 'string')) {
    throw new Error('a prompt thunk without names ("for")');
  }
  return given as unknown as readonly string[];
}
