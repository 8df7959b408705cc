/** A file of a message as a part that providers take: its content, its address, or, of a text, the text. */
import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider';
import type { MessagePart } from '../../type/index.ts';
import { refused } from './error.ts';

type File = Extract<MessagePart, { type: 'file' }>;

const textTypes =
  /^(?:text\/(?!html\b).*|text\/html|application\/(?:json|xml|yaml|x-yaml|toml|javascript|x-sh|.*\+(?:json|xml)))$/;

/** Throws what is wrong with an address that cannot be sent. */
export function filePart({ mediaType, url, name }: File): LanguageModelV3FilePart | LanguageModelV3TextPart {
  const named = name === undefined ? {} : { filename: name };
  if (/^https?:/i.test(url)) {
    if (!URL.canParse(url)) throw refused(`a file of a message has the address ${shown(url)}, which is none`);
    return { type: 'file', mediaType, data: new URL(url), ...named };
  }
  const bytes = dataOf(url);
  if (bytes === undefined) {
    throw refused(`a file of a message has the address ${shown(url)}; it can be "data:…" or one of the web`);
  }
  // Most providers take pictures and documents; any takes a text.
  if (textTypes.test(mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '')) {
    const head = `The file ${JSON.stringify(name ?? 'attached')} (${mediaType}):`;
    return { type: 'text', text: `${head}\n${bytes.toString('utf8')}` };
  }
  return { type: 'file', mediaType, data: bytes.toString('base64'), ...named };
}

function dataOf(url: string): Buffer | undefined {
  const comma = url.indexOf(',');
  if (!/^data:/i.test(url) || comma === -1) return undefined;
  const content = url.slice(comma + 1);
  if (/;\s*base64\s*$/i.test(url.slice(0, comma))) return Buffer.from(content, 'base64');
  try {
    return Buffer.from(decodeURIComponent(content), 'utf8');
  } catch {
    throw refused('a file of a message has a "data:" address with a "%" that is no code; write "%25" for it');
  }
}

function shown(url: string): string {
  return JSON.stringify(url.length > 60 ? `${url.slice(0, 60)}…` : url);
}
