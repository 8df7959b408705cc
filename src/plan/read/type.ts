/**
 * Types of fields, outputs and schemas.
 * 1. A bare word is a type or the name of a schema. A quoted text is a type only if it ends in `[]` or `[]?`, or if it
 *    is a choice of quoted texts; every other quoted text is a literal.
 * 2. A type that cannot be told is any value from here on, so that it is reported once.
 */
import type { Span } from '../../text/index.ts';
import {
  quote,
  stringMap,
  type ToonArray,
  type ToonEntry,
  type ToonObject,
  type ToonString,
  type ToonUnion,
  type ToonValue,
} from '../../toon/index.ts';
import {
  arrayOf,
  type FieldType,
  field,
  jsonType,
  literalOf,
  maxNesting,
  parseTypeText,
  refTo,
  structOf,
  type Type,
  type TypeText,
  typeWords,
} from '../../type/index.ts';
import type { DraftType, Word } from '../draft.ts';
import {
  cut,
  describe,
  guess,
  isNothing,
  mark,
  type Read,
  type Reader,
  replace,
  report,
  shown,
  uncommented,
  valueSpan,
  wasLeftOut,
  word,
  written,
} from './reader.ts';
import { isListWord, type MeantType, meantType, writeTypeText } from './type-words.ts';

/** A type, and the `?` behind it. */
interface Written {
  readonly type: Type;
  readonly optional?: Span;
}

const unknown: Written = { type: jsonType };
const help = 'Write string, number, boolean, a schema, a text in quotes, "string[]" for a list, or fields in a block.';

/** The type of an output, or a schema. */
export const wholeType: Read<DraftType> = (r, entry) => {
  const names: Word[] = [];
  const { type, optional } = readType(r, entry, names);
  if (optional) {
    report(r, 'TOO4023', optional, `"${entry.key.text}" cannot be optional; only fields can`, {
      fix: { title: 'remove the "?"', edits: [{ span: optional, text: '' }] },
    });
  }
  return { source: r.source, span: entry.value.span, type, names };
};

/** The types of an input or of parameters, which have names: fields, or a schema. A block may have none. */
export const fieldTypes: Read<DraftType> = (r, entry) => {
  if (isNothing(entry.value)) return { ...mark(r, entry.key.span), type: structOf([]), names: [] };
  const before = r.found.size;
  const read = wholeType(r, entry);
  if (!read || read.type.kind === 'struct' || read.type.kind === 'ref' || r.found.size > before) return read;
  report(r, 'TOO4021', valueSpan(entry), `"${entry.key.text}" takes a block of fields or the name of a schema`, {
    help: `Give each value a name: "${entry.key.text}:" and below it "text: string".`,
  });
  return { ...read, type: jsonType };
};

function readType(r: Reader, entry: ToonEntry, names: Word[]): Written {
  const { key } = entry;
  const value = uncommented(r, entry.value);
  switch (value.kind) {
    case 'string':
      return value.quoted ? quotedType(r, key.text, value, names) : bareType(r, value, names);
    case 'union':
      return unionType(r, key.text, value, names);
    case 'object':
      return { type: structType(r, entry, value, names) };
    case 'array':
      return { type: listType(r, entry, value, names) };
    default: {
      const near = value.kind === 'null' ? undefined : value.kind;
      report(r, 'TOO4021', value.span, `"${key.text}" takes a type, not ${describe(value)}`, {
        help,
        ...(near !== undefined && { fix: guess(value.span, near) }),
      });
      return unknown;
    }
  }
}

function structType(r: Reader, entry: ToonEntry, value: ToonObject, names: Word[]): Type {
  if (value.entries.length > 0) return structOf(value.entries.map((inner) => readField(r, inner, names)));
  if (wasLeftOut(r, entry.key)) return jsonType;
  report(r, 'TOO4022', entry.key.span, `"${entry.key.text}" has no type and no fields`, { help });
  return jsonType;
}

