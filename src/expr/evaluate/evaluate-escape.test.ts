/**
 * Ways out of the evaluator, each closed. They are tried twice: as written, where the parser may refuse them already,
 * and as a tree that no parser looked at. In the texts `$name` stands for a name that the parser would refuse.
 */
import { describe, expect, it } from 'vitest';
import type { Expression } from '../expression.ts';
import { parseExpression } from '../expression-parse.ts';
import { evaluate } from './evaluate.ts';
import { envOf, failureOf, parsed } from './evaluate-helper.ts';

const env = envOf({
  x: 'text',
  rec: JSON.parse('{"a":1,"__proto__":{"polluted":1},"constructor":"own","toString":"own","valueOf":"own"}'),
  plain: { a: 1 },
  list: [1, 2, 3],
});

/** The tree as if the parser had let every name through. */
function smuggled(text: string): Expression {
  return JSON.parse(JSON.stringify(parsed(text)).replaceAll(/"\$(\w+)"/g, '"$1"')) as Expression;
}

const failing: readonly (readonly [what: string, text: string])[] = [
  ['the constructor of a string', 'x.$constructor'],
  ['the constructor of the constructor', 'x.$constructor.$constructor("return 1")()'],
  ['the constructor of a number', '(5).$constructor'],
  ['the constructor of a boolean', 'true.$constructor'],
  ['the constructor of an array', '[].$constructor.$constructor("return this")()'],
  ['the constructor of a record', '({}).$constructor'],
  ['the constructor of a date', 'new Date(0).$constructor'],
  ['the constructor of a regular expression', '/x/.$constructor'],
  ['the constructor of a built-in function', 'Math.max.$constructor("return process")()'],
  ['the constructor of a method', '"x".trim.$constructor'],
  ['the constructor of an arrow', '[1].concat(y => y)[1].$constructor'],
  ['the constructor of a global', 'Object.$constructor'],
  ['the constructor by a name put together', 'x["con" + "structor"]'],
  ['the constructor by a template', 'x[`con${"struct"}or`]'],
  ['the constructor by a name turned round', 'x["rotcurtsnoc".split("").reverse().join("")]'],
  ['the constructor by an array as a name', 'x[["constructor"]]'],
  ['the constructor by a name from character codes', 'x[String.fromCharCode(99, 111, 110) + "structor"]'],
  ['the constructor by ?.', 'x?.["$constructor"]'],
  ['the constructor by a pattern', '[x].map(({ $constructor: c }) => c)'],
  ['the constructor by a pattern with a default', '[x].map(({ $constructor: c = 1 }) => c)'],
  ['the constructor of the items of a list', '[[1]].map(([{ $constructor: c }]) => c)'],
  ['the constructor found by find', '["constructor"].map(k => list[k])'],
  ['the prototype of a global', 'Object.$prototype'],
  ['the prototype of Array', 'Array.$prototype.map'],
  ['__proto__ of a record', 'plain.$__proto__'],
  ['__proto__ of an array by a name put together', 'list["__pro" + "to__"]'],
  ['__proto__ of a string', 'x.$__proto__'],
  ['__defineGetter__', 'plain.$__defineGetter__("a", () => 1)'],
  ['__defineSetter__', 'plain.$__defineSetter__("a", () => 1)'],
  ['__lookupGetter__', 'plain.$__lookupGetter__("__proto__")'],
  ['isPrototypeOf', 'plain.$isPrototypeOf(list)'],
  ['the caller of a function', 'Math.max.caller'],
  ['the arguments of a function', 'Math.max.arguments'],
  ['call of a function', 'Math.max.call(1)'],
  ['apply of a function', '"x".replace.apply("y", ["y", "z"])'],
  ['bind of a function', 'list.map.bind(x)'],
  ['the name of a function', 'Math.max.name'],
  ['Object.getPrototypeOf', 'Object.getPrototypeOf(plain)'],
  ['Object.setPrototypeOf', 'Object.setPrototypeOf(plain, list)'],
  ['Object.defineProperty', 'Object.defineProperty(plain, "a", { get: 1 })'],
  ['Object.create', 'Object.create(null)'],
  ['Object.getOwnPropertyDescriptors', 'Object.getOwnPropertyDescriptors(plain)'],
  ['Object as a function', 'Object(1)'],
  ['Reflect', 'Reflect.ownKeys(plain)'],
  ['Proxy', 'Proxy'],
  ['Symbol', 'Symbol.iterator'],
  ['Function', 'Function("return 1")()'],
  ['eval', 'eval("1")'],
  ['globalThis', 'globalThis.process'],
  ['window', 'window'],
  ['process', 'process.env'],
  ['require', 'require("fs")'],
  ['module', 'module.exports'],
  ['console', 'console.log(1)'],
  ['fetch', 'fetch("x")'],
  ['setTimeout', 'setTimeout(() => 1, 1)'],
  ['queueMicrotask', 'queueMicrotask(() => 1)'],
  ['Promise', 'Promise.resolve(1)'],
  ['WebAssembly', 'WebAssembly'],
  ['SharedArrayBuffer', 'SharedArrayBuffer'],
  ['Buffer', 'Buffer.from("x")'],
  ['Error and its stack', 'Error.captureStackTrace({})'],
  ['arguments', '[1].map(() => $arguments)'],
  ['a method that lost its receiver', '[plain].map("".concat)'],
  ['a method with another receiver', '[x].map(list.join, plain)'],
  ['a number with an own valueOf', '({ ...rec }) + 1'],
  ['a text with an own toString', '`${rec}`'],
  ['a key with an own toString', 'list[rec]'],
  ['a function as valueOf', '({ valueOf: Math.max }) * 2'],
  ['a function as toString', '({ toString: "x".trim }) + ""'],
  ['a comparator that is data', 'list.sort("constructor")'],
  ['a comparator that gives a function', 'list.sort(() => Math.max)'],
  ['a replacement that gives a function', 'x.replace(/t/, () => Math.max)'],
  [
    'a replacement that reads the prototype of its groups',
    'x.replace(/(?<a>t)/, (m, a, i, s, g) => g["constr" + "uctor"])',
  ],
  ['the prototype of the groups of a match', 'x.match(/(?<a>t)/).groups["__pro" + "to__"]'],
  ['the constructor of a match', 'x.match(/t/)["constr" + "uctor"]'],
  ['a reviver that reads the constructor', 'JSON.parse("[1]", (k, v) => v["constr" + "uctor"])'],
  ['a function as the result', 'Math.max'],
  ['a function in the result', '({ a: [].concat(Math.max) })'],
  ['a function as text', 'String(Math.max)'],
  ['options that are functions', '(1).toLocaleString("en-US", { style: Math.max })'],
  ['a pattern of a regular expression that is an object', 'RegExp(rec)'],
];

