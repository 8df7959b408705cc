import { expect, test } from 'vitest';
import { compileCode } from './compile.ts';
import { originalOffset } from './edits.ts';
import { type ReadCode, readCode } from './read-code.ts';
import type { CodeReturn, CodeValue } from './reads.ts';

const names = new Set(['draft', 'review', 'research-web', 'step-2', 'draft-new', 'a-b', 'a-b-c']);
const context = new Set(['input', 'steps', 'params', 'loop', 'cwd', 'signal', 'sh', 'Tracker']);

const read = (text: string): Promise<ReadCode> => readCode(text, { names, context });

/** `CODE text -> replacement: message`, for the first lines of a table. */
async function problemsOf(text: string): Promise<string[]> {
  const { problems } = await read(text);
  return problems.map(({ code, start, end, replacement, message }) => {
    const mended = replacement === undefined ? '' : ` -> ${replacement}`;
    return `${code} ${start} ${text.slice(start, end)}${mended}: ${message}`;
  });
}

async function readsOf(text: string): Promise<string[]> {
  const { reads, problems } = await read(text);
  expect(problems).toEqual([]);
  return reads.map((r) => `${[r.name, ...r.path].join('.')}@${r.start}:${text.slice(r.start, r.end)}`);
}

test('the code of the design reads what it names', async () => {
  const text = "return { lines: (await sh`git log --oneline ${input.since ?? 'HEAD'}`).split('\\n') }";
  const found = await read(text);
  expect(found.problems).toEqual([]);
  expect(found.code).toBe(text);
  expect(found.reads.map((r) => [r.name, ...r.path].join('.'))).toEqual(['sh', 'input.since']);
  expect(printValues(found.returns)).toEqual(['7 {lines@9: }']);
});

test.each([
  ['return draft.text.trim()', ['draft.text.trim@7:draft']],
  ['return draft?.a["b-c"]?.[0].d', ['draft.a.b-c@7:draft']],
  ['return draft[input.x]', ['draft@7:draft', 'input.x@13:input']],
  ['return steps.draft.text', ['draft.text@13:draft']],
  ['return steps["research-web"].x', ['research-web.x@14:research-web']],
  ['return steps[input.which]', ['steps@7:steps', 'input.which@13:input']],
  ['return Object.keys(steps)', ['steps@19:steps']],
  ['const { draft, review: { x } } = steps; return draft', ['draft@8:draft', 'review@15:review']],
  [
    'const { "research-web": web, ["draft"]: d = 1 } = steps; return web',
    ['research-web@9:research-web', 'draft@31:draft'],
  ],
  ['const { draft, ...others } = steps; return others', ['draft@8:draft', 'steps@29:steps']],
  ['const { [input.x]: one } = steps; return one', ['input.x@9:input', 'steps@27:steps']],
  ['let a; ({ draft: a } = steps); return a', ['draft@10:draft']],
  ['return (({ draft } = steps) => draft)()', ['draft@11:draft']],
  ['return typeof draft', ['draft@14:draft']],
  ['return { draft }', ['draft@9:draft']],
  ['return { draft: 1, input() {} }', []],
  ['return this?.draft', []],
  ['return research-web.found - draft.n', ['research-web.found@7:research-web', 'draft.n@28:draft']],
  ['return `${research-web.x}`', ['research-web.x@10:research-web']],
  ['return [...research-web.list]', ['research-web.list@11:research-web']],
  ['return "research-web" + /research-web/.source // research-web', []],
])('%s reads %j', async (text, reads) => {
  expect(await readsOf(text)).toEqual(reads);
});

test.each([
  'const draft = 1; return draft',
  'return draft; var draft',
  '{ var draft } return draft',
  'return draft(); function draft() {}',
  'class draft {} return draft',
  'const { a: [draft = 1], ...input } = {}; return [draft, input]',
  'return ((draft, { input }) => draft + input)(1, {})',
  'return (function draft() { return draft })',
  'return class draft { static x = draft }',
  'try {} catch (draft) { return draft } return 1',
  'try {} catch ({ draft }) { return draft } return 1',
  'for (const draft of []) draft; return 1',
  'for (let draft = 0; draft < 1; draft++); return 1',
  'for (const draft in {}) draft; return 1',
  'switch (1) { case 1: let draft = 2; return draft } return 1',
  'draft: for (;;) { break draft } return 1',
  'class A { static { var draft = 1; draft } } return A',
  'return { x: { draft: 1 }.draft, new: new.target }',
])('a declaration hides the step: %s', async (text) => {
  expect(await readsOf(text)).toEqual([]);
});

