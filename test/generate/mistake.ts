/** Plants one mistake in a right program, and says which code must be reported for it. The seed decides all. */
import { createRandom, type Random } from './random.ts';
import { realisticProgram } from './realistic.ts';

export interface Mistake {
  /** What must be reported, by the parser or by the checker. */
  readonly code: string;
  /** Items that end in a line end. They declare all they need, under names that begin with `zz`. */
  readonly text: string;
}

export interface Planted {
  readonly code: string;
  readonly text: string;
}

const fence = '```';
/** Longer than any fence around it, so that none of theirs closes it. */
const long = '`````````';

/** By code; each has one or more ways to make it. */
export const mistakes: readonly Mistake[] = [
  // Lines and characters
  ...all(
    'TOO1001',
    'thunk zz:\n  user: a\u0001b\n',
    '# \u007f\n',
    'context zz:\n  a\u0085b\n',
    'struct Zz:\n  a\0: Text\n',
  ),
  ...all('TOO1002', 'thunk zz:\r  user: a\n', '# a\rb\n'),
  ...all('TOO1003', 'struct Zz:\n  a: Text\n\tb: Text\n', 'context zz:\n\ta\n  b\n', 'context zz:\n \ta\n'),
  ...all('TOO1004', 'thunk zz:\n  user: a\u202eb\n', '# \u2066\n'),
  ...all('TOO1005', 'thunk zz:\n  user: see #42\n', 'thunk zz:\n  user: #42\n', 'psyche zz:\n  a = b #1\n  x\n'),
  ...all('TOO1006', 'thunk zz:\n  tools = web#x\n  user: a\n', 'struct Zz:\n  a: Text#x\n'),
  ...all('TOO1007', 'struct Zz:\n  a: Text\n   b: Text\n', 'thunk zz:\n    recall = none\n  user: a\n'),
  // Layout
  ...all(
    'TOO1101',
    'strut Zz:\n  a: Text\n',
    'hello\n',
    'use skill a/zz\nuser: a\n',
    '"""\n',
    'import x\n',
    'é\n',
    'use skill a/zz\n\ufeffthunk zz:\n',
  ),
  ...all('TOO1102', 'use skill a/zz\n  struct Zz:\n    a: Text\n', 'use prompt a/zz\n use skill a/zz\n'),
  ...all('TOO1103', 'struct Zz:\na: Text\n', 'thunk zz:\nuser: a\n'),
  ...all('TOO1104', 'use skill a/zz\n  stray\n', 'use skill a/zz\n\tb\n\tc\n'),
  ...all(
    'TOO1105',
    'struct zz:\n  a: Text\n',
    'thunk Zz:\n  user: a\n',
    'psyche :\n  a\n',
    'struct Zz:\n  A: Text\n',
    'context zz-:\n  a\n',
  ),
  ...all('TOO1106', 'struct Zz\n  a: Text\n', 'context zz\n  a\n', 'psyche zz\n  a\n'),
  ...all(
    'TOO1107',
    'use skill a/zz b\n',
    'struct Zz:\n  a: Text b\n',
    'struct Zz x:\n  a: Text\n',
    `context zz: ${fence} md x\na\n${fence}\n`,
  ),
  // Fences
  ...all(
    'TOO1201',
    `context zz: ${long}\na\n`,
    `thunk zz:\n  user: ${long}md\n  a\n`,
    `psyche zz: ${long}\n---\na: b\n---\n`,
  ),
  ...all('TOO1202', `context zz: ${fence}json\na\n${fence}\n`, `thunk zz:\n  user: ${fence}a${fence}\n`),
  ...all(
    'TOO1203',
    `psyche zz: ${fence}\n---\na: b\n${fence}\n`,
    `skill zz: ${fence}md\n  ---\n  description: b\n  ${fence}\n`,
  ),
  // Types and structs
  ...all(
    'TOO1301',
    'struct Zz:\n  a: string\n',
    'struct Zz:\n  a:\n',
    'struct Zz:\n  a: [Text]\n',
    'struct Zz:\n  a: Text[3]\n',
    'thunk zz(a: int):\n  user: a\n',
  ),
  ...all('TOO1302', 'struct Zz:\n  a: Text?\n', 'thunk zz -> Text?:\n  user: a\n', 'thunk zz(a: Text?):\n  user: a\n'),
  ...all('TOO1303', 'struct Zz:\n', 'struct Zz: # none\n\n# none\n'),
  ...all('TOO1304', 'struct Zz:\n  a Text\n', 'struct Zz:\n  a: Text\n  two words\n', 'struct Zz:\n  ???\n'),
  // Use
  ...all('TOO1401', 'use skil a/zz\n', 'use a/zz\n', 'use tools a/zz\n'),
  ...all('TOO1402', 'use skill\n', 'use skill "a/zz"\n', 'use skill # a\n'),
  // Caps
  ...all('TOO1501', 'psyche zz:\n  a += b\n  x\n', 'skill zz:\n  description -= b\n  x\n'),
  ...all('TOO1502', 'psyche zz:\n  a =\n  x\n', 'psyche zz:\n  a = # b\n  x\n'),
  ...all('TOO1503', 'psyche zz: be kind\n', 'struct Zz: a: Text\n', 'context zz: a\n', 'thunk zz: a\n'),
  // Thunks
  ...all('TOO1601', 'thunk zz:\n  model = a\n  user: a\n', 'thunk zz:\n  max = 3\n  user: a\n'),
  ...all('TOO1602', 'thunk zz:\n  tools =\n  user: a\n', 'thunk zz:\n  tools = # a\n  user: a\n'),
  ...all(
    'TOO1603',
    'thunk zz:\n  tools = web,\n  user: a\n',
    'thunk zz:\n  tools = web,,shell\n  user: a\n',
    'thunk zz(a: Text,):\n  user: a\n',
    'thunk zz(,a: Text):\n  user: a\n',
  ),
  ...all(
    'TOO1604',
    'thunk zz:\n  tools = "web"\n  user: a\n',
    'thunk zz:\n  tools = web shell\n  user: a\n',
    'thunk zz:\n  tools = w*\n  user: a\n',
  ),
  ...all('TOO1605', 'thunk zz:\n  user: a\n  tools = web\n', 'thunk zz:\n  user: a\n  context:\n    b\n'),
  ...all(
    'TOO1606',
    'thunk zz:\n  context:\n    a\n  context:\n    b\n  user: a\n',
    'thunk zz:\n  instruct: none\n  instruct: none\n  user: a\n',
  ),
  ...all('TOO1607', 'thunk zz:\n  Say hello.\n', 'thunk zz:\n  user: a\n  "quoted"\n'),
  ...all('TOO1608', 'thunk zz:\n  system: a\n  user: a\n', 'thunk zz:\n  usr:\n    a\n  user: a\n'),
  ...all('TOO1609', 'thunk zz:\n  user: a\n    b\n', 'thunk zz:\n  context: none\n    b\n  user: a\n'),
  ...all(
    'TOO1610',
    'thunk zz(a: Text:\n  user: a\n',
    'thunk zz(a: Text b: Text):\n  user: a\n',
    'thunk zz(a):\n  user: a\n',
    'thunk zz(Text a):\n  user: a\n',
    'thunk zz(\n  a: Text\n):\n  user: a\n',
  ),
  ...all(
    'TOO1611',
    'thunk zz:\n  tools: web\n  user: a\n',
    'thunk zz:\n  user = a\n',
    'thunk zz() => Text:\n  user: a\n',
    'thunk zz:\n  tools == web\n  user: a\n',
    'thunk zz:\n  user hello\n',
  ),
  // Names and types of a program
  ...all(
    'TOO2001',
    'struct Zz:\n  a: Text\nstruct Zz:\n  a: Text\n',
    'struct Zz:\n  a: Text\n  a: Number\n',
    'thunk zz:\n  user: a\nthunk zz:\n  user: b\n',
    'thunk:\n  user: a\nthunk default:\n  user: b\n',
    'thunk zz(a: Text, a: Text):\n  user: a\n',
    'context zz:\n  a\ncontext zz:\n  b\n',
    'context:\n  a\ncontext default:\n  b\n',
    'psyche zz:\n  a\npsyche zz:\n  b\n',
    'use skill a/zz\nuse skill b/zz\n',
  ),
  ...all('TOO2002', 'struct Zz:\n  a: Zzz\n', 'thunk zz(a: Txet):\n  user: a\n', 'thunk zz -> Nmuber[]:\n  user: a\n'),
  ...all('TOO2003', 'struct Text:\n  a: Number\n', 'struct Message:\n  a: Number\n'),
  ...all('TOO2004', 'struct Zz:\n  a: Zz\n', 'struct Zz:\n  a: Zy\nstruct Zy:\n  b?: Zz[]\n  c: Zz\n'),
  ...all(
    'TOO2005',
    `struct Zz:\n  a: Text${'[]'.repeat(1200)}\n`,
    `thunk zz -> Text${' []'.repeat(1200)}:\n  user: a\n`,
  ),
  // Directives
  ...all('TOO2101', 'thunk zz:\n  models += a\n  user: a\n', 'thunk zz:\n  recall -= memory\n  user: a\n'),
  ...all('TOO2102', 'thunk zz:\n  recall = histroy\n  user: a\n', 'thunk zz:\n  recall = none, memory\n  user: a\n'),
  ...all(
    'TOO2103',
    'thunk zz:\n  tools = web\n  tools = shell\n  user: a\n',
    'thunk zz:\n  recall = none\n  recall = default\n  user: a\n',
  ),
  ...all('TOO2104', 'thunk zz:\n  tools = web, web\n  user: a\n', 'thunk zz:\n  recall = none, none\n  user: a\n'),
  ...all(
    'TOO2105',
    'thunk zz:\n  skills = zzz\n  user: a\n',
    'thunk zz:\n  psyches -= a/zzz\n  user: a\n',
    'skill zz:\n  description = a\n  b\nthunk zz:\n  skills += a/zz\n  user: a\n',
  ),
  ...all(
    'TOO2106',
    'thunk zz:\n  tools = shel\n  user: a\n',
    'thunk zz:\n  tools = read\n  user: a\n',
    'thunk zz:\n  tools -= web/fetsh\n  user: a\n',
  ),
  ...all('TOO2107', 'thunk zz:\n  hands = zzz\n  user: a\n', 'thunk zz:\n  hands = ./zz.toon\n  user: a\n'),
  ...all('TOO2108', 'thunk zz:\n  hands = zz\n  user: a\n', 'thunk:\n  handoffs += default\n  user: a\n'),
  ...all('TOO2109', 'thunk zz:\n  models = model-2\n  user: a\n', 'thunk zz:\n  models = model-1, zz\n  user: a\n'),
  ...all('TOO2110', 'thunk zz:\n  handoffs = zzz\n  user: a\n', 'thunk zz:\n  handoffs = ./zz.toon\n  user: a\n'),
  // Texts of a thunk
  ...all('TOO2201', 'thunk zz:\n  context: zzz\n  user: a\n', 'thunk zz:\n  instruct: dfault\n  user: a\n'),
  ...all('TOO2202', 'context none:\n  a\n', 'instruct none:\n  a\n'),
  ...all('TOO2203', 'thunk zz():\n', 'thunk zz(a: Text):\n  recall = none\n'),
  // Parameters
  ...all('TOO2301', 'thunk zz(a: Text, input: Text):\n  user: {{a}}\n'),
  ...all('TOO2302', 'thunk zz(input?: Text):\n  user: a\n'),
  ...all('TOO2303', 'thunk zz(runtime: Text):\n  user: a\n'),
  // Templates
  ...all('TOO2401', 'thunk zz:\n  user: {{input\n', 'context zz:\n  {{a\n  }}\n', 'prompt zz:\n  {{a {{b}}\n'),
  ...all('TOO2402', 'thunk zz:\n  user: {{}}\n', 'prompt zz:\n  {{ # }}\n'),
  ...all('TOO2403', 'thunk zz:\n  user: {{a..b}}\n', 'thunk zz:\n  user: {{a.}}\n', 'prompt zz:\n  {{%}}\n'),
  ...all(
    'TOO2404',
    'thunk zz:\n  user: {{#input}}a\n',
    'prompt zz:\n  {{^a}}\n  b\n',
    `context zz: ${fence}\n{{#input}}\n${fence}\n`,
  ),
  ...all('TOO2405', 'thunk zz:\n  user: {{/input}}\n', 'prompt zz:\n  {{#a}}{{/b}}\n'),
  ...all(
    'TOO2406',
    'thunk zz:\n  user: {{> a}}\n',
    'thunk zz:\n  user: {{{input}}}\n',
    'prompt zz:\n  {{#if a}}{{/if}}\n',
    'prompt zz:\n  {{a + b}}\n',
  ),
  ...all('TOO2407', `prompt zz:\n  ${'{{#a}}'.repeat(300)}${'{{/a}}'.repeat(300)}\n`),
  ...all(
    'TOO2411',
    'thunk zz:\n  user: {{inptu}}\n',
    'context zz:\n  {{a}}\nthunk zz:\n  context: zz\n  user: b\n',
    'thunk zz(a: Text):\n  user: {{input}}\n',
  ),
  ...all(
    'TOO2412',
    'struct Zz:\n  path: Text\nthunk zz(input: Zz):\n  user: {{input.pth}}\n',
    'thunk zz:\n  user: {{runtime.dat}}\n',
  ),
  ...all('TOO2413', 'thunk zz(a: Text):\n  user: {{a.b}}\n', 'thunk zz(a: Text[]):\n  user: {{a.b}}\n'),
  ...all('TOO2414', 'thunk zz:\n  user: {{.}}\n'),
  ...all('TOO2901', 'thunk zz:\n  models = model-1\n  user: a\n'),
  // Frontmatter
  ...inFrontmatter('psyche', 'TOO5201', 'a\n', '- a\n', 'a: b\n  c\n', '  a: b\n'),
  ...inFrontmatter('psyche', 'TOO5202', 'a: b\na: c\n', 'a:\n  b: c\n  b: d\n'),
  ...inFrontmatter('psyche', 'TOO5203', '"a": b\n', ': b\n', '1: b\n'),
  ...inFrontmatter('psyche', 'TOO5204', 'a: "b\n', 'a: [b\n', 'a: {b: c\n'),
  ...inFrontmatter('psyche', 'TOO5205', 'a:\n\tb: c\n', '\ta: b\n'),
  ...inFrontmatter('skill', 'TOO5206', 'description: [a]\n', 'description:\n  a: b\n'),
  ...inFrontmatter('psyche', 'TOO5207', 'a: [&b c, *b]\n', 'a:\n  - !!str b\n', 'a:\n  <<: b\n'),
  ...inFrontmatter('psyche', 'TOO5210', `a: ${'b'.repeat(70_000)}\n`, `a: ${'['.repeat(100)}\n`),
  ...inFrontmatter('psyche', 'TOO5211', 'a: b #c\n'),
  ...all('TOO5212', 'psyche zz:\n  ---\n  a: b\n  ---\n  c\n'),
  // Properties of caps
  ...all(
    'TOO5220',
    'service zz:\n  description = a\n  transport = http\n  target = https://a.b/c\n  taget = a\n',
    'skill zz:\n  description = a\n  version = 1\n  b\n',
  ),
  ...all('TOO5221', 'skill zz:\n  description = a\n  license = MIT\n  b\n'),
  ...inFrontmatter('skill', 'TOO5222', 'name: zz\ndescription: a\n'),
  ...all('TOO5222', 'service zz:\n  name = zz\n  description = a\n  transport = http\n  target = https://a.b/c\n'),
  ...all(
    'TOO5223',
    'skill zz:\n  b\n',
    'service zz:\n  description = a\n  transport = http\n',
    'service zz:\n  description = a\n  target = https://a.b\n',
  ),
  ...all('TOO5224', 'service zz:\n  transport = http\n  target = https://a.b/c\n'),
  ...inFrontmatter('skill', 'TOO5225', 'description:\n', 'description: ""\n'),
  ...all('TOO5226', 'skill zz:\n  description = a\n'),
  ...service('TOO5227', 'transport = https\n  target = https://a.b/c', 'transport = carrier\n  target = a'),
  ...service(
    'TOO5228',
    'transport = http\n  target = uvx a',
    'transport = http\n  target = https://u:p@a.b/',
    'transport = http\n  target = ftp://a',
  ),
  ...service(
    'TOO5229',
    'transport = stdio\n  target = https://a.b',
    "transport = stdio\n  target = a 'b",
    'transport = stdio\n  target = A=1 b',
  ),
  ...service('TOO5230', 'transport = stdio\n  target = a\n  headers = A: b'),
  ...service(
    'TOO5231',
    'transport = http\n  target = https://a.b\n  headers = A',
    'transport = http\n  target = https://a.b\n  headers = A b: c',
    'transport = http\n  target = https://a.b\n  headers = A: b, a: c',
  ),
  ...service(
    'TOO5232',
    'transport = stdio\n  target = a\n  env = A=1',
    'transport = stdio\n  target = a\n  env = A,,B',
    'transport = http\n  target = https://a.b\n  headers = A: ${',
  ),
  ...service(
    'TOO5234',
    'transport = stdio\n  target = a | b',
    'transport = stdio\n  target = a $B',
    'transport = stdio\n  target = a ~/b',
  ),
  ...all('TOO5235', 'psyche zz:\n', 'prompt zz:\n  a = b\n', `psyche zz: ${fence}\n${fence}\n`),
  // References
  ...all('TOO5301', 'use skill a://\u00a0\n', 'use psyche https://a.b/\u2028c.md\n'),
  ...all('TOO5302', 'use skill file://a/zz\n', 'use skill C:/zz\n', 'use prompt home://zz\n'),
  ...all('TOO5303', 'use skill zz\n', 'use psyche default\n'),
  ...all('TOO5304', 'use skill @a/zz\n'),
  ...all('TOO5305', 'use skill github://a/b/zz\n', 'use psyche github://a/b/zz.md@\n'),
  ...all('TOO5306', 'use skill http://a.b/zz.md\n', 'use skill git://a/zz\n', 'use skill npm:a/zz\n'),
  ...all('TOO5307', 'use skill a//zz\n', 'use skill a/../zz\n', 'use skill github://a/b/./zz@main\n'),
  ...all(
    'TOO5308',
    'use skill a/b/c/d/zz\n',
    'use skill -a/zz\n',
    'use psyche github://a/b@main\n',
    'use prompt https://github.com/a/b\n',
    'use skill a/zz@-x\n',
  ),
  ...all('TOO5309', 'use prompt a/.md\n', 'use prompt https://a.b/%F0%9F%99%82.md\n'),
];

