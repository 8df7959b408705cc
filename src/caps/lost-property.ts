/**
 * Properties of an indented cap that its text has swallowed: written with a colon or a capital, or below other text. Each
 * is reported where it stands, and read as it is meant, so that what is wrong with its value is said as well.
 */
import {
  closest,
  type Diagnostic,
  diagnostic,
  type Edit,
  type Fix,
  positionAt,
  type Span,
  span,
} from '../text/index.ts';
import type { Indented, Inline } from '../too/index.ts';
import type { CapRead, CapText } from './cap.ts';
import { dottedHeaders } from './dotted-headers.ts';
import { knownProperties, requiredProperties, standardProperties } from './known-properties.ts';
import { indentAt, type Line, splitLines } from './lines.ts';
import type { CapProperty } from './property.ts';

/** A line of the text that is meant as a property. */
interface Lost {
  readonly line: Line;
  readonly property: CapProperty;
  readonly mark: '=' | ':';
  /** It is written as a property is, and lost only because of what stands above it. */
  readonly right: boolean;
  /** What stands before the value, and the value with its quotes. */
  readonly head: Span;
  readonly written: Span;
}

const shape = /^([A-Za-z][A-Za-z0-9_-]*)[ \t]*(=(?!=)|:(?!\/\/))[ \t]*/;

export function recoverProperties(read: CapRead, body: Indented | Inline): CapRead {
  const { cap } = read;
  const lines = splitLines(cap.source, body.span, indentAt(cap.source.text, body.span.start));
  if (cap.kind === 'psyche' || cap.kind === 'prompt') return warnOfDescription(read, lines);
  const missing = new Set(knownProperties[cap.kind].filter((key) => !has(cap, key)));
  if (missing.size === 0) return read;
  if (cap.kind === 'service' && missing.has('headers')) {
    const problems = dottedHeaders(cap, lines);
    if (problems.length > 0) return { ...read, diagnostics: [...read.diagnostics, ...problems] };
  }
  const leading = readLeading(read, lines, body, missing);
  if (!leading) return readBelow(read, lines, missing) ?? read;
  for (const { key } of leading.read.cap.properties) missing.delete(key);
  return readBelow(leading.read, lines.slice(leading.next), missing) ?? leading.read;
}

/** The lines at the top of the text; undefined when they are not properties. */
function readLeading(
  read: CapRead,
  lines: readonly Line[],
  body: Indented | Inline,
  missing: ReadonlySet<string>,
): { read: CapRead; next: number } | undefined {
  const { cap } = read;
  const { found, next } = readRun(cap, lines, missing);
  if (!found.some(({ property }) => missing.has(property.key))) return undefined;
  const diagnostics = found.flatMap((lost) => {
    if (!lost.right && missing.has(lost.property.key)) return [reportMark(cap, lost)];
    return lost.right && lost.property.value === '' ? [reportEmpty(cap, lost)] : [];
  });
  // A text on the header line is not all there is.
  const rest = body.kind === 'inline' ? cap.body : lines.slice(next).map((line) => line.text);
  const text = typeof rest === 'string' ? rest : rest.join('\n').trim();
  return { read: adopted({ ...read, cap: { ...cap, body: text } }, found, diagnostics), next };
}

