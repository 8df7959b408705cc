/**
 * A request as lines of text: what its hash is made of, what people read in a recording, and what is compared when nothing fits.
 * 1. Everything is in it that an answer depends on: the model, settings, tools, the schema, every message. Ids of tool calls and
 *    what providers want to see again are not: they come with the answers before.
 * 2. Nothing is in it that another machine or another day would change: `stable` takes that out.
 * 3. Of a long text the first part stands there, and of the rest its hash. So the lines are the whole request, however long it was.
 * 4. What is said stands behind two blanks, so nothing that is said looks like another part of the request.
 */
import { createHash } from 'node:crypto';
import type { MessagePart } from '../../type/index.ts';
import { isRecord } from '../../type/index.ts';
import type { ModelCall, ModelMessage, ModelTool, ToolCall } from '../model.ts';

/** How much of one text stands in a request, in characters. */
const longest = 16_000;

export interface RequestText {
  readonly lines: readonly string[];
  readonly hash: string;
}

/** `model`: as the agent names it. */
export function requestText(call: ModelCall, model: string, stable: (text: string) => string): RequestText {
  const { messages, tools = [], toolChoice, output, settings } = call;
  const lines: string[] = [];
  const say = (head: string, text: string) => {
    lines.push(head);
    if (text !== '') lines.push(...spoken(stable(text)));
  };
  if (model !== '') lines.push(`model ${oneLine(stable(model))}`);
  if (Object.keys(settings).length > 0) lines.push(`settings ${ordered(settings)}`);
  for (const tool of tools) offered(tool, say);
  if (toolChoice !== undefined) lines.push(`tool choice ${toolChoice}`);
  if (output !== undefined) say('schema', ordered(output));
  for (const message of messages) said(message, say);
  return { lines, hash: requestHash(lines) };
}

/** The lines that an answer mostly is in the requests behind it. */
export function answerLines(answer: {
  readonly text: string;
  readonly calls?: readonly ToolCall[];
}): readonly string[] {
  const lines: string[] = [];
  said({ role: 'assistant', content: answer.text, ...(answer.calls && { calls: answer.calls }) }, (head, text) => {
    lines.push(head);
    if (text !== '') lines.push(...spoken(text));
  });
  return lines;
}

export function requestHash(lines: readonly string[]): string {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(line).update('\n');
  return hash.digest('hex').slice(0, 16);
}

type Say = (head: string, text: string) => void;

function offered({ name, description, parameters }: ModelTool, say: Say): void {
  say(`offers ${oneLine(name)}`, `${description}\n${ordered(parameters)}`);
}

function said(message: ModelMessage, say: Say): void {
  switch (message.role) {
    case 'tool':
      say(`tool ${oneLine(message.tool)}${message.isError ? ' failed' : ''}`, message.content);
      break;
    case 'assistant':
      say('assistant', message.content);
      for (const { tool, args, problem } of message.calls ?? []) {
        say(`calls ${oneLine(tool)}`, `${ordered(args)}${problem === undefined ? '' : `\n${problem}`}`);
      }
      break;
    default: {
      const { content } = message;
      if (typeof content === 'string') say(message.role, content);
      else for (const part of content) partOf(message.role, part, say);
    }
  }
}

function partOf(role: string, part: MessagePart, say: Say): void {
  if (part.type === 'text') say(role, part.text);
  else say(`${role} file`, `${part.name ?? ''} ${part.mediaType}\n${part.url}`.trim());
}

function spoken(text: string): string[] {
  const whole = wellFormed(text);
  if (whole.length <= longest) return whole.split('\n').map((line) => `  ${line}`);
  const end = whole.lastIndexOf('\n', longest);
  // A pair of halves is not torn apart.
  const cut = end > 0 ? end : isLow(whole.charCodeAt(longest)) ? longest - 1 : longest;
  const hash = createHash('sha256').update(whole.slice(cut)).digest('hex').slice(0, 16);
  const kept = whole.slice(0, cut).split('\n');
  return [...kept.map((line) => `  ${line}`), `… ${whole.length - cut} characters more, of the hash ${hash}`];
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** JSON that does not depend on the order in which an object was made. */
function ordered(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}

function oneLine(text: string): string {
  return wellFormed(text.replaceAll(/\s+/g, ' '));
}

/** A half of a character cannot be written to a file. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}
