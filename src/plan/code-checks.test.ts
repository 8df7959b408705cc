import { expect, test } from 'vitest';
import { positionAt } from '../text/index.ts';
import { planText } from './plan-test-kit.ts';

// Of what is imported nothing is known here.
const head = `name: flow
imports:
  schemas[1]{from,use}:
    ./s.ts,Any
schemas:
  Who:
    name: string
    age: number?
    boss: Who?
input:
  s: string
  n: number
  b: boolean
  opt: string?
  level: "ok" | "bad"
  who: Who
  names: "string[]"
  list:
    - path: string
      line: number?
  "x-y": number
steps[6]:
  - id: q1
    run: "return await sh\`x\`"
    output:
      text: string
      who: Who
  - id: first-draft
    run: "return await sh\`x\`"
    output:
      text: string
  - id: r1
    run: "return await sh\`x\`"
    output: string
  - id: free
    run: "return await sh\`x\`"
    output: Any
  - kind: parallel
    id: both
    children[2]:
      - id: left
        run: "return await sh\`x\`"
        output:
          aa: string
      - id: right
        run: "return await sh\`x\`"
        output:
          bb: number
`;

/** Places, from 0, of what is wrong in the code of the last step. */
async function wrongIn(code: string, output = ': Any'): Promise<string[]> {
  const before = `${head}  - id: me\n    run: `;
  const text = `${before}${JSON.stringify(code)}\n    output${output}\n`;
  const { diagnostics } = await planText(text);
  const problems = diagnostics.filter(({ severity }) => severity !== 'note');
  return problems.map(({ code: number, source, span, message }) => {
    const { line, column } = positionAt(source, span.start);
    if (span.start < before.length) return `${number} ${line}:${column} ${message}`;
    const start = JSON.parse(`${text.slice(before.length, span.start)}"`).length;
    return `${number} ${start} ${JSON.parse(`"${text.slice(span.start, span.end)}"`)}`;
  });
}

/** `«»` around what is wrong, in order; with the codes in front. */
function marked(text: string): { readonly code: string; readonly wrong: readonly (readonly [number, string])[] } {
  const wrong: [number, string][] = [];
  let code = '';
  for (const [index, part] of text.split(/[«»]/).entries()) {
    if (index % 2 === 1) wrong.push([code.length, part]);
    code += part;
  }
  return { code, wrong };
}

