/** Inference by examples: every problem with its place and its mend, and what must pass in silence. */
import { describe, expect, it } from 'vitest';
import type { Expression } from '../expression.ts';
import { parseExpression } from '../expression-parse.ts';
import { inferExpression } from './infer.ts';
import { infer, scope } from './infer-test-kit.ts';

/** The place is marked with «»; then the code, a part of the message, and what the marked text is replaced by. */
type Case = readonly [marked: string, code: string, message: string, replacement?: string];

function told(marked: string, condition = false) {
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  const text = marked.replace('«', '').replace('»', '');
  return { start, end, text, problems: infer(text, { condition }).problems };
}

function check(cases: readonly Case[], condition = false): void {
  it.each(cases.map((one) => [one[0], one] as const))('%s', (_, [marked, code, message, replacement]) => {
    const { start, end, text, problems } = told(marked, condition);
    expect(problems.map((problem) => problem.code)).toEqual([code]);
    const [problem] = problems;
    expect(problem?.message).toContain(message);
    expect([problem?.start, problem?.end]).toEqual([start, end]);
    expect(problem?.replacement).toBe(replacement);
    if (replacement === undefined) return;
    const mended = text.slice(0, start) + replacement + text.slice(end);
    expect(infer(mended, { condition }).problems).toEqual([]);
  });
}

describe('an unknown name', () => {
  check([
    ['«inptu».repo', 'TOO3251', 'unknown name "inptu". Did you mean "input"?', 'input'],
    ['«Maht».PI', 'TOO3251', 'Did you mean "Math"?', 'Math'],
    ['«repo».trim()', 'TOO3251', 'unknown name "repo". Did you mean "input.repo"?', 'input.repo'],
    ['«nowhere»', 'TOO3251', 'unknown name "nowhere"'],
    ['«research-wbe».text', 'TOO3251', 'unknown name "research-wbe". Did you mean "research-web"?', 'research-web'],
    ['draft-«nothing».text', 'TOO3251', 'unknown name "nothing"'],
    ["input.tags.map(tag => «tga» + '!')", 'TOO3251', 'Did you mean "tag"?', 'tag'],
    ['input.tags.map(tag => tag).concat(«tag»)', 'TOO3251', 'unknown name "tag"'],
  ]);

  it('lists the names when none is close', () => {
    expect(infer('zzzzzz').problems[0]?.help).toBe('The names here are input, draft, facts, lint, research-web.');
  });
});

describe('an unknown field', () => {
  check([
    [
      'draft.«txt»',
      'TOO3252',
      'step "draft" has no field "txt"; it has text, title, note. Did you mean "text"?',
      'text',
    ],
    ["draft[«'txt'»]", 'TOO3252', 'Did you mean "text"?', "'text'"],
    ['draft[«"txt"»]', 'TOO3252', 'Did you mean "text"?', '"text"'],
    ['input.«reop»', 'TOO3252', 'input has no field "reop"', 'repo'],
    ['input.meta.«nothing»', 'TOO3252', '"input.meta" has no field "nothing"; it has title, size'],
    ['facts.«txt».trim()', 'TOO3252', 'step "facts" has no field "txt"', 'text'],
    ['input.owner?.«nmae»', 'TOO3252', 'Did you mean "name"?', 'name'],
    ['input.tree.children[0].«vaule»', 'TOO3252', 'Did you mean "value"?', 'value'],
    ['({ a: 1 }).«b»', 'TOO3252', 'has no field "b"; it has a'],
    [
      'input.findings.map(({ «lin» }) => lin)',
      'TOO3252',
      'it has path, line, level. Did you mean "line"?',
      'line: lin',
    ],
    ['input.findings.map(f => f.«pth»)', 'TOO3252', 'parameter "f" has no field "pth"', 'path'],
  ]);
});

