/** Habits of other formats and of old editors: one report each, with the edit that mends it. */
import { describe, expect, it } from 'vitest';
import { applyEdits, createSource } from '../text/index.ts';
import { parseToon } from './parse.ts';
import { toPlain } from './plain.ts';

function look(text: string) {
  const { document, diagnostics } = parseToon(createSource('a.toon', text), { profile: true });
  return { value: toPlain(document.root), diagnostics };
}

describe('a habit is reported once, and mended', () => {
  it.each([
    ['a: "x";', 'TOO3023', 'a: "x"'],
    ['a: "x" ,', 'TOO3023', 'a: "x"'],
    ['a: [x, y]', 'TOO3028', 'a[2]: x,y'],
    ['a: [\'x y\', "z", 3]', 'TOO3028', 'a[3]: "x y","z",3'],
    ['a: [ ]', 'TOO3028', 'a: []'],
    ['a: [x, [y]]', 'TOO3028', undefined],
    ['a: [{b: 1}]', 'TOO3028', undefined],
    ['a[1]:\n  - b: 1\n  the end', 'TOO3035', undefined],
    ['a: 1\rb:\r  c: 2\r', 'TOO3005', 'a: 1\nb:\n  c: 2\n'],
    ['a: x\ry\nb: 1', 'TOO3005', 'a: x\ny\nb: 1'],
  ])('%j', (text, code, mended) => {
    const { diagnostics } = look(text);
    expect(diagnostics.map((d) => d.code)).toEqual([code]);
    const fix = diagnostics[0]?.fix;
    expect(fix && applyEdits(text, fix.edits).text).toBe(mended);
  });
});

it('a carriage return beside other line ends may be part of a text, so that its mending is a guess', () => {
  expect(look('a: 1\rb: 2').diagnostics[0]?.fix?.guess).toBeUndefined();
  expect(look('a: x\ry\nb: 1').diagnostics[0]?.fix?.guess).toBe(true);
});

it('a file whose lines end with returns alone is read line by line', () => {
  expect(look('a: 1\rb:\r  c: 2\r').value).toEqual({ a: 1, b: { c: 2 } });
});
