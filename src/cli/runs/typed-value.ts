/** One value that is given by its name, read by its declared type: for the inputs of workflows and the arguments of thunks. */
import { jsonType, readText, resolve, type Type, type TypeTable } from '../../type/index.ts';

export type TypedValue =
  /** Lists and objects are read as the JSON that they are; whether that fits is for who checks the whole. */
  | { readonly kind: 'value'; readonly value: unknown; readonly problems: readonly string[] }
  | { readonly kind: 'absent'; readonly problems: readonly [] }
  | { readonly kind: 'wrong'; readonly problems: readonly string[] };

/** `print` has the types in the words of the language that declares them. */
export function readTyped(
  name: string,
  raw: string,
  { type, optional }: { readonly type: Type; readonly optional: boolean },
  table: TypeTable,
  print: (type: Type) => string,
): TypedValue {
  const { kind } = resolve(type, table);
  const isJson = kind === 'array' || kind === 'struct';
  // One value has one meaning: in a field it is what it would be in an object.
  if (optional && raw.trim() === 'null' && (isJson || kind === 'number' || kind === 'boolean'))
    return { kind: 'absent', problems: [] };
  const given = readText(raw, isJson ? jsonType : type, table);
  if (given.ok)
    return { kind: 'value', value: given.value, problems: doubledKeys(given.repairs, `the JSON of "${name}"`) };
  const problems = given.errors.map(({ message }) => {
    const broken = brokenAt(message);
    const own = message.replace(/^the value must be .*?, but/, () => `must be ${print(type)}, but`);
    return broken === undefined ? `"${name}" ${withoutStop(own)}` : `the JSON of "${name}" ${broken}`;
  });
  return { kind: 'wrong', problems };
}

/** Keys that are given twice: the last one would win without a word. */
export function doubledKeys(repairs: readonly string[], where: string): readonly string[] {
  return repairs.flatMap((repair) => {
    const key = /^kept the last value of a key given twice \((.*)\)$/.exec(repair)?.[1];
    return key === undefined ? [] : [`${key} is given twice in ${where}`];
  });
}

/** `is broken at line 1, column 5: …`. */
export function brokenAt(message: string): string | undefined {
  const broken = /the JSON (is broken at .*)$/s.exec(message)?.[1];
  return broken === undefined ? undefined : withoutStop(broken);
}

/** Problems stand in lines of their own, without a full stop. */
export function withoutStop(message: string): string {
  return message.replace(/\.$/, '');
}
