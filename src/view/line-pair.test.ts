/** Two lines that differ, in so many cells. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../text/index.ts';
import { around, linePair } from './line-pair.ts';

const at = (old: string, now: string, cells: number) => linePair(old, now, { old: cells, now: cells });

describe('two lines', () => {
  it('are whole where there is room, without the blanks that both begin with', () => {
    expect(at('  return 1', '  return  1', 40)).toEqual(['return 1', 'return  1']);
    expect(at('    a', '  a', 40)).toEqual(['  a', 'a']);
    expect(at('a ', 'a', 40)).toEqual(['a␠', 'a']);
    expect(at('', 'new', 40)).toEqual(['', 'new']);
  });

  it('are cut around the place where they differ', () => {
    const line = (end: string) => `${'word '.repeat(40)}${end}${' more'.repeat(40)}`;
    expect(at(line('5'), line('6'), 30)).toEqual(['…word word 5 more more more m…', '…word word 6 more more more m…']);
    expect(at('5 and more than that', '6', 12)).toEqual(['5 and more …', '6']);
    expect(around('x'.repeat(1_000_000), 500_000, 20)).toBe(`…${'x'.repeat(18)}…`);
  });

  it('take no more cells than they may, and can be told apart', () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '研', '究', 'é', 'e\u0301', '👩‍💻', '\t', '\u001b'),
    });
    const cells = fc.integer({ min: 20, max: 60 });
    fc.assert(
      fc.property(texts, texts, texts, texts, cells, (start, old, now, end, room) => {
        const before = start.repeat(5);
        for (const line of at(before + old + end, before + now + end, room)) {
          expect(displayWidth(line)).toBeLessThanOrEqual(room);
        }
      }),
    );
    const ascii = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 200 });
    fc.assert(
      fc.property(ascii, ascii, ascii, cells, (start, old, now, room) => {
        fc.pre(old !== now);
        const [was, is] = at(start + old, start + now, room);
        expect(was).not.toBe(is);
      }),
    );
  });
});
