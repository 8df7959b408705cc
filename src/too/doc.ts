/** Documentation comments: `##` lines directly above an item or a field, `##!` lines for the whole program. */
import type { Reader } from './reader.ts';

/** The text of the `##` lines directly above the cursor, which stands at the start of a line. */
export function docAbove(r: Reader): string | undefined {
  const texts: string[] = [];
  let i = r.tokens.length - 1;
  while (i > 0 && r.tokens[i]?.kind === 'newline') {
    const comment = r.tokens[i - 1];
    if (comment?.kind !== 'comment') break;
    const text = docText(r.text.slice(comment.start, comment.end), '##');
    const before = r.tokens[i - 2]?.kind === 'blank' ? i - 3 : i - 2;
    const alone = before < 0 || r.tokens[before]?.kind === 'newline' || r.tokens[before]?.kind === 'bom';
    if (text === undefined || !alone) break;
    texts.push(text);
    i = before;
  }
  return texts.length > 0 ? texts.reverse().join('\n') : undefined;
}

/** The text of a comment that starts with `mark`, less one blank. */
export function docText(comment: string, mark: '##' | '##!'): string | undefined {
  if (!comment.startsWith(mark)) return undefined;
  const rest = comment.slice(mark.length);
  // `###` is a rule across the page, not documentation.
  if (rest.startsWith('#') || (mark === '##' && rest.startsWith('!'))) return undefined;
  return rest.replace(/^ /, '').trimEnd();
}
