/**
 * Tree → text in the one layout: two blanks a level, right lengths, at most one blank line, comments kept.
 *
 * 1. It prints the written tokens, so no value ever changes; in strict mode unions become the texts they stand for.
 * 2. A document whose errors leave its meaning open is not laid out anew: of it only wrong lengths are mended, and
 *    `formatted` says so.
 */
import {
  applyEdits,
  type Code,
  createSource,
  type Diagnostic,
  hasErrors,
  type Source,
  type Span,
} from '../text/index.ts';
import { parseToon, type ToonParsed } from './parse.ts';
import { toPlain } from './plain.ts';
import { quote } from './quoted.ts';
import type { Relaxation } from './reader.ts';
import { unionText } from './scalar.ts';
import { findBare } from './scan.ts';
import type { ToonArray, ToonComment, ToonEntry, ToonHeader, ToonObject, ToonValue } from './tree.ts';

export interface ToonFormatted {
  readonly text: string;
  /** False where errors make the meaning unclear: then only wrong lengths were mended, if any. */
  readonly formatted: boolean;
  /** Of the source as it was given. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the text has beyond plain TOON; with `strict` nothing is left of it. */
  readonly relaxations: readonly Relaxation[];
}

export interface ToonFormatOptions {
  /** Writes the plain form of what the workflow profile allows beyond TOON. */
  readonly strict?: boolean;
}

export function formatToon(source: Source, options: ToonFormatOptions = {}): ToonFormatted {
  const given = parseToon(source, { profile: true });
  const { diagnostics, relaxations } = given;
  const result = (text: string, formatted: boolean) => ({ text, formatted, diagnostics, relaxations });
  if (!hasErrors(diagnostics)) return result(print(given, options.strict === true), true);
  const mended = mendClear(source, given);
  if (mended) return result(print(mended, options.strict === true), true);
  return result(
    mend(
      source,
      diagnostics.filter((d) => d.code === 'TOO3031'),
    ),
    false,
  );
}

/** Errors that leave no doubt about the value: where lines stand, and how many items there are. */
const clear: ReadonlySet<Code> = new Set<Code>(['TOO3001', 'TOO3002', 'TOO3031', 'TOO3033']);

/** One mended block may show the next, so it takes some rounds. */
const ROUNDS = 4;

/** The document without its clear errors; undefined if it has others. */
function mendClear(source: Source, given: ToonParsed): ToonParsed | undefined {
  const plain = JSON.stringify(toPlain(given.document.root));
  let parsed = given;
  for (let round = 0; round < ROUNDS; round++) {
    const errors = parsed.diagnostics.filter((d) => d.severity === 'error');
    if (!errors.every((d) => clear.has(d.code) && d.fix && !d.fix.guess)) return undefined;
    const mended = createSource(source.name, mend(parsed.document.source, errors));
    parsed = parseToon(mended, { profile: true });
    if (JSON.stringify(toPlain(parsed.document.root)) !== plain) return undefined;
    if (!hasErrors(parsed.diagnostics)) return parsed;
  }
  return undefined;
}

function mend(source: Source, diagnostics: readonly Diagnostic[]): string {
  return applyEdits(
    source.text,
    diagnostics.flatMap((d) => d.fix?.edits ?? []),
  ).text;
}

interface Printer {
  readonly text: string;
  readonly headers: ToonParsed['headers'];
  readonly comments: readonly ToonComment[];
  readonly strict: boolean;
  readonly eol: string;
  readonly out: string[];
  comment: number;
  /** Depth of the line above; -1 before the first. */
  last: number;
  /** How many arrays are open that have begun: plain TOON has no blank lines in them. */
  inside: number;
}

function print({ document, headers }: ToonParsed, strict: boolean): string {
  const { text } = document.source;
  const p: Printer = {
    text,
    headers,
    comments: document.comments,
    strict,
    eol: /\r?\n/.exec(text)?.[0] ?? '\n',
    out: text.startsWith('\ufeff') ? ['\ufeff'] : [],
    comment: 0,
    last: -1,
    inside: 0,
  };
  const { root } = document;
  if (root.kind === 'object' && !headers.has(root)) printEntries(p, root.entries, 0);
  else if (root.kind === 'array' || root.kind === 'object') printHeaded(p, root, '', root.span.start, 0);
  else line(p, root.span.start, 0, written(p, root));
  flush(p, text.length + 1, 0);
  return p.out.join('');
}

/** One line, after the comments above it. `at` is any place in the line it was. */
function line(p: Printer, at: number, depth: number, content: string): void {
  flush(p, at, depth);
  put(p, at, depth, content);
}

function flush(p: Printer, before: number, depth: number): void {
  for (let comment = p.comments[p.comment]; comment && comment.span.start < before; comment = p.comments[++p.comment]) {
    const { start, end } = comment.span;
    const column = start - lineStart(p.text, start);
    // A comment goes with the line below it, or stays in the block above it, as it was written.
    const own = Math.min(Math.max(depth, Math.round(column / 2)), Math.max(depth, p.last));
    put(p, start, own, p.text.slice(start, end));
  }
}

