/** TOON documents: text → tree, tree → text. */
export { formatToon, type ToonFormatted } from './format.ts';
export { missingHeader } from './missing-header.ts';
export { parseToon, type ToonOptions, type ToonParsed } from './parse.ts';
export { toPlain } from './plain.ts';
export { quote, stringMap } from './quoted.ts';
export type { Relaxation, RelaxationName } from './reader.ts';
export { hasOddQuotes, unionText } from './scalar.ts';
export * from './tree.ts';
export { fieldText, itemText, scalarText, writeToon } from './write.ts';