/** A right program of a few items with one mistake between them, or at its start or end. */
export function plantMistake(seed: number): Planted {
  const random = createRandom(seed ^ 0x51ab3c77);
  const mistake = mistakes[random.below(mistakes.length)] ?? { code: '', text: '' };
  return { code: mistake.code, text: insert(random, mistake.text) };
}

function insert(random: Random, text: string): string {
  const base = random.chance(70) ? realisticProgram(random.below(0x7fffffff), 10 + random.below(50)) : '';
  // Items end before blank lines; a mistake at the end of a text without a blank line is part of what it follows.
  const ends = [...base.matchAll(/(?<=\n)\n(?=[a-z#])/g)].map((found) => found.index + 1);
  const at = random.pick([0, base.length, ends[random.below(ends.length)] ?? 0]);
  const blank = at > 0 && random.chance(50) ? '\n' : '';
  return `${base.slice(0, at)}${blank}${text}${random.chance(80) ? '\n' : ''}${base.slice(at)}`;
}

function all(code: string, ...texts: readonly string[]): Mistake[] {
  return texts.map((text) => ({ code, text }));
}

/** In the frontmatter of a fenced cap; sometimes such lines need company to be the only thing that is wrong. */
function inFrontmatter(kind: string, code: string, ...lines: readonly string[]): Mistake[] {
  return lines.map((text) => ({ code, text: `${kind} zz: ${fence}md\n---\n${text}---\nText.\n${fence}\n` }));
}

function service(code: string, ...properties: readonly string[]): Mistake[] {
  return properties.map((text) => ({ code, text: `service zz:\n  description = A.\n  ${text}\n` }));
}
