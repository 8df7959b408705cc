/** The lines of bytes that come in chunks, one after the other; no more than a chunk and the wanted part of a line is held. */

export interface LinePart {
  readonly text: string;
  /** The line goes on behind it. */
  readonly cut: boolean;
}

export interface LineReader {
  /** Passes over a line; false when there is none. */
  readonly skip: () => boolean;
  /** The next line without its end (LF or CRLF), from a character on, at most so many; undefined when there is none. */
  readonly next: (from: number, most: number) => LinePart | undefined;
  /** Whether nothing comes behind the lines that were read. */
  readonly atEnd: () => boolean;
  /** Whether the last line that was read has an end. */
  readonly endsWithLine: () => boolean;
  /** Whether something was no UTF-8. */
  readonly badBytes: () => boolean;
}

/** `more` gives the next bytes, none at the end. A byte order mark is no part of the text. */
export function createLineReader(first: Uint8Array, more: () => Uint8Array): LineReader {
  const decoder = new TextDecoder('utf-8');
  let text = '';
  let at = 0;
  let ended = false;
  let bad = false;
  let closed = false;
  let inLine = false;
  let bytes: Uint8Array | undefined = first;

  const pull = (): boolean => {
    if (ended) return false;
    const chunk = bytes ?? more();
    bytes = undefined;
    ended = chunk.length === 0;
    const decoded = ended ? decoder.decode() : decoder.decode(chunk, { stream: true });
    if (!bad && decoded.includes('\ufffd')) bad = marksIn(decoded) > ownMarks(chunk);
    text = text.slice(at) + decoded;
    at = 0;
    return true;
  };

  const skip = (): boolean => {
    let any = false;
    for (;;) {
      const end = text.indexOf('\n', at);
      if (end !== -1) {
        at = end + 1;
        closed = true;
        return true;
      }
      any ||= at < text.length;
      at = text.length;
      if (pull()) continue;
      if (any) closed = false;
      return any;
    }
  };

  const next = (from: number, most: number): LinePart | undefined => {
    inLine = false;
    let left = from;
    let seen = false;
    let end = text.indexOf('\n', at);
    for (;;) {
      const have = (end === -1 ? text.length : end) - at;
      seen ||= have > 0 || end !== -1;
      // What stands before the wanted part goes by unseen.
      const passed = Math.min(left, have);
      at += passed;
      left -= passed;
      // One more than may be shown: it may be the first half of a line end.
      if (end !== -1 || (left === 0 && have - passed > most + 1)) break;
      if (!pull()) break;
      end = text.indexOf('\n', at);
    }
    if (!seen) return undefined;
    const line = end === -1 ? text.slice(at) : text.slice(at, end);
    const plain = end !== -1 && line.endsWith('\r') ? line.slice(0, -1) : line;
    if (plain.length > most) {
      inLine = true;
      const high = plain.charCodeAt(most - 1);
      return { text: plain.slice(0, high >= 0xd800 && high <= 0xdbff ? most - 1 : most), cut: true };
    }
    at = end === -1 ? text.length : end + 1;
    closed = end !== -1;
    return { text: plain, cut: false };
  };

  return {
    skip,
    next,
    atEnd() {
      while (!inLine && at >= text.length && pull());
      return !inLine && at >= text.length;
    },
    endsWithLine: () => closed,
    badBytes: () => bad,
  };
}

function marksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\ufffd'); at !== -1; at = text.indexOf('\ufffd', at + 1)) count++;
  return count;
}

/** The character itself, as a text may hold it. */
function ownMarks(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = buffer.indexOf('\ufffd'); at !== -1; at = buffer.indexOf('\ufffd', at + 3)) count++;
  return count;
}
