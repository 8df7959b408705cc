import { expect, it } from 'vitest';
import { applyEdits } from './edit.ts';

const edit = (start: number, end: number, text: string) => ({ span: { start, end }, text });

it('applies edits by place, in whatever order they come', () => {
  expect(applyEdits('one two three', [edit(8, 13, '3'), edit(0, 3, '1')])).toEqual({ text: '1 two 3', skipped: [] });
});

it('inserts and removes', () => {
  expect(applyEdits('ac', [edit(1, 1, 'b'), edit(1, 2, '')]).text).toBe('ab');
});

it('leaves out an edit that overlaps an earlier one, and says so', () => {
  const late = edit(1, 3, 'y');
  expect(applyEdits('abcd', [edit(0, 2, 'x'), late])).toEqual({ text: 'xcd', skipped: [late] });
});
