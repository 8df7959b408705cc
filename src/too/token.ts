/** Tokens of a `.too` file. Joined, they are the file: blanks, comments, line ends and unreadable text are tokens too. */

export type TokenKind =
  | 'bom'
  | 'newline'
  | 'blank'
  | 'comment'
  | 'keyword' // starts a top-level item, or names the kind of a `use`
  | 'key' // starts a line of a body: a field, property, directive or block
  | 'name'
  | 'type'
  | 'suffix' // []
  | 'punctuation' // : ? ( ) , ->
  | 'operator' // = += -=
  | 'ref'
  | 'value' // an item of a directive
  | 'text' // text on the header line, or a property's value
  | 'raw' // an indented block: whole lines
  | 'fence' // the backticks
  | 'language'
  | 'frontmatter'
  | 'content' // what a fence holds
  | 'unknown'; // text that fits nowhere; a diagnostic says why

export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

/**
 * Tokens as they are read. Each begins where the one before it ends, so that they cannot but be the whole text; kept as
 * two plain lists, because most readers want only the tree, and a file has ten times more tokens than nodes.
 */
export interface TokenList {
  readonly kinds: TokenKind[];
  readonly ends: number[];
}

export function startOfToken(list: TokenList, index: number): number {
  return index > 0 ? (list.ends[index - 1] ?? 0) : 0;
}

export function toTokens(list: TokenList): Token[] {
  let start = 0;
  return list.kinds.map((kind, i) => {
    const end = list.ends[i] ?? start;
    const token = { kind, start, end };
    start = end;
    return token;
  });
}
