/** Checks one `config.toml` against the schema, and says everything that is wrong with it at once. */
import {
  byPosition,
  closest,
  type Diagnostic,
  diagnostic,
  didYouMean,
  type Source,
  type Span,
  span,
} from '../text/index.ts';
import { type KeyPath, keyText } from './key-path.ts';
import { nameProblem, textProblem } from './rules.ts';
import {
  type Config,
  configSchema,
  type ListSchema,
  type MapSchema,
  type NumberSchema,
  type Schema,
  type TableSchema,
  type TextSchema,
} from './schema.ts';
import { readToml, type TomlEntry, type TomlNode } from './toml.ts';

/** One file's settings. `places` tells where each key stands, by its `keyText`. */
export interface ConfigLayer {
  readonly source: Source;
  readonly config: Config;
  readonly places: ReadonlyMap<string, ConfigPlace>;
}

export interface ConfigPlace {
  readonly key: Span;
  readonly value: Span;
  /** Of a list: those of its items, in order. */
  readonly items?: readonly Span[];
}

export interface LoadedConfig {
  /**
   * What was right, and what a misspelt key was meant to be. With errors, wrong values and items are left out, and the
   * caller should go no further than to look for more errors.
   */
  readonly layer: ConfigLayer;
  readonly diagnostics: readonly Diagnostic[];
}

export function loadConfig(source: Source): LoadedConfig {
  const read = readToml(source);
  const c: Checker = { source, diagnostics: [...read.diagnostics], places: new Map() };
  const config = read.table ? checkTable(c, [], configSchema, read.table) : {};
  const layer: ConfigLayer = {
    source,
    // The checker has walked the value along the schema the type is made of.
    config: (config ?? {}) as Config,
    places: c.places,
  };
  return { layer, diagnostics: byPosition(c.diagnostics) };
}

interface Checker {
  readonly source: Source;
  readonly diagnostics: Diagnostic[];
  readonly places: Map<string, ConfigPlace>;
}

function check(c: Checker, path: KeyPath, schema: Schema, node: TomlNode): unknown {
  switch (schema.kind) {
    case 'table':
      return checkTable(c, path, schema, node);
    case 'map':
      return checkMap(c, path, schema, node);
    case 'list':
      return checkList(c, path, schema, node);
    case 'number':
      return checkNumber(c, path, schema, node);
    case 'text':
      return checkText(c, path, schema, node);
  }
}

function checkTable(c: Checker, path: KeyPath, schema: TableSchema, node: TomlNode): unknown {
  if (node.kind !== 'table') return wrongType(c, path, schema, node);
  const result: [string, unknown][] = [];
  const guessed = new Set<string>();
  for (const [name, entry] of node.entries) {
    const known = Object.hasOwn(schema.keys, name) ? schema.keys[name] : undefined;
    if (known) addChecked(c, [...path, name], known, entry, result);
    else {
      const near = unknownKey(c, path, name, schema, entry);
      const meant = near === undefined ? undefined : schema.keys[near];
      // Read as it is meant, so that the rest is looked at too; what stands there by its right name goes before it.
      if (near === undefined || !meant || node.entries.has(near) || guessed.has(near)) continue;
      guessed.add(near);
      addChecked(c, [...path, near], meant, entry, result);
    }
  }
  for (const [name, known] of Object.entries(schema.keys)) {
    if (!known.required || result.some(([key]) => key === name)) continue;
    // A wrong value has its own report.
    if (node.entries.has(name) || guessed.has(name)) return undefined;
    const where = c.places.get(keyText(path))?.key ?? span(node.span.start, node.span.start);
    c.diagnostics.push(
      diagnostic('TOO5110', c.source, where, `"${keyText(path)}" has no "${name}".`, {
        help: `Write ${name} = ${exampleOf(known)}.`,
      }),
    );
    return undefined;
  }
  return Object.fromEntries(result);
}

