/** Expressions that would not end, or fill the memory: each is stopped by the count. */
import { describe, expect, it } from 'vitest';
import type { Expression } from '../expression.ts';
import { createBudget, defaultLimit, maxDepth } from './budget.ts';
import { evaluate } from './evaluate.ts';
import { envOf, failureOf, parsed, run } from './evaluate-helper.ts';

const env = envOf({ list: Array.from({ length: 1000 }, (_, i) => i), word: 'abc' });
const times = (count: number) => `[...Array(${count}).keys()]`;

const exploding: readonly (readonly [what: string, text: string])[] = [
  ['a text repeated', '"x".repeat(1e9)'],
  ['a text repeated without end', '"x".repeat(1e308)'],
  ['a text doubled', `${times(60)}.reduce((s) => s + s, "x")`],
  ['a text doubled by a template', `${times(60)}.reduce((s) => \`\${s}\${s}\`, "x")`],
  ['a text doubled by concat', `${times(60)}.reduce((s) => s.concat(s, s), "x")`],
  ['padStart', '"x".padStart(1e9)'],
  ['padEnd', '"x".padEnd(2 ** 53, "ab")'],
  ['an array of a length', 'Array.from({ length: 1e9 })'],
  ['an array of a length without end', 'Array.from({ length: Infinity })'],
  ['Array', 'Array(4294967295)'],
  ['Array and fill', `${times(2000)}.map(() => Array(1e4).fill(0))`],
  ['maps in maps', 'list.map(a => list.map(b => list.map(c => a + b + c)))'],
  ['joined texts', 'Array(1e5).fill("x".repeat(1e4)).join("")'],
  ['joined arrays that share their items', `${times(60)}.reduce((a) => [a, a], "x").join("")`],
  ['an array that holds itself twice, as text', `String(${times(60)}.reduce((a) => [a, a], 1))`],
  ['an array that holds itself twice, flat', `${times(60)}.reduce((a) => [a, a], 1).flat(Infinity)`],
  ['an array that holds itself twice, as JSON', `JSON.stringify(${times(60)}.reduce((a) => [a, a], 1))`],
  ['an array that holds itself twice, as the result', `${times(60)}.reduce((a) => [a, a], 1)`],
  ['a record that holds itself twice, as the result', `${times(60)}.reduce((a) => ({ a, b: a }), 1)`],
  ['a long text many times in the result', 'Array(1e5).fill("x".repeat(1e5))'],
  ['a long text many times in JSON', 'JSON.stringify(Array(1e5).fill("x".repeat(1e5)))'],
  ['indented JSON', `JSON.stringify(${times(300)}.reduce((a) => [a, ...list], 1), null, "          ")`],
  ['an array doubled by concat', `${times(60)}.reduce((a) => a.concat(a), [1])`],
  ['an array doubled by a spread', `${times(60)}.reduce((a) => [...a, ...a], [1])`],
  ['arguments doubled by a spread', `${times(60)}.reduce((a) => Array.of(...a, ...a), [1])`],
  ['an array doubled by flatMap', `${times(60)}.reduce((a) => a.flatMap(x => [x, x]), [1])`],
  ['records copied', `${times(3000)}.map(i => Object.fromEntries(list.map(k => [k, i])))`],
  ['records spread', `${times(5000)}.reduce((o, i) => ({ ...o, [i]: i }), {})`],
  ['entries', 'list.map(a => Object.entries(list).map(b => Object.entries(list)))'],
  ['a sort with a comparator that sorts', 'list.sort(() => list.sort((a, b) => a - b).length - 1000)'],
  ['a sort of long texts', 'list.map(i => "x".repeat(1e5) + i).sort()'],
  ['long texts compared', 'list.map(i => "x".repeat(1e6) + i).map((s, i, all) => all.map(t => s < t))'],
  [
    'long texts compared for equality',
    '["x".repeat(1e6), "x".repeat(1e6 - 1) + "y"].map((a, i, all) => list.map(() => list.map(() => a === all[1])))',
  ],
  ['includes of long texts', 'list.map(() => list.map(() => "x".repeat(1e6)).includes("x".repeat(1e6 - 1) + "y"))'],
  [
    'a text that almost stands in another',
    `"a".repeat(1e6).indexOf("a".repeat(2e5) + "b" + "a".repeat(2e5)) + ${times(200)}.map(i => "a".repeat(1e6).lastIndexOf("a".repeat(1e5) + "b")).length`,
  ],
  ['a regular expression that goes back', '("a".repeat(40) + "!").match(/^(a+)+$/)'],
  ['a regular expression that goes back in a split', '("a".repeat(40) + "!").split(/(a|aa)+$/)'],
  ['a regular expression over a long text at every place', '"a".repeat(1e5).search(/a*b/)'],
  ['a regular expression made from data', 'RegExp("(x+x+)+y").test("x".repeat(50))'],
  ['a counted regular expression', '("a".repeat(5000)).match(/(?:a{1,50}){1,50}(?:a{1,50}){1,50}b/)'],
  ['a replacement with what stands before and after', `${times(60)}.reduce((s) => s.replace(/x/g, "$\`$'"), "xxxx")`],
  ['a replacement full of names that do not end', 'list.map(() => "a".replace(/(?<n>a)/, "$<".repeat(1e6)))'],
  ['a replacement that grows', `${times(60)}.reduce((s) => s.replaceAll("x", "xxx"), "x")`],
  ['a replacement at every place', `${times(60)}.reduce((s) => s.replaceAll("", "x"), "x")`],
  ['a replacement that calls itself', '[0].concat(f => "x".replace(/x/, () => f(f))).reduce((a, f) => f(f))'],
  ['a text cut into characters', `${times(5000)}.map(() => "x".repeat(1e5).split(""))`],
  ['a text cut into matches', '"x".repeat(4e6).match(/x/g)'],
  ['a function that calls itself', '[0].concat(f => f(f)).reduce((a, f) => f(f))'],
  ['a function that calls itself in a map', '[0].concat(f => [1].map(() => f(f))).reduce((a, f) => f(f))'],
  [
    'a function that calls itself twice',
    '[0].concat((f, n) => n > 40 ? 1 : f(f, n + 1) + f(f, n + 1)).reduce((a, f) => f(f, 0))',
  ],
  ['a default that calls itself', '[0].concat((f, g = f(f)) => g).reduce((a, f) => f(f))'],
  ['a deep array as text', `String(${times(20000)}.reduce((a) => [a], 1))`],
  ['a deep array, flat', `${times(20000)}.reduce((a) => [a], 1).flat(Infinity)`],
  ['a deep array as JSON', `JSON.stringify(${times(20000)}.reduce((a) => [a], 1))`],
  ['a deep array as the result', `${times(20000)}.reduce((a) => [a], 1)`],
  ['deep JSON', 'JSON.parse("[".repeat(1e6) + "]".repeat(1e6))'],
  ['deep JSON with a reviver', 'JSON.parse("[".repeat(1e5) + "]".repeat(1e5), (k, v) => v)'],
  ['long JSON', `${times(100)}.map(() => JSON.parse("[" + "[],".repeat(1e5) + "1]"))`],
  ['marks on one letter', '("a" + "\\u0301\\u0323".repeat(1e5)).normalize()'],
  [
    'marks on one letter, compared',
    '("a" + "\\u0301\\u0323".repeat(1e5)).localeCompare("a" + "\\u0323\\u0301".repeat(1e5))',
  ],
  ['escaping', 'list.map(() => encodeURIComponent("é".repeat(1e5)))'],
  ['formatting', 'list.map(a => list.map(b => b.toLocaleString("de-DE", { minimumFractionDigits: 2 })))'],
  ['formatting dates', 'list.map(a => list.map(b => new Date(b).toLocaleString()))'],
  ['regular expressions made', 'list.map(a => list.map(b => RegExp("[a-z]".repeat(100) + b)))'],
  ['character codes', 'list.map(() => list.map(() => String.fromCharCode(...list)))'],
  ['the largest of many', 'list.map(() => list.map(() => Math.max(...list)))'],
  ['many parameters', 'list.map((a, b, c, d, e, f, g) => list.map(h => list.map(i => list.map(j => a))))'],
];

