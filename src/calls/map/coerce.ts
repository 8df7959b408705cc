/** A word of a header as a value of its parameter. */

import type { MapError } from './map-error.ts';
import type { ParamPlan } from './plan.ts';
import { showName } from './value.ts';

export interface Coerced {
  /** What does not fit stays the text it was; the schema says so later. */
  readonly value: unknown;
  readonly error?: MapError;
}

/** A number as JSON has it. */
const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const longestNumber = 400;

/**
 * A word without quotes is the narrowest that the parameter allows: null, then true or false, then a number, then a text.
 * In quotes it is a text first. A value that the schema lists may be written in other letter case.
 */
export function coerce(text: string, quoted: boolean, param: ParamPlan): Coerced {
  const { types, values } = param;
  if (values !== undefined) return { value: listed(text, quoted, values) };
  if (quoted && types.includes('string')) return { value: text };
  if (!quoted && text === 'null' && types.includes('null')) return { value: null };
  const truth = truthOf(text);
  if (truth !== undefined && types.includes('boolean')) return { value: truth };
  if ((types.includes('number') || types.includes('integer')) && isNumber(text)) {
    const value = Number(text) + 0;
    if (!isExact(text, value)) {
      if (types.includes('string')) return { value: text };
      return { value: text, error: { code: 'precision', param: param.name, message: inexact(param.name) } };
    }
    if (types.includes('number') || decimalOf(text).power >= 0) return { value };
  }
  return { value: text };
}

export function isNumber(text: string): boolean {
  return text.length <= longestNumber && jsonNumber.test(text);
}

/** Whether a number is what its text says: no large one that lost digits, nothing that became infinite or zero. */
export function isExact(text: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  const { digits, power } = decimalOf(text);
  if (value === 0) return digits === '';
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return true;
  // As it is written again, or with all its digits.
  const written = decimalOf(String(value));
  if (digits === written.digits && power === written.power) return true;
  return power >= 0 && BigInt(digits) * 10n ** BigInt(power) === BigInt(Math.abs(value));
}

/** A number as its digits, without zeros at their ends, times a power of ten. */
function decimalOf(text: string): { digits: string; power: number } {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = `${whole}${fraction}`;
  let end = all.length;
  while (end > 0 && all[end - 1] === '0') end--;
  const digits = all.slice(0, end).replace(/^0+/, '');
  return { digits, power: digits === '' ? 0 : Number(exponent) - fraction.length + all.length - end };
}

export function inexact(name: string): string {
  return `${showName(name)} is a number too large, or of too many digits, to be kept exactly; write at most 15 digits`;
}

function listed(text: string, quoted: boolean, values: readonly unknown[]): unknown {
  const plain = () => values.find((value) => typeof value !== 'string' && isWritten(value, text));
  const others = quoted ? undefined : plain();
  if (others !== undefined) return others;
  if (values.includes(text)) return text;
  const lower = text.toLowerCase();
  const alike = values.filter((value) => typeof value === 'string' && value.toLowerCase() === lower);
  if (alike.length === 1) return alike[0];
  return (quoted && text !== 'null' ? plain() : undefined) ?? text;
}

/** Whether `text` is how a header writes `value`. */
function isWritten(value: unknown, text: string): boolean {
  if (value === null) return text === 'null';
  if (typeof value === 'boolean') return truthOf(text) === value;
  return typeof value === 'number' && isNumber(text) && Number(text) === value && isExact(text, value);
}

function truthOf(text: string): boolean | undefined {
  if (text.length > 5) return undefined;
  const lower = text.toLowerCase();
  return lower === 'true' ? true : lower === 'false' ? false : undefined;
}
