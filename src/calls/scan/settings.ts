/** The options of a reader as it uses them; what makes no sense is refused. */
import type { ScanOptions } from '../event.ts';

export interface Settings {
  readonly strict: boolean;
  readonly unknownCalls: boolean;
  readonly multilineHeader: boolean;
  readonly literalHeader: boolean;
  readonly repair: boolean;
  readonly maxHeader: number;
  readonly maxBody: number;
  /** The names of the tools, where only those are calls. */
  readonly known: ReadonlySet<string> | undefined;
  /** With known names no longer word needs to be read. */
  readonly longestName: number;
}

/** An unknown name that is longer is not taken for one. */
export const longestUnknown = 256;

export function readOptions(options: ScanOptions): Settings {
  const maxHeader = limit('maxHeader', options.maxHeader, 4096);
  const known = namesOf(options.knownTools);
  return {
    strict: options.strict ?? false,
    unknownCalls: options.unknownCalls ?? false,
    multilineHeader: options.multilineHeader ?? false,
    literalHeader: options.literalHeader ?? false,
    repair: options.repair ?? false,
    maxHeader,
    maxBody: limit('maxBody', options.maxBody, Number.POSITIVE_INFINITY),
    known,
    longestName: known === undefined ? maxHeader : lengthOfLongest(known),
  };
}

/** What somebody passed instead of what was asked for. */
export function describe(value: unknown): string {
  if (value instanceof Uint8Array) return 'bytes: scan() takes those';
  return value === null ? 'null' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function limit(name: string, value: number | undefined, usual: number): number {
  if (value === undefined) return usual;
  if (typeof value === 'number' && value >= 0) return Math.floor(value);
  throw new RangeError(`${name} is ${String(value)}; write a number of units, 0 or more.`);
}

function namesOf(names: ScanOptions['knownTools']): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined;
  const refuse = (what: string): never => {
    throw new TypeError(`knownTools is ${what}; write a list of names.`);
  };
  if (names === null || typeof names !== 'object' || !(Symbol.iterator in names)) return refuse(describe(names));
  // What can be read once is empty the second time, and then no call is one.
  if ('next' in names) return refuse('an iterator, which can be read only once');
  const known = new Set<unknown>(names instanceof Map ? names.keys() : names);
  for (const name of known) if (typeof name !== 'string') return refuse(`a list with ${describe(name)} in it`);
  return known as ReadonlySet<string>;
}

/** At least that of the reserved names, and of an unknown name that is taken for one. */
function lengthOfLongest(names: ReadonlySet<string>): number {
  let longest = longestUnknown;
  for (const { length } of names) longest = Math.max(longest, length);
  return longest;
}
