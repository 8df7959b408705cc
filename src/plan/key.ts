/**
 * Keys: what the result of a node depends on. Two commands with the same key may share a result; a key says nothing of
 * a node's name, place, `needs`, retry, timeout, cache or pool.
 *
 * A key is made of named parts, so that it can be told which one changed.
 */
import { hashOf } from './hash.ts';
import type { AgentSpec, Json, StepNode, Value, WorkflowNode, WorkflowPlan } from './node.ts';
import { shapeOf } from './shape.ts';

export type KeyPart = 'prompt' | 'agent' | 'code' | 'handler' | 'output' | 'request' | 'input' | 'fields' | 'values';

export type KeyParts = Readonly<Partial<Record<KeyPart, Json>>>;

/** What only a run knows. Without it a key is that of the definition: texts as they are written. */
export interface KeyValues {
  /** The prompt with its holes filled. */
  readonly prompt?: string;
  /** The values that were read, by their paths. */
  readonly values?: Json;
  /** Of a handler: a hash of its module and the local modules that it imports. */
  readonly module?: string;
}

/** The parts of a node's key; undefined for nodes that have no result of their own to keep. */
export function keyParts(node: WorkflowNode, plan: WorkflowPlan, known: KeyValues = {}): KeyParts | undefined {
  switch (node.kind) {
    case 'step':
      return stepParts(node, plan, known);
    case 'approval':
      return { request: [node.request.title.text, node.request.summary?.text ?? null] };
    case 'plugin':
      return { fields: [node.type, node.module, writtenValue(node.fields)], output: shapeOf(node.output, plan.types) };
    default:
      return undefined;
  }
}

export function keyOf(parts: KeyParts): string {
  return hashOf(parts);
}

function stepParts(node: StepNode, plan: WorkflowPlan, known: KeyValues): KeyParts {
  const { action } = node;
  const shared = {
    output: shapeOf(node.output, plan.types),
    ...(known.values !== undefined && { values: known.values }),
  };
  switch (action.kind) {
    case 'prompt': {
      const agent = plan.agents[action.agent];
      return { prompt: known.prompt ?? action.prompt.text, agent: agentPart(agent), ...shared };
    }
    case 'run':
      return { code: action.code, ...shared };
    default:
      return { handler: [action.module, action.name, known.module ?? null], ...shared };
  }
}

/** The agent as declared; its name does not matter. */
function agentPart(agent: AgentSpec | undefined): Json {
  if (agent === undefined) return null;
  return { type: agent.type, fields: agent.fields, from: agent.from ? [agent.from.module, agent.from.name] : null };
}

/** A value as it was written. */
export function writtenValue(value: Value): Json {
  switch (value.kind) {
    case 'text':
      return value.text.text;
    case 'json':
      return value.value;
    case 'list':
      return value.items.map(writtenValue);
    default:
      return Object.fromEntries(Object.entries(value.fields).map(([key, each]) => [key, writtenValue(each)]));
  }
}
