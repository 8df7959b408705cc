/** Reads structs and their fields. */

import { toBodyLine } from './body.ts';
import { docAbove } from './doc.ts';
import { endHeader, missingName, readColon, readType, readTypeName, readValueName } from './header.ts';
import { noteBodyLine } from './margin.ts';
import { currentLine, endLine, nextLine, quote, type Reader, report, skipRest, takeMark, takeTo } from './reader.ts';
import type { Field, Struct } from './tree.ts';

/** The cursor stands behind the keyword. */
export function readStruct(r: Reader, start: number, indent: number): Omit<Struct, 'doc'> {
  const name = readTypeName(r, 'a struct') ?? missingName(r, 'a struct', 'struct Name:');
  const header = { start, end: name.span.end };
  const help = 'Put each field on a line of its own, indented.';
  // Of a broken header nothing more is asked.
  let lines = name.text === '' ? 1 : 0;
  if (!readColon(r, 'a struct')) {
    endLine(r, 'the header of a struct');
    lines++;
  } else if (!endHeader(r, 'a struct', help, (text) => `  ${text}`)) lines++;
  const fields: Field[] = [];
  while (toBodyLine(r, indent, looksLikeField)) {
    lines++;
    const field = readField(r);
    if (field) fields.push(field);
  }
  if (lines === 0) {
    report(r, 'TOO1303', header, `struct ${quote(r, name.span)} has no fields.`, {
      help: 'Put at least one field below it: "  name: Text".',
    });
  }
  return { kind: 'struct', span: { start, end: fields.at(-1)?.span.end ?? header.end }, name, fields };
}

function looksLikeField(text: string): boolean {
  return /^[a-z][a-z0-9_-]*[ \t\f]*\??[ \t\f]*:[ \t\f]*[A-Z]/.test(text);
}

function readField(r: Reader): Field | undefined {
  const line = currentLine(r);
  const doc = docAbove(r);
  noteBodyLine(r, line);
  takeTo(r, 'blank', line.text);
  const start = r.at;
  if (!/^[^\s:?()[\],=#`+]+[ \t\f]*\??[ \t\f]*:/.test(r.text.slice(start, line.end))) {
    notAField(r);
    return undefined;
  }
  const name = readValueName(r, 'key', 'a field') ?? missingName(r, 'a field', 'name: Type');
  const optional = takeMark(r, '?');
  takeMark(r, ':');
  const type = readType(r, `field ${quote(r, name.span)}`, name.span.end);
  endLine(r, 'the type of a field');
  return {
    kind: 'field',
    span: { start, end: type.span.end },
    name,
    ...(optional && { optional }),
    type,
    ...(doc !== undefined && { doc }),
  };
}

function notAField(r: Reader): void {
  const start = r.at;
  const span = skipRest(r);
  const text = r.text.slice(span.start, span.end);
  // `path Text` and `path = Text` are near enough to mend.
  const near = /^([a-z][a-z0-9_-]*\??)[ \t\f]*=?[ \t\f]*([A-Z][A-Za-z0-9]*(?:\[\])*)$/.exec(text);
  const better = near ? `${near[1]}: ${near[2]}` : undefined;
  report(r, 'TOO1304', { start, end: Math.max(span.end, start) }, `${quote(r, span)} is not a field.`, {
    help: 'A field is written "name: Type" or "name?: Type".',
    ...(better && { fix: { title: `replace with "${better}"`, edits: [{ span, text: better }] } }),
  });
  nextLine(r);
}
