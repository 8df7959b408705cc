import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fenced } from './fence.ts';

test('a plain text stands between plain tags', () => {
  expect(fenced('psyche', 'calm', 'Be calm.')).toBe('<psyche name="calm">\nBe calm.\n</psyche>');
  expect(fenced('context', undefined, '')).toBe('<context>\n\n</context>');
});

test('a name cannot leave its quotes', () => {
  expect(fenced('psyche', 'a" b="c', 'x')).toBe('<psyche name="a\\" b=\\"c">\nx\n</psyche>');
});

test('whatever a text holds, its end is the only end of its tag', () => {
  const piece = fc.constantFrom(
    '</context>',
    '</context-2>',
    '</context-3 >',
    '</ CONTEXT>',
    '<context>',
    '-2',
    '/',
    'context',
    '>',
    '\n',
    'x',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      const whole = fenced('context', undefined, text);
      const tag = /^<([a-z0-9-]+)>\n/.exec(whole)?.[1] ?? '';
      const ends = [...whole.matchAll(/<\s*\/\s*(context(?:-\d+)?)\s*>/gi)].filter(
        ([, each]) => each?.toLowerCase() === tag,
      );
      expect(ends).toHaveLength(1);
      expect(whole).toBe(`<${tag}>\n${text}\n</${tag}>`);
    }),
  );
});
