import { expect, it } from 'vitest';
import { isSurelyMeant } from './likeness.ts';

it.each([
  ['a long word with a mistake', 'reserch', 'research', true],
  ['one letter of four', 'drat', 'draft', true],
  ['other letter case', 'Id', 'id', true],
  ['two letters of five', 'drtaf', 'draft', false],
  ['one letter of two', 'z2', 'a2', false],
  ['a letter too many', 'aa', 'a', false],
  ['only the beginning', 'draft', 'draft-final', false],
])('%s', (_, word, meant, sure) => {
  expect(isSurelyMeant(word, meant)).toBe(sure);
});