test.each([
  'return input.s.trim().length',
  'return input?.who?.boss?.boss?.name',
  "return input['s'] + input[`n`]",
  "return input['x-y'] * 2",
  'return input.toString() + q1.hasOwnProperty("s") + input.constructor.name',
  'return input.names.map((name) => name.toUpperCase()).join()',
  'return input.names.length + input.names[0].length + input.names.at(-1).length',
  "return input.names['0'].length",
  'return input.list.map(({ path, line = 1 }) => path + line)',
  'return input.list.filter((each) => each.line > 1).map((each) => each.path)',
  'return input.list.find(({ line }) => line === 2)?.path',
  'return input.list.reduce((sum, { line }) => sum + (line ?? 0), 0)',
  'return input.list.reduce((all, each) => ({ ...all, [each.path]: all.extra }), {}).extra',
  'return input.list.toSorted((a, b) => a.path.localeCompare(b.path))[0].path',
  'return input.list.map((each, index, all) => all.length + index)',
  'return input.list.map((each) => ({ ...each, extra: 1 })).map((each) => each.extra)',
  'return input.list.map((each: any) => each.anything)',
  'return input.list.map(({ anything }: any) => anything)',
  'return input.list.map(function again(each) { return each.path })',
  'let each = input.list[0]; each = { other: 1 }; return each.other',
  'return input.list.map((each) => { each = JSON.parse(each.path); return each.anything })',
  'return (input as any).anything',
  'return (input.who as unknown as { zz: string }).zz',
  'const who = input.who as any; return who.zz',
  'const who: any = input.who; return who.zz',
  'const { zz }: any = input.who; return zz',
  'const { zz } = input.who as any; return zz',
  'const { zz } = (input.who as any); return zz',
  'for (const each of input.list as any[]) console.log(each.zz); return 1',
  'return (<T,>(value: T) => value)(input).s',
  "if ('zz' in input.who) return input.who.zz; return 1",
  "return Object.hasOwn(input, 'zz') ? input.zz : 1",
  "return input.who.hasOwnProperty('zz') && input.who.zz",
  'input.extra = 1; return input.extra',
  'q1.who.extra ??= 1; return q1.who.extra',
  '[input.extra] = [1]; return input.extra',
  'Object.assign(input.who, { extra: 1 }); return input.who.extra',
  'delete input.extra; return 1',
  'const q1 = { zz: 1 }; return q1.zz',
  'return ((q1) => q1.zz)({ zz: 1 })',
  'return [{ zz: 1 }].map((q1) => q1.zz)',
  'try { f() } catch (q1) { return q1.zz } function f() {} return 1',
  'function f({ zz }) { return zz } return f({ zz: 1 })',
  'function f({ zz } = input) { return zz } return f({ zz: 1 })',
  'const { zz = input } = JSON.parse(r1); return zz.anything',
  '{ const input = { zz: 1 }; return input.zz }',
  'class input { static zz = 1 } return input.zz',
  'const { s, n, who: { name, boss: { age } = {} } } = input; return s + n + name + age',
  "const { 's': a, ['n']: b, [r1]: c, ...rest } = input; return [a, b, c, rest.zz]",
  'const { who } = q1; const { boss } = who; return boss?.name ?? who.name',
  'const { q1: { text }, "first-draft": draft } = steps; return text + draft.text',
  'return steps.q1.text + steps["first-draft"].text + first-draft.text',
  'return steps.hasOwnProperty("zz") + Object.keys(steps).length + (steps as any).zz',
  'return steps[r1].zz + steps[0]',
  'return both[0].aa + both[1].bb + both.map((each) => each.aa ?? each.bb).join()',
  'const [a, { bb }] = both; return a.aa + bb',
  'return free.anything.at.all[0].zz + free[r1]()',
  'return input.n.toFixed(2) + input.b.toString() + input.level.length + r1.split(",").zz',
  'return input[r1] + input.who[input.s] + input.names[input.n].length',
  'return Object.entries(input).map(([key, value]) => key + value.zz)',
  'return (input.who ?? {}).name + (input.who.boss || { zz: 1 }).zz',
  'const { zz } = input.who.boss ?? { zz: 1 }; return zz',
  'return `${input.s} ${q1.text}` + typeof input.s',
  'return new Map(input.list.map((each) => [each.path, each])).get("a").zz',
  'return await Promise.all(input.list.map(async ({ path }) => sh`cat ${path}`))',
  'return input.names.includes("zz") || "zz" in input',
  'return r1.match(/a/)?.groups?.zz + [...r1].length + r1[0].length',
  'const fields = ["s"] as const; return fields.map((each) => input[each])',
  'label: for (const q1 of [{ zz: 1 }]) { if (q1.zz) break label } return 1',
  'interface T { zz: string } const t = JSON.parse(r1) as T; return t.zz',
  'const a = input.who, b = a; return b.name + a.age',
  'var who = input.who; var who = { zz: 1 }; return who.zz',
  'const f = (who) => who.zz; return f(input.who)',
  'return input.s /* .zz */ + q1.text // .zz',
  'return attempt + runId + key + cwd + signal.aborted + sh.name',
])('nothing is wrong with: %s', async (code) => {
  expect(await wrongIn(code)).toEqual([]);
});

