/** `@file` in what is typed: which files are meant, and what is said without the marks. */

export interface FileWord {
  readonly name: string;
  /** As it was written: `@notes.md`, `@"my notes.md"`. */
  readonly word: string;
}

export interface FileWords {
  readonly files: readonly FileWord[];
  /** The text with the names of those files that `isMeant` lets through, and all else as it was written. */
  readonly without: (isMeant: (file: FileWord) => boolean) => string;
}

/** A mark stands at the beginning of a word: `ana@example.org` names no file. `@@x` is the word `@x`. */
const marked = /(?<=^|[\s(])@(?:(@\S*)|"([^"\n]+)"|([^\s@"]\S*))/gu;
/** What ends a sentence or a bracket behind a name. */
const stop = /[.,;:!?)\]}]+$/;

export function fileWords(text: string): FileWords {
  const found = [...text.matchAll(marked)].map((match) => {
    const [whole, doubled, quoted, plain] = match;
    if (doubled !== undefined) return { at: match.index, whole, instead: doubled };
    if (quoted !== undefined) return { at: match.index, whole, file: { name: quoted, word: whole } };
    const name = (plain ?? '').replace(stop, '');
    const word = `@${name}`;
    return { at: match.index, whole: word, file: { name, word } };
  });
  const files = found.flatMap(({ file }) => (file === undefined || file.name === '' ? [] : [file]));
  return {
    files,
    without(isMeant) {
      let said = '';
      let from = 0;
      for (const { at, whole, file, instead } of found) {
        const name = file === undefined ? instead : isMeant(file) ? file.name : whole;
        said += text.slice(from, at) + (name ?? whole);
        from = at + whole.length;
      }
      return said + text.slice(from);
    },
  };
}

/** How the mark of a file is written. */
export function fileMark(name: string): string {
  return /[\s"]/.test(name) || stop.test(name) ? `@"${name}"` : `@${name}`;
}
