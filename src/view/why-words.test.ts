/** The words for what was changed, for one and for several. */
import { expect, it } from 'vitest';
import type { WhyPart } from './why-part.ts';
import { changesText } from './why-words.ts';

const values = (...steps: readonly string[]): readonly WhyPart[] => steps.map((step) => ({ part: 'values', step }));

it('tells what was changed, of one and of several', () => {
  expect(changesText(values('a'))).toBe('a is another value now');
  expect(changesText([{ part: 'prompt' }, ...values('a', 'b')])).toBe(
    'its prompt was changed, and a, b are other values now',
  );
  expect(changesText([{ part: 'prompt' }, { part: 'agent' }])).toBe('its prompt and its agent were changed');
  expect(changesText(values('a', 'b', 'c', 'd'))).toBe('a, b, c, … are other values now');
  expect(changesText([{ part: 'values', old: '{}', new: '{"a":1}' }, ...values('a')])).toBe(
    'what its thunk is given was changed, and a is another value now',
  );
});
