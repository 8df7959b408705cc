/** The bytes of an answer as text, by what its headers, its first bytes and its own words say. */
import { binaryKind } from '../file-kind.ts';
import { mendWindows } from './entities.ts';

export interface ContentType {
  /** `text/html`, without parameters; empty where nothing is said. */
  readonly type: string;
  readonly charset: string | undefined;
}

export interface BodyText {
  readonly text: string;
  /** Something to say about how it was read. */
  readonly note?: string;
}

export function readContentType(header: string | undefined): ContentType {
  const [type = '', ...parameters] = (header ?? '').slice(0, 500).split(';');
  const charset = parameters
    .map((each) => /^\s*charset\s*=\s*"?([^"\s]+)/i.exec(each)?.[1])
    .find((each) => each !== undefined);
  return { type: type.trim().toLowerCase(), charset };
}

export function isHtml({ type }: ContentType): boolean {
  return type === 'text/html' || type === 'application/xhtml+xml';
}

/** Undefined: it is no text, as far as can be told. */
export function decodeBody(body: Uint8Array, content: ContentType): BodyText | undefined {
  const { type } = content;
  const mark = markOf(body);
  const declared =
    type.startsWith('text/') ||
    /^application\/(json|xml|xhtml\+xml|javascript|ecmascript|x-javascript|yaml|x-yaml|toml|x-ndjson|sql|graphql|x-sh|rtf)$/.test(
      type,
    ) ||
    /^(application|image)\/[a-z0-9.+-]*\+(json|xml|yaml)$/.test(type);
  if (
    !declared &&
    (type.startsWith('image/') || type.startsWith('audio/') || type.startsWith('video/') || type.startsWith('font/'))
  )
    return undefined;
  if (mark === undefined && binaryKind(body) !== undefined) return undefined;
  const label = mark ?? content.charset ?? (isHtml(content) ? metaCharset(body) : undefined) ?? 'utf-8';
  try {
    const decoder = new TextDecoder(label);
    const text = decoder.decode(body);
    return { text: decoder.encoding === 'windows-1252' ? mendWindows(text) : text };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const note = `it says that it is written in "${label.slice(0, 40)}", which nobody knows; it was read as UTF-8`;
    return { text: new TextDecoder().decode(body), note };
  }
}

/** What a byte order mark says goes before everything else. */
function markOf(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : undefined;
}

function metaCharset(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 2048)).toString('latin1');
  for (const [tag] of head.matchAll(/<meta[^>]{0,500}>/gi)) {
    const found = /charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(tag)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}
