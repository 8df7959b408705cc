/** A checked program as JSON and back: what a sync keeps, so that an agent that has not changed is not parsed again. */
import { createSource } from '../text/index.ts';
import type { AgentProgram } from './program.ts';

type Packed = null | boolean | number | string | readonly Packed[] | { readonly [key: string]: Packed };

/** Its texts are packed with it; where the source lies now is said by who unpacks it. */
export function packProgram({ source, ...rest }: AgentProgram): Packed {
  return { text: source.text, program: pack(rest) };
}

/** `name` is the path of the source as people see it. Only for what `packProgram` of the same toolang gave. */
export function unpackProgram(packed: unknown, name: string): AgentProgram {
  const { text, program } = packed as { text: string; program: Packed };
  return { source: createSource(name, text), ...(unpack(program) as Omit<AgentProgram, 'source'>) };
}

/** The one key of an object that stands for a map. */
const mapKey = '$map';

function pack(value: unknown): Packed {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value;
  if (Array.isArray(value)) return value.map(pack);
  if (value instanceof Map) return { [mapKey]: [...value].map(([key, item]) => [String(key), pack(item)]) };
  if (typeof value !== 'object') throw new Error(`a program holds no ${typeof value}`);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, pack(item)]));
}

function unpack(value: Packed): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map(unpack);
  const entries = value[mapKey];
  if (entries !== undefined && isList(entries)) {
    return new Map(entries.map((entry) => (isList(entry) ? [entry[0], unpack(entry[1] ?? null)] : ['', null])));
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]));
}

function isList(value: Packed): value is readonly Packed[] {
  return Array.isArray(value);
}
