import { expect, test } from 'vitest';
import { summaryLines } from './run-request.ts';

test('a line that is too long goes on further in, where no other line begins', () => {
  const lines = summaryLines('command:\n| # all of this is a comment\n| rm -rf build', 20);
  expect(lines).toEqual(['command:', '| # all of this is a', '  comment', '| rm -rf build']);
});
