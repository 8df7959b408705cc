import { describe, expect, it } from 'vitest';
import { parseExpression } from './expression-parse.ts';
import { readsOf } from './expression-reads.ts';

function reads(text: string): string[] {
  const { expression, problems } = parseExpression(text, { names: new Set(['research-web']) });
  expect(problems).toEqual([]);
  return expression === undefined ? [] : readsOf(expression).map(({ name, path }) => [name, ...path].join(' '));
}

describe('readsOf', () => {
  it.each([
    ['a', ['a']],
    ['a.b.c', ['a b c']],
    ["a?.b['c'].d", ['a b c d']],
    ['(a?.b).c', ['a b c']],
    ['a[0].b', ['a']],
    ['a.b[i.j].c', ['a b', 'i j']],
    ["a.tags.join(', ')", ['a tags']],
    ['a.tags?.join(b.c).length', ['a tags', 'b c']],
    ['a.b[c](d)', ['a b', 'c', 'd']],
    ['Math.max(...a.b, 1)', ['Math', 'a b']],
    ['String(a)', ['String', 'a']],
    ['research-web.x - research', ['research-web x', 'research']],
    ['`${a}${b.c}` + [d, , e] + { f, [g]: h, ...i }', ['a', 'b c', 'd', 'e', 'f', 'g', 'h', 'i']],
    ['a ? b : !c', ['a', 'b', 'c']],
    ['new Date(a.b)', ['a b']],
    ['xs.map(x => x.y + z)', ['xs', 'z']],
    ['x + xs.map((x, i) => x + i) + i', ['x', 'xs', 'i']],
    ['f((x = a, [y, ...z], { k: w = b, ...r }) => [x, y, z, w, r, k])', ['f', 'a', 'b', 'k']],
    ['f(x => g(y => x + y + z), y)', ['f', 'g', 'z', 'y']],
    ["'a' + 1 + /a/.source", []],
  ])('of %s', (text, expected) => {
    expect(reads(text)).toEqual(expected);
  });

  it('knows where the name is', () => {
    const { expression } = parseExpression('1 + a.b');
    expect(expression && readsOf(expression)).toEqual([{ name: 'a', path: ['b'], start: 4, end: 5 }]);
  });
});
