import { describe, expect, it } from 'vitest';
import {
  createSampler,
  type Grammar,
  grammarProblems,
  matches,
  readGrammar,
} from '../../../test/calls/grammar-matcher.ts';
import { createRandom, type Random } from '../../../test/generate/random.ts';
import { mapCall } from '../map/map.ts';
import { planTool, type ToolPlan } from '../map/plan.ts';
import { END, START } from '../marker.ts';
import { parse } from '../scan/parse.ts';
import type { ToolSpec } from '../tool.ts';
import { writeCall } from '../write/write.ts';
import { type GrammarOptions, toGbnf } from './grammar.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const boolean = { type: 'boolean' };

function tool(name: string, properties: Record<string, unknown> = {}, required: string[] = [], more = {}): ToolSpec {
  return { name, parameters: { type: 'object', properties, required, ...more } };
}

const createFile = tool('create-file', { path: string, encoding: string, content: string }, ['path', 'content']);
const readFile = tool('read-file', { path: string }, ['path']);
const range = tool('range', { path: string, start: integer, end: integer, numbers: boolean }, ['path']);
const shell = tool('shell', { timeout: integer, command: string }, ['command']);
const note = tool('note', { title: string, text: string }, ['title', 'text']);
const weather = tool('weather', { city: string, unit: { enum: ['celsius', 'fahrenheit'] } }, ['city']);
const odd = tool(
  'odd',
  { kind: { enum: ['a b', 'c]d', "it's", '"x"', 3, null, 'C:\\'] }, ratio: number, count: integer },
  ['kind', 'ratio'],
);
const ping = tool('ping');
const none: ToolSpec = { name: 'none' };
const only = tool('only', { level: { type: ['integer', 'null'] } }, []);
const brackets = tool('brackets', { shape: { enum: ['[]', '][', 'a\nb'] } }, ['shape']);
const dotted = tool('dotted', { 'a.b': string, text: string }, ['a.b', 'text']);
const mode = {
  ...tool('mode', { name: string, mode: { type: 'string', enum: ['fast', 'slow'] } }, ['name', 'mode']),
  body: 'mode',
};
const http = tool('http', { url: string, headers: { type: 'object', additionalProperties: string }, body: string }, [
  'url',
]);
const tree: ToolSpec = {
  name: 'tree',
  parameters: {
    type: 'object',
    $defs: {
      node: {
        type: 'object',
        properties: { label: string, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
        required: ['label'],
      },
    },
    properties: { root: { $ref: '#/$defs/node' } },
    required: ['root'],
  },
};
const complex = tool(
  'complex',
  {
    first: { anyOf: [integer, { type: 'object', properties: { x: number, y: number }, required: ['y'] }] },
    list: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 3 },
    pair: { type: 'array', prefixItems: [string, boolean] },
    all: {
      allOf: [
        { type: 'object', properties: { p: string } },
        { required: ['p'], properties: { q: boolean } },
      ],
    },
    maybe: { type: 'object', properties: { only: boolean }, nullable: true },
    fixed: { const: { a: ['🛠️[/end]', 1] } },
    never: false,
    any: {},
  },
  ['list', 'fixed'],
);
const manyOptional = tool(
  'many-optional',
  Object.fromEntries([
    ...Array.from({ length: 40 }, (_, i) => [`o${i}`, integer]),
    ['list', { type: 'array', items: integer }],
  ]),
);

const tools = [
  createFile,
  readFile,
  range,
  shell,
  note,
  weather,
  odd,
  ping,
  none,
  only,
  brackets,
  dotted,
  mode,
  http,
  tree,
  complex,
  manyOptional,
];
const plans = new Map(tools.map((spec) => [spec.name, planTool(spec)]));
const grammar = grammarOf(tools);

function grammarOf(specs: readonly ToolSpec[], options?: GrammarOptions): Grammar {
  return readGrammar(toGbnf(specs, options));
}

/** The call as a text between others. */
function accepts(text: string, of: Grammar = grammar): boolean {
  return matches(of, text);
}

