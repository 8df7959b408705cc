/**
 * Reads TOML into a tree with positions. The parser stops at the first mistake; a key written twice is the exception:
 * it is renamed in a copy and read on, so that all of them, and everything else, are reported at once.
 */
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { type Diagnostic, diagnostic, type Source, type Span, span } from '../text/index.ts';

/** Every value with its place. Tables know every key of theirs; where a key was written twice, the first one counts. */
export type TomlNode =
  | { readonly kind: 'table'; readonly span: Span; readonly entries: Map<string, TomlEntry> }
  | { readonly kind: 'list'; readonly span: Span; readonly items: TomlNode[] }
  | { readonly kind: 'text'; readonly span: Span; readonly value: string }
  | { readonly kind: 'number'; readonly span: Span; readonly value: number; readonly integer: boolean }
  | { readonly kind: 'boolean'; readonly span: Span; readonly value: boolean }
  | { readonly kind: 'date'; readonly span: Span };

export interface TomlEntry {
  readonly keySpan: Span;
  readonly value: TomlNode;
}

export type TomlTable = Extract<TomlNode, { kind: 'table' }>;

export interface TomlRead {
  /** Missing when the text is not TOML. */
  readonly table?: TomlTable;
  readonly diagnostics: readonly Diagnostic[];
}

/** What the parser gives, with what must be added to its ranges to reach the source. */
export interface TomlTree {
  readonly body: readonly (AST.TOMLKeyValue | AST.TOMLTable)[];
  readonly spanOf: (node: { readonly range: readonly [number, number] }) => Span;
}

const mostDuplicates = 20;
const mostCharacters = 1024 * 1024;

export function readToml(source: Source): TomlRead {
  const diagnostics: Diagnostic[] = [];
  const renames: Rename[] = [];
  while (true) {
    const read = parseWith(source, renames);
    if (read.ok) {
      const table = buildTable(read.tree, new Set(renames.map((r) => r.marker)), source, diagnostics);
      return { table, diagnostics };
    }
    const duplicate = read.duplicateAt !== undefined && renames.length < mostDuplicates;
    const rename = duplicate ? renameAt(source.text, read.duplicateAt ?? 0, renames.length) : undefined;
    if (!rename) {
      diagnostics.push(read.problem);
      return { diagnostics };
    }
    renames.push(rename);
  }
}

/** The tree as it is written, for edits. */
export function parseTree(source: Source): { ok: true; tree: TomlTree } | { ok: false; problem: Diagnostic } {
  return parseWith(source, []);
}

/** A marker put into the copy at an offset of the source. */
interface Rename {
  readonly at: number;
  readonly marker: string;
}

type Parsed =
  | { readonly ok: true; readonly tree: TomlTree }
  | { readonly ok: false; readonly problem: Diagnostic; readonly duplicateAt?: number };

function parseWith(source: Source, renames: readonly Rename[]): Parsed {
  const { text } = source;
  const from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (text.length > mostCharacters) {
    const message = `a config of ${text.length} characters is too large: at most ${mostCharacters} are read.`;
    return { ok: false, problem: diagnostic('TOO5101', source, span(0, 0), message) };
  }
  const inserted = [...renames].sort((a, b) => a.at - b.at);
  let copy = '';
  let at = from;
  for (const rename of inserted) {
    copy += text.slice(at, rename.at) + rename.marker;
    at = rename.at;
  }
  copy += text.slice(at);
  const back = (offset: number) => {
    let result = offset + from;
    for (const rename of inserted) {
      if (result <= rename.at) break;
      result = Math.max(rename.at, result - rename.marker.length);
    }
    return Math.min(result, text.length);
  };
  try {
    // The parser gives a `0` that ends the text no width: a line end behind it helps.
    const ast = parseTOML(`${copy}\n`);
    return {
      ok: true,
      tree: { body: ast.body[0].body, spanOf: (node) => span(back(node.range[0]), back(node.range[1])) },
    };
  } catch (error) {
    if (error instanceof ParseError) return parseProblem(source, error, back(error.index));
    if (error instanceof RangeError) {
      const message = 'this config cannot be read: a text in it is too long, or its lists are nested too deep.';
      return { ok: false, problem: diagnostic('TOO5101', source, span(from, from), message) };
    }
    throw error;
  }
}

