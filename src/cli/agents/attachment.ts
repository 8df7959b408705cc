/** Files that stand on a command line as `@file`: texts, pictures and PDFs, by what they hold and not by what they are called. */
import { decodeText } from '../../sys/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import type { FilePart } from '../../type/index.ts';
import { withoutStop } from '../runs/typed-value.ts';
import type { WordSource } from './word-source.ts';

export type Attachment =
  | { readonly kind: 'text'; readonly name: string; readonly text: string; readonly bytes: number }
  | { readonly kind: 'file'; readonly name: string; readonly part: FilePart; readonly bytes: number };

export type AttachmentRead =
  | { readonly ok: true; readonly attachment: Attachment }
  | { readonly ok: false; readonly message: string };

/** Of all files of a command line together. */
export const mostAttached = 20 * 1024 * 1024;

/** How each kind begins; the names that files of it go by. */
const kinds: readonly { mediaType: string; endings: readonly string[]; starts: string; at?: number }[] = [
  { mediaType: 'image/png', endings: ['png'], starts: '89504e470d0a1a0a' },
  { mediaType: 'image/jpeg', endings: ['jpg', 'jpeg'], starts: 'ffd8ff' },
  { mediaType: 'image/gif', endings: ['gif'], starts: '47494638' },
  { mediaType: 'image/webp', endings: ['webp'], starts: '57454250', at: 8 },
  { mediaType: 'application/pdf', endings: ['pdf'], starts: '255044462d' },
];

/** `word` is how it was written: `@notes.md`, `draft=@notes.md`. */
export async function readAttachment(name: string, word: string, source: WordSource): Promise<AttachmentRead> {
  const read = await source.file(name, mostAttached);
  if (!read.ok) {
    if (read.problem.kind !== 'missing') return refused(read.problem.message);
    const near = closest(baseOf(name), await source.beside(name));
    const meant = near === undefined ? '' : didYouMean(`${name.slice(0, name.length - baseOf(name).length)}${near}`);
    const literal = word.replace('@', '@@');
    return refused(`${withoutStop(read.problem.message)}; for a text that begins with "@" write ${literal}.${meant}`);
  }
  const { bytes } = read;
  const kind = kinds.find(({ starts, at = 0 }) => startsWith(bytes, starts, at));
  if (kind) {
    const url = `data:${kind.mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
    const part: FilePart = { type: 'file', mediaType: kind.mediaType, url, name: baseOf(name) };
    return { ok: true, attachment: { kind: 'file', name, part, bytes: bytes.length } };
  }
  const ending = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (kinds.some(({ endings }) => endings.includes(ending)))
    return refused(`"${name}" is called .${ending}, but does not hold what such a file begins with`);
  const text = decodeText(bytes, name);
  if (!text.ok) return refused(`${text.problem.message} Attach texts, pictures (png, jpg, gif, webp) and PDFs`);
  return { ok: true, attachment: { kind: 'text', name, text: wholeText(text.text), bytes: bytes.length } };
}

/** A file or what was piped, as a value: without its byte order mark and the line end that closes it. */
export function wholeText(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--;
  return text.slice(text.startsWith('\ufeff') ? 1 : 0, end);
}

/** A text with its name, between marks that it cannot close itself. */
export function namedText(name: string, text: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${name}:\n${fence}\n${text}\n${fence}`;
}

function startsWith(bytes: Uint8Array, hex: string, at: number): boolean {
  return Buffer.from(bytes.subarray(at, at + hex.length / 2)).toString('hex') === hex;
}

function baseOf(name: string): string {
  return /[^/\\]*$/.exec(name)?.[0] ?? name;
}

function refused(message: string): AttachmentRead {
  return { ok: false, message };
}
