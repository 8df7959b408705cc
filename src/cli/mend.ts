/** Applies the fixes of diagnostics to a text, whole fixes only, until none is left or none helps. */
import { applyEdits, createSource, type Diagnostic, type Edit, positionAt, type Source } from '../text/index.ts';

export interface Mended {
  readonly text: string;
  /** How many fixes were applied. */
  readonly fixes: number;
}

/**
 * `check` gives the diagnostics of a text. Each round applies fixes that touch no line in common; a round that leaves
 * more errors, or no fewer fixes to make, than before it is taken back and is the last.
 */
export function mend(name: string, text: string, check: (source: Source) => readonly Diagnostic[]): Mended {
  let source = createSource(name, text);
  let diagnostics = check(source);
  let fixes = 0;
  for (;;) {
    const chosen = choose(source, diagnostics);
    if (chosen.length === 0) break;
    const next = createSource(name, applyEdits(source.text, chosen.flat()).text);
    const after = check(next);
    if (errorsIn(after) > errorsIn(diagnostics) || fixable(after) >= fixable(diagnostics)) break;
    fixes += chosen.length;
    source = next;
    diagnostics = after;
  }
  return { text: source.text, fixes };
}

function choose(source: Source, diagnostics: readonly Diagnostic[]): (readonly Edit[])[] {
  const touched = new Set<number>();
  const chosen: (readonly Edit[])[] = [];
  for (const { fix, source: of } of diagnostics) {
    if (!fix || of.name !== source.name) continue;
    const lines = fix.edits.flatMap((edit) => linesOf(source, edit));
    if (lines.some((line) => touched.has(line))) continue;
    for (const line of lines) touched.add(line);
    chosen.push(fix.edits);
  }
  return chosen;
}

function linesOf(source: Source, edit: Edit): number[] {
  const first = positionAt(source, edit.span.start).line;
  const last = positionAt(source, edit.span.end).line;
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function errorsIn(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter((d) => d.severity === 'error').length;
}

function fixable(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter((d) => d.fix).length;
}
