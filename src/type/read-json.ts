/**
 * Reads what a model wrote into a type. Where the value is, in this order:
 * - Text and Message: the text itself is the value. For Text, when the whole text is one JSON string, what it holds.
 * - Number, Boolean and literals: the whole text; else a line that holds nothing but such a value (quotes, backticks,
 *   stars and a full stop around it are no matter), if all such lines agree.
 * - Structs, lists and Json: the whole text; else a value behind a code fence; else one between other words. Of several
 *   that fit, for a struct the last (models correct themselves), for a list or Json the longest (a footnote `[1]` is
 *   one too), the last of equals; the repairs say that there were several. Text that ends inside a JSON value is
 *   refused, whatever came before it.
 * A value that does not fit is never taken; all its errors are given. Null for an optional field is absent; text is read
 * as a number or a boolean where one is asked for.
 */
import { findJson, placeIn } from './find-json.ts';
import { isWrapper } from './json-schema.ts';
import type { DamagedJson } from './lenient-json.ts';
import { printTypeShort, type TypeLanguage } from './print.ts';
import { quoteShort, type ReadError, type ReadResult } from './read-error.ts';
import { type ResolvedType, resolve, type Type, type TypeTable } from './type.ts';
import { conform } from './validate.ts';

interface Candidate {
  readonly value: unknown;
  readonly errors: readonly ReadError[];
  readonly repairs: readonly string[];
  readonly fenced: boolean;
  readonly size: number;
}

interface Search {
  readonly best: Candidate | undefined;
  /** How many values fit, and how many of them are behind a code fence. */
  readonly fitting: number;
  readonly fittingFenced: number;
  readonly damage: DamagedJson | undefined;
}

/**
 * With `wrapped`, the value may be the field `value` of an object, as `wrapForProvider` asks for. Errors name types in the
 * words of `language`.
 */
