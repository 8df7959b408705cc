import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../test/cpu.ts';
import {
  arrayOf,
  field,
  jsonType,
  literalOf,
  messageType,
  numberType,
  refTo,
  structOf,
  type Type,
  textType,
} from '../type/index.ts';
import { maxSections, runtimeType, type TemplateProblem, type TemplateScope } from './template.ts';
import { checkTemplate } from './template-check.ts';
import { parseTemplate } from './template-parse.ts';
import { renderTemplate, type TemplateValues } from './template-render.ts';

function render(text: string, values: TemplateValues = {}): string {
  const template = parseTemplate(text);
  expect(template.problems).toEqual([]);
  return renderTemplate(template, values);
}

/** `code "the marked text" -> replacement`, for each problem. */
function marks(text: string, problems: readonly TemplateProblem[]): string[] {
  return problems.map(({ code, start, end, replacement }) => {
    const fix = replacement === undefined ? '' : ` -> ${replacement}`;
    return `${code} ${text.slice(start, end)}${fix}`;
  });
}

function problemsOf(text: string): string[] {
  return marks(text, parseTemplate(text).problems);
}

fc.configureGlobal({ seed: 2401 });

describe('renderTemplate', () => {
  it('prints values by their kind', () => {
    const values = { t: 'a', n: 1.5, zero: 0, b: false, s: { x: [1, { y: null }] }, l: [1, 'a'], nil: null };
    expect(render('{{t}} {{ n }} {{zero}} {{b}} {{s}} {{l}} [{{nil}}{{nope}}]', values)).toBe(
      'a 1.5 0 false {"x":[1,{"y":null}]} [1,"a"] []',
    );
    expect(render('{{s.x}} {{ s . x . 1 }} {{s.x.0}} {{s.nope.deep}} {{t.length}} {{l.length}}', values)).toBe(
      '[1,{"y":null}] {"y":null} 1   ',
    );
  });

  it('prints a Message as its text', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    expect(render('{{m}} {{p}}', { m: { role: 'user', content: 'hi' }, p: { role: 'user', content: parts } })).toBe(
      'hi a\nb',
    );
  });

  it('knows a Message from a struct that looks like one by its type', () => {
    const values = { turn: { role: 'user', content: 'hi' }, said: { role: 'user', content: 'ho' } };
    const scope: TemplateScope = new Map([
      ['turn', { type: structOf([field('role', textType), field('content', textType)]), optional: false }],
      ['said', { type: messageType, optional: false }],
    ]);
    const template = parseTemplate('{{turn}} {{turn.content}} {{said}}{{said.role}}');
    expect(renderTemplate(template, values, { scope, table: new Map() })).toBe('{"role":"user","content":"hi"} hi ho');
  });

  it('never reads a value again', () => {
    const evil = '{{secret}} {{#a}} \\{{ {{/a}}';
    expect(render('{{x}}|{{#l}}{{.}}{{/l}}|{{o}}', { x: evil, l: [evil], o: { k: evil }, secret: 's' })).toBe(
      `${evil}|${evil}|${JSON.stringify({ k: evil })}`,
    );
    expect(render('{{a}}{{b}}', { a: '{', b: '{secret}}', secret: 's' })).toBe('{{secret}}');
  });

  it('looks at own properties only', () => {
    expect(render('[{{constructor}}{{toString}}{{__proto__}}{{o.constructor.name}}]', { o: {} })).toBe('[]');
  });

  it('prints a section per item, with the item first and the outer names after it', () => {
    const values = { name: 'outer', sep: ';', items: [{ name: 'a', tags: ['x', 'y'] }, { tags: [] }, 3] };
    expect(render('{{#items}}{{name}}:{{#tags}}{{.}}{{/tags}}{{sep}}{{/items}}', values)).toBe('a:xy;outer:;outer:;');
    expect(render('{{#l}}({{#.}}{{.}}{{/.}}){{/l}}', { l: [[1, 2], [3]] })).toBe('(12)(3)');
  });

  it('keeps an absent field of the item empty when the types are known', () => {
    const item = structOf([field('line', numberType, { optional: true })], { name: 'Item' });
    const scope: TemplateScope = new Map<string, { type: Type; optional: boolean }>([
      ['line', { type: numberType, optional: false }],
      ['items', { type: arrayOf(refTo('Item')), optional: false }],
    ]);
    const types = { scope, table: new Map([['Item', item]]) };
    const template = parseTemplate('{{#items}}[{{line}}]{{/items}}{{line}}');
    expect(renderTemplate(template, { line: 9, items: [{ line: 1 }, {}] }, types)).toBe('[1][]9');
  });

  it('prints a section once for a value that is there, and the inverted one otherwise', () => {
    const text = '{{#x}}yes{{.}}{{/x}}{{^x}}no{{/x}}';
    for (const x of [undefined, null, false, '', [], { role: 'user', content: '' }])
      expect(render(text, { x })).toBe('no');
    expect(render(text, { x: 0 })).toBe('yes0');
    expect(render(text, { x: 'a' })).toBe('yesa');
    expect(render(text, { x: true })).toBe('yestrue');
    expect(render('{{#o}}{{a}}{{b}}{{/o}}', { o: { a: 1 }, b: 2 })).toBe('12');
    expect(render('{{#l}}{{^e}}{{.}}{{/e}}{{/l}}', { l: [1, 2] })).toBe('12');
  });

  it('drops lines that hold nothing but a section tag', () => {
    const text = 'A\n  {{#l}}  \n- {{.}}\n{{/l}}\r\nB';
    expect(render(text, { l: [1, 2] })).toBe('A\n- 1\n- 2\nB');
    expect(render(text)).toBe('A\nB');
    expect(render('{{#x}}\na\n{{/x}}', { x: true })).toBe('a\n');
    expect(render('a {{#x}}\nb\n{{/x}} c', { x: true })).toBe('a \nb\n c');
    expect(render('{{#x}}{{/x}}\na\n\n{{n}}\nb')).toBe('\na\n\n\nb');
    expect(render('{{#x}}\n{{#y}}\na\n{{/y}}\n{{/x}}\nb', { x: 1, y: 1 })).toBe('a\nb');
  });

  it('prints guarded braces', () => {
    expect(render('\\{{x}} {{x}}', { x: 1 })).toBe('{{x}} 1');
    expect(render('C:\\\\{{x}}', { x: 1 })).toBe('C:\\1');
    expect(render('\\\\\\{{x}}', { x: 1 })).toBe('\\{{x}}');
    expect(render('\\n \\ \\{ \\}}')).toBe('\\n \\ \\{ \\}}');
    expect(render('\\{{{{x}}', { x: 1 })).toBe('{{1');
    expect(render('\\{{')).toBe('{{');
  });
});

