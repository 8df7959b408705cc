/** Prompts for agents of plugins: they are asked in a host, and what they say is the answer of a model. */
import type { Json, RunError, StepCommand, Usage } from '../machine/index.ts';
import { contentText, type ModelCall, type ModelMessage } from '../model/index.ts';
import { isRecord } from '../type/index.ts';
import type { Execute, StepResult } from './execute.ts';
import type { PluginAgents } from './model-executor.ts';
import { attemptOf } from './running.ts';
import type { ScriptAgent } from './scripts.ts';

/** `execute`: of hosts. */
export function createPluginAgents(execute: Execute): PluginAgents {
  return (agent, plugin) => async (command, context) => {
    const call = command.args as unknown as ModelCall;
    const args = requestOf(agent, call);
    const spec = { kind: 'agent', plugin: plugin as unknown as Json, type: agent.type, module: plugin.module };
    const asked: StepCommand = { ...command, key: command.key, spec, args };
    return answered(await execute(asked, { ...context, attempt: stepAttempt(command) }), agent);
  };
}

/** That of the step which asks: `draft#2/model#1` is the first call of its second attempt. */
function stepAttempt({ id }: StepCommand): number {
  return attemptOf(id.slice(0, Math.max(0, id.lastIndexOf('/'))));
}

/**
 * Its own fields, and the call: `prompt` is all that it is asked, in one text, `instructions` what stands before it (with
 * the schema in words, where there is one), `messages` both as a conversation, `output` the JSON Schema of the answer.
 */
function requestOf({ fields }: ScriptAgent, { messages, output }: ModelCall): Json {
  const [first] = messages;
  const system = first?.role === 'system' ? first : undefined;
  const asked = system ? messages.slice(1) : messages;
  const request: Record<string, Json> = { ...(fields as Record<string, Json>) };
  request.prompt = asked.map(textOf).join('\n\n');
  if (system) request.instructions = textOf(system);
  request.messages = messages as unknown as Json;
  if (output !== undefined) request.output = output as Json;
  return request;
}

function textOf({ content }: ModelMessage): string {
  return contentText(content);
}

function answered({ outcome, ...rest }: StepResult, { name }: ScriptAgent): StepResult {
  if (!('ok' in outcome)) return { ...rest, outcome: 'err' in outcome ? { err: told(outcome.err, name) } : outcome };
  const { ok } = outcome;
  const { text = '', usage } = isRecord(ok) ? (ok as { readonly text?: Json; readonly usage?: Usage }) : {};
  return { ...rest, outcome: { ok: { text, finish: 'stop' } }, ...(usage && { usage }) };
}

/** Who it was stands before what went wrong. */
function told(error: RunError, name: string): RunError {
  if (error.code === 'cancelled') return error;
  return { ...error, message: `the agent "${name}" failed: ${error.message}` };
}
