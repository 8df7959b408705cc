/**
 * Text → tree of a TOON document (spec 4.0, strict). It never throws and never stops early.
 *
 * 1. A document without errors has the value the reference decoder gives it; what we refuse and it takes is listed by
 *    name in `test/toon/differential.test.ts`.
 * 2. Each mistake gives one diagnostic, at the place where it was made, and costs at most its line or its block.
 * 3. Time and memory are linear in the text; nesting is capped.
 */
import { byPosition, type Diagnostic, type Source, type Span, span } from '../text/index.ts';
import { emptyArray, isEmptyArray, readArray, readObject } from './block.ts';
import { readHeader } from './header.ts';
import { measure, reportBlock, reportUnit } from './indent.ts';
import { isItem, type Line } from './line.ts';
import { peek, type Reader, type Relaxation, report, take } from './reader.ts';
import { reportReturns } from './returns.ts';
import { readScalar } from './scalar.ts';
import { closingQuote, findBare, findIn } from './scan.ts';
import { reportTabs } from './tabs.ts';
import type { ToonDocument, ToonHeader, ToonObject, ToonValue } from './tree.ts';

export interface ToonParsed {
  readonly document: ToonDocument;
  readonly diagnostics: readonly Diagnostic[];
  /** Where the document is more than plain TOON; empty without `profile`. */
  readonly relaxations: readonly Relaxation[];
  /**
   * Keys and values that are reported and read as they may have been meant: what is found wrong in them later is a
   * result of that.
   */
  readonly spoiled: readonly Span[];
  /** The headers of objects that are written as keyed tables. */
  readonly headers: ReadonlyMap<ToonObject, ToonHeader>;
}

export interface ToonOptions {
  /** Reads what workflow files may write beyond TOON: blank lines in arrays, unions, lists of one type. */
  readonly profile?: boolean;
}

export function parseToon(source: Source, options: ToonOptions = {}): ToonParsed {
  const { lines, comments, blanks, tabs, unit } = measure(source.text);
  const r: Reader = {
    source,
    text: source.text,
    lines,
    blanks,
    profile: options.profile === true,
    diagnostics: [],
    relaxations: [],
    spoiled: [],
    headers: new Map(),
    names: new Map(),
    at: 0,
    depth: 0,
    inside: 0,
    unhyphened: -1,
    moved: unit === 2 ? 0 : lines.length,
  };
  reportReturns(r);
  reportTabs(r, tabs);
  reportUnit(r, unit);
  const root = readRoot(r);
  return {
    document: { kind: 'document', source, root, comments },
    diagnostics: byPosition(r.diagnostics),
    relaxations: r.relaxations,
    spoiled: r.spoiled,
    headers: r.headers,
  };
}

function readRoot(r: Reader): ToonValue {
  const line = peek(r);
  if (!line) return { kind: 'object', span: span(r.text.length, r.text.length), entries: [] };
  const at = span(line.text, line.end);
  const value = readRootArray(r, line, at);
  if (!value) {
    const alone = r.lines.length === 1 && !isKeyLine(r.text, line) && !isItem(r.text, line);
    if (!alone) {
      r.depth++;
      return readObject(r, -2, line.text);
    }
    if (line.indent > 0) reportBlock(r, line, -2);
    take(r, line);
    return readScalar(r, at);
  }
  const rest = peek(r);
  if (rest) {
    report(r, 'TOO3041', span(rest.text, rest.end), 'the document ends with its array: this line belongs to nothing', {
      help: 'A document is one value. Give the array a key to have others beside it.',
    });
  }
  return value;
}

function readRootArray(r: Reader, line: Line, at: Span): ToonValue | undefined {
  if (isEmptyArray(r, at)) {
    if (line.indent > 0) reportBlock(r, line, -2);
    take(r, line);
    return emptyArray(at);
  }
  if (r.text.charCodeAt(line.text) !== 91 || findBare(r.text, ':', line.text, line.end) === -1) return undefined;
  const header = readHeader(r, line.text, line.end);
  if (!header) return undefined;
  if (line.indent > 0) reportBlock(r, line, -2);
  take(r, line);
  return readArray(r, header, line.indent, true);
}

/** Whether a line that stands alone is a key with its value rather than one value. */
function isKeyLine(text: string, line: Line): boolean {
  const from = text.charCodeAt(line.text) === 34 ? closingQuote(text, line.text, line.end) : line.text;
  return from !== -1 && findIn(text, ':', from, line.end) !== -1;
}