/** What is no expression of ours at all. */
const refused: readonly (readonly [what: string, text: string])[] = [
  ['this', 'this'],
  ['import', 'import("fs")'],
  ['import.meta', 'import.meta.url'],
  ['new.target', '[1].map(() => new.target)'],
  ['new Function', 'new Function("return 1")'],
  ['new of a value', 'new x.trim()'],
  ['a tagged template', 'String.raw`x`'],
  ['a tag that is a method', 'x.replace`a${1}`'],
  ['an assignment', 'x = 1'],
  ['an assignment to a property', 'plain.a = 1'],
  ['a default that assigns', '[1].map((a = b = 1) => a)'],
  ['increment', 'x++'],
  ['delete', 'delete plain.a'],
  ['a function with a body', '[1].map(() => { return 1 })'],
  ['a function expression', '[1].map(function () { return this })'],
  ['a class', '(class { static x = 1 }).x'],
  ['a getter in a record', '({ get a() { return 1 } }).a'],
  ['a method in a record', '({ toString() { return "x" } })'],
  ['await', 'await x'],
  ['yield', 'yield x'],
  ['an async arrow', '[1].map(async () => 1)'],
  ['a big integer', '10n ** 10n'],
  ['a private name', 'x.#y'],
  ['instanceof', 'list instanceof Array'],
  ['two expressions', 'x; list'],
];

