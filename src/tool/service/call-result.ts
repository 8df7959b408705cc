/** What a server answers to a call, as text for a model: texts are joined, what is no text is named with its size. */
import { isDeepStrictEqual } from 'node:util';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { boundedText } from '../bounded-text.ts';
import type { ToolResult } from '../tool.ts';
import { sizeText } from './too-large.ts';

type Content = CallToolResult['content'][number];

/** Longer errors are told in full behind their beginning. */
const longestMessage = 1000;

/** `redact` takes secrets out, before anything is cut: a half of one would not be found. */
export function callResult(result: CallToolResult, redact: (text: string) => string): ToolResult {
  const parts = result.content.map(contentText);
  const { structuredContent } = result;
  if (structuredContent !== undefined && !result.content.some((part) => says(part, structuredContent))) {
    parts.push(JSON.stringify(structuredContent));
  }
  const text = redact(parts.join('\n'));
  if (result.isError !== true) return { ok: true, text: text === '' ? '[no content]' : boundedText(text) };
  const message = text.trim() === '' ? 'the tool failed, and says nothing about it' : boundedText(text, longestMessage);
  const isCut = text.length > longestMessage;
  return { ok: false, error: { code: 'failed', message, ...(isCut && { text: boundedText(text) }) } };
}

/** Servers say structured content as text too, for clients that know only text. */
function says(part: Content, structured: unknown): boolean {
  if (part.type !== 'text' || !/^\s*[[{"\dtfn-]/.test(part.text)) return false;
  try {
    return isDeepStrictEqual(JSON.parse(part.text), structured);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function contentText(part: Content): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'audio':
      return `[${part.type} ${part.mimeType}, ${base64Size(part.data)}]`;
    case 'resource_link':
      return `[resource ${part.uri}${part.mimeType === undefined ? '' : ` ${part.mimeType}`}: ${part.title ?? part.name}]`;
    case 'resource': {
      const { resource } = part;
      const kind = resource.mimeType === undefined ? '' : ` ${resource.mimeType}`;
      if ('text' in resource) return `[resource ${resource.uri}${kind}]\n${resource.text}`;
      return `[resource ${resource.uri}${kind}, ${base64Size(resource.blob)}]`;
    }
  }
}

function base64Size(data: string): string {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return sizeText(Math.max(0, Math.floor((data.length * 3) / 4) - padding));
}
