/** Nothing is done that nobody has agreed to. */
import { expect, it } from 'vitest';
import type { Args } from './command.ts';
import { confirm } from './confirm.ts';
import { memoryContext } from './memory-context.ts';

const args = (yes: boolean): Args => ({
  positionals: [],
  switches: yes ? { yes } : {},
  texts: {},
  counts: {},
  lists: {},
});

it.each([
  ['y\n', true],
  [' YES \nno\n', true],
  ['y', true],
  ['', false],
  ['\ny\n', false],
  ['no\n', false],
  ['yes, but\n', false],
])('%j is %s', async (stdin, isAgreed) => {
  const context = memoryContext({ typed: true, stdin });
  expect(await confirm('Go?', args(false), context)).toBe(isAgreed);
  expect(context.err()).toBe('Go? [y/N] ');
});

it('--yes says it beforehand, and without a terminal nobody says it', async () => {
  const context = memoryContext({ stdin: 'y\n' });
  expect(await confirm('Go?', args(true), context)).toBe(true);
  await expect(confirm('Go?', args(false), context)).rejects.toThrow('nobody can be asked here');
  expect(context.err()).toBe('');
});

it.each([
  ['\n', true],
  ['y\n', true],
  ['n\n', false],
  ['', false],
])('where yes is usual, %j is %s', async (stdin, isAgreed) => {
  const context = memoryContext({ typed: true, stdin });
  expect(await confirm('Go on?', args(false), context, 'yes')).toBe(isAgreed);
  expect(context.err()).toBe('Go on? [Y/n] ');
});
