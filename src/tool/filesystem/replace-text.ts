/**
 * Replaces every occurrence of a text by another. Models write line ends as LF, whatever the file has: a CRLF and an LF are
 * the same when the old text is looked for, and what is put in has the line ends of what it stands for. A byte order mark and
 * all that is not replaced stay as they are, to the byte.
 */

export interface Replaced {
  /** Undefined where it would have more than `most` characters. */
  readonly text: string | undefined;
  readonly count: number;
  /** On which line each occurrence began; of the first ones. */
  readonly lines: readonly number[];
}

const mostLines = 20;
/** So many small pieces are put together at once. */
const batch = 4096;

export function replaceIn(text: string, old: string, put: string, most: number): Replaced {
  const plain = plainEnds(text);
  const wanted = plainEnds(old).text;
  const count = occurrences(plain.text, wanted);
  const lines = linesOf(plain.text, wanted);
  const fresh = plainEnds(put).text;
  const longest = fresh.length + occurrences(fresh, '\n');
  if (text.length + count * Math.max(0, longest - wanted.length) > most) return { text: undefined, count, lines };
  return { text: replaced(text, plain, wanted, fresh), count, lines };
}

function replaced(text: string, plain: PlainText, wanted: string, fresh: string): string {
  const mostlyCrlf = plain.dropped.length * 2 > occurrences(plain.text, '\n');
  const ends = occurrences(wanted, '\n');
  const freshCrlf = fresh.replaceAll('\n', '\r\n');
  const done: string[] = [];
  let parts: string[] = [];
  let kept = 0;
  let drop = 0;
  /** Where a place of the plain text lies in the text itself. */
  const realAt = (at: number): number => {
    while (drop < plain.dropped.length && (plain.dropped[drop] ?? 0) < at) drop++;
    return at + drop;
  };
  for (let at = plain.text.indexOf(wanted); at !== -1; at = plain.text.indexOf(wanted, at + wanted.length)) {
    const start = realAt(at);
    const before = drop;
    const end = realAt(at + wanted.length);
    const asCrlf = ends === 0 ? mostlyCrlf : (drop - before) * 2 > ends;
    parts.push(text.slice(kept, start), asCrlf ? freshCrlf : fresh);
    kept = end;
    if (parts.length < batch) continue;
    done.push(parts.join(''));
    parts = [];
  }
  return [...done, ...parts, text.slice(kept)].join('');
}

function linesOf(text: string, wanted: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let counted = 0;
  for (
    let at = text.indexOf(wanted);
    at !== -1 && lines.length < mostLines;
    at = text.indexOf(wanted, at + wanted.length)
  ) {
    for (let end = text.indexOf('\n', counted); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) {
      line++;
      counted = end + 1;
    }
    lines.push(line);
  }
  return lines;
}

interface PlainText {
  readonly text: string;
  /** Before which places of the plain text a CR was taken out. */
  readonly dropped: readonly number[];
}

/** Without the CR of each CRLF. */
function plainEnds(text: string): PlainText {
  if (!text.includes('\r\n')) return { text, dropped: [] };
  const dropped: number[] = [];
  const parts = text.split('\r\n');
  let length = 0;
  for (const part of parts.slice(0, -1)) {
    length += part.length;
    dropped.push(length);
    length++;
  }
  return { text: parts.join('\n'), dropped };
}

function occurrences(text: string, wanted: string): number {
  let found = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) found++;
  return found;
}