function checkMap(c: Checker, path: KeyPath, schema: MapSchema, node: TomlNode): unknown {
  if (node.kind !== 'table') return wrongType(c, path, schema, node);
  const result: [string, unknown][] = [];
  for (const [name, entry] of node.entries) {
    const problem = nameProblem(schema.name, name);
    if (problem) {
      c.diagnostics.push(diagnostic('TOO5107', c.source, entry.keySpan, problem.message, { help: problem.help }));
    }
    addChecked(c, [...path, name], schema.value, entry, result);
  }
  return Object.fromEntries(result);
}

function addChecked(c: Checker, path: KeyPath, schema: Schema, entry: TomlEntry, into: [string, unknown][]): void {
  c.places.set(keyText(path), { key: entry.keySpan, value: entry.value.span });
  const value = check(c, path, schema, entry.value);
  if (value !== undefined) into.push([path.at(-1) ?? '', value]);
}

function checkList(c: Checker, path: KeyPath, schema: ListSchema, node: TomlNode): unknown {
  if (node.kind === 'text') {
    c.diagnostics.push(
      diagnostic('TOO5104', c.source, node.span, `"${keyText(path)}" takes a list, not one text.`, {
        help: `Write ${keyText(path.slice(-1))} = [${c.source.text.slice(node.span.start, node.span.end)}].`,
        fix: {
          title: 'make it a list',
          edits: [
            { span: span(node.span.start, node.span.start), text: '[' },
            { span: span(node.span.end, node.span.end), text: ']' },
          ],
        },
      }),
    );
  } else if (node.kind !== 'list') return wrongType(c, path, schema, node);
  const items: string[] = [];
  const spans: Span[] = [];
  for (const item of node.kind === 'list' ? node.items : [node]) {
    const text = checkText(c, path, schema.item, item);
    if (text === undefined) continue;
    items.push(text);
    spans.push(item.span);
  }
  const place = c.places.get(keyText(path));
  if (place) c.places.set(keyText(path), { ...place, items: spans });
  return items;
}

function checkNumber(c: Checker, path: KeyPath, schema: NumberSchema, node: TomlNode): number | undefined {
  if (node.kind !== 'number') return wrongType(c, path, schema, node);
  const name = keyText(path);
  const { min, max, integer } = schema;
  const range = max === undefined ? `${min} or more` : `from ${min} to ${max}`;
  if (!Number.isFinite(node.value) || node.value < min || (max !== undefined && node.value > max)) {
    const message = `"${name}" is ${integer ? 'a whole number' : 'a number'} ${range}.`;
    c.diagnostics.push(diagnostic('TOO5106', c.source, node.span, message));
    return undefined;
  }
  if (integer && !Number.isSafeInteger(node.value)) {
    const message = `"${name}" is a whole number ${range}${node.integer ? ', and this one is too large' : ''}.`;
    c.diagnostics.push(diagnostic(node.integer ? 'TOO5106' : 'TOO5104', c.source, node.span, message));
    return undefined;
  }
  return node.value;
}

function checkText(c: Checker, path: KeyPath, schema: TextSchema, node: TomlNode): string | undefined {
  if (node.kind !== 'text') return wrongType(c, path, schema, node);
  if (schema.values) return checkChoice(c, path, schema.values, node.value, node.span);
  const problem = textProblem(schema.rule, node.value);
  if (!problem) return node.value;
  const code = schema.rule === 'permission' ? 'TOO5108' : 'TOO5109';
  const message = `"${keyText(path)}" ${problem.message}`;
  const help = problem.help ?? `Write for example ${JSON.stringify(schema.example)}.`;
  c.diagnostics.push(diagnostic(code, c.source, node.span, message, { help }));
  return undefined;
}

