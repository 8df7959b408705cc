/** Reads inline caps, and the reusable context and instruct templates. */
import { atFence, readFenced, readIndented, readInline, restIsEmpty, skipBlankLines } from './block.ts';
import { afterTrivia, isTrivia, skipTrivia } from './body.ts';
import { endHeader, missingName, movedBelow, readColon, readValueName } from './header.ts';
import type { Line } from './line.ts';
import { endLine } from './line-end.ts';
import { isNamedHeader, isRoughHeader } from './line-kind.ts';
import { noteIndent } from './margin.ts';
import { dedent } from './raw.ts';
import { currentLine, nextLine, quote, type Reader, report, skipBlanks, take, takeTo, takeWord } from './reader.ts';
import type { Cap, CapKind, Indented, Property, Template, TemplateKind } from './tree.ts';

const PROPERTY = /([a-z](?:[a-z0-9_-]*[a-z0-9_])?)([ \t\f]*)(\+=|-=|=(?!=))/y;

/** The cursor stands behind the keyword. */
export function readCap(r: Reader, kind: CapKind, start: number, indent: number): Omit<Cap, 'doc'> {
  const what = `a ${kind}`;
  const name = readValueName(r, 'name', what, true) ?? missingName(r, what, `${kind} name:`);
  const end = r.at;
  const properties: Property[] = [];
  let body: Cap['body'];
  if (!readColon(r, what)) endLine(r, `the header of ${what}`);
  else if (restIsEmpty(r)) endLine(r, `the header of ${what}`);
  else if (atFence(r)) body = readFenced(r, what, true);
  else {
    const help = `Put properties ("description = …") and text on the lines below, indented.`;
    const ended = endHeader(r, what, help, movedBelow);
    const property = ended ? undefined : propertyAt(r, r.at);
    if (property) properties.push(readProperty(r, property));
    else if (!ended) body = readInline(r, `the text of ${what}`);
  }
  if (body?.kind !== 'fenced') {
    readOverComment(r, indent, what);
    const lost = !body && indentLost(r, indent, what);
    if (!body) readProperties(r, indent, properties, lost);
    const text = lost ? readLost(r) : readIndented(r, indent);
    body ??= text;
  }
  const last = Math.max(end, properties.at(-1)?.span.end ?? 0, body?.span.end ?? 0);
  return { kind, span: { start, end: last }, name, properties, ...(body && { body }) };
}

/** The cursor stands behind the keyword. */
export function readTemplate(r: Reader, kind: TemplateKind, start: number, indent: number): Omit<Template, 'doc'> {
  const what = kind === 'context' ? 'a context template' : 'an instruct template';
  const name = readValueName(r, 'name', what, true);
  const end = r.at;
  let body: Template['body'];
  if (!readColon(r, what)) endLine(r, `the header of ${what}`);
  else if (restIsEmpty(r)) endLine(r, `the header of ${what}`);
  else if (atFence(r)) body = readFenced(r, what, false);
  else {
    const ended = endHeader(r, what, 'Put the text on the lines below, indented.', movedBelow);
    if (!ended) body = readInline(r, `the text of ${what}`);
  }
  if (body?.kind !== 'fenced') {
    readOverComment(r, indent, what);
    const text = !body && indentLost(r, indent, what) ? readLost(r) : readIndented(r, indent);
    body ??= text;
  }
  return { kind, span: { start, end: body?.span.end ?? end }, ...(name && { name }), ...(body && { body }) };
}

/** The leading `key = value` lines of an indented body; blank lines may stand between them. */
function readProperties(r: Reader, indent: number, properties: Property[], lost: boolean): void {
  const least = lost ? indent - 1 : indent;
  for (let found = nextProperty(r, least); found; found = nextProperty(r, least)) {
    skipBlankLines(r);
    noteIndent(r, r.line);
    takeTo(r, 'blank', currentLine(r).text);
    properties.push(readProperty(r, found));
  }
}

interface PropertyHead {
  readonly key: string;
  readonly op: string;
}

/** The cursor stands on the key. */
function readProperty(r: Reader, head: PropertyHead): Property {
  const key = takeWord(r, 'key', head.key.length);
  skipBlanks(r);
  const op = take(r, 'operator', head.op.length);
  if (head.op !== '=') {
    report(r, 'TOO1501', op, `"${head.op}" is an operator of thunk directives; a property takes "=".`, {
      fix: { title: 'replace with "="', edits: [{ span: op, text: '=' }] },
    });
  }
  const { start } = key.span;
  if (!restIsEmpty(r)) {
    const { text, span } = readInline(r, `property "${key.text}"`);
    return { kind: 'property', span: { start, end: span.end }, key, value: { text, span } };
  }
  report(r, 'TOO1502', key.span, `property ${quote(r, key.span)} has no value.`, {
    help: `Write "${key.text} = …", or remove the line.`,
  });
  endLine(r, 'a property');
  const value = { text: '', span: { start: op.end, end: op.end } };
  return { kind: 'property', span: { start, end: op.end }, key, value };
}

function nextProperty(r: Reader, indent: number): PropertyHead | undefined {
  let index = r.line;
  while (r.lines[index] && r.lines[index]?.text === r.lines[index]?.end) index++;
  const line = r.lines[index];
  return line && line.indent > indent ? propertyAt(r, line.text) : undefined;
}

function propertyAt(r: Reader, at: number): PropertyHead | undefined {
  PROPERTY.lastIndex = at;
  const found = PROPERTY.exec(r.text);
  return found ? { key: found[1] ?? '', op: found[3] ?? '=' } : undefined;
}

/** A comment that is not deeper than the header ends the body before it begins. Reported, and read as if it did not. */
function readOverComment(r: Reader, indent: number, what: string): void {
  const below = afterTrivia(r);
  const comments = r.lines.slice(r.line, below).filter((line) => line.text < line.end);
  const [comment] = comments;
  const next = r.lines[below];
  if (!comment || !next || next.indent <= indent || isNamedHeader(r.text, next)) return;
  if (comments.some((line) => line.indent > indent)) return;
  report(r, 'TOO1104', { start: comment.text, end: comment.end }, `this comment ends ${what} before its text begins.`, {
    help: 'Put it above the header, or on the header line.',
  });
  while (r.line < below) skipTrivia(r);
}

/**
 * Whether the lines directly below a header can only be its body, though they are not indented: reported, with the fix.
 * They go up to a blank line, a comment or what may be a header.
 */
function indentLost(r: Reader, indent: number, what: string): boolean {
  const lines = lostLines(r);
  const [first] = lines;
  if (!first || first.indent > indent) return false;
  report(
    r,
    'TOO1103',
    { start: first.text, end: first.end },
    `this line belongs to ${what} above it and must be indented.`,
    {
      fix: {
        title: lines.length > 1 ? 'indent the lines' : 'indent it',
        edits: lines.map((line) => ({ span: { start: line.start, end: line.start }, text: ' '.repeat(indent + 2) })),
      },
    },
  );
  return true;
}

function lostLines(r: Reader): Line[] {
  let last = r.line;
  for (let line = r.lines[last]; line && !isTrivia(r, line) && !isRoughHeader(r.text, line); line = r.lines[last])
    last++;
  return r.lines.slice(r.line, last);
}

/** What `indentLost` found, less the properties that have been read. */
function readLost(r: Reader): Indented | undefined {
  const lines = lostLines(r);
  const last = lines.at(-1);
  if (!last) return undefined;
  const span = takeTo(r, 'unknown', last.end);
  r.line += lines.length - 1;
  const text = dedent(r.text, lines);
  nextLine(r);
  return { kind: 'indented', span, text };
}