test.each([
  ['{ let draft = 1 } return draft', 25],
  ['{ function draft() {} } return draft', 31],
  ['(() => { var draft })(); return draft', 32],
  ['(function draft() {}); return draft', 30],
  ['return ((a = draft) => { var draft = a; return draft })()', 13],
  ['switch (draft) { case 1: let draft } return 1', 8],
  ['class A { static { var draft } } return draft', 40],
  ['class A { draft = draft } return A', 18],
  ['const { draft: x } = draft; return x', 21],
  ['const f = (draft) => 1; return draft', 31],
])('a declaration elsewhere hides nothing: %s', async (text, at) => {
  const { reads } = await read(text);
  expect(reads.map(({ name, start }) => [name, start])).toEqual([['draft', at]]);
});

test('code that nests too deeply is reported at the bracket that is one too many', async () => {
  const text = `return ${'['.repeat(300)}${']'.repeat(300)}`;
  expect(await problemsOf(text)).toEqual(['TOO3310 263 [: the code is nested too deeply to be read']);
});

test.each([
  ['(', ')', ''],
  ['(?:', ')', ''],
  ['[', ']', 'v'],
])('a pattern that nests too deeply is reported, and no crash: %s', async (open, close, flags) => {
  for (const count of [300, 5000]) {
    const text = `return /${open.repeat(count)}a${close.repeat(count)}/${flags}`;
    expect((await read(text)).problems.map(({ code, start }) => [code, start])).toEqual([['TOO3310', 7]]);
  }
  const fine = `return /[[a]${'('.repeat(100)}b${')'.repeat(100)}/`;
  expect((await read(fine)).problems).toEqual([]);
});

test.each([
  ['return research-web.found', 'return steps["research-web"].found'],
  ['return steps.research-web?.found', 'return steps["research-web"]?.found'],
  ['return steps?.research-web', 'return steps?.["research-web"]'],
  ['return { research-web }', 'return { "research-web": steps["research-web"] }'],
  ['return step-2.text', 'return steps["step-2"].text'],
  ['return draft-new.text', 'return steps["draft-new"].text'],
  ['return a-b-c.x + a-b.x + a-b-d', 'return steps["a-b-c"].x + steps["a-b"].x + steps["a-b"]-d', 'd'],
  ['return a -b', 'return a -b', 'a', 'b'],
  ['return a- b', 'return a- b', 'a', 'b'],
  ['return input.a-b', 'return input.a-b', 'b'],
  ['return input\n  .a-b', 'return input\n  .a-b', 'b'],
  ['return a-bc', 'return a-bc', 'a', 'bc'],
  ['return xa-b', 'return xa-b', 'xa', 'b'],
  ['const a = 2, b = 1; return a-b', 'const a = 2, b = 1; return a-b'],
  ['const a = 2; return a-b', 'const a = 2; return steps["a-b"]'],
  ['const step = 3; return step-2', 'const step = 3; return step-2'],
  ['return ((a, b) => a-b)(1, 2) + a-b', 'return ((a, b) => a-b)(1, 2) + steps["a-b"]'],
  [
    'const x: A<string> = research-web.x as A; return x!',
    'const x            = steps["research-web"].x     ; return x ',
  ],
  ['const é: string = "😀"; return research-web', 'const é         = "😀"; return steps["research-web"]'],
])('%s becomes %s', async (text, code, ...unknown) => {
  const found = await readCode(text, { names, context: new Set([...context, ...unknown]) });
  expect(found.problems).toEqual([]);
  expect(found.code).toBe(code);
});

test('the way back from the rewritten code leads to what was written', async () => {
  const text = 'const x = research-web.a;\nreturn x + a-b.c + fail()';
  const { code, edits } = await read(text);
  expect(code.split('\n').length).toBe(text.split('\n').length);
  expect(originalOffset(edits, code.indexOf('fail'))).toBe(text.indexOf('fail'));
  expect(originalOffset(edits, code.indexOf('steps["a-b"]') + 5)).toBe(text.indexOf('a-b'));
  expect(originalOffset(edits, 3)).toBe(3);
});