function readField(r: Reader, entry: ToonEntry, names: Word[]): FieldType {
  const { key, value } = entry;
  const { type, optional } = readType(r, entry, names);
  if (!key.text.endsWith('?')) return field(key.text, type, { optional: optional !== undefined });
  const name = key.text.slice(0, -1);
  const end = value.kind === 'string' ? value.span.end - (value.quoted ? 1 : 0) : undefined;
  const bare = { span: key.span, text: key.quoted ? quote(name) : name };
  const moved = end !== undefined && !optional ? [bare, { span: { start: end, end }, text: '?' }] : [bare];
  report(r, 'TOO4023', key.span, 'an optional field has its "?" behind the type', {
    help: `Write "${name}: string?".`,
    ...((end !== undefined || optional) && { fix: { title: 'move the "?"', edits: moved } }),
  });
  return field(name, type, { optional: true });
}

/** `findings[1]:` with `- path: string`, or the same below a bare key. */
function listType(r: Reader, entry: ToonEntry, value: ToonArray, names: Word[]): Type {
  const { key } = entry;
  const [first, second] = value.items;
  if (!first) {
    if (wasLeftOut(r, key)) return jsonType;
    report(r, 'TOO4024', key.span, `the list "${key.text}" has no item, whose type all items have`, { help });
    return jsonType;
  }
  const { type } = readType(r, { key, value: first, span: entry.span }, names);
  if (first.kind !== 'object' && first.kind !== 'array') reportPlainList(r, entry, value, first);
  else if (second) {
    report(
      r,
      'TOO4024',
      second.span,
      `"${key.text}" has ${value.items.length} types, and a list has one for all items`,
      {
        help: 'Keep the first, with all fields; those that some items lack are optional ("string?").',
      },
    );
  }
  return arrayOf(type);
}

/** `tags[1]: string` has one right form, which is `tags: "string[]"`. */
function reportPlainList(r: Reader, { key, span }: ToonEntry, { items }: ToonArray, first: ToonValue): void {
  const item = first.kind === 'string' && !first.quoted && typeWords.has(first.text) ? first.text : undefined;
  const right = `: "${item ?? 'string'}[]"`;
  const edits = [{ span: { start: key.span.end, end: span.end }, text: right }];
  report(r, 'TOO4024', key.span, `the item of "${key.text}" is no block of fields`, {
    help: `Write ${key.text}${right} for a list of plain values.`,
    ...(item !== undefined && items.length === 1 && { fix: { title: `write ${key.text}${right}`, edits } }),
  });
}

function bareType(r: Reader, value: ToonString, names: Word[]): Written {
  const { text, span } = value;
  const ours = typeWords.get(text);
  if (ours) return { type: ours };
  const parsed = usable(r, text);
  if (parsed && typeof parsed.base === 'string' && parsed.arrays === 0) {
    const name = { start: span.start, end: span.start + parsed.base.length };
    const type = named(r, parsed.base, name, names);
    return parsed.optional ? { type, optional: last(span.end) } : { type };
  }
  const meant = meantType(text);
  if (!meant) {
    report(r, 'TOO4021', span, `${shown(text)} is no type`, { help });
    return unknown;
  }
  const right = writeTypeText(meant.text);
  const message = right === `"${text}"` ? `${cut(text)} needs quotes` : `${cut(text)} is no type of ours`;
  report(r, 'TOO4020', span, message, { help: `Write ${right}.`, fix: fixOf(span, right, meant) });
  return meantWritten(r, meant, span, names);
}

/** `key` is for messages. */
function quotedType(r: Reader, key: string, value: ToonString, names: Word[]): Written {
  const { text, span } = value;
  if (value.broken) return unknown;
  if (text === '') {
    report(r, 'TOO4004', span, `"${key}" is empty; it takes a type`, { help });
    return unknown;
  }
  const parsed = usable(r, text);
  if (!isList(text) && (!parsed || (typeof parsed.base === 'string' && parsed.arrays === 0))) {
    checkLiteral(r, value);
    return { type: literalOf(text) };
  }
  const place = stringMap(r.source, value);
  const at = (from: number, to: number) => ({ start: place(from), end: place(to) });
  if (parsed) {
    if (parsed.arrays > maxNesting) {
      report(r, 'TOO4025', span, `a list nested ${parsed.arrays} levels deep; at most ${maxNesting} can be read`);
      return unknown;
    }
    const { base } = parsed;
    const from = typeof base === 'string' ? text.indexOf(base) : 0;
    const item = typeof base === 'string' ? named(r, base, at(from, from + base.length), names) : choice(base);
    const type = lists(item, parsed.arrays);
    return parsed.optional ? { type, optional: at(text.length - 1, text.length) } : { type };
  }
  const meant = meantType(text);
  const right = meant && writeTypeText(meant.text);
  const extra = right === undefined ? { help } : { help: `Write ${right}.`, fix: fixOf(span, right, meant) };
  if (/\?(?:\[\])+\??$/.test(text)) report(r, 'TOO4023', span, 'the items of a list cannot be optional', extra);
  else
    report(r, right === undefined ? 'TOO4021' : 'TOO4020', span, `${cut(written(r, span))} is no type of ours`, extra);
  return meant ? meantWritten(r, meant, span, names) : unknown;
}

