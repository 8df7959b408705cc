/** Values: plain JSON (fields of agents, config of plugins) and values with texts in them (`with`, `input`). */
import type { ToonEntry, ToonUnion, ToonValue } from '../../toon/index.ts';
import type { DraftValue } from '../draft.ts';
import type { Json } from '../node.ts';
import { type Read, type Reader, report, word, wrongKind } from './reader.ts';
import { checkLength, draftText, tellHash } from './text.ts';

export const jsonValue: Read<Json> = (r, entry) => readJson(r, entry.value, entry);

/** A value with texts in it, of any kind. */
export const anyValue: Read<DraftValue> = (r, entry) => readValue(r, entry.value, entry);

/** Fields, or one text that gives them all. */
export const fieldValues: Read<DraftValue> = (r, entry) => {
  const { kind } = entry.value;
  if (kind === 'object' || kind === 'string') return anyValue(r, entry);
  return wrongKind(r, entry, 'a block of fields, or one {expression} that gives them');
};

function readJson(r: Reader, value: ToonValue, entry: ToonEntry): Json {
  switch (value.kind) {
    case 'string':
      tellHash(r, value);
      return value.text;
    case 'number':
    case 'boolean':
      return value.value;
    case 'null':
      return null;
    case 'union':
      return reportUnion(r, value);
    case 'array':
      checkLength(r, entry, value);
      return value.items.map((item) => readJson(r, item, entry));
    case 'object':
      return Object.fromEntries(value.entries.map((inner) => [inner.key.text, readJson(r, inner.value, inner)]));
  }
}

function readValue(r: Reader, value: ToonValue, entry: ToonEntry): DraftValue {
  const { source } = r;
  const { span } = value;
  switch (value.kind) {
    case 'string':
      return { source, span, kind: 'text', text: draftText(r, value) };
    case 'array':
      checkLength(r, entry, value);
      return { source, span, kind: 'list', items: value.items.map((item) => readValue(r, item, entry)) };
    case 'object': {
      const fields = value.entries.map((inner) => ({
        key: word(r, inner.key.text, inner.key.span),
        value: readValue(r, inner.value, inner),
      }));
      return { source, span, kind: 'record', fields };
    }
    default:
      return { source, span, kind: 'json', value: readJson(r, value, entry) };
  }
}

function reportUnion(r: Reader, value: ToonUnion): Json {
  report(r, 'TOO4003', value.span, 'a choice of texts is a type, and a value is expected here', {
    help: 'Write one of the texts.',
  });
  return value.members[0]?.text ?? null;
}
