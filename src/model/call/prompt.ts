/** The messages of a call as the providers' packages take them. */
import type { LanguageModelV3Message, LanguageModelV3Prompt, SharedV3ProviderOptions } from '@ai-sdk/provider';
import { isRecord } from '../../type/index.ts';
import type { AssistantMessage, JsonRecord, ModelMessage, ToolMessage, UserMessage } from '../model.ts';
import type { ResolvedModel } from '../resolved.ts';
import type { WireNames } from '../wire-name.ts';
import { refused } from './error.ts';
import { filePart } from './file-part.ts';
import { type AnswerPart, partsOf } from './layout.ts';
import { providerOf } from './provider.ts';
import { createWireIds, type WireIds } from './wire-id.ts';

export interface PromptOptions {
  /** Of the model. */
  readonly ref: string;
  readonly names: WireNames;
  /** The provider's key of what is its own; without one reasoning is plain text. */
  readonly metaKey?: string | undefined;
  readonly wantsThoughts?: true | undefined;
  readonly refusesThoughts?: true | undefined;
  readonly callIdLength?: number | undefined;
  readonly beginsWithUser?: true | undefined;
}

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'];
type ToolContent = Extract<LanguageModelV3Message, { role: 'tool' }>['content'];

/**
 * Of thoughts that are plain text: whose they are. They are shown to that model alone, in a field that some others want and
 * some refuse.
 */
export function plainMeta(resolved: ResolvedModel): JsonRecord | undefined {
  return providerOf(resolved).metaKey === undefined ? { toolang: { thoughtBy: resolved.ref } } : undefined;
}

/** Throws what cannot be sent. */
export function promptOf(messages: readonly ModelMessage[], options: PromptOptions): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = [];
  const ids = createWireIds(options.callIdLength);
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  /** The calls that have no result yet, in their order. */
  let open: string[] = [];
  let results: ToolMessage[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'tool') endResults();
    switch (message.role) {
      case 'system':
        if (!isBlank(message.content)) prompt.push({ role: 'system', content: wellFormed(message.content) });
        break;
      case 'user': {
        const content = userContent(message);
        if (content.length > 0) prompt.push({ role: 'user', content });
        break;
      }
      case 'assistant': {
        const content = assistantContent(message, at > lastUser, ids, options);
        if (content.length > 0) prompt.push({ role: 'assistant', content });
        open = message.calls?.map(({ id }) => id) ?? [];
        break;
      }
      case 'tool':
        results.push(message);
    }
  }
  endResults();
  const first = prompt.findIndex(({ role }) => role !== 'system');
  if (first === -1) throw refused('there is nothing to send: no message says anything');
  if (options.beginsWithUser && prompt[first]?.role !== 'user') {
    prompt.splice(first, 0, { role: 'user', content: [{ type: 'text', text: beginning }] });
  }
  return prompt;

  /** In the order of the calls: not every service looks at the ids. */
  function endResults(): void {
    if (results.length === 0) return;
    const order = new Map(open.map((id, at) => [id, at]));
    const sorted = results.toSorted((a, b) => (order.get(a.call) ?? open.length) - (order.get(b.call) ?? open.length));
    prompt.push({ role: 'tool', content: sorted.map((message) => toolResult(message, ids, options)) });
    results = [];
  }
}

function userContent({ content }: UserMessage): Extract<LanguageModelV3Message, { role: 'user' }>['content'] {
  if (typeof content === 'string') return isBlank(content) ? [] : [{ type: 'text', text: wellFormed(content) }];
  const said = content.filter((part) => part.type === 'file' || !isBlank(part.text));
  return said.map((part) => (part.type === 'text' ? { type: 'text', text: wellFormed(part.text) } : filePart(part)));
}

/** What a user said before the first answer of a conversation that begins with one, where somebody must have spoken. */
const beginning = '(The conversation begins here.)';

/** Half of a character is no text, and makes a request that some refuse as a whole. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

function wellFormedArgs(args: JsonRecord): JsonRecord {
  const text = JSON.stringify(args);
  // So halves are written in JSON, and nothing else but a backslash that somebody wrote.
  if (!/\\ud[89a-f]/.test(text)) return args;
  return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? wellFormed(value) : value)) as JsonRecord;
}

/** A text that is empty, or all spaces, says nothing to anybody, and is refused by some. */
function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** `isOpen`: no user has spoken since. */
function assistantContent(
  message: AssistantMessage,
  isOpen: boolean,
  ids: WireIds,
  options: PromptOptions,
): AssistantContent {
  const content: AssistantContent = [];
  const hasCalls = (message.calls?.length ?? 0) > 0;
  for (const part of partsOf(message)) {
    if (part.kind === 'text') {
      if (!isBlank(part.text)) content.push({ type: 'text', text: wellFormed(part.text), ...own(part.meta, options) });
    } else if (part.kind === 'call') content.push(toolCall(part, ids, options));
    else if (isWanted(part, hasCalls && (isOpen || options.wantsThoughts === true), options)) {
      content.push({ type: 'reasoning', text: part.reasoning.text, ...own(part.reasoning.meta, options) });
    }
  }
  // What was thought is shown before what came of it, or not at all.
  while (content.at(-1)?.type === 'reasoning') content.pop();
  return content;
}

/** A provider wants to see its own again; one with plain text as long as its calls go on, or what it thought before all of them. */
function isWanted(
  { reasoning: { meta } }: Extract<AnswerPart, { kind: 'reasoning' }>,
  isBetweenCalls: boolean,
  { metaKey, ref, refusesThoughts }: PromptOptions,
): boolean {
  if (refusesThoughts) return false;
  if (metaKey !== undefined) return meta?.[metaKey] !== undefined;
  const ours = meta?.toolang;
  return isBetweenCalls && isRecord(ours) && ours.thoughtBy === ref;
}

function toolCall(
  { call }: Extract<AnswerPart, { kind: 'call' }>,
  ids: WireIds,
  options: PromptOptions,
): AssistantContent[number] {
  const { id, tool, args, problem, meta } = call;
  // What is no argument is kept beside the call, by whoever reads calls in text.
  const isText = problem !== undefined && meta?.toolang !== undefined;
  return {
    type: 'tool-call',
    toolCallId: ids.ofCall(id),
    toolName: options.names.toWire(tool),
    input: isText ? problem : wellFormedArgs(args),
    ...own(meta, options),
  };
}

function toolResult(
  { call, tool, content, isError }: ToolMessage,
  ids: WireIds,
  options: PromptOptions,
): ToolContent[number] {
  return {
    type: 'tool-result',
    toolCallId: ids.ofResult(call),
    toolName: options.names.toWire(tool),
    output: { type: isError ? 'error-text' : 'text', value: wellFormed(content) },
  };
}

/** What another provider wants to see again is none of this one's, which may refuse it. */
function own(meta: JsonRecord | undefined, { metaKey }: PromptOptions): { providerOptions?: SharedV3ProviderOptions } {
  const kept = Object.entries(meta ?? {}).filter(([key]) => key === metaKey || key === 'toolang');
  return kept.length === 0 ? {} : { providerOptions: Object.fromEntries(kept) as SharedV3ProviderOptions };
}
