/** The statements of a TOML text by the keys they define, and the edits that add or remove one. */
import type { AST } from 'toml-eslint-parser';
import { applyEdits, type Diagnostic, type Edit, type Source, type Span, span } from '../text/index.ts';
import type { KeyPath } from './key-path.ts';
import { parseTree } from './toml.ts';

export type Item = AST.TOMLKeyValue | AST.TOMLTable;

export interface Statement {
  /** The full key it defines. */
  readonly path: KeyPath;
  /** The key of the `[table]` it stands in. */
  readonly table: KeyPath;
  readonly item: Item;
  /** The `{ … }` it stands in. */
  readonly inline?: AST.TOMLInlineTable;
}

export interface Outline {
  readonly text: string;
  readonly top: readonly Item[];
  readonly spanOf: (node: { readonly range: readonly [number, number] }) => Span;
  /** What defines this key, and what defines keys below it. */
  readonly at: (path: KeyPath) => { exact: Statement[]; below: Statement[] };
}

export function outline(source: Source): { ok: true; outline: Outline } | { ok: false; diagnostic: Diagnostic } {
  const read = parseTree(source);
  if (!read.ok) return { ok: false, diagnostic: read.problem };
  const { body, spanOf } = read.tree;
  const statements: Statement[] = [];
  for (const item of body) {
    if (item.type === 'TOMLKeyValue') {
      addPair(statements, [], [], item, undefined);
      continue;
    }
    const path = item.key.keys.map(keyName);
    statements.push({ path, table: path, item });
    for (const pair of item.body) addPair(statements, path, path, pair, undefined);
  }
  const at = (path: KeyPath) => {
    const inside = statements.filter((s) => path.every((name, i) => s.path[i] === name));
    return {
      exact: inside.filter((s) => s.path.length === path.length),
      below: inside.filter((s) => s.path.length > path.length),
    };
  };
  return { ok: true, outline: { text: source.text, top: body, spanOf, at } };
}

/** The line end the text uses. */
export function endOfLine(text: string): string {
  const first = text.indexOf('\n');
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n';
}

/** The text with one more line after the one that `after` ends on, indented like it. */
export function lineEdit(o: Outline, after: Item, line: string, eol: string): string {
  const place = o.spanOf(after);
  const end = after.type === 'TOMLTable' ? o.spanOf(after.key).end : place.end;
  const start = o.text.lastIndexOf('\n', place.start - 1) + 1;
  const indent = /^[ \t]*/.exec(o.text.slice(start, place.start))?.[0] ?? '';
  const next = o.text.indexOf('\n', end);
  if (next === -1) return `${o.text}${eol}${indent}${line}`;
  return applyEdits(o.text, [{ span: span(next + 1, next + 1), text: `${indent}${line}${eol}` }]).text;
}

export function insertInline(o: Outline, table: AST.TOMLInlineTable, entry: string): Edit {
  const last = table.body.at(-1);
  if (last) {
    const { end } = o.spanOf(last);
    return { span: span(end, end), text: `, ${entry}` };
  }
  const whole = o.spanOf(table);
  const inner = span(whole.start + 1, whole.end - 1);
  if (/^[ \t]*$/.test(o.text.slice(inner.start, inner.end))) return { span: inner, text: ` ${entry} ` };
  return { span: span(inner.start, inner.start), text: ` ${entry}` };
}

/** Takes one entry out of its `{ … }`, with one comma. */
export function removeInline(o: Outline, statement: Statement): Edit {
  const body: Item[] = statement.inline?.body ?? [];
  const index = body.indexOf(statement.item);
  const own = o.spanOf(statement.item);
  const before = body[index - 1];
  const after = body[index + 1];
  const comma = commaAfter(o.text, own.end);
  if (after) {
    const next = o.spanOf(after).start;
    const sameLine = !o.text.slice(own.start, next).includes('\n');
    return { span: span(own.start, sameLine ? next : (comma ?? own.end)), text: '' };
  }
  if (before) {
    const previous = o.spanOf(before).end;
    // Over a line end there may be a comment in between, and a comma may stay before the brace.
    if (!o.text.slice(previous, own.start).includes('\n')) return { span: span(previous, own.end), text: '' };
    return { span: span(own.start, comma ?? own.end), text: '' };
  }
  const whole = statement.inline ? o.spanOf(statement.inline) : own;
  const rest = o.text.slice(whole.start + 1, own.start) + o.text.slice(comma ?? own.end, whole.end - 1);
  if (/^\s*$/.test(rest)) return { span: span(whole.start + 1, whole.end - 1), text: '' };
  return { span: span(own.start, comma ?? own.end), text: '' };
}

/** The offset behind the comma that follows, over blanks, line ends and comments. */
function commaAfter(text: string, from: number): number | undefined {
  const match = /(?:[ \t\r\n]|#[^\n]*\n)*,/y;
  match.lastIndex = from;
  return match.test(text) ? match.lastIndex : undefined;
}

function addPair(
  into: Statement[],
  above: KeyPath,
  table: KeyPath,
  item: AST.TOMLKeyValue,
  inline: AST.TOMLInlineTable | undefined,
): void {
  const path = [...above, ...item.key.keys.map(keyName)];
  into.push({ path, table, item, ...(inline && { inline }) });
  if (item.value.type !== 'TOMLInlineTable') return;
  for (const pair of item.value.body) addPair(into, path, table, pair, item.value);
}

function keyName(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}
