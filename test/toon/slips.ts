/** Single slips of a hand, as they happen in files that were right: each changes one place. */

export interface Slip {
  readonly name: string;
  /** Every text that the slip can make of one. */
  readonly of: (text: string) => Generator<string>;
}

export const slips: readonly Slip[] = [
  { name: 'a quote is missing', of: (text) => without(text, /"/g) },
  { name: 'a backslash is missing', of: (text) => without(text, /\\(?=")/g) },
  { name: 'a colon is missing', of: (text) => without(text, /:(?= |$)/gm) },
  { name: 'a hyphen is missing', of: (text) => without(text, /(?<=^ *)- /gm) },
  { name: 'a hyphen is a blank', of: (text) => replaced(text, /(?<=^ *)-(?= )/gm, ' ') },
  { name: 'the blank after a hyphen is missing', of: (text) => without(text, /(?<=^ *-) /gm) },
  { name: 'a line is there twice', of: twice },
  { name: 'a line is one blank too deep', of: (text) => replaced(text, /^(?=.)/gm, ' ') },
  { name: 'a line is two blanks too deep', of: (text) => replaced(text, /^(?=.)/gm, '  ') },
  { name: 'a line lacks one blank', of: (text) => without(text, /^ /gm) },
  { name: 'a line lacks two blanks', of: (text) => without(text, /^ {2}/gm) },
  { name: 'a tab for a blank', of: (text) => replaced(text, /^ /gm, '\t') },
  { name: 'a tab for a level', of: (text) => replaced(text, /^ {2}/gm, '\t') },
  { name: 'a bracket is missing', of: (text) => without(text, /[[\]{}]/g) },
  { name: 'a count is wrong', of: (text) => replaced(text, /(?<=^[^:"]*\[)\d+(?=\])/gm, '7') },
  { name: 'a comma of a row is missing', of: (text) => without(text, /(?<=^ +\.[^:]*),/gm) },
  { name: 'a letter of a key is missing', of: (text) => without(text, /(?<=^ *(?:- )?\w)\w(?=\w*(?:\[\d+\].*)?:)/gm) },
];

function* without(text: string, pattern: RegExp): Generator<string> {
  yield* replaced(text, pattern, '');
}

function* replaced(text: string, pattern: RegExp, by: string): Generator<string> {
  for (const { index, 0: found } of text.matchAll(pattern)) {
    yield text.slice(0, index) + by + text.slice(index + found.length);
  }
}

function* twice(text: string): Generator<string> {
  for (const { index, 0: line } of text.matchAll(/^.+\n/gm)) yield text.slice(0, index) + line + text.slice(index);
}
