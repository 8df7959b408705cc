/** Values with texts in them, and whether they fit what is asked for: `with`, `input`, the fields of a plugin's node. */
import {
  assignableValue,
  booleanValue,
  nullValue,
  numberValue,
  printValueType,
  unite,
  type ValueType,
} from '../expr/index.ts';
import { type DiagnosticExtra, didYouMean } from '../text/index.ts';
import { type FieldType, type StructType, type Type, tryResolve, validate } from '../type/index.ts';
import { bareHelp, isBare, tellBare } from './bare.ts';
import type { DraftValue, Mark } from './draft.ts';
import type { Reader } from './names.ts';
import type { Json, Value } from './node.ts';
import type { Reports } from './reports.ts';
import { someOf, suggest } from './suggest.ts';
import type { TextLinker } from './texts.ts';
import { shortTypeText } from './type-text.ts';

export interface ValueLinker {
  /** The value, checked against a type where there is one. */
  readonly link: (draft: DraftValue, reader: Reader, wanted?: Wanted) => Value;
  /** A value whose texts are only texts. */
  readonly plain: (draft: DraftValue, wanted: Wanted) => Value;
  /** For a value that was left out: what it should have had. */
  readonly missing: (at: Mark, wanted: Wanted) => void;
}

export interface Wanted {
  readonly type: Type;
  readonly table: ReadonlyMap<string, StructType>;
  /** What takes the value, for messages: `component "Brief"`. */
  readonly by: string;
  /** It may be left out, so it may have no value. */
  readonly optional?: boolean;
}

/** So many missing fields of one block are told. */
const mostLacking = 12;

export function createValues(texts: TextLinker, reports: Reports): ValueLinker {
  function link(draft: DraftValue, reader: Reader, wanted?: Wanted): Value {
    const target = wanted && tryResolve(wanted.type, wanted.table);
    switch (draft.kind) {
      case 'text': {
        const { text, type } = texts.text(draft.text, reader);
        const bare = isBare(text, reader, texts) ? bareHelp(draft.text) : undefined;
        const fits = wanted === undefined || checkFit(draft, type, wanted, bare);
        if (bare && fits) tellBare(draft.text, reports);
        return { kind: 'text', text };
      }
      case 'json':
        if (wanted) checkFit(draft, jsonValueType(draft.value), wanted);
        return { kind: 'json', value: draft.value };
      case 'list': {
        const item = target?.kind === 'array' && wanted ? inside(wanted, target.item, false) : undefined;
        if (wanted && target && target.kind !== 'array' && target.kind !== 'json') mismatch(draft, 'a list', wanted);
        return { kind: 'list', items: draft.items.map((each) => link(each, reader, item)) };
      }
      default:
        return record(draft, reader, wanted, target);
    }
  }

  function record(
    draft: Extract<DraftValue, { kind: 'record' }>,
    reader: Reader,
    wanted: Wanted | undefined,
    target: Type | undefined,
  ): Value {
    const fields: [string, Value][] = [];
    const known = new Map<string, FieldType>();
    if (target?.kind === 'struct') for (const each of target.fields) known.set(each.name, each);
    if (wanted && target && target.kind !== 'struct' && target.kind !== 'json') mismatch(draft, 'a block', wanted);
    for (const { key, value } of draft.fields) {
      const field = known.get(key.text);
      known.delete(key.text);
      if (field === undefined && wanted && target?.kind === 'struct') {
        const names = target.fields.map(({ name }) => name);
        const { hint, fix } = suggest(key, names, 'fields');
        // The one that was meant is not missing too.
        if (hint !== undefined) known.delete(hint);
        reports.add('TOO4244', key, `${wanted.by} has no "${key.text}".${didYouMean(hint)}`, {
          help: names.length === 0 ? 'It takes nothing.' : `It takes: ${someOf(names)}.`,
          ...fix,
        });
      }
      const inner = field && wanted && inside(wanted, field.type, field.optional);
      fields.push([key.text, link(value, reader, inner)]);
    }
    // The whole block would be underlined, so only its first key is.
    const at = draft.fields[0]?.key ?? draft;
    if (wanted) lacking(at, known.values(), wanted);
    return { kind: 'record', fields: Object.fromEntries(fields) };
  }

  /** Each of very many uses may lack very many. */
  function lacking(at: Mark, fields: Iterable<FieldType>, wanted: Wanted): void {
    let told = 0;
    for (const { name, type, optional } of fields) {
      if (optional) continue;
      const isLast = ++told === mostLacking;
      reports.add('TOO4243', at, `${wanted.by} needs "${name}"${isLast ? ', and perhaps more' : ''}`, {
        help: `It is ${shortTypeText(type)}: write "${name}: …".`,
      });
      if (isLast) return;
    }
  }

  /** Each of very many steps may give the same long record to the same component. */
  const fitting: Record<'optional' | 'required', WeakMap<Type, WeakMap<ValueType, boolean>>> = {
    optional: new WeakMap(),
    required: new WeakMap(),
  };

  function doesFit(type: ValueType, { type: to, table, optional = false }: Wanted): boolean {
    const known = optional ? fitting.optional : fitting.required;
    let fits = known.get(to)?.get(type);
    if (fits === undefined) {
      fits = assignableValue(optional ? present(type) : type, to, table).ok;
      known.set(to, (known.get(to) ?? new WeakMap()).set(type, fits));
    }
    return fits;
  }

  /** Says so when it does not fit; `instead` is what to write, where that is known. */
  function checkFit(draft: DraftValue, type: ValueType, wanted: Wanted, instead?: DiagnosticExtra): boolean {
    if (doesFit(type, wanted)) return true;
    const help = instead === undefined ? helpFor(draft, type, wanted.type) : undefined;
    mismatch(draft, printValueType(type), wanted, instead ?? (help === undefined ? {} : { help }));
    return false;
  }

  function mismatch(at: Mark, found: string, wanted: Wanted, extra: DiagnosticExtra = {}): void {
    reports.add('TOO4245', at, `${wanted.by} takes ${shortTypeText(wanted.type)} here, not ${found}`, extra);
  }

  function plain(draft: DraftValue, wanted: Wanted): Value {
    const value = jsonOf(draft);
    const read = validate(value, wanted.type, wanted.table);
    if (!read.ok) mismatch(draft, describe(value), wanted);
    return { kind: 'json', value };
  }

  return {
    link,
    plain,
    missing(at, wanted) {
      const target = tryResolve(wanted.type, wanted.table);
      if (target?.kind !== 'struct') return;
      lacking(at, target.fields, wanted);
    },
  };
}

