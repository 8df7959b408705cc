/**
 * The order of the parts of an answer, where its provider wants to see it again: some check that what a model thought stands
 * where it stood, or mark stretches of its text. Most answers are reasoning, then text, then calls, and need none of it.
 * It counts only for a message that still has all of its parts.
 */
import type { AssistantMessage, JsonRecord, JsonValue, Reasoning, ToolCall } from '../model.ts';

export type AnswerPart =
  | { readonly kind: 'text'; readonly text: string; readonly meta?: JsonRecord }
  | { readonly kind: 'reasoning'; readonly reasoning: Reasoning }
  | { readonly kind: 'call'; readonly call: ToolCall };

const rank = { reasoning: 0, text: 1, call: 2 };

/** Nothing where the usual order says it all. */
export function layoutOf(parts: readonly AnswerPart[]): JsonRecord | undefined {
  const hasMeta = parts.some((part) => part.kind === 'text' && part.meta !== undefined);
  const isSigned = parts.some((part) => part.kind === 'reasoning' && part.reasoning.meta !== undefined);
  const isUsual = parts.every((part, at) => at === 0 || rank[part.kind] >= rank[parts[at - 1]?.kind ?? part.kind]);
  if (!hasMeta && (isUsual || !isSigned)) return undefined;
  return {
    parts: parts.map((part): JsonValue => {
      if (part.kind === 'call') return { call: part.call.id };
      if (part.kind === 'reasoning') return 'reasoning';
      return { text: part.text.length, ...(part.meta && { meta: part.meta }) };
    }),
  };
}

/** The parts of a message, in the order that they came in. */
export function partsOf(message: AssistantMessage): readonly AnswerPart[] {
  return laidOut(message) ?? usual(message);
}

function usual({ content, calls = [], reasoning = [] }: AssistantMessage): AnswerPart[] {
  return [
    ...reasoning.map((each): AnswerPart => ({ kind: 'reasoning', reasoning: each })),
    ...(content === '' ? [] : [{ kind: 'text' as const, text: content }]),
    ...calls.map((call): AnswerPart => ({ kind: 'call', call })),
  ];
}

function laidOut({ content, calls = [], reasoning = [], meta }: AssistantMessage): AnswerPart[] | undefined {
  if (!Array.isArray(meta?.parts)) return undefined;
  const byId = new Map(calls.map((call) => [call.id, call]));
  const parts: AnswerPart[] = [];
  let thought = 0;
  let at = 0;
  for (const entry of meta.parts as readonly JsonValue[]) {
    const given = isRecord(entry) ? entry : {};
    const call = typeof given.call === 'string' ? byId.get(given.call) : undefined;
    const next = reasoning[thought];
    if (entry === 'reasoning' && next !== undefined) {
      parts.push({ kind: 'reasoning', reasoning: next });
      thought++;
    } else if (call !== undefined) {
      parts.push({ kind: 'call', call });
      byId.delete(call.id);
    } else if (typeof given.text === 'number' && given.text >= 0) {
      const text = content.slice(at, at + given.text);
      at += given.text;
      parts.push({ kind: 'text', text, ...(isRecord(given.meta) && { meta: given.meta }) });
    } else return undefined;
  }
  return at === content.length && thought === reasoning.length && byId.size === 0 ? parts : undefined;
}

function isRecord(value: JsonValue | undefined): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
