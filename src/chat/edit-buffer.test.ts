/** What keys make of a text, and how it stands in rows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, layout } from '../text/index.ts';
import { type Edit, editKey, editOf, emptyEdit, insert, replaceBefore } from './edit-buffer.ts';
import { inputArea, moveRow, windowOf } from './input-area.ts';
import type { KeyName } from './key.ts';

/** `|` stands for the cursor. */
function at(text: string): Edit {
  const place = text.indexOf('|');
  return { ...emptyEdit, text: text.replace('|', ''), at: place };
}
const shown = ({ text, at: place }: Edit) => `${text.slice(0, place)}|${text.slice(place)}`;
const typed = (text: string, ...keys: readonly KeyName[]) =>
  shown(keys.reduce((edit, key) => editKey(edit, key) ?? edit, at(text)));

describe('keys', () => {
  it('move by what people see as one character', () => {
    expect(typed('a👨‍👩‍👧é|', 'left')).toBe('a👨‍👩‍👧|é');
    expect(typed('a👨‍👩‍👧é|', 'left', 'left')).toBe('a|👨‍👩‍👧é');
    expect(typed('a|👍🏽b', 'right')).toBe('a👍🏽|b');
    expect(typed('a👍🏽|b', 'backspace')).toBe('a|b');
    expect(typed('a|e\u0301b', 'delete')).toBe('a|b');
    expect(typed('a\n|b', 'left')).toBe('a|\nb');
    expect(typed('a\n|b', 'backspace')).toBe('a|b');
    expect(typed('|', 'left', 'right', 'backspace', 'delete', 'home', 'end')).toBe('|');
  });

  it('move and take away words', () => {
    expect(typed('say héllo, 漢字|', 'word-left')).toBe('say héllo, |漢字');
    expect(typed('say héllo, |漢字', 'word-left')).toBe('say |héllo, 漢字');
    expect(typed('|  say it', 'word-right')).toBe('  say| it');
    expect(typed('say it|', 'delete-word')).toBe('say |');
    expect(typed('|say it', 'delete-word-right')).toBe('| it');
    expect(typed('👍 x|', 'delete-word', 'delete-word')).toBe('|');
  });

  it('know the line that they are in, and put back what was taken', () => {
    expect(typed('one\ntw|o\nthree', 'home')).toBe('one\n|two\nthree');
    expect(typed('one\ntw|o\nthree', 'end')).toBe('one\ntwo|\nthree');
    expect(typed('one\ntw|o\nthree', 'delete-to-start')).toBe('one\n|o\nthree');
    expect(typed('one\n|o', 'delete-to-start')).toBe('one|o');
    expect(typed('one\ntw|o\nthree', 'delete-to-end', 'delete-to-end')).toBe('one\ntw|three');
    expect(typed('say it|', 'delete-word', 'put-back', 'put-back')).toBe('say itit|');
    expect(typed('say it|', 'newline')).toBe('say it\n|');
  });

  it('that are none of a text are left to others', () => {
    expect(editKey(editOf('x'), 'enter')).toBeUndefined();
    expect(shown(replaceBefore(editOf('see @no'), 4, '@notes.md '))).toBe('see @notes.md |');
  });
});

describe('rows', () => {
  it('break where they are full, wide characters before it', () => {
    const { rows, row, column } = inputArea(editOf('ab漢字cd'), 5);
    expect(rows.map(({ text }) => text)).toEqual(['ab漢', '字cd']);
    expect([row, column]).toEqual([1, 4]);
  });

  it('are gone through in their column, and end where there is none', () => {
    const up = moveRow(at('abc\ndef|g'), -1, 10);
    expect(up && shown(up)).toBe('abc|\ndefg');
    const down = up && moveRow({ ...up, at: 1 }, 1, 10);
    expect(down && shown(down)).toBe('abc\nd|efg');
    expect(moveRow(at('abc|'), -1, 10)).toBeUndefined();
    const broken = moveRow(at('abcdefgh|'), -1, 5);
    expect(broken && shown(broken)).toBe('abc|defgh');
  });

  it('show themselves around the cursor where there are too many', () => {
    expect(windowOf(3, 0, 5)).toEqual({ from: 0, to: 3 });
    expect(windowOf(10, 9, 4)).toEqual({ from: 6, to: 10 });
    expect(windowOf(10, 5, 4)).toEqual({ from: 3, to: 7 });
    expect(windowOf(10, 5, 0)).toEqual({ from: 5, to: 6 });
  });
});

describe('whatever is typed', () => {
  const names: KeyName[] = [
    ...(['left', 'right', 'word-left', 'word-right', 'home', 'end', 'backspace', 'delete', 'newline'] as const),
    ...(['delete-word', 'delete-word-right', 'delete-to-start', 'delete-to-end', 'put-back'] as const),
  ];
  const action = fc.oneof(
    fc.constantFrom(...names),
    fc.string({ unit: 'grapheme', maxLength: 5 }).map((text) => ({ text })),
    fc.constantFrom({ text: '👨‍👩‍👧' }, { text: '漢\t' }, { text: '\x1b[2J' }, { text: '🇩🇪' }),
  );

  it('keeps the cursor in the text, and its rows hold all of it within the width', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), fc.integer({ min: 8, max: 30 }), (actions, width) => {
        let edit = emptyEdit;
        for (const each of actions)
          edit = typeof each === 'string' ? (editKey(edit, each) ?? edit) : insert(edit, each.text);
        expect(edit.at).toBeGreaterThanOrEqual(0);
        expect(edit.at).toBeLessThanOrEqual(edit.text.length);
        const { rows, row, column } = inputArea(edit, width);
        expect(rows.map(({ start, end }) => edit.text.slice(start, end)).join('')).toBe(edit.text.replaceAll('\n', ''));
        for (const { text } of rows) {
          expect(text).not.toMatch(/\p{Cc}/u);
          if (layout(text).length > 1) expect(displayWidth(text)).toBeLessThanOrEqual(width + 7);
        }
        expect(row).toBeLessThan(rows.length);
        expect(column).toBeLessThanOrEqual(width + 7);
      }),
    );
  });

  it('goes left as often as it went right', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        let edit: Edit = { ...emptyEdit, text };
        const places = [0];
        while (edit.at < text.length) {
          edit = editKey(edit, 'right') ?? edit;
          places.push(edit.at);
        }
        for (const place of places.reverse()) {
          expect(edit.at).toBe(place);
          edit = editKey(edit, 'left') ?? edit;
        }
      }),
    );
  });
});
