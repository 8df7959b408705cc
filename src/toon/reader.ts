/** What reading a document keeps in hand: the lines, how far it is, what it has found. */
import {
  type Code,
  type Diagnostic,
  type DiagnosticExtra,
  diagnostic,
  type Source,
  type Span,
  span,
} from '../text/index.ts';
import type { Line, Lines } from './line.ts';
import type { ToonHeader, ToonObject } from './tree.ts';

/** Something the workflow profile allows and plain TOON does not. */
export type RelaxationName = 'blank-lines' | 'union' | 'bare-list';

export interface Relaxation {
  readonly name: RelaxationName;
  readonly span: Span;
}

export interface Reader {
  readonly source: Source;
  readonly text: string;
  readonly lines: readonly Line[];
  readonly blanks: Lines['blanks'];
  readonly profile: boolean;
  readonly diagnostics: Diagnostic[];
  readonly relaxations: Relaxation[];
  readonly spoiled: Span[];
  /** The headers of objects that are written as keyed tables. */
  readonly headers: Map<ToonObject, ToonHeader>;
  /** The names of keys so far, each by what is written. */
  readonly names: Map<string, string>;
  /** The line to read next. */
  at: number;
  /** How many values are open around it. */
  depth: number;
  /** How many of them are arrays that have begun: between their lines no blank line may stand. */
  inside: number;
  /** The number of a line that begins an item and lacks its hyphen, once that was reported. */
  unhyphened: number;
  /** Lines before this one are moved by the fix of an earlier report. */
  moved: number;
}

/** More is never written by hand, and what follows the reader may recurse. */
export const DEEPEST = 64;

export function report(r: Reader, code: Code, at: Span, message: string, extra?: DiagnosticExtra): void {
  r.diagnostics.push(diagnostic(code, r.source, at, message, extra));
}

/** Says that what stands there was reported, and is read as it may have been meant. */
export function spoil(r: Reader, at: Span): void {
  r.spoiled.push(at);
}

export function peek(r: Reader): Line | undefined {
  return r.lines[r.at];
}

/** Takes the next line; the one place where blank lines inside of arrays are seen. */
export function take(r: Reader, line: Line): void {
  r.at++;
  if (r.inside === 0 || line.blankFrom === line.blankTo) return;
  const first = r.blanks[line.blankFrom];
  const last = r.blanks[line.blankTo - 1];
  if (!first || !last) return;
  const at = span(first.start, first.start);
  if (r.profile) {
    r.relaxations.push({ name: 'blank-lines', span: at });
    return;
  }
  const edits = r.blanks.slice(line.blankFrom, line.blankTo).map((blank) => ({ span: blank, text: '' }));
  report(r, 'TOO3003', at, 'a blank line stands inside an array', {
    help: 'In plain TOON the lines of an array stand without blank lines between them.',
    fix: { title: edits.length > 1 ? 'remove the blank lines' : 'remove the blank line', edits },
  });
}

/** Opens a value below the line that stands at `indent`; false, and its lines are left out, where it would be too deep. */
export function enter(r: Reader, indent: number): boolean {
  if (r.depth < DEEPEST) {
    r.depth++;
    return true;
  }
  const line = peek(r);
  if (line && line.indent > indent) {
    report(r, 'TOO3004', span(line.text, line.end), `nested deeper than ${DEEPEST} levels`, {
      help: 'Lines from here on that are as deep as this one are not read.',
    });
    for (let next: Line | undefined = line; next && next.indent > indent; next = peek(r)) r.at++;
  }
  return false;
}

export function leave(r: Reader): void {
  r.depth--;
}

export function textOf(r: Reader, at: Span): string {
  return r.text.slice(at.start, at.end);
}

/**
 * The name of a key. Most keys come again and again: equal ones are one string, and one that V8 keeps for names, so
 * that they take no room, and whoever compares them or looks them up does not have to read them.
 */
export function nameAt(r: Reader, start: number, end: number): string {
  const written = r.text.slice(start, end);
  const known = r.names.get(written);
  if (known !== undefined) return known;
  // Where each line has a key of its own there is nothing to share.
  if (written.length > LONGEST_NAME || r.names.size >= MOST_NAMES) return written;
  const [name = written] = Object.keys({ [written]: true });
  r.names.set(name, name);
  return name;
}

const LONGEST_NAME = 40;
const MOST_NAMES = 500;

/** The written text for a message: short, and on one line. */
export function shown(r: Reader, at: Span): string {
  const written = r.text.slice(at.start, Math.min(at.end, at.start + 41));
  return `"${written.length > 40 ? `${written.slice(0, 40)}…` : written}"`;
}
