/** Changes of code that keep its lines, and the way back from an offset of the changed text to one of the original. */

/** Puts `text` from `start` to `end`, in offsets of the original. In order, and apart from each other. */
export interface CodeEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function editCode(code: string, edits: readonly CodeEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(code.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  parts.push(code.slice(at));
  return parts.join('');
}

/** Where a character of the changed text was; all of a replacement is where it began. */
export function originalOffset(edits: readonly CodeEdit[], offset: number): number {
  let shift = 0;
  for (const edit of edits) {
    const start = edit.start + shift;
    if (offset < start) break;
    if (offset < start + edit.text.length) return edit.start;
    shift += edit.text.length - (edit.end - edit.start);
  }
  return offset - shift;
}

/** `text` with the changes that make `after` of `before`; all three are of one length. */
export function overlay(text: string, before: string, after: string): string {
  if (after.length !== text.length) throw new Error('a change that keeps offsets changed the length of a text');
  if (before === after) return text;
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const same = before[at] === after[at];
    let end = at + 1;
    while (end < text.length && (before[end] === after[end]) === same) end++;
    parts.push((same ? text : after).slice(at, end));
    at = end;
  }
  return parts.join('');
}