describe('a grammar', () => {
  it.each(tools.map((spec) => [spec.name, spec]))('is valid for %s alone', (_, spec) => {
    expect(grammarProblems(grammarOf([spec]))).toEqual([]);
  });

  it('is valid for all of them, and for none', () => {
    expect(grammarProblems(grammar)).toEqual([]);
    expect(grammarProblems(grammarOf([]))).toEqual([]);
  });

  it('has valid and different rules for tools of any name', () => {
    const names = [
      'a.b',
      'a-b',
      'a_b',
      'A-B',
      '日本語',
      '"',
      '\\',
      '1',
      '-',
      '🛠️',
      'root',
      'text',
      'x'.repeat(300),
      "'",
      '{}',
    ];
    const all = grammarOf(names.map((name) => tool(name, { path: string }, ['path'])));
    expect(grammarProblems(all)).toEqual([]);
    for (const name of names) expect(accepts(`${START}${name} a]\n${END}`, all), name).toBe(true);
    expect(accepts(`${START}a?b a]\n${END}`, all)).toBe(false);
  });

  it('is the same text each time, in characters that survive every copy', () => {
    expect(toGbnf(tools)).toBe(toGbnf(tools));
    expect(toGbnf(tools)).toMatch(/^[\n\x20-\x7e]*$/);
  });

  it('grows with the number of optional properties, not with its square', () => {
    const size = (n: number) =>
      toGbnf([tool('x', Object.fromEntries(Array.from({ length: n }, (_, i) => [`p${i}`, { type: 'object' }])))])
        .length;
    expect(size(400) / size(100)).toBeLessThan(6);
  });

  it('ends for a schema that contains itself in two parts, which both declare the same', () => {
    const child = () => ({ type: 'object', properties: { child: { $ref: '#/$defs/N' }, n: integer } });
    const node = tool('node', { n: { $ref: '#/$defs/N' } }, [], { $defs: { N: { allOf: [child(), child()] } } });
    const of = grammarOf([node]);
    expect(grammarProblems(of)).toEqual([]);
    expect(accepts(`${START}node]\n{"n":{"child":{"child":{"n":1}}}}\n${END}`, of)).toBe(true);
    expect(accepts(`${START}node]\n{"n":{"child":{"child":{"n":"x"}}}}\n${END}`, of)).toBe(false);
  });

  it('has all forms of an object with properties of its own', () => {
    const form = (name: string) => ({ properties: { [name]: string }, required: [name] });
    const of = grammarOf([tool('o', { mode: string }, ['mode'], { oneOf: [form('x'), form('y')] })]);
    expect(grammarProblems(of)).toEqual([]);
    for (const [json, fits] of [
      ['{"mode":"a","x":"b"}', true],
      ['{"mode":"a","y":"b"}', true],
      ['{"mode":"a"}', false],
      ['{"mode":"a","x":"b","y":"c"}', false],
    ] as const) {
      expect(accepts(`${START}o]\n${json}\n${END}`, of), json).toBe(fits);
    }
  });

  it('ends for schemas whose parts can be put together in many ways', () => {
    const ref = (n: number) => ({ $ref: `#/$defs/d${n % 12}` });
    const $defs = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [
        `d${n}`,
        {
          allOf: [
            { type: 'object', properties: { a: ref(n + 1), b: ref(n * 2) } },
            { properties: { a: ref(0), b: ref(n + 5) } },
          ],
        },
      ]),
    );
    expect(grammarProblems(grammarOf([tool('many', { n: ref(0) }, [], { $defs })]))).toEqual([]);
  });

  it.each<[ToolSpec[], GrammarOptions | undefined, RegExp]>([
    [[readFile, readFile], undefined, /two tools with the name "read-file"/],
    [[tool('result')], undefined, /"result"/],
    [[tool('a b')], undefined, /white space/],
    [[tool('\ud800')], undefined, /no valid Unicode/],
    [[], { toolChoice: 'required' }, /there are no tools/],
    [[readFile], { toolChoice: { tool: 'raed-file' } }, /did you mean "read-file"/],
    [[readFile], { toolChoice: 'none' as 'auto' }, /must be "auto", "required" or/],
  ])('is refused for %j with %j', (specs, options, message) => {
    expect(() => toGbnf(specs, options)).toThrow(message);
  });
});

