/** What agents of plugins say, as an answer of a model. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerOf } from './plugin-node.ts';

const usage = fc.record(
  { inputTokens: fc.nat(), outputTokens: fc.nat(), cost: fc.double({ min: 0, max: 100, noNaN: true }) },
  { requiredKeys: [] },
);
/** As JSON reads it back: without -0. */
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);

test('a text is the answer as it is', () => {
  fc.assert(
    fc.property(fc.string(), usage, (text, used) => {
      expect(answerOf(text)).toEqual({ text });
      expect(answerOf({ text, usage: used })).toEqual({ text, usage: used });
    }),
  );
});

test('a value is JSON, whatever its fields are called', () => {
  fc.assert(
    fc.property(
      json.filter((value) => typeof value !== 'string'),
      usage,
      (value, used) => {
        expect(JSON.parse(answerOf({ value, usage: used }).text)).toEqual(value);
        expect(answerOf({ value, usage: used }).usage).toEqual(used);
        // Without "usage" there is nothing to tell apart.
        for (const plain of [{ value }, { text: value }, { value, text: 'x' }]) {
          expect(JSON.parse(answerOf(plain).text)).toEqual(plain);
        }
        // With other fields beside it, it is one of them.
        const own = { usage: value, other: 1, text: 'x' };
        expect(JSON.parse(answerOf(own).text)).toEqual(own);
      },
    ),
  );
});

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'the agent returned nothing: it returns a text, or a value'],
  ['a function', { f: () => 1 }, 'the answer of the agent is not JSON: output.f is a function'],
  ['a usage that is none', { text: 'x', usage: 3 }, 'is an object with inputTokens, outputTokens, cost'],
  ['an unknown number', { text: 'x', usage: { tokens: 3 } }, 'has inputTokens, outputTokens, cost, not "tokens"'],
  ['a number that counts nothing', { text: 'x', usage: { cost: Number.NaN } }, '"cost" of the usage'],
  ['no number', { text: 'x', usage: { cost: Number.NaN } }, 'must be a number from 0 on, not NaN'],
  ['a text', { text: 'x', usage: { cost: '1' } }, 'must be a number from 0 on, not "1"'],
  [
    'less than nothing',
    { value: 1, usage: { inputTokens: -1 } },
    '"inputTokens" of the usage that an agent tells must',
  ],
])('%s is refused', (_, value, said) => {
  expect(() => answerOf(value)).toThrow(said);
});
