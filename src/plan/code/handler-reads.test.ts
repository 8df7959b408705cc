/** What a handler reads, by its text. */
import { expect, it } from 'vitest';
import { handlerReads } from './handler-reads.ts';

it.each([
  ['a declared function', 'export function f({ input, draft }) { return draft; }', 'f', ['input', 'draft']],
  ['an arrow', 'export const f = ({ draft }) => draft.text;', 'f', ['draft']],
  ['a default export', 'export default async ({ steps: { review } }) => review;', 'default', ['steps', 'review']],
  [
    'members of the parameter',
    'export function f(c) { return c.draft.text + c.steps["a-b"].x; }',
    'f',
    ['draft', 'steps', 'a-b'],
  ],
  [
    'a pattern in the body',
    'export function f(c) { const { draft, steps: { a } } = c; const { b } = c.steps; return draft + a + b; }',
    'f',
    ['draft', 'steps', 'a', 'b'],
  ],
  ['an export by another name', 'const g = (c) => c.draft; export { g as f };', 'f', ['draft']],
  ['a default export by its name', 'function g(c) { return c.draft } export default g;', 'default', ['draft']],
  ['types', 'export const f = (c: { draft: { text: string } }): string => c.draft.text;', 'f', ['draft']],
  ['no function', 'export const f = 1;', 'f', []],
  ['a syntax error', 'export const f = (', 'f', []],
])('%s', async (_, text, name, reads) => {
  expect([...(await handlerReads(text, name))].sort()).toEqual([...reads].sort());
});
