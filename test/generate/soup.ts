/** Texts that are no programs: characters at random, and words of the language at random. The seed decides all. */
import { createRandom, type Random } from './random.ts';
import { comment, lineOfText, textPart } from './words.ts';

const words = [
  'use',
  'struct',
  'thunk',
  'psyche',
  'skill',
  'service',
  'prompt',
  'context',
  'instruct',
  'user',
  'assistant',
  'tool',
  'tools',
  'models',
  'recall',
  'hands',
  'name',
  'review-all',
  'description',
  'transport',
  'target',
  'headers',
  'env',
  'none',
  'default',
  'Text',
  'Number[]',
  'Message',
  'Zzz',
  'owner/name',
  'github://a/b/c@main',
  'https://a.b/c.md',
  'web',
  'filesystem/read',
] as const;

const marks = [
  ':',
  ':',
  ':',
  '=',
  '+=',
  '-=',
  '==',
  '->',
  '=>',
  '?',
  ',',
  '(',
  ')',
  '[]',
  '[',
  ']',
  '#',
  '```',
  '```md',
  '`````',
  '---',
  '{{',
  '}}',
  '{{input}}',
  '{{#input}}',
  '{{/input}}',
  '{{runtime.date}}',
  '"',
  "'",
  '\\',
  '|',
  '$A',
  '&a',
  '*a',
  '!!str',
] as const;

/** Up to some 300 characters: of ASCII mostly, of any code unit, or of those that end or indent lines. */
export function randomText(seed: number): string {
  const random = createRandom(seed ^ 0x0f1e2d3c);
  const any = random.pick([0, 5, 50, 100]);
  const space = random.pick([5, 20, 50]);
  let text = '';
  for (let i = random.below(300); i > 0; i--) {
    if (random.chance(space)) text += random.pick(['\n', '\n', '\r\n', ' ', '  ', '\t', '\f', '\r']);
    else text += String.fromCharCode(random.chance(any) ? random.below(0x10000) : 32 + random.below(95));
  }
  return text;
}

/** Lines of words and marks that are nearly programs. */
export function tokenSoup(seed: number): string {
  const random = createRandom(seed ^ 0x7a6b5c4d);
  const lines: string[] = [];
  for (let i = 1 + random.below(25); i > 0; i--) lines.push(line(random));
  return lines.join(random.chance(80) ? '\n' : '\r\n');
}

function line(random: Random): string {
  let text = random.pick(['', '', '', '  ', '  ', '    ', ' ', '\t', '\f']);
  if (random.chance(10)) return text;
  if (random.chance(8)) return text + comment(random);
  if (random.chance(8)) return text + lineOfText(random, true);
  for (let i = 1 + random.below(random.chance(80) ? 5 : 15); i > 0; i--) {
    const roll = random.below(10);
    text += roll < 5 ? random.pick(words) : roll < 9 ? random.pick(marks) : textPart(random);
    if (random.chance(65)) text += ' ';
  }
  return text;
}
