import { expect, test } from 'vitest';
import { layout, pictured } from './cells.ts';
import { displayWidth, printable } from './width.ts';

test('what is known of plain text is what its cells say, for every character', () => {
  const wrong: number[] = [];
  for (let code = 0; code < 0x3000; code++) {
    const text = `a${String.fromCharCode(code)}b`;
    const last = layout(text).at(-1);
    const width = (last?.column ?? 0) + (last?.width ?? 0);
    if (displayWidth(text) !== width || printable(text) !== pictured(text)) wrong.push(code);
  }
  expect(wrong).toEqual([]);
});
