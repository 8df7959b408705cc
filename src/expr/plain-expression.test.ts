/** What is read without the parser is what the parser reads. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseScanned } from './expression-parse.ts';
import { scanExpression } from './expression-scan.ts';
import { hyphenNames } from './hyphen-names.ts';
import { parseInterpolated } from './interpolation.ts';
import { plainExpression, plainHole } from './plain-expression.ts';

const names = new Set(['draft', 'research-web', 'a-b-c', 'a', 'b', 'input']);
const hyphens = hyphenNames(names);
const runs = process.env.TOOLANG_DEEP ? 15_000 : 2_500;

/** By tokens and acorn. */
function parsed(text: string, condition: boolean) {
  return parseScanned(text, 0, scanExpression(text, { start: 0, end: text.length, hole: false, hyphens }), condition);
}

const plain = [
  'draft',
  'draft.text',
  'input.repo.trim()',
  'research-web.findings.at().name',
  'a-b-c.class',
  ' a ',
  'a - b',
  'a-d.x',
  'true',
  "input.since ?? 'the beginning'",
  'a.b(c)',
  'a.b(c, 1.5, "x", null)',
  "a.map((x) => '- ' + x).join(', ')",
  'a.filter(x => !x.done && x.n > 3).length',
  'a.map( x => x ).length === 0',
  '(a && b) ?? c',
  'a ?? (b || c)',
  'a ?? b ?? c',
  'a || b && c || d',
  'a ? b : c ? 1 : 2',
  '(a ? b : c).d + (1 + 2) * 3 - -4',
  '!(a.b) === !b',
  'f(a)(b).c',
  "'x'.length",
  "a.join('\\n')",
  "'\\t\\\\' + 'it\\'s' + \"\\\"\"",
];

describe.each([true, false])('in a condition: %s', (condition) => {
  test.each(plain)('%s is read without the parser', (text) => {
    const expression = plainExpression(text, 0, text.length, hyphens, condition);
    expect(expression).toBeDefined();
    expect(parsed(text, condition).problems).toEqual([]);
    expect(JSON.stringify(expression)).toBe(JSON.stringify(parsed(text, condition).expression));
  });
});

test.each(plain)('{%s} is a hole', (text) => {
  const hole = plainHole(`{${text}}`, 1, hyphens);
  expect(hole?.end).toBe(text.length + 1);
  expect(parseInterpolated(`{${text}}`, { names }).value.parts).toEqual([
    { kind: 'hole', start: 0, end: text.length + 2, expression: hole?.expression },
  ]);
});

test.each(["{a.b} && {a.c} == 'ok'", '{ a } > {b.length}', '!{a.b}', '({a}) + {b.c(1)}.d', 'a.map(x => {x.b})'])(
  'the condition %s is read without the parser',
  (text) => {
    const expression = plainExpression(text, 0, text.length, hyphens, true);
    expect(expression).toBeDefined();
    expect(JSON.stringify(expression)).toBe(JSON.stringify(parsed(text, true).expression));
  },
);

test.each([
  '',
  'a b',
  'a?.b',
  'a.',
  'a.constructor',
  'this.x',
  'ä.b',
  'a.ä',
  'aä',
  'a.b: 1',
  'a ?? b && c',
  'a && b ?? c',
  'a = 1',
  'a === = 1',
  'a && {b}',
  'x => x',
  'a(x, )',
  'a(...x)',
  'a ** b',
  'a--b',
  'a <!--b',
  'a and b',
  '012',
  '1e3',
  '1.toFixed()',
  "'a\\x41'",
  "'a",
  '(a',
  'a)',
  'a[0]',
  '`a`',
  'a in b',
  'a // b',
  'a\nb',
])('%j is left to the parser', (text) => expect(plainExpression(text, 0, text.length, hyphens, false)).toBeUndefined());

const words = `a b draft input research-web a-b-c a-b text this true null undefined new typeof await async let of get
  static yield is not and eval arguments constructor __proto__ prototype class $ _ a1 1a ä é \\u0061 import super
  NaN Infinity Math enum package function x`.split(/\s+/);
const marks =
  `. . . () ( ) ?. - [0] ! } { " ' : , ?? || && == === != !== < <= > >= + * ** / % => = ? 1 12.5 0 'x' "y" ; '\\\\n' '\\\\' \\\\`.split(
    ' ',
  );

describe.each([true, false])('whatever is read, in a condition: %s', (condition) => {
  const sameAsParser = (text: string) => {
    const expression = plainExpression(text, 0, text.length, hyphens, condition);
    if (expression === undefined) return;
    const all = parsed(text, condition);
    expect(all.problems).toEqual([]);
    expect(JSON.stringify(expression)).toBe(JSON.stringify(all.expression));
  };

  test('has the tree that the parser gives, and no problem', () => {
    const piece = fc.oneof(fc.constantFrom(...words), fc.constantFrom(...marks), fc.constant(' '));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => sameAsParser(pieces.join(''))),
      { numRuns: runs },
    );
  });

  test('has it too when it is built from right parts', () => {
    let read = 0;
    const { whole } = fc.letrec<{ whole: string; path: string }>((tie) => ({
      path: fc.oneof(
        { withCrossShrink: true, maxDepth: 4 },
        fc.constantFrom('a', 'draft', 'research-web', "'t'", '7', 'x', 'true'),
        tie('path').map((path) => `${path}.text`),
        tie('path').map((path) => `${path}.trim()`),
        fc.tuple(tie('path'), tie('whole')).map(([path, arg]) => `${path}.f(${arg}, (x) => ${arg})`),
        tie('whole').map((inner) => (condition ? `{${inner}}` : `(${inner})`)),
        tie('path').map((path) => `!${path}`),
      ),
      whole: fc.oneof(
        { maxDepth: 4 },
        tie('path'),
        fc
          .tuple(
            tie('whole'),
            fc.constantFrom(' ?? ', ' || ', ' && ', ' == ', '===', ' != ', '<', ' >= ', '+', ' - ', '*', '-'),
            tie('whole'),
          )
          .map((parts) => parts.join('')),
        fc.tuple(tie('path'), tie('whole'), tie('whole')).map(([a, b, c]) => `${a} ? ${b} : ${c}`),
      ),
    }));
    fc.assert(
      fc.property(whole, (text) => {
        sameAsParser(text);
        if (plainExpression(text, 0, text.length, hyphens, condition)) read++;
      }),
      { numRuns: runs },
    );
    expect(read).toBeGreaterThan(runs / 2);
  });
});

test('what is long or deep is left to the parser, which tells', () => {
  for (const text of [`a${'.b'.repeat(120)}`, `${'('.repeat(30)}a${')'.repeat(30)}`, `a${' + a'.repeat(120)}`])
    expect(plainExpression(text, 0, text.length, hyphens, false)).toBeUndefined();
});
