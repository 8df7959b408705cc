/**
 * Sets or removes one entry of a TOML text and leaves everything else as it is written: comments, order, quoting, line
 * ends. Each edit is checked before it is given out: the new text must read as the old one with just that change.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AST } from 'toml-eslint-parser';
import { applyEdits, createSource, type Diagnostic, diagnostic, type Edit, type Source, span } from '../text/index.ts';
import { type KeyPath, keyText } from './key-path.ts';
import { endOfLine, insertInline, lineEdit, type Outline, outline, removeInline, type Statement } from './outline.ts';
import { isWritable, renderEntry, renderValue, type TomlValue } from './render.ts';
import { readToml, type TomlNode } from './toml.ts';

export type EditResult =
  | { readonly ok: true; readonly text: string; readonly changed: boolean }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** `setEntry(source, ['skills', 'reviewer'], { ref: '…' })`. An entry that is there gets the new value in its place. */
export function setEntry(source: Source, path: KeyPath, value: TomlValue): EditResult {
  if (path.length === 0 || !path.every(isWritable) || !isWritable(value)) {
    return refuse(source, path, 'it is not something that TOML can hold');
  }
  return finish(source, path, setIn(source, path, value), value);
}

/** Removes the entry and everything below it. One that is not there changes nothing. */
export function removeEntry(source: Source, path: KeyPath): EditResult {
  return finish(source, path, path.length === 0 ? 'no key is named' : removeIn(source, path), undefined);
}

/** The new text, a reason why there is none, or what is wrong with the old one. */
type Outcome = { readonly text: string } | string | Diagnostic;

function finish(source: Source, path: KeyPath, outcome: Outcome, value: TomlValue | undefined): EditResult {
  if (typeof outcome === 'string') return refuse(source, path, outcome);
  if ('code' in outcome) return { ok: false, diagnostic: outcome };
  const before = plainOf(source);
  const after = plainOf(createSource(source.name, outcome.text));
  if (
    before === undefined ||
    after === undefined ||
    !isDeepStrictEqual(pruned(after), pruned(changed(before, path, value)))
  ) {
    return refuse(source, path, 'the way the file is written leaves no place for it');
  }
  return { ok: true, text: outcome.text, changed: outcome.text !== source.text };
}

function refuse(source: Source, path: KeyPath, why: string): EditResult {
  const message = `"${keyText(path)}" cannot be changed here: ${why}.`;
  return {
    ok: false,
    diagnostic: diagnostic('TOO5111', source, span(0, 0), message, { help: 'Change the file by hand.' }),
  };
}

function setIn(source: Source, path: KeyPath, value: TomlValue, eol = endOfLine(source.text)): Outcome {
  const read = outline(source);
  if (!read.ok) return read.diagnostic;
  const { exact, below } = read.outline.at(path);
  const isTable = typeof value === 'object' && !Array.isArray(value);
  const [first] = exact;
  if (first && first.item.type === 'TOMLKeyValue' && !(isTable && first.item.value.type === 'TOMLInlineTable')) {
    const at = read.outline.spanOf(first.item.value);
    return { text: applyEdits(source.text, [{ span: at, text: renderValue(value) }]).text };
  }
  if (exact.length === 0 && below.length === 0) return addIn(source, read.outline, path, value, eol);
  if (!isTable) return 'a table of that name is there';
  return setTable(source, path, value as { readonly [key: string]: TomlValue });
}

/** A table that is there keeps its form; its keys are set one by one, and those the new value lacks are removed. */
function setTable(source: Source, path: KeyPath, value: { readonly [key: string]: TomlValue }): Outcome {
  let text = source.text;
  const step = (outcome: Outcome): Outcome | undefined => {
    if (typeof outcome === 'string' || 'code' in outcome) return outcome;
    text = outcome.text;
    return undefined;
  };
  const now = plainAt(plainOf(source), path);
  const known = typeof now === 'object' && now !== null && !Array.isArray(now) ? Object.keys(now) : [];
  // New keys first, so that the table never is empty and lost in between.
  for (const [key, inner] of Object.entries(value)) {
    const failed = step(setIn(createSource(source.name, text), [...path, key], inner));
    if (failed !== undefined) return failed;
  }
  for (const key of known.filter((name) => !Object.hasOwn(value, name))) {
    const failed = step(removeIn(createSource(source.name, text), [...path, key]));
    if (failed !== undefined) return failed;
  }
  const left = createSource(source.name, text);
  // Dotted keys leave no trace when the last one goes: an empty table is then written out.
  return plainAt(plainOf(left), path) === undefined ? setIn(left, path, value, endOfLine(source.text)) : { text };
}