describe('parseTemplate', () => {
  it('takes text with single braces for text', () => {
    for (const text of ['{', '}}', '{a}', '{ {x} }', 'a } b', '{"a":{"b":1}}', '']) expect(render(text)).toBe(text);
    expect(render('{"a": {"b": {{x}}}}', { x: 1 })).toBe('{"a": {"b": 1}}');
  });

  it('knows where everything is', () => {
    const text = 'a {{ b.c }} {{#d}}e{{/d}}';
    expect(parseTemplate(text)).toEqual({
      nodes: [
        { kind: 'text', start: 0, end: 2, text: 'a ' },
        {
          kind: 'value',
          start: 2,
          end: 11,
          path: [
            { name: 'b', start: 5, end: 6 },
            { name: 'c', start: 7, end: 8 },
          ],
        },
        { kind: 'text', start: 11, end: 12, text: ' ' },
        {
          kind: 'section',
          start: 12,
          end: 25,
          openEnd: 18,
          inverted: false,
          path: [{ name: 'd', start: 15, end: 16 }],
          nodes: [{ kind: 'text', start: 18, end: 19, text: 'e' }],
        },
      ],
      problems: [],
      suspects: [],
    });
  });

  it.each([
    ['a {{b  \nc', ['TOO2401 {{b']],
    ['{{a {{b}}', ['TOO2401 {{a']],
    ['{{a {{b {{c\n{{d}}', ['TOO2401 {{a']],
    ['{{', ['TOO2401 {{']],
    ['{{a\n}}', ['TOO2401 {{a']],
    ['{{}} {{  }}', ['TOO2402 {{}}', 'TOO2402 {{  }}']],
    ['{{#}}', ['TOO2402 {{#}}']],
    [
      '{{.a}} {{a.}} {{a..b}} {{-a}} {{a/b}} {{@x}}',
      ['TOO2403 {{.a}}', 'TOO2403 {{a.}}', 'TOO2403 {{a..b}}', 'TOO2403 {{-a}}', 'TOO2403 {{a/b}}', 'TOO2403 {{@x}}'],
    ],
    ['{{#a}}b', ['TOO2404 {{#a}}']],
    ['{{#a}}{{^b}}{{/a}}', ['TOO2404 {{^b}}']],
    ['{{/a}}', ['TOO2405 {{/a}}']],
    ['{{#a}}{{/b}}', ['TOO2405 {{/b}} -> {{/a}}']],
    ['{{#a.b}}{{/a}}', ['TOO2405 {{/a}} -> {{/a.b}}']],
    ['{{{a}}} {{{ b!', ['TOO2406 {{{a}}} -> {{a}}', 'TOO2401 {{{ b!']],
    ['{{!x}}{{>x}}{{&x}}{{=<% %>=}}', ['TOO2406 {{!x}}', 'TOO2406 {{>x}}', 'TOO2406 {{&x}}', 'TOO2406 {{=<% %>=}}']],
    [
      '{{x | upper}} {{f(x)}} {{a b}} {{a[0]}}',
      ['TOO2406 {{x | upper}}', 'TOO2406 {{f(x)}}', 'TOO2406 {{a b}}', 'TOO2406 {{a[0]}}'],
    ],
    ['{{#if x}}a{{/if}}', ['TOO2406 {{#if x}}']],
    ['{{#unless a.b}}a{{/unless}}', ['TOO2406 {{#unless a.b}}']],
  ])('reports %j', (text, expected) => {
    expect(problemsOf(text)).toEqual(expected);
  });

  it('accepts every name a program can declare', () => {
    expect(problemsOf('{{a-b_c2}} {{runtime.cwd}} {{größe.日本}} {{data.0.$id}} {{#a}}{{/ a }}')).toEqual([]);
  });

  it('keeps broken tags as text', () => {
    const template = parseTemplate('{{}} {{a {{b}}');
    expect(renderTemplate(template, { b: 1 })).toBe('{{}} {{a 1');
  });

  it('reports nesting that is too deep once, and goes on', () => {
    const text = `${'{{#a}}'.repeat(maxSections + 10)}{{a}}${'{{/a}}'.repeat(maxSections + 10)}`;
    const template = parseTemplate(text);
    expect(template.problems.map((p) => p.code)).toEqual(['TOO2407']);
    expect(renderTemplate(template, { a: true })).toBe('true');
  });
});

