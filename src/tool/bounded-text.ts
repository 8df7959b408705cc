/**
 * Texts for models are bounded: the head and the tail are kept, and what is left out between them is counted.
 * 1. A text of at most `most` characters (UTF-16 units) comes back as it is; no result is longer than `most`.
 * 2. What was kept and the number in the mark add up to what came; no surrogate pair is split.
 * 3. A collector holds no more than a few times `most`, however much it is given, and takes linear time.
 */

/** How long a result of a tool may be. */
export const mostText = 64 * 1024;

export interface Bounded {
  /** Bytes are read as UTF-8; a character may be split between two chunks. */
  push(chunk: string | Uint8Array): void;
  /** How many characters came. */
  readonly length: number;
  /** Whether some of them are left out. */
  readonly cut: boolean;
  /** What came, bounded. A character that only began at its end is shown as one that cannot be read. */
  text(): string;
}

/** Below this there would be no room for the words that say what is missing. */
const least = 128;

export function boundedText(text: string, most = mostText): string {
  checkMost(most);
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return joined(text.slice(0, half), text.slice(text.length - half), text.length, most);
}

export function createBounded(most = mostText): Bounded {
  checkMost(most);
  const headMost = Math.floor(most / 2);
  const tailMost = most - headMost;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let head = '';
  let tail: string[] = [];
  let tailLength = 0;
  let length = 0;

  const keep = (text: string): void => {
    length += text.length;
    const room = headMost - head.length;
    if (room > 0) head += detached(text.slice(0, room));
    const rest = room > 0 ? text.slice(room) : text;
    if (rest === '') return;
    // Of a chunk only its end can still be the end of all.
    const end = rest.length > tailMost ? detached(rest.slice(rest.length - tailMost)) : rest;
    tail.push(end);
    tailLength += end.length;
    if (tailLength <= 2 * tailMost && tail.length <= 4096) return;
    const whole = tail.join('');
    const last = detached(whole.slice(Math.max(0, whole.length - tailMost)));
    tail = [last];
    tailLength = last.length;
  };

  return {
    push(chunk) {
      if (typeof chunk !== 'string') return keep(decoder.decode(chunk, { stream: true }));
      keep(decoder.decode());
      keep(chunk);
    },
    get length() {
      return length;
    },
    get cut() {
      return length > most;
    },
    text() {
      keep(decoder.decode());
      const end = tail.join('');
      return length <= most ? head + end : joined(head, end.slice(Math.max(0, end.length - tailMost)), length, most);
    },
  };
}

/** As a cut text says how much is missing. */
export function leftOutMark(count: number): string {
  return `\n[… ${count} ${count === 1 ? 'character' : 'characters'} left out here …]\n`;
}

/** `head` and `tail` are the ends of a text of `length` characters that is too long. */
function joined(head: string, tail: string, length: number, most: number): string {
  const room = most - leftOutMark(length).length;
  const first = withoutHalf(head.slice(0, Math.min(head.length, Math.ceil(room / 2))));
  const keptTail = tail.slice(Math.max(0, tail.length - (room - first.length)));
  const last = isLow(keptTail.charCodeAt(0)) ? keptTail.slice(1) : keptTail;
  return first + leftOutMark(length - first.length - last.length) + last;
}

function withoutHalf(text: string): string {
  return isHigh(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** A slice keeps the whole string that it is cut from in memory; a copy does not, and keeps lone surrogates. */
function detached(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function checkMost(most: number): void {
  if (!(Number.isInteger(most) && most >= least)) {
    throw new RangeError(`a text is bounded to a whole number of at least ${least} characters, not to ${most}`);
  }
}
