/** Applies edits to a text. */
import type { Edit } from './diagnostic.ts';

/** Edits are applied by place; one that overlaps an earlier one is left out, and the result says which were. */
export function applyEdits(text: string, edits: readonly Edit[]): { text: string; skipped: Edit[] } {
  const ordered = [...edits].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const skipped: Edit[] = [];
  const parts: string[] = [];
  let at = 0;
  for (const edit of ordered) {
    if (edit.span.start < at) {
      skipped.push(edit);
      continue;
    }
    parts.push(text.slice(at, edit.span.start), edit.text);
    at = edit.span.end;
  }
  parts.push(text.slice(at));
  return { text: parts.join(''), skipped };
}
