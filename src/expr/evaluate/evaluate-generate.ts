/** Expressions as text, for the test against real JavaScript. Everything is in parentheses, so that it reads one way. */
import fc from 'fast-check';
import { statics } from './globals.ts';
import { methodNames, type Receiver } from './methods.ts';

/** What the names in the expressions are, as JavaScript. */
export const values: Readonly<Record<string, string>> = {
  s: "'Hello, wörld 12'",
  n: '7.5',
  yes: 'true',
  nothing: 'null',
  missing: 'undefined',
  list: "[3, 'b', 10, null, 'a', 2]",
  nums: '[5, -1, 0.5, 100, 22]',
  words: "['pear', 'Apple', 'fig', 'apple', '']",
  nested: '[[1, [2, [3]]], [], ["x"]]',
  rec: "{ a: 1, b: 'two', c: [1, 2], d: { e: null }, '__proto__x': 5, 3: 'three' }",
  rows: "[{ id: 1, tag: 'x' }, { id: 2, tag: 'y' }, { id: 3, tag: 'x' }]",
};

type Text = fc.Arbitrary<string>;
type Pick = (...texts: readonly string[]) => Text;

const pick: Pick = (...texts) => fc.constantFrom(...texts);

const numbers = pick(
  ...['0', '1', '2', '3', '(-1)', '(-2)', '0.5', '10', '16', '36', '255', '1e21', '(-0)', 'NaN', 'Infinity'],
  ...['(-Infinity)', '65', '1e-7', '4294967296', '2147483648', '1.005', '123.456'],
);
const strings = pick(
  ...[
    "''",
    "'a'",
    "'b'",
    "'abc'",
    "'l'",
    "' 12 '",
    "'1'",
    "'0x1f'",
    "'😀é'",
    "'a,b,,c'",
    "'true'",
    "'A-b_C'",
    "'\\n\\t x'",
  ],
  ...[
    "'$&-$1-$$'",
    "'id'",
    "'length'",
    "'NFD'",
    "'2024-02-30'",
    "'12abc'",
    '\'[1,{"a":null}]\'',
    "'%41%zz'",
    "'\\ud800x'",
  ],
);
const regexps = pick(
  ...['/l/', '/l/g', '/[a-z]+/gi', '/(\\w)(\\d)?/', '/(?<first>.)(?<rest>.*)/', '/(?:)/g', '/,\\s*/', '/x/y', '/^h/im'],
  ...['/(\\d+)/g', '/./gu', '/$/g', '/a|b/d'],
);
const dates = pick(
  ...['new Date(0)', "new Date('2024-02-29T12:34:56.789Z')", 'new Date(NaN)', 'new Date(2020, 11, 31, 23, 59)'],
  ...["new Date('2021-03-04')", "new Date('2021-03-04T05:06')", "new Date('Mar 4, 2021 10:00')", 'new Date(-1e13)'],
);
const scalars = fc.oneof(numbers, strings, pick('true', 'false', 'null', 'undefined'));
const arrays = fc.oneof(
  pick('list', 'nums', 'words', 'nested', 'rows', '[]', '[1, 2, 3]', "['b', 'a']", '[undefined, null, NaN]'),
  fc.array(scalars, { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
);
const records = fc.oneof(
  pick('rec', '({})', '({ length: 2, 0: 1 })', "({ a: 1, ['b' + 1]: 2 })", '({ ...rec, a: 2 })', '({ valueOf: 1 })'),
);
const arrows = pick(
  ...['x => x', '(x, i) => i', 'x => x > 1', 'x => !x', 'x => [x, x]', '(a, b) => a - b', '(a, b) => a + b', '() => 1'],
  ...['(a, b) => (a < b ? 1 : -1)', 'x => x?.id', '({ id }) => id', '({ id = 9, ...rest } = {}) => [id, rest]'],
  ...['([a, b = 2]) => a + b', '(...all) => all.length', 'x => x.id', 'x => `<${x}>`', 'x => typeof x', 'x => s + x'],
  ...['(x, i, all) => all.length - i', 'x => nums.map(y => x + y)', '(k, v) => v', 'String', 'Number', 'parseInt'],
  ...['Math.abs', 'Boolean', '([, second, ...more]) => [second, more]', '(x, y = x) => y'],
);
const names = pick(...Object.keys(values));
const keys = pick(
  "'a'",
  "'b'",
  '0',
  '1',
  '(-1)',
  "'length'",
  "'nope'",
  '1.5',
  "'0'",
  'null',
  'undefined',
  "'toString'",
  'true',
);
const members = pick('a', 'b', 'c', 'd', 'e', 'length', 'id', 'tag', 'nope', 'x');

const binaryOps = pick(
  ...[
    '+',
    '-',
    '*',
    '/',
    '%',
    '**',
    '==',
    '!=',
    '===',
    '!==',
    '<',
    '<=',
    '>',
    '>=',
    '&',
    '|',
    '^',
    '<<',
    '>>',
    '>>>',
    'in',
  ],
);

/** What takes a locale is tested by itself. */
const untested = new Set([
  'toLocaleString',
  'toLocaleDateString',
  'toLocaleTimeString',
  'localeCompare',
  'toLocaleLowerCase',
  'toLocaleUpperCase',
]);
const receivers: Readonly<Record<Receiver, Text>> = {
  string: fc.oneof(pick('s'), strings),
  array: arrays,
  number: fc.oneof(
    pick('n'),
    numbers.map((number) => `(${number})`),
  ),
  boolean: pick('true', 'false'),
  date: dates.map((date) => `(${date})`),
  regexp: regexps,
};

const argument = fc.oneof(
  { weight: 4, arbitrary: scalars },
  { weight: 4, arbitrary: arrows },
  { weight: 1, arbitrary: arrays },
  { weight: 1, arbitrary: records },
  { weight: 2, arbitrary: regexps },
  { weight: 1, arbitrary: dates },
);
const args = fc.oneof(
  { weight: 8, arbitrary: fc.array(argument, { maxLength: 3 }).map((list) => list.join(', ')) },
  { weight: 1, arbitrary: arrays.map((array) => `...${array}`) },
);

const methodCall = fc
  .constantFrom(
    ...(Object.keys(methodNames) as Receiver[]).flatMap((kind) => methodNames[kind].map((name) => ({ kind, name }))),
  )
  .filter(({ name }) => !untested.has(name))
  .chain(({ kind, name }) => fc.tuple(receivers[kind], args).map(([self, list]) => `${self}.${name}(${list})`));

// `Date.now` and `Date()` have another clock, `Object.groupBy` is newer than Node 20.
const staticCall = fc
  .constantFrom(...Object.entries(statics).flatMap(([owner, list]) => list.map((name) => `${owner}.${name}`)))
  .filter((name) => name !== 'Date.now' && name !== 'Object.groupBy')
  .chain((name) =>
    args.map((list) => (/\.(?:[A-Z][A-Z0-9_]*|NaN)$/.test(name) && name !== 'Date.UTC' ? name : `${name}(${list})`)),
  );

const globalCall = fc
  .tuple(
    pick(
      'parseInt',
      'parseFloat',
      'isNaN',
      'isFinite',
      'Number',
      'String',
      'Boolean',
      'encodeURIComponent',
      'encodeURI',
      'decodeURI',
      'decodeURIComponent',
      'RegExp',
      'new RegExp',
      'new Date',
    ),
    args,
  )
  .filter(([name, list]) => !(name === 'new Date' && (list === '' || list === '...[]')))
  .map(([name, list]) => `${name}(${list})`);

const leaf = fc.oneof(
  { weight: 3, arbitrary: scalars },
  { weight: 4, arbitrary: names },
  { weight: 1, arbitrary: arrays },
  { weight: 1, arbitrary: records },
  { weight: 1, arbitrary: dates },
  { weight: 1, arbitrary: regexps },
  { weight: 8, arbitrary: methodCall },
  { weight: 4, arbitrary: staticCall },
  { weight: 2, arbitrary: globalCall },
);

export const expressionText: Text = fc.letrec<{ any: string }>((tie) => {
  const any = tie('any');
  return {
    any: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'expression' },
      { weight: 6, arbitrary: leaf },
      { weight: 5, arbitrary: fc.tuple(any, binaryOps, any).map(([a, op, b]) => `((${a}) ${op} (${b}))`) },
      { weight: 2, arbitrary: fc.tuple(any, pick('&&', '||', '??'), any).map(([a, op, b]) => `((${a}) ${op} (${b}))`) },
      {
        weight: 2,
        arbitrary: fc.tuple(pick('!', '-', '+', '~', 'typeof ', 'void '), any).map(([op, a]) => `(${op}(${a}))`),
      },
      { weight: 1, arbitrary: fc.tuple(any, any, any).map(([a, b, c]) => `((${a}) ? (${b}) : (${c}))`) },
      { weight: 1, arbitrary: fc.tuple(any, any).map(([a, b]) => `\`<\${${a}}|\${${b}}>\``) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(any, pick('.', '?.'), members, pick('', '.a', '?.b', '.c.d', '?.[0].x'))
          .map(([a, dot, name, more]) => `(${a})${dot}${name}${more}`),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(any, pick('', '?.'), members)
          .map(([a, dot, name]) => `((${a})?.${name})${dot === '' ? '.' : '?.'}a`),
      },
      { weight: 2, arbitrary: fc.tuple(any, pick('', '?.'), keys).map(([a, dot, key]) => `(${a})${dot}[${key}]`) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(
            any,
            pick('.', '?.'),
            pick(
              'toString',
              'map',
              'trim',
              'at',
              'slice',
              'filter',
              'nope',
              'concat',
              'indexOf',
              'hasOwnProperty',
              'includes',
              'valueOf',
            ),
            pick('', '?.'),
            args,
          )
          .map(([a, dot, name, call, list]) => `(${a})${dot}${name}${call}(${list})`),
      },
      { weight: 1, arbitrary: fc.tuple(any, any).map(([a, b]) => `[${a}, ...(${b})]`) },
      { weight: 1, arbitrary: fc.tuple(any, any).map(([a, b]) => `({ k: ${a}, ...(${b}), [${"'z'"}]: 1 })`) },
      { weight: 1, arbitrary: fc.tuple(any, any).map(([a, b]) => `((${a}), (${b}))`) },
      { weight: 1, arbitrary: fc.tuple(arrays, any).map(([a, b]) => `${a}.map((x, i) => [i, ${b}])`) },
    ),
  };
}).any;
