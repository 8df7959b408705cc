/** The shapes that the types of a program promise, checked for programs without types: reported as in files. */
import type { Mark, Word } from '../../plan/index.ts';
import { reservedAs } from '../../plan/index.ts';
import { type Code, closest, type Diagnostic, diagnostic, didYouMean } from '../../text/index.ts';
import { textOf } from './expression.ts';
import type { Listing } from './listing.ts';

export interface Shapes {
  readonly found: readonly Diagnostic[];
  readonly report: (code: Code, at: Mark, message: string, help?: string) => void;
  readonly id: (label: string, id: unknown, inComponent: boolean) => Word | undefined;
  readonly name: (label: string, name: unknown, what: string) => Word;
  /** A text with expressions. */
  readonly text: (label: string, value: unknown) => ReturnType<Listing['text']> | undefined;
  readonly plain: (label: string, value: unknown) => Word | undefined;
  readonly count: (label: string, value: unknown) => number | undefined;
  readonly flag: (label: string, value: unknown) => boolean | undefined;
  readonly oneOf: <const T extends string>(label: string, value: unknown, choices: readonly T[]) => T | undefined;
  readonly durationMs: (label: string, value: unknown) => number | undefined;
  /** Reports keys that are not known, and what is no object at all: then it is false. */
  readonly keys: (label: string, value: unknown, known: readonly string[]) => boolean;
}

const namePattern = /^[A-Za-z][A-Za-z0-9_-]*$/;
const nameRule = 'Names begin with a letter and hold letters, digits, "-" and "_".';
const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Values that are undefined are left out, as in every object of options. */
export function createShapes(listing: Listing): Shapes {
  const found: Diagnostic[] = [];

  function report(code: Code, at: Mark, message: string, help?: string): undefined {
    found.push(diagnostic(code, at.source, at.span, message, help === undefined ? {} : { help }));
  }

  function wrong(label: string, value: unknown, expected: string, code: Code = 'TOO4003'): undefined {
    const shown = shownValue(value);
    return report(code, listing.word(label, shown), `"${lastWord(label)}" takes ${expected}, not ${shown}`);
  }

  return {
    found,
    report,
    id(label, id, inComponent) {
      if (id === undefined) return undefined;
      if (typeof id !== 'string') return wrong(`${label}, id`, id, 'a text');
      const word = listing.word(label, id);
      const why = reservedAs(id);
      if (!namePattern.test(inComponent ? id.replaceAll('{id}', 'x') : id)) {
        report(
          'TOO4007',
          word,
          `${shownValue(id)} is no id`,
          inComponent ? `${nameRule} In components they may hold {id}.` : nameRule,
        );
      } else if (why !== undefined) {
        report('TOO4008', word, `"${id}" is ${why} and cannot be an id`, 'Choose another id.');
      }
      return word;
    },
    name(label, name, what) {
      const word = listing.word(label, String(name));
      if (typeof name !== 'string' || !namePattern.test(name)) {
        report('TOO4007', word, `${shownValue(name)} is no name for ${what}`, nameRule);
      }
      return word;
    },
    text(label, value) {
      if (value === undefined) return undefined;
      const text = textOf(value);
      return text === undefined
        ? wrong(label, value, 'a text, a reference or an expression')
        : listing.text(label, text);
    },
    plain(label, value) {
      if (value === undefined) return undefined;
      return typeof value === 'string' && value !== '' ? listing.word(label, value) : wrong(label, value, 'a text');
    },
    count(label, value) {
      if (value === undefined) return undefined;
      if (Number.isSafeInteger(value) && Number(value) >= 1) return Number(value);
      return wrong(label, value, 'a whole number from 1 on', typeof value === 'number' ? 'TOO4010' : 'TOO4003');
    },
    flag(label, value) {
      return value === undefined || typeof value === 'boolean' ? value : wrong(label, value, 'true or false');
    },
    oneOf(label, value, choices) {
      if (value === undefined) return undefined;
      const choice = choices.find((each) => each === value);
      return choice ?? wrong(label, value, choices.join(' or '), 'TOO4009');
    },
    durationMs(label, value) {
      if (value === undefined) return undefined;
      const [, number, unit] = (typeof value === 'string' && /^([1-9][0-9]{0,14})(ms|s|m|h)$/.exec(value)) || [];
      const ms = Number(number) * units[unit as keyof typeof units];
      return Number.isSafeInteger(ms) ? ms : wrong(label, value, 'a duration like 30s or 5m', 'TOO4011');
    },
    keys(label, value, known) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        wrong(label, value, `an object with ${known.join(', ')}`);
        return false;
      }
      for (const key of Object.keys(value)) {
        if (known.includes(key)) continue;
        report(
          'TOO4001',
          listing.word(label, key),
          `unknown key "${key}".${didYouMean(closest(key, known))}`,
          `Known: ${known.join(', ')}.`,
        );
      }
      return true;
    },
  };
}

/** The key at the end of a label. */
function lastWord(label: string): string {
  return label.slice(label.lastIndexOf(', ') + 1).trim();
}

export function shownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Promise) return 'a promise';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