/** `"a" | "b"?`; `"string[]"?` is a list, as it is without the mark. */
function unionType(r: Reader, key: string, { members, optional }: ToonUnion, names: Word[]): Written {
  const [only, second] = members;
  const marked = optional && { optional };
  if (only && !second && isList(only.text)) return { ...quotedType(r, key, only, names), ...marked };
  for (const member of members) checkLiteral(r, member, second !== undefined);
  return { type: choice(members.map(({ text }) => text)), ...marked };
}

/** A word for a list (`array?`, `"list[]"`) cannot be replaced alone. */
function usable(r: Reader, text: string): TypeText | undefined {
  const parsed = parseTypeText(text);
  const isList = typeof parsed?.base === 'string' && isListWord(parsed.base) && !r.schemas.has(parsed.base);
  return isList ? undefined : parsed;
}

function isList(text: string): boolean {
  return text.endsWith('[]') || text.endsWith('[]?');
}

/** `"string"` is the text, not the type: legal, and hardly ever meant. */
function checkLiteral(r: Reader, { text, span }: ToonString, isChoice = false): void {
  const name = text.replace(/\?$/, '');
  // Behind a text that goes on after its quote nothing can be told.
  if (/^[^\S\n]*[^\s#,|?]/.test(r.source.text.slice(span.end, span.end + 40))) return;
  if (!typeWords.has(name) && !r.schemas.has(name) && !(isChoice && isList(text))) return;
  report(r, 'TOO4026', span, `"${text}" in quotes is the text itself, not the type`, {
    help: isChoice
      ? 'A choice is one of texts; no value has one of several types.'
      : `Write ${text} without quotes for the type.`,
    ...(!isChoice && { fix: guess(span, text) }),
  });
}

/** A built-in type, or a schema for the linker to find. */
function named(r: Reader, name: string, span: Span, names: Word[]): Type {
  const ours = typeWords.get(name);
  if (ours) return ours;
  const meant = r.schemas.has(name) ? { text: name } : meantType(name);
  if (meant?.text === name) {
    names.push(word(r, name, span));
    return refTo(name);
  }
  const right = meant && writeTypeText(meant.text);
  report(r, 'TOO4020', span, `${cut(name)} is no type of ours`, {
    help: right === undefined ? 'Write its fields in a block below the key.' : `Write ${right}.`,
    ...(right !== undefined && { fix: fixOf(span, right, meant) }),
  });
  return (meant && typeWords.get(meant.text)) ?? jsonType;
}

function meantWritten(r: Reader, meant: MeantType, span: Span, names: Word[]): Written {
  const parsed = parseTypeText(meant.text);
  if (!parsed) return unknown;
  const { base, arrays, optional } = parsed;
  const item = typeof base === 'string' ? named(r, base, span, names) : choice(base);
  return { type: lists(item, arrays), ...(optional && { optional: last(span.end) }) };
}

function choice(texts: readonly string[]): Type {
  return { kind: 'literal', values: [...new Set(texts)] };
}

function lists(item: Type, arrays: number): Type {
  let type = item;
  for (let i = 0; i < arrays; i++) type = arrayOf(type);
  return type;
}

function fixOf(span: Span, right: string, meant: MeantType | undefined) {
  return meant?.guess ? guess(span, right) : replace(span, right);
}

/** The span of the character before `end`. */
function last(end: number): Span {
  return { start: end - 1, end };
}
