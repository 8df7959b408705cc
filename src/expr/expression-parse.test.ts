import { describe, expect, it } from 'vitest';
import type { Expression } from './expression.ts';
import { parseCondition, parseExpression } from './expression-parse.ts';

const names = new Set(['research-web', 'research-web-2', 'step-2', 'new-user', 'a', 'b', 'größe-x']);

function marks(text: string, parse = parseExpression): string[] {
  return parse(text, { names }).problems.map(({ code, start, end, replacement }) => {
    return `${code} ${text.slice(start, end)}${replacement === undefined ? '' : ` -> ${replacement}`}`;
  });
}

/** A short form of a tree, with parentheses around every operation. */
function brief(node: Expression | undefined): string {
  switch (node?.kind) {
    case 'name':
      return node.name;
    case 'literal':
      return JSON.stringify(node.value);
    case 'member':
      return `${brief(node.object)}${node.optional ? '?.' : '.'}${node.name}`;
    case 'binary':
    case 'logical':
      return `(${brief(node.left)} ${node.op} ${brief(node.right)})`;
    case 'unary':
      return `(${node.op}${brief(node.operand)})`;
    default:
      return node?.kind ?? '';
  }
}

function read(text: string, parse = parseExpression): string {
  const { expression, problems } = parse(text, { names });
  expect(problems).toEqual([]);
  return brief(expression);
}