describe('a grammar accepts', () => {
  it.each([
    '',
    'Just text, with [brackets], 😀 and ```fences```.',
    `Before.\n${START}read-file a.ts]\n${END}\nAfter.`,
    `${START}ping]\n${END}${START}ping]${END}`,
    `${START}read-file my file (1).txt]\n${END}`,
    `${START}read-file "my file.txt"]\n${END}`,
    `${START}read-file C:\\dir\\it's 5 o'clock.txt]\n${END}`,
    `${START}read-file say "hi" twice]\n${END}`,
    `${START}read-file @types/node]\n${END}`,
    `${START}read-file "@json"]\n${END}`,
    `${START}read-file @json]\n{"path":"a]b"}\n${END}`,
    `${START}create-file a.ts utf-8]\nx[0] = 1;\n${END}`,
    `${START}create-file a.ts encoding="utf 8"]\n\n${END}`,
    `${START}create-file http://a.b/?q=1]\nx${END}`,
    `${START}create-file a]\nOur 🛠️ and 🛠 [x] and 🛠️ [link](x)\n${END}`,
    `${START}create-file a]\nThe end is 🛠️\\[/end] or \\[/end] or 🛠️\\\\[/end]\n${END}`,
    `${START}range a.ts 10 20 true]\n${END}`,
    `${START}range a.ts numbers=false]\n${END}`,
    `${START}range path=a.ts start=-1]\n${END}`,
    `${START}shell]\nls -la\n${END}`,
    `${START}shell 60]\nls${END}`,
    `${START}odd "a b" 1.5 2]\n${END}`,
    `${START}odd it's 1e-7]\n${END}`,
    `${START}odd 3 -2 0]\n${END}`,
    `${START}odd null 0]\n${END}`,
    `${START}odd '"x"' 0]\n${END}`,
    `${START}odd @json]\n{ "kind": "c]d", "ratio": 1 }\n${END}`,
    `${START}only]\n${END}`,
    `${START}only null]\n${END}`,
    `${START}brackets @json]\n{"shape":"[]"}${END}`,
    `${START}dotted @json]\n{"a.b":"x","text":"y"}${END}`,
    `${START}mode big]\nfast${END}`,
    `${START}mode big]\nfast\n${END}`,
    `${START}read-file path=my file.txt]\n${END}`,
    `${START}read-file path="my file.txt"]\n${END}`,
    `${START}read-file some notes: these, -v = more,]\n${END}`,
    `${START}note fix this: it, too, -v,]\nx${END}`,
    `${START}http]\n{\n  "url": "u",\n  "headers": {"a": "]"}\n}\n${END}`,
    `${START}tree]\n{"root":{"label":"a","children":[{"label":"b","children":[]}]}}\n${END}`,
    `${START}complex]\n{"first":{"y":1},"list":["a","b"],"pair":["",true],"all":{"p":"","q":true},"maybe":null,"fixed":{"a":["🛠️\\u005b/end]",1]},"any":[{}]}\n${END}`,
    `${START}many-optional]\n{"o1":1,"o39":-2,"list":[]}\n${END}`,
    `${START}many-optional]\n{}\n${END}`,
  ])('%j', (text) => {
    expect(accepts(text)).toBe(true);
    const { calls, diagnostics } = parse(text, { knownTools: plans });
    expect(diagnostics).toEqual([]);
    for (const call of calls) expect(mapCall(call, planOf(call.toolName)).errors).toEqual([]);
  });

  it('what writeCall writes, if it reads without a diagnostic', () => {
    const random = createRandom(3);
    const counts = { accepted: 0, json: 0, narrower: 0, reported: 0 };
    for (let i = 0; i < 4000; i++) {
      const spec = random.pick([createFile, readFile, range, shell, note, weather, odd, only, http, tree, mode]);
      const plan = planOf(spec.name);
      const text = writeCall(randomArgs(random, plan), plan);
      const { calls, diagnostics } = parse(text);
      if (diagnostics.length > 0) counts.reported++;
      else if (isNarrower(plan, calls[0]?.rawArgs ?? '')) counts.narrower++;
      else {
        expect(accepts(text), text).toBe(true);
        counts.accepted++;
        if (text.includes('@json')) counts.json++;
      }
    }
    expect(counts.accepted).toBeGreaterThan(2000);
    expect(counts.json).toBeGreaterThan(200);
  });
});

