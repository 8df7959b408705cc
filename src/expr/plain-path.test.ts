/** What is read without the parser is what the parser reads. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExpression } from './expression-parse.ts';
import { hyphenNames } from './hyphen-names.ts';
import { parseInterpolated } from './interpolation.ts';
import { plainPath } from './plain-path.ts';

const names = new Set(['draft', 'research-web', 'a-b-c', 'a', 'b', 'input']);
const runs = process.env.TOOLANG_DEEP ? 40_000 : 5_000;

function read(text: string) {
  return plainPath(text, 1, hyphenNames(names));
}

test.each(['{draft}', '{draft.text}', '{input.repo.trim()}', '{research-web.findings.at().name}', '{a-b-c.class}'])(
  '%s is read without the parser',
  (text) => {
    const path = read(text);
    expect(path).toBeDefined();
    expect(JSON.stringify(path)).toBe(
      JSON.stringify(parseExpression(text, { start: 1, end: text.length - 1, names }).expression),
    );
    expect(parseInterpolated(text, { names }).value.parts).toEqual([
      { kind: 'hole', start: 0, end: text.length, expression: path },
    ]);
  },
);

test.each([
  '{}',
  '{a b}',
  '{a?.b}',
  '{a.b(c)}',
  '{ a}',
  '{a }',
  '{a',
  '{a.}',
  '{a.constructor}',
  '{this.x}',
  '{true}',
  '{a-d.x}',
  '{ä.b}',
  '{a.ä}',
  '{aä}',
  '{a.b: 1}',
])('%s is left to the parser', (text) => expect(read(text)).toBeUndefined());

test('whatever is read has the tree that the parser gives, and no problem', () => {
  const words = `a b draft input research-web a-b-c a-b text this true null undefined new typeof await async let of get
    static yield is not and eval arguments constructor __proto__ prototype class $ _ a1 1a ä é \\u0061 import super
    NaN Infinity Math enum package function`.split(/\s+/);
  const piece = fc.constantFrom(
    ...words,
    '.',
    '.',
    '.',
    '()',
    '(',
    ')',
    '?.',
    '-',
    ' ',
    '[0]',
    '!',
    '}',
    '{',
    '"',
    ':',
    '',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      const text = `{${pieces.join('')}}`;
      const path = read(text);
      if (path === undefined) return;
      const { expression, problems } = parseExpression(text, { start: 1, end: path.end, names });
      expect(problems).toEqual([]);
      expect(JSON.stringify(path)).toBe(JSON.stringify(expression));
    }),
    { numRuns: runs },
  );
});

test('a path that is too long is told by the parser', () => {
  expect(read(`{a${'.b'.repeat(60)}}`)).toBeUndefined();
});
