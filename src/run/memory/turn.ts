/** A turn of a conversation as it is kept: whole, or not at all. */
import { callLength, contentText, estimateTokens, type ModelMessage } from '../../model/index.ts';

/** A file that was sent along has no words to count. */
const fileTokens = 1500;
const mostSaid = 200;

/** Why these messages are no turn; undefined if they are one. */
export function turnProblem(messages: readonly ModelMessage[]): string | undefined {
  if (messages.length === 0) return 'it has no messages';
  /** Calls that wait for their results. */
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'system') return 'instructions are no part of a turn';
    if (message.role === 'tool') {
      if (!open.delete(message.call)) return `the result of ${message.tool} (${message.call}) has no call`;
      continue;
    }
    const [missing] = open;
    if (missing !== undefined) break;
    if (message.role === 'assistant') for (const { id } of message.calls ?? []) open.add(id);
  }
  const [missing] = open;
  return missing === undefined ? undefined : `the call ${missing} has no result`;
}

/** About so many, and at least one. */
export function turnTokens(messages: readonly ModelMessage[]): number {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const files = parts.filter(({ type }) => type === 'file').length;
  return Math.max(1, estimateTokens(callLength({ messages, settings: {} })) + files * fileTokens);
}

/** What the person said last. */
export function saidIn(messages: readonly ModelMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'user');
  return last === undefined ? '' : contentText(last.content).slice(0, mostSaid);
}
