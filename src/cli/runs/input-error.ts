/**
 * What is wrong with a part of an input: where, as people write it (`nest.a`, `tags[1]`), and in the types of workflow files
 * or as `print` has them.
 */
import { typeText } from '../../plan/index.ts';
import { closest, didYouMean } from '../../text/index.ts';
import { type ReadError, resolve, type Type, type TypeTable } from '../../type/index.ts';

export function inputError(
  { pointer, got, message }: ReadError,
  input: Type,
  table: TypeTable,
  print: (type: Type) => string = typeText,
): string {
  const place = findPlace(pointer, input, table);
  const name = place.name === '' ? 'the input' : `"${place.name}"`;
  if (place.type === undefined) {
    const [key, holder] = [place.keys.at(-1) ?? '', place.holder];
    return unknownField(key, holder?.keys() ?? [], place.keys.length > 1 ? place.name : undefined, place.outer);
  }
  // What was typed says itself what to write.
  if (pointer === '')
    return message.replace(/^the value must be .*?, but/, `the input must be ${print(input)}, but`).replace(/\.$/, '');
  if (got === 'nothing') return `${name} is missing; it must be ${print(place.type)}`;
  const meant = /\. (Did you mean .*)$/.exec(message)?.[1];
  return `${name} must be ${print(place.type)}, but it is ${got}${meant === undefined ? '' : `. ${meant}`}`;
}

/** `name`: with what it is within, where that is not the input itself. */
export function unknownField(key: string, fields: Iterable<string>, name = key, holder = 'the input'): string {
  const names = [...fields];
  const near = didYouMean(closest(key, names));
  if (near !== '') return `"${name}" is not a field of ${holder}.${near}`;
  const all = names.length === 0 ? 'it takes none' : `its fields are ${names.slice(0, 12).join(', ')}`;
  return `"${name}" is not a field of ${holder}; ${all}`;
}

/** What to write for a list or an object that is none. */
export function writeInstead(type: Type, table: TypeTable): string {
  const target = resolve(type, table);
  if (target.kind === 'struct') return ': write a JSON object';
  return target.kind === 'array' ? `: write a JSON list such as ${sampleList(target.item, table)}` : '';
}

function sampleList(of: Type, table: TypeTable): string {
  const item = resolve(of, table);
  switch (item.kind) {
    case 'number':
      return '[1, 2]';
    case 'boolean':
      return '[true, false]';
    case 'literal':
      return `[${item.values
        .slice(0, 2)
        .map((value) => JSON.stringify(value))
        .join(', ')}]`;
    case 'struct':
      return '[{…}, {…}]';
    case 'array':
      return `[${sampleList(item.item, table)}]`;
    default:
      return '["a", "b"]';
  }
}

interface Found {
  readonly name: string;
  readonly keys: readonly string[];
  /** Undefined for what is no field. */
  readonly type: Type | undefined;
  /** The fields of the object that it is in, and how that is called. */
  readonly holder?: ReadonlyMap<string, Type>;
  readonly outer?: string;
}

function findPlace(pointer: string, input: Type, table: TypeTable): Found {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  let type: Type | undefined = input;
  let name = '';
  let holder: ReadonlyMap<string, Type> | undefined;
  let outer: string | undefined;
  for (const key of keys) {
    const target: ReturnType<typeof resolve> | undefined = type && resolve(type, table);
    outer = name === '' ? undefined : `"${name}"`;
    if (target?.kind === 'array') {
      name = `${name}[${key}]`;
      type = target.item;
      continue;
    }
    name = name === '' ? key : `${name}.${key}`;
    holder = new Map(target?.kind === 'struct' ? target.fields.map((field) => [field.name, field.type]) : []);
    // Of what may be anything all parts may be.
    type = target?.kind === 'json' ? target : holder.get(key);
  }
  return { name, keys, type, ...(holder && { holder }), ...(outer !== undefined && { outer }) };
}
