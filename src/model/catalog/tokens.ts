/**
 * How many tokens a call has at most, before it is made: money is set aside by it. Deliberately high: tokenizers differ, and
 * are not here. Usual text has about four characters a token, code about three; here ASCII counts 2.5 a token, and of all
 * other characters each UTF-16 unit counts two tokens. Only what nobody writes, as random letters without end, has more.
 */
import type { MessagePart } from '../../type/index.ts';
import type { ModelCall, ModelMessage } from '../model.ts';

/** What services write around each message, and around each tool. */
const aroundMessage = 12;
const aroundTool = 24;
/** The dearest of the services that say it take less for a picture. */
const picture = 10_000;
const farFile = 100_000;

/** What explains how tools are called in text. */
const callsInText = 600;

/** `way`: how the model calls tools. */
export function mostTokens({ messages, tools = [], output }: ModelCall, way: 'native' | 'text' = 'native'): number {
  let tokens = way === 'text' && tools.length > 0 ? callsInText : 0;
  for (const message of messages) tokens += aroundMessage + ofMessage(message);
  for (const tool of tools) tokens += aroundTool + mostTokensOf(JSON.stringify(tool));
  if (output !== undefined) tokens += aroundTool + mostTokensOf(JSON.stringify(output));
  return Math.ceil(tokens);
}

/** Of a text. */
export function mostTokensOf(text: string): number {
  let others = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) others++;
  return (text.length - others) / 2.5 + others * 2;
}

function ofMessage(message: ModelMessage): number {
  let tokens = 0;
  if (typeof message.content === 'string') tokens += mostTokensOf(message.content);
  else for (const part of message.content) tokens += ofPart(part);
  if (message.role === 'assistant') {
    if (message.meta !== undefined) tokens += mostTokensOf(JSON.stringify(message.meta));
    for (const call of message.calls ?? []) tokens += aroundTool + mostTokensOf(JSON.stringify(call));
    for (const { text, meta } of message.reasoning ?? []) {
      tokens += mostTokensOf(text) + (meta === undefined ? 0 : mostTokensOf(JSON.stringify(meta)));
    }
  }
  if (message.role === 'tool') tokens += mostTokensOf(message.tool) + mostTokensOf(message.call);
  return tokens;
}

function ofPart(part: MessagePart): number {
  if (part.type === 'text') return mostTokensOf(part.text);
  if (part.mediaType.startsWith('image/')) return picture;
  // Of a file that lies elsewhere nothing is known.
  return part.url.startsWith('data:') ? mostTokensOf(part.url) : farFile;
}
