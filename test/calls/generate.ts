/** Nasty texts for the scanner, with options, chunks and an ending. The seed decides all. Fast: a million take seconds. */
import type { FinishInfo, ScanOptions } from '../../src/calls/event.ts';
import { createRandom, type Random } from '../generate/random.ts';

export interface ScanCase {
  readonly seed: number;
  /** The text, in pieces that can be left out one by one. */
  readonly pieces: readonly string[];
  readonly options: ScanOptions;
  readonly info: FinishInfo;
  /** The lengths of the chunks, over and over. */
  readonly sizes: readonly number[];
}

type Choices = readonly [string, ...string[]];

const E = '\u{1f6e0}';
const M = `${E}\ufe0f`;
const T = `${E}\ufe0e`;
const mojibake = '\u011f\u0178\u203a\u00a0';

/** Calls, ends and all but them, whole: without these few texts would get anywhere. */
const blocks: Choices = [
  `${M}[t]`,
  `${M}[t a]`,
  `${M}[run]\n`,
  `${E}[run x y]\r\n`,
  `${T}[t]\r`,
  `\n${M}[t]\n`,
  `\n ${M}[who]\n`,
  `${M}[who a]\r\n`,
  `\n\t${M}[who-1 b]`,
  `${M}[9x]\n`,
  `${M}[t "a]`,
  `${M}[t "a"]`,
  `${M}[t a\\]`,
  `${M}[t [a]`,
  `${M}[ t ]`,
  `${M}[result 0 t ok]`,
  `${M}[result]\n`,
  `${M}[ result 1]`,
  `${M}[]`,
  `${M}[ ]`,
  `${M}[\u00a0]`,
];

const ends: Choices = [`${M}[/end]`, `${M}[/end]`, `${M}[/end]`, `${M}[/end]\n`, `${E}[/end]`, `${T}[/end]`];

const nearMisses: Choices = [
  `${M}[/END]`,
  `${E}[/End]`,
  `${M}[/end ]`,
  `${M}[ /end]`,
  `${T}[\t/end]`,
  `${M}[/end foo]`,
  `${M}[/end a b c d e f]`,
  `${M}[/end a b c d e f g]`,
  `${M}[/end\n]`,
  `${M}[/ending]`,
  '[/end]',
  '[/end]',
  '[/END]',
  '[ /end]',
  '[/end',
  '/end]',
  '/end',
  `${M} [/end]`,
  `${M}    [/end]`,
  `${M}\ufe0f[/end]`,
  `${M}\\[/end]`,
  `${E}\\\\[/end]`,
  '\\[/end]',
  `${M}[/e`,
  `${M}[/end`,
];

const markers: Choices = [
  `${M}[`,
  `${M}[`,
  `${M}[`,
  `${E}[`,
  `${T}[`,
  M,
  E,
  `${M} [`,
  `${E}\t [`,
  `${M}   [`,
  `${M}    [`,
  `${M}\u00a0[`,
  `${M}\u200d[`,
];

const damages: Choices = [
  '\ufffd',
  '\ufffd[',
  '\ufffd\ufffd\ufe0f[',
  '\ufffd\ufffd\ufffd\ufffd[x]',
  '\ud83d',
  '\ud83d[',
  '\ud83d\ufe0e[',
  '\udee0',
  '\udee0[',
  '\udee0\ufe0f[/end]',
  '\ufffd[/end]',
  '\u{1fae0}[',
  '\u{1fae0}[/end]',
  '\ude00',
  mojibake,
  `${mojibake}[`,
  `${mojibake}\ufe0f[`,
  `${mojibake}\u00ef\u00b8[`,
  `${mojibake}\u00ef\u00b8\u008f[/end]`,
  '\u00f0\u0178\u203a\u00a0\u00ef\u00b8\u008f[',
  '\u00f0\u009f\u009b\u00a0\u00ef\u00b8\u008f[t]',
  '\u00f0\u0178\u203a\u00a0[t]',
  '\u00ef\u00b8[',
];

const units: Choices = [
  '[',
  '[',
  ']',
  ']',
  ']',
  ' ',
  ' ',
  '\t',
  '\n',
  '\n',
  '\r',
  '\r\n',
  '/',
  '\\',
  '"',
  "'",
  'a',
  'x y',
  'result',
  't',
  'run',
  'end',
  'aaaaaaaa',
  '\ufe0f',
  '\ufe0e',
  '\u00a0',
  '\u{1f600}',
  '\u{1f6e1}',
  '\u{1f6e1}\ufe0f[',
  'é',
];

const fences: Choices = [
  '```',
  '~~~',
  '`',
  '\n```\n',
  '\n```js\n',
  '\n```\r\n',
  '\n~~~\n',
  '\n~~~ `\n',
  '\n``` `\n',
  '\n````\n',
  '\n   ~~~~ \n',
  '\n    ```\n',
  '\n\t```\n',
  '\n``` \t\n',
  '```\n',
];

const knownTools: readonly [readonly string[], ...(readonly string[])[]] = [
  ['t', 'run'],
  ['run'],
  [],
  ['t', 'result', '/end'],
];

export function generateCase(seed: number): ScanCase {
  const random = createRandom(seed);
  return {
    seed,
    pieces: somePieces(random),
    options: someOptions(random),
    info: random.chance(50) ? {} : { reason: random.pick(['stop', 'length', 'other']) },
    sizes: someSizes(random),
  };
}

/** The text in chunks of these lengths; the last length counts for the whole rest if there are no more. */
export function cut(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? text.length;
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

function somePieces(random: Random): string[] {
  const pieces: string[] = [];
  // Each text leans to some kinds of pieces, so that their meetings are not rare.
  const fenced = random.chance(15) ? 40 : 2;
  const damaged = random.chance(20) ? 30 : 5;
  const whole = random.pick([5, 25, 50]);
  for (let count = 1 + random.below(random.chance(80) ? 10 : 24); count > 0; count--) {
    if (random.chance(fenced)) pieces.push(random.pick(fences));
    else if (random.chance(damaged)) pieces.push(random.pick(damages));
    else if (random.chance(whole)) pieces.push(random.pick(random.chance(60) ? blocks : ends));
    else pieces.push(random.pick(random.pick([nearMisses, markers, units, units])));
  }
  return pieces;
}

function someOptions(random: Random): ScanOptions {
  if (random.chance(30)) return {};
  const known = random.chance(30);
  return {
    ...(random.chance(15) ? { strict: true } : {}),
    ...(known ? { knownTools: random.pick(knownTools) } : {}),
    ...(random.chance(known ? 60 : 5) ? { unknownCalls: true } : {}),
    ...(random.chance(20) ? { multilineHeader: true } : {}),
    ...(random.chance(20) ? { literalHeader: true } : {}),
    ...(random.chance(25) ? { maxHeader: random.below(13) } : {}),
    ...(random.chance(25) ? { maxBody: random.below(13) } : {}),
  };
}

function someSizes(random: Random): number[] {
  const kind = random.below(4);
  if (kind === 0) return [1];
  if (kind === 1) return [2 + random.below(15)];
  const sizes: number[] = [];
  for (let count = 1 + random.below(6); count > 0; count--) sizes.push(1 + random.below(kind === 2 ? 4 : 20));
  return sizes;
}