describe('no way out', () => {
  it.each(failing)('through %s', (_, text) => {
    const { expression } = parseExpression(text.replaceAll(/\$(?=\w)/g, ''));
    if (expression) expect(failureOf(() => evaluate(expression, env)).code).toMatch(/^TOO61(?:0[1-6]|10)$/);
    expect(failureOf(() => evaluate(smuggled(text), env)).code).toMatch(/^TOO61(?:0[1-6]|10)$/);
  });

  it.each(refused)('through %s', (_, text) => {
    const { expression, problems } = parseExpression(text);
    expect(problems.length).toBeGreaterThan(0);
    // What is left of it is there to be looked at only.
    if (expression) expect(failureOf(() => evaluate(expression, env)).code).toBe('TOO6101');
  });
});

describe('data stays data', () => {
  const value = (text: string) => evaluate(smuggled(text), env);

  it.each([
    ['typeof process', 'undefined'],
    ['typeof globalThis', 'undefined'],
    ['JSON.parse("{\\"__proto__\\":{\\"polluted\\":1}}").polluted', undefined],
    ['JSON.parse("{\\"__proto__\\":{\\"polluted\\":1}}")["$__proto__"].polluted', 1],
    ['({ ...rec }).polluted', undefined],
    ['Object.assign({}, rec).polluted', undefined],
    ['Object.fromEntries([["__proto__", { polluted: 1 }]]).polluted', undefined],
    ['Object.keys(Object.fromEntries([["__proto__", 1]]))', ['__proto__']],
    ['Object.entries(rec).length', 5],
    ['({ ["$__proto__"]: list }).length', undefined],
    ['({ $__proto__: list }).length', undefined],
    ['Object.groupBy(["__proto__"], k => k).polluted', undefined],
    ['JSON.parse("[1]", (k, v) => ({ ["$__proto__"]: { polluted: 1 } })).polluted', undefined],
    ['[rec].map(({ a, ...rest }) => rest.polluted)', [undefined]],
    ['rec["const" + "ructor"]', 'own'],
    ['rec["toString"]', 'own'],
    ['"constructor" in plain', false],
    ['Object.hasOwn(plain, "constructor")', false],
    ['plain.hasOwnProperty("__proto__")', false],
    ['Object.keys(Math)', []],
    ['JSON.stringify({ toJSON: 1, a: 2 })', '{"toJSON":1,"a":2}'],
    ['[{ length: 1e9 }].map(({ length }) => length)', [1e9]],
    ['"a".replace("a", "$<constructor>")', '$<constructor>'],
    ['"a".replace(/(?<b>a)/, "$<constructor>$<__proto__>")', ''],
  ])('%s', (text, expected) => {
    expect(value(text)).toEqual(expected);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('does not run getters, own toJSON or iterators of the host', () => {
    let ran = 0;
    const trap = {
      get a() {
        ran++;
        return 1;
      },
      toJSON: null,
      b: () => ran++,
      [Symbol.iterator]: () => ran++,
      [Symbol.toPrimitive]: () => ran++,
    };
    const host = envOf({ trap, fn: () => ran++, sym: Symbol('x'), big: 10n });
    const attempts = [
      'trap.a',
      'trap.b()',
      'trap.b',
      '[...trap]',
      'trap + 1',
      '`${trap}`',
      'Object.values(trap)',
      '({ ...trap })',
    ];
    for (const text of [...attempts, 'JSON.stringify(trap)', 'trap', 'fn()', 'fn', 'sym', 'big', 'list.map(fn)']) {
      try {
        evaluate(parsed(text), host);
      } catch (error) {
        expect((error as { code: string }).code).toMatch(/^TOO61/);
      }
    }
    expect(ran).toBe(0);
  });

  it('gives nothing of the host a prototype to reach', () => {
    class Secret {
      hidden = 1;
      reveal() {
        return 'secret';
      }
    }
    const host = envOf({ secret: new Secret(), map: new Map([['a', 1]]) });
    expect(evaluate(parsed('secret.hidden'), host)).toBe(1);
    expect(failureOf(() => evaluate(parsed('secret.reveal()'), host)).code).toBe('TOO6103');
    expect(failureOf(() => evaluate(parsed('map.get("a")'), host)).code).toBe('TOO6103');
  });
});
