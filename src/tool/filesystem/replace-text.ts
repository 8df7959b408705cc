/**
 * Replaces every occurrence of a text by another. Models write line ends as LF, whatever the file has: a CRLF and an LF are
 * the same when the old text is looked for, and what is put in has the line ends of what it stands for. A byte order mark and
 * all that is not replaced stay as they are, to the byte.
 */

export interface Replaced {
  readonly text: string;
  /** On which line each occurrence began. */
  readonly lines: readonly number[];
}

export function replaceIn(text: string, old: string, put: string): Replaced {
  const plain = plainEnds(text);
  const wanted = plainEnds(old).text;
  const fresh = plainEnds(put).text;
  const crlf = plain.dropped.length * 2 > count(plain.text, '\n');
  const parts: string[] = [];
  const lines: number[] = [];
  let line = 1;
  let counted = 0;
  let kept = 0;
  let drop = 0;
  /** Where a place of the plain text lies in the text itself. */
  const realAt = (at: number): number => {
    while (drop < plain.dropped.length && (plain.dropped[drop] ?? 0) < at) drop++;
    return at + drop;
  };
  for (let at = plain.text.indexOf(wanted); at !== -1; at = plain.text.indexOf(wanted, at + wanted.length)) {
    for (let end = plain.text.indexOf('\n', counted); end !== -1 && end < at; end = plain.text.indexOf('\n', end + 1)) {
      line++;
      counted = end + 1;
    }
    lines.push(line);
    const start = realAt(at);
    const before = drop;
    const end = realAt(at + wanted.length);
    const ends = count(wanted, '\n');
    const asCrlf = ends === 0 ? crlf : (drop - before) * 2 > ends;
    parts.push(text.slice(kept, start), asCrlf ? fresh.replaceAll('\n', '\r\n') : fresh);
    kept = end;
  }
  parts.push(text.slice(kept));
  return { text: parts.join(''), lines };
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

function count(text: string, char: string): number {
  let found = 0;
  for (let at = text.indexOf(char); at !== -1; at = text.indexOf(char, at + 1)) found++;
  return found;
}