function parseProblem(source: Source, error: ParseError, at: number): Parsed {
  const { text } = source;
  if (error.message === 'Defining a key multiple times is invalid') {
    const where = span(at, Math.min(text.length, at + 1));
    const problem = diagnostic('TOO5102', source, where, 'this key is already defined.', {
      help: 'Keep one of the two.',
    });
    return { ok: false, problem, duplicateAt: at };
  }
  const header = openHeader(source, error, at);
  if (header) return { ok: false, problem: header };
  // The parser notices at the next token what is missing on the line before.
  const gap = /[ \t]*(?:\r?\n[ \t]*)+$/.exec(text.slice(Math.max(0, at - 200), at))?.[0].length ?? 0;
  const end = at - gap;
  const noValue = gap > 0 && text[end - 1] === '=';
  const here = noValue || (gap > 0 && error.message.startsWith('Unterminated')) ? end : at;
  const message = noValue
    ? 'there is no value after "=".'
    : `${lowerFirst(error.message).replace(/[.\s]+$/, '')}${found(text, here)}.`;
  return {
    ok: false,
    problem: diagnostic('TOO5101', source, span(here, Math.min(text.length, here + 1)), message, { help: firstOnly }),
  };
}

const firstOnly = 'TOML is read only as far as its first mistake: mend this one to see whether there are more.';