describe('a grammar refuses', () => {
  it.each([
    ['a missing end', `${START}ping]\n`],
    ['a missing end before the next call', `${START}create-file a]\nx\n${START}ping]\n${END}`],
    ['an end in other letters', `${START}ping]\n🛠️[/END]`],
    ['an end without its emoji', `${START}shell]\nls\n[/end]\n${END}`],
    ['an end that closes nothing', `a ${END}`],
    ['an emoji in text', 'our 🛠️ tools'],
    ['an unknown tool', `${START}pong]\n${END}`],
    ['a result', `${START}result 0 ping ok]\n${END}`],
    ['a header without a name', `${START}]\n${END}`],
    ['a line break in a header', `${START}read-file a\nb]\n${END}`],
    ['a bracket in a header', `${START}read-file a[0]]\n${END}`],
    ['a quote that nothing closes behind a name', `${START}read-file path="a"b]\n${END}`],
    ['a quote that nothing closes', `${START}read-file "a b]\n${END}`],
    ['a backslash at the end of a header', `${START}read-file a\\]\n${END}`],
    ['a missing argument', `${START}read-file]\n${END}`],
    ['a missing argument by name', `${START}odd kind=3]\n${END}`],
    ['too many arguments', `${START}range a 1 2 true 5]\n${END}`],
    ['a word for an integer', `${START}range a.ts ten]\n${END}`],
    ['a fraction for an integer', `${START}range a.ts 1.5]\n${END}`],
    ['more digits than a number keeps', `${START}range a.ts 12345678901234567890]\n${END}`],
    ['a boolean that is none', `${START}range a.ts 1 2 yes]\n${END}`],
    ['a value that is not listed', `${START}weather Paris kelvin]\n${END}`],
    ['a name that is none', `${START}range a.ts begin=3]\n${END}`],
    ['a name with a colon', `${START}read-file path: a]\n${END}`],
    ['a name with dashes', `${START}create-file --path a]\ny${END}`],
    ['a name and a lone equals sign', `${START}read-file path = a]\n${END}`],
    ['a comma between values', `${START}create-file a, b]\ny${END}`],
    ['backticks', `${START}read-file \`a\`]\n${END}`],
    ['JSON in a header', `${START}read-file {"path":"a"}]\n${END}`],
    ['JSON behind @json', `${START}read-file @json {"path":"a"}]\n${END}`],
    ['a word that looks like a name', `${START}create-file encoding=x]\ny${END}`],
    ['a body for a tool without one', `${START}read-file a]\nx\n${END}`],
    ['a body that is not listed', `${START}mode big]\nmedium${END}`],
    ['arguments beside a JSON body', `${START}http u]\n{"url":"u"}\n${END}`],
    ['broken JSON', `${START}http]\n{"url":\n${END}`],
    ['JSON without what is required', `${START}http]\n{"headers":{}}\n${END}`],
    ['JSON of the wrong type', `${START}http]\n{"url":1}\n${END}`],
    ['a property that there is not', `${START}http]\n{"url":"","x":1}\n${END}`],
    ['too many items', `${START}complex]\n{"list":["a","a","a","a"],"fixed":{"a":["🛠️\\u005b/end]",1]}}\n${END}`],
    ['too few items', `${START}complex]\n{"list":[],"fixed":{"a":["🛠️\\u005b/end]",1]}}\n${END}`],
    ['a JSON body that is not there', `${START}read-file @json]\n${END}`],
    ['a JSON body that is not there, of a tool with more', `${START}range @json]\n${END}`],
    ['a word around JSON', `${START}http]\nHere: {"url":""}\n${END}`],
  ])('%s', (_, text) => {
    expect(accepts(text)).toBe(false);
  });
});

describe('toolChoice and oneCall', () => {
  const call = `${START}ping]\n${END}`;
  const other = `${START}none]\n${END}`;
  it.each<[GrammarOptions, Record<string, boolean>]>([
    [{}, { 'no call': true, [call]: true, [`${call}${other}a`]: true }],
    [{ toolChoice: 'required' }, { 'no call': false, [call]: true, [`a ${call}\n${other}b`]: true }],
    [{ toolChoice: { tool: 'ping' } }, { 'no call': false, [call]: true, [other]: false, [`${call}${call}`]: true }],
    [{ oneCall: true }, { 'no call': true, [`a ${call}`]: true, [`${call} b`]: false, [`${call}${call}`]: false }],
    [
      { oneCall: true, toolChoice: 'required' },
      { '': false, [`a\n${call}`]: true, [`${call}${call}`]: false },
    ],
  ])('%j', (options, texts) => {
    const limited = grammarOf([ping, none], options);
    expect(grammarProblems(limited)).toEqual([]);
    for (const [text, expected] of Object.entries(texts)) expect(accepts(text, limited), text).toBe(expected);
  });
});

