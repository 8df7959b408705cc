/** For tests: a session with tools, answers as the parts of a stream. */
import type { BracketToolsOptions } from '../../src/model/brackets/options.ts';
import type {
  Finish,
  FinishReason,
  FunctionTool,
  Part,
  TextDelta,
  TextEnd,
  TextStart,
  ToolChoice,
} from '../../src/model/brackets/sdk.ts';
import { openSession, type Session } from '../../src/model/brackets/session.ts';

export const M = '\u{1f6e0}\ufe0f';
export const end = `${M}[/end]`;

export const weather: FunctionTool = {
  type: 'function',
  name: 'weather',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
    required: ['city'],
  },
};

export const createFile: FunctionTool = {
  type: 'function',
  name: 'create-file',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path', 'content'],
  },
};

export const http: FunctionTool = {
  type: 'function',
  name: 'http',
  inputSchema: {
    type: 'object',
    properties: { url: { type: 'string' }, headers: { type: 'object' } },
    required: ['url'],
  },
};

/** With ids that count: `call-0`, `call-1`. */
export function sessionWith(
  options: BracketToolsOptions = {},
  tools = [weather, createFile, http],
  toolChoice?: ToolChoice,
): Session {
  let id = 0;
  return openSession({ prompt: [], tools, toolChoice }, { generateId: () => `call-${id++}`, ...options });
}

export function finish(unified: FinishReason['unified']): Finish {
  return { type: 'finish', finishReason: { unified, raw: unified } };
}

/** One text in these pieces. */
export function textParts(pieces: readonly string[], id = '0'): Part[] {
  const start: TextStart = { type: 'text-start', id };
  const deltas = pieces.map((delta): TextDelta => ({ type: 'text-delta', id, delta }));
  const last: TextEnd = { type: 'text-end', id };
  return [start, ...deltas, last];
}

/** The text cut at the offsets. */
export function cutAt(text: string, offsets: readonly number[]): string[] {
  const sorted = [0, ...new Set(offsets.map((offset) => offset % (text.length + 1))), text.length].sort(
    (a, b) => a - b,
  );
  return sorted.slice(1).map((offset, i) => text.slice(sorted[i], offset));
}