test.each([
  ['return 1 +', ['TOO3301 10 : the code ends before it is complete']],
  ['const x = {,}; return x', ['TOO3301 11 ,: unexpected ","']],
  ['let x: = 1; return x', ['TOO3301 7 =: unexpected "="']],
  ['const é: string = "😀\t中"; const z: number = ; return z', ['TOO3301 44 ;: unexpected ";"']],
  ['let a; let a; return a', ['TOO3301 11 a: "a" is declared twice']],
  ['return x => { await x }', ['TOO3301 20 x: "await" in a function that is not async']],
  ['return 1 } f(); {', ['TOO3301 9 }: "}" closes nothing']],
  ['} {', ['TOO3301 0 }: "}" closes nothing']],
  ['return f([1)', ['TOO3301 11 ): ")" where "]" must stand: it closes "["']],
  ['return f(1', ['TOO3302 8 (: "(" is never closed']],
  ['const f = (x: number) => { return 1', ['TOO3302 25 {: "{" is never closed']],
  ['return `a', ['TOO3302 7 `: this template is never closed']],
  ["return 'a", ["TOO3302 7 ': this text is never closed"]],
  ["return 'a;\nf('x')", ["TOO3302 7 ': this text is never closed"]],
  ['return /a', ['TOO3302 7 /: this regular expression is never closed']],
  ['return 1 /* a', ['TOO3302 9 /: this comment is never closed']],
  ["return draft.x.split('\n')", ["TOO3303 21 '\n' -> '\\n': a line break inside a text of the code"]],
  [
    'const x: string = "a-b\n"; return [x, \'c\r\nd\'.length]',
    [
      'TOO3303 18 "a-b\n" -> "a-b\\n": a line break inside a text of the code',
      "TOO3303 37 'c\r\nd' -> 'c\\r\\nd': a line break inside a text of the code",
    ],
  ],
  ['return /[/\n]/', ['TOO3303 7 /[/\n]/ -> /[/\\n]/: a line break inside a regular expression of the code']],
  [
    "import fs from 'fs'; import { a,\n b } from 'x'; return fs.a(b) + unknown",
    [
      'TOO3304 0 import fs from \'fs\';: "import" cannot stand in "run" code',
      'TOO3304 21 import { a,\n b } from \'x\';: "import" cannot stand in "run" code',
      'TOO3307 65 unknown: unknown name "unknown"',
    ],
  ],
  ["import x = require('y'); return x", ['TOO3304 0 import: "import" cannot stand in "run" code']],
  ['export default 1; return 1', ['TOO3304 0 export default: "export" cannot stand in "run" code']],
  ["const a = require('a'); return a", ['TOO3304 10 require: "require" does not exist in "run" code']],
  [
    'enum A { a,\nb } return A.a',
    ['TOO3305 0 enum A { a,: an enum cannot stand in "run" code: its types are left out, and this is more than a type'],
  ],
  ['return <string>input.x', ['TOO3305 7 <string>input.x: "<T>value" cannot be told from JSX']],
  ['', ['TOO3306 0 : the code is empty: the step has no value']],
  ['draft.x', ['TOO3306 0 draft.x -> return draft.x: the code returns nothing, and the step needs a value']],
  ['console.log(1)', ['TOO3306 0 console.log(1): the code returns nothing, and the step needs a value']],
  ['return', ['TOO3306 0 return: the code returns nothing, and the step needs a value']],
  [
    '{ a: 1, b: 2 }',
    ['TOO3306 0 { a: 1, b: 2 } -> return { a: 1, b: 2 }: an object without "return" before it: the step has no value'],
  ],
  ['throw new Error("x")', []],
  ['return imput.x', ['TOO3307 7 imput -> input: unknown name "imput". Did you mean "input"?']],
  [
    'return reserch-web.x',
    ['TOO3307 7 reserch-web -> research-web: unknown name "reserch-web". Did you mean "research-web"?'],
  ],
  ['return foo-bar + foo-bar', ['TOO3307 7 foo-bar: unknown name "foo-bar"']],
  [
    'const { drft } = steps; return drft',
    ['TOO3307 8 drft -> draft: drft: unknown step "drft". Did you mean "draft"?'],
  ],
  ['return steps.drft', ['TOO3307 13 drft -> draft: unknown step "drft". Did you mean "draft"?']],
  [
    'return steps["reserch-web"]',
    ['TOO3307 14 reserch-web -> research-web: unknown step "reserch-web". Did you mean "research-web"?'],
  ],
  ['return typeof zork + globalThis.zork', []],
  ['x = 1; return x', ['TOO3307 0 x: unknown name "x"']],
  ['return Buffer.from(await (await fetch(new URL(process.env.X))).arrayBuffer(), undefined, arguments)', []],
  ['input = 1; return 1', ['TOO3308 0 input: "input" cannot be assigned to: the workflow sets it']],
  [
    '[draft, { x: research-web }] = [1, 2]; return 1',
    [
      'TOO3308 1 draft: "draft" cannot be assigned to: it is the value of a step',
      'TOO3308 13 research-web: "research-web" cannot be assigned to: it is the value of a step',
    ],
  ],
  [
    'const steps = {}; return research-web',
    ['TOO3309 25 research-web: "research-web" cannot be read here, where "steps" is something else'],
  ],
  ['return { a-b: 1 }', ['TOO3309 9 a-b: the key "a-b" needs quotes']],
  ['f({ a-b: 1 }); function f() {} return 1', ['TOO3309 4 a-b -> "a-b": the key "a-b" needs quotes']],
  ['const a-b = 1; return 1', ['TOO3309 6 a-b: "a-b" cannot be declared: in code a name has no hyphen']],
  ['const step = 3; return step-2.x', ['TOO3301 30 x: a name cannot begin with a digit']],
])('%j is reported', async (text, problems) => {
  expect(await problemsOf(text)).toEqual(problems);
});

