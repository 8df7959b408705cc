/** Colour wishes: the flag, NO_COLOR, FORCE_COLOR, TERM, the stream. */
import { expect, it } from 'vitest';
import { painter, wantsColor } from './color.ts';

it('colours a terminal and nothing else', () => {
  expect(wantsColor({ env: {}, isTTY: true })).toBe(true);
  expect(wantsColor({ env: {}, isTTY: false })).toBe(false);
  expect(wantsColor({ env: { TERM: 'dumb' }, isTTY: true })).toBe(false);
});

it('obeys NO_COLOR unless it is empty, and FORCE_COLOR unless it says no', () => {
  expect(wantsColor({ env: { NO_COLOR: '1' }, isTTY: true })).toBe(false);
  expect(wantsColor({ env: { NO_COLOR: '' }, isTTY: true })).toBe(true);
  expect(wantsColor({ env: { FORCE_COLOR: '1', TERM: 'dumb' }, isTTY: false })).toBe(true);
  expect(wantsColor({ env: { FORCE_COLOR: '' }, isTTY: false })).toBe(true);
  expect(wantsColor({ env: { FORCE_COLOR: '0' }, isTTY: true })).toBe(false);
  expect(wantsColor({ env: { FORCE_COLOR: 'false' }, isTTY: true })).toBe(false);
  expect(wantsColor({ env: { FORCE_COLOR: '1', NO_COLOR: '1' }, isTTY: true })).toBe(false);
});

it('lets the flag decide', () => {
  expect(wantsColor({ env: { NO_COLOR: '1' }, isTTY: false, flag: true })).toBe(true);
  expect(wantsColor({ env: { FORCE_COLOR: '1' }, isTTY: true, flag: false })).toBe(false);
});

it('paints nothing when colour is off, and no empty text', () => {
  expect(painter(false).red('x')).toBe('x');
  expect(painter(true).red('x')).toBe('\x1b[31mx\x1b[39m');
  expect(painter(true).red('')).toBe('');
});
