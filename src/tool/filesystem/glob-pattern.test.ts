import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMs } from '../../../test/cpu.ts';
import { readGlob } from './glob-pattern.ts';
import { createPruner } from './glob-prune.ts';

function fits(pattern: string, path: string): boolean {
  const read = readGlob(pattern);
  if (!read.ok) throw new Error(read.problem);
  return read.start.after(path)?.fits === true;
}

test.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'x/y/a.ts', true],
  ['./*.ts', 'x/a.ts', false],
  ['./*.ts', 'a.ts', true],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/x/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/x/y/a.ts', true],
  ['**/a.ts', 'a.ts', true],
  ['a/**', 'a/b/c', true],
  ['a/**', 'a', false],
  ['**', 'a/b', true],
  ['a/**/b/**/c', 'a/x/b/y/z/c', true],
  ['a/**/b/**/c', 'a/b/c', true],
  ['a/**/b/**/c', 'a/x/c', false],
  ['a**b/c', 'axxb/c', true],
  ['a**b/c', 'a/b/c', false],
  ['?.md', 'é.md', true],
  ['?.md', '🚀.md', true],
  ['caf\u00e9', 'cafe\u0301', true],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[^a-c]x', 'dx', true],
  ['./a[!x]b', 'a/b', false],
  ['[]]', ']', true],
  ['[abc', '[abc', true],
  ['{a,b}.{x,y}', 'b.y', true],
  ['{a,b}.{x,y}', 'c.y', false],
  ['{a,{b,c}d}', 'cd', true],
  ['{a}', '{a}', true],
  ['{a', '{a', true],
  ['x{,.min}.js', 'x.js', true],
  ['x{,.min}.js', 'x.min.js', true],
  ['{src,test}/**/*.ts', 'test/a/b.ts', true],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'axb', false],
  ['.*', '.env', true],
  ['*', '.env', true],
] as const)('%s and %s: %s', (pattern, path, expected) => {
  expect(fits(pattern, path)).toBe(expected);
});

test.each(['', '/a', '../x', 'a/../b', `${'{a,'.repeat(20)}${'}'.repeat(20)}`, 'x'.repeat(1001)])(
  '%s is refused',
  (pattern) => {
    expect(readGlob(pattern)).toMatchObject({ ok: false });
  },
);

test('fits what a regular expression of the same meaning fits, also when asked folder by folder', () => {
  const part = fc.constantFrom('*', 'a', 'b', '?', '**', '/', 'a/', '**/', '{a,b}', '{a/b,*}', '[ab]', '.');
  const path = fc
    .array(fc.constantFrom('a', 'b', 'ab', '.a', 'aa'), { minLength: 1, maxLength: 5 })
    .map((all) => all.join('/'));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 7 }), path, (parts, path) => {
      const pattern = `x/${parts.join('')}`;
      const read = readGlob(pattern);
      if (!read.ok) return;
      const whole = `x/${path}`;
      const expected = referenceOf(pattern).test(whole);
      expect([pattern, whole, fits(pattern, whole)]).toEqual([pattern, whole, expected]);
      const pruner = createPruner(read.start);
      expect(pruner.fits(whole)).toBe(expected);
      const names = whole.split('/');
      if (expected)
        for (let i = 1; i < names.length; i++) expect(pruner.mayHold(names.slice(0, i).join('/'))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

/** The same meaning, written for the engine of the platform. */
function referenceOf(pattern: string): RegExp {
  const source = pattern.replace(
    /(?<=^|\/|[{,])\*{2,}\/|(?<=^|\/|[{,])\*{2,}(?=$|[,}])|\*+|\?|\[ab\]|[{},.]/g,
    (piece) =>
      ({ '{': '(?:', '}': ')', ',': '|', '.': '\\.', '?': '[^/]', '[ab]': '[ab]' })[piece] ??
      (piece.endsWith('/') ? '(?:[^/]+/)*' : piece.length > 1 && /^\*\*+$/.test(piece) ? '@@' : '[^/]*'),
  );
  // Which of the stars of one piece stand alone was lost above: it is seen by what is around them.
  return new RegExp(`^${source.replace(/(^|\/|\(\?:|\|)@@(?=$|\||\))/g, '$1.+').replaceAll('@@', '[^/]*')}$`, 's');
}

test('no pattern takes long', () => {
  const path = 'a'.repeat(2000);
  for (const pattern of [
    '*a'.repeat(300),
    '**/'.repeat(300),
    '{a,aa,*}'.repeat(100),
    `${'*'.repeat(900)}b`,
    '?*'.repeat(400),
  ]) {
    const start = cpuMs();
    const read = readGlob(pattern);
    expect(read.ok && read.start.after(path)?.fits).toBeTypeOf('boolean');
    expect(cpuMs() - start).toBeLessThan(2000);
  }
});
