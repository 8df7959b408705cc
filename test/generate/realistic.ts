/** Generates `.too` programs as people write them: right by syntax and by meaning, of any length. The seed decides all. */
import { createRandom, type Random } from './random.ts';

interface Names {
  readonly random: Random;
  /** Makes the names of one part unlike those of the others. */
  readonly part: number;
}

const subjects = ['review', 'summary', 'ticket', 'release', 'invoice', 'lesson', 'recipe', 'report'] as const;
const fields = ['title', 'body', 'path', 'severity', 'points', 'author', 'score', 'labels', 'note', 'link'] as const;
const fieldTypes = ['Text', 'Text', 'Number', 'Boolean', 'Text[]', 'Json', 'Number[][]'] as const;
const sentences = [
  'Read the files first, and say which of them matter.',
  'Be brief; prefer a list over a paragraph.',
  'Costs are in EUR, never in C# code or `code spans`.',
  'If nothing is wrong, say so in one line: "nothing found".',
  'Ein Satz mit Umlauten: schön, größer, 日本語 🙂.',
  '- one point a line # and this is not a comment',
] as const;

/** At least `lines` lines, and no error whatever the host. */
export function realisticProgram(seed: number, lines: number): string {
  const random = createRandom(seed);
  const out = ['##! Agents of one team.', 'use skill openhat/workspace-search', ''];
  for (let part = 0; out.length < lines; part++) out.push(...writePart({ random, part }));
  return `${out.join('\n')}\n`;
}

/** One struct, its caps and templates, and two thunks that use them all. */
function writePart(names: Names): string[] {
  const { random, part } = names;
  const subject = random.pick(subjects);
  const name = `${subject}-${part}`;
  const type = `${capital(subject)}${part}`;
  const chosen = fields.filter(() => random.chance(50));
  const first = chosen[0] ?? 'title';
  const lines = [
    `## What ${subject} number ${part} holds.`,
    `struct ${type}:`,
    ...(chosen.length === 0 ? ['title'] : chosen).map((field) => `  ${field}: ${random.pick(fieldTypes)}`),
    `  next?: ${type}`,
    '',
    ...writeCap(names, name),
    '',
    `context ${name}:`,
    ...prose(random, '  '),
    '  Today is {{runtime.date}}.',
    '',
    `thunk ${name}(input: ${type}, tone?: Text) -> ${type}[]:`,
    '  tools    = filesystem/read, web',
    `  psyches += p-${part}`,
    `  hands    = ask-${name}`,
    '  recall   = history, memory',
    `  context: ${name}`,
    '  # What is asked of it.',
    '  user:',
    ...prose(random, '    '),
    `    {{#tone}}Tone: {{tone}}{{/tone}} {{input.${first}}}`,
    '  assistant: Understood.',
    '',
    `thunk ask-${name}(question: Text):`,
    '  instruct: ```md',
    ...prose(random, ''),
    '```',
    '  user: {{question}} # asked by the other',
    '',
  ];
  return lines;
}

function writeCap({ random, part }: Names, name: string): string[] {
  const psyche = [`psyche p-${part}:`, '  tone = calm', ...prose(random, '  ')];
  const other = random.pick([
    [`skill s-${name}:`, '  description = Trigger this skill for requests of its kind.', ...prose(random, '  ')],
    [`service v-${name}: \`\`\``, '---', 'description: Tools.', 'transport: http', 'target: https://example.com/mcp']
      .concat(['headers:', '  Authorization: Bearer $TOKEN', 'env: [A_TOKEN, B_TOKEN]', '---'])
      .concat(prose(random, ''), '```'),
    [`prompt q-${name}:`, ...prose(random, '  '), '  {{topic}}'],
  ]);
  return [...psyche, '', ...other];
}

function prose(random: Random, margin: string): string[] {
  return Array.from({ length: 1 + random.below(4) }, () => margin + random.pick(sentences));
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
