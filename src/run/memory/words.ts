/**
 * The words of a text, as they are kept for searches and looked for. SQLite's own splitting knows only the characters of
 * Unicode 6.1, breaks Indic words at their vowel signs, and takes a Chinese sentence for one word; so words are made here, and
 * the index splits at blanks alone.
 * 1. Letter case, accents, vowel points, widths and normalization make no difference.
 * 2. In scripts that are written without blanks every character is a word, and is looked for together with its neighbour.
 * 3. A word is nothing but letters, marks and digits, so no text of a query is ever syntax.
 */

/** What an index is given. */
export function indexedText(text: string): string {
  return wordsOf(text).flat().join(' ');
}

/** An expression that finds texts with any of the words; undefined where there are none. */
export function wordQuery(text: string): string | undefined {
  const terms = new Set<string>();
  for (const word of wordsOf(ends(text))) for (const term of termsOf(word)) terms.add(term);
  const all = [...terms];
  const some = all.length <= mostTerms ? all : [...all.slice(0, mostTerms / 2), ...all.slice(-mostTerms / 2)];
  return some.length === 0 ? undefined : some.join(' OR ');
}

/** A query may be a whole letter: what it is about is said at its beginning or at its end. */
const mostQuery = 40_000;
const mostTerms = 128;
/** What is longer is no word, and found by its beginning. */
const mostWord = 64;
/** Longer words are beginnings too: `deploy` finds `deployed`. Korean puts its particles behind shorter ones. */
const leastBeginning = 4;
const leastKorean = 2;

const word = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
const stretch = new RegExp(`[${unspaced}]+|[^${unspaced}]+`, 'gu');
const character = new RegExp(`^[${unspaced}]`, 'u');
/** With the marks that stand on it. */
const characters = /\P{M}\p{M}*|\p{M}+/gu;

/** A word, or the characters of a stretch that is written without blanks. */
type Word = string | readonly string[];

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const [run] of folded(text).matchAll(word)) {
    for (const part of run.match(stretch) ?? []) {
      words.push(character.test(part) ? (part.match(characters) ?? []) : part.slice(0, mostWord));
    }
  }
  return words;
}

function termsOf(word: Word): string[] {
  if (typeof word === 'string') {
    const least = /^\p{Script=Hangul}/u.test(word) ? leastKorean : leastBeginning;
    return [word.length < least ? `"${word}"` : `"${word}"*`];
  }
  if (word.length < 2) return word.map((each) => `"${each}"`);
  return word.slice(1).map((each, i) => `"${word[i]} ${each}"`);
}

/** Accents of Latin, Greek and Cyrillic; vowel points of Hebrew and Arabic, and what only stretches a word. */
const ornaments =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/gu;

function folded(text: string): string {
  const upper = text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKD')
    .toUpperCase();
  // By way of the upper case an ß becomes ss; a sigma at the end of a word is one like any other.
  return upper.toLowerCase().normalize('NFKD').replace(ornaments, '').replaceAll('ς', 'σ').normalize('NFC');
}

function ends(text: string): string {
  return text.length <= mostQuery ? text : `${text.slice(0, mostQuery / 2)} ${text.slice(-mostQuery / 2)}`;
}