function put(p: Printer, at: number, depth: number, content: string): void {
  const opens = depth > p.last;
  if (!opens && !(p.strict && p.inside > 0) && isBlankAbove(p.text, at)) p.out.push(p.eol);
  p.out.push('  '.repeat(depth), content, p.eol);
  p.last = depth;
}

/** Entries at `depth`; before the first of an item goes its hyphen, one level up. */
function printEntries(p: Printer, entries: readonly ToonEntry[], depth: number, hyphen = ''): void {
  let lead = hyphen;
  for (const entry of entries) {
    printEntry(p, entry, depth, lead);
    lead = '';
  }
}

function printEntry(p: Printer, { key, value }: ToonEntry, depth: number, lead: string): void {
  const at = key.span.start;
  const bare = p.text.slice(at, key.span.end);
  // An empty key before a bracket would be no key at all, and one with a bracket looks like a header.
  const name = lead + (bare === '' || (!key.quoted && /[[\]{}]/.test(bare)) ? quote(key.text) : bare);
  const column = lead === '' ? depth : depth - 1;
  if (value.kind === 'array' || (value.kind === 'object' && p.headers.has(value))) {
    printHeaded(p, value, name, at, depth, column);
    return;
  }
  line(p, at, column, value.kind === 'object' ? `${name}:` : `${name}: ${written(p, value)}`);
  p.last = depth;
  if (value.kind === 'object') printEntries(p, value.entries, depth + 1);
}

/** What has a header, or should have one. `depth` is that of its key, `column` where its line stands. */
function printHeaded(
  p: Printer,
  value: ToonArray | ToonObject,
  name: string,
  at: number,
  depth: number,
  column = depth,
): void {
  const header = value.kind === 'array' ? value.header : p.headers.get(value);
  if (value.kind === 'array' && p.text.startsWith('[]', value.span.start) && header?.form === 'inline') {
    line(p, at, column, name === '' || name === '- ' ? `${name}[]` : `${name}: []`);
    p.last = depth;
    return;
  }
  const count = value.kind === 'array' ? value.items.length : value.entries.length;
  const head = header ? headerText(p, header, count) : p.strict ? `[${count}]` : '';
  if (value.kind === 'array' && header?.form === 'inline') {
    line(p, at, column, `${name}${head}: ${value.items.map((item) => written(p, item)).join(header.delimiter)}`);
    p.last = depth;
    return;
  }
  line(p, at, column, `${name}${head}:`);
  p.last = depth;
  const rows = value.kind === 'array' ? value.items : value.entries;
  p.inside++;
  for (const row of rows) {
    if ('key' in row) {
      const key = p.text.slice(row.key.span.start, row.key.span.end);
      line(p, row.span.start, depth + 1, `${key}: ${cells(p, row.value).join(header?.delimiter)}`);
    } else if (header?.form === 'table') line(p, row.span.start, depth + 1, cells(p, row).join(header.delimiter));
    else printItem(p, row, depth + 1);
  }
  p.inside--;
}

function printItem(p: Printer, item: ToonValue, depth: number): void {
  const at = item.span.start;
  if (item.kind === 'array') printHeaded(p, item, '- ', at, depth);
  else if (item.kind !== 'object') line(p, at, depth, `- ${written(p, item)}`);
  else if (item.entries.length === 0) line(p, at, depth, '-');
  else printEntries(p, item.entries, depth + 1, '- ');
}

function headerText(p: Printer, header: ToonHeader, count: number): string {
  const bar = header.delimiter === ',' ? '' : header.delimiter;
  const { start, end } = header.span;
  const open = findBare(p.text, '{', start, end);
  const fields = open === -1 ? '' : squeeze(p.text, { start: open, end });
  return `[${count}${header.form === 'keyed' ? ':' : ''}${bar}]${fields}`;
}

/** The columns without the blanks around their names. */
function squeeze(text: string, at: Span): string {
  let out = '';
  for (let from = at.start; from < at.end; ) {
    const next = findBare(text, '{},\t|', from, at.end);
    const end = next === -1 ? at.end : next;
    out += trimSpaces(text.slice(from, end));
    if (next === -1) break;
    out += text[next];
    from = next + 1;
  }
  return out;
}

function trimSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === ' ') start++;
  while (end > start && text[end - 1] === ' ') end--;
  return text.slice(start, end);
}

function cells(p: Printer, row: ToonValue): string[] {
  return row.kind === 'object' ? row.entries.flatMap((entry) => cells(p, entry.value)) : [written(p, row)];
}

function written(p: Printer, value: ToonValue): string {
  if (value.kind !== 'union') return p.text.slice(value.span.start, value.span.end);
  if (p.strict) return quote(unionText(value));
  const members = value.members.map((member) => p.text.slice(member.span.start, member.span.end));
  return `${members.join(' | ')}${value.optional ? '?' : ''}`;
}

function lineStart(text: string, at: number): number {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return start === 0 && text.startsWith('\ufeff') ? 1 : start;
}

function isBlankAbove(text: string, at: number): boolean {
  const start = lineStart(text, Math.min(at, text.length));
  if (start < 1) return false;
  const above = text.slice(text.lastIndexOf('\n', start - 2) + 1, start);
  return above.endsWith('\n') && above.trim() === '';
}
