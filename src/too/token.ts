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
