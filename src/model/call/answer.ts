/**
 * An answer that comes in parts: they are told as they come, and are put together.
 * 1. What was told of a kind, put together, is what the answer has of it.
 * 2. Ids of calls are those of the service, unless it gives none, or one that the conversation has already.
 * 3. A call is known when it is whole; one that never became whole is in no answer.
 */
import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider';
import { isRecord } from '../../type/index.ts';
import type { Finish, JsonRecord, ModelAnswer, ModelCall, Reasoning, StreamPart, ToolCall } from '../model.ts';
import { type AnswerPart, layoutOf } from './layout.ts';
import { type Offered, readArguments } from './tool-call.ts';

export interface AnswerReader {
  readonly read: (part: LanguageModelV3StreamPart) => void;
  /** Whether something of the answer has come. */
  readonly hasBegun: () => boolean;
  readonly finish: () =>
    | { readonly reason: LanguageModelV3FinishReason; readonly usage: LanguageModelV3Usage }
    | undefined;
  /** How many characters came. */
  readonly written: () => number;
  readonly answer: (finish: Exclude<Finish, 'calls'>) => Omit<ModelAnswer, 'usage'>;
}

interface OpenText {
  readonly kind: 'text' | 'reasoning';
  readonly pieces: string[];
  meta?: JsonRecord;
}

interface OpenCall {
  readonly kind: 'call';
  readonly id: string;
  readonly wire: string;
  readonly tool: string;
  readonly pieces: string[];
  /** Its arguments, when it is whole. */
  input?: string;
  meta?: JsonRecord;
}

export function createAnswerReader(
  call: ModelCall,
  offered: Offered,
  onPart: ((part: StreamPart) => void) | undefined,
  /** Of thoughts with which nothing came: whose they are. */
  plainMeta?: JsonRecord,
): AnswerReader {
  const parts: (OpenText | OpenCall)[] = [];
  /** What goes on, by the kind and the id that the service gives it. */
  const open = new Map<string, OpenText | OpenCall>();
  const newId = createIds(call);
  let finish: ReturnType<AnswerReader['finish']>;
  let written = 0;

  return {
    read(part) {
      switch (part.type) {
        case 'text-start':
        case 'reasoning-start':
          keep(openText(kindOf(part.type), part.id), part.providerMetadata);
          break;
        case 'text-delta':
        case 'reasoning-delta':
          addText(kindOf(part.type), part.id, part.delta, part.providerMetadata);
          break;
        case 'text-end':
        case 'reasoning-end': {
          const kind = kindOf(part.type);
          const text = open.get(`${kind} ${part.id}`);
          if (text !== undefined) keep(text, part.providerMetadata);
          open.delete(`${kind} ${part.id}`);
          break;
        }
        case 'tool-input-start':
          if (!part.providerExecuted) keep(openCall(part.id, part.toolName), part.providerMetadata);
          break;
        case 'tool-input-delta': {
          const begun = open.get(`call ${part.id}`);
          if (begun?.kind === 'call') addArgs(begun, part.delta);
          break;
        }
        case 'tool-call':
          if (!part.providerExecuted) endCall(part.toolCallId, part.toolName, part.input, part.providerMetadata);
          break;
        case 'finish':
          finish = { reason: part.finishReason, usage: part.usage };
      }
    },
    hasBegun: () => parts.some((part) => part.kind === 'call' || part.pieces.length > 0),
    finish: () => finish,
    written: () => written,
    answer: (reason) => build(parts, reason, offered, plainMeta),
  };

  function openText(kind: OpenText['kind'], id: string): OpenText {
    const made: OpenText = { kind, pieces: [] };
    parts.push(made);
    open.set(`${kind} ${id}`, made);
    return made;
  }

  function addText(
    kind: OpenText['kind'],
    id: string,
    delta: string,
    data: SharedV3ProviderMetadata | undefined,
  ): void {
    const found = open.get(`${kind} ${id}`);
    const text = found === undefined || found.kind === 'call' ? openText(kind, id) : found;
    keep(text, data);
    if (delta === '') return;
    text.pieces.push(delta);
    written += delta.length;
    onPart?.({ kind, text: delta });
  }

  function openCall(given: string, wire: string): OpenCall {
    const tool = offered.find(wire) ?? wire;
    const made: OpenCall = { kind: 'call', id: newId(given), wire, tool, pieces: [] };
    parts.push(made);
    open.set(`call ${given}`, made);
    written += wire.length;
    onPart?.({ kind: 'call', id: made.id, tool });
    return made;
  }

  function addArgs(begun: OpenCall, delta: string): void {
    if (delta === '') return;
    begun.pieces.push(delta);
    written += delta.length;
    onPart?.({ kind: 'args', id: begun.id, text: delta });
  }

  function endCall(id: string, wire: string, input: string, data: SharedV3ProviderMetadata | undefined): void {
    const found = open.get(`call ${id}`);
    const begun = found?.kind === 'call' ? found : openCall(id, wire);
    open.delete(`call ${id}`);
    begun.input = input;
    keep(begun, data);
    const isRefused = refusalIn(begun.meta) !== undefined;
    if (begun.pieces.length === 0 && !isRefused) addArgs(begun, input.trim() === '' ? '{}' : input);
  }
}

