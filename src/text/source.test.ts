import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSource, lineText, offsetAt, positionAt, rangeOf } from './source.ts';

describe('positions', () => {
  const source = createSource('a', 'one\r\ntwo\n\nfour');

  it.each([
    [0, 1, 1],
    [3, 1, 4],
    [4, 1, 5],
    [5, 2, 1],
    [8, 2, 4],
    [9, 3, 1],
    [10, 4, 1],
    [14, 4, 5],
    [99, 4, 5],
    [-1, 1, 1],
  ])('offset %i is line %i, column %i', (offset, line, column) => {
    expect(positionAt(source, offset)).toEqual({ line, column });
  });

  it('count UTF-16 units', () => {
    expect(positionAt(createSource('a', '😀x'), 2)).toEqual({ line: 1, column: 3 });
  });

  it('leave the byte order mark out', () => {
    const marked = createSource('a', '\ufeffab\ncd');
    expect(rangeOf(marked, { start: 0, end: 2 })).toEqual({
      start: { line: 1, column: 1 },
      end: { line: 1, column: 2 },
    });
    expect(positionAt(marked, 4)).toEqual({ line: 2, column: 1 });
    expect(lineText(marked, 1)).toBe('ab');
  });

  it('take a lone carriage return for a character of its line', () => {
    const odd = createSource('a', 'a\rb\n');
    expect(positionAt(odd, 2)).toEqual({ line: 1, column: 3 });
    expect(lineText(odd, 1)).toBe('a\rb');
  });

  it('lead back to their offsets', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', 'é', '😀') }), fc.nat(50), (text, at) => {
        const any = createSource('a', text);
        const offset = Math.min(at, text.length);
        // Between CR and LF there is no place of its own.
        fc.pre(!(text[offset - 1] === '\r' && text[offset] === '\n'));
        expect(offsetAt(any, positionAt(any, offset))).toBe(offset);
      }),
    );
  });

  it('beyond the end of a line or of the file are clamped', () => {
    expect(offsetAt(source, { line: 1, column: 99 })).toBe(3);
    expect(offsetAt(source, { line: 99, column: 1 })).toBe(14);
    expect(offsetAt(source, { line: 0, column: 0 })).toBe(0);
  });
});
