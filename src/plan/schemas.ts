/**
 * Names of schemas to types. A struct stays a reference by name, so that it can contain itself; its name in the plan is
 * its own where that is free. Every other named type stands for what it is.
 */
import { didYouMean } from '../text/index.ts';
import { jsonType, maxNesting, refTo, type StructType, type Type, type TypeTable, typeWords } from '../type/index.ts';
import type { DraftType, Word } from './draft.ts';
import type { ExportInfo } from './modules.ts';
import type { ResultType } from './node.ts';
import type { Reports } from './reports.ts';
import { suggest } from './suggest.ts';
import { knownIn, type Unit } from './unit.ts';

export interface Schemas {
  /** The type with names of the plan in place of those of the unit. */
  readonly typeOf: (draft: DraftType, unit: Unit) => Type;
  /** The type that a name of the unit stands for. */
  readonly named: (word: Word, unit: Unit) => Type;
  /** A result whose names are of another plan, with names of this one. */
  readonly adopt: (result: ResultType, types: TypeTable) => ResultType;
  /** The named types so far. */
  readonly table: ReadonlyMap<string, StructType>;
}

export function createSchemas(reports: Reports): Schemas {
  const table = new Map<string, StructType>();
  /** What a schema became; `open` while it is being looked at. */
  const done = new Map<DraftType | ExportInfo, Type | 'open'>();
  /** Structs whose fields are still to be looked at: later, because a chain of them may be longer than the stack. */
  const structs: (() => void)[] = [];
  const sizes = new WeakMap<Type, Size>();
  let depth = 0;
  let isTold = false;

  function typeOf(draft: DraftType, unit: Unit): Type {
    if (draft.names.length === 0) return draft.type;
    const meant = new Map<string, string>();
    for (const word of draft.names) {
      const hint = unit.schemas.has(word.text) ? undefined : tellUnknown(word, unit);
      if (hint !== undefined) meant.set(word.text, hint);
    }
    const words = new Map(draft.names.map((word) => [word.text, word]));
    // What follows is about the type that was probably meant.
    return renameType(draft.type, (name) => {
      const hint = meant.get(name);
      const builtin = hint === undefined ? undefined : typeWords.get(hint);
      return builtin ?? named(hint ?? name, words.get(name), unit);
    });
  }

  function tellUnknown(word: Word, unit: Unit): string | undefined {
    const { hint, help, fix } = suggest(word, typeNames(unit), 'types');
    reports.add('TOO4211', word, `unknown type "${word.text}".${didYouMean(hint)}`, { help, ...fix });
    return hint;
  }

  function named(name: string, word: Word | undefined, unit: Unit): Type {
    const known = unit.schemas.get(name);
    if (known === undefined) return jsonType;
    if (known.kind === 'reported') return jsonType;
    if (known.kind === 'module') {
      return known.export.info?.kind === 'schema' ? fromModule(name, known.export.info) : jsonType;
    }
    const before = done.get(known.value);
    if (before === 'open') {
      reports.add('TOO4213', word ?? known.word, `the type "${name}" is made of itself`, {
        help: 'Only the fields of a block may name the type that they stand in.',
      });
      return jsonType;
    }
    if (before !== undefined) return before;
    if (known.value.type.kind !== 'struct') {
      if (depth >= maxNesting) return tellDeep(word ?? known.word);
      done.set(known.value, 'open');
      depth++;
      const written = typeOf(known.value, known.unit);
      depth--;
      const type = isTooLarge(sizeOf(written, sizes)) ? tellDeep(known.word) : written;
      done.set(known.value, type);
      return type;
    }
    const ref = reserve(name);
    done.set(known.value, refTo(ref));
    structs.push(() => {
      const struct = typeOf(known.value, known.unit);
      if (struct.kind === 'struct') table.set(ref, { ...struct, name: ref });
    });
    return refTo(ref);
  }

  /** Once: all that name it are too large as well. */
  function tellDeep(word: Word): Type {
    if (!isTold) {
      reports.add('TOO4025', word, `the type "${word.text}" nests too deeply, through the names in it`, {
        help: 'Give the blocks in its lists names of their own: a schema that is a block is only referred to.',
      });
    }
    isTold = true;
    return jsonType;
  }

  function settled(type: Type): Type {
    // The list grows while it is walked.
    for (const look of structs) look();
    structs.length = 0;
    return type;
  }

  function fromModule(name: string, info: Extract<ExportInfo, { kind: 'schema' }>): Type {
    const before = done.get(info);
    if (before !== undefined && before !== 'open') return before;
    const renamed = new Map(Object.keys(info.types).map((each) => [each, reserve(each)]));
    const move = (type: Type) => renameType(type, (each) => refTo(renamed.get(each) ?? each));
    for (const [each, struct] of Object.entries(info.types)) {
      const ref = renamed.get(each) ?? each;
      const moved = move(struct);
      if (moved.kind === 'struct') table.set(ref, { ...moved, name: ref });
    }
    let type = move(info.type);
    if (type.kind === 'struct') {
      const ref = reserve(name);
      table.set(ref, { ...type, name: ref });
      type = refTo(ref);
    }
    done.set(info, type);
    return type;
  }

  function adopt(result: ResultType, types: TypeTable): ResultType {
    const names = namesIn(result, types);
    const isKnown = [...names].every((name) => isSame(table.get(name), types.get(name)));
    if (isKnown) return result;
    const renamed = new Map([...names].map((name) => [name, reserve(name)]));
    const move = (type: Type) => renameType(type, (name) => refTo(renamed.get(name) ?? name));
    for (const [name, ref] of renamed) {
      const struct = types.get(name);
      const moved = struct && move(struct);
      if (moved?.kind === 'struct') table.set(ref, { ...moved, name: ref });
    }
    return renameResult(result, move);
  }

  /** A name that no other type of the plan has. */
  function reserve(name: string): string {
    let free = name;
    for (let n = 2; table.has(free); n++) free = `${name}${n}`;
    table.set(free, { kind: 'struct', name: free, fields: [] });
    return free;
  }

  return {
    typeOf: (draft, unit) => settled(typeOf(draft, unit)),
    named: (word, unit) => settled(named(word.text, word, unit)),
    adopt,
    table,
  };
}

