/** A prompt of a workflow's agent as a conversation: its instructions, the prompt, and the tools that the agent names. */
import type { Json } from '../machine/index.ts';
import type { ModelCall, ModelMessage, ModelTool } from '../model/index.ts';
import { readJson } from '../type/index.ts';
import { isWrapped, schemaOf, schemaRule, wantsText } from './assembly.ts';
import type { PromptAgent, PromptRef } from './prompt-ref.ts';
import type { Talk } from './talk.ts';
import { shortHash } from './talk-answer.ts';

/** `withTools`: not where the run was begun by a machine that knew none. */
export function promptTalk(ref: PromptRef, withTools: boolean): Talk {
  const { agent, output, types } = ref;
  const names = withTools ? toolNames(agent) : [];
  const { timeoutMs } = agent.fields;
  return {
    name: agent.name,
    who: '',
    agent: agentJson(agent),
    model: modelRef(agent),
    names: ref.names,
    callTimeoutMs: typeof timeoutMs === 'number' ? timeoutMs : undefined,
    offer: names.length === 0 ? undefined : { spec: { kind: 'tools', names }, key: () => shortHash(names) },
    recall: undefined,
    wanted: { output, types, language: 'toon' },
    read: (text) =>
      wantsText(ref)
        ? { ok: true, value: text, repairs: [] }
        : readJson(text, output, types, { wrapped: isWrapped(ref), language: 'toon' }),
    first: ({ tools }) => promptCall(ref, tools),
    keyOf: (call) => promptKey(ref, call),
    own: noTools,
  };
}

const noTools: Talk['own'] = new Map();

export function promptCall(ref: PromptRef, tools: readonly ModelTool[]): ModelCall {
  const schema = schemaOf(ref);
  const { instructions } = ref.agent.fields;
  const system = [
    ...(typeof instructions === 'string' && instructions !== '' ? [instructions] : []),
    ...(schema ? [`${schemaRule}\n${JSON.stringify(schema)}`] : []),
  ].join('\n\n');
  const messages: ModelMessage[] = [];
  if (system !== '') messages.push({ role: 'system', content: system });
  messages.push({ role: 'user', content: ref.prompt });
  const call: { -readonly [K in keyof ModelCall]: ModelCall[K] } = { messages, settings: {} };
  if (schema) call.output = schema;
  if (tools.length > 0)
    call.tools = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return call;
}

/** What the answer depends on: the agent as declared, and the call. */
function promptKey({ agent }: PromptRef, call: ModelCall): string {
  const { instructions: _, timeoutMs: __, idleTimeoutMs: ___, ...fields } = agent.fields;
  const ordered = Object.keys(fields)
    .sort()
    .map((name) => [name, fields[name]]);
  const parts: unknown[] = [agent.type, ordered, call.messages, call.output ?? null, call.settings];
  if (agent.plugin !== undefined) parts.push(agent.plugin);
  if (call.tools !== undefined) parts.push(call.tools);
  return shortHash(parts);
}

/** Those whose tools are ours to do; what runs by itself is told their names, and does them itself. */
const asked: ReadonlySet<string> = new Set(['anthropic', 'openai', 'api', 'scripted']);

function toolNames({ type, fields, plugin }: PromptAgent): readonly string[] {
  const { tools } = fields;
  if (plugin !== undefined || !asked.has(type) || !Array.isArray(tools)) return [];
  return tools.filter((name) => typeof name === 'string');
}

/** What an executor has to know of the agent: its instructions are in the call. */
function agentJson({ name, type, fields, at, workflow, plugin }: PromptAgent): Json {
  const json: Record<string, Json> = {
    name,
    type,
    fields: 'instructions' in fields ? withoutInstructions(fields) : fields,
  };
  if (at !== undefined) json.at = at;
  if (workflow !== undefined) json.workflow = workflow;
  if (plugin !== undefined) json.plugin = plugin;
  return json;
}

function withoutInstructions({ instructions: _, ...others }: PromptAgent['fields']): PromptAgent['fields'] {
  return others;
}

function modelRef({ type, fields }: PromptAgent): string {
  const { provider, model, use } = fields;
  if (type === 'scripted') return 'scripted';
  if (typeof use === 'string') return `${type}/${use}`;
  const whose = type === 'api' && typeof provider === 'string' ? provider : type;
  return typeof model === 'string' ? `${whose}/${model}` : whose;
}
