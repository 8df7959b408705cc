/** Reads structs and their fields. */

import type { Span } from '../text/index.ts';
import { toBodyLine } from './body.ts';
import { docAbove } from './doc.ts';
import { takeForeignComment } from './habit.ts';
import { endHeader, missingName, movedBelow, readColon, readTypeName, readValueName } from './header.ts';
import { endLine } from './line-end.ts';
import { isLostField } from './line-kind.ts';
import { noteBodyLine } from './margin.ts';
import {
  currentLine,
  match,
  nextLine,
  peek,
  quote,
  type Reader,
  report,
  skipBlanks,
  skipRest,
  take,
  takeMark,
  takeTo,
  textEnd,
} from './reader.ts';
import type { Field, Struct, Word } from './tree.ts';
import { readType } from './type.ts';

const FIELD = /^[^\s:?()[\]{},=#`+]+[ \t\f]*\??[ \t\f]*[:：]/;
/** `path Text` and `path = Text` are near enough to read. */
const NEAR_FIELD = /^[a-z][a-z0-9_-]*\??[ \t\f]*=?[ \t\f]*[A-Z][A-Za-z0-9]*(?:\[\])*$/;

/** The cursor stands behind the keyword. */
export function readStruct(r: Reader, start: number, indent: number): Omit<Struct, 'doc'> {
  const name = readTypeName(r, 'a struct') ?? missingName(r, 'a struct', 'struct Name:');
  const header = { start, end: name.span.end };
  const fields: Field[] = [];
  // Of a broken header nothing more is asked.
  let lines = name.text === '' ? 1 : 0;
  let dropped = 0;
  const add = (field: Field | undefined) => {
    lines++;
    if (field) fields.push(field);
    else dropped++;
  };
  if (!readColon(r, 'a struct')) {
    endLine(r, 'the header of a struct');
    lines++;
  } else if (!endHeader(r, 'a struct', 'Put each field on a line of its own, indented.', movedBelow)) {
    if (isField(r)) for (const field of readFields(r)) add(field);
    else add(dropLine(r));
  }
  while (toBodyLine(r, indent, isLostField)) {
    const line = currentLine(r);
    noteBodyLine(r, line);
    const doc = docAbove(r);
    takeTo(r, 'blank', line.text);
    if (takeForeignComment(r)) {
      nextLine(r);
      continue;
    }
    if (!isField(r)) add(notAField(r));
    else for (const field of readFields(r)) add(doc === undefined ? field : { ...field, doc });
  }
  if (lines === 0) {
    report(r, 'TOO1303', header, `struct ${quote(r, name.span)} has no fields.`, {
      help: 'Put at least one field below it: "  name: Text".',
    });
  }
  const end = fields.at(-1)?.span.end ?? header.end;
  return { kind: 'struct', span: { start, end }, name, fields, ...(dropped > 0 && { partial: true }) };
}

function isField(r: Reader): boolean {
  return FIELD.test(r.text.slice(r.at, currentLine(r).end));
}

/** The field of a line; where several stand on one line, that is reported and all are read. */
function readFields(r: Reader): Field[] {
  const fields = [readField(r)];
  while (match(r, /[ \t\f]*[,;][ \t\f]*[a-z][a-z0-9_-]*[ \t\f]*\??[ \t\f]*:/y)) {
    skipBlanks(r);
    const mark = take(r, 'unknown', 1);
    const margin = r.text.slice(currentLine(r).start, currentLine(r).text);
    skipBlanks(r);
    report(r, 'TOO1107', mark, 'each field stands on a line of its own.', {
      fix: {
        title: 'put it on a line of its own',
        edits: [{ span: { start: mark.start, end: r.at }, text: r.eol + margin }],
      },
    });
    fields.push(readField(r));
  }
  endLine(r, 'the type of a field');
  return fields;
}

/** The cursor stands on the name. */
function readField(r: Reader): Field {
  const start = r.at;
  const name = readValueName(r, 'key', 'a field') ?? missingName(r, 'a field', 'name: Type');
  const optional = takeMark(r, '?');
  takeMark(r, ':');
  secondColon(r);
  return finishField(r, start, name, optional);
}

function finishField(r: Reader, start: number, name: Word, optional: Span | undefined): Field {
  const read = readType(r, `field ${quote(r, name.span)}`, name.span.end);
  const { type } = read;
  const mark = optional ?? read.optional;
  // What follows a type that could not be read belongs to it.
  if (type.name.text === '') skipRest(r);
  else defaultValue(r);
  const span = { start, end: type.span.end };
  return mark ? { kind: 'field', span, name, optional: mark, type } : { kind: 'field', span, name, type };
}

function secondColon(r: Reader): void {
  const span = takeMark(r, ':', 'unknown');
  if (!span) return;
  report(r, 'TOO1107', span, 'one ":" is enough.', { fix: { title: 'remove ":"', edits: [{ span, text: '' }] } });
}

/** `= "x"` behind a type. */
function defaultValue(r: Reader): void {
  skipBlanks(r);
  if (peek(r) !== 61) return;
  const span = skipRest(r);
  report(r, 'TOO1107', span, `unexpected ${quote(r, span)} after the type of a field.`, {
    help: 'There are no default values; a field that may be missing is written "name?: Type".',
  });
}

function notAField(r: Reader): Field | undefined {
  const start = r.at;
  const span = { start, end: Math.max(start, textEnd(r)) };
  const text = r.text.slice(span.start, span.end);
  const near = NEAR_FIELD.test(text);
  const better = near ? text.replace(/[ \t\f]*=?[ \t\f]*(?=[A-Z])/, ': ') : undefined;
  report(r, 'TOO1304', span, `${quote(r, span)} is not a field.`, {
    help: 'A field is written "name: Type" or "name?: Type".',
    ...(better && { fix: { title: `replace with "${better}"`, edits: [{ span, text: better }] } }),
  });
  const name = near ? readValueName(r, 'key', 'a field') : undefined;
  if (!name) return dropLine(r);
  const optional = takeMark(r, '?');
  skipBlanks(r);
  if (peek(r) === 61) take(r, 'unknown', 1);
  const field = finishField(r, start, name, optional);
  endLine(r, 'the type of a field');
  return field;
}

function dropLine(r: Reader): undefined {
  skipRest(r);
  nextLine(r);
  return undefined;
}
