import { expect, it } from 'vitest';
import {
  arrayOf,
  booleanType,
  field,
  jsonType,
  literalOf,
  numberType,
  refTo,
  structOf,
  type Type,
  type TypeTable,
  textType,
  validate,
} from '../../type/index.ts';
import { misfit } from './misfit.ts';

const types: TypeTable = new Map([
  ['Note', structOf([field('text', textType), field('line', numberType, { optional: true })], { name: 'Note' })],
]);

function why(value: unknown, type: Type): string {
  const read = validate(value, type, types);
  return read.ok ? 'it fits' : misfit(read.errors, type, types);
}

it('types are told as workflow files write them', () => {
  expect(why(null, numberType)).toBe('the value must be number, but it is null.');
  expect(why(5, textType)).toBe('the value must be string, but it is the number 5.');
  expect(why('x', arrayOf(textType))).toBe('the value must be string[], but it is the text "x".');
  expect(why('x', refTo('Note'))).toBe('the value must be Note, but it is the text "x".');
  expect(why([{ text: 1 }, {}], arrayOf(refTo('Note')))).toBe(
    '"/0/text" must be string, but it is the number 1. "/1/text" is missing; it must be string.',
  );
  expect(why({ 'a/b~': 'x' }, structOf([field('a/b~', booleanType)]))).toBe(
    '"/a~1b~0" must be boolean, but it is the text "x".',
  );
  expect(why(3, structOf([field('a', jsonType), field('n', numberType, { optional: true })]))).toBe(
    'the value must be { a: any, n: number? }, but it is the number 3.',
  );
});

it('what is no type is told as it is', () => {
  expect(why('bat', literalOf('cat', 'dog'))).toContain('must be "cat" | "dog", but it is the text "bat".');
  expect(why({ text: 'x', more: 1 }, refTo('Note'))).toContain('"/more" is not a field of "Note".');
  expect(why({ a: { b: () => 1 } }, jsonType)).toBe('"/a/b" must be a JSON value, but it is a function.');
});

it('of many errors the first are told', () => {
  expect(why([1, 2, 3, 4, 5, 6, 7], arrayOf(textType))).toMatch(/but it is the number 5\. And 2 more\.$/);
});