describe('parseExpression', () => {
  it('knows where everything is, also in a part of a text', () => {
    const text = 'xx a.b + 1 xx';
    expect(parseExpression(text, { start: 3, end: 10 })).toEqual({
      expression: {
        kind: 'binary',
        start: 3,
        end: 10,
        op: '+',
        left: {
          kind: 'member',
          start: 3,
          end: 6,
          object: { kind: 'name', start: 3, end: 4, name: 'a' },
          name: 'b',
          nameStart: 5,
          optional: false,
        },
        right: { kind: 'literal', start: 9, end: 10, value: 1 },
      },
      problems: [],
    });
  });

  it('keeps how far a "?." reaches', () => {
    const chain = parseExpression('a?.b.c').expression;
    expect(chain?.kind).toBe('chain');
    const cut = parseExpression('(a?.b).c').expression;
    expect(cut?.kind === 'member' && cut.object.kind).toBe('chain');
  });

  it.each([
    'f(x => x)',
    'f((x))',
    'f((x => ({ a: x })))',
    'f((a, [b, , ...c] = [], { d, "e f": g = 1, ...h }, ...i) => a)',
    'a /* } */ // end',
    '[1, , ...a]',
    '{ a, "b": 1, [c]: 2, 3: 4, ...d }',
    '`a${`b${c}`}` + /[/]}/g.source',
    'a / b / c',
    'a[0] / 2 + (b) / 2',
    'new Date + new RegExp("a", "g")',
    'a?.[0]?.(b)?.c',
    'a.class.if.function.await',
    '{ if: 1, class: 2, return: 3 }',
    'a, b',
    'package + let + async + static',
    'a ?.5 : 1',
    "'\\0' + '\\x41'",
    'xs.sort((x, y) => x - y)[0]',
  ])('reads %s', (text) => {
    expect(parseExpression(text, { names }).problems).toEqual([]);
  });

  it.each([
    ['research-web.findings', 'research-web.findings'],
    ['research-web-2', 'research-web-2'],
    ['research-web-3', '(research-web - 3)'],
    ['research-web-x', '(research-web - x)'],
    ['research - web', '(research - web)'],
    ['research -web', '(research - web)'],
    ['a-b', '(a - b)'],
    ['a-research-web', '(a - research-web)'],
    ['-research-web', '(-research-web)'],
    ['x.research-web', '(x.research - web)'],
    ['x?.research-web', 'binary'],
    ['step-2', 'step-2'],
    ['step-2b', undefined],
    ['step-20', '(step - 20)'],
    ['xstep-2', '(xstep - 2)'],
    ['new-user.name', 'new-user.name'],
    ['größe-x', 'größe-x'],
    ['1-step-2', '(1 - step-2)'],
  ])('reads the hyphens of %s', (text, expected) => {
    if (expected === undefined) expect(marks(text)).toEqual(['TOO3206 2b']);
    else if (expected === 'binary') expect(parseExpression(text, { names }).expression?.kind).toBe('binary');
    else expect(read(text)).toBe(expected);
  });

  it('leaves hyphens in strings alone, and keeps the name of a short key', () => {
    expect(parseExpression("'research-web'", { names }).expression).toMatchObject({ value: 'research-web' });
    expect(parseExpression('{research-web}', { names }).expression).toMatchObject({
      entries: [{ key: 'research-web', value: { kind: 'name', name: 'research-web', start: 1, end: 13 } }],
    });
  });

  it.each([
    ['', ['TOO3201 ']],
    [' // nothing', ['TOO3201  // nothing']],
    [';', ['TOO3201 ;']],
    // Syntax
    ['a b', ['TOO3202 b']],
    ['a +', ['TOO3202 +']],
    ['a ? b', ['TOO3202 b']],
    ['()', ['TOO3202 )']],
    ['f(,)', ['TOO3202 ,']],
    ['...a', ['TOO3202 ...']],
    ['a ?? b || c', ['TOO3202 ||']],
    ['-a ** b', ['TOO3202 **']],
    ['f((a, a) => 1)', ['TOO3202 a']],
    ['a.x => 1', ['TOO3202 =>']],
    ['a ≤ b', ['TOO3202 ≤']],
    ["name's", ["TOO3202 '"]],
    ['a.#b', ['TOO3202 #']],
    ['“x” == a', ['TOO3202 “x” -> "x"']],
    ['a == \\"x\\"', ['TOO3202 \\"x\\" -> "x"']],
    ['a and not b or c', ['TOO3202 and -> &&', 'TOO3202 not  -> !', 'TOO3202 or -> ||']],
    ['a is 1', ['TOO3202 is -> ===']],
    // Ends
    ['"abc', ['TOO3203 "']],
    ["'a\n", ["TOO3203 '"]],
    ['`a${b}c', ['TOO3203 `']],
    ['a + /b', ['TOO3203 /']],
    ['a /* b', ['TOO3203 /*']],
    ["a.join('\n')", ['TOO3204 \n -> \\n']],
    ["'a\r\nb\nc' = d", ['TOO3204 \r\nb\n -> \\r\\nb\\n', 'TOO3211 = -> ===']],
    ['(a', ['TOO3205 (']],
    ['`${a', ['TOO3205 ${']],
    ['a)', ['TOO3205 )']],
    ['(a]', ['TOO3205 ] -> )']],
    ['[(a]', ['TOO3205 (']],
    ['{a: (1}', ['TOO3205 (']],
    // Literals
    ['2nd', ['TOO3206 2nd']],
    ['010', ['TOO3206 010']],
    ['0x', ['TOO3206 0x']],
    ['1__0', ['TOO3206 1__0']],
    ['1e999', ['TOO3206 1e999 -> Infinity']],
    ['/(/', ['TOO3206 /(/']],
    ['/a/gg', ['TOO3206 /a/gg']],
    ["'\\1' + '\\\\1'", ['TOO3206 \\1']],
    ["'\\u{1'", ["TOO3206 '\\u{1'"]],
    // Assignment
    ['a = 1', ['TOO3211 = -> ===']],
    ['a && b = c', ['TOO3211 = -> ===']],
    ['a = b = c', ['TOO3211 = -> ===', 'TOO3211 = -> ===']],
    ['f((x = 1) => (y = 2))', ['TOO3211 = -> ===']],
    ['a += 1', ['TOO3211 += -> +']],
    ['a ??= 1', ['TOO3211 ??=']],
    ['a++ + --b', ['TOO3211 ++', 'TOO3211 --']],
    ['a-->b', ['TOO3211 --']],
    ['delete a.b', ['TOO3211 delete a.b']],
    // Statements
    ['if (a) { b }', ['TOO3212 if']],
    ['return a', ['TOO3212 return']],
    ['let x = 1', ['TOO3212 let']],
    ['a;', ['TOO3212 ; -> ']],
    ['a; b;', ['TOO3212 ;', 'TOO3212 ; -> ']],
    // Functions
    ['function () { return 1 }', ['TOO3213 function']],
    ['class A {}', ['TOO3213 class']],
    ['{ a() { return 1 } }', ['TOO3213 {']],
    ['{ get a() { return 1 } }', ['TOO3213 {']],
    ['f(x => { return x.y; })', ['TOO3213 { return x.y; } -> (x.y)']],
    ['f(x => { return x = 1 })', ['TOO3213 { return x = 1 } -> (x = 1)', 'TOO3211 = -> ===']],
    ['f(x => { a: 1 })', ['TOO3213 {']],
    ['x => x', ['TOO3214 x => x']],
    ['[x => x]', ['TOO3214 x => x']],
    ['f(a ? x => x : b)', ['TOO3214 x => x']],
    ['new Date(x => x)', ['TOO3214 x => x']],
    // Left out
    ['await a.b', ['TOO3215 await  -> ']],
    ['yield (a)', ['TOO3215 yield  -> ']],
    ['f(async x => x)', ['TOO3215 async -> ']],
    ['new Set(a)', ['TOO3215 new Set(a)']],
    ['new String(a)', ['TOO3215 new String(a) -> String(a)']],
    ['10n + 1n.x', ['TOO3215 10n -> 10', 'TOO3215 1n']],
    ['a`b`', ['TOO3215 a`b`']],
    ['this.x', ['TOO3215 this']],
    ['import("x")', ['TOO3215 import']],
    ['super.x', ['TOO3215 super']],
    ['a.b instanceof Array', ['TOO3215 a.b instanceof Array -> Array.isArray(a.b)']],
    ['a instanceof b', ['TOO3215 a instanceof b']],
    // Prototypes
    ['a.constructor', ['TOO3216 constructor']],
    ["a?.['__proto__']", ["TOO3216 '__proto__'"]],
    ['a[`prototype`].x', ['TOO3216 `prototype`']],
    ['a.__defineGetter__("x", f)', ['TOO3216 __defineGetter__']],
    ['{ __proto__: a }', ['TOO3216 __proto__']],
    ['{ "__proto__": a }', ['TOO3216 "__proto__"']],
    ['{ ["__proto__"]: a }', ['TOO3216 "__proto__"']],
    ['f(({ constructor: c }) => c)', ['TOO3216 constructor']],
    // More than one
    ['a.constructor + new Map() + (b = 1)', ['TOO3216 constructor', 'TOO3215 new Map()', 'TOO3211 = -> ===']],
  ])('reports %j', (text, expected) => {
    expect(marks(text)).toEqual(expected);
  });

  it('says how to mend it', () => {
    const first = (text: string) => parseExpression(text).problems[0];
    expect(first("'\n'")).toMatchObject({
      message: 'a string in an expression cannot hold a line break, and "\\n" in a quoted text is one already',
      help: 'Write "\\\\n" in the file: then the string in the expression holds "\\n".',
    });
    expect(first('a = 1')?.message).toBe('an expression cannot assign. Did you mean "==="?');
    expect(first('a ? b')?.help).toBe('A choice is written "test ? one : other".');
    expect(first('a b')).toMatchObject({ message: 'unexpected "b"', help: 'An operator is missing before it.' });
    expect(first('/(/')?.message).toBe('this is not a regular expression: unterminated group');
  });
});

