/**
 * In which line of a file a line of a text stands. A plan keeps the places of expressions and code only, so what people
 * write in words is looked for in the file: in what stands at a place, behind its key, and only as a whole value, be that
 * quoted or not, or the lines of a list.
 */

/** `at`: any line of the node or the agent that has the text under `key`. Lines count from 1, `index` from 0. */
export type FindLine = (at: number, key: string, text: string, index: number) => number | undefined;

export function createFindLine(source: string): FindLine {
  const lines = source.split(/\r?\n/);
  return (at, key, text, index) => {
    const wanted = text.split('\n');
    const [start, end] = blockAround(lines, at - 1);
    let inside: string | undefined;
    for (let line = start; line < end; line++) {
      const named = /^\s*(?:- )?([\w-]+)(?:\[\d*\])?:(?: (.*))?$/.exec(lines[line] ?? '');
      if (named) inside = named[1];
      if (inside !== key) continue;
      if (named && plain(named[2] ?? '') === text) return line + 1;
      if (!named && isList(line, wanted, index)) return line + index + 1;
    }
    return undefined;
  };

  /** The lines of the text, up to the one that is looked for. */
  function isList(start: number, wanted: readonly string[], index: number): boolean {
    for (let i = 0; i <= index && i < wanted.length; i++) {
      const item = /^\s*- (.*)$/.exec(lines[start + i] ?? '');
      if (item === null || plain(item[1] ?? '') !== wanted[i]) return false;
    }
    return true;
  }
}

/** The line of the import of a module: `- from: ./radio.ts`. */
export function importLine(source: string, module: string): number | undefined {
  const index = source.split(/\r?\n/).findIndex((line) => {
    const from = /^\s*(?:- )?from: (.*)$/.exec(line);
    return from !== null && plain(from[1] ?? '') === module;
  });
  return index === -1 ? undefined : index + 1;
}

/** The first line of what a line belongs to, and the one behind its last: what is indented more. */
function blockAround(lines: readonly string[], line: number): [number, number] {
  const indent = indentOf(lines[line] ?? '');
  let start = line;
  // It may be any line of an item in a list.
  if (!isItem(lines[line])) {
    let at = line - 1;
    while (at >= 0 && indentOf(lines[at] ?? '') >= indent) at--;
    if (isItem(lines[at])) start = at;
  }
  const own = indentOf(lines[start] ?? '');
  let end = line + 1;
  while (end < lines.length && ((lines[end] ?? '').trim() === '' || indentOf(lines[end] ?? '') > own)) end++;
  return [start, end];
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function isItem(line: string | undefined): boolean {
  return /^\s*- /.test(line ?? '');
}

/** A value as it is meant. */
function plain(written: string): string {
  const text = written.trim();
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
