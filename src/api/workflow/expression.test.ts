/** References, texts and expressions print as files write them. */
import { Schema } from 'effect';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseInterpolated } from '../../expr/index.ts';
import { type Expr, expr, loop, ref, step, text } from '../workflow.ts';
import { makeRef, pathOf, textOf } from './expression.ts';

const output = Schema.Struct({ text: Schema.String, tags: Schema.Array(Schema.String) });
const draft = step('draft', { run: 'return 1', output });

it('a reference prints as its path', () => {
  expect(`${draft}`).toBe('{draft}');
  expect(`${draft.text}`).toBe('{draft.text}');
  expect(`${draft.tags[0]}`).toBe('{draft.tags[0]}');
  expect(`${loop.iteration}`).toBe('{loop.iteration}');
  expect(`${ref('web-search', Schema.Struct({ 'a b': Schema.String }))['a b']}`).toBe('{web-search["a b"]}');
  expect(pathOf(draft.tags[0])).toEqual(['draft', 'tags', '0']);
});

it('a reference may be awaited, stringified and compared without harm', async () => {
  expect(await draft.text).toBeTypeOf('object');
  expect(JSON.stringify({ a: draft.text })).toBe('{"a":{}}');
  expect('text' in draft).toBe(false);
});

it('a text keeps its own braces as expressions, and doubles those of values', () => {
  expect(textOf(text`{draft.text} and ${draft.text} and ${'{draft.text}'} and ${3}`)).toBe(
    '{draft.text} and {draft.text} and {{draft.text}} and 3',
  );
});

it('a text in a text stays what it is', () => {
  const inner = text`on ${draft.text}`;
  expect(textOf(text`${inner}, again ${inner}`)).toBe('on {draft.text}, again on {draft.text}');
});

it('an expression takes references and values, and keeps what is written of JavaScript', () => {
  const either = expr`${draft.text} ?? ${'none'}`;
  expect(textOf(either)).toBe('{draft.text ?? "none"}');
  expect(textOf(expr`${either}.split('\n')[${0}]`)).toBe(`{(draft.text ?? "none").split('\\n')[0]}`);
  expect(textOf(expr`${[1, 'a']}.includes(${draft.text})`)).toBe('{([1,"a"]).includes(draft.text)}');
});

it('refuses what has no meaning', () => {
  expect(() => text`${{} as Expr<string>}`).toThrow('a text takes references');
  expect(() => expr`${text`a`}`).toThrow('not a text');
  expect(() => expr`${undefined as never}`).toThrow('plain values');
});

it('no value becomes an expression, whatever stands beside it', () => {
  const value = fc.string({ unit: fc.constantFrom('{', '}', 'a', ' ', '"', '\\') });
  fc.assert(
    fc.property(value, value, (before, behind) => {
      const parsed = parseInterpolated(textOf(text`${before}${draft.text}${behind}`) ?? '');
      expect(parsed.problems).toEqual([]);
      const shown = parsed.value.parts.map((part) => (part.kind === 'text' ? part.text : '<hole>'));
      expect(shown.join('')).toBe(`${before}<hole>${behind}`);
    }),
  );
});

it('any member of a reference can be read back', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 4 }), (members) => {
      const reference = members.reduce((at, name) => at[name] as typeof at, makeRef<unknown>('step'));
      expect(pathOf(reference)).toEqual(['step', ...members]);
    }),
  );
});