/** The same for a part of the value. */
function inside({ table, by }: Wanted, type: Type, optional: boolean): Wanted {
  return { type, table, by, optional };
}

/** Without what an optional field may leave out. */
function present(type: ValueType): ValueType {
  return unite(
    ...(type.kind === 'union' ? type.members : [type]).filter(({ kind }) => kind !== 'undefined' && kind !== 'null'),
  );
}

function helpFor(draft: DraftValue, found: ValueType, wanted: Type): string | undefined {
  if (draft.kind === 'json') return wanted.kind === 'text' ? 'Write it in quotes.' : undefined;
  const isText = wanted.kind === 'text' && (found.kind === 'number' || found.kind === 'boolean');
  if (isText) return 'Write it with String(…), or with words around it.';
  if (wanted.kind === 'number' && found.kind === 'string') return 'Write it with Number(…).';
  const isMissing = found.kind === 'union' && found.members.some(({ kind }) => kind === 'undefined' || kind === 'null');
  return isMissing ? 'It may have no value: give another one with "??".' : undefined;
}

function jsonOf(draft: DraftValue): Json {
  switch (draft.kind) {
    case 'text':
      return draft.text.text;
    case 'json':
      return draft.value;
    case 'list':
      return draft.items.map(jsonOf);
    default:
      return Object.fromEntries(draft.fields.map(({ key, value }) => [key.text, jsonOf(value)]));
  }
}

function describe(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a block' : typeof value;
}

function jsonValueType(value: unknown): ValueType {
  if (typeof value === 'number') return numberValue;
  if (typeof value === 'boolean') return booleanValue;
  return nullValue;
}
