import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/cpu.ts';
import { patternProblem, tryPattern } from './pattern.ts';

const plenty = () => ({ left: 1e8 });
const mixed = 'has escapes of Unicode patterns beside others that those do not know';
const like = (pattern: string, text: string) => tryPattern(text, pattern, plenty());

describe('everyday patterns are tried', () => {
  it.each<[string, string[], string[]]>([
    ['^#([0-9a-f]{3}){1,2}$', ['#fff', '#a0b1c2'], ['#not a colour at all', '#ffff', 'fff', '#fff\n']],
    ['^[a-z0-9]+(?:-[a-z0-9]+)*$', ['a', 'my-slug-2'], ['Not A Slug At All; rm -rf', 'a--b', '-a']],
    ['^([a-z0-9]+-)*[a-z0-9]+$', ['a', 'my-slug-2'], ['Not A Slug At All; rm -rf', 'a--b', 'a-']],
    ['^\\d{4}(-\\d{2}){2}$', ['2024-01-31'], ['2024-1-31', '2024-01-31-01', 'on 2024-01-31']],
    ['^v?\\d+\\.\\d+\\.\\d+(-[\\w.]+)?$', ['1.2.3', 'v1.20.3-rc.1'], ['1.2', '1.2.3-', 'v.1.2.3']],
    ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', ['a.b@c.de'], ['a@b', 'a b@c.de', '@c.de']],
    [
      '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$',
      ['123e4567-e89b-12d3-a456-426614174000'],
      ['123e4567-e89b-12d3-a456-42661417400'],
    ],
    ['^/.*', ['/', '/a/b'], ['a/b', '']],
    ['^https?://', ['http://a', 'https://b'], ['ftp://a', ' http://a']],
    ['^(GET|POST|PUT)$', ['GET', 'PUT'], ['GETS', 'get']],
    ['\\bcat\\b', ['a cat.', 'cat'], ['concat', 'cats']],
    ['^\\p{Lu}\\p{L}*$', ['Ärger'], ['ärger', 'A1']],
    ['^.$', ['😀', 'é'], ['ab', '\n', '']],
    ['^\\u{1F600}|\\ud83d\\ude01$', ['😀', '😁'], ['😂']],
    ['^[\\w\\-]+$', ['a-b_c'], ['a b']],
    ['^[^]{2}$', ['a\n'], ['a']],
    ['^a{2,}b{0}c?$', ['aa', 'aaac'], ['a', 'aab']],
    ['', ['', 'x'], []],
    ['^$', [''], ['x']],
    ['a||b', ['', 'x'], []],
    ['^x{$', ['x{'], ['x']],
  ])('%s', (pattern, fitting, others) => {
    expect(patternProblem(pattern)).toBeUndefined();
    for (const text of fitting) expect(like(pattern, text), text).toBe(true);
    for (const text of others) expect(like(pattern, text), text).toBe(false);
  });

  it('on texts of any length', () => {
    expect(like('^[a-z]+$', 'A'.repeat(1001))).toBe(false);
    expect(like('^[a-z]+$', 'a'.repeat(100_000))).toBe(true);
    expect(like('^[a-z]{1,4000}$', 'a'.repeat(4000))).toBe(true);
    expect(like('^[a-z]{1,4000}$', 'a'.repeat(4001))).toBe(false);
  });
});

it.each([
  ['^(?=.*\\d).+$', 'looks ahead or behind'],
  ['(?<!a)b', 'looks ahead or behind'],
  ['^(a)\\1$', 'refers back to a group'],
  ['^(?<n>a)\\k<n>$', 'refers back to a group'],
  ['(?i)no', 'is no regular expression of JavaScript'],
  ['^\\p{L}\\-$', mixed],
  ['^[\\p{L}\\_]$', mixed],
  ['(', 'is no regular expression of JavaScript'],
  ['^.{20000}$', 'is too large'],
  ['((a{100}){100}){100}', 'is too large'],
  ['((|){1000000}){1000000}', 'is too large'],
  [`${'('.repeat(200)}${')'.repeat(200)}`, 'has groups that are nested too deep'],
])('%s is not tried, which is known before', (pattern, problem) => {
  expect(patternProblem(pattern)).toBe(problem);
  expect(like(pattern, 'x')).toBeUndefined();
});