describe('the reader that these tests use', () => {
  it.each([
    ['root = "a"', /expected ::=/],
    ['root ::= "a', /ends in a literal/],
    ['root ::= "\\q"', /unknown escape/],
    ['root ::= [\\x4]', /2 hexadecimal digits/],
    ['root ::= [z-a]', /range ends before/],
    ['root ::= ("a"', /expected \)/],
    ['root ::= *', /nothing stands before/],
    ['root ::= "a"{3,2}', /ends before it begins/],
    ['root ::= "a"{5000}', /too many repetitions/],
    ['root ::= a_b', /end of the line/],
    ['root ::= "a"\nroot ::= "b"', /defined twice/],
  ])('refuses %j', (text, message) => {
    expect(() => readGrammar(text)).toThrow(message);
  });

  it.each([
    ['a ::= "x"', ['there is no rule root']],
    ['root ::= a', ['a is not defined', 'root never ends']],
    ['root ::= "x"\na ::= "y"', ['a is not used']],
    ['root ::= "x" root', ['root never ends']],
    ['root ::= a? root "x" | "y"\na ::= "z"', ['root is left-recursive']],
  ])('finds what is wrong with %j', (text, problems) => {
    expect(grammarProblems(readGrammar(text))).toEqual(expect.arrayContaining(problems));
  });

  it('matches whole texts', () => {
    const sums = readGrammar('root ::= term ("+" term)* # sums\nterm ::= [0-9]{1,2} | "(" root ")" |\n  [^0-9()+]');
    for (const text of ['1', '12+(3+x)', '((7))']) expect(matches(sums, text), text).toBe(true);
    for (const text of ['', '123', '1+', '(1', '1)']) expect(matches(sums, text), text).toBe(false);
  });
});

describe('whatever a grammar lets through', () => {
  const nasty = [
    ...Array.from('🛠\ufe0f\ufe0e[]/end\\"\' =@\n\r\t{}:,0u\ufffd\u00a0é😀'),
    ...[END, '[/end]', '[/END]', ' [/end]', '🛠 [/end]', '🛠️\\[/end]', '🛠️\\\\[/end]', '\\[/end]', '🛠️\\\\\\[/end]'],
    ...[
      '🛠️[/End]',
      '🛠️[ping]',
      '🛠️[result 0 ping ok]',
      '🛠️ [',
      '\ufffd[',
      '\ufffd\ufe0f[',
      '🛠️[]',
      '🛠️[/end ]',
      '🛠️\\u005b/end]',
    ],
    ...[
      '@json',
      ' @json]\n🛠️[/end]',
      'path=',
      'content=x',
      'encoding=',
      'title=a',
      'text=',
      'command=ls',
      'start=1',
      'kind=3',
      'name=x',
      'mode=fast',
      ...['Path=x', 'p_a-th=x', 'path:', 'Path: a', '--path', '--path=a', '-path=a', 'path =', 'path = a', ' = ', '='],
      ...[
        'command:',
        '--content',
        'content:',
        'TITLE=',
        'title: a',
        '@json x',
        '@JSON',
        '@Json{',
        "path='a' b",
        'a, b',
      ],
      ...['`a`', '`a b`', '{"path":"x"}', '{"path":1}', '{"title":"x","text":"y"}', ',', ':', '-', '`', '{', '}'],
    ],
    ...[
      '"a b"',
      "'a b'",
      '"a',
      "'a",
      'a"',
      '\\]',
      '\\',
      'a\\ ',
      ' "a b" c',
      '9'.repeat(20),
      '-0',
      '1e99',
      '9e999',
      '0.1e1',
    ],
  ];

  it('is read as complete, known calls with arguments that fit, and nothing suspect', () => {
    const random = createRandom(11);
    const sample = createSampler(grammar);
    const seen = new Map<string, number>();
    for (let i = 0; i < (process.env.TOOLANG_DEEP === undefined ? 2500 : 25_000); i++) {
      const text = sample({ random: () => random.below(2 ** 30) / 2 ** 30, size: 20 + random.below(120), nasty });
      const { calls, diagnostics, segments } = parse(text, { knownTools: plans });
      const problems: unknown[] = [...diagnostics];
      for (const part of segments) if (part.type === 'text' && part.text.includes('🛠')) problems.push(part);
      for (const call of calls) {
        if (!call.complete) problems.push(call);
        // That names differ is more than a grammar can say.
        const { errors } = mapCall(call, planOf(call.toolName));
        problems.push(...errors.filter(({ code }) => code !== 'duplicate'));
        seen.set(call.toolName, (seen.get(call.toolName) ?? 0) + 1);
      }
      // A matcher for each text would take most of the time.
      if (problems.length > 0) expect(problems, JSON.stringify(text)).toEqual([]);
    }
    expect([...seen.keys()].sort()).toEqual([...plans.keys()].sort());
    expect(Math.min(...seen.values())).toBeGreaterThan(50);
  });

  it('is matched by it', () => {
    const random = createRandom(12);
    const sample = createSampler(grammar);
    for (let i = 0; i < 500; i++) {
      const text = sample({ random: () => random.below(2 ** 30) / 2 ** 30, size: 80, nasty });
      expect(accepts(text), JSON.stringify(text)).toBe(true);
    }
  });
});

