/** What people from other languages write for types. */
import { typeName } from '../../type/index.ts';

export interface MeantType {
  readonly text: string;
  /** It decides what was meant. */
  readonly guess?: true;
}

const LIST = /^(?:list|array|sequence|iterable|set|vec|readonlyarray)$/i;
const MAYBE = /^(?:optional|maybe|option|nullable)$/i;
const NOTHING = /^(?:none|null|undefined|nil|void)$/i;
const longest = 200;

const foreign: ReadonlyMap<string, string> = new Map(
  Object.entries({
    string: 'str text varchar char',
    number: 'int integer float double num decimal long short bigint i32 i64 f32 f64 u32 u64',
    boolean: 'bool',
  }).flatMap(([ours, theirs]) => [ours, ...theirs.split(' ')].map((word) => [word, ours] as const)),
);

/** Words for values of any shape, which have no type here. */
const SHAPELESS = /^(?:any|unknown|object|dict|map|record|mapping|hash|json|struct|interface|tuple|mixed|never)$/i;

/** As it is written in a file, in quotes where TOON needs them. */
export function writeTypeText(text: string): string {
  return text.includes('[') ? `"${text.replace(/[\\"]/g, '\\$&')}"` : text;
}

export function isListWord(word: string): boolean {
  return LIST.test(word);
}

/** `Array<string>`, `list[str]`, `string | null`, `?int`, `'a' | 'b'`, `ok | bad`; undefined where nothing can be told. */
export function meantType(written: string, depth = 0): MeantType | undefined {
  const text = written.trim();
  if (depth > 16 || text === '' || text.length > longest) return undefined;
  const inner = (part: string) => meantType(part, depth + 1);
  if (text.includes('|')) return meantUnion(text.split('|'), inner);
  if (text.startsWith('?')) return optional(inner(text.slice(1)));
  if (text.endsWith('?')) return optional(inner(text.slice(0, -1)));
  if (/^(["'`])[^"'`\\]*\1$/.test(text)) return { text: `"${text.slice(1, -1)}"` };
  const item = /^(.+)\[ *[0-9]* *\]$/.exec(text)?.[1] ?? /^\[ *\](.+)$/.exec(text)?.[1] ?? /^\[(.+)\]$/.exec(text)?.[1];
  if (item !== undefined) return list(inner(item));
  const generic = /^([A-Za-z]+) *[[<](.*)[\]>]$/.exec(text);
  if (generic && LIST.test(generic[1] ?? '')) return list(inner(generic[2] ?? ''));
  if (generic) return MAYBE.test(generic[1] ?? '') ? optional(inner(generic[2] ?? '')) : undefined;
  if (LIST.test(text)) return { text: 'string[]', guess: true };
  if (/^(?:date|datetime|timestamp)$/i.test(text)) return { text: 'string', guess: true };
  const ours = foreign.get(text.toLowerCase());
  if (ours !== undefined) return { text: ours };
  return typeName.test(text) && !SHAPELESS.test(text) && !NOTHING.test(text) ? { text } : undefined;
}

/** With nothing it is optional; a choice of words can only mean texts. */
function meantUnion(parts: readonly string[], inner: (part: string) => MeantType | undefined): MeantType | undefined {
  const real = parts.map((part) => part.trim()).filter((part) => !NOTHING.test(part));
  const missing = real.length < parts.length;
  const [first] = real;
  if (first === undefined) return undefined;
  if (real.length === 1) return missing ? optional(inner(first)) : inner(first);
  const bare = real.some((part) => typeName.test(part.replace(/\?$/, '')));
  if (real.some((part) => foreign.has(part.replace(/\?$/, '').toLowerCase()))) return undefined;
  const texts = real.map((part) => /^(["'`]?)([^"'`\\]+)\1(\??)$/.exec(part));
  if (texts.some((found) => !found)) return undefined;
  const choice = texts.map((found) => `"${found?.[2]?.replace(/\?$/, '')}"`).join(' | ');
  const mark = missing || real.at(-1)?.endsWith('?') ? '?' : '';
  return { text: `${choice}${mark}`, ...(bare && { guess: true as const }) };
}

function list(item: MeantType | undefined): MeantType | undefined {
  if (!item) return undefined;
  const one = item.text.replace(/\?$/, '');
  return { ...item, text: one.includes('|') ? `(${one})[]` : `${one}[]` };
}

function optional(type: MeantType | undefined): MeantType | undefined {
  return type && { ...type, text: type.text.endsWith('?') ? type.text : `${type.text}?` };
}