describe('parseCondition', () => {
  it.each([
    ['{review.approved} == true', '(review.approved == true)'],
    ['{a.x} > 3 && {b.y}', '((a.x > 3) && b.y)'],
    ['!{a.done}', '(!a.done)'],
    ['{research-web.done}', 'research-web.done'],
    ["{a} == '{b}'", '(a == "{b}")'],
    ['{{a} + {b}}', '(a + b)'],
    ['{x}.y', 'x.y'],
  ])('reads %s', (text, expected) => {
    expect(read(text, parseCondition)).toBe(expected);
  });

  it('keeps braces of strings, templates and regular expressions', () => {
    expect(parseCondition('/}{2}/.test(`}${ {a} }{`)')).toMatchObject({
      problems: [],
      expression: {
        callee: { object: { pattern: '}{2}' } },
        args: [{ texts: ['}', '{'], expressions: [{ kind: 'name', start: 18, end: 19 }] }],
      },
    });
  });

  it.each([
    ['', ['TOO3201 ']],
    ['{}', ['TOO3201 {}']],
    ['{a} && {  }', ['TOO3201 {  }']],
    ['{a.x} = 3', ['TOO3211 = -> ===']],
    ['{a: 1}', ['TOO3202 :']],
    ['{a.x} => 3', ['TOO3202 a']],
    ['{a', ['TOO3205 {']],
    ['{a)', ['TOO3205 ) -> }']],
    ['(a}', ['TOO3205 } -> )']],
    ['a}', ['TOO3205 }']],
    ['{a} {b}', ['TOO3202 {']],
    ['{a} > 3 and {b}', ['TOO3202 and -> &&']],
    ['when the topic is empty', ['TOO3202 when the topic is empty']],
  ])('reports %j', (text, expected) => {
    expect(marks(text, parseCondition)).toEqual(expected);
  });
});

