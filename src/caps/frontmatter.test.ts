import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, createSource, rangeOf } from '../text/index.ts';
import { type FrontmatterOptions, readFrontmatter } from './frontmatter.ts';

fc.configureGlobal({ seed: 20 });

function read(text: string, options: FrontmatterOptions = {}) {
  const source = createSource('x.md', text);
  return readFrontmatter(source, { start: 0, end: text.length }, options);
}

function values(text: string, options?: FrontmatterOptions) {
  const { entries, diagnostics } = read(text, options);
  expect(diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
  return Object.fromEntries(entries.map((entry) => [entry.key, entry.value]));
}

/** `code line:column "what is under it"`. */
function problems(text: string, options?: FrontmatterOptions): string[] {
  return read(text, options).diagnostics.map((d) => {
    const { start } = rangeOf(d.source, d.span);
    return `${d.code} ${start.line}:${start.column} ${JSON.stringify(text.slice(d.span.start, d.span.end))}`;
  });
}

describe('flat lines', () => {
  test.each([
    ['literal text', 'a: it is: "this" and [that] & *more', 'it is: "this" and [that] & *more'],
    ['less a comment', 'a: text # why', 'text'],
    ['less a comment after a tab', 'a: text\t# why', 'text'],
    ['a hash inside a word', 'a: C# and x#y', 'C# and x#y'],
    ['only a comment', 'a: # nothing', ''],
    ['nothing', 'a:', ''],
    ['an address', 'a: https://x/y#z', 'https://x/y#z'],
    ['no blank after the colon', 'a:text', 'text'],
    ['blanks around the colon', 'a  :   text  ', 'text'],
    ['numbers and words that YAML would change', 'a: 012', '012'],
    ['a windows line end', 'a: text\r\n', 'text'],
    ['an asterisk', 'a: *.md', '*.md'],
    ['a percent sign', 'a: %x', '%x'],
  ])('%s', (_, text, value) => {
    expect(values(text)).toEqual({ a: value });
  });

  test('comments and blank lines between them say nothing', () => {
    expect(values('# one\n\na: 1\n   # two\nb: 2\n')).toEqual({ a: '1', b: '2' });
  });

  test('spans cover key, value and lines', () => {
    const text = 'a: x\nkey:  some text # c\nb: y';
    const entry = read(text).entries[1];
    const cut = (s: { start: number; end: number } | undefined) => s && text.slice(s.start, s.end);
    expect([cut(entry?.keySpan), cut(entry?.valueSpan), cut(entry?.lines)]).toEqual([
      'key',
      'some text',
      'key:  some text # c\n',
    ]);
  });
});

describe('YAML where it decides', () => {
  test.each([
    ['double quotes', 'a: "x # y\\n" # c', 'x # y\n'],
    ['single quotes', "a: 'it''s'", "it's"],
    ['quotes over lines', 'a: "x\n  y"', 'x y'],
    ['a list', 'a: [B, 1, "c d"]', ['B', '1', 'c d']],
    ['a list over lines', 'a: [\n  B,\n  C\n]', ['B', 'C']],
    ['a nested list', 'a:\n  - B\n  - true\n', ['B', 'true']],
    ['a list at the margin', 'a:\n- B\n- C', ['B', 'C']],
    ['a map', 'a:\n  B: x # c\n  # d\n  C: "1: 2"\n', { B: 'x', C: '1: 2' }],
    ['a map in braces', 'a: {B: x, C: 3}', { B: 'x', C: '3' }],
    ['a literal text', 'a: |\n  # x\n    y\n\n  z\n', '# x\n  y\n\nz\n'],
    ['a folded text', 'a: >-\n  x\n  y', 'x y'],
    ['nested plain text', 'a:\n  x\n  y', 'x y'],
    ['an empty list', 'a: []', []],
    ['a map with windows line ends', 'a:\r\n  B: x\r\n', { B: 'x' }],
    ['a key named __proto__', 'a:\n  __proto__: x', JSON.parse('{"__proto__": "x"}')],
    ['a map without a value', 'a:\n  B:\n  C: x', { B: '', C: 'x' }],
  ])('%s', (_, text, value) => {
    expect(values(`${text}\nz: end`)).toEqual({ a: value, z: 'end' });
  });

  test('what is deeper keeps its text and its shape', () => {
    const [entry] = read('a:\n  - b: c\n').entries;
    expect(entry).toMatchObject({ shape: 'deep', value: '- b: c' });
    expect(read('a: [[x]]').entries[0]?.shape).toBe('deep');
  });

  test('parts of maps and lists have their own places, under a margin too', () => {
    const text = '  a:\r\n    Bee: some text # c\r\n    Cee: "q"\r\n  env: [X, Y]\r\n';
    const { entries, diagnostics } = read(text, { margin: 2 });
    expect(diagnostics).toEqual([]);
    const under = (s: { start: number; end: number } | undefined) => s && text.slice(s.start, s.end);
    expect(entries.flatMap((e) => e.items.map((i) => [under(i.keySpan), under(i.span)]))).toEqual([
      ['Bee', 'some text'],
      ['Cee', '"q"'],
      [undefined, 'X'],
      [undefined, 'Y'],
    ]);
  });
});

describe('mistakes', () => {
  test.each([
    ['a line that is none', 'words only\na: 1', ['TOO5201 1:1 "words only"']],
    ['an address as a line', 'https://x.y/z', ['TOO5201 1:1 "https://x.y/z"']],
    ['a list item that belongs to nothing', '- a', ['TOO5201 1:1 "- a"']],
    ['an indented line that belongs to nothing', '  a: 1\n  b: 2\nc: 3', ['TOO5201 1:3 "a: 1"']],
    ['a continued value', 'a: x\n  y\n  z\nb: 1', ['TOO5201 2:3 "y"']],
    ['a key twice', 'a: 1\nb: 2\na: 3', ['TOO5202 3:1 "a"']],
    ['a nested key twice', 'a:\n  B: 1\n  B: 2', ['TOO5202 3:3 "B"']],
    ['a bad key', 'my key: 1', ['TOO5203 1:1 "my key"']],
    ['a quoted key', '"a": 1', ['TOO5203 1:1 "\\"a\\""']],
    ['no key', ': 1', ['TOO5203 1:1 ":"']],
    ['an open quote', 'a: "x\nb: 1', ['TOO5204 1:4 "\\""']],
    ['text after a quote', 'a: "x" y', ['TOO5204 1:8 "y"']],
    ['an open list', 'a: [x\nb: 1', ['TOO5204 1:4 "["']],
    ['two colons in a map', 'h:\n  A: x: y', ['TOO5204 2:6 "x"']],
    ['a tab', '\ta: 1', ['TOO5205 1:1 "\\t"']],
    ['a nested tab', 'a:\n\tB: 1\nc: 2', ['TOO5205 2:1 "\\t"']],
    ['an anchor', 'a:\n  B: &x 1', ['TOO5207 2:9 "1"']],
    ['an alias', 'a:\n  B: *x', ['TOO5207 2:6 "*x"']],
    ['a tag', 'a: [!!int 3]', ['TOO5207 1:11 "3"']],
    ['a merge', 'a:\n  <<: {b: c}', ['TOO5207 2:3 "<<"']],
    ['text cut by a comment', 'a: see #42 now', ['TOO5211 1:8 "#42 now"']],
  ])('%s', (_, text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  test('one mistake does not hide the next property', () => {
    expect(read('x y\na: "\nb: 1\n\tc: 2\nd: [\ne: 3').entries.map((e) => e.key)).toEqual(['a', 'b', 'd', 'e']);
  });

  test('places count from the file, not from the frontmatter', () => {
    const text = '---\na: 1\na: 2\n---\n';
    const source = createSource('x.md', text);
    const [d] = readFrontmatter(source, { start: 4, end: 14 }).diagnostics;
    expect(d && rangeOf(source, d.span).start).toEqual({ line: 3, column: 1 });
    expect(d?.related[0]?.span).toEqual({ start: 4, end: 5 });
  });

  test('fixes mend', () => {
    for (const [text, options] of [['"a": 1'], ['a: 1\na: 2\n'], ['a: see #42'], ['a:\n\tB: 1']] as [
      string,
      undefined?,
    ][]) {
      const edits = read(text, options).diagnostics.flatMap((d) => d.fix?.edits ?? []);
      expect(problems(applyEdits(text, edits).text)).toEqual([]);
    }
  });

  test('continued values can be joined, for what others wrote', () => {
    expect(values('a: x\n  y # z\nb: 1', { fold: true })).toEqual({ a: 'x y # z', b: '1' });
  });
});

describe('margins', () => {
  test('the indent of the closing fence does not count', () => {
    expect(values('    a: 1\n    h:\n      B: 2\n', { margin: 4 })).toEqual({ a: '1', h: { B: '2' } });
    expect(values('\ta: 1\n\th:\n\t  B: 2\n', { margin: 8 })).toEqual({ a: '1', h: { B: '2' } });
    expect(values('  a: 1\nb: 2\n', { margin: 2 })).toEqual({ a: '1', b: '2' });
  });
});

describe('anything', () => {
  const piece = fc.constantFrom(
    'a',
    'key',
    ':',
    ': ',
    ' ',
    '  ',
    '\n',
    '\r\n',
    '\t',
    '#',
    ' # ',
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    '|',
    '>',
    '- ',
    '? ',
    '&x',
    '*x',
    '!t',
    '<<',
    ',',
    '%',
    '\\',
    '---',
    '😀',
    '\r',
    '\0',
    '.',
  );

  test('is read without an exception, and every place lies inside', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.nat(6), fc.boolean(), (pieces, margin, fold) => {
        const text = `before\n${pieces.join('')}\nafter`;
        const within = { start: 7, end: text.length - 6 };
        const { entries, diagnostics } = readFrontmatter(createSource('x', text), within, { margin, fold });
        const spans = [
          ...diagnostics.map((d) => d.span),
          ...entries.flatMap((e) => [e.keySpan, e.valueSpan, e.lines, ...e.items.map((i) => i.span)]),
        ];
        for (const s of spans) {
          expect(s.start).toBeGreaterThanOrEqual(within.start);
          expect(s.end).toBeLessThanOrEqual(within.end);
          expect(s.start).toBeLessThanOrEqual(s.end);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('a text in JSON quotes comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(values(`a: ${JSON.stringify(text)}`)).toEqual({ a: text });
      }),
    );
  });

  test('a plain text comes back as it was', () => {
    const plain = fc.stringMatching(/^[A-Za-z0-9$(*&!%@.,;:=?/_ -]{1,40}$/).map((s) => s.trim());
    fc.assert(
      fc.property(plain, (text) => {
        expect(values(`a: x${text}`)).toEqual({ a: `x${text}` });
      }),
    );
  });

  test.each([
    ['brackets', `a: ${'['.repeat(60_000)}`],
    ['braces', `a: ${'{a: '.repeat(15_000)}`],
    ['dashes', `a:\n${'- '.repeat(30_000)}`],
    ['questions', `a:\n  ${'? '.repeat(30_000)}`],
    ['colons', `a:\n  ${'b: '.repeat(20_000)}`],
    ['colons after a block', `a: |\n    x\n  ${'b: '.repeat(20_000)}`],
    ['brackets after a block', `a: |\n    x\n  ${'[ '.repeat(30_000)}`],
    ['steps', `a:\n${Array.from({ length: 300 }, (_, i) => `${' '.repeat(i + 1)}b:`).join('\n')}`],
    ['both', `a:\n${Array.from({ length: 31 }, (_, i) => `${' '.repeat(40 * i + 1)}${'- '.repeat(15)}b:`).join('\n')}`],
    ['anchors', `a:\n  ${'&a '.repeat(20_000)}`],
    ['lines', 'a: 1\n'.repeat(12_000)],
    ['many keys', Array.from({ length: 8_000 }, (_, i) => `k${i}: 1`).join('\n')],
    ['many nested keys', `a:\n${Array.from({ length: 7_000 }, (_, i) => ` k${i}: 1`).join('\n')}`],
    ['too many', 'a: 1\n'.repeat(20_000)],
  ])('%s without end are answered, and soon', (_, text) => {
    const start = process.cpuUsage().user;
    read(text);
    expect((process.cpuUsage().user - start) / 1000).toBeLessThan(3000);
  });
});
