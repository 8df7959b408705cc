/** Texts with holes. */
import { describe, expect, it } from 'vitest';
import type { Interpolated, InterpolatedPart } from '../expression.ts';
import { createBudget } from './budget.ts';
import { envOf, failureOf, parsed } from './evaluate-helper.ts';
import { renderInterpolated, valueOfInterpolated } from './interpolate.ts';

const env = envOf(
  { n: 1, list: ['a', null, 2, true], rows: [{ a: 1 }], nested: [[1], 2], rec: { a: [1], b: undefined }, none: null },
  { skipped: undefined },
);

/** Strings are text, `[code]` is a hole. */
function texts(...pieces: (string | [code: string])[]): Interpolated {
  let at = 0;
  const parts = pieces.map((piece): InterpolatedPart => {
    const text = typeof piece === 'string' ? piece : piece[0];
    const start = at;
    at += text.length;
    if (typeof piece === 'string') return { kind: 'text', start, end: at, text };
    return { kind: 'hole', start, end: at, expression: parsed(text) };
  });
  return { text: pieces.flat().join(''), parts };
}

const printed = (code: string) => renderInterpolated(texts('<', [code], '>'), env);

describe('a text', () => {
  it.each([
    ['skipped.a.b', '<>'],
    ['none', '<>'],
    ['undefined', '<>'],
    ['n', '<1>'],
    ['-0', '<0>'],
    ['0 / 0', '<NaN>'],
    ['n > 0', '<true>'],
    ['list', '<a, , 2, true>'],
    ['[]', '<>'],
    ['rows', '<[{"a":1}]>'],
    ['nested', '<[[1],2]>'],
    ['rec', '<{"a":[1]}>'],
    ['({ at: new Date(0), x: undefined })', '<{"at":"1970-01-01T00:00:00.000Z"}>'],
    ['new Date(0)', '<1970-01-01T00:00:00.000Z>'],
    ['[new Date(0), 1]', '<1970-01-01T00:00:00.000Z, 1>'],
    ['"{n}"', '<{n}>'],
  ])('prints %s as %s', (code, text) => {
    expect(printed(code)).toBe(text);
  });

  it('fails for what is not data, and for a date that is none', () => {
    expect(failureOf(() => printed('/x/')).code).toBe('TOO6110');
    expect(failureOf(() => printed('"x".trim')).code).toBe('TOO6110');
    expect(failureOf(() => printed('new Date(NaN)')).code).toBe('TOO6105');
  });

  it('without holes is itself', () => {
    expect(renderInterpolated(texts('plain'), env)).toBe('plain');
    expect(renderInterpolated(texts(), env)).toBe('');
  });

  it('counts all holes together', () => {
    const hole: [string] = ['"x".repeat(1000)'];
    expect(renderInterpolated(texts(hole), { ...env, budget: createBudget(600) })).toHaveLength(1000);
    expect(
      failureOf(() => renderInterpolated(texts(hole, hole, hole), { ...env, budget: createBudget(600) })).code,
    ).toBe('TOO6107');
  });
});

describe('a value', () => {
  it('keeps its type if it is one hole', () => {
    expect(valueOfInterpolated(texts(['rows']), env)).toEqual([{ a: 1 }]);
    expect(valueOfInterpolated(texts(['skipped.x']), env)).toBeUndefined();
    expect(valueOfInterpolated(texts(['n + 1']), env)).toBe(2);
  });

  it('is text if there is more', () => {
    expect(valueOfInterpolated(texts(['n'], ' '), env)).toBe('1 ');
    expect(valueOfInterpolated(texts(['n'], ['n']), env)).toBe('11');
    expect(valueOfInterpolated(texts('a'), env)).toBe('a');
    expect(valueOfInterpolated(texts(), env)).toBe('');
  });
});
