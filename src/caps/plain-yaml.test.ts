import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSource } from '../text/index.ts';
import { splitLines } from './lines.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { readYaml } from './yaml-value.ts';

/** Both ways of reading what stands behind and below a key. */
function both(first: string, below: string) {
  const text = `key: ${first}\n${below}`;
  const source = createSource('a.md', text);
  const at = first === '' ? undefined : { start: 5, end: 5 + first.length };
  const lines = splitLines(source, { start: 6 + first.length, end: text.length }, 0);
  const diagnostics: never[] = [];
  return { plain: readPlainYaml(first, at, lines), parsed: readYaml(source, at, lines, diagnostics), diagnostics };
}

const word = fc.constantFrom(
  'A',
  'B_1',
  'no',
  'null',
  'true',
  'Authorization',
  'x-a',
  'v1',
  '$TOKEN',
  '${T}',
  '1',
  '-',
  '~',
);
const text = fc.string({
  unit: fc.constantFrom(
    'a',
    'B',
    ' ',
    ': ',
    ':',
    '#',
    ' #',
    '$',
    '{',
    '}',
    '-',
    '/',
    '=',
    '"',
    '&',
    '*',
    '!',
    ',',
    '|',
  ),
});

describe('plain YAML', () => {
  it.each([
    ['[A, B_TOKEN]', ''],
    ['[A]', ''],
    ['', '  - A\n  - b.c\n'],
    ['', '  Authorization: Bearer $TOKEN\n  X-A: b\n'],
    ['', '  a:   b c  \n'],
  ])('%j %j is read without the parser, and means the same', (first, below) => {
    const { plain, parsed, diagnostics } = both(first, below);
    expect(diagnostics).toEqual([]);
    expect(plain).toEqual(parsed);
  });

  it.each([
    ['[A, "B"]', ''],
    ['[A B]', ''],
    ['', '  a: "b"\n'],
    ['', '  a: b: c\n'],
    ['', '  a: b #c\n'],
    ['', '  a: b\n  a: c\n'],
    ['', '  a: b\n   c: d\n'],
    ['', '  - a: b\n'],
    ['', '  a:\n    b: c\n'],
    ['', '\ta: b\n'],
  ])('%j %j is left to the parser', (first, below) => {
    expect(both(first, below).plain).toBeUndefined();
  });

  it('never means something else than the parser says', () => {
    const flow = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => [`[${words.join(', ')}]`, '']);
    const entries = fc
      .array(fc.tuple(word, fc.oneof(word, text)), { minLength: 1, maxLength: 4 })
      .map((pairs) => ['', pairs.map(([key, value]) => `  ${key}: ${value}\n`).join('')]);
    const items = fc
      .array(fc.oneof(word, text), { minLength: 1, maxLength: 4 })
      .map((list) => ['', list.map((item) => `  - ${item}\n`).join('')]);
    fc.assert(
      fc.property(fc.oneof(flow, entries, items), ([first = '', below = '']) => {
        const { plain, parsed, diagnostics } = both(first, below);
        if (!plain) return;
        expect(diagnostics).toEqual([]);
        expect(plain).toEqual(parsed);
      }),
      { numRuns: 3000 },
    );
  });
});
