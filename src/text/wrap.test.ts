import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, printable } from './width.ts';
import { wrap } from './wrap.ts';

describe('wrap', () => {
  it('breaks at blanks, and cuts only words that are longer than a line', () => {
    expect(wrap('aaaaaaa bb 研究研究', 4)).toEqual(['aaaa', 'aaa', 'bb', '研究', '研究']);
    expect(wrap('a b c', 5)).toEqual(['a b c']);
    expect(wrap('stopped  what is done is kept', 12)).toEqual(['stopped', 'what is done', 'is kept']);
    expect(wrap('  x', 9)).toEqual(['  x']);
    expect(wrap('', 9)).toEqual([]);
  });

  it('has another width for the lines behind the first', () => {
    expect(wrap('aa bb cc dd', 8, 5)).toEqual(['aa bb cc', 'dd']);
    expect(wrap('aa bb cc dd ee', 2, 5)).toEqual(['aa', 'bb cc', 'dd ee']);
  });

  it('keeps all of a text, in lines that fit', () => {
    const words = fc.array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.constant('研究👩‍👩‍👧e\u0301')));
    fc.assert(
      fc.property(words, fc.integer({ min: 12, max: 40 }), (parts, cells) => {
        const text = printable(parts.join(' ')).replaceAll('\u25cc', '');
        const lines = wrap(text, cells);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(cells);
        // A mark without a letter gets a circle to sit on.
        const plain = (each: string) => each.replaceAll(/[\s\u25cc]/g, '');
        expect(plain(lines.join(''))).toBe(plain(text));
      }),
    );
  });

  it('takes time in proportion to one long word', () => {
    expect(wrap('研'.repeat(100_000), 40)).toHaveLength(5000);
  });
});
