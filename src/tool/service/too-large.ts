/** The answer that takes the place of one that is too long to be kept. */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { MessageId } from './json-lines.ts';

/** Of the range that is left to implementations. */
const code = -32_091;

export function tooLargeMessage(id: MessageId, most: number): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code, message: tooLargeText(most) } };
}

export function tooLargeText(most: number): string {
  return `the answer is larger than ${sizeText(most)}`;
}

export function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** `12 kB`, as people read sizes. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${Math.round(bytes / 100_000) / 10} MB`;
}
