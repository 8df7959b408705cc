/** What the checks of one program share: the source, the host, and the list of what they find. */
import {
  type Code,
  closest,
  type Diagnostic,
  type DiagnosticExtra,
  diagnostic,
  didYouMean,
  type Edit,
  isSurelyMeant,
  type Source,
  type Span,
} from '../text/index.ts';
import type { Host } from './host.ts';

export interface Checker {
  readonly source: Source;
  readonly host: Host;
  readonly diagnostics: Diagnostic[];
  /** Places of malformed names whose mended form another thing has: the fix would make two of one name. */
  readonly withoutFix: Set<number>;
  /** What the fix of a malformed name must change as well: by the place of the name, the uses of it. */
  readonly renames: Map<number, Edit[]>;
  /** Where the syntax errors are, ascending. */
  readonly syntaxErrors: readonly number[];
  /** What could not be checked for want of a host: kind of thing → names. */
  readonly unchecked: Map<string, Span[]>;
  /** How many closest names were looked for: each costs a walk over all names, so there is an end to it. */
  suggestions: number;
}

export function report(c: Checker, code: Code, span: Span, message: string, extra?: DiagnosticExtra): void {
  c.diagnostics.push(diagnostic(code, c.source, span, message, extra));
}

/** Whether the text between two offsets, both included, has a syntax error. */
export function hasSyntaxError(c: Checker, start: number, end: number): boolean {
  let low = 0;
  let high = c.syntaxErrors.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((c.syntaxErrors[middle] ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return (c.syntaxErrors[low] ?? Number.POSITIVE_INFINITY) <= end;
}

/** Reports a name that names nothing, with the closest one that does. */
export function reportUnknown(
  c: Checker,
  code: Code,
  span: Span,
  what: string,
  name: string,
  candidates: Iterable<string>,
  help?: string,
): void {
  const few = first(candidates, c.suggestions++ < MOST_SUGGESTIONS ? MOST_CANDIDATES : MOST_LISTED + 1);
  const better = c.suggestions <= MOST_SUGGESTIONS ? closest(name, few) : undefined;
  report(c, code, span, `unknown ${what} "${name}".${didYouMean(better)}`, {
    help: help ?? (few.length > 0 ? `Known: ${listed(few)}.` : `There is no ${what} to name here.`),
    ...(better !== undefined && {
      fix: {
        title: `replace with "${better}"`,
        ...(!isSurelyMeant(name, better) && { guess: true }),
        edits: [{ span, text: better }],
      },
    }),
  });
}

export function leaveUnchecked(c: Checker, what: string, span: Span): void {
  const spans = c.unchecked.get(what);
  if (spans) spans.push(span);
  else c.unchecked.set(what, [span]);
}

const MOST_LISTED = 12;
const MOST_SUGGESTIONS = 500;
const MOST_CANDIDATES = 1000;

function listed(names: readonly string[]): string {
  return names.slice(0, MOST_LISTED).join(', ') + (names.length > MOST_LISTED ? ', …' : '');
}

/** As many as are looked at: there may be very many, and many that ask. */
function first(names: Iterable<string>, most: number): string[] {
  const found: string[] = [];
  for (const name of names) {
    if (found.length >= most) break;
    found.push(name);
  }
  return found;
}

/** Several lists as one, without copying them. */
export function* chain(...lists: readonly Iterable<string>[]): Iterable<string> {
  for (const list of lists) yield* list;
}