test.each([
  [':\n      text: string', 'return { text: r1 }'],
  [':\n      text: string', 'return { ...q1 }'],
  [':\n      text: string', 'return { ...q1, text: "x" }'],
  [':\n      text: string', 'return { "text": `a${1}` } as any'],
  [':\n      text: string', 'return JSON.parse(r1)'],
  [':\n      text: string', 'return free && { text: free }'],
  [':\n      text: string', 'return null'],
  [':\n      text: string', 'const f = () => { return { zz: 1 } }; f(); return { text: r1 }'],
  [':\n      text: string', 'return [1].map(() => ({ zz: 1 }))[0]'],
  [':\n      text: string', 'return { [r1]: 1 }'],
  [':\n      text: string\n      n: number?', 'return { text: "", n: null }'],
  [':\n      text: string\n      n: number?', 'return { text: "", n: undefined }'],
  [': string', 'return r1 ? "a" : `b`'],
  [': string', 'return 1 + r1'],
  [': number', 'return -1'],
  [': boolean', 'return !r1 || r1 === "x"'],
  [': Who', 'return { name: r1, boss: { name: r1, boss: free } }'],
  [': "Who[]"', 'return [{ name: r1 }, ...free, free]'],
  [':\n      level: "ok" | "bad"', 'return { level: r1 ? "ok" : "bad" }'],
  [':\n      all: "string[]"', 'return { all: input.names.map((zz) => { return { zz } }) }'],
  [':\n      any: Any', 'return { any: { zz: [() => 1] } }'],
])('an output%s may be made by: %s', async (output, code) => {
  expect(await wrongIn(code, output)).toEqual([]);
});

const t = ':\n      text: string';

