/** What a type of another language means here: `list[str]`, `Array<string>`, `str | None`, `?Text`, `'a' | 'b'`. */
import { foreignType } from './names.ts';

export interface ForeignType {
  readonly name: string;
  readonly arrays: number;
  readonly optional: boolean;
  /** It says less than what was written. */
  readonly lossy?: true;
}

const LISTS = /^(?:list|array|sequence|iterable|tuple|set|vec|readonlyarray)$/i;
const MAPS = /^(?:dict|map|record|mapping|object|hash)$/i;
const MAYBE = /^(?:optional|maybe|option|nullable)$/i;
const NOTHING = /^(?:none|null|undefined|nil)$/i;
const DEEPEST = 16;

/** `known` finds the type of the file that a word is meant to be. Undefined where nothing can be told. */
export function readForeignType(
  written: string,
  known: (word: string) => string | undefined,
  depth = 0,
): ForeignType | undefined {
  const text = written.trim();
  if (depth > DEEPEST || text === '') return undefined;
  const inner = (part: string) => readForeignType(part, known, depth + 1);
  if (text.includes('|')) return readUnion(text.split('|'), inner);
  if (text.startsWith('?')) return optional(inner(text.slice(1)));
  if (text.endsWith('?')) return optional(inner(text.slice(0, -1)));
  if (/^(["'`])[^"'`]*\1$/.test(text)) return inQuotes(text.slice(1, -1), inner);
  const suffix = /^(.+?)[ \t]*\[[ \t]*\d*[ \t]*\]$/.exec(text)?.[1];
  if (suffix !== undefined) return list(inner(suffix));
  const before = /^\[[ \t]*\][ \t]*(.+)$/.exec(text)?.[1] ?? /^\[(.+)\]$/.exec(text)?.[1];
  if (before !== undefined) return list(inner(before));
  const generic = /^([A-Za-z]\w*)[ \t]*[[<](.*)[\]>]$/.exec(text);
  if (generic) return readGeneric(generic[1] ?? '', generic[2] ?? '', inner);
  if (LISTS.test(text)) return { name: 'Json', arrays: 1, optional: false, lossy: true };
  if (MAPS.test(text)) return { name: 'Json', arrays: 0, optional: false, lossy: true };
  const name = foreignType(text) ?? known(text);
  return name === undefined ? undefined : { name, arrays: 0, optional: false };
}

/** Only with nothing does a union mean something here; one of texts is a text. */
function readUnion(
  parts: readonly string[],
  inner: (part: string) => ForeignType | undefined,
): ForeignType | undefined {
  const real = parts.map((part) => part.trim()).filter((part) => !NOTHING.test(part));
  const missing = real.length < parts.length;
  const [first] = real;
  const isTexts = real.length > 0 && real.every((part) => /^(["']).*\1$/.test(part));
  if (isTexts) return { name: 'Text', arrays: 0, optional: missing, lossy: true };
  const only = real.length === 1 && first !== undefined ? inner(first) : undefined;
  return missing ? optional(only) : only;
}

/** `"Text"` is a type in quotes, `"open"` the text itself. */
function inQuotes(text: string, inner: (part: string) => ForeignType | undefined): ForeignType {
  return (/^[A-Z]/.test(text) ? inner(text) : undefined) ?? { name: 'Text', arrays: 0, optional: false, lossy: true };
}

function readGeneric(
  word: string,
  args: string,
  inner: (part: string) => ForeignType | undefined,
): ForeignType | undefined {
  if (MAPS.test(word)) return { name: 'Json', arrays: 0, optional: false, lossy: true };
  if (LISTS.test(word)) return list(inner(args));
  return MAYBE.test(word) ? optional(inner(args)) : undefined;
}

function list(type: ForeignType | undefined): ForeignType | undefined {
  return type && { ...type, arrays: type.arrays + 1, optional: false };
}

function optional(type: ForeignType | undefined): ForeignType | undefined {
  return type && { ...type, optional: true };
}