describe('checkTemplate', () => {
  const finding = structOf(
    [
      field('path', textType),
      field('tags', arrayOf(textType)),
      field('more', arrayOf(refTo('Finding')), { optional: true }),
    ],
    { name: 'Finding' },
  );
  const table = new Map([['Finding', finding]]);
  const required = (type: Type) => ({ type, optional: false });
  const scope: TemplateScope = new Map([
    ['input', required(structOf([field('topic', textType), field('count', numberType)]))],
    ['focus', { type: textType, optional: true }],
    ['level', required(literalOf('a', 'b'))],
    ['data', required(jsonType)],
    ['said', required(messageType)],
    ['first', required(refTo('Finding'))],
    ['findings', required(arrayOf(refTo('Finding')))],
    ['lost', required(refTo('Lost'))],
    ['runtime', required(runtimeType)],
  ]);
  const check = (text: string) => {
    const template = parseTemplate(text);
    expect(template.problems).toEqual([]);
    return checkTemplate(template, scope, table);
  };

  it.each([
    '{{input}} {{input.topic}} {{focus}} {{data.any.thing.0}} {{said}} {{runtime.cwd}} {{lost.x.y}}',
    '{{#findings}}{{path}} {{#tags}}{{.}} {{path}} {{level}}{{/tags}} {{#more}}{{path}}{{/more}}{{/findings}}',
    '{{#first}}{{path}}{{/first}} {{#focus}}{{focus}} {{.}}{{/focus}} {{^findings}}{{focus}}{{/findings}}',
    '{{#data}}{{whatever}} {{#x}}{{y.z}}{{/x}}{{/data}} {{#lost}}{{a}}{{/lost}}',
  ])('accepts %s', (text) => {
    expect(check(text)).toEqual([]);
  });

  it.each([
    ['{{fokus}}', ['TOO2411 fokus -> focus']],
    ['{{zzz}}', ['TOO2411 zzz']],
    ['{{path}}', ['TOO2411 path -> first.path']],
    ['{{input.topik.x}}', ['TOO2412 topik -> topic']],
    ['{{runtime.modle}}', ['TOO2412 modle -> model']],
    ['{{focus.x}} {{said.role}} {{level.a}}', ['TOO2413 x', 'TOO2413 role', 'TOO2413 a']],
    ['{{findings.path}} {{findings.0}}', ['TOO2413 path', 'TOO2413 0']],
    ['{{.}} {{^focus}}{{.}}{{/focus}}', ['TOO2414 {{.}}', 'TOO2414 {{.}}']],
    ['{{#findings}}{{pth}}{{/findings}} {{pth}}', ['TOO2411 pth -> path', 'TOO2411 pth']],
    ['{{^findings}}{{tags}}{{/findings}}', ['TOO2411 tags -> first.tags']],
    ['{{#nope}}{{anything}}{{/nope}}', ['TOO2411 nope']],
    ['{{constructor}}', ['TOO2411 constructor']],
  ])('reports %s', (text, expected) => {
    expect(marks(text, check(text))).toEqual(expected);
  });

  it('says what is known, and how to go on', () => {
    expect(check('{{first.x}}')[0]).toMatchObject({
      message: '"Finding" has no field "x".',
      help: 'Its fields are path, tags, more.',
    });
    expect(check('{{findings.path}}')[0]).toMatchObject({
      message: '"findings" is Finding[], so it has no field "path".',
      help: 'Go through its items with "{{#findings}}…{{/findings}}".',
    });
    expect(check('{{zzz}}')[0]?.help).toBe('It knows input, focus, level, data, said, first, findings, lost, runtime.');
  });
});

