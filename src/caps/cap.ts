/**
 * A cap as it is written, in one neutral form: made from the `key = value` lines of an inline cap, from the frontmatter
 * of a fenced one, or from a file, so that validators are written once.
 */
import { type Diagnostic, diagnostic, type Source, type Span, span } from '../text/index.ts';
import type { Cap, CapKind } from '../too/index.ts';
import { type FrontmatterOptions, readFrontmatter } from './frontmatter.ts';
import { readLateFile, readLateFrontmatter } from './late-frontmatter.ts';
import { indentAt } from './lines.ts';
import { recoverProperties } from './lost-property.ts';
import type { CapProperty } from './property.ts';
import { splitCapFile } from './split.ts';
import { trimBlankLines } from './trim.ts';

export interface CapText {
  readonly kind: CapKind;
  readonly name: string;
  /** Of a file, which has no name in it: its opening `---`, or its start. */
  readonly nameSpan: Span;
  readonly form: 'inline' | 'file';
  /** How its properties are written: `key = value`, or `key: value` between `---` lines. */
  readonly syntax: 'equals' | 'frontmatter';
  readonly properties: readonly CapProperty[];
  readonly hasFrontmatter: boolean;
  /** Something of it could not be read and has been reported: what seems missing may just be unread. */
  readonly unread: boolean;
  /** Properties that are missing, and reported as such. */
  readonly told?: readonly string[];
  /** LF line ends, without outer blank lines. */
  readonly body: string;
  readonly bodySpan: Span;
  readonly source: Source;
}

export interface CapRead {
  readonly cap: CapText;
  readonly diagnostics: readonly Diagnostic[];
}

/** An inline cap of a parsed `.too` file. */
export function capFromTree(source: Source, node: Cap): CapRead {
  const { kind, name, body } = node;
  const end = span(node.span.end, node.span.end);
  if (body?.kind !== 'fenced') {
    const cap: CapText = {
      kind,
      name: name.text,
      nameSpan: name.span,
      form: 'inline',
      source,
      syntax: 'equals',
      properties: node.properties.map((property) => fromTree(source, property)),
      hasFrontmatter: false,
      unread: false,
      body: trimBlankLines(body?.text ?? ''),
      bodySpan: body?.span ?? end,
    };
    const read: CapRead = { cap, diagnostics: [] };
    if (!body) return withUnique(read);
    return withUnique((body.kind === 'indented' && readLateFrontmatter(read, body)) || recoverProperties(read, body));
  }
  const within = body.frontmatter && innerSpan(source.text, body.frontmatter);
  const margin = body.close ? indentAt(source.text, body.close.start) : 0;
  const read = within ? readFrontmatter(source, within, { margin }) : undefined;
  const unclosed = !body.close || (!within && /^[ \t]*---[ \t]*(?:\n|$)/.test(body.text));
  const cap: CapText = {
    kind,
    name: name.text,
    nameSpan: name.span,
    form: 'inline',
    source,
    syntax: 'frontmatter',
    properties: read?.entries ?? [],
    hasFrontmatter: within !== undefined,
    unread: unclosed || read?.unread === true,
    body: trimBlankLines(body.text),
    bodySpan: body.content ?? end,
  };
  const result: CapRead = { cap, diagnostics: read?.diagnostics ?? [] };
  return (!within && !unclosed && readLateFrontmatter(result, body)) || result;
}

/** A Markdown file; `name` is that of the file without `.md`, or of the skill's directory. */
export function capFromFile(kind: CapKind, name: string, source: Source, options: FrontmatterOptions = {}): CapRead {
  const parts = splitCapFile(source);
  const read = parts.frontmatter && readFrontmatter(source, parts.frontmatter, options);
  const control = parts.frontmatter ? controlCharacter(source, parts.frontmatter) : [];
  const diagnostics = [...parts.diagnostics, ...(read?.diagnostics ?? []), ...control];
  const text = source.text.slice(parts.body.start, parts.body.end);
  const cap: CapText = {
    kind,
    name,
    nameSpan: parts.open ?? span(parts.body.start, parts.body.start),
    form: 'file',
    syntax: 'frontmatter',
    properties: read?.entries ?? [],
    hasFrontmatter: parts.frontmatter !== undefined,
    unread: parts.diagnostics.length > 0 || control.length > 0 || read?.unread === true,
    body: trimBlankLines(text),
    bodySpan: parts.body,
    source,
  };
  const result: CapRead = { cap, diagnostics };
  return (!parts.open && readLateFile(result)) || result;
}

function fromTree(source: Source, property: Cap['properties'][number]): CapProperty {
  const { key, value } = property;
  const { text } = source;
  const lineStart = text.lastIndexOf('\n', property.span.start - 1) + 1;
  const lineEnd = text.indexOf('\n', value.span.end);
  return {
    key: key.text,
    keySpan: key.span,
    // A property without a value is a mistake of syntax, and reported as one.
    shape: value.text === '' ? 'broken' : 'text',
    value: value.text,
    valueSpan: value.span,
    items: [],
    lines: span(lineStart, lineEnd === -1 ? text.length : lineEnd + 1),
  };
}

/** Frontmatter reports its own double keys; those of `key = value` lines are found here. */
function withUnique({ cap, diagnostics: before }: CapRead): CapRead {
  const diagnostics = [...before];
  const known = new Map<string, CapProperty>();
  for (const property of cap.properties) {
    const first = known.get(property.key);
    if (!first) {
      known.set(property.key, property);
      continue;
    }
    diagnostics.push(
      diagnostic('TOO5202', cap.source, property.keySpan, `"${property.key}" is written twice.`, {
        related: [{ source: cap.source, span: first.keySpan, message: `"${property.key}" is first written here.` }],
        help: 'Keep one of the two.',
        fix: { title: `remove this "${property.key}"`, guess: true, edits: [{ span: property.lines, text: '' }] },
      }),
    );
  }
  return { cap: { ...cap, properties: [...known.values()] }, diagnostics };
}

/** What lies between the `---` lines of a span that covers them. */
function innerSpan(text: string, whole: Span): Span {
  const first = text.indexOf('\n', whole.start);
  const start = first === -1 || first >= whole.end ? whole.end : first + 1;
  const last = text.lastIndexOf('\n', whole.end - 1) + 1;
  return span(start, Math.max(start, Math.min(last, whole.end)));
}

function controlCharacter(source: Source, within: Span): Diagnostic[] {
  const found = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\r(?!\n)/.exec(
    source.text.slice(within.start, within.end),
  );
  if (!found) return [];
  const at = within.start + found.index;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return [
    diagnostic('TOO5201', source, span(at, at + 1), `the control character U+${code} cannot stand in frontmatter.`),
  ];
}
