/** Texts made to be slow to scan: each has about `length` units, and scanning it must take time in proportion to that. */
import type { ScanOptions } from '../../src/calls/event.ts';

export interface HugeShape {
  readonly name: string;
  readonly options: ScanOptions;
  write(length: number): string;
}

const M = '\u{1f6e0}\ufe0f';
const END = `${M}[/end]`;
const endless = 2 ** 40;

export const hugeShapes: readonly HugeShape[] = [
  // Text
  shape('plain text', 'Some words and no marker.\n'),
  shape('emoji and nothing else', '\u{1f6e0}'),
  shape('selectors', '\ufe0f', M),
  shape('high halves', '\ud83d'),
  shape('other emoji of the same high half', '\u{1f600}\u{1f6e1}'),
  shape('blanks at the start of a line', ' '),
  shape('emoji with blanks', `${M}    `),
  shape('lines of blanks', '\n   \t'),
  shape('backslashes', '\\', M),
  shape('replacement characters', '\ufffd'),
  shape('the emoji in a wrong encoding', '\u011f\u0178\u203a\u00a0\u00ef\u00b8'),
  shape('ends without emoji', '[/end]'),
  shape('backticks on one line', '`'),
  shape('fence lines', '```\n~~~\n'),
  shape('fence lines that do not close', '```\n', '`````\n'),
  shape('a fence with an endless info string', 'a', '~~~'),
  // Headers
  shape('start markers', `${M}[`),
  shape('start markers, literally', `${M}[`, '', { literalHeader: true }),
  shape('start markers, literally, on lines', `${M}[${M}[${M}[\n`, '', { literalHeader: true }),
  shape('start markers, literally, without a limit', `${M}[`, '', { literalHeader: true, maxHeader: endless }),
  shape('start markers, literally, over lines, without a limit', `${M}[a\n`, '', {
    ...{ literalHeader: true, multilineHeader: true, maxHeader: endless },
  }),
  shape('rejected headers, literally', `${M}[result ${M}[/end ]`, '', { literalHeader: true }),
  shape('one rejected header of markers, literally, without a limit', `${M}[`, `${M}[/end `, {
    ...{ literalHeader: true, maxHeader: endless },
    close: ']',
  }),
  shape('an endless header', 'a', `${M}[`),
  shape('an endless header without a limit', 'a', `${M}[`, { maxHeader: endless }),
  shape('an endless header of blanks', ' ', `${M}[`, { maxHeader: endless }),
  shape('headers just over the limit', `${M}[${'a'.repeat(4097)}]`),
  shape('headers just over the limit, literally', `${M}[${'a'.repeat(4097)}]`, '', { literalHeader: true }),
  shape('empty headers', `${M}[]`),
  shape('unknown names', `\n${M}[a]\r`, '', { knownTools: ['t'], unknownCalls: true }),
  shape('invented results', `${M}[result]`),
  shape('ends with nothing open', END),
  shape('ends longer than a header may be', END, '', { maxHeader: 3 }),
  // Bodies
  shape('one body', 'All of it is text.\n', `${M}[t]\n`),
  shape('many calls', `${M}[t a]\nb${END}`),
  shape('many calls on one line after a fence', `${M}[t a]b${END} `, '```\n'),
  shape('emoji in a body', M, `${M}[t]`),
  shape('ends that are not exact in a body', `${M}[/end `, `${M}[t]`),
  shape('ends that break off in a body', `${M}[/en`, `${M}[t]`),
  shape('ends in capitals in a body', `${M}[/END]`, `${M}[t]`),
  shape('calls in a body', `${M}[u]`, `${M}[t]`),
  shape('blanks in brackets in a body', ' ', `${M}[t]${M}[`),
  shape('damage in a body', '\ufffd', `${M}[t]`),
  shape('blanks after the emoji in a body', `${M}   `, `${M}[t]`),
  shape('a body over its limit', `${M}[/en`, `${M}[t]`, { maxBody: 9 }),
  shape('many bodies over their limit', `${M}[t]abc${END}`, '', { maxBody: 2 }),
  shape('a body at the limit of the emoji', '\u{1f600}', `${M}[t]`, { maxBody: 1 }),
];

function shape(name: string, part: string, before = '', { close = '', ...options }: Extra = {}): HugeShape {
  const write = (length: number): string => before + part.repeat(Math.ceil(length / part.length)) + close;
  return { name, options, write };
}

type Extra = ScanOptions & { readonly close?: string };