describe('any template', () => {
  const piece = fc.constantFrom(
    '{{',
    '}}',
    '{',
    '}',
    '#',
    '^',
    '/',
    '.',
    'a',
    'b',
    ' ',
    '\n',
    '\r\n',
    '\\',
    '{{#a}}',
    '{{/a}}',
    '{{a}}',
  );
  const noise = fc.oneof(
    fc.array(piece, { maxLength: 60 }).map((parts) => parts.join('')),
    fc.string(),
  );
  const values = { a: [{ b: '{{a}}' }, 'x'], b: { a: 1 } };
  const scope: TemplateScope = new Map([['a', { type: jsonType, optional: false }]]);

  it('is parsed, checked and rendered without an exception, with problems in order and in place', () => {
    fc.assert(
      fc.property(noise, (text) => {
        const template = parseTemplate(text);
        const problems = [...template.problems, ...checkTemplate(template, scope, new Map())];
        for (const { start, end } of problems) {
          expect(0 <= start && start < end && end <= text.length).toBe(true);
        }
        const starts = template.problems.map((p) => p.start);
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
        expect(typeof renderTemplate(template, values)).toBe('string');
      }),
      { numRuns: 2000 },
    );
  });

  it('without two opening braces is its own text', () => {
    fc.assert(
      fc.property(noise, (raw) => {
        const text = raw.replaceAll('{{', '{ {').replaceAll('{{', '');
        expect(render(text)).toBe(text);
      }),
    );
  });

  it('gives a guarded text back', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const guarded = text.replace(/\\*\{\{/g, (found) => `${found.slice(0, -2).repeat(2)}\\{{`);
        expect(render(guarded)).toBe(text);
      }),
    );
  });

  it('prints any value as it is', () => {
    fc.assert(
      fc.property(noise, (value) => {
        expect(render('<{{x}}>{{#l}}{{.}}{{/l}}', { x: value, l: [value, value] })).toBe(`<${value}>${value}${value}`);
      }),
    );
  });

  it.each([
    '{{',
    '}}',
    '{',
    '{{#a}}',
    '{{/a}}',
    '{{a',
    '{{a}}',
    '\\{{',
    '\\',
    '{{#a}}{{/b}}',
    '{{#a}}\n',
    '{{ ',
    '{{a.',
    '{{\n',
    '{{}}',
    '{{{',
    ' ',
    '{{#a}}{{#b}}',
    '{{#a}}{{#b}}{{/a}}',
    '{{#if x}}',
    '{{#a b}}{{/c}}',
    'a.',
  ])('of a long run of %j is parsed in linear time', (unit) => {
    const text = unit.repeat(150_000 / unit.length);
    const start = cpuMs();
    for (const whole of [text, `${text}}}`, `{{${text}a}}`]) {
      const template = parseTemplate(whole);
      checkTemplate(template, scope, new Map());
      renderTemplate(template, { a: 1 });
    }
    // Linear takes a tenth of a second; anything else takes minutes.
    expect(cpuMs() - start).toBeLessThan(8000);
  });

  it('with a path of half a million parts is checked in linear time', () => {
    const node = structOf([field('a', refTo('Node'), { optional: true })], { name: 'Node' });
    const deep: TemplateScope = new Map([['a', { type: refTo('Node'), optional: false }]]);
    const template = parseTemplate(`{{${'a.'.repeat(500_000)}b}}`);
    expect(checkTemplate(template, deep, new Map([['Node', node]])).map((p) => p.code)).toEqual(['TOO2412']);
  });
});