/** A type that is no struct stands for what it is wherever it is named, so there is an end to what it may hold. */
interface Size {
  readonly depth: number;
  readonly parts: number;
}

const mostParts = 10_000;

function isTooLarge({ depth, parts }: Size): boolean {
  return depth > maxNesting || parts > mostParts;
}

function sizeOf(type: Type, known: WeakMap<Type, Size>): Size {
  if (type.kind !== 'array' && type.kind !== 'struct') return { depth: 0, parts: 1 };
  const before = known.get(type);
  if (before !== undefined) return before;
  const inner = type.kind === 'array' ? [type.item] : type.fields.map((field) => field.type);
  let depth = 0;
  let parts = 1;
  for (const each of inner) {
    const size = sizeOf(each, known);
    depth = Math.max(depth, size.depth + 1);
    parts += size.parts;
  }
  known.set(type, { depth, parts });
  return { depth, parts };
}

function* typeNames(unit: Unit): Iterable<string> {
  yield* knownIn(unit.schemas);
  yield* typeWords.keys();
}

/** The type with every name in it replaced. */
export function renameType(type: Type, name: (old: string) => Type): Type {
  switch (type.kind) {
    case 'ref':
      return name(type.name);
    case 'array':
      return { kind: 'array', item: renameType(type.item, name) };
    case 'struct':
      return { ...type, fields: type.fields.map((each) => ({ ...each, type: renameType(each.type, name) })) };
    default:
      return type;
  }
}

function renameResult(result: ResultType, move: (type: Type) => Type): ResultType {
  switch (result.kind) {
    case 'tuple':
      return { kind: 'tuple', items: result.items.map((item) => renameResult(item, move)) };
    case 'union':
      return { kind: 'union', members: result.members.map((member) => renameResult(member, move)) };
    case 'nothing':
      return result;
    default:
      return move(result);
  }
}

/** The names in a result, and those in what they stand for. */
function namesIn(result: ResultType, types: TypeTable): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (type: Type) =>
    renameType(type, (name) => {
      names.add(name);
      return refTo(name);
    });
  renameResult(result, add);
  // The set grows while it is walked.
  for (const name of names) add(types.get(name) ?? jsonType);
  return names;
}

function isSame(a: StructType | undefined, b: StructType | undefined): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}
