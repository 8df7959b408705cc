/** The small parts of generated `.too` programs: names, blanks, indents, comments and text. */
import type { Random } from './random.ts';

const nameWords = [
  'a',
  'review',
  'x1',
  'code-review',
  'a_b',
  'z__',
  'q--9',
  'input',
  'none',
  'default',
  'md',
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
  'handoffs',
] as const;

const typeWords = ['Text', 'Number', 'Boolean', 'Json', 'Message', 'A', 'ReviewFinding', 'X9', 'TT'] as const;

/** Parts of text that have meaning elsewhere, or that readers get wrong. */
const textParts = [
  'word',
  'Two words',
  'C#',
  '#1',
  '{{path}}',
  '\\{{',
  '`code`',
  '``',
  '```',
  '````md',
  '---',
  'k = v',
  'k += v',
  'k == v',
  'user: hi',
  'thunk:',
  'use skill a',
  'struct A:',
  '->',
  '[]',
  '"',
  "'",
  '%',
  'é',
  '日本語',
  '🙂',
  '\ud800',
  '\u00a0',
  '\u2028',
  '\u200b',
  '\ufeff',
  '\u00ad',
  '🗙',
  '.',
  ':',
  '=',
  '-',
] as const;

export function valueName(random: Random): string {
  if (random.chance(70)) return random.pick(nameWords);
  const length = random.chance(3) ? 400 : random.below(6);
  let name = random.pick(['a', 'm', 'z']);
  for (let i = 0; i < length; i++) name += random.pick(['b', '7', '_', '-', 'use']);
  return name.endsWith('-') ? `${name}e` : name;
}

export function typeName(random: Random): string {
  if (random.chance(80)) return random.pick(typeWords);
  let name = random.pick(['B', 'Z']);
  for (let i = random.chance(3) ? 300 : random.below(5); i > 0; i--) name += random.pick(['c', 'D', '0']);
  return name;
}

export function bareValue(random: Random): string {
  return random.pick([
    'gpt-5',
    'a',
    'a/b.c:d@1',
    '-',
    '@a',
    './x',
    '0',
    'A_B',
    'openai:gpt-5@x',
    '::',
    valueName(random),
  ]);
}

export function capShorthand(random: Random): string {
  return random.pick([
    'openhat/workspace-search',
    'a',
    '-',
    '@a/b@v1',
    '_',
    'a://',
    '9:/',
    'use',
    'A.b',
    valueName(random),
  ]);
}

export function capUri(random: Random): string {
  const scheme = random.pick(['https', 'github', 'a', 'git+ssh', 'X.y-z']);
  return `${scheme}://${random.pick(['x', 'toolang.ai/rewrite', 'é/🙂?a=b&c', '//', ':', 'a%20b(c)"', '\u00a0'])}`;
}

/** What may stand between two tokens. */
export function gap(random: Random): string {
  if (random.chance(75)) return '';
  return random.pick([' ', ' ', '  ', '\t', '\f', ' \t\f ']);
}

/** What must stand between two words. */
export function space(random: Random): string {
  return random.chance(85) ? ' ' : random.pick(['  ', '\t', '\f', '\f \t']);
}

export function widthOf(indent: string): number {
  let width = 0;
  for (const blank of indent) width = blank === ' ' ? width + 1 : blank === '\t' ? width - (width % 8) + 8 : width;
  return width;
}

/** An indent wider than `above`, and not wider than `most` when that is given (`most` is more than `above`). */
export function indent(random: Random, above: number, most = Number.POSITIVE_INFINITY): string {
  const usual = above + 2 <= most ? above + 2 : above + 1;
  if (random.chance(60)) return ' '.repeat(usual);
  const odd = random.pick([
    ' '.repeat(above + 1),
    `\f${' '.repeat(usual)}`,
    `${' '.repeat(usual)}\f`,
    `${'\t'.repeat(Math.floor(above / 8) + 1)}`,
    ` ${'\t'.repeat(Math.floor(above / 8) + 1)} `,
    ' '.repeat(above + 7),
  ]);
  return widthOf(odd) <= most ? odd : ' '.repeat(usual);
}

/** Any blanks at all, also none. */
export function anyIndent(random: Random): string {
  return random.pick(['', '', '  ', '    ', '\t', '\f', ' \t ']);
}

export function comment(random: Random): string {
  return random.pick([
    '#',
    '# comment',
    '## doc',
    '##! doc',
    '#!',
    '#x',
    '# ``` #',
    '#\t\f',
    `# ${textPart(random)}  `,
  ]);
}

/** What may follow the last token of a line. */
export function tail(random: Random): string {
  return random.chance(15) ? gap(random) + comment(random) : gap(random);
}

export function textPart(random: Random): string {
  return random.pick(textParts);
}

/** One line of text: not empty, and neither blanks nor `#` at its start. Backticks open it only when `backticks` allows it. */
export function lineOfText(random: Random, backticks: boolean): string {
  const first = random.chance(70)
    ? random.pick(['Word', 'é', '🙂', '`a`', '``', '.', '=', 'name', '"', '-'])
    : textPart(random);
  const isOdd = first.startsWith('#') || first.trim() === '' || (!backticks && first.startsWith('```'));
  let text = isOdd ? 'x' : first;
  for (let i = random.below(4); i > 0; i--) text += random.pick([' ', ' ', '', '\t', '  ']) + textPart(random);
  // Short runs of backticks may have met at the start.
  return !backticks && text.startsWith('```') ? `x${text}` : text;
}
