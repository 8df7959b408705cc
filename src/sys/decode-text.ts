/** Bytes to text, strictly: UTF-8 or a problem that says where. A byte order mark stays in the text. */
import { isUtf8 } from 'node:buffer';
import { quotePath } from './failure.ts';

export interface ReadProblem {
  readonly kind: 'missing' | 'directory' | 'denied' | 'too-large' | 'binary' | 'not-utf8' | 'other';
  /** One line, in plain words, with the path. */
  readonly message: string;
  /** Of `binary` and `not-utf8`: the first bad byte, 1-based as in every message, and its 0-based offset. */
  readonly line?: number;
  readonly column?: number;
  readonly byte?: number;
}

export type ReadResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: ReadProblem };

/** `name` is what people see: a path, or `<stdin>`. */
export function decodeText(bytes: Uint8Array, name: string): ReadResult {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (utf16) return badByte('not-utf8', bytes, 0, `${quotePath(name)} is UTF-16 text: save it as UTF-8.`);
  const nul = bytes.indexOf(0);
  if (nul !== -1) return badByte('binary', bytes, nul, `${quotePath(name)} is not a text file: it holds a NUL byte`);
  if (!isUtf8(bytes)) {
    const at = firstBadByte(bytes);
    const value = (bytes[at] ?? 0).toString(16).padStart(2, '0');
    return badByte('not-utf8', bytes, at, `${quotePath(name)} is not UTF-8 text: byte 0x${value} does not belong`);
  }
  return { ok: true, text: decoder.decode(bytes) };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function badByte(kind: 'binary' | 'not-utf8', bytes: Uint8Array, byte: number, message: string): ReadResult {
  let line = 1;
  let start = 0;
  for (let at = bytes.indexOf(10); at !== -1 && at < byte; at = bytes.indexOf(10, at + 1)) {
    line++;
    start = at + 1;
  }
  const bom = start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 1 : 0;
  const column = Math.max(1, decoder.decode(bytes.subarray(start, byte)).length - bom + 1);
  const where = message.endsWith('.') ? message : `${message} at line ${line}, column ${column}.`;
  return { ok: false, problem: { kind, message: where, line, column, byte } };
}

/** The offset of the first byte that no well-formed UTF-8 sequence holds (RFC 3629, table in section 4). */
function firstBadByte(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return Math.max(0, bytes.length - 1);
}

function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xc2 && lead <= 0xdf ? 2 : (lead & 0xf0) === 0xe0 ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
  for (let i = 1; i < length; i++) {
    const next = bytes[at + i] ?? 0;
    // The second byte is where overlong forms, surrogates and what lies above U+10FFFF show.
    const least = i > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const most = i > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (next < least || next > most) return 0;
  }
  return length;
}
