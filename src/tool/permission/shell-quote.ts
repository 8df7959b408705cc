/** Words as `sh` would be given them: in quotes where anything in them could mean something else. */

/** Words that begin something else than a command. */
export const reservedWords: ReadonlySet<string> = new Set(
  '! { } [[ ]] case coproc do done elif else esac fi for function if in select then time until while'.split(' '),
);

const plainWord = /^[A-Za-z0-9_@%+=:,./^-]+$/;

/** Read again by `readShell`, it is one command of these words. */
export function quoteCommand(words: readonly string[]): string {
  return words.map((word, at) => (at === 0 ? quoteFirst(word) : quoteWord(word))).join(' ');
}

export function quoteWord(word: string): string {
  return plainWord.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command's own name must not be taken for a reserved word or for an assignment. */
export function quoteFirst(word: string): string {
  return reservedWords.has(word) || word.includes('=') ? `'${word.replaceAll("'", "'\\''")}'` : quoteWord(word);
}
