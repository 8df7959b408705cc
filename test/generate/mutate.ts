/** Breaks `.too` programs in small ways. Most results are wrong in one place; some are right. The seed decides all. */
import { generateProgram } from './program.ts';
import { createRandom, type Random } from './random.ts';

type Mutator = (text: string, random: Random) => string;

/** Characters and runs that mean something somewhere, or nothing anywhere. */
const nasty = [
  ' ',
  '  ',
  '\t',
  '\f',
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  '\n  ',
  '\0',
  '\u0001',
  '\u000b',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\ud83d',
  '🙂',
  'é',
  '#',
  ' #',
  '`',
  '```',
  '````',
  '\n```\n',
  '```md',
  '---',
  '\n---\n',
  ':',
  '::',
  '=',
  '==',
  '+=',
  '-=',
  '-',
  '->',
  '>',
  '?',
  ',',
  '(',
  ')',
  '[',
  ']',
  '[]',
  '/',
  '://',
  '.',
  '@',
  '_',
  '"',
  '{{',
  'a',
  'A',
  '0',
  'md',
  'use ',
  'use skill a',
  'struct A:',
  'thunk:',
  'context:',
  '  user:',
  '  user: x',
  '  instruct: x',
  '  tools = a',
  '  k = v',
  '  k += v',
] as const;

const mutators: readonly [Mutator, ...Mutator[]] = [
  deleteLine,
  duplicateLine,
  swapLines,
  deleteCharacters,
  insertCharacters,
  insertCharacters,
  replaceCharacter,
  cut,
  changeIndent,
  changeIndent,
  splice,
  changeCase,
  joinTwoLines,
];

/** One to three changes. */
export function mutate(text: string, seed: number): string {
  const random = createRandom(seed ^ 0x2545f491);
  let result = text;
  for (let i = random.chance(70) ? 1 : 2 + random.below(2); i > 0; i--) result = random.pick(mutators)(result, random);
  return result;
}

function deleteLine(text: string, random: Random): string {
  const lines = splitLines(text);
  lines.splice(random.below(lines.length), 1 + (random.chance(20) ? random.below(4) : 0));
  return lines.join('');
}

function duplicateLine(text: string, random: Random): string {
  const lines = splitLines(text);
  const from = random.below(lines.length);
  const to = random.chance(50) ? from : random.below(lines.length + 1);
  lines.splice(to, 0, lines[from] ?? '');
  return lines.join('');
}

function swapLines(text: string, random: Random): string {
  const lines = splitLines(text);
  const one = random.below(lines.length);
  const other = random.chance(50) ? Math.min(one + 1, lines.length - 1) : random.below(lines.length);
  const kept = lines[one] ?? '';
  lines[one] = lines[other] ?? '';
  lines[other] = kept;
  return lines.join('');
}

function deleteCharacters(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + text.slice(at + 1 + (random.chance(20) ? random.below(8) : 0));
}

function insertCharacters(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.pick(nasty) + text.slice(at);
}

function replaceCharacter(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.pick(nasty) + text.slice(at + 1);
}

function cut(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  return random.chance(70) ? text.slice(0, at) : text.slice(at);
}

function changeIndent(text: string, random: Random): string {
  const lines = splitLines(text);
  const at = random.below(lines.length);
  const line = lines[at] ?? '';
  const bare = line.replace(/^[ \t\f]+/, '');
  lines[at] = random.pick([
    bare,
    ` ${line}`,
    `  ${line}`,
    `\t${line}`,
    `\f${line}`,
    `\f${bare}`,
    line.slice(1),
    `  ${bare}`,
    `\t${bare}`,
  ]);
  return lines.join('');
}

/** The start of this program and the end of another. */
function splice(text: string, random: Random): string {
  const other = generateProgram(random.below(0x7fffffff));
  return text.slice(0, random.below(text.length + 1)) + other.slice(random.below(other.length + 1));
}

function changeCase(text: string, random: Random): string {
  const from = random.below(text.length + 1);
  const to = from + 1 + random.below(6);
  const part = text.slice(from, to);
  return text.slice(0, from) + (random.chance(50) ? part.toUpperCase() : part.toLowerCase()) + text.slice(to);
}

function joinTwoLines(text: string, random: Random): string {
  const lines = splitLines(text);
  const at = random.below(lines.length);
  lines[at] = (lines[at] ?? '').replace(/\r?\n$/, random.pick(['', ' ', '\r']));
  return lines.join('');
}

/** At least one line, each with its end. */
function splitLines(text: string): string[] {
  return text.split(/(?<=\n)/);
}
