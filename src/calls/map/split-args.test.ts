import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/cpu.ts';
import { isBlank, splitArgs, wholeValue } from './split-args.ts';

const split = (raw: string, ...names: string[]) =>
  [...splitArgs(raw, (name) => names.includes(name))].map(({ text, quoted, name, open }) =>
    [name === undefined ? '' : `${name}=`, open ? 'open ' : '', quoted ? `<${text}>` : text].join(''),
  );

describe('splitArgs', () => {
  it.each([
    ['', []],
    ['  \t\n ', []],
    ['a b\tc\u00a0d\ufeffe', ['a', 'b', 'c', 'd', 'e']],
    ['"a b" c', ['<a b>', 'c']],
    ["'a b' c", ['<a b>', 'c']],
    ['"" \'\'', ['<>', '<>']],
    ['"a"b c" d', ['<a"b c>', 'd']],
    ['a"b c"', ['a"b', 'c"']],
    ["don't can't", ["don't", "can't"]],
    ["'tis 'twas", ["'tis", "'twas"]],
    ["'tis it' x", ['<tis it>', 'x']],
    ['a "b c', ['a', 'open "b c']],
    ['"', ['open "']],
    ["'", ["'"]],
    ['"C:\\dir\\" x', ['<C:\\dir\\>', 'x']],
    ['\\"a b\\"', ['\\"a', 'b\\"']],
    ['n=1 m=2', ['n=1', 'm=2']],
    ['n="a b" m="c d"', ['n=<a b>', 'm="c', 'd"']],
    ['"n=1"', ['<n=1>']],
    ['n= x', ['n=', 'x']],
    ['n=', ['n=']],
    ['n=a=b', ['n=a=b']],
    ['n="a', ['n=open "a']],
    ["n='a b", ["n='a", 'b']],
    ['=x', ['=x']],
  ])('of %j are %j', (raw, tokens) => {
    expect(split(raw, 'n')).toEqual(tokens);
  });

  it('asks for each name when its turn has come', () => {
    const asked: string[] = [];
    const tokens = splitArgs('a=1 a=2', (name) => {
      asked.push(name);
      return asked.length === 1;
    });
    expect([...tokens].map(({ name, text }) => [name, text])).toEqual([
      ['a', '1'],
      [undefined, 'a=2'],
    ]);
    expect(asked).toEqual(['a', 'a']);
  });

  it('loses nothing but white space, quotes and names', () => {
    const raw = fc.string({ unit: fc.constantFrom('a', ' ', '"', "'", '=', '\\', '\t'), maxLength: 20 });
    fc.assert(
      fc.property(raw, (given) => {
        let rest = given;
        for (const { text, quoted } of splitArgs(given, () => false)) {
          const token = quoted ? `"${text}"` : text;
          rest = rest.trimStart();
          expect(quoted ? rest.slice(1, 1 + text.length) : rest.slice(0, text.length)).toBe(text);
          rest = rest.slice(token.length);
        }
        expect(rest.trim()).toBe('');
      }),
      { numRuns: 2000 },
    );
  });

  it('takes linear time for quotes that nothing closes', () => {
    const start = cpuMs();
    expect(split("'a ".repeat(200_000)).length).toBe(200_000);
    expect(split('"a'.repeat(300_000)).length).toBe(1);
    expect(split("n='a ".repeat(100_000), 'n').length).toBe(100_000);
    expect(cpuMs() - start).toBeLessThan(3000);
  });
});

describe('wholeValue', () => {
  it.each([
    ['a b', 'a b', false, false],
    ['"a b"', 'a b', true, false],
    ["'it's'", "it's", true, false],
    ['"a" b', '"a" b', false, false],
    ['"a" "b"', '"a" "b"', false, false],
    ['"a', '"a', false, true],
    ["'a", "'a", false, false],
    ['""', '', true, false],
    ['', '', false, false],
  ])('of %j is %j', (raw, text, quoted, open) => {
    expect(wholeValue(raw)).toEqual({ text, quoted, open });
  });
});

it('blanks are what trim takes away', () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
  expect(units.filter((unit) => isBlank(unit, 0))).toEqual(units.filter((unit) => unit.trim() === ''));
});
