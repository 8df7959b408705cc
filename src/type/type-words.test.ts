/** Types in one text. */
import { describe, expect, it } from 'vitest';
import { parseTypeText } from './type-words.ts';

describe('parseTypeText', () => {
  it.each([
    ['string', { base: 'string', arrays: 0, optional: false }],
    ['Review?', { base: 'Review', arrays: 0, optional: true }],
    ['string[][]?', { base: 'string', arrays: 2, optional: true }],
    ['"a" | "b"', { base: ['a', 'b'], arrays: 0, optional: false }],
    ['"a"|"b | c"?', { base: ['a', 'b | c'], arrays: 0, optional: true }],
    ['("a" | "b")[]', { base: ['a', 'b'], arrays: 1, optional: false }],
    ['"string[]"?', { base: 'string', arrays: 1, optional: true }],
  ])('reads %s', (text, type) => {
    expect(parseTypeText(text)).toEqual(type);
  });

  it.each(['', '?', '[]', 'a b', '"a" | b', '"a" | "b"[]', '"a', 'string[', '"a" |'])('refuses %j', (text) => {
    expect(parseTypeText(text)).toBeUndefined();
  });
});
