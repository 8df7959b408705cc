/**
 * What depends on a language in JavaScript depends on nothing but the expression here: without a locale it is `en-US`,
 * without a time zone UTC, never the machine's. A locale that is not known falls back to `en-US` too.
 */
import { spendText } from './budget.ts';
import { toText } from './convert.ts';
import { fail, native } from './failure.ts';
import { getOwn, ownKeys } from './own.ts';
import { describe, isArray, isRecordValue, type Runtime } from './value.ts';

/** Making a formatter costs the machine as much as some thousand nodes. */
const formatterCost = 2500;

export function localeCompare(rt: Runtime, a: string, b: string, locales: unknown, options: unknown): number {
  spendMarks(rt, a);
  spendMarks(rt, b);
  rt.budget.spend(1 + (a.length + b.length) / 2);
  return native('localeCompare', () => collator(rt, locales, options).compare(a, b));
}

export function numberText(rt: Runtime, value: number, locales: unknown, options: unknown): string {
  rt.budget.spend(options === undefined ? 100 : formatterCost);
  return native('toLocaleString', () => value.toLocaleString(localeList(rt, locales), plainOptions(rt, options)));
}

export type DateForm = 'toLocaleString' | 'toLocaleDateString' | 'toLocaleTimeString';

export function localDateText(rt: Runtime, date: Date, form: DateForm, locales: unknown, options: unknown): string {
  rt.budget.spend(formatterCost);
  const list = localeList(rt, locales);
  const plain: Record<string, unknown> = { timeZone: 'UTC', ...plainOptions(rt, options) };
  return native(form, () => date[form](list, plain));
}

export function changeCase(
  rt: Runtime,
  text: string,
  form: 'toLocaleLowerCase' | 'toLocaleUpperCase',
  locales: unknown,
): string {
  spendText(rt.budget, text.length * 3);
  return native(form, () => text[form](localeList(rt, locales)));
}

/** Ordering the marks above and below one letter takes the machine the square of their number. */
export function spendMarks(rt: Runtime, text: string): void {
  let run = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Low surrogates go with the character before them.
    if (code >= 0xdc00 && code <= 0xdfff) continue;
    run = code >= 0x300 && mark.test(String.fromCodePoint(text.codePointAt(i) ?? 0)) ? run + 1 : 0;
    if (run > 8) rt.budget.spend(run / 4);
  }
  rt.budget.spend(text.length / 8);
}

const mark = /^\p{M}$/u;

// A comparator asks for the same one again and again.
const collators = new Map<string, Intl.Collator>();
const mostCollators = 20;

function collator(rt: Runtime, locales: unknown, options: unknown): Intl.Collator {
  const list = localeList(rt, locales);
  const plain = plainOptions(rt, options);
  const key = JSON.stringify([list, plain]);
  const known = collators.get(key);
  if (known) return known;
  rt.budget.spend(formatterCost);
  const made = new Intl.Collator(list, plain as Intl.CollatorOptions | undefined);
  if (collators.size >= mostCollators) collators.clear();
  collators.set(key, made);
  return made;
}

function localeList(rt: Runtime, locales: unknown): string | string[] {
  if (locales === undefined) return 'en-US';
  const given = typeof locales === 'string' ? [locales] : locales;
  if (!isArray(given) || given.length > 20) return fail('TOO6105', `a locale is a text, not ${describe(locales)}`);
  const list = given.map((locale) =>
    typeof locale === 'string' ? locale : fail('TOO6105', `a locale is a text, not ${describe(locale)}`),
  );
  rt.budget.spend(list.length);
  return [...list, 'en-US'];
}

/** Options as plain scalars, so that nothing of a value is called. */
function plainOptions(rt: Runtime, options: unknown): Record<string, unknown> | undefined {
  if (options === undefined) return undefined;
  if (!isRecordValue(options)) return fail('TOO6105', `options are an object, not ${describe(options)}`);
  const plain: Record<string, unknown> = Object.create(null);
  for (const key of ownKeys(rt, options).slice(0, 50)) {
    const value = getOwn(options, key);
    const scalar = value === undefined || typeof value === 'number' || typeof value === 'boolean';
    plain[key] = scalar ? value : toText(rt, value);
  }
  return plain;
}
