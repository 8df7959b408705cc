/**
 * How many tokens a text has, by a rule of thumb, for who has no tokenizer at hand. It follows what byte-pair
 * tokenizers do with English and code: a word up to six letters is one token and longer ones are cut; digits go in
 * threes; a blank belongs to the word behind it; a line break takes its indentation along; punctuation joins now and
 * then; all else is cut into bytes. `bench/tokens` prints how far off it is.
 */

const lettersInToken = 6;
const digitsInToken = 3;
const lineBreak = 0.5;
const punctuation = 0.7;
const otherUnit = 1.3;

/** An estimate, and no more: 10 % off is usual. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let i = 0; i < text.length; ) {
    const start = i;
    const kind = kindOf(text.charCodeAt(i++));
    if (kind === 'letter' || kind === 'digit') {
      while (i < text.length && kindOf(text.charCodeAt(i)) === kind) i++;
      const length = i - start;
      tokens += kind === 'letter' ? Math.max(1, length / lettersInToken) : Math.ceil(length / digitsInToken);
    } else if (kind === 'break') tokens += lineBreak;
    else if (kind === 'mark') tokens += punctuation;
    else if (kind === 'other') tokens += otherUnit;
  }
  return Math.ceil(tokens);
}

function kindOf(c: number): 'letter' | 'digit' | 'blank' | 'break' | 'mark' | 'other' {
  if ((c >= 0x61 && c <= 0x7a) || (c >= 0x41 && c <= 0x5a)) return 'letter';
  if (c >= 0x30 && c <= 0x39) return 'digit';
  if (c === 0x20 || c === 0x09 || c === 0x0d) return 'blank';
  if (c === 0x0a) return 'break';
  return c < 0x80 ? 'mark' : 'other';
}
