import { describe, expect, it } from 'vitest';
import { hyphenNames, hyphenWordAt } from './hyphen-names.ts';

describe('hyphenNames', () => {
  it('finds the longest id that ends at a hyphen or at the end of the word', () => {
    const find = hyphenNames(new Set(['a-b', 'a-b-c', 'x', 'a--b']));
    expect(find('a-b-c-d', 0, 7)).toBe(5);
    expect(find('a-b-cd', 0, 6)).toBe(3);
    expect(find('a-b-c', 0, 4)).toBe(3);
    expect(find('a-bc', 0, 4)).toBeUndefined();
    expect(find('x-y', 0, 3)).toBeUndefined();
    expect(find('a--b', 0, 4)).toBe(4);
  });
});

describe('hyphenWordAt', () => {
  it.each([
    ['reserch-web.findings', 0, 'reserch-web'],
    ['1 + reserch-web-2', 4, 'reserch-web-2'],
    ['n-reserch', 2, 'n-reserch'],
    ['reserch - web', 0, undefined],
    ['reserch', 0, undefined],
    ['-reserch', 1, undefined],
    ['2-reserch-web', 2, 'reserch-web'],
    ['x.reserch-web', 10, undefined],
    ['größe-x', 0, 'größe-x'],
  ])('in %j at %i is %j', (text, offset, word) => {
    const found = hyphenWordAt(text, offset);
    expect(found?.word).toBe(word);
    if (found) expect(text.slice(found.start, found.end)).toBe(found.word);
  });

  it('looks only at the neighbourhood of a long word', () => {
    expect(hyphenWordAt('a-'.repeat(100_000), 100_000)?.word.length).toBeLessThan(600);
  });
});