test.each([
  ['TOO3252', ': Any', 'return input.«zz»'],
  ['TOO3252', ': Any', 'return input?.«zz»'],
  ['TOO3252', ': Any', "return q1['«yy»']"],
  ['TOO3252', ': Any', 'return q1?.[`«yy»`].length'],
  ['TOO3252', ': Any', 'return (q1).«yy»'],
  ['TOO3252', ': Any', 'return q1!.«yy»'],
  ['TOO3252', ': Any', 'const { «ss» } = input; return ss'],
  ['TOO3252', ': Any', 'const { «ss»: s = 1, n } = input; return s + n'],
  ['TOO3252', ': Any', "const { '«ss»': s } = input; return s"],
  ['TOO3252', ': Any', 'const { who: { «zz» } } = q1; return zz'],
  ['TOO3252', ': Any', 'const { q1: { «zz» } } = steps; return zz'],
  ['TOO3252', ': Any', 'const { who } = q1; return who.«zz»'],
  ['TOO3252', ': Any', 'let s; ({ «zz»: s } = input); return s'],
  ['TOO3252', ': Any', 'return q1.who.«zz»'],
  ['TOO3252', ': Any', 'return q1.who.boss?.boss.«zz».length'],
  ['TOO3252', ': Any', 'return steps.q1.who.«zz»'],
  ['TOO3252 TOO3252', ': Any', 'return input.«whoo».«nmae»'],
  ['TOO3252', ': Any', 'return input.«zzzz».«zzzz»'],
  ['TOO3252', ': Any', "return steps['q1']['who']['«zz»']"],
  ['TOO3252', ': Any', 'return first-draft.«zz»'],
  ['TOO3252', ': Any', 'return input.list[0].«zz»'],
  ['TOO3252', ': Any', 'return input.list.map((each) => each.«zz»)'],
  ['TOO3252', ': Any', 'return input.list.map(({ «zz» }) => zz)'],
  ['TOO3252', ': Any', 'return input.list.filter((each) => each.line).map(function ({ «zz» }) { return zz })'],
  ['TOO3252', ': Any', 'return input.list.find((each) => each.line)?.«zz»'],
  ['TOO3252', ': Any', 'return input.list.reduce((sum, each) => sum + each.«zz», 0)'],
  ['TOO3252 TOO3252', ': Any', 'return input.list.sort((a, b) => a.«zz» - b.«zz»)'],
  ['TOO3252', ': Any', 'for (const { «zz» } of input.list) console.log(zz); return 1'],
  ['TOO3252', ': Any', 'for (const each of input.list) console.log(each.«zz»); return 1'],
  ['TOO3252', ': Any', 'const [first] = input.list; return first.«zz»'],
  ['TOO3252', ': Any', 'return both[0].«bb»'],
  ['TOO3252', ': Any', 'const [{ «bb» }] = both; return bb'],
  ['TOO3252', ': Any', 'return ((who) => who.«zz»)(input.who)'],
  ['TOO3252', ': Any', 'return (({ «zz» }) => zz)(input.who)'],
  ['TOO3252', ': Any', 'const who = input.who; const other = who; return other.boss.«zz»'],
  ['TOO3252', ': Any', 'const { «zz» } = input.who ?? {}; return zz'],
  ['TOO3252', ': Any', 'return (input.who || {}).«zz»'],
  ['TOO3252', ': Any', 'const x: string = input.«zz»; return x as string'],
  ['TOO3253', ': Any', 'return input.s.«trimm»()'],
  ['TOO3253', ': Any', 'return input.names.«lenght»'],
  ['TOO3253', ': Any', 'return input.n.«zz»'],
  ['TOO3253', ': Any', 'return input.names.map((name) => name.«toUpper»())'],
  ['TOO3311', ': string', 'return «{ text: r1 }»'],
  ['TOO3311', ': string', 'return «5»'],
  ['TOO3311', ': number', "return r1 ? 1 : «'1'»"],
  ['TOO3311', ': string', 'return «[r1]»'],
  ['TOO3311', ': string', 'return «() => r1»'],
  ['TOO3311', t, 'return { «txet»: r1 }'],
  ['TOO3311', t, "return { '«txet»': r1 }"],
  ['TOO3311', t, 'return { text: «1» }'],
  ['TOO3311', t, 'return { text: «null» }'],
  ['TOO3311', t, 'return { ...q1, «zz»: r1 }'],
  ['TOO3311', t, 'return r1 ? { «txet»: r1 } : { text: r1 }'],
  ['TOO3311', t, 'return free ?? «{}»'],
  ['TOO3311', t, 'return r1 && (await { «txet»: r1 })'],
  ['TOO3311 TOO3311', t, 'return { «txet»: «1» }'],
  ['TOO3311', t, 'return «[{ text: r1 }]»'],
  ['TOO3311', ': "Who[]"', 'return [{ «nmae»: r1 }, { name: r1 }]'],
  ['TOO3311', ': "Who[]"', 'return [{ name: r1 }, «{ age: 1 }»]'],
  ['TOO3311', ': Who', 'return { name: r1, boss: { «nmae»: r1 } }'],
  ['TOO3311', ':\n      level: "ok" | "bad"', "return { level: '«bda»' }"],
  ['TOO3307', t, 'return { «xet» }'],
  ['TOO3307', t, 'return { «unheard» }'],
  ['TOO3309', t, 'return { «first-draft»: 1 }'],
  ['TOO3311', t, 'const txet = r1; return { «txet» }'],
  ['TOO4232', ': Any', 'return «loop».iteration'],
  ['TOO4232 TOO4232', ': Any', 'return «params».x + «id»'],
  ['TOO4232', ': Any', 'const { x } = «params»; return x'],
  ['TOO3307 TOO3301 TOO3307', ': Any', 'const x = «nope2»; retrun «nope3»; return «nope4»'],
  ['TOO3252 TOO3301', ': Any', 'const x = input.«zz»;\nreturn x +«»'],
  ['TOO3307 TOO3301', ': Any', 'const x = «nope»\nconst y «z»\nreturn x + y'],
  ['TOO3301 TOO3307', ': Any', 'return input.list.map((each) => { const «const» = 1; return 2 }).concat(«nope»)'],
  ['TOO3301 TOO3252', ': Any', 'if (r1) { const x «y»; return x.zz + y }\nreturn q1.«zz»'],
  ['TOO3307 TOO3302', ': Any', 'f(«nope»); function f() {} return f«(»nope2'],
  ['TOO3307 TOO3302', ': Any', "const a = «nope»; return «'»abc"],
  ['TOO3301 TOO3301 TOO3307', ': Any', 'const x = [1 «2»]; const y = { a: 1 «b»: 2 }; return «nope»'],
])('%s with the output%s: %s', async (codes, output, text) => {
  const { code, wrong } = marked(text);
  const found = await wrongIn(code, output);
  expect(found).toEqual(codes.split(' ').map((number, index) => [number, ...(wrong[index] ?? [])].join(' ')));
});

test('an object without a return is read as if it were there', async () => {
  expect(await wrongIn('{ a: 1, b: nope }')).toEqual(['TOO3306 0 { a: 1, b: nope }', 'TOO3307 11 nope']);
});
