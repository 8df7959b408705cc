import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaceIn } from './replace-text.ts';

const most = 1_000_000;
const piece = fc.constantFrom('a', 'b', 'ab', '\n', '\r\n', 'é', '\ufeff');
const text = fc.array(piece, { maxLength: 40 }).map((all) => all.join(''));
const old = fc.array(piece, { minLength: 1, maxLength: 4 }).map((all) => all.join(''));

test('but for line ends it is what replaceAll does, and lines are counted', () => {
  fc.assert(
    fc.property(text, old, text, (whole, wanted, put) => {
      const plain = (each: string) => each.replaceAll('\r\n', '\n');
      const { text, count } = replaceIn(whole, wanted, put, most);
      expect(plain(text ?? '')).toBe(plain(whole).replaceAll(plain(wanted), () => plain(put)));
      expect(count).toBe(plain(whole).split(plain(wanted)).length - 1);
    }),
    { numRuns: 3000 },
  );
});

test('what is not replaced stays as it is, to the byte', () => {
  expect(replaceIn('\ufeffa\r\nb\nc\rd', 'b', 'x', most).text).toBe('\ufeffa\r\nx\nc\rd');
  expect(replaceIn('a\r\nb\r\nc\n', 'b\nc', 'x\ny', most).text).toBe('a\r\nx\r\ny\n');
  expect(replaceIn('aaa', 'aa', 'b', most)).toEqual({ text: 'ba', count: 1, lines: [1] });
  expect(replaceIn('abc', 'x', 'y', most)).toEqual({ text: 'abc', count: 0, lines: [] });
});