/** `[models` without its bracket: the parser notices on a line below, or at the end of the file. */
function openHeader(source: Source, error: ParseError, at: number): Diagnostic | undefined {
  if (!/^(?:Unterminated table-key|The key, equals sign)/.test(error.message)) return undefined;
  const { text } = source;
  let end = at;
  while (end > 0 && /\s/.test(text.charAt(end - 1))) end--;
  const start = text.lastIndexOf('\n', end - 1) + 1;
  const match = /^([ \t]*)(\[\[?)([^[\]#"'{}=\n]*[^[\]#"'{}=\s])[ \t]*(\][ \t]*)?(?:#.*)?$/.exec(
    text.slice(start, end),
  );
  if (!match) return undefined;
  const [, indent = '', open = '', name = '', closed = ''] = match;
  const missing = ']'.repeat(open.length - closed.trimEnd().length);
  if (missing === '' || (end === at && at < text.length)) return undefined;
  const here = start + indent.length + open.length + name.length;
  return diagnostic('TOO5101', source, span(here, here), `"${missing}" is missing after the name of this table.`, {
    help: firstOnly,
    fix: { title: `write "${missing}" after the name`, edits: [{ span: span(here, here), text: missing }] },
  });
}

function found(text: string, at: number): string {
  const code = text.codePointAt(at);
  if (code === undefined) return ', at the end of the file';
  if (code === 10 || code === 13) return ', at the end of the line';
  return code < 32 || code === 127 ? ` (U+${code.toString(16).padStart(4, '0')})` : `: "${String.fromCodePoint(code)}"`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Where in the key at `at` a marker can be put so that it stays a key: in a quoted one after its quote. */
function renameAt(text: string, at: number, index: number): Rename | undefined {
  const first = text.charAt(at);
  if (!/["'A-Za-z0-9_-]/.test(first)) return undefined;
  return { at: first === '"' || first === "'" ? at + 1 : at, marker: `twice-${index}-${'x'.repeat(12)}-` };
}

function buildTable(
  tree: TomlTree,
  markers: ReadonlySet<string>,
  source: Source,
  diagnostics: Diagnostic[],
): TomlTable {
  const builder: Builder = { tree, markers, source, diagnostics };
  const root: TomlTable = { kind: 'table', span: span(0, source.text.length), entries: new Map() };
  for (const item of tree.body) {
    if (item.type === 'TOMLKeyValue') addAt(builder, root, item.key.keys, nodeOf(builder, item.value));
    else addTable(builder, root, item);
  }
  return root;
}

interface Builder {
  readonly tree: TomlTree;
  readonly markers: ReadonlySet<string>;
  readonly source: Source;
  readonly diagnostics: Diagnostic[];
}

function addTable(b: Builder, root: TomlTable, item: AST.TOMLTable): void {
  const inner: TomlTable = { kind: 'table', span: b.tree.spanOf(item), entries: new Map() };
  for (const pair of item.body) addAt(b, inner, pair.key.keys, nodeOf(b, pair.value));
  let value: TomlNode = inner;
  if (item.kind === 'array') value = { kind: 'list', span: b.tree.spanOf(item), items: [inner] };
  addAt(b, root, item.key.keys, value);
}

type KeyNode = AST.TOMLBare | AST.TOMLQuoted;

function addAt(b: Builder, into: TomlTable, keys: readonly KeyNode[], value: TomlNode): void {
  let table = into;
  for (const [i, key] of keys.entries()) {
    const { name, duplicate } = nameOf(b, key);
    const keySpan = b.tree.spanOf(key);
    const known = table.entries.get(name);
    if (duplicate) reportDuplicate(b, name, keySpan, known);
    if (i === keys.length - 1) {
      // What a key written twice holds is checked as if it stood beside the first one.
      if (known) mergeNodes(known.value, value);
      else table.entries.set(name, { keySpan, value });
      return;
    }
    const below = known && tableOf(known.value);
    const next: TomlTable = below ?? { kind: 'table', span: keySpan, entries: new Map() };
    if (!known) table.entries.set(name, { keySpan, value: next });
    table = next;
  }
}

/** `[a.b]` before `[a]`, and one more `[[a]]`: both belong to the entry that is there. */
function mergeNodes(known: TomlNode, more: TomlNode): void {
  if (known.kind === 'list' && more.kind === 'list') known.items.push(...more.items);
  const table = tableOf(known);
  if (!table || more.kind !== 'table') return;
  for (const [name, entry] of more.entries) {
    const there = table.entries.get(name);
    if (there) mergeNodes(there.value, entry.value);
    else table.entries.set(name, entry);
  }
}

/** Of a list of tables, `[a.b]` means the last one. */
function tableOf(node: TomlNode): TomlTable | undefined {
  const last = node.kind === 'list' ? node.items.at(-1) : node;
  return last?.kind === 'table' ? last : undefined;
}

function nameOf(b: Builder, key: KeyNode): { name: string; duplicate: boolean } {
  const name = key.type === 'TOMLBare' ? key.name : key.value;
  for (const marker of b.markers)
    if (name.startsWith(marker)) return { name: name.slice(marker.length), duplicate: true };
  return { name, duplicate: false };
}

function reportDuplicate(b: Builder, name: string, at: Span, known: TomlEntry | undefined): void {
  const related = known ? [{ source: b.source, span: known.keySpan, message: `"${name}" is first written here.` }] : [];
  b.diagnostics.push(
    diagnostic('TOO5102', b.source, at, `"${name}" is written twice.`, { related, help: 'Keep one of the two.' }),
  );
}

/** No key takes anything so deep that its inside matters: what holds it is already of the wrong type. */
const deepest = 50;

function nodeOf(b: Builder, node: AST.TOMLContentNode, depth = 0): TomlNode {
  const where = b.tree.spanOf(node);
  if (depth > deepest) return { kind: 'list', span: where, items: [] };
  if (node.type === 'TOMLArray') {
    return { kind: 'list', span: where, items: node.elements.map((item) => nodeOf(b, item, depth + 1)) };
  }
  if (node.type === 'TOMLInlineTable') {
    const table: TomlTable = { kind: 'table', span: where, entries: new Map() };
    for (const pair of node.body) addAt(b, table, pair.key.keys, nodeOf(b, pair.value, depth + 1));
    return table;
  }
  switch (node.kind) {
    case 'string':
      return { kind: 'text', span: where, value: node.value };
    case 'integer':
    case 'float':
      return { kind: 'number', span: where, value: node.value, integer: node.kind === 'integer' };
    case 'boolean':
      return { kind: 'boolean', span: where, value: node.value };
    default:
      return { kind: 'date', span: where };
  }
}
