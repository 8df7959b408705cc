/** Reports what is wrong with a reference, and two names of remote caps that become one file. */
import { type Diagnostic, type DiagnosticExtra, diagnostic, type Source, type Span } from '../../text/index.ts';
import type { CapKind } from '../../too/index.ts';
import type { RefProblem } from '../ref.ts';

/** `write` gives the text of a reference as the file writes it. */
export function refDiagnostic(
  source: Source,
  where: Span,
  problem: RefProblem,
  write: (ref: string) => string = (ref) => ref,
): Diagnostic {
  const { code, message, help, fix } = problem;
  return diagnostic(code, source, where, message, {
    help,
    ...(fix !== undefined && { fix: { title: `replace with "${fix}"`, edits: [{ span: where, text: write(fix) }] } }),
  });
}

/** A name, and where it is written or comes from. */
export interface PlacedName {
  readonly kind: CapKind;
  readonly name: string;
  readonly span: Span;
}

/** Those that differ from an earlier one only in letter case: where that does not count, both would be one file. */
export function caseDiagnostics(source: Source, names: readonly PlacedName[]): Diagnostic[] {
  const first = new Map<string, PlacedName>();
  return names.flatMap((each) => {
    const key = `${each.kind} ${each.name.toLowerCase()}`;
    const other = first.get(key);
    if (!other) first.set(key, each);
    if (!other || other.name === each.name) return [];
    const { message, ...extra } = sameLetters(each.kind, other.name, each.name, { source, span: other.span });
    return [diagnostic('TOO5241', source, each.span, message, extra)];
  });
}

/** What TOO5241 says of the second of two names. */
export function sameLetters(
  kind: CapKind,
  first: string,
  second: string,
  other: { readonly source: Source; readonly span: Span },
): { message: string } & DiagnosticExtra {
  return {
    message: `the ${kind}s "${first}" and "${second}" differ only in letter case.`,
    help: 'Rename one of them: on many systems both would be one file.',
    related: [{ ...other, message: 'the other one' }],
  };
}
