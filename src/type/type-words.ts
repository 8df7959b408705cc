/** Types in one text, as workflow files and plugins write them: `string`, `Review?`, `string[][]?`, `"a" | "b"`, `("a" | "b")[]`. */
import { booleanType, numberType, type Type, textType } from './type.ts';

export interface TypeText {
  /** A type or a schema by its name, or the texts of a choice. */
  readonly base: string | readonly string[];
  readonly arrays: number;
  readonly optional: boolean;
}

/** The built-in types by the names that workflow files have for them. */
export const typeWords: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['string', textType],
  ['number', numberType],
  ['boolean', booleanType],
]);

/** The name of a type or of a schema. */
export const typeName = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Undefined when it is not a type as we write them. */
export function parseTypeText(text: string): TypeText | undefined {
  const optional = text.endsWith('?');
  let end = optional ? text.length - 1 : text.length;
  let arrays = 0;
  for (; text.endsWith('[]', end); end -= 2) arrays++;
  const base = text.slice(0, end);
  if (typeName.test(base)) return { base, arrays, optional };
  const inner = base.startsWith('(') && base.endsWith(')') ? base.slice(1, -1) : base;
  const texts = parseChoice(inner);
  // Without parentheses `[]` would belong to the last text alone.
  if (!texts || (arrays > 0 && texts.length > 1 && inner === base)) return undefined;
  const [only = ''] = texts;
  // `"string[]"?`: a quoted text that ends in brackets is a list.
  const list = texts.length === 1 && arrays === 0 && only.endsWith('[]') && !only.includes('"') && parseTypeText(only);
  if (list) return { ...list, optional };
  return { base: texts, arrays, optional };
}

/** `"a" | "b"`, with the escapes of TOON in each. */
function parseChoice(text: string): string[] | undefined {
  const texts: string[] = [];
  const one = / *("(?:[^"\\\0-\x1f]|\\(?:["\\nrt]|u[0-9a-fA-F]{4}))*") *(\||$)/y;
  for (let more = true; more; ) {
    const found = one.exec(text);
    if (!found) return undefined;
    texts.push(JSON.parse(found[1] ?? '""'));
    more = found[2] === '|';
  }
  return one.lastIndex === text.length ? texts : undefined;
}
