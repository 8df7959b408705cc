/**
 * Reads a JSON object in a text. Strict as JSON.parse, but it says what is wrong and where, stops at the end of the object,
 * and sees what JSON.parse does not tell: a name that stands twice, a number that would lose digits.
 */
import { inexact, isExact, isNumber } from './coerce.ts';
import type { MapError, MapErrorCode } from './map-error.ts';
import { maxDepth, setOwn, showName } from './value.ts';

export interface JsonProblem {
  readonly at: number;
  readonly message: string;
}

export interface JsonRead {
  /** Where the object ends. */
  readonly end: number;
  readonly value: Record<string, unknown>;
  /** What is wrong with values that are there. */
  readonly errors: readonly MapError[];
  /** Why there is no object, or only a part of one; `value` is empty then. */
  readonly problem?: JsonProblem;
}

const escapes = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }),
);
const words = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const longestWord = 400;
const mostErrors = 100;

/** Thrown and caught here only: the problem is kept beside it. */
const stop = new Error('stop');

/** Reads the object whose `{` stands at `start`. */
export function readJsonObject(text: string, start: number): JsonRead {
  const errors: MapError[] = [];
  /** The names on the way to the value at hand. */
  const way: string[] = [];
  let at = start;
  let problem: JsonProblem | undefined;

  function fail(message: string, place = at): never {
    problem = { at: place, message };
    throw stop;
  }

  function expected(wanted: string): never {
    return fail(`${at < text.length ? `here stands ${unitAt(text, at)}` : 'the text ends'}, but ${wanted} must follow`);
  }

  function report(code: MapErrorCode, message: (param: string) => string): void {
    if (errors.length >= mostErrors) return;
    const param = way.join('/');
    errors.push({ code, param, message: message(param) });
  }

  function skip(): void {
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
    }
  }

  function readValue(): unknown {
    const unit = text[at];
    if (unit === '{') return readObject();
    if (unit === '[') return readArray();
    return unit === '"' ? readText() : readWord();
  }

  /** Whether the object or array that opens here is empty. */
  function opens(close: string): boolean {
    if (way.length >= maxDepth) fail(`objects and arrays are nested deeper than ${maxDepth} levels`);
    at++;
    skip();
    if (text[at] !== close) return true;
    at++;
    return false;
  }

  /** Whether another value follows. */
  function goesOn(close: string): boolean {
    skip();
    const unit = text[at];
    if (unit !== close && unit !== ',') expected(`"," or "${close}"`);
    const comma = at++;
    if (unit === close) return false;
    skip();
    if (text[at] === close) fail(`no comma may stand before "${close}"`, comma);
    return true;
  }

  function readObject(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (let more = opens('}'); more; more = goesOn('}')) {
      if (text[at] !== '"') expected('a name in double quotes');
      const name = readText();
      skip();
      if (text[at] !== ':') expected('":"');
      at++;
      skip();
      way.push(name);
      if (Object.hasOwn(object, name)) report('duplicate', (param) => `${showName(param)} stands twice; write it once`);
      setOwn(object, name, readValue());
      way.pop();
    }
    return object;
  }

  function readArray(): unknown[] {
    const array: unknown[] = [];
    for (let more = opens(']'); more; more = goesOn(']')) {
      way.push(String(array.length));
      array.push(readValue());
      way.pop();
    }
    return array;
  }

  function readText(): string {
    const open = at;
    let value = '';
    let from = ++at;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 0x22) return value + text.slice(from, at++);
      if (unit === 0x5c) {
        value += text.slice(from, at) + readEscape();
        from = at + 1;
      } else if (unit < 0x20) {
        const written = JSON.stringify(text.charAt(at)).slice(1, -1);
        fail(`a string must not hold ${unitAt(text, at)} as it is; write ${written} instead`);
      }
    }
    return fail('the string that starts here has no end', open);
  }

  /** Leaves `at` on the last unit of the escape. */
  function readEscape(): string {
    const unit = text.charAt(++at);
    const meant = escapes.get(unit);
    if (meant !== undefined) return meant;
    const digits = text.slice(at + 1, at + 5);
    if (unit !== 'u') fail('this is no escape of JSON; a backslash is written \\\\', at - 1);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) fail('four hexadecimal digits must follow \\u', at - 1);
    at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  function readWord(): unknown {
    const from = at;
    while (at < text.length && isWordUnit(text.charCodeAt(at))) at++;
    const word = text.slice(from, at);
    if (words.has(word)) return words.get(word);
    const value = Number(word);
    const long = word.length > longestWord && /^-?[0-9]+$/.test(word);
    if (!long && !isNumber(word)) {
      at = from;
      expected('a value');
    }
    if (!long && isExact(word, value)) return value;
    report('precision', inexact);
    return value;
  }

  try {
    return { value: readObject(), end: at, errors };
  } catch (thrown) {
    if (thrown !== stop || problem === undefined) throw thrown;
    return { value: {}, end: at, errors: [], problem };
  }
}

/** What stands in the text there, in words. */
export function unitAt(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (character === '\n' || character === '\r') return 'a line break';
  if (character === '\t') return 'a tab';
  if (character === "'") return 'a single quote';
  return character === '"' ? 'a double quote' : JSON.stringify(character);
}

/** Letters, digits and what numbers have. */
function isWordUnit(unit: number): boolean {
  const letter = unit | 0x20;
  return (
    (letter >= 0x61 && letter <= 0x7a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x2b ||
    unit === 0x2d ||
    unit === 0x2e
  );
}
