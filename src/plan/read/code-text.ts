/** Code and conditions: texts in which quotes and `#` of other languages are no part of what is meant. */
import type { Span } from '../../text/index.ts';
import { hasOddQuotes, quote, type ToonString } from '../../toon/index.ts';
import type { DraftText } from '../draft.ts';
import { cut, type Read, type Reader, replace, report, uncommented } from './reader.ts';
import { longText } from './text.ts';

export const codeText: Read<DraftText> = (r, entry) => {
  const { key, value } = entry;
  if (value.kind !== 'string' || value.quoted) return longText(r, entry);
  if (value.text.endsWith('"') && hasOddQuotes(value.text)) return reportLastQuote(r, key.text, value.span);
  return (
    foreignQuotes(r, key.text, value) ?? longText(r, { ...entry, value: uncommented(r, value, commentIn(value.text)) })
  );
};

const FOREIGN = /^['\u2018-\u201f\u00ab\u00bb]/;
const STATEMENT = /^(?:return|const|let|if|for|await|throw)\b/;

/** `'return 1'`: as code it would be a text, and a condition that always holds. It is read as it was meant. */
function foreignQuotes(r: Reader, key: string, { text, span }: ToonString): DraftText | undefined {
  const inner = text.slice(1, -1);
  if (text.length < 3 || !FOREIGN.test(text) || !FOREIGN.test(text.slice(-1))) return undefined;
  if (!STATEMENT.test(inner) && /['"]/.test(inner)) return undefined;
  report(r, 'TOO4005', span, `the quotes of ${cut(text)} are read as part of "${key}"`, {
    help: 'Texts are quoted with the straight double quote.',
    fix: replace(span, quote(inner)),
  });
  return { source: r.source, span, text: inner, place: (offset) => Math.min(span.start + 1 + offset, span.end) };
}

function reportLastQuote(r: Reader, key: string, span: Span): undefined {
  report(r, 'TOO4005', span, `the text of "${key}" ends with a quote and does not begin with one`, {
    help: 'A quoted text begins with a quote too.',
    fix: {
      title: 'add the first quote',
      edits: [{ span: { start: span.start, end: span.start }, text: '"' }],
    },
  });
}

/** Where ` #` stands outside of the quotes of JavaScript, or -1. */
function commentIn(text: string): number {
  let open = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (open !== '' && character === '\\') at++;
    else if (open !== '') open = character === open ? '' : open;
    else if (/['"`]/.test(character)) open = character;
    else if (character === ' ' && text[at + 1] === '#') return at;
  }
  return -1;
}