/** What is required, and stands somewhere below other text. One report: the text above is one mistake. */
function readBelow(read: CapRead, lines: readonly Line[], missing: ReadonlySet<string>): CapRead | undefined {
  const { cap } = read;
  const top = lines[firstLine(lines)];
  const open = new Set(missing);
  const needed = new Set([...requiredProperties[cap.kind], 'description'].filter((key) => open.has(key)));
  const found: Lost[] = [];
  let fenced = false;
  for (const line of lines) {
    if (/^(?:```|~~~)/.test(line.text)) fenced = !fenced;
    if (fenced || !top || marginOf(cap, line) !== marginOf(cap, top)) continue;
    const lost = lostAt(cap, line, found.length > 0 ? open : needed, false);
    if (!lost) continue;
    open.delete(lost.property.key);
    found.push(lost);
  }
  const [first] = found;
  if (!first || !top) return undefined;
  // The description of a service may be missing: what says so is a warning, and changes nothing.
  const needs = found.some(({ property }) => requiredProperties[cap.kind].includes(property.key));
  const problem = reportBelow(cap, first, top, needs, moveUp(cap, lines, top, found));
  if (needs) return adopted(read, found, [problem]);
  return { cap: { ...cap, told: [first.property.key] }, diagnostics: [...read.diagnostics, problem] };
}

function readRun(cap: CapText, lines: readonly Line[], missing: ReadonlySet<string>): { found: Lost[]; next: number } {
  const found: Lost[] = [];
  const open = new Set(missing);
  let next = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (!line || line.text === '') continue;
    const lost = lostAt(cap, line, open, true);
    if (!lost) break;
    const { property } = lost;
    open.delete(property.key);
    // A list or a map as YAML has it: what is nested below the name belongs to it.
    const nested = property.value === '' || !knownProperties[cap.kind].includes(property.key);
    while (nested && i + 1 < lines.length && (lines[i + 1]?.indent ?? 0) > line.indent) i++;
    const end = nextLine(cap, lines[i] ?? line);
    found.push({ ...lost, property: { ...property, lines: span(line.lineStart, end) } });
    next = i + 1;
  }
  return { found, next };
}

/** With `leading`, a word that is close to a name will do, and names that others use are properties too. */
function lostAt(cap: CapText, line: Line, open: ReadonlySet<string>, leading: boolean): Lost | undefined {
  const match = shape.exec(line.text);
  if (!match) return undefined;
  const [head, word = '', mark] = match;
  const lower = word.toLowerCase();
  const plain = mark === '=' && /^[a-z](?:[a-z0-9_-]*[a-z0-9_])?$/.test(word);
  // What is there already is written twice.
  const others = [...knownProperties[cap.kind], ...(cap.kind === 'skill' ? standardProperties : ['name'])];
  const near = leading && !open.has(lower) && !plain && !others.includes(lower) ? closest(lower, open) : undefined;
  const known = open.has(lower) ? lower : near;
  if (known === undefined && !(leading && (plain || others.includes(lower)))) return undefined;
  const key = known ?? lower;
  const rest = line.text.slice(head.length);
  const comment = rest.startsWith('#') ? 0 : rest.search(/\s#/);
  const written = (comment === -1 ? rest : rest.slice(0, comment)).trimEnd();
  const block = mark === ':' && /^[|>][-+0-9]*$/.test(written);
  const quoted = mark === ':' ? /^(["'])([^"'\\#\s](?:[^"'\\#]*[^"'\\#\s])?)\1$/.exec(written) : null;
  const start = line.start + head.length;
  const value = block ? '' : (quoted?.[2] ?? written);
  const valueStart = start + (quoted ? 1 : 0);
  return {
    line,
    mark: mark === '=' ? '=' : ':',
    right: plain && word === key,
    head: span(line.start, start),
    written: span(start, start + written.length),
    property: {
      key,
      keySpan: span(line.start, line.start + word.length),
      shape: value === '' ? 'broken' : 'text',
      value,
      valueSpan: span(valueStart, valueStart + value.length),
      items: [],
      lines: span(line.lineStart, nextLine(cap, line)),
    },
  };
}

function reportMark(cap: CapText, lost: Lost): Diagnostic {
  const { property, mark, line } = lost;
  const { key } = property;
  const word = cap.source.text.slice(property.keySpan.start, property.keySpan.end);
  const why =
    word === key || mark === ':' ? 'in an indented cap a property takes "="' : `the name of the property is "${key}"`;
  const message = `${cap.kind} "${cap.name}" has no "${key}": this line is read as text, because ${why}.`;
  const fix: Fix = { title: `write "${key} ="`, edits: mended(lost) };
  return diagnostic('TOO5223', cap.source, span(line.start, line.end), message, {
    help: `Write "${key} = …".`,
    ...(property.value !== '' && { fix }),
  });
}

/** What the parser says of such a line where it reads it. */
function reportEmpty(cap: CapText, { property: { key, keySpan } }: Lost): Diagnostic {
  return diagnostic('TOO1502', cap.source, keySpan, `property "${key}" has no value.`, {
    help: `Write "${key} = …", or remove the line.`,
  });
}

function reportBelow(cap: CapText, lost: Lost, top: Line, needed: boolean, fix: Fix | undefined): Diagnostic {
  const { source, kind, name } = cap;
  const { key } = lost.property;
  const { line } = positionAt(source, top.start);
  const message = `${kind} "${name}" has no "${key}": this line is read as text, because the text begins at line ${line}.`;
  const comment = top.text.startsWith('#') ? ' Below the header of a cap, a "#" line is text.' : '';
  return diagnostic(needed ? 'TOO5223' : 'TOO5224', source, span(lost.line.start, lost.line.end), message, {
    related: [{ source, span: span(top.start, top.end), message: 'the text begins here' }],
    help: `Put "${key} = …" above the text.${comment}`,
    ...(fix && { fix }),
  });
}

/** Only over lines that were meant as comments: of any other text nobody knows where it should stand. */
function moveUp(cap: CapText, lines: readonly Line[], top: Line, found: readonly Lost[]): Fix | undefined {
  const own = new Set(found.map(({ line }) => line));
  const last = found.at(-1)?.line.start ?? 0;
  const between = lines.filter((line) => line.start < last && line.text !== '' && !own.has(line));
  if (between.some((line) => !line.text.startsWith('#'))) return undefined;
  if (found.some(({ property }) => property.value === '')) return undefined;
  const { text } = cap.source;
  const moved = found.map(({ property, line, written }) => {
    const comment = text.slice(written.end, line.end);
    return `${marginOf(cap, line)}${property.key} = ${property.value}${comment}\n`;
  });
  // With the line end before it: the last line of a body may have none behind it.
  const removed = found.map(({ line }) => {
    const end = line.lineStart - (text.charAt(line.lineStart - 2) === '\r' ? 2 : 1);
    return { span: span(end, line.end), text: '' };
  });
  return {
    title: 'move it above the text',
    edits: [{ span: span(top.lineStart, top.lineStart), text: moved.join('') }, ...removed],
  };
}

function mended({ property, head, written }: Lost): Edit[] {
  const { key, value } = property;
  const edit = { span: head, text: `${key} = ` };
  return value.length === written.end - written.start ? [edit] : [edit, { span: written, text: String(value) }];
}

function adopted(read: CapRead, found: readonly Lost[], problems: readonly Diagnostic[]): CapRead {
  const properties = [...read.cap.properties, ...found.map(({ property }) => property)];
  return { cap: { ...read.cap, properties }, diagnostics: [...read.diagnostics, ...problems] };
}

/** Psyches and prompts need no description; one that looks like it may still be meant. */
function warnOfDescription(read: CapRead, lines: readonly Line[]): CapRead {
  const { cap } = read;
  const line = lines.find(({ text }) => text !== '' && !text.startsWith('#'));
  if (!line || has(cap, 'description') || !/^description[ \t]*[:=](?!=)/i.test(line.text)) return read;
  const below = line !== lines[firstLine(lines)];
  const problem = diagnostic('TOO5212', cap.source, span(line.start, line.end), 'this line is read as text.', {
    help: below
      ? 'For a description, write "description = …" above the "#" line: below the header of a cap it is text.'
      : 'For a description, write "description = …": in an indented cap a property takes "=".',
  });
  return { ...read, diagnostics: [...read.diagnostics, problem] };
}

function firstLine(lines: readonly Line[]): number {
  const first = lines.findIndex((line) => line.text !== '');
  return first === -1 ? lines.length : first;
}

/** Under its name, or under one that is close to it. */
function has(cap: CapText, key: string): boolean {
  return cap.properties.some((property) => property.key === key || closest(property.key, [key]) === key);
}

/** A body ends before its last line end, which belongs to the line all the same. */
function nextLine(cap: CapText, line: Line): number {
  const { text } = cap.source;
  const found = /^\r?\n/.exec(text.slice(line.next, line.next + 2));
  return line.next === line.end && found ? line.next + found[0].length : line.next;
}

function marginOf(cap: CapText, line: Line): string {
  return cap.source.text.slice(line.lineStart, line.start);
}