function checkChoice(
  c: Checker,
  path: KeyPath,
  values: readonly string[],
  value: string,
  at: Span,
): string | undefined {
  if (values.includes(value)) return value;
  const near = closest(value, values);
  const message = `"${keyText(path)}" is one of ${values.map((v) => `"${v}"`).join(', ')}, not "${value}".`;
  c.diagnostics.push(
    diagnostic('TOO5105', c.source, at, message + didYouMean(near), {
      ...(near !== undefined && { fix: { title: `change it to "${near}"`, edits: [{ span: at, text: `"${near}"` }] } }),
    }),
  );
  return undefined;
}

function wrongType(c: Checker, path: KeyPath, schema: Schema, node: TomlNode): undefined {
  const name = path.length === 0 ? 'the config' : `"${keyText(path)}"`;
  const message = `${name} takes ${typeName(schema)}, not ${nodeName(node)}.`;
  const last = keyText(path.slice(-1));
  c.diagnostics.push(diagnostic('TOO5104', c.source, node.span, message, { help: helpFor(schema, last, path) }));
  return undefined;
}

function helpFor(schema: Schema, last: string, path: KeyPath): string {
  if (schema.kind === 'table' || schema.kind === 'map') {
    const [name, inner] =
      schema.kind === 'map' ? ['NAME', schema.value] : (Object.entries(schema.keys)[0] ?? ['', schema]);
    if (path.length < 2) return `Write [${keyText(path)}], and below it ${name} = ${exampleOf(inner)}.`;
    return `Write ${last} = ${exampleOf(schema)}.`;
  }
  return `Write ${last} = ${exampleOf(schema)}.`;
}

/** Gives the key that is meant, if there is one. */
function unknownKey(
  c: Checker,
  path: KeyPath,
  name: string,
  schema: TableSchema,
  entry: TomlEntry,
): string | undefined {
  const names = Object.keys(schema.keys);
  const near = closest(name, names);
  const elsewhere = near === undefined ? tablesWith(name) : [];
  const where = path.length === 0 ? 'config.toml' : `[${keyText(path)}]`;
  const help =
    elsewhere.length > 0
      ? `There is a "${name}" in ${elsewhere.join(' and ')}.`
      : `Known here: ${names.map((n) => `"${n}"`).join(', ')}.`;
  c.diagnostics.push(
    diagnostic('TOO5103', c.source, entry.keySpan, `${where} has no key "${name}".${didYouMean(near)}`, {
      help,
      ...(near !== undefined && {
        fix: { title: `change it to "${near}"`, edits: [{ span: entry.keySpan, text: near }] },
      }),
    }),
  );
  return near;
}

/** A right key in the wrong table is the likeliest reason for one that nothing is close to. */
function tablesWith(name: string): string[] {
  return Object.entries<Schema>(configSchema.keys)
    .filter(([, schema]) => schema.kind === 'table' && Object.hasOwn(schema.keys, name))
    .map(([table]) => `[${table}]`);
}

function exampleOf(schema: Schema): string {
  switch (schema.kind) {
    case 'text':
      return JSON.stringify(schema.example);
    case 'number':
      return String(schema.default ?? Math.max(schema.min, 10));
    case 'list':
      return `[${JSON.stringify(schema.item.example)}]`;
    case 'map':
      return `{ NAME = ${exampleOf(schema.value)} }`;
    case 'table': {
      const [name, inner] = Object.entries(schema.keys)[0] ?? [];
      return name === undefined || inner === undefined ? '{}' : `{ ${name} = ${exampleOf(inner)} }`;
    }
  }
}

function typeName(schema: Schema): string {
  if (schema.kind === 'number') return schema.integer ? 'a whole number' : 'a number';
  if (schema.kind === 'list') return 'a list of texts';
  return schema.kind === 'text' ? 'a text in quotes' : 'a table';
}

function nodeName(node: TomlNode): string {
  if (node.kind === 'boolean') return String(node.value);
  return { table: 'a table', list: 'a list', text: 'a text', number: 'a number', date: 'a date' }[node.kind];
}
