/**
 * What a method takes and gives, and the reader of the tables that say so. A line of a table is a property,
 * `length: number`, or a method, `slice(number?, number?): string`. `?` after a parameter: it may be left out;
 * `...` before the last: any number of them. The words for parameters are `Want`, those for results are in `result.ts`.
 */

/**
 * What an argument must be; JavaScript turns most things into most others, so only what surely cannot be meant is
 * wrong. The last four are functions: of an item, its index and the list; of what has been gathered and these three;
 * of two items; of an item and its index. `item`: compared with the items by `===`.
 */
export type Want =
  | 'any'
  | 'string'
  | 'number'
  | 'boolean'
  | 'date'
  | 'pattern'
  | 'global-pattern'
  | 'replacer'
  | 'list'
  | 'object'
  | 'item'
  | 'each'
  | 'fold'
  | 'order'
  | 'make';

export interface Signature {
  readonly name: string;
  readonly params: readonly { readonly want: Want; readonly optional: boolean }[];
  /** What all arguments after the parameters must be; absent where there may be none. */
  readonly rest?: Want;
  readonly result: string;
}

export type Member =
  | { readonly kind: 'property'; readonly result: string }
  | { readonly kind: 'method'; readonly call: Signature };

export type Members = ReadonlyMap<string, Member>;

export function isCallback(want: Want): boolean {
  return want === 'each' || want === 'fold' || want === 'order' || want === 'make';
}

/** Several names may share a line: `trim trimEnd(): string`. */
export function readMembers(table: string): Members {
  const members = new Map<string, Member>();
  for (const line of table.split('\n')) {
    const [, names = '', params, result = ''] = /^\s*([\w$ ]+?)(?:\((.*)\))?: (\S+)$/.exec(line) ?? [];
    if (names === '') {
      if (line.trim() === '') continue;
      throw new Error(`the table of members has a line that is none: ${line}`);
    }
    for (const name of names.split(' ')) {
      members.set(
        name,
        params === undefined
          ? { kind: 'property', result }
          : { kind: 'method', call: readSignature(name, params, result) },
      );
    }
  }
  return members;
}

export function readSignature(name: string, params: string, result: string): Signature {
  const words = params === '' ? [] : params.split(', ');
  const last = words.at(-1);
  const rest = last?.startsWith('...') ? (last.slice(3) as Want) : undefined;
  return {
    name,
    params: (rest === undefined ? words : words.slice(0, -1)).map((word) => ({
      want: word.replace('?', '') as Want,
      optional: word.endsWith('?'),
    })),
    ...(rest !== undefined && { rest }),
    result,
  };
}
