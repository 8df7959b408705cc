/**
 * A compiled agent as a run keeps it: plain data, made once when the run begins. What is in it is all that the agent can
 * reach; nothing is looked up later by a name that a model or a file could choose.
 */
import type { StructType, Type } from '../type/index.ts';

export interface AgentImage {
  readonly agent: string;
  /** Structs by their names. */
  readonly types: Readonly<Record<string, StructType>>;
  /** The one that is run, and all that it leads to by hands and handoffs. */
  readonly thunks: Readonly<Record<string, ThunkImage>>;
  /** Skills and services of all its thunks, by their names; each thunk says which of them are its own. */
  readonly skills: Readonly<Record<string, SkillImage>>;
  readonly services: Readonly<Record<string, ServiceImage>>;
  /** Hands that are workflows, by the names that models call them by. */
  readonly workflows: Readonly<Record<string, WorkflowHand>>;
  /** How deep hands may call hands. */
  readonly depth: number;
  /** Where it works, for its texts. */
  readonly cwd: string;
  /** Where it remembers. */
  readonly memory: string;
  /** The conversation that it goes on with. */
  readonly thread?: string;
}

export interface ThunkImage {
  readonly name: string;
  readonly doc?: string;
  readonly params: readonly ParamImage[];
  readonly output: Type;
  /** In order of preference; `scripted` is one. Never empty in a run. */
  readonly models: readonly string[];
  /** What is offered: sets of tools, single tools, and services; of services patterns, too, as `github/get_*`. */
  readonly tools: readonly string[];
  /** Tools of services that are taken away again, whatever of `tools` has them. */
  readonly without?: readonly string[];
  /** Those of `tools` whose absence is no reason to stop: services that no directive names. */
  readonly optional: readonly string[];
  readonly skills: readonly string[];
  readonly services: readonly string[];
  readonly psyches: readonly { readonly name: string; readonly text: string }[];
  /** Names of thunks, or of `workflows`. */
  readonly hands: readonly string[];
  readonly handoffs: readonly string[];
  readonly recall: readonly RecallSource[];
  /** Texts of templates; left out where there is none. */
  readonly instruct?: string;
  readonly context?: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant' | 'tool'; readonly text: string }[];
}

export type RecallSource = 'history' | 'memory';

export interface ParamImage {
  readonly name: string;
  readonly type: Type;
  readonly optional: boolean;
}

export interface SkillImage {
  readonly description: string;
  /** Where it was materialized, and the sha256 of each file there. */
  readonly path: string;
  readonly files: Readonly<Record<string, string>>;
}

/** As its cap says it; a variable is named, and never its value. */
export type ServiceImage = {
  readonly name: string;
  readonly description?: string;
  readonly target: string;
  readonly env: readonly string[];
} & (
  | { readonly transport: 'http'; readonly headers: Readonly<Record<string, string>> }
  | { readonly transport: 'stdio'; readonly argv: readonly string[] }
);

export interface WorkflowHand {
  readonly doc?: string;
  readonly input: Type;
  readonly types: Readonly<Record<string, StructType>>;
  /** Its name among the workflows of the plan that has the agent. */
  readonly plan: string;
  /** The name of the workflow itself. */
  readonly name: string;
}

/** Tools that the runtime itself brings; what checks programs has the same names, and is not loaded for them. */
export const skillTool = 'skill';
export const memoryTool = 'memory_save';
export const handoffPrefix = 'handoff_to_';

/** For templates and values. */
export function typesOf(image: Pick<AgentImage, 'types'>): ReadonlyMap<string, StructType> {
  let table = tables.get(image.types);
  if (table === undefined) {
    table = new Map(Object.entries(image.types));
    tables.set(image.types, table);
  }
  return table;
}

const tables = new WeakMap<AgentImage['types'], ReadonlyMap<string, StructType>>();
