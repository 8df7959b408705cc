/** Compares what is there with what was written, part by part: each difference has the place of the part that was written. */
import type { Json } from '../machine/index.ts';
import { fitsPattern, type Span } from '../text/index.ts';
import { type ToonValue, toPlain } from '../toon/index.ts';

export interface Difference {
  readonly span: Span;
  /** `output.points[1]`. */
  readonly path: string;
  readonly message: string;
  readonly expected?: Json;
  readonly got?: Json;
}

/**
 * `exact`: the same. `part`: records may have more fields than were written. `pattern`: the same, and in texts `*` stands for any
 * letters.
 */
export type Likeness = 'exact' | 'part' | 'pattern';

/** So many are told. */
const mostDifferences = 20;

export function differences(expected: ToonValue, got: Json | undefined, how: Likeness, path: string): Difference[] {
  const found: Difference[] = [];
  compare(expected, got, path, expected.span);
  return found.slice(0, mostDifferences);

  function compare(want: ToonValue, is: Json | undefined, at: string, span: Span): void {
    if (found.length >= mostDifferences) return;
    if (is === undefined) {
      found.push({ span, path: at, message: `${at} is missing`, expected: plain(want) });
    } else if (want.kind === 'object' && isRecord(is)) record(want, is, at, span);
    else if (want.kind === 'array' && Array.isArray(is)) list(want, is as readonly Json[], at, span);
    else if (!isSame(want, is)) {
      found.push({ span, path: at, message: `${at} is another`, expected: plain(want), got: is });
    }
  }

  function record(want: Extract<ToonValue, { kind: 'object' }>, is: JsonRecord, at: string, span: Span): void {
    for (const { key, value } of want.entries) {
      const inner = Object.hasOwn(is, key.text) ? is[key.text] : undefined;
      // Of a block its key is enough to see.
      const isBlock = value.kind === 'object' || value.kind === 'array';
      compare(value, inner, `${at}${member(key.text)}`, inner === undefined || isBlock ? key.span : value.span);
    }
    if (how !== 'exact') return;
    const written = new Set(want.entries.map(({ key }) => key.text));
    for (const key of Object.keys(is)) {
      if (written.has(key)) continue;
      found.push({
        span,
        path: `${at}${member(key)}`,
        message: `${at}${member(key)} was not expected`,
        got: is[key] ?? null,
      });
    }
  }

  function list(want: Extract<ToonValue, { kind: 'array' }>, is: readonly Json[], at: string, span: Span): void {
    if (want.items.length !== is.length) {
      const message = `${at} has ${items(is.length)}, not ${want.items.length}`;
      found.push({ span, path: at, message, expected: plain(want), got: is });
      return;
    }
    for (const [i, item] of want.items.entries()) compare(item, is[i], `${at}[${i}]`, item.span);
  }

  function isSame(want: ToonValue, is: Json): boolean {
    const value = plain(want);
    if (how === 'pattern' && typeof value === 'string' && typeof is === 'string') return fitsPattern(value, is);
    return Object.is(value, is);
  }
}

type JsonRecord = { readonly [key: string]: Json };

function isRecord(value: Json): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function plain(value: ToonValue): Json {
  return toPlain(value) as Json;
}

function member(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function items(count: number): string {
  return `${count} item${count === 1 ? '' : 's'}`;
}

/** Two values as lines, and the first of them in which they differ. */
export interface DifferingLine {
  readonly expected: string;
  readonly got: string;
  /** From 1; missing where each is one line. */
  readonly line?: number;
}

export function differingLine(expected: Json, got: Json): DifferingLine {
  const areTexts = typeof expected === 'string' && typeof got === 'string';
  const lines = (value: Json) => (areTexts ? (value as string) : JSON.stringify(value)).split('\n');
  const [want, is] = [lines(expected), lines(got)];
  const at = want.findIndex((line, i) => line !== is[i]);
  const i = at === -1 ? want.length : at;
  const show = (line: string | undefined) =>
    line === undefined ? '(no such line)' : areTexts ? JSON.stringify(line) : line;
  if (want.length === 1 && is.length === 1) return { expected: show(want[0]), got: show(is[0]) };
  return { expected: show(want[i]), got: show(is[i]), line: i + 1 };
}
