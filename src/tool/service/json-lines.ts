/**
 * Lines from the output of a server, one message each, whatever the pieces they come in.
 * 1. No more than `most` bytes of a line are held. What is longer is read to its end and thrown away; only the `id` of the
 *    message is looked for in it, so that whoever waits for this answer can be told.
 * 2. Linear time: no byte is looked at more than a few times.
 */
import { Buffer } from 'node:buffer';

export type MessageId = string | number;

export interface JsonLines {
  push(chunk: Uint8Array): void;
  /** Nothing more comes: a last line may have no end. */
  end(): void;
}

export interface LineHandlers {
  /** A line that is not blank, without its end. */
  readonly line: (text: string) => void;
  readonly tooLong: (id: MessageId | undefined, bytes: number) => void;
}

const newline = 0x0a;

/** `scanOf`: what looks for the id in a line that is too long; for lines without ids, nothing has to. */
export function createJsonLines(most: number, handlers: LineHandlers, scanOf: () => IdScan = createIdScan): JsonLines {
  let parts: Uint8Array[] = [];
  let size = 0;
  let scan: IdScan | undefined;

  const take = (part: Uint8Array): void => {
    size += part.length;
    if (scan) {
      scan.push(part);
      return;
    }
    parts.push(part);
    if (size <= most) return;
    scan = scanOf();
    for (const held of parts) scan.push(held);
    parts = [];
  };
  const end = (): void => {
    if (scan) handlers.tooLong(scan.id(), size);
    else {
      const text = Buffer.concat(parts).toString('utf8').trim();
      if (text !== '') handlers.line(text);
    }
    parts = [];
    size = 0;
    scan = undefined;
  };
  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        take(chunk.subarray(from, at));
        end();
        from = at + 1;
      }
      if (from < chunk.length) take(chunk.subarray(from));
    },
    end,
  };
}

/** Lines that have no ids. */
export const noIdScan = (): IdScan => ({ push: () => undefined, id: () => undefined });

interface IdScan {
  push(bytes: Uint8Array): void;
  id(): MessageId | undefined;
}

const quote = 0x22;
const backslash = 0x5c;
/** As long as an id may be. */
const longestId = 256;

/** The value of the key `id` of the outermost object, without building anything of the rest. */
export function createIdScan(): IdScan {
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  /** The text of a string, or of a bare value, directly in the outermost object; with its quotes. */
  let token: number[] = [];
  let key: string | undefined;
  let found: MessageId | undefined;

  const keep = (byte: number): void => {
    if (depth === 1 && token.length < longestId) token.push(byte);
  };
  const settle = (): void => {
    if (key === 'id') found = idOf(token);
    key = undefined;
    token = [];
  };
  const step = (byte: number): void => {
    if (isString) {
      keep(byte);
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) isString = false;
      return;
    }
    switch (byte) {
      case quote:
        isString = true;
        keep(byte);
        return;
      case 0x7b: // {
      case 0x5b: // [
        depth++;
        return;
      case 0x7d: // }
      case 0x5d: // ]
        if (depth === 1) settle();
        depth--;
        return;
      case 0x3a: // :
        if (depth === 1) {
          const name = idOf(token);
          key = typeof name === 'string' ? name : undefined;
          token = [];
        }
        return;
      case 0x2c: // ,
        if (depth === 1) settle();
        return;
      default:
        if (byte > 0x20) keep(byte);
    }
  };
  return {
    push(bytes) {
      for (const byte of bytes) step(byte);
    },
    id: () => found,
  };
}

function idOf(token: readonly number[]): MessageId | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token).toString('utf8'));
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