it('time is linear, also for what takes others exponential or polynomial time', () => {
  const start = cpuMs();
  for (const [pattern, text] of [
    ['^(a?a?)*$', `${'a'.repeat(4000)}b`],
    ['^(a+)+$', `${'a'.repeat(4000)}b`],
    ['^(a|a)*$', `${'a'.repeat(4000)}b`],
    ['^(a|aa)+$', `${'a'.repeat(4000)}b`],
    ['^.*,.*,.*,.*,.*;$', ','.repeat(4000)],
    ['\\s+$', `${' '.repeat(100_000)}!`],
    ['(x+x+)+y', 'x'.repeat(4000)],
    ['^((((((a*)*)*)*)*)*)*$', `${'a'.repeat(4000)}b`],
    [`${'a?'.repeat(300)}${'a'.repeat(300)}b`, 'a'.repeat(4000)],
  ] as const) {
    expect(like(pattern, text), pattern).toBe(false);
  }
  expect(cpuMs() - start).toBeLessThan(30_000);
});

it('too many steps are noticed', () => {
  const budget = { left: 1000 };
  expect(tryPattern('a'.repeat(2000), 'b', budget)).toBeUndefined();
  expect(budget.left).toBeLessThan(0);
});

describe('the same as JavaScript has it', () => {
  const atom = fc.constantFrom(
    ...[
      'a',
      'b',
      '-',
      '.',
      '\\d',
      '\\w',
      '\\S',
      '[ab]',
      '[^a]',
      '[^]',
      '[]',
      '\\n',
      '\\.',
      '\\x61',
      '\\u0062',
      '^',
      '$',
    ],
    ...['\\b', '\\B', '😀', '[😀b]', '\\u{1f600}', '\\ud83d', '\\ude00', '\\p{L}', '\\-', '{', '\\0', '', '(?:)'],
  );
  const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '*?', '+?', '{0}', '{0,1}?');
  const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
    pattern: fc
      .array(fc.array(tie('term'), { maxLength: 3 }), { minLength: 1, maxLength: 3, size: 'small' })
      .map((choices) => choices.map((terms) => terms.join('')).join('|')),
    term: fc
      .tuple(
        fc.oneof(
          { depthSize: 'small', withCrossShrink: true },
          atom,
          fc.tuple(fc.constantFrom('(', '(?:'), tie('pattern')).map(([open, inside]) => `${open}${inside})`),
        ),
        quantifier,
      )
      .map((parts) => parts.join('')),
  }));
  const text = fc
    .array(fc.constantFrom('a', 'b', 'ab', '-', '5', ' ', '\n', '😀', '\ud83d', '\ude00', 'é', '{'), { maxLength: 6 })
    .map((parts) => parts.join(''));

  it('for random patterns and texts', () => {
    let tried = 0;
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 10 }), (source, texts) => {
        const expression = toRegExp(source);
        const problem = patternProblem(source);
        if (expression === undefined) {
          expect(problem).toBe('is no regular expression of JavaScript');
          return;
        }
        if (problem === mixed) return;
        expect(problem).toBeUndefined();
        for (const one of texts) {
          expect(like(source, one), JSON.stringify([source, one])).toBe(expression.test(one));
          tried++;
        }
      }),
      { numRuns: process.env.TOOLANG_DEEP === undefined ? 3000 : 20_000 },
    );
    expect(tried).toBeGreaterThan(5000);
  });
});

function toRegExp(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // The other way may do.
    }
  }
  return undefined;
}
