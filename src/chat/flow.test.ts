/** An answer as rows, while it comes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../text/index.ts';
import { createFlow } from './flow.ts';

function rows(width: number, ...pieces: readonly string[]): readonly string[] {
  const flow = createFlow(() => width);
  return [...pieces.flatMap((piece) => [...flow.add(piece)]), ...flow.end()];
}

describe('rows', () => {
  it('break at blanks, and keep what stands before them', () => {
    expect(rows(10, 'the quick brown fox\n\n  indented words here')).toEqual([
      'the quick',
      'brown fox',
      '',
      '  indented',
      '  words',
      '  here',
    ]);
    expect(rows(12, '- one two three four')).toEqual(['- one two', '  three four']);
    expect(rows(5, 'abcdefgh ij')).toEqual(['abcde', 'fgh', 'ij']);
    expect(rows(6, '漢字漢字漢字')).toEqual(['漢字漢', '字漢字']);
  });

  it('come as soon as they cannot change any more', () => {
    const flow = createFlow(() => 10);
    expect(flow.add('the quick')).toEqual([]);
    expect(flow.pending()).toEqual(['the quick']);
    expect(flow.add(' bro')).toEqual(['the quick']);
    expect(flow.pending()).toEqual(['bro']);
    expect(flow.add('wn\nfox')).toEqual(['brown']);
    expect(flow.end()).toEqual(['fox']);
    expect(flow.pending()).toEqual([]);
    expect(flow.end()).toEqual([]);
  });

  it('of code are whole, as they can be copied', () => {
    const code = `  const x = ${'1 + '.repeat(5)}1;`;
    expect(rows(10, '```ts\n', code.slice(0, 7), code.slice(7), '\n```\nand words after it')).toEqual([
      '```ts',
      code,
      '```',
      'and words',
      'after it',
    ]);
    const flow = createFlow(() => 10);
    flow.add('```\n0123456789abc');
    expect(flow.pending()).toEqual(['0123456789', 'abc']);
  });

  it('obey nothing and hide nothing', () => {
    expect(rows(40, 'a\x1b[2Jb\r\nc\u202ed', '\rx')).toEqual(['a␛[2Jb', 'c<U+202E>d␍x']);
    expect(rows(40, 'a\tb')).toEqual(['a       b']);
    expect(rows(40, 'half \ud83d', '\ude00 whole')).toEqual(['half 😀 whole']);
  });
});

describe('whatever is said', () => {
  const words = fc
    .array(fc.constantFrom('word', 'longerword', ' ', '  ', '\n', '漢字', '👍🏽', 'é', '- ', 'x'.repeat(30)), {
      maxLength: 40,
    })
    .map((parts) => parts.join(''));

  it('is the same in one piece and in many, and fits', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 8, max: 40 }), fc.integer({ min: 1, max: 5 }), (text, width, size) => {
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        const whole = rows(width, text);
        expect(rows(width, ...pieces)).toEqual(whole);
        for (const row of whole) expect(displayWidth(row)).toBeLessThanOrEqual(width);
        expect(whole.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
    );
  });

  it('takes linear time: a line of megabytes', () => {
    expect(rows(80, 'word '.repeat(200_000)).length).toBe(12_500);
    const flow = createFlow(() => 80);
    let count = 0;
    for (let i = 0; i < 20_000; i++) count += flow.add('word ').length;
    expect(count + flow.end().length).toBe(1250);
  });
});