describe('it is stopped', () => {
  it.each(exploding)('%s', (_, text) => {
    const budget = createBudget(defaultLimit / 10);
    expect(failureOf(() => run(text, { ...env, budget })).code).toMatch(/^TOO610[789]$/);
  });

  it('without a budget of its own too', () => {
    expect(failureOf(() => run('list.map(a => list.map(b => list.map(c => a + b + c)))', env)).code).toBe('TOO6107');
  });

  it('nesting of a tree that no parser made', () => {
    for (const depth of [maxDepth, 3000, 100_000]) {
      let tree: Expression = { kind: 'literal', value: 1, start: 0, end: 1 };
      for (let i = 0; i < depth; i++) tree = { kind: 'unary', op: '-', operand: tree, start: 0, end: 1 };
      expect(failureOf(() => evaluate(tree, env)).code).toBe('TOO6109');
    }
  });

  it('a caller that has used up the stack', () => {
    const tree = parsed('list.map(a => [a].map(b => [b].map(c => [c].map(d => [d].map(e => -(-(-(-(-e)))))))))');
    const atTheEnd = (): unknown => {
      try {
        return atTheEnd();
      } catch {
        return evaluate(tree, env);
      }
    };
    // Whatever comes back through the frames: a value once there is room, or the failure with its code.
    expect(atTheEnd()).toHaveLength(1000);
  });
});

describe('it is not stopped', () => {
  it('as long as it does what expressions are for', () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ id: i, tag: `t${i % 7}`, text: 'some words here' }));
    const big = envOf({ rows });
    expect(
      run('rows.filter(r => r.tag === "t3" && r.id > 100).map(r => `${r.id}: ${r.text}`).join("\\n").length', big),
    ).toBeGreaterThan(10_000);
    expect(run('Object.entries(Object.groupBy(rows, r => r.tag)).map(([k, v]) => [k, v.length])', big)).toHaveLength(7);
    expect(run('rows.map(r => r.text).join(" ").split(/\\s+/).length', big)).toBe(60_000);
    expect(run('rows.slice(0, 5000).reduce((s, r) => s + r.text + "\\n", "").length', big)).toBe(80_000);
    expect(run('rows.toSorted((a, b) => b.id - a.id)[0].id', big)).toBe(19_999);
    expect(run('JSON.parse(JSON.stringify(rows)).length', big)).toBe(20_000);
  });

  it('by a deep expression that the parser lets through', () => {
    const text = `${'('.repeat(150)}1${' + 1)'.repeat(150)}`;
    expect(run(text)).toBe(151);
  });

  it('by a limit that is just enough', () => {
    const budget = createBudget();
    run('list.map(x => x * 2)', { ...env, budget });
    run('list.map(x => x * 2)', { ...env, budget: createBudget(budget.spent) });
    expect(failureOf(() => run('list.map(x => x * 2)', { ...env, budget: createBudget(budget.spent - 1) })).code).toBe(
      'TOO6107',
    );
  });
});
