/** What differs between a value and what was written, and where. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSource, positionAt } from '../text/index.ts';
import { parseToon, type ToonValue, writeToon } from '../toon/index.ts';
import { differences, differingLine, type Likeness } from './compare.ts';

function tree(text: string): { value: ToonValue; at: (offset: number) => string } {
  const source = createSource('t', text);
  const { document } = parseToon(source, { profile: true });
  const root = document.root.kind === 'object' ? document.root.entries[0]?.value : undefined;
  if (root === undefined) throw new Error('there is no value');
  return { value: root, at: (offset) => `${positionAt(source, offset).line}:${positionAt(source, offset).column}` };
}

function told(text: string, got: unknown, how: Likeness = 'exact'): string[] {
  const { value, at } = tree(text);
  return differences(value, got as never, how, 'output').map(({ span, message }) => `${at(span.start)} ${message}`);
}

describe('differences', () => {
  it.each([
    ['the same', 'v:\n  a: 1\n  b[2]: x,y\n', { a: 1, b: ['x', 'y'] }, []],
    ['another value', 'v:\n  a: 1\n', { a: 2 }, ['2:6 output.a is another']],
    ['a number for a text', 'v:\n  a: "1"\n', { a: 1 }, ['2:6 output.a is another']],
    ['a field too few', 'v:\n  a: 1\n  b: 2\n', { a: 1 }, ['3:3 output.b is missing']],
    ['a field too many', 'v:\n  a: 1\n', { a: 1, 'b c': 2 }, ['2:3 output["b c"] was not expected']],
    ['an item', 'v[2]: 1,2\n', [1, 3], ['1:9 output[1] is another']],
    ['a list that is longer', 'v[1]: 1\n', [1, 2], ['1:1 output has 2 items, not 1']],
    ['nothing at all', 'v: 1\n', undefined, ['1:4 output is missing']],
    ['null', 'v: null\n', null, []],
    ['deep in a list', 'v[1]:\n  - a:\n      b: 1\n', [{ a: { b: 2 } }], ['3:10 output[0].a.b is another']],
  ])('%s', (_, text, got, expected) => {
    expect(told(text, got).map((line) => line.replace(/^1:\d+ (?=output has)/, '1:1 '))).toEqual(expected);
  });

  it('of a part other fields are no matter, and in patterns "*" stands for letters', () => {
    expect(told('v:\n  a:\n    b: 1\n', { a: { b: 1, c: 2 }, d: 3 }, 'part')).toEqual([]);
    expect(told('v:\n  p: "src/*.ts"\n', { p: 'src/a/b.ts', q: 1 }, 'pattern')).toEqual([]);
    expect(told('v:\n  p: "src/*.ts"\n', { p: 'lib/a.ts' }, 'pattern')).toEqual(['2:6 output.p is another']);
    expect(told('v:\n  p: "src/*.ts"\n', { p: 'src/a.ts' }, 'exact')).toEqual(['2:6 output.p is another']);
  });

  it('a value is the same as itself, and differs from every other', () => {
    const json = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(json, json, (a, b) => {
        const { value } = tree(writeToon({ v: a } as never));
        const plain = JSON.parse(JSON.stringify(a));
        expect(differences(value, plain, 'exact', 'v')).toEqual([]);
        expect(differences(value, plain, 'part', 'v')).toEqual([]);
        const isSame = JSON.stringify(sorted(b)) === JSON.stringify(sorted(a));
        expect(differences(value, JSON.parse(JSON.stringify(b)), 'exact', 'v').length > 0).toBe(!isSame);
      }),
    );
  });

  it('of long texts the line that differs', () => {
    expect(differingLine('a\nb\nc', 'a\nx\nc')).toEqual({ expected: '"b"', got: '"x"', line: 2 });
    expect(differingLine('a', 'a\nb')).toEqual({ expected: '(no such line)', got: '"b"', line: 2 });
    expect(differingLine({ a: 1 }, [1])).toEqual({ expected: '{"a":1}', got: '[1]' });
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value === 0 ? 0 : value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  );
}