test('a step that needs no value needs no return', async () => {
  expect((await readCode('console.log(1)', { names, context, needsReturn: false })).problems).toEqual([]);
});

function printValues(returns: readonly CodeReturn[]): string[] {
  const print = (value: CodeValue): string => {
    if (value.kind === 'array') return `[${value.items.map(print).join(', ')}]`;
    if (value.kind === 'text' && value.text !== undefined) return `'${value.text}'`;
    if (value.kind !== 'object') return value.kind;
    const fields = value.fields.map(({ name, start, values }) => `${name}@${start}: ${values.map(print).join(' | ')}`);
    return `{${[...fields, ...(value.isOpen ? ['...'] : [])].join(', ')}}`;
  };
  return returns.map(({ start, empty, values }) => `${start} ${empty ? 'nothing' : values.map(print).join(' | ')}`);
}

test.each([
  ['return', ['0 nothing']],
  ['if (input.x) return 1; return (() => { return 2 })()', ['20 number', '30 ']],
  ['return { ...input, a: 1 }', ['7 {a@19: number, ...}']],
  ["return { 'x-y': 1, 2: [`a`, 'b'] }", ["7 {x-y@10: number, 2@19: [text, 'b']}"]],
  ['return input.x ? { a: null } : input.y ? await [{}] : f && !f', ['7 {a@19: null} | [{}] | boolean']],
  ['return [1].map(x => { return { b: x } })', ['7 ']],
  ['class A { m() { return 1 } static { (() => { return 2 })() } } return () => 3', ['70 function']],
  ['return { get a() { return 1 }, b() {}, [input.c]: 1 }', ['7 {a@13: , b@31: function, ...}']],
])('%s returns its values', async (text, returns) => {
  expect(printValues((await readCode(text, { names, context, needsReturn: false })).returns)).toEqual(returns);
});

test('a name that is declared may be one that the function is given', async () => {
  const { code } = await read('const input = 2; var draft = 3; return input * draft * research-web');
  const run: (...values: unknown[]) => Promise<unknown> = new Function(
    `return ${compileCode(code, ['input', 'draft', 'steps'])}`,
  )();
  expect(await run(10, 10, { 'research-web': 7 })).toBe(42);
});

test('thousands of levels are an error, and the code after them is read', async () => {
  const deep = 3000;
  for (const text of [
    `return ${'('.repeat(deep)}1${')'.repeat(deep)}`,
    `return ${'['.repeat(deep)}`,
    `const x: ${'A<'.repeat(deep)}B${'>'.repeat(deep)} = 1; return x`,
    `const x: any = ${'('.repeat(deep)}1${')'.repeat(deep)}; return x`,
  ]) {
    const { problems } = await read(text);
    expect(problems.map(({ code }) => code)).toEqual(['TOO3310']);
    expect((await read('const x: number = 1; return x')).problems).toEqual([]);
  }
});

test('code that is longer than a file has any use for is an error', async () => {
  const { problems } = await read(`return '${'x'.repeat(65_536)}'`);
  expect(problems.map(({ code }) => code)).toEqual(['TOO3310']);
});
