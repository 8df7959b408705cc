/** Reads one value that a person typed (`name=value`) by its declared type. */
import { closest, didYouMean } from '../text/index.ts';
import { parseWhole, placeIn } from './find-json.ts';
import { printTypeShort } from './print.ts';
import { quoteShort, type ReadResult } from './read-error.ts';
import { type ResolvedType, resolve, type Type, type TypeTable } from './type.ts';
import { conform, readNumber } from './validate.ts';

/**
 * Text and Message are taken as typed. Json is JSON if it reads as JSON; what begins with `{`, `[` or `"` must; any other
 * text is itself. Lists and structs are JSON. Nothing is searched for: a person can be asked to type it again.
 */
export function readText(raw: string, type: Type, table: TypeTable): ReadResult {
  const target = resolve(type, table);
  switch (target.kind) {
    case 'text':
    case 'message':
      return { ok: true, value: raw, repairs: [] };
    case 'number': {
      const value = readNumber(raw.trim().replace(/^\+(?=[0-9])/, ''));
      return value === undefined
        ? refused(raw, target, 'write a number such as 42 or -0.5')
        : { ok: true, value, repairs: [] };
    }
    case 'boolean': {
      const word = raw.trim().toLowerCase();
      return word === 'true' || word === 'false'
        ? { ok: true, value: word === 'true', repairs: [] }
        : refused(raw, target, 'write true or false');
    }
    case 'literal': {
      const word = target.values.includes(raw) ? raw : raw.trim();
      if (target.values.includes(word)) return { ok: true, value: word, repairs: [] };
      const meant = closest(word, target.values);
      return refused(raw, target, `write one of them.${didYouMean(meant)}`);
    }
    default:
      return readWhole(raw, target, table);
  }
}

function readWhole(raw: string, target: ResolvedType, table: TypeTable): ReadResult {
  const whole = parseWhole(raw);
  if (!whole.ok) {
    const first = raw.trimStart()[0];
    if (first === '{' || first === '[' || (first === '"' && target.kind === 'json')) {
      const { at, message } = whole.damage;
      return refused(raw, target, `the JSON is broken at ${placeIn(raw, at)}: ${message}`);
    }
    if (target.kind === 'json') return { ok: true, value: raw, repairs: [] };
    return refused(
      raw,
      target,
      target.kind === 'array' ? 'write a JSON list such as ["a", "b"]' : 'write a JSON object',
    );
  }
  const read = conform(whole.found.value, target, table, { coerce: true });
  if (read.errors.length > 0) return { ok: false, errors: read.errors };
  return { ok: true, value: read.value, repairs: [...whole.found.repairs, ...read.repairs] };
}

function refused(raw: string, target: ResolvedType, help: string): ReadResult {
  const expected = printTypeShort(target);
  const got = `the text ${quoteShort(raw)}`;
  const stop = /[.?]$/.test(help) ? '' : '.';
  return {
    ok: false,
    errors: [
      { pointer: '', message: `the value must be ${expected}, but it is ${got}: ${help}${stop}`, expected, got },
    ],
  };
}