function addIn(source: Source, o: Outline, path: KeyPath, value: TomlValue, eol: string): Outcome {
  for (let depth = path.length - 1; depth > 0; depth--) {
    const parent = path.slice(0, depth);
    const rest = path.slice(depth);
    const { exact, below } = o.at(parent);
    const inline = exact.find((s) => s.item.type === 'TOMLKeyValue');
    if (inline) {
      const table = inline.item.type === 'TOMLKeyValue' ? inline.item.value : undefined;
      if (table?.type !== 'TOMLInlineTable') return `"${keyText(parent)}" is not a table`;
      return { text: applyEdits(source.text, [insertInline(o, table, renderEntry(rest, value))]).text };
    }
    if (exact.some((s) => s.item.type === 'TOMLTable' && s.item.kind === 'array')) {
      return `"${keyText(parent)}" is a list of tables`;
    }
    const header = exact.find((s) => s.item.type === 'TOMLTable');
    if (header && depth === path.length - 1) {
      const last = header.item.type === 'TOMLTable' ? header.item.body.at(-1) : undefined;
      return { text: lineEdit(o, last ?? header.item, renderEntry(rest, value), eol) };
    }
    // Dotted keys, as `skills.a = …`: the new one stands beside the last of them.
    const dotted = below.findLast((s) => s.item.type === 'TOMLKeyValue' && !s.inline && s.table.length < depth);
    if (dotted) return { text: lineEdit(o, dotted.item, renderEntry(path.slice(dotted.table.length), value), eol) };
  }
  return { text: append(source, o, path, value, eol) };
}

function append(source: Source, o: Outline, path: KeyPath, value: TomlValue, eol: string): string {
  const { text } = source;
  const entry = renderEntry(path.slice(-1), value);
  if (path.length === 1) {
    const top = o.top.findLast((item): item is AST.TOMLKeyValue => item.type === 'TOMLKeyValue');
    if (top) return lineEdit(o, top, entry, eol);
    const from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    return applyEdits(text, [{ span: span(from, from), text: `${entry}${eol}` }]).text;
  }
  const gap = text.replace('\ufeff', '') === '' ? '' : /(^|\n)[ \t]*\r?\n$/.test(text) ? '' : eol;
  const closed = text === '' || text === '\ufeff' || text.endsWith('\n') ? '' : eol;
  return `${text}${closed}${gap}[${keyText(path.slice(0, -1))}]${eol}${entry}${eol}`;
}

function removeIn(source: Source, path: KeyPath): Outcome {
  const read = outline(source);
  if (!read.ok) return read.diagnostic;
  const o = read.outline;
  const { exact, below } = o.at(path);
  const all = [...exact, ...below];
  // Entries in `{ … }` share commas: one goes, then the rest is looked at again. What lies inside it goes with it.
  const inline = all.find((s) => s.inline !== undefined && !all.some((other) => holds(other, s)));
  if (inline) {
    const { text } = applyEdits(source.text, [removeInline(o, inline)]);
    return removeIn(createSource(source.name, text), path);
  }
  const lines = all.filter((s) => s.inline === undefined).map((s) => wholeLines(o, s));
  return { text: applyEdits(source.text, lines).text };
}

function holds(outer: Statement, inner: Statement): boolean {
  return outer.item.type === 'TOMLKeyValue' && outer.item.value === inner.inline;
}

/** A header goes alone: the entries below it are statements of their own, and comments between them stay. */
function wholeLines(o: Outline, statement: Statement): Edit {
  const { item } = statement;
  const from = o.spanOf(item).start;
  const to = item.type === 'TOMLTable' ? o.spanOf(item.key).end : o.spanOf(item).end;
  const start = o.text.lastIndexOf('\n', from - 1) + 1;
  const end = o.text.indexOf('\n', to);
  const first = start === 0 && o.text.charCodeAt(0) === 0xfeff ? 1 : start;
  return { span: span(first, end === -1 ? o.text.length : end + 1), text: '' };
}

/** The values of a text, without places. */
function plainOf(source: Source): unknown {
  const read = readToml(source);
  return read.table && read.diagnostics.length === 0 ? plain(read.table) : undefined;
}

function plain(node: TomlNode): unknown {
  if (node.kind === 'table') return Object.fromEntries([...node.entries].map(([name, e]) => [name, plain(e.value)]));
  if (node.kind === 'list') return node.items.map(plain);
  return node.kind === 'date' ? 'date' : node.value;
}

function plainAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
}

/** Without empty tables: one emptied by a removal may stay or go with its last key. */
function pruned(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const kept = Object.entries(value)
    .map(([key, inner]) => [key, pruned(inner)] as const)
    .filter(([, inner]) => !(isRecord(inner) && Object.keys(inner).length === 0));
  return Object.fromEntries(kept);
}

/** `before` with one entry changed. */
function changed(before: unknown, path: KeyPath, value: TomlValue | undefined): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const entries = isRecord(before) ? Object.entries(before) : [];
  const inner = isRecord(before) && Object.hasOwn(before, name) ? before[name] : undefined;
  if (value === undefined && inner === undefined) return before;
  const next = changed(inner, rest, value);
  const others = entries.filter(([key]) => key !== name);
  return Object.fromEntries(next === undefined ? others : [...others, [name, next]]);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
