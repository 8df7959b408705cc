/** Agents of builder programs: plain objects, as modules of workflow files export them, with a name. */
import type { Json } from '../../plan/index.ts';
import { mark } from './marker.ts';

/** The types of the language; plugins have more. */
export type AgentTypeName =
  | 'claude-code'
  | 'codex'
  | 'gemini'
  | 'pi'
  | 'kimi'
  | 'forge'
  | 'anthropic'
  | 'openai'
  | 'api'
  | 'too'
  | 'scripted';

export interface AgentFields {
  readonly type: AgentTypeName | (string & {});
  readonly model?: string;
  readonly instructions?: string;
  readonly tools?: readonly string[];
  readonly timeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** The fields of its type. */
  readonly [field: string]: Json | undefined;
}

export type Agent = AgentFields & { readonly '~toolang': { readonly kind: 'agent'; readonly name: string } };

/** An agent that steps can use. */
export function agent(name: string, fields: AgentFields): Agent {
  return mark({ ...fields }, { kind: 'agent', name });
}
