/** Documentation comments: `##` lines directly above an item or a field, `##!` lines for the whole program. */
import type { Reader } from './reader.ts';
import { startOfToken } from './token.ts';

/** The text of the `##` lines directly above the cursor, which stands at the start of a line. */
export function docAbove(r: Reader): string | undefined {
  const { kinds, ends } = r.tokens;
  let texts: string[] | undefined;
  let i = kinds.length - 1;
  while (i > 0 && kinds[i] === 'newline' && kinds[i - 1] === 'comment') {
    const text = docText(r, startOfToken(r.tokens, i - 1), ends[i - 1] ?? 0, '##');
    const before = kinds[i - 2] === 'blank' ? i - 3 : i - 2;
    const alone = before < 0 || kinds[before] === 'newline' || kinds[before] === 'bom';
    if (text === undefined || !alone) break;
    texts ??= [];
    texts.push(text);
    i = before;
  }
  return texts?.reverse().join('\n');
}

/** The text of the `##!` lines of the file. */
export function programDoc(r: Reader): string | undefined {
  let texts: string[] | undefined;
  const { kinds } = r.tokens;
  // An iterator would make an object for each of the many tokens.
  for (let i = kinds.indexOf('comment'); i !== -1; i = kinds.indexOf('comment', i + 1)) {
    const text = docText(r, startOfToken(r.tokens, i), r.tokens.ends[i] ?? 0, '##!');
    if (text === undefined) continue;
    texts ??= [];
    texts.push(text);
  }
  return texts?.join('\n');
}

/** The text of a comment that starts with `mark`, less one blank. */
function docText(r: Reader, start: number, end: number, mark: '##' | '##!'): string | undefined {
  if (!r.text.startsWith(mark, start)) return undefined;
  const rest = r.text.slice(start + mark.length, end);
  // `###` is a rule across the page, not documentation.
  if (rest.startsWith('#') || (mark === '##' && rest.startsWith('!'))) return undefined;
  return rest.replace(/^ /, '').trimEnd();
}
