/** What goes wrong where items of a list begin: hyphens that are missing or misplaced, lines that are no items. */
import { type Edit, type Span, span } from '../text/index.ts';
import { reindent } from './indent.ts';
import { isItem, type Line } from './line.ts';
import { peek, type Reader, report, shown } from './reader.ts';
import { findBare } from './scan.ts';
import type { ToonEntry, ToonKey, ToonValue } from './tree.ts';

/** The fields of an item that are read. */
interface Fields {
  readonly entries: readonly ToonEntry[];
}

/** Whether a header without items comes again in the next line, which is reported there. */
export function isRepeated(r: Reader, items: readonly ToonValue[]): boolean {
  if (items.length > 0) return false;
  const line = r.lines[r.at - 1];
  const next = peek(r);
  return line !== undefined && next !== undefined && isSameLine(r, line, next);
}

export function isSameLine(r: Reader, a: Line, b: Line): boolean {
  return a.indent === b.indent && r.text.slice(a.text, a.end) === r.text.slice(b.text, b.end);
}

export function reportTwin(r: Reader, line: Line): void {
  const at = span(line.text, line.end);
  const feed = r.text.indexOf('\n', line.end);
  report(r, 'TOO3012', at, `the line ${shown(r, at)} is there twice`, {
    fix: { title: 'take one out', edits: [{ span: span(line.start, feed + 1), text: '' }], guess: true },
  });
}

/** Only an object has fields below its line, so the first one lacks its colon. */
export function lacksFirstColon(r: Reader, line: Line, rest: Span): boolean {
  const next = peek(r);
  if (next?.indent !== line.indent + 2 || isItem(r.text, next) || !isColonLine(r.text, next)) return false;
  return /^[\w-]+(?: |$)/.test(r.text.slice(rest.start, rest.end));
}

/** One report for all such lines up to the next item; true if the line seems to lack its hyphen. */
export function reportStray(r: Reader, line: Line, last: Fields | undefined, aligned: boolean): boolean {
  const at = span(line.text, line.end);
  const opens = (one: Line) => r.text.charCodeAt(one.end - 1) === 58;
  const below = r.lines[r.at];
  // A key that the item above has already shows that the line begins another one and lacks its hyphen.
  const hyphen = !last || last.entries.some(({ key }) => isKeyAt(r.text, key, line));
  const edits: Edit[] = hyphen ? [{ span: span(line.text, line.text), text: '- ' }] : [reindent(line, line.indent + 2)];
  let index = r.at;
  let open = opens(line);
  // Lines that an earlier report moves are not moved again: each line is looked at once.
  const free = aligned && index > r.moved;
  for (let next = below; free && next && next.indent >= line.indent; next = r.lines[++index]) {
    const deeper = next.indent > line.indent;
    if (deeper ? !open : isItem(r.text, next)) break;
    if (!deeper) open = opens(next);
    edits.push(reindent(next, next.indent + 2));
  }
  if (free) r.moved = index;
  report(r, 'TOO3035', at, `${shown(r, at)} is neither an item nor a field of one`, {
    help: 'An item begins with "- "; its other fields stand two blanks deeper than the hyphen.',
    // Without a colon it is no field, wherever it stands.
    ...(free &&
      findBare(r.text, ':', at.start, at.end) !== -1 && {
        fix: { title: hyphen ? 'add the hyphen' : 'indent it', edits, guess: true },
      }),
  });
  return hyphen;
}

/** A field of an item that the item has already as its first: it begins another one, whose hyphen is missing. */
export function beginsItem(r: Reader, line: Line, { entries }: Fields): boolean {
  const first = entries[0];
  const second = entries[1];
  if (!first || !second) return false;
  const named = second.key.text === 'id' && entries.length > 2 ? second : first;
  if (isKeyAt(r.text, first.key, line) || isKeyAt(r.text, named.key, line)) return true;
  // What an item is may stand before the key that tells.
  const next = r.lines[r.at + 1];
  return r.text.startsWith('kind:', line.text) && next?.indent === line.indent && isKeyAt(r.text, named.key, next);
}

/** An item in the column of the list's key, where none can stand, unless its fields show that it belongs to another list. */
export function isShortItem(r: Reader, line: Line): boolean {
  const next = r.lines[r.at + 1];
  return isItem(r.text, line) && (next?.indent !== line.indent || isItem(r.text, next) || !isColonLine(r.text, line));
}

export function isColonLine(text: string, line: Line): boolean {
  return findBare(text, ':', line.text, line.end) !== -1;
}

/** A line behind the last item that belongs beside the key of the list, as the line below it shows. */
export function standsTooDeep(r: Reader, line: Line, parent: number, fields: boolean): boolean {
  const next = r.lines[r.at + 1];
  if (line.indent > parent + 2 || !isColonLine(r.text, line)) return false;
  if (r.text.charCodeAt(line.end - 1) !== 58) return !fields || next?.indent === parent;
  return next !== undefined && (fields ? next.indent === parent + 2 : next.indent > parent);
}

/** The first line of a list that stands as deep as a field, or nearly. */
export function lacksFirstHyphen(r: Reader, line: Line, parent: number): boolean {
  if (line.indent <= parent + 2 || line.indent > parent + 4 || isItem(r.text, line)) return false;
  return isColonLine(r.text, line);
}

/** A line that has to begin with a hyphen in the column `right`. */
export function reportHyphen(r: Reader, line: Line, right: number): void {
  const at = span(line.text, line.end);
  report(r, 'TOO3035', at, `${shown(r, at)} begins an item and has no hyphen`, {
    help: 'An item begins with "- "; its other fields stand two blanks deeper than the hyphen.',
    fix: {
      title: 'add the hyphen',
      edits: [{ span: span(line.start, line.text), text: `${' '.repeat(right)}- ` }],
      guess: true,
    },
  });
}

export function reportTight(r: Reader, line: Line): void {
  const at = span(line.text, line.text + 1);
  report(r, 'TOO3035', at, 'a blank has to follow the hyphen of an item', {
    fix: { title: 'add the blank', edits: [{ span: span(at.end, at.end), text: ' ' }] },
  });
}

function isKeyAt(text: string, key: ToonKey, line: Line): boolean {
  return !key.quoted && text.startsWith(key.text, line.text) && text.charCodeAt(line.text + key.text.length) === 58;
}