describe('an unknown method or property', () => {
  check([
    ["input.tags.«joyn»(', ')", 'TOO3253', 'is string[], which has no "joyn". Did you mean "join"?', 'join'],
    ['input.tags.«trim»()', 'TOO3253', '"input.tags" is string[], which has no "trim"'],
    ['input.count.«foo»', 'TOO3253', '"input.count" is number, which has no "foo"'],
    ['input.findings.«path»', 'TOO3253', 'which has no "path"'],
    ['Math.«rond»(1)', 'TOO3253', 'Math has no "rond". Did you mean "round"?', 'round'],
    ['Math.«random»()', 'TOO3253', 'Math has no "random"'],
    ["(input.fast ? 'a' : 1).«trim»()", 'TOO3253', 'may be number, which has no "trim"'],
    ['new Date().«getTim»()', 'TOO3253', 'Did you mean "getTime"?', 'getTime'],
    ["/a/.«tset»('a')", 'TOO3253', 'Did you mean "test"?', 'test'],
    ['input.scores.map(({ «size» }) => size)', 'TOO3253', 'the parameter is number, which has no "size"'],
  ]);

  it('says who has it, and why it is left out', () => {
    expect(infer('input.tags.trim()').problems[0]?.help).toBe('Only strings have "trim".');
    expect(infer('Math.random()').problems[0]?.help).toMatch(/^It is left out: /);
    expect(infer('input.findings.path').problems[0]?.help).toContain('.map(item => item.path)');
  });
});

describe('a value that may be missing', () => {
  check([
    ['input.since«.»trim()', 'TOO3254', '"input.since" may be undefined, and reading "trim" of it would fail', '?.'],
    ['input.more«[»0]', 'TOO3254', '"input.more" may be undefined', '?.['],
    ['(input.more)«[»0]', 'TOO3254', 'may be undefined', '?.['],
    ['input.since\n  «.» trim()', 'TOO3254', 'may be undefined', '?.'],
    ['facts.note«.»trim()', 'TOO3254', '"facts.note" may be undefined', '?.'],
    ['(input.owner?.name)«.»length', 'TOO3254', 'may be undefined', '?.'],
    ['input.repo.match(/x/)«[»0]', 'TOO3254', 'may be null', '?.['],
    ["input.tags.find(t => t > 'a')«.»trim()", 'TOO3254', 'may be undefined', '?.'],
    ['input.findings.map(f => f.line«.»toFixed())', 'TOO3254', '"f.line" may be undefined', '?.'],
    ['[...«input.more»]', 'TOO3254', 'a value is needed here', '(input.more ?? [])'],
    ['Object.keys(«input.owner»)', 'TOO3254', 'a value is needed here', '(input.owner ?? {})'],
    ["'name' in «input.owner»", 'TOO3254', 'a value is needed here', '(input.owner ?? {})'],
    ['[input.owner].map((«{ name }») => name)', 'TOO3254', 'the parameter may be undefined'],
    ['input.owner || input.owner«.»name', 'TOO3254', 'is undefined', '?.'],
    ['null«.»x', 'TOO3254', 'is null', '?.'],
  ]);
});

describe('a wrong call', () => {
  check([
    ['input.«repo»()', 'TOO3255', '"input.repo" is string, not a function'],
    ['«Math»(1)', 'TOO3255', 'not a function'],
    ['«input.tags[0]»()', 'TOO3255', 'not a function'],
    ['«input.repo.repeat()»', 'TOO3256', 'takes one argument, and gets none'],
    ['input.repo.trim(«1»)', 'TOO3256', 'takes no arguments, and gets 1'],
    ['input.repo.slice(1, 2, «3, 4»)', 'TOO3256', 'takes at most 2 arguments, and gets 4'],
    ['«input.tags.map()»', 'TOO3256', 'takes at least one argument'],
    ['«Math.pow(2)»', 'TOO3256', 'takes 2 arguments, and gets 1'],
    ['input.repo.includes(«input.tags»)', 'TOO3257', 'includes takes a text here, and "input.tags" is string[]'],
    ['input.repo.startsWith(«/x/»)', 'TOO3257', 'is RegExp'],
    ["input.repo.slice(«'abc'»)", 'TOO3257', 'slice takes a number here'],
    ['input.tags.map(«3»)', 'TOO3257', 'map takes a function here'],
    ['input.tags.map(«input.repo.trim»)', 'TOO3257', 'is a method, and map would call it without its value'],
    ['Math.max(«input.scores»)', 'TOO3257', 'max takes a number here', '...input.scores'],
    ["input.repo.replaceAll(«/x/», 'y')", 'TOO3257', 'needs a regular expression with the flag "g"', '/x/g'],
    ['Object.keys(«5»)', 'TOO3257', 'takes an object or a list here'],
    ['Object.fromEntries(«input.count»)', 'TOO3257', 'takes a list here'],
    ['input.tags[«input.meta»]', 'TOO3257', 'an index is a number or a text'],
  ]);
});

