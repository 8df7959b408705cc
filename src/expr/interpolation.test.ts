import { describe, expect, it } from 'vitest';
import { parseInterpolated } from './interpolation.ts';

const names = new Set(['research-web']);

/** Texts in quotes, holes as they are written. */
function parts(text: string): string[] {
  const { value, problems } = parseInterpolated(text, { names });
  expect(problems).toEqual([]);
  return value.parts.map((part) =>
    part.kind === 'text' ? JSON.stringify(part.text) : text.slice(part.start, part.end),
  );
}

function marks(text: string): string[] {
  return parseInterpolated(text, { names }).problems.map(({ code, start, end, replacement }) => {
    return `${code} ${text.slice(start, end)}${replacement === undefined ? '' : ` -> ${replacement}`}`;
  });
}

describe('parseInterpolated', () => {
  it.each([
    ['', []],
    ['plain', ['"plain"']],
    ['a {b} c', ['"a "', '{b}', '" c"']],
    ['{a}{b}', ['{a}', '{b}']],
    ['{{x}}', ['"{x}"']],
    ['{{{x}}}', ['"{"', '{x}', '"}"']],
    ['{{{{{{', ['"{{{"']],
    ["{input.tags.map(t => '}' + t).join(', ')}", ["{input.tags.map(t => '}' + t).join(', ')}"]],
    ['{`a${b}c`}', ['{`a${b}c`}']],
    ['{`}${`{`}`}', ['{`}${`{`}`}']],
    ['{JSON.stringify({a: {b: 1}})}', ['{JSON.stringify({a: {b: 1}})}']],
    ['{ {a: 1}.a }', ['{ {a: 1}.a }']],
    ['{/[}]/.test(x)}', ['{/[}]/.test(x)}']],
    ['{a / b} / {c}', ['{a / b}', '" / "', '{c}']],
    ['{a /* } */}', ['{a /* } */}']],
    ['{a // }\n}', ['{a // }\n}']],
    ['{research-web.x}-{a}', ['{research-web.x}', '"-"', '{a}']],
    ["it's {a} isn't", ['"it\'s "', '{a}', '" isn\'t"']],
  ])('reads %j', (text, expected) => {
    expect(parts(text)).toEqual(expected);
  });

  it('knows where everything is', () => {
    expect(parseInterpolated('{{ {a.b}')).toEqual({
      value: {
        text: '{{ {a.b}',
        parts: [
          { kind: 'text', start: 0, end: 3, text: '{ ' },
          {
            kind: 'hole',
            start: 3,
            end: 8,
            expression: {
              kind: 'member',
              start: 4,
              end: 7,
              object: { kind: 'name', start: 4, end: 5, name: 'a' },
              name: 'b',
              nameStart: 6,
              optional: false,
            },
          },
        ],
      },
      problems: [],
    });
  });

  it.each([
    ['{}', ['TOO3201 {} -> {{}}']],
    ['a { } b', ['TOO3201 { } -> {{ }}']],
    ['{/* } */}', ['TOO3201 {/* } */} -> {{/* }} */}}']],
    ['a } b', ['TOO3222 } -> }}']],
    ['{a}}', ['TOO3222 } -> }}']],
    ['}}}', ['TOO3222 } -> }}']],
    ['a { b', ['TOO3221 { -> {{']],
    ['{a{a{a', ['TOO3221 { -> {{', 'TOO3221 { -> {{', 'TOO3221 { -> {{']],
    ['{{{{{', ['TOO3221 { -> {{']],
    ["Use { and don't forget {input.x}", ['TOO3221 { -> {{']],
    ['Use { to open and } to close', ['TOO3202 to open and']],
    ['{"abc} d {e f}', ['TOO3203 "', 'TOO3202 f']],
    ['{`abc} d', ['TOO3203 `']],
    ["{name's}", ["TOO3202 '"]],
    ['{foo(}', ['TOO3205 (']],
    ["{a.join('\n')} {b = 1}", ['TOO3204 \n -> \\n', 'TOO3211 = -> ===']],
    ['{x;}', ['TOO3212 ; -> ']],
    ['function f() { return 1; }', ['TOO3212 return']],
  ])('reports %j', (text, expected) => {
    expect(marks(text)).toEqual(expected);
  });

  it.each([
    ['Answer with {"a": 1}', '{"a": 1}', '{{"a": 1}}'],
    ["{'a': [1, {}]} x", "{'a': [1, {}]}", "{{'a': [1, {{}}]}}"],
    ['{\n  "a": {"b": 2}\n}', '{\n  "a": {"b": 2}\n}', '{{\n  "a": {{"b": 2}}\n}}'],
    ['{"a": {input.x}, "b": "{y}"}', '{"a": {input.x}, "b": "{y}"}', '{{"a": {input.x}, "b": "{y}"}}'],
    ['{"a": {{"b": 1}}}', '{"a": {{"b": 1}}}', '{{"a": {{"b": 1}}}}'],
    ['{"a": "}"}', '{"a": "}', '{{"a": "}}'],
    ['body { margin-left: 1px; }', '{ margin-left: 1px; }', '{{ margin-left: 1px; }}'],
    ['{name: string', '{name: string', '{{name: string'],
  ])('reports the braces of %j once', (text, place, replacement) => {
    expect(marks(text)[0]).toBe(`TOO3223 ${place} -> ${replacement}`);
    const mended = text.replace(place, () => replacement);
    expect(marks(mended)).toEqual(marks(text).slice(1));
  });

  it('still finds holes and mistakes in text that looks like a record', () => {
    const { value, problems } = parseInterpolated('{"a": {b c}, "d": {e}}');
    expect(problems.map((p) => p.code)).toEqual(['TOO3223', 'TOO3202']);
    expect(value.parts.map((part) => part.kind)).toEqual(['text', 'hole', 'text']);
  });

  it('says how to write braces that are text', () => {
    expect(parseInterpolated('{ no code }').problems[0]?.help).toContain('"{{" and "}}"');
    expect(parseInterpolated('{"a": 1}').problems[0]).toMatchObject({
      message: 'these braces read as an expression, and hold none',
      help: 'Double the braces that are text: "{{" and "}}".',
    });
  });

  it.each([
    '{',
    '}',
    '{{',
    '{a',
    '{a{a',
    '{a}',
    '{}',
    '{"',
    '{"a":',
    '{"a":{',
    '{"a":1}',
    "{'",
    '{`',
    '{`${',
    '{/[}',
    '{/',
    '{/*',
    '{//',
    '{“a}',
    '{\\"}',
    '{a b',
    "{don't ",
    '{a-',
    '{a-b}',
    '{(',
    '{(}',
    '{[}',
    '${',
    '{a;',
    '{=',
    '{=>{',
    '{ ',
    '{\n',
    '{a ',
    '{a:',
    '{1:',
  ])('reads a long run of %j in linear time', (unit) => {
    // Anything but linear would not end before the test is stopped.
    const text = unit.repeat((process.env.TOOLANG_DEEP ? 200_000 : 15_000) / unit.length);
    for (const whole of [text, `${text}}`, `{"a": ${text}`]) parseInterpolated(whole, { names });
  });
});
