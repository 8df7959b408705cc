/** Reads inline caps, and the reusable context and instruct templates. */
import { atFence, readFenced, readIndented, readInline, restIsEmpty, skipBlankLines } from './block.ts';
import { endHeader, missingName, readColon, readValueName } from './header.ts';
import { noteIndent } from './margin.ts';
import {
  currentLine,
  endLine,
  peek,
  quote,
  type Reader,
  report,
  skipBlanks,
  take,
  takeTo,
  takeWord,
} from './reader.ts';
import type { Cap, CapKind, Fenced, Indented, Property, Template, TemplateKind } from './tree.ts';

const PROPERTY = /([a-z](?:[a-z0-9_-]*[a-z0-9_])?)([ \t\f]*)(\+=|-=|=(?!=))/y;

/** The cursor stands behind the keyword. */
export function readCap(r: Reader, kind: CapKind, start: number, indent: number): Omit<Cap, 'doc'> {
  const what = `a ${kind}`;
  const name = readValueName(r, 'name', what) ?? missingName(r, what, `${kind} name:`);
  const end = r.at;
  const properties: Property[] = [];
  let body: Indented | Fenced | undefined;
  if (!readColon(r, what)) endLine(r, `the header of ${what}`);
  else if (restIsEmpty(r)) endLine(r, `the header of ${what}`);
  else if (atFence(r)) body = readFenced(r, what, true);
  else {
    const help = `Put properties ("description = …") and text on the lines below, indented.`;
    endHeader(r, what, help, (text) => `  ${text}`);
  }
  if (!body) {
    readProperties(r, indent, properties);
    body = readIndented(r, indent);
  }
  const last = Math.max(end, properties.at(-1)?.span.end ?? 0, body?.span.end ?? 0);
  return { kind, span: { start, end: last }, name, properties, ...(body && { body }) };
}

/** The cursor stands behind the keyword. */
export function readTemplate(r: Reader, kind: TemplateKind, start: number, indent: number): Omit<Template, 'doc'> {
  const what = kind === 'context' ? 'a context template' : 'an instruct template';
  const name = readValueName(r, 'name', what);
  const end = r.at;
  let body: Indented | Fenced | undefined;
  if (!readColon(r, what)) endLine(r, `the header of ${what}`);
  else if (restIsEmpty(r)) endLine(r, `the header of ${what}`);
  else if (atFence(r)) body = readFenced(r, what, false);
  else endHeader(r, what, 'Put the text on the lines below, indented.', (text) => `  ${text}`);
  body ??= readIndented(r, indent);
  return { kind, span: { start, end: body?.span.end ?? end }, ...(name && { name }), ...(body && { body }) };
}

/** The leading `key = value` lines of an indented body; blank lines may stand between them. */
function readProperties(r: Reader, indent: number, properties: Property[]): void {
  for (;;) {
    const found = nextProperty(r, indent);
    if (!found) return;
    skipBlankLines(r);
    noteIndent(r, r.line);
    const start = takeTo(r, 'blank', currentLine(r).text).end;
    const key = takeWord(r, 'key', found.key.length);
    skipBlanks(r);
    const op = take(r, 'operator', found.op.length);
    if (found.op !== '=') {
      report(r, 'TOO1501', op, `"${found.op}" is an operator of thunk directives; a property takes "=".`, {
        fix: { title: 'replace with "="', edits: [{ span: op, text: '=' }] },
      });
    }
    skipBlanks(r);
    const code = peek(r);
    if (code === -1 || code === 35) {
      report(r, 'TOO1502', key.span, `property ${quote(r, key.span)} has no value.`, {
        help: `Write "${key.text} = …", or remove the line.`,
      });
      endLine(r, 'a property');
      properties.push({
        kind: 'property',
        span: { start, end: op.end },
        key,
        value: { text: '', span: { start: op.end, end: op.end } },
      });
      continue;
    }
    const value = readInline(r, `property "${key.text}"`);
    properties.push({
      kind: 'property',
      span: { start, end: value.span.end },
      key,
      value: { text: value.text, span: value.span },
    });
  }
}

function nextProperty(r: Reader, indent: number): { key: string; op: string } | undefined {
  let index = r.line;
  while (r.lines[index] && r.lines[index]?.text === r.lines[index]?.end) index++;
  const line = r.lines[index];
  if (!line || line.indent <= indent) return undefined;
  PROPERTY.lastIndex = line.text;
  const found = PROPERTY.exec(r.text);
  return found ? { key: found[1] ?? '', op: found[3] ?? '=' } : undefined;
}