describe('a wrong operand', () => {
  check([
    ['«input.tags» * 2', 'TOO3258', '"*" needs numbers, and "input.tags" is string[]'],
    ['-«input.meta»', 'TOO3258', '"-" needs numbers'],
    ["2 - «'abc'»", 'TOO3258', "'abc'"],
    ['«input.tags» > 3', 'TOO3258', '">" needs numbers'],
    ["input.count > «'abc'»", 'TOO3258', '">" needs numbers'],
    ["lint.level == «'warn'»", 'TOO3259', `never true: "lint.level" is "ok" | "bad", never 'warn'`],
    ["lint.level == «'okk'»", 'TOO3259', 'never true: "lint.level" is "ok" | "bad". Did you mean "ok"?', "'ok'"],
    ["«'okk'» !== lint.level", 'TOO3259', 'always true', "'ok'"],
    ["input.count === «'5'»", 'TOO3259', '"input.count" is number, and \'5\' is a text', '5'],
    ["input.fast == «'true'»", 'TOO3259', 'is boolean', 'true'],
    ["typeof input.data === «'strng'»", 'TOO3259', 'Did you mean "string"?', "'string'"],
    ['«input.tags == []»', 'TOO3259', 'a new list equals no other'],
    ['input.tags.includes(«5»)', 'TOO3259', 'never finds 5 in a list of string'],
    ["input.findings.map(f => f.level).includes(«'hihg'»)", 'TOO3259', 'Did you mean "high"?', "'high'"],
    ["'x' in «input.repo»", 'TOO3261', '"in" looks for a field of an object, and "input.repo" is string'],
    ['[...«input.meta»]', 'TOO3262', 'which is no list to spread'],
    ['Math.max(...«input.count»)', 'TOO3262', 'is number'],
    ['input.findings.map((«[a]») => a)', 'TOO3262', 'no list to take apart'],
    ["'a' + «input.meta»", 'TOO3263', 'gives no useful text', 'JSON.stringify(input.meta)'],
    ['`${«input.meta»}`', 'TOO3263', 'gives no useful text', 'JSON.stringify(input.meta)'],
  ]);
});

describe('a condition that is always true', () => {
  check([['«input.tags» ? 1 : 2', 'TOO3260', 'an empty list counts as true', 'input.tags.length > 0']]);
  check(
    [
      ['«input.tags»', 'TOO3260', 'always true', 'input.tags.length > 0'],
      ['«draft»', 'TOO3260', 'step "draft" is'],
      ['«input.fast.toString»', 'TOO3260', 'is function'],
    ],
    true,
  );

  it('is told only where something is decided', () => {
    expect(infer('input.tags').problems).toEqual([]);
    expect(infer('input.tags && input.tags.join()').problems).toEqual([]);
    expect(infer('facts', { condition: true }).problems).toEqual([]);
    expect(infer('input.more', { condition: true }).problems).toEqual([]);
  });
});

describe('a field with a hyphen', () => {
  check([
    ['1 + input«.max-age» * 2', 'TOO3252', "read as ['max-age']", "['max-age']"],
    ['input«?.max-age»-1', 'TOO3252', "read as ['max-age']", "?.['max-age']"],
  ]);
});

describe('what was refused when it was parsed', () => {
  it.each([
    ["input.constructor == 'a' && draft.txt", ['TOO3252']],
    ['inptu.constructor', ['TOO3251']],
    ['draft.txt = input.tags', ['TOO3252']],
    ['(new Map()).size + draft.txt', ['TOO3252']],
    ['(() => inptu)', ['TOO3251']],
    ['5n.x', []],
  ])('hides nothing in %s', (text, codes) => {
    const { expression, problems } = parseExpression(text);
    expect(problems.length).toBe(1);
    if (expression === undefined) throw new Error('no expression');
    expect(inferExpression(expression, scope, { text }).problems.map(({ code }) => code)).toEqual(codes);
  });
});

describe('several mistakes', () => {
  it('are told one by one, in order', () => {
    const { problems } = infer('draft.txt + inptu.repo + input.since.trim()');
    expect(problems.map(({ code }) => code)).toEqual(['TOO3252', 'TOO3251', 'TOO3254']);
  });

  it('are found behind each other', () => {
    const { problems } = infer('input.tree.left.left.vaule');
    expect(problems.map(({ code }) => code)).toEqual(['TOO3254', 'TOO3254', 'TOO3252']);
  });
});

