/** Texts made to be slow to read: each grows with `n`, and reading it must take time in proportion to its length. */

export interface HugeShape {
  readonly name: string;
  /** The size at which it is tried; the bench also takes four times as much. */
  readonly n: number;
  write(n: number): string;
}

const fence = '```';

export const hugeShapes: readonly HugeShape[] = [
  // Lines
  shape('comment lines at the top', 100_000, (n) => '# comment\n'.repeat(n)),
  shape('documentation lines above a struct', 100_000, (n) => `${'## doc\n'.repeat(n)}struct A:\n  a: Text\n`),
  shape('comment lines in a struct', 100_000, (n) => `struct A:\n  a: Text\n${'  ## doc\n'.repeat(n)}  b: Text\n`),
  shape('comment lines in a thunk', 100_000, (n) => `thunk:\n  tools = web\n${'# c\n'.repeat(n)}  user: a\n`),
  shape('comments between many fields', 50_000, (n) => `struct A:\n${each(n, (i) => `  ## doc\n  f${i}: Text\n`)}`),
  shape('comments after each block', 30_000, (n) => `thunk:\n${'  user: a\n# c\n\n'.repeat(n)}`),
  shape('blank lines', 100_000, (n) => `thunk:\n${'\n'.repeat(n)}  user: a\n${'  \n'.repeat(n)}`),
  shape('blank lines between the lines of a text', 50_000, (n) => `context:\n${'  a\n\n\n'.repeat(n)}`),
  shape('blank lines after each stray line', 20_000, (n) => 'stray\n\n\n  deeper\n\n'.repeat(n)),
  shape('blank lines after each bare text', 20_000, (n) => `thunk:\n${'  Bare text.\n\n\n'.repeat(n)}`),
  shape('nested indents of a text', 2_000, (n) => `context:\n${each(n, (i) => `${' '.repeat(i + 1)}a\n`)}`),
  shape('nested indents of fields', 2_000, (n) => `struct A:\n${each(n, (i) => `${' '.repeat(i + 1)}f${i}: Text\n`)}`),
  shape('nested indents of blocks', 2_000, (n) => `thunk:\n${each(n, (i) => `${' '.repeat(i + 1)}user:\n`)}`),
  shape('nested indents of inline blocks', 2_000, (n) => `thunk:\n${each(n, (i) => `${' '.repeat(i + 1)}user: a\n`)}`),
  shape('declarations inside declarations', 2_000, (n) => each(n, (i) => `${' '.repeat(i)}thunk t${i}:\n`)),
  shape('form feeds before a line', 500_000, (n) => `context:\n${'\f'.repeat(n)} a\n`),
  // Fences
  shape('closed fences', 10_000, (n) => each(n, (i) => `context c${i}: ${fence}\na\n${fence}\n`)),
  shape('fences never closed', 10_000, (n) => each(n, (i) => `context c${i}: ${fence}\na\n`)),
  shape('blocks with fences never closed', 10_000, (n) => `thunk:\n${`  user: ${fence}\n  a\n`.repeat(n)}`),
  shape('fences of ever more backticks', 1_000, (n) => each(n, (i) => `context c${i}: ${'`'.repeat(i + 3)}\na\n`)),
  shape('fences of ever fewer backticks', 1_000, (n) => each(n, (i) => `context c${i}: ${'`'.repeat(n - i + 3)}\na\n`)),
  shape('fences of ever fewer backticks over many lines', 400, (n) =>
    each(n, (i) => `context c${i}: ${'`'.repeat(n - i + 3)}\n${'a\n'.repeat(n)}`),
  ),
  shape('lines of backticks in a fence', 50_000, (n) => `context: ${'`'.repeat(n)}\n${'``````\n'.repeat(n)}`),
  shape('frontmatter never closed', 10_000, (n) => each(n, (i) => `psyche p${i}: ${fence}\n---\na: b\n${fence}\n`)),
  shape(
    'frontmatter of many lines',
    50_000,
    (n) => `psyche p: ${fence}\n---\n${each(n, (i) => `k${i}: v\n`)}---\na\n${fence}\n`,
  ),
  shape('frontmatter of many caps', 5_000, (n) =>
    each(n, (i) => `psyche p${i}: ${fence}\n---\na: [b, c]\nd: e\n---\na\n${fence}\n`),
  ),
  shape(
    'frontmatter with a list just below the limit',
    8_000,
    (n) => `service s: ${fence}\n---\nenv:\n${each(n, (i) => `- A${i}\n`)}---\na\n${fence}\n`,
  ),
  // One line
  shape('text on one line', 1_000_000, (n) => `thunk:\n  user: ${'a'.repeat(n)}\n`),
  shape('blanks inside one text', 250_000, (n) => `thunk:\n  user: a${' '.repeat(n)}b\n`),
  shape('blanks and hashes on one line', 250_000, (n) => `thunk:\n  user: a${' #'.repeat(n)}\n`),
  shape('a comment on one line', 1_000_000, (n) => `# ${'a '.repeat(n / 2)}\n`),
  shape('hashes on one line', 1_000_000, (n) => `${'#'.repeat(n)}\nuse skill a/b${'#'.repeat(n)}\n`),
  shape('a name on one line', 6_000_000, (n) => `thunk ${'a'.repeat(n)}:\n  user: a\n`),
  shape(
    'dashes in a name',
    250_000,
    (n) => `thunk a${'-'.repeat(n)}:\n  user: a\nstruct A:\n  a${'-'.repeat(n)}: Text\n`,
  ),
  shape(
    'dashes before an operator',
    250_000,
    (n) => `thunk:\n  a${'-'.repeat(n)} = b\npsyche p:\n  a${'-'.repeat(n)} = b\n`,
  ),
  shape('a type on one line', 1_000_000, (n) => `struct ${'A'.repeat(n)}:\n  a: ${'B'.repeat(n)}\n`),
  shape('words on one line', 250_000, (n) => `${'word '.repeat(n)}\nthunk ${'word '.repeat(n)}\n`),
  shape(
    'words as a field',
    250_000,
    (n) => `struct A:\n  a: Text\n  ${'word '.repeat(n)}\n  b: ${'Text '.repeat(n)}\n`,
  ),
  shape('words as a value', 500_000, (n) => `thunk:\n  tools = ${'word '.repeat(n)}\n  user: a\n`),
  shape('words as parameters', 100_000, (n) => `thunk a(${'word '.repeat(n)}):\n  user: a\n`),
  shape('commas in a directive', 250_000, (n) => `thunk:\n  tools = ${','.repeat(n)}\n  user: a\n`),
  shape('commas after a value', 250_000, (n) => `thunk:\n  tools = a${','.repeat(n)}\n  user: a\n`),
  shape('commas in parameters', 250_000, (n) => `thunk a(${','.repeat(n)}):\n  user: a\n`),
  shape('commas in parameters never closed', 250_000, (n) => `thunk a(${','.repeat(n)}\n  user: a\n`),
  shape('values of a directive', 100_000, (n) => `thunk:\n  models = ${each(n, (i) => `m${i}, `)}z\n  user: a\n`),
  shape('one value many times', 50_000, (n) => `thunk:\n  models = ${'a, '.repeat(n)}a\n  user: a\n`),
  shape('values on lines below', 50_000, (n) => `thunk:\n  tools =\n${'    a,\n'.repeat(n)}  user: a\n`),
  shape('parentheses', 500_000, (n) => `thunk a${'('.repeat(n)}\n  user: a\nthunk b${')'.repeat(n)}\n`),
  shape('parentheses and colons', 250_000, (n) => `thunk a${'(a:'.repeat(n)}\n  user: a\n`),
  shape('parameters', 50_000, (n) => `thunk a(${each(n, (i) => `p${i}: Text, `)}z: Text):\n  user: a\n`),
  shape('parameters over many lines', 30_000, (n) => `thunk a(\n${each(n, (i) => `  p${i}: Text,\n`)}):\n  user: a\n`),
  shape('headers never closed', 10_000, (n) => each(n, (i) => `thunk a${i}(\n  p: Text,\n`)),
  shape('colons', 500_000, (n) => `thunk a${':'.repeat(n)}\n  user${':'.repeat(n)}\n`),
  shape('question marks', 500_000, (n) => `struct A:\n  a${'?'.repeat(n)}: Text\n  b: Text${'?'.repeat(n)}\n`),
  shape('brackets', 500_000, (n) => `struct A:\n  a: Text${'['.repeat(n)}\n  b: ${'['.repeat(n)}Text\n`),
  shape(
    'arrays of arrays',
    10_000,
    (n) => `struct A:\n  a: Text${'[]'.repeat(n)}\nthunk(input: A${' []'.repeat(n)}):\n  user: {{input}}\n`,
  ),
  shape('arrows', 250_000, (n) => `thunk a ${'->'.repeat(n)} Text:\n  user: a\n`),
  shape('backticks on one line', 1_000_000, (n) => `context: ${'`'.repeat(n)}\n${'`'.repeat(n)}\n`),
  shape(
    'backticks and words on one line',
    250_000,
    (n) => `context: ${'```a '.repeat(n)}\nthunk:\n  user: ${'`` '.repeat(n)}\n`,
  ),
  shape('equals signs', 500_000, (n) => `psyche p:\n  a ${'='.repeat(n)}\nthunk:\n  tools ${'='.repeat(n)}\n`),
  shape('control characters', 200_000, (n) => `thunk:\n  user: ${'\u0001'.repeat(n)}\n${'\u0001\n'.repeat(n / 2)}`),
  shape('carriage returns', 200_000, (n) => `thunk:${'\r'.repeat(n)}`),
  shape('carriage returns between words', 100_000, (n) => 'a\rb\r '.repeat(n)),
  shape('marks of direction', 200_000, (n) => `# ${'\u202e'.repeat(n)}\n`),
  shape('surrogates', 500_000, (n) => `thunk:\n  user: ${'\ud83d'.repeat(n)}\n\ude42${'\ude42'.repeat(n)}\n`),
  // Errors
  shape('stray lines', 50_000, (n) => 'stray\n'.repeat(n)),
  shape('indented stray lines', 50_000, (n) => `use skill a/b\n${'  stray\n'.repeat(n)}`),
  shape('wrong fields', 50_000, (n) => `struct A:\n${'  wrong field\n'.repeat(n)}`),
  shape('wrong directives', 50_000, (n) => `thunk:\n${'  toolz = a\n'.repeat(n)}`),
  shape('wrong blocks', 50_000, (n) => `thunk:\n${'  usr: a\n'.repeat(n)}`),
  shape(
    'messages and then contexts',
    20_000,
    (n) => `thunk:\n${'  user: a\n'.repeat(n)}${'  context: none\n'.repeat(n)}`,
  ),
  shape(
    'messages and then directives',
    20_000,
    (n) => `thunk:\n${'  user: a\n'.repeat(n)}${'  tools = web\n'.repeat(n)}`,
  ),
  shape('empty structs', 50_000, (n) => each(n, (i) => `struct A${i}:\n`)),
  shape('misspelt declarations', 50_000, (n) => each(n, (i) => `strut A${i}:\n`)),
  // Names
  shape(
    'structs each using the next',
    10_000,
    (n) => `${each(n, (i) => `struct A${i}:\n  a: A${i + 1}\n`)}struct A${n}:\n  a: Text\n`,
  ),
  shape(
    'structs each using the one before',
    10_000,
    (n) => `struct A0:\n  a: Text\n${each(n, (i) => `struct A${i + 1}:\n  a: A${i}\n`)}`,
  ),
  shape(
    'structs that all contain the first',
    20_000,
    (n) => `${each(n, (i) => `struct A${i}:\n  a: A${i + 1}\n  b: A0\n`)}struct A${n}:\n  a: Text\n`,
  ),
  shape('one ring of structs', 10_000, (n) => each(n, (i) => `struct A${i}:\n  a: A${(i + 1) % n}\n`)),
  shape(
    'structs that contain the middle of a chain',
    10_000,
    (n) => `${each(n, (i) => `struct A${i}:\n  a: A${i + 1}\n`)}struct A${n}:\n${each(n, (i) => `  f${i}: A${i}\n`)}`,
  ),
  shape('fields of one struct', 50_000, (n) => `struct A:\n${each(n, (i) => `  f${i}: Text\n`)}`),
  shape('one field many times', 50_000, (n) => `struct A:\n${'  a: Text\n'.repeat(n)}`),
  shape('one struct many times', 20_000, (n) => 'struct A:\n  a: Text\n'.repeat(n)),
  shape('unknown types', 10_000, (n) => `struct A:\n${each(n, (i) => `  f${i}: Unknown${i}\n`)}`),
  shape('unknown types among many structs', 20_000, (n) => each(n, (i) => `struct Known${i}:\n  f: Unknown${i}\n`)),
  shape('unknown hands among many thunks', 20_000, (n) =>
    each(n, (i) => `thunk known-${i}:\n  hands = unknown-${i}\n  user: a\n`),
  ),
  shape('unknown caps among many caps', 20_000, (n) =>
    each(n, (i) => `psyche known-${i}:\n  a\nthunk t${i}:\n  psyches = unknown-${i}\n  user: a\n`),
  ),
  shape('unknown tools among many services', 10_000, (n) =>
    each(
      n,
      (i) =>
        `service s${i}:\n  description = A\n  transport = stdio\n  target = a\nthunk t${i}:\n  tools = unknown-${i}\n  user: a\n`,
    ),
  ),
  shape('unknown templates among many templates', 20_000, (n) =>
    each(n, (i) => `context known-${i}:\n  a\nthunk t${i}:\n  context: unknown-${i}\n  user: a\n`),
  ),
  shape(
    'unknown recall sources',
    10_000,
    (n) => `thunk:\n  recall = ${each(n, (i) => `memry${i}, `)}memory\n  user: a\n`,
  ),
  shape('properties of a cap', 160_000, (n) => `psyche p:\n${each(n, (i) => `  k${i} = v\n`)}  text\n`),
  shape('unknown properties of a skill', 160_000, (n) => `skill s:\n${each(n, (i) => `  k${i} = v\n`)}  text\n`),
  shape('one property many times', 160_000, (n) => `psyche p:\n${'  k = v\n'.repeat(n)}  text\n`),
  shape(
    'headers of a service',
    100_000,
    (n) => `service s:\n  transport = http\n  target = https://a.b\n  headers = ${each(n, (i) => `H${i}: v, `)}Z: v\n`,
  ),
  shape(
    'commas in headers',
    100_000,
    (n) => `service s:\n  transport = http\n  target = https://a.b\n  headers = A: b${','.repeat(n)}\n`,
  ),
  shape(
    'words and commas in headers',
    50_000,
    (n) => `service s:\n  transport = http\n  target = https://a.b\n  headers = A: ${`${'b'.repeat(10)},`.repeat(n)}\n`,
  ),
  shape(
    'blanks after commas in headers',
    50_000,
    (n) =>
      `service s:\n  transport = http\n  target = https://a.b\n  headers = A: b,${' '.repeat(n)},${'c'.repeat(n)}\n`,
  ),
  shape(
    'variables of a service',
    200_000,
    (n) => `service s:\n  transport = stdio\n  target = a\n  env = ${each(n, (i) => `V${i}, `)}Z\n`,
  ),
  shape(
    'a command of many words',
    100_000,
    (n) => `service s:\n  transport = stdio\n  target = ${'a $B '.repeat(n)}\n`,
  ),
  shape('a command of dollars', 100_000, (n) => `service s:\n  transport = stdio\n  target = a ${'${'.repeat(n)}\n`),
  shape(
    'a long reference',
    500_000,
    (n) => `use skill ${'a/'.repeat(n)}\nuse skill https://${'a/'.repeat(n)}\nuse skill a${'@'.repeat(n)}\n`,
  ),
  shape('use lines', 160_000, (n) => each(n, (i) => `use skill a/b${i}\n`)),
  shape('one use many times', 160_000, (n) => 'use skill a/b\n'.repeat(n)),
  shape('thunks', 10_000, (n) => each(n, (i) => `thunk t${i}:\n  user: {{input}}\n`)),
  shape('blocks of one thunk', 50_000, (n) => `thunk:\n${'  user: {{input}}\n'.repeat(n)}`),
  shape('directives of one thunk', 50_000, (n) => `thunk:\n${'  tools = web\n'.repeat(n)}  user: a\n`),
  // Templates
  shape(
    'thunks that share one template',
    5_000,
    (n) => `context c:\n  {{a}} {{input}}\n${each(n, (i) => `thunk t${i}:\n  context: c\n  user: a\n`)}`,
  ),
  shape(
    'thunks of their own types that share one template',
    4_000,
    (n) =>
      `context c:\n${'  {{x.a}}\n'.repeat(n)}${each(n, (i) => `struct S${i}:\n  a: Text\nthunk t${i}(x: S${i}):\n  context: c\n`)}`,
  ),
  shape(
    'unknown tags of a template that many thunks share',
    4_000,
    (n) =>
      `context c:\n${each(n, (i) => `  {{x${i}}}\n`)}${each(n, (i) => `thunk t${i}(p${i}: Text):\n  context: c\n`)}`,
  ),
  shape('opening braces', 500_000, (n) => `thunk:\n  user: ${'{{'.repeat(n)}\n`),
  shape('opening braces on many lines', 100_000, (n) => `context:\n${'  {{\n'.repeat(n)}`),
  shape('opening braces before one that closes', 250_000, (n) => `thunk:\n  user: ${'{{ '.repeat(n)}}}\n`),
  shape('closing braces', 500_000, (n) => `thunk:\n  user: ${'}}'.repeat(n)}\n`),
  shape('empty tags', 100_000, (n) => `thunk:\n  user: ${'{{}}'.repeat(n)}\n`),
  shape('wrong tags', 100_000, (n) => `thunk:\n  user: ${'{{a b}}'.repeat(n)}\n`),
  shape('backslashes before a tag', 500_000, (n) => `thunk:\n  user: ${'\\'.repeat(n)}{{input}}\n`),
  shape('escaped tags', 100_000, (n) => `thunk:\n  user: ${'\\{{a}}'.repeat(n)}\n`),
  shape('blanks in a tag', 500_000, (n) => `thunk:\n  user: {{${' '.repeat(n)}input${' '.repeat(n)}}}\n`),
  shape(
    'blanks around sections',
    100_000,
    (n) => `thunk:\n  user:\n    a\n${'      {{#input}} \n    {{/input}}\t\n'.repeat(n)}`,
  ),
  shape('nested sections', 50_000, (n) => `thunk:\n  user: ${'{{#input}}'.repeat(n)}${'{{/input}}'.repeat(n)}\n`),
  shape('sections never closed', 50_000, (n) => `thunk:\n  user: ${'{{#input}}'.repeat(n)}\n`),
  shape('closing tags that fit nothing', 50_000, (n) => `thunk:\n  user: ${'{{#input}}{{/a}}'.repeat(n)}\n`),
  shape('a long path', 200_000, (n) => `thunk(input: Json):\n  user: {{input${'.a'.repeat(n)}}}\n`),
  shape('a long wrong path', 200_000, (n) => `thunk(input: Text):\n  user: {{input${'.a'.repeat(n)}}}\n`),
  shape('unknown names in one template', 10_000, (n) => `thunk:\n  user: ${each(n, (i) => `{{n${i}}} `)}\n`),
  shape(
    'unknown names beside many parameters',
    10_000,
    (n) => `thunk a(${each(n, (i) => `p${i}: Text, `)}z: Text):\n  user: ${each(n, (i) => `{{n${i}}} `)}\n`,
  ),
  shape(
    'unknown fields of a large struct',
    10_000,
    (n) =>
      `struct A:\n${each(n, (i) => `  f${i}: Text\n`)}thunk(input: A):\n  user: ${each(n, (i) => `{{input.n${i}}} `)}\n`,
  ),
  shape(
    'fields of a large struct in a template',
    10_000,
    (n) =>
      `struct A:\n${each(n, (i) => `  f${i}: Text\n`)}thunk(input: A):\n  user: ${each(n, (i) => `{{input.f${i}}} `)}\n`,
  ),
];

function shape(name: string, n: number, write: (n: number) => string): HugeShape {
  return { name, n, write };
}

function each(n: number, write: (i: number) => string): string {
  let text = '';
  for (let i = 0; i < n; i++) text += write(i);
  return text;
}
