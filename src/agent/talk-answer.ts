/** What comes to a conversation, read from facts: answers, sent back where they do not fit and refused where they have no end. */
import { hash } from 'node:crypto';
import type { Fact, Json, RunError } from '../machine/index.ts';
import type { AssistantMessage, Finish, ModelAnswer, ModelCall, ModelMessage } from '../model/index.ts';
import { isRecord, type ReadError } from '../type/index.ts';
import { nothingRecalled, type Recalled, type Unavailable } from './assembly.ts';
import type { OfferedTool } from './tool-turn.ts';

const finishes: ReadonlySet<unknown> = new Set<Finish>(['stop', 'calls', 'length', 'filter', 'cut']);

/** Undefined where a fact holds no answer. */
export function answerOf(value: Json): ModelAnswer | undefined {
  if (!isRecord(value) || typeof value.text !== 'string') return undefined;
  const { finish } = value;
  return { ...(value as unknown as ModelAnswer), finish: finishes.has(finish) ? (finish as Finish) : 'stop' };
}

const unendedWhy: Readonly<Record<Exclude<Finish, 'stop' | 'calls'>, readonly [string, boolean]>> = {
  cut: ['the answer was cut off: the stream ended before it', true],
  length: ['the answer is longer than the model may write', false],
  filter: ["the model's service held the answer back: its filter does not let it through", false],
};

export function unended(text: string, finish: Exclude<Finish, 'stop' | 'calls'>): RunError {
  const [why, retryable] = unendedWhy[finish];
  const cause = { code: 'model', message: `the last answer was:\n${text}`, retryable: false };
  return { code: 'model', message: why, retryable, cause };
}

/** What an answer that does not fit is followed by: itself, and what is wrong with it. */
export function repairMessages(answer: AssistantMessage, errors: readonly string[]): readonly ModelMessage[] {
  const list = errors.map((each) => `- ${each}`).join('\n');
  const content = `This answer does not fit the schema:\n${list}\n\nAnswer again with the whole value, mended, and with nothing else.`;
  return [answer, { role: 'user', content }];
}

/** As many as say what is wrong; a list of a thousand bad items says nothing more. */
export function errorTexts(errors: readonly ReadError[]): readonly string[] {
  const shown = errors.slice(0, mostErrors).map(({ message }) => message);
  return errors.length > mostErrors ? [...shown, `… and ${errors.length - mostErrors} more`] : shown;
}

const mostErrors = 12;

/** What a call depends on that goes on from another: a long conversation is not hashed anew with every turn. */
export function laterKey(before: string, added: readonly ModelMessage[]): string {
  return shortHash([before, added]);
}

export function shortHash(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
}

/** As steps have it: only what the model is given. */
export function callJson({ messages, tools, output, settings }: ModelCall): Json {
  return { messages, ...(tools && { tools }), ...(output && { output }), settings } as unknown as Json;
}

export function offeredIn(value: Json): ReadonlyMap<string, OfferedTool> {
  const tools = isRecord(value) && Array.isArray(value.tools) ? (value.tools as unknown as OfferedTool[]) : [];
  return new Map(tools.map((tool) => [tool.name, tool]));
}

export function unavailableIn(value: Json): readonly Unavailable[] {
  return isRecord(value) && Array.isArray(value.unavailable) ? (value.unavailable as unknown as Unavailable[]) : [];
}

export function recalledIn(value: Json): Recalled {
  if (!isRecord(value)) return nothingRecalled;
  const { history, memories } = value as unknown as Partial<Recalled>;
  return { history: history ?? [], memories: memories ?? [] };
}

/** Why it was cancelled. */
export function reasonOf(fact: Fact): string {
  const given = 'ok' in fact && isRecord(fact.ok) ? fact.ok.reason : undefined;
  return typeof given === 'string' ? given : 'cancelled';
}
