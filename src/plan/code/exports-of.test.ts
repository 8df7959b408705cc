import { expect, test } from 'vitest';
import { exportsOf } from './exports-of.ts';

test.each([
  [
    'export const lint = 1, { a, b: [c = 1], ...d } = x; export function f() {} export class C {}',
    ['lint', 'a', 'c', 'd', 'f', 'C'],
    false,
  ],
  ['export default async () => 1', ['default'], false],
  [
    'const a = 1; export { a as b, a as "c-d" }; export { x as default } from "y"; export * as z from "q"',
    ['b', 'c-d', 'default', 'z'],
    false,
  ],
  ['export * from "./other.ts"; export const a = 1', ['a'], true],
  [
    'export const f = (x: string): number => 1; export type T = string; export interface I {} export type { Q } from "q"',
    ['f'],
    false,
  ],
  ['export enum Level { a } export const x: Level = Level.a', ['Level', 'x'], false],
  ['module.exports = { lint() {} }', [], true],
  ['import "x"', [], false],
  ['#!/usr/bin/env node\nexport const a = 1', ['a'], false],
  ['\ufeffexport const a: number = 1', ['a'], false],
])('%s', async (text, names, open) => {
  const found = await exportsOf(text);
  expect(found).toEqual({ ok: true, names: expect.any(Array), open });
  expect(found.ok && [...found.names].sort()).toEqual([...names].sort());
});

test.each([
  ['export const = 1', 'line 1, column 14: unexpected "="'],
  ['const a: string = "x";\nexport function f() {\n  return (a;\n}', 'line 3, column 12: unexpected ";"'],
  ['export const a = `x', 'line 1, column 18: this template is never closed'],
])('a module that cannot be read says where and why: %s', async (text, message) => {
  expect(await exportsOf(text)).toEqual({ ok: false, message });
});
