/** Modules of the program that are loaded when they are first used: what that changes, and what it must not. */
import { expect, it } from 'vitest';
import { helperText, lazyLinks } from '../scripts/lazy-links.mjs';

/** Runs a module; `loads` has what it required until now. */
function run(code: string): { exports: Record<string, unknown>; loads: string[] } {
  const loads: string[] = [];
  const required = (name: string) => {
    loads.push(name);
    const copied = (module: { name: string }) => ({ default: `copy of ${module.name}` });
    if (name === './runtime') return { __toESM: copied };
    return { name, twice: (n: number) => n * 2 };
  };
  const exports: Record<string, unknown> = {};
  new Function('require', 'exports', `${helperText} ${lazyLinks(code, 'a.cjs')}`)(required, exports);
  return { exports, loads };
}

it('loads a module when a member of it is first used, and once', () => {
  const { exports, loads } = run(
    'const a = require("./a"), b = require("./b"); exports.four = () => a.twice(a.twice(1));',
  );
  expect(loads).toEqual([]);
  expect((exports.four as () => number)()).toBe(4);
  expect(loads).toEqual(['./a']);
});

it('keeps what else a declaration defines, in its order', () => {
  for (const order of [
    'a = require("./a"), one = 1, two = one + 1',
    'one = 1, a = require("./a"), two = one + 1',
    'one = 1, two = one + 1, a = require("./a")',
  ]) {
    const { exports, loads } = run(`const ${order}; exports.sum = () => one + two; exports.name = () => a.name;`);
    expect((exports.sum as () => number)()).toBe(3);
    expect(loads).toEqual([]);
    expect((exports.name as () => string)()).toBe('./a');
  }
});

it('loads at once what is used at once, and what is used otherwise than by its members', () => {
  expect(run('const a = require("./a"); exports.x = [a.name];').loads).toEqual(['./a']);
  for (const use of ['f(a)', '({ a })', 'a["name"]', '(a) => a.name', '{ let a = 1; }', '({ ...a })']) {
    expect(run(`const f = () => {}; const a = require("./a"); exports.later = () => { ${use}; };`).loads).toEqual([
      './a',
    ]);
  }
});

it('is not misled by members and keys of the same name', () => {
  const { exports, loads } = run('const a = require("./a"); exports.f = (x) => [x.a, { a: 1 }.a, a.name];');
  expect(loads).toEqual([]);
  expect((exports.f as (x: unknown) => unknown)({ a: 5 })).toEqual([5, 1, './a']);
});

it('gives members of others as its own, loaded by who reads them', () => {
  const { exports, loads } = run('const a = require("./a"), own = 1; exports.own = own, exports.label = a.name;');
  expect([Object.keys(exports), loads]).toEqual([['own', 'label'], []]);
  expect([exports.label, exports.label, loads]).toEqual(['./a', './a', ['./a']]);
});

it('takes the whole of a module of Node as it is, when it is used; of others as the bundler does', () => {
  const copy = 'const runtime = require("./runtime");';
  const all = (name: string, use: string) =>
    `${copy} let a = require("${name}"); a = runtime.__toESM(a, 1); exports.f = () => [${use}];`;
  const node = run(all('node:a', 'a.default.twice(1), a.twice(2), a.default'));
  expect(node.loads).toEqual([]);
  expect((node.exports.f as () => unknown)()).toEqual([2, 4, { name: 'node:a', twice: expect.any(Function) }]);
  expect(node.loads).toEqual(['node:a']);
  const other = run(all('other', 'a.default'));
  expect(other.loads).toEqual(['other', './runtime']);
  expect((other.exports.f as () => unknown)()).toEqual(['copy of other']);
  const passed = run(all('node:a', 'String(a.default), a'));
  expect(passed.loads).toEqual(['node:a', './runtime']);
});
