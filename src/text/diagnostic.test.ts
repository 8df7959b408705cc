import { expect, it } from 'vitest';
import { codes, severityOf, titleOf } from './codes.ts';
import { byPosition, diagnostic, hasErrors, toJson } from './diagnostic.ts';
import { createSource } from './source.ts';

const source = createSource('a.too', 'one\ntwo\n');

it('in JSON has lines and columns, related places and the fix', () => {
  const d = diagnostic('TOO1601', source, { start: 4, end: 7 }, 'wrong', {
    help: 'right',
    related: [{ source, span: { start: 0, end: 3 }, message: 'because of this' }],
    fix: { title: 'mend', edits: [{ span: { start: 4, end: 7 }, text: 'three' }] },
  });
  expect(toJson(d)).toEqual({
    code: 'TOO1601',
    severity: 'error',
    message: 'wrong',
    file: 'a.too',
    range: { start: { line: 2, column: 1 }, end: { line: 2, column: 4 } },
    related: [
      {
        file: 'a.too',
        range: { start: { line: 1, column: 1 }, end: { line: 1, column: 4 } },
        message: 'because of this',
      },
    ],
    help: 'right',
    fix: {
      title: 'mend',
      edits: [{ range: { start: { line: 2, column: 1 }, end: { line: 2, column: 4 } }, text: 'three' }],
    },
  });
});

it('takes its severity from its code', () => {
  const warning = diagnostic('TOO1003', source, { start: 0, end: 0 }, 'mixed');
  expect(warning.severity).toBe('warning');
  expect(hasErrors([warning])).toBe(false);
  expect(severityOf('TOO2901')).toBe('note');
});

it('is ordered by place; of one place, as reported', () => {
  const at = (start: number, message: string) => diagnostic('TOO1601', source, { start, end: start }, message);
  expect(byPosition([at(4, 'c'), at(0, 'a'), at(0, 'b')]).map((d) => d.message)).toEqual(['a', 'b', 'c']);
});

it('codes are four digits after TOO, and no two titles are alike', () => {
  const names = Object.keys(codes) as (keyof typeof codes)[];
  expect(names.filter((name) => !/^TOO[1-9]\d{3}$/.test(name))).toEqual([]);
  const titles = names.map(titleOf);
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
});