export function readJson(
  text: string,
  type: Type,
  table: TypeTable,
  options: { readonly wrapped?: boolean; readonly language?: TypeLanguage } = {},
): ReadResult {
  const { language = 'too' } = options;
  const target = resolve(type, table);
  const container = target.kind === 'struct' || target.kind === 'array' || target.kind === 'json';
  const wrapped = options.wrapped === true && target.kind !== 'struct';
  if (container)
    return finish(text, target, search(text, target, table, wrapped ? 'allowed' : 'no', language), language);
  if (wrapped) {
    const found = search(text, target, table, 'only', language);
    // Once there is an object it is the answer: its braces must not become the text.
    const begun = found.damage?.meant === true && /^\s*(\{|```)/.test(text);
    if (found.best !== undefined || begun) return finish(text, target, found, language);
  }
  if (target.kind === 'message') return { ok: true, value: text, repairs: [] };
  return target.kind === 'text' ? readPlain(text) : readScalar(text, target, table, language);
}

function readPlain(text: string): ReadResult {
  const trimmed = text.trim();
  if (trimmed.length >= 2 && trimmed.startsWith('"') && trimmed.endsWith('"')) {
    try {
      return { ok: true, value: JSON.parse(trimmed) as unknown, repairs: ['took the text out of its JSON quotes'] };
    } catch {
      // Text that only looks like a JSON string is text.
    }
  }
  return { ok: true, value: text, repairs: [] };
}

function readScalar(text: string, target: ResolvedType, table: TypeTable, language: TypeLanguage): ReadResult {
  const exact = conform(text, target, table, { coerce: true });
  if (exact.errors.length === 0) return { ok: true, value: exact.value, repairs: spelled(text, exact.value) };
  const plain = readPlain(text);
  if (plain.ok && plain.value !== text) {
    const inner = conform(plain.value, target, table, { coerce: true });
    // In quotes a literal is JSON as it should be; a number in them is a text that was read as one.
    if (inner.errors.length === 0) return { ok: true, value: inner.value, repairs: inner.repairs };
  }
  const found = new Map<unknown, string>();
  const lines = text.split('\n');
  for (const line of lines) {
    const word = bare(line);
    if (word === '') continue;
    for (const form of word.endsWith('.') ? [word, bare(word.slice(0, -1))] : [word]) {
      const read = conform(form, target, table, { coerce: true });
      if (read.errors.length > 0) continue;
      found.set(read.value, form);
      break;
    }
  }
  const [first] = found.keys();
  if (found.size === 1) {
    const repairs = text.trim() === found.get(first) ? [] : ['took the value from a line of its own'];
    return { ok: true, value: first, repairs };
  }
  const expected = printTypeShort(target, language);
  if (found.size === 0) {
    const got = `the text ${quoteShort(text.trim())}`;
    return failed(`the answer must be ${expected} and nothing else, but it is ${got}.`, expected, got);
  }
  const got = [...found.values()]
    .slice(0, 4)
    .map((word) => quoteShort(word))
    .join(' and ');
  return failed(`the answer must be one ${expected}, but it holds ${got} on lines of their own.`, expected, got);
}

/** A text that is the value needs no repair, but in the letter case of another language it does. */
function spelled(text: string, value: unknown): string[] {
  const word = text.trim();
  return typeof value !== 'boolean' || word === String(value) ? [] : [`read ${quoteShort(word)} as ${value}`];
}

/** A line without the marks that people and models put around a value. */
function bare(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && isMark(line[start])) start++;
  while (end > start && isMark(line[end - 1])) end--;
  return line.slice(start, end);
}

function isMark(char: string | undefined): boolean {
  return char !== undefined && /[\s"'`*_]/.test(char);
}

function search(
  text: string,
  target: ResolvedType,
  table: TypeTable,
  wrapper: 'no' | 'allowed' | 'only',
  language: TypeLanguage,
): Search {
  let best: Candidate | undefined;
  let fitting = 0;
  let fittingFenced = 0;
  const preferLast = target.kind === 'struct';
  const damage = findJson(text, (found) => {
    const inside = wrapper !== 'no' && isWrapper(found.value);
    if (wrapper === 'only' && !inside) return;
    const read = conform(inside ? (found.value as { value: unknown }).value : found.value, target, table, {
      coerce: true,
      language,
    });
    const repairs = [...found.repairs, ...read.repairs];
    if (!found.whole)
      repairs.unshift(found.fenced ? 'took the JSON out of a code fence' : 'took the JSON out of the text around it');
    const { fenced } = found;
    const candidate = { value: read.value, errors: read.errors, repairs, fenced, size: found.end - found.start };
    if (read.errors.length === 0) {
      fitting++;
      if (fenced) fittingFenced++;
    }
    if (best === undefined || better(candidate, best, preferLast)) best = candidate;
  });
  return { best, fitting, fittingFenced, damage };
}

/** That other values would have done as well; nothing is dropped without a word. */
function chosen({ fitting, fittingFenced }: Search, target: ResolvedType): string[] {
  if (fitting < 2) return [];
  const all = `${fitting} values that fit`;
  if (fittingFenced === 1) return [`took the one in a code fence of ${all}`];
  const which = target.kind === 'struct' ? 'last' : 'longest';
  return [
    fittingFenced > 1 && fittingFenced < fitting
      ? `took the ${which} in a code fence of ${all}`
      : `took the ${which} of ${all}`,
  ];
}

/** `next` comes after `best` in the text. */
function better(next: Candidate, best: Candidate, preferLast: boolean): boolean {
  const fits = next.errors.length === 0;
  if (fits !== (best.errors.length === 0)) return fits;
  if (next.fenced !== best.fenced) return next.fenced;
  return (preferLast && fits) || next.size >= best.size;
}

function finish(text: string, target: ResolvedType, found: Search, language: TypeLanguage): ReadResult {
  const { best, damage } = found;
  const expected = printTypeShort(target, language);
  const broken = damage?.meant === true;
  if (best !== undefined && !(broken && damage.cut)) {
    if (best.errors.length === 0) {
      return { ok: true, value: best.value, repairs: [...chosen(found, target), ...best.repairs] };
    }
    if (!broken || best.size > damage.at - damage.start) return { ok: false, errors: best.errors };
  }
  const start = text.trimStart()[0];
  if (damage !== undefined && (broken || start === '{' || start === '[' || start === '"')) {
    const where = placeIn(text, damage.at);
    const opened = damage.opened === undefined ? '' : ` (opened at ${placeIn(text, damage.opened)})`;
    const got = damage.cut
      ? 'JSON that is cut off'
      : `broken JSON near ${quoteShort(text.slice(damage.at, damage.at + 40))}`;
    return failed(`the JSON is broken at ${where}: ${damage.message}${opened}.`, expected, got);
  }
  const got = text.trim() === '' ? 'nothing' : `text without JSON, ${quoteShort(text.trim())}`;
  return failed(`the answer must be JSON for ${expected}, but it is ${got}.`, expected, got);
}

function failed(message: string, expected: string, got: string): ReadResult {
  return { ok: false, errors: [{ pointer: '', message, expected, got }] };
}
