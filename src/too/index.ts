/** The `.too` language: text → tree, tree → text. */
export { format } from './format.ts';
export * from './names.ts';
export { type Parsed, parse } from './parse.ts';
export * from './sexp.ts';
export { type TextNode, textMap } from './text-map.ts';
export type { Token, TokenKind } from './token.ts';
export * from './tree.ts';