function kindOf(type: string): OpenText['kind'] {
  return type.startsWith('text') ? 'text' : 'reasoning';
}

/** What comes later of a part counts, key by key: a signature comes when all of it was written. */
function keep(part: OpenText | OpenCall, data: SharedV3ProviderMetadata | undefined): void {
  if (data === undefined) return;
  const meta: Record<string, JsonRecord> = { ...(part.meta as Record<string, JsonRecord> | undefined) };
  for (const [key, value] of Object.entries(data)) meta[key] = { ...meta[key], ...plain(value) };
  part.meta = meta;
}

/** What is not there is not kept as such. */
function plain(value: object): JsonRecord {
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== undefined && each !== null),
  ) as JsonRecord;
}

/** Gives each call an id that no other call of the conversation has. */
function createIds({ messages }: ModelCall): (given: string) => string {
  const used = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') used.add(message.call);
    else if (message.role === 'assistant') for (const { id } of message.calls ?? []) used.add(id);
  }
  return (given) => {
    const base = given === '' ? 'call' : given;
    let id = base;
    for (let next = 2; used.has(id); next++) id = `${base}_${next}`;
    used.add(id);
    return id;
  };
}

function build(
  open: readonly (OpenText | OpenCall)[],
  reason: Exclude<Finish, 'calls'>,
  offered: Offered,
  plainMeta: JsonRecord | undefined,
): Omit<ModelAnswer, 'usage'> {
  const hasReasoning = open.some(({ kind }) => kind === 'reasoning');
  const parts: AnswerPart[] = [];
  for (const part of open) {
    if (part.kind === 'call') {
      // What broke off may not be all that the model wanted to do, so none of it is done.
      if (part.input === undefined || reason === 'cut') continue;
      parts.push({ kind: 'call', call: callOf(part, part.input, reason, offered) });
      continue;
    }
    const text = part.pieces.join('');
    if (part.kind === 'reasoning') {
      if (text === '' && part.meta === undefined) continue;
      parts.push({ kind: 'reasoning', reasoning: withMeta({ text }, part.meta ?? plainMeta) });
    } else if (text !== '') {
      const meta = partMeta(part.meta, hasReasoning);
      parts.push({ kind: 'text', text, ...(meta && { meta }) });
    }
  }
  const calls = parts.flatMap((part): ToolCall[] => (part.kind === 'call' ? [part.call] : []));
  const reasoning = parts.flatMap((part): Reasoning[] => (part.kind === 'reasoning' ? [part.reasoning] : []));
  const meta = layoutOf(parts);
  return {
    text: parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
    finish: calls.length > 0 && reason === 'stop' ? 'calls' : reason,
    ...(calls.length > 0 && { calls }),
    ...(reasoning.length > 0 && { reasoning }),
    ...(meta !== undefined && { meta }),
  };
}

function withMeta(reasoning: Reasoning, meta: JsonRecord | undefined): Reasoning {
  return meta === undefined ? reasoning : { ...reasoning, meta };
}

/** A mere id is wanted only of a text, beside the reasoning that it belongs to. */
function partMeta(meta: JsonRecord | undefined, hasReasoning: boolean): JsonRecord | undefined {
  if (meta === undefined) return undefined;
  const kept = Object.entries(meta).filter(([, value]) => {
    const keys = isRecord(value) ? Object.keys(value) : [];
    return keys.length > 0 && (hasReasoning || keys.some((key) => key !== 'itemId'));
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function callOf(part: OpenCall, input: string, reason: Finish, offered: Offered): ToolCall {
  const { id, wire, tool } = part;
  const meta = partMeta(part.meta, false);
  const kept = meta === undefined ? {} : { meta };
  const refusal = refusalIn(meta);
  if (refusal !== undefined) return { id, tool, args: {}, problem: refusal, ...kept };
  const read = readArguments(input, reason !== 'length');
  const args = read.ok ? read.args : {};
  if (offered.find(wire) === undefined) return { id, tool, args, problem: offered.missing(wire), ...kept };
  return read.ok ? { id, tool, args, ...kept } : { id, tool, args, problem: read.problem, ...kept };
}

/** Why a call in text does not run, as its reader left it. */
function refusalIn(meta: JsonRecord | undefined): string | undefined {
  const ours = meta?.toolang;
  const refused = isRecord(ours) ? ours.refused : undefined;
  return isRecord(refused) && typeof refused.problem === 'string' ? refused.problem : undefined;
}