describe('what JavaScript accepts and somebody may mean', () => {
  it.each([
    ['input.repo', 'string'],
    ['input.since?.trim()', 'string | undefined'],
    ["input.since ?? 'HEAD'", 'string'],
    ["input.since || 'HEAD'", 'string'],
    ['facts.text.trim()', 'string | undefined'],
    ["facts.text ?? ''", 'string'],
    ["facts ? facts.text.trim() : 'x'", 'string'],
    ['facts.title.length > 3', 'boolean'],
    ["facts.text + '!'", 'string'],
    ['Math.round(facts.text)', 'number'],
    ['input.data.a.b.c()', 'json'],
    ["input.data == 5 || input.data === 'x'", 'boolean'],
    ['input.tags[0].trim()', 'string'],
    ['input.tags.at(-1).trim()', 'string'],
    ['input.tags[input.tags.length - 1].trim()', 'string'],
    ["input.count == '5'", 'boolean'],
    ['input.count === undefined', 'boolean'],
    ['input.repo == null', 'boolean'],
    ["'Tags: ' + input.tags", 'string'],
    ['input.repo * 2', 'number'],
    ['input.repo.repeat(input.repo)', 'string'],
    ['input.repo.includes(5)', 'boolean'],
    ['input.fast + 1', 'number'],
    ['new Date(input.repo) - new Date()', 'number'],
    ['Math.max(new Date(input.repo), new Date())', 'number'],
    ["['ok', 'warn'].includes(lint.level)", 'boolean'],
    ["lint.level === 'ok' ? 1 : lint.level === 'bad' ? 2 : 3", 'number'],
    ['input.tags.map(String).map(Number).map(Math.round)', 'number[]'],
    ['input.tags.map(parseInt)', 'number[]'],
    ['[input.since, input.repo].filter(Boolean).map(s => s.trim())', 'string[]'],
    ['input.findings.filter(f => f.line).map(f => f.line.toFixed(1))', 'string[]'],
    ['input.findings.filter(({ line }) => line != null).map(f => f.line.toFixed(1))', 'string[]'],
    ['input.findings.map(f => f.line).filter(l => l !== undefined).map(l => l.toFixed())', 'string[]'],
    ["input.findings.find(f => f.level === 'high')?.path", 'string | undefined'],
    ['input.findings.find(f => f.line)?.line.toFixed()', 'string | undefined'],
    ['input.findings.map(({ path, line = 0 }) => path.trim() + line.toFixed())', 'string[]'],
    ['input.findings.map(({ path, ...rest }) => rest.line)', 'json[]'],
    ['input.findings.reduce((sum, f) => sum + (f.line ?? 0), 0).toFixed()', 'string'],
    ['input.findings.reduce((best, f) => best === null || f.line > best.line ? f : best, null)', 'json'],
    ['input.tags.reduce((acc, t) => ({ ...acc, [t]: (acc[t] ?? 0) + 1 }), {})', 'json'],
    ["input.tags.reduce((all, t) => [...all, t.trim()], []).join(' ')", 'string'],
    ['input.scores.reduce((a, b) => a + b)', 'number'],
    ['Object.entries(input.meta).map(([key, value]) => key.trim() + value)', 'string[]'],
    ["[['a', 1], ['b', 2]].map(([k, v]) => k.toUpperCase() + v.toFixed())", 'string[]'],
    ['input.tags.entries().map(([i, tag]) => i.toFixed() + tag.trim())', 'string[]'],
    ['Object.keys(input.meta).length', 'number'],
    ['Object.fromEntries(input.tags.map(t => [t, 1])).anything', 'json'],
    ['Array.from({ length: 3 }, (_, i) => i * 2)', 'number[]'],
    ['[...input.repo].reverse().join()', 'string'],
    ['[...input.tags, 5].length', 'number'],
    ['({ ...input.meta, extra: 1 }).extra.toFixed()', 'string'],
    ['({ ...input.owner }).name?.trim()', 'string | undefined'],
    ['input.tree.left?.left?.value', 'number | undefined'],
    ['input.tree.children.flatMap(c => c.children).map(c => c.value)', 'number[]'],
    ['input.repo.match(/(a)(?<b>c)/)?.groups.b', 'json'],
    ['input.repo.replace(/x/g, m => m.trim())', 'string'],
    ['[...input.repo.matchAll(/x/g)].map(m => m[0].trim() + m.index.toFixed())', 'string[]'],
    ['input.repo.split(/,/).length', 'number'],
    ['new Date(input.repo).toISOString().slice(0, 10)', 'string'],
    ['JSON.stringify(input.meta, null, 2).length', 'number'],
    ["input.tags.toSorted((a, b) => a.localeCompare(b)).slice(0, 3).join('\\n')", 'string'],
    ['(1, input.repo)', 'string'],
    ['[1, , 2].length', 'number'],
    ['input.meta.hasOwnProperty(input.repo)', 'boolean'],
    ["'line' in input.findings[0]", 'boolean'],
    ['input.meta[input.repo].anything', 'json'],
    ['input.tags.map((tag, i, all) => tag + i + all.length)', 'string[]'],
    ['input.tags.flatMap(t => [t, t.length])', '(string | number)[]'],
    ['input.tags.concat(input.scores)', '(string | number)[]'],
    ['input.scores.sort((a, b) => b - a)[0].toFixed(2)', 'string'],
    [
      'void 0 ?? typeof input.repo',
      '"string" | "number" | "boolean" | "undefined" | "object" | "function" | "bigint" | "symbol"',
    ],
    ['research-web.text', 'string'],
    ['input.count-input.count', 'number'],
  ])('%s', (text, type) => {
    expect(infer(text)).toEqual({ type, problems: [] });
  });
});

