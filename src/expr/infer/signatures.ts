/** The members of every kind of value, and the globals. How a line is read: `signature.ts`. */
import { type Member, type Members, readMembers, readSignature } from './signature.ts';
import type { FunctionValue, ValueType } from './value-type.ts';

const strings = readMembers(`
  length: number
  at charAt(number?): string
  charCodeAt codePointAt(number?): number
  concat(...string): string
  endsWith startsWith includes(string, number?): boolean
  indexOf lastIndexOf(string, number?): number
  isWellFormed(): boolean
  localeCompare(string, any?, any?): number
  match(pattern): match
  matchAll(global-pattern): matches
  normalize(string?): string
  padEnd padStart(number, string?): string
  repeat(number): string
  replace(pattern, replacer): string
  replaceAll(global-pattern, replacer): string
  search(pattern): number
  slice substring(number?, number?): string
  substr(number, number?): string
  split(pattern?, number?): strings
  toLocaleLowerCase toLocaleUpperCase(any?): string
  toLowerCase toUpperCase toWellFormed trim trimEnd trimStart trimLeft trimRight toString valueOf(): string
`);

const arrays = readMembers(`
  length: number
  at(number): item
  concat(...any): concat
  copyWithin(number, number?, number?): list
  entries(): indexed
  keys(): numbers
  values valueOf(): list
  every some(each, any?): boolean
  fill(any, number?, number?): added
  filter(each, any?): filtered
  find findLast(each, any?): found
  findIndex findLastIndex(each, any?): number
  flat(number?): flat
  flatMap(each, any?): flat-mapped
  forEach(each, any?): undefined
  includes(item, number?): boolean
  indexOf lastIndexOf(item, number?): number
  join(string?): string
  map(each, any?): mapped
  pop shift(): item
  push unshift(...any): number
  reduce reduceRight(fold, any?): folded
  reverse toReversed(): list
  slice(number?, number?): list
  sort toSorted(order?): list
  splice(number, number?, ...any): list
  toSpliced(number, number?, ...any): added
  with(number, any): added
  toString(): string
  toLocaleString(any?, any?): string
`);

/** What `match` and `exec` give. */
const matches = readMembers(`
  index: number
  input: string
  groups: any
`);

const numbers = readMembers(`
  toFixed toPrecision toExponential toString(number?): string
  toLocaleString(any?, any?): string
  valueOf(): number
`);

const booleans = readMembers(`
  toString(): string
  valueOf(): boolean
`);

const dates = readMembers(`
  getDate getDay getFullYear getHours getMilliseconds getMinutes getMonth getSeconds getTime(): number
  getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds(): number
  getTimezoneOffset getYear valueOf(): number
  setTime setDate setUTCDate setMilliseconds setUTCMilliseconds setYear(number): number
  setMonth setUTCMonth setSeconds setUTCSeconds(number, number?): number
  setFullYear setUTCFullYear setMinutes setUTCMinutes(number, number?, number?): number
  setHours setUTCHours(number, number?, number?, number?): number
  toDateString toISOString toString toTimeString toUTCString toGMTString(): string
  toJSON(any?): string
  toLocaleDateString toLocaleString toLocaleTimeString(any?, any?): string
`);

const regexps = readMembers(`
  source flags: string
  global ignoreCase multiline sticky unicode unicodeSets dotAll hasIndices: boolean
  lastIndex: number
  test(string): boolean
  exec(string): match
  toString(): string
`);

/** What every value but a function has; a field of the same name comes first. */
const common = readMembers(`
  hasOwnProperty propertyIsEnumerable(any): boolean
  toString toLocaleString(any?, any?): string
  valueOf(): self
`);

const none: Members = new Map();

export function membersOfKind(type: ValueType): Members {
  switch (type.kind) {
    case 'string':
    case 'literal':
      return strings;
    case 'array':
      return arrays;
    case 'number':
      return numbers;
    case 'boolean':
      return booleans;
    case 'date':
      return dates;
    case 'regexp':
      return regexps;
    case 'function':
      return type.members ?? none;
    default:
      return none;
  }
}

export function memberOf(type: ValueType, name: string): Member | undefined {
  const own = membersOfKind(type).get(name);
  if (own !== undefined || type.kind === 'function') return own;
  return (type.kind === 'array' && type.match ? matches.get(name) : undefined) ?? common.get(name);
}

/** The kinds of values that have a method, for messages. */
export function ownersOf(name: string): string[] {
  const owners: [string, Members][] = [
    ['strings', strings],
    ['lists', arrays],
    ['numbers', numbers],
    ['dates', dates],
    ['regular expressions', regexps],
  ];
  return owners.flatMap(([owner, members]) => (members.has(name) ? [owner] : []));
}

/** The globals of expressions, but for `undefined`, `NaN` and `Infinity`. */
export const globals: ReadonlyMap<string, FunctionValue> = new Map(
  [
    make(
      'Math',
      undefined,
      `
      E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2: number
      abs acos acosh asin asinh atan atanh cbrt ceil clz32 cos cosh exp expm1 floor fround(number): number
      log log10 log1p log2 round sign sin sinh sqrt tan tanh trunc(number): number
      atan2 imul pow(number, number): number
      hypot max min(...number): number
    `,
    ),
    make(
      'JSON',
      undefined,
      `
      parse(string, any?): any
      stringify(any, any?, any?): json-text
    `,
    ),
    make(
      'Object',
      undefined,
      `
      keys(object): strings
      values(object): values
      entries(object): entries
      fromEntries(list): any
      assign(object, ...any): assigned
      is(any, any): boolean
      hasOwn(object, any): boolean
      groupBy(list, make): any
    `,
    ),
    make(
      'Array',
      ['...any', 'any'],
      `
      isArray(any): boolean
      of(...any): list-of
      from(object, make?, any?): made
    `,
    ),
    make(
      'String',
      ['any?', 'string'],
      `
      fromCharCode fromCodePoint(...number): string
    `,
    ),
    make(
      'Number',
      ['any?', 'number'],
      `
      EPSILON MAX_SAFE_INTEGER MAX_VALUE MIN_SAFE_INTEGER MIN_VALUE NaN NEGATIVE_INFINITY POSITIVE_INFINITY: number
      isFinite isInteger isNaN isSafeInteger(any): boolean
      parseFloat(any): number
      parseInt(any, number?): number
    `,
    ),
    make('Boolean', ['any?', 'boolean']),
    make(
      'Date',
      ['...any', 'string'],
      `
      now(): number
      parse(string): number
      UTC(number, ...number): number
    `,
    ),
    make('RegExp', ['pattern?, string?', 'regexp']),
    make('parseInt', ['any, number?', 'number']),
    make('parseFloat', ['any', 'number']),
    make('isNaN', ['any', 'boolean']),
    make('isFinite', ['any', 'boolean']),
    make('encodeURIComponent', ['any', 'string']),
    make('decodeURIComponent', ['any', 'string']),
    make('encodeURI', ['any', 'string']),
    make('decodeURI', ['any', 'string']),
  ].map((global) => [global.name ?? '', global]),
);

function make(name: string, call: readonly [string, string] | undefined, members = ''): FunctionValue {
  return {
    kind: 'function',
    name,
    ...(call && { call: readSignature(name, call[0], call[1]) }),
    members: readMembers(members),
  };
}