describe('a long or deep expression', () => {
  it.each([
    ['(', ')'],
    ['[', ']'],
    ['{a:', '}'],
    ['f(', ')'],
    ['`${', '}`'],
    ['!', ''],
    ['- ', ''],
    ['typeof ', ''],
    ['a ? b : ', ''],
    ['x => ', ''],
    ['new ', ''],
    ['a ** ', ''],
    ['a + ', ''],
    ['a = ', ''],
    ['a && ', ''],
    ['class extends ', ''],
    ['await ', ''],
    ['async ', ''],
    ['f(x => x, (', '))'],
  ])('of many %j is too deep, and no crash', (open, close) => {
    for (const parse of [parseExpression, parseCondition]) {
      for (const count of process.env.TOOLANG_DEEP ? [3000, 100_000] : [3000]) {
        const { problems } = parse(`${open.repeat(count)}a${close.repeat(count)}`);
        expect(problems.length).toBeGreaterThan(0);
      }
    }
    const codes = parseExpression(`${open.repeat(3000)}a${close.repeat(3000)}`).problems.map((p) => p.code);
    if (!/class|async|await|=/.test(open) || open === 'x => ') expect(codes).toContain('TOO3207');
  });

  it.each([
    ['(', ')', ''],
    ['(?=', ')', ''],
    ['[', ']', 'v'],
  ])('of a pattern of many %j is too deep, and no crash', (open, close, flags) => {
    const codes = (count: number) =>
      parseExpression(`/${open.repeat(count)}a${close.repeat(count)}/${flags}.test(a)`).problems.map((p) => p.code);
    expect([190, 3000, 50_000].map(codes)).toEqual([[], ['TOO3207'], ['TOO3207']]);
    expect(parseExpression(`/[[a]${'('.repeat(3000)}b${')'.repeat(3000)}/.test(a)`).problems.length).toBe(1);
  });

  it('may nest 190 levels, and chain 390 links', () => {
    for (const [open, close] of [
      ['(', ')'],
      ['[', ']'],
      ['!', ''],
      ['a ? b : ', ''],
    ] as const) {
      expect(parseExpression(`${open.repeat(190)}a${close.repeat(190)}`).problems).toEqual([]);
    }
    expect(parseExpression(`a${' + a'.repeat(390)}`).problems).toEqual([]);
    expect(parseExpression(`a${'.a'.repeat(390)}`).problems).toEqual([]);
    expect(parseExpression(`a${'.a'.repeat(3000)}`).problems.map((p) => p.code)).toEqual(['TOO3207']);
  });

  it('may be as long as it likes', () => {
    expect(parseExpression(`[${'a.b + (1), '.repeat(20_000)}]`).problems).toEqual([]);
    expect(parseExpression(`'${'a'.repeat(1_000_000)}'`).problems).toEqual([]);
  });

  it.each([
    'a-',
    '(',
    ')',
    '"',
    "'",
    '`',
    '${',
    '/',
    '/[',
    '/*',
    '//',
    '“',
    '\\"',
    '\\',
    '-',
    '= ',
    '; ',
    'a ',
    'a and ',
    '=>{',
    '{',
    '}',
    '.',
    '#',
    '1',
    '\n',
    'a?',
    "'\n",
  ])('of a long run of %j is read in linear time', (unit) => {
    // Anything but linear would not end before the test is stopped.
    const text = unit.repeat((process.env.TOOLANG_DEEP ? 300_000 : 20_000) / unit.length);
    for (const parse of [parseExpression, parseCondition]) parse(text, { names });
  });
});