describe('a condition tells', () => {
  it.each([
    'input.owner && input.owner.name.trim()',
    "input.owner ? input.owner.name : 'none'",
    'input.owner != null && input.owner.name',
    'input.owner !== undefined && input.owner.name',
    'input.owner === undefined || input.owner.name',
    'undefined !== input.owner && input.owner.name',
    "typeof input.since === 'string' && input.since.trim()",
    "typeof input.since !== 'undefined' && input.since.trim()",
    "typeof input.since === 'undefined' ? '' : input.since.trim()",
    '!input.owner || input.owner.name',
    "!input.owner ? '' : input.owner.name",
    '!!input.owner && input.owner.name',
    'Boolean(input.owner) && input.owner.name',
    'input.owner && input.fast && input.owner.name',
    '(input.owner && input.fast) ? input.owner.name : 1',
    '!(input.owner && input.fast) || input.owner.name',
    'input.owner?.mail && input.owner.mail.trim()',
    'input.owner?.mail && input.owner.name',
    "input.owner?.name === 'x' && input.owner.name",
    "input.owner?.name.startsWith('x') && input.owner.name",
    'input.more?.length > 0 && input.more.join()',
    'input.more?.length ? input.more.join() : 1',
    "input.more?.includes('x') && input.more.join()",
    'Array.isArray(input.more) && input.more.join()',
    'input.tree.left && input.tree.left.left && input.tree.left.left.value',
    "input['since'] && input.since.trim()",
    'input.findings.map(f => f.line && f.line.toFixed())',
    'input.findings.map(({ line }) => line && line.toFixed())',
    'input.findings[0].line && input.findings[0].line.toFixed()',
    "(typeof input.since === 'string' || input.since) && input.since.trim()",
    'facts.note && facts.note.trim()',
  ])('%s', (text) => {
    expect(infer(text).problems).toEqual([]);
  });

  it.each([
    ['input.owner || input.owner.name', '.'],
    ['input.owner && input.fast || input.owner.name', '.'],
    ['(input.owner || input.fast) && input.owner.name', '.'],
    ['input.owner ? 1 : input.owner.name', '.'],
    ['input.fast && input.owner.name', '.'],
    ['(input.owner && 1) + input.owner.name', '.'],
    ['input.findings.map(f => f.line && f.path) + input.findings.map(f => f.line.toFixed())', '.'],
    ['input.since && input.tags.map(input => input.since)', 'since'],
  ])('no more than it says: %s', (text, at) => {
    const { problems } = infer(text);
    expect(problems).toHaveLength(1);
    expect(text.slice(problems[0]?.start, problems[0]?.end)).toBe(at);
  });
});

describe('large and deep expressions', () => {
  it('take linear time and no stack', () => {
    const texts = Array.from({ length: 10_000 }, (_, i) => `'${i}'`);
    expect(infer(`[${texts.join(',')}].length`).problems).toEqual([]);
    expect(infer(Array(300).fill('input.count').join(' + ')).type).toBe('number');
    const unknown = `[${Array.from({ length: 1000 }, (_, i) => `nope${i}-x`).join(',')}]`;
    expect(infer(unknown).problems).toHaveLength(2000);
  });

  it('are refused when no parser let them through', () => {
    let deep: Expression = { kind: 'literal', value: 1, start: 0, end: 1 };
    for (let i = 0; i < 3000; i++) deep = { kind: 'unary', op: '-', operand: deep, start: 0, end: 1 };
    expect(inferExpression(deep, scope).problems.map(({ code }) => code)).toEqual(['TOO3207']);
  });
});
