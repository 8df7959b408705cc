/** The calls of a prompt thunk: what the model is told, and what it is told when its answer does not fit. */
import { hash } from 'node:crypto';
import type { AssistantMessage, ModelCall, ModelMessage, ModelTool } from '../model/index.ts';
import { type ReadError, type ReadResult, readJson, resolve, toJsonSchema } from '../type/index.ts';
import type { PromptRef } from './prompt-ref.ts';

export function firstCall(ref: PromptRef, tools: readonly ModelTool[]): ModelCall {
  const schema = wantsText(ref) ? undefined : toJsonSchema(ref.output, ref.types);
  const { instructions } = ref.agent.fields;
  const system = [
    ...(typeof instructions === 'string' && instructions !== '' ? [instructions] : []),
    ...(schema ? [`${rules}\n${JSON.stringify(schema)}`] : []),
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

const rules = 'Answer with one JSON value that fits this JSON Schema, and with nothing else:';

/** What an answer that does not fit is followed by: itself, and what is wrong with it. */
export function repairMessages(answer: AssistantMessage, errors: readonly string[]): readonly ModelMessage[] {
  const list = errors.map((each) => `- ${each}`).join('\n');
  const content = `This answer does not fit the schema:\n${list}\n\nAnswer again with the whole value, mended, and with nothing else.`;
  return [answer, { role: 'user', content }];
}

/** The answer as a value of the output type; what is wrong with it in the words of workflow files, where prompts stand. */
export function readAnswer(text: string, ref: PromptRef): ReadResult {
  return wantsText(ref)
    ? { ok: true, value: text, repairs: [] }
    : readJson(text, ref.output, ref.types, { language: 'toon' });
}

/** As many as say what is wrong; a list of a thousand bad items says nothing more. */
export function errorTexts(errors: readonly ReadError[]): readonly string[] {
  const shown = errors.slice(0, mostErrors).map(({ message }) => message);
  return errors.length > mostErrors ? [...shown, `… and ${errors.length - mostErrors} more`] : shown;
}

const mostErrors = 12;

/** What the answer depends on: the agent as declared, and the call. */
export function callKey({ agent }: PromptRef, call: ModelCall): string {
  const { instructions: _, timeoutMs: __, idleTimeoutMs: ___, ...fields } = agent.fields;
  const ordered = Object.keys(fields)
    .sort()
    .map((name) => [name, fields[name]]);
  const parts: unknown[] = [agent.type, ordered, call.messages, call.output ?? null, call.settings];
  if (agent.plugin !== undefined) parts.push(agent.plugin);
  if (call.tools !== undefined) parts.push(call.tools);
  return short(parts);
}

/** The same of a call that goes on from another: a long conversation is not hashed anew with every turn. */
export function laterKey(before: string, added: readonly ModelMessage[]): string {
  return short([before, added]);
}

function short(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
}

function wantsText({ output, types }: PromptRef): boolean {
  const { kind } = resolve(output, types);
  return kind === 'text' || kind === 'message';
}