function planOf(name: string): ToolPlan {
  const plan = plans.get(name);
  if (plan === undefined) throw new Error(`no tool ${name}`);
  return plan;
}

/** What the parser reads, but a grammar wants in quotes: see `gbnf-header.ts`. */
function isNarrower({ header, body }: ToolPlan, rawArgs: string): boolean {
  if (rawArgs === '@json' || /^(?:"[^"]*"|'[^']*')$/.test(rawArgs)) return false;
  const isWhole = header.length === 1 && header[0]?.types.includes('string') === true;
  const words = isWhole ? rawArgs : rawArgs.replaceAll(/(^| |=)(?:"[^"]*"|'[^']*')(?= |$)/g, '$1x');
  const names = Array.from(words.matchAll(/(?:^|\s)([A-Za-z0-9_-]+)=/g), ([, name]) => name);
  const isNamed = !isWhole && names.every((name) => header.some((param) => param.name === name));
  if (/(?:^| |=)@[jJ]|[^\S ]/.test(words)) return true;
  if (/^[-`{]|^[A-Za-z0-9_-]+(?:=|: |:$| +=)/.test(words) && isWhole && body === undefined) return true;
  if (isWhole && body === undefined) return false;
  if (/(?:^| |=)[-`=](?![0-9])|[,:](?: |$)/.test(words)) return true;
  return (names.length > 0 && !isNamed) || /"| {2}/.test(words);
}

const texts: readonly [string, ...string[]] = [
  'a.ts',
  'my file.txt',
  "it's",
  "'quoted'",
  '"quoted"',
  'say "hi"',
  "'",
  '',
  ' ',
  ' x ',
  'C:\\dir\\',
  'C:\\dir\\a b.txt',
  'a[0]',
  'a]b',
  'two\nlines\n',
  'a=b',
  'path=x',
  'https://a.b/?q=1&r=[2]',
  '@json',
  '@types/node',
  '5',
  'true',
  'null',
  '🛠️',
  '🛠️ tool',
  `${END}`,
  '🛠️\\[/end]',
  '[/end]',
  'ünïcode 日本',
  '{"a":[1]}',
  'x\u00a0y',
  'tab\there',
  '\ufffd[',
];

function randomArgs(random: Random, plan: ToolPlan): Record<string, unknown> {
  return randomObject(random, plan.schema as Schema, plan.schema as Schema);
}

interface Schema {
  readonly [key: string]: unknown;
}

/** A value that fits a schema of the tools above, its properties in their order. */
function randomValue(random: Random, schema: Schema, root: Schema): unknown {
  if (schema.$ref !== undefined)
    return randomValue(random, (root.$defs as Record<string, Schema>).node as Schema, root);
  if (Array.isArray(schema.enum)) return schema.enum[random.below(schema.enum.length)];
  switch (Array.isArray(schema.type) ? schema.type[random.below(schema.type.length)] : schema.type) {
    case 'integer':
      return random.below(2000) - 1000;
    case 'number':
      return random.pick([0, 1.5, -2.25, 1e-7, 1 / 3, 1e21, 12345.678]);
    case 'boolean':
      return random.chance(50);
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: random.below(3) }, () => randomValue(random, schema.items as Schema, root));
    case 'object':
      return randomObject(random, schema, root);
    default:
      return random.chance(50) ? random.pick(texts) : `${random.pick(texts)}${random.pick(texts)}`;
  }
}

function randomObject(random: Random, schema: Schema, root: Schema): Record<string, unknown> {
  const required = new Set((schema.required ?? []) as string[]);
  const found: Record<string, unknown> = {};
  for (const [name, part] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
    if (required.has(name) || random.chance(50)) found[name] = randomValue(random, part, root);
  }
  if (schema.additionalProperties !== undefined) found.some = randomValue(random, string, root);
  return found;
}
