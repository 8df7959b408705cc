/** Reads Tree-sitter corpus files: a name between lines of `=`, a program, a line of 20 dashes, the tree it must give. */

export interface CorpusCase {
  readonly name: string;
  /** `:error` under the name: the program must be refused, and no tree is given. */
  readonly refused: boolean;
  readonly text: string;
  /** In one line, with single blanks. */
  readonly tree: string;
}

const headerPattern = /^={20}\n(.+)\n(:error\n)?={20}\n/gm;
const divider = `\n${'-'.repeat(20)}\n`;

export function readCorpus(file: string): CorpusCase[] {
  const headers = [...file.matchAll(headerPattern)];
  if (headers.length === 0) throw new Error('the corpus file has no case');
  return headers.map((header, index) => {
    const body = file.slice(header.index + header[0].length, headers[index + 1]?.index ?? file.length);
    const split = body.lastIndexOf(divider);
    const name = header[1] ?? '';
    if (split === -1) throw new Error(`the case "${name}" has no line of 20 dashes before its tree`);
    return {
      name,
      refused: header[2] !== undefined,
      text: body.slice(0, split).replace(/^\n|\n$/g, ''),
      tree: joinLines(body.slice(split + divider.length)),
    };
  });
}

function joinLines(tree: string): string {
  return tree.trim().replace(/\s+/g, ' ').replace(/ \)/g, ')');
}
