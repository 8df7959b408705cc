/** What holds for every text: no crash, spans that nest, exact maps, a formatter that changes no value. */
import { encode } from '@toon-format/toon';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSource, hasErrors, type Span } from '../../src/text/index.ts';
import {
  formatToon,
  parseToon,
  quote,
  stringMap,
  type ToonString,
  type ToonValue,
  toPlain,
} from '../../src/toon/index.ts';
import { mutate, randomFrom, randomValue } from './mutate.ts';

const runs = process.env.TOOLANG_DEEP === undefined ? 1 : 8;
const seed = Number(process.env.TOOLANG_SEED ?? 7) || 7;
const plain = (text: string, profile = true) =>
  JSON.stringify(toPlain(parseToon(createSource('x.toon', text), { profile }).document.root));

/** Pieces of workflow files, right and wrong, with the relaxations and comments the encoder never writes. */
const lines = [
  ...['name: x', 'a:', '  b: "x" | "y"', '  c: "x"?', 'steps[2]:', '  - id: a', '    prompt: "x\\n"', '  - id: b'],
  ...['', '# note', '  # note', '      # deep', 't[2]{a,b}:', '  1,2', '  3,"4,5"', 'k[2:]{a}:', '  x: 1', '  y: 2'],
  ...[
    'out:',
    '  - path: string',
    '    line: number?',
    'l[2]:',
    '  - 1',
    '  - [2]: 1,2',
    '  - x[1]:',
    '      - y',
    '  -',
  ],
  ...[
    'e: []',
    'w:  spaced   out  ',
    'q : 1',
    'i[3]: a , b,c',
    '    more: 1',
    '      deep: 1',
    'text',
    '\tz: 1',
    'd: 1\r',
  ],
];

function* samples(count: number): Generator<string> {
  const random = randomFrom(seed + 2);
  for (let i = 0; i < count; i++) {
    const way = i % 4;
    if (way === 0) yield encode(randomValue(random));
    else if (way === 1) yield mutate(random, encode(randomValue(random)));
    else {
      const length = Math.floor(random() * 14);
      yield Array.from({ length }, () => lines[Math.floor(random() * lines.length)]).join('\n');
    }
  }
}

describe('parseToon', () => {
  test('never crashes on any text', () => {
    const character = fc.constantFrom(...'ab1 \t\n\r"\\:,|-[]{}#?.\u201c\u00e9\ud83d\ufeff\0');
    fc.assert(
      fc.property(fc.array(character, { maxLength: 120 }), fc.boolean(), (parts, profile) => {
        const source = createSource('x.toon', parts.join(''));
        checkSpans(parseToon(source, { profile }), source.text);
        formatToon(source);
      }),
      { numRuns: 1_500 * runs },
    );
  });

  test('gives spans that lie in the source and in each other', () => {
    for (const text of samples(600 * runs))
      checkSpans(parseToon(createSource('x.toon', text), { profile: true }), text);
  });

  test('refuses thousands of levels and does not crash', () => {
    const deep = (line: string, step: number) =>
      Array.from({ length: 3_000 }, (_, i) => ' '.repeat(i * step) + line).join('\n');
    for (const text of [deep('a:', 2), deep('- [1]:', 2), deep('a[1]:', 2), `a[1]:\n${deep('- b[1]:', 4)}`]) {
      const { diagnostics } = parseToon(createSource('x.toon', text));
      expect(diagnostics.some((d) => d.code === 'TOO3004')).toBe(true);
    }
    const groups = `a[1]{${'b{'.repeat(3_000)}c${'}'.repeat(3_000)}}:\n  1`;
    expect(parseToon(createSource('x.toon', groups)).diagnostics.map((d) => d.code)).toEqual(['TOO3004']);
  });
});

describe('stringMap', () => {
  test('finds every character of a quoted text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab"\\\n\t\r\u0001\u00e9') }), fc.boolean(), (value, key) => {
        const text = key ? `k: ${quote(value)}\nz: 1\n` : `k[2]: x, ${quote(value)}\n`;
        const source = createSource('x.toon', text);
        const found = strings(parseToon(source).document.root).find((node) => node.quoted);
        if (!found) throw new Error('no text');
        expect(found.text).toBe(value);
        const map = stringMap(source, found);
        let at = text.indexOf('"') + 1;
        for (let i = 0; i < value.length; i++) {
          expect(map(i)).toBe(at);
          at += text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2;
        }
        expect(map(value.length)).toBe(at);
        expect(text[at]).toBe('"');
      }),
    );
  });

  test('goes up, and stays in the text, in whatever was read', () => {
    for (const text of samples(200 * runs)) {
      const source = createSource('x.toon', text);
      for (const node of strings(parseToon(source, { profile: true }).document.root)) {
        const map = stringMap(source, node);
        let last = node.span.start - 1;
        for (let i = 0; i <= node.text.length; i++) {
          expect(map(i)).toBeGreaterThan(last);
          last = map(i);
        }
        expect(last).toBeLessThanOrEqual(node.span.end);
      }
    }
  });
});

describe('formatToon', () => {
  test('changes no value, loses no comment, and has nothing to do the second time', () => {
    let formatted = 0;
    for (const text of samples(600 * runs)) {
      for (const strict of [false, true]) {
        const source = createSource('x.toon', text);
        const once = formatToon(source, { strict });
        if (!once.formatted) continue;
        formatted++;
        expect(plain(once.text), text).toBe(plain(text));
        const again = parseToon(createSource('x.toon', once.text), { profile: !strict });
        expect(hasErrors(again.diagnostics), `${text}\n→\n${once.text}`).toBe(false);
        expect(
          again.document.comments.map((c) => c.text),
          text,
        ).toEqual(commentsOf(text));
        expect(formatToon(createSource('x.toon', once.text), { strict }).text, text).toBe(once.text);
      }
    }
    expect(formatted).toBeGreaterThan(300);
  });

  test('mends only lengths where the meaning is unclear', () => {
    const text = 'a[3]:   x,y\nb   c\nd:    1\n';
    const result = formatToon(createSource('x.toon', text));
    expect(result).toMatchObject({ formatted: false, text: 'a[2]:   x,y\nb   c\nd:    1\n' });
    expect(result.diagnostics.map((d) => d.code)).toEqual(['TOO3031', 'TOO3011']);
  });

  const layouts: Readonly<Record<string, readonly [given: string, kept: string, strict?: string]>> = {
    'blanks around keys, values and cells': [
      'a:1\nb :  2   \nc[ 2 ]: x\n'.replace('[ 2 ]', '[1]'),
      'a: 1\nb: 2\nc[1]: x\n',
    ],
    'cells and columns': ['t[1]{ a , b{ c } }:\n  1 , 2\ni[2|]: x | y\n', 't[1]{a,b{c}}:\n  1,2\ni[2|]: x|y\n'],
    'a hyphen far from its item': ['a[2]:\n  -   b:  1\n    c: 2\n  -  x\n', 'a[2]:\n  - b: 1\n    c: 2\n  - x\n'],
    'lengths and headers': [
      'a[9]:\n  - 1\nb[0]: x,y\nc:\n  - 1\n  - 2\n',
      'a[1]:\n  - 1\nb[2]: x,y\nc[2]:\n  - 1\n  - 2\n',
    ],
    'four blanks a level': ['a:\n    b:\n        c: 1\n', 'a:\n  b:\n    c: 1\n'],
    'tabs and items without indentation': ['a:\n\tb: 1\nc:\n- x\n- y\n', 'a:\n  b: 1\nc[2]:\n  - x\n  - y\n'],
    'blank lines': ['\n\na: 1\n\n\n\nb:\n\n  c: 1\n\n\n', 'a: 1\n\nb:\n  c: 1\n'],
    comments: [
      '# top\n\na:\n# in\n  b: 1\n    # end of a\n\n# c\nc: 2\n#last\n',
      '# top\n\na:\n  # in\n  b: 1\n  # end of a\n\n# c\nc: 2\n#last\n',
    ],
    'blank lines in arrays': [
      'a[2]:\n  - b: 1\n\n    c: 2\n\n\n  - 2\n',
      'a[2]:\n  - b: 1\n\n    c: 2\n\n  - 2\n',
      'a[2]:\n  - b: 1\n    c: 2\n  - 2\n',
    ],
    unions: ['a: "x"|"y"  |  "z"?\n', 'a: "x" | "y" | "z"?\n', 'a: "\\"x\\" | \\"y\\" | \\"z\\"?"\n'],
    'lists of one type': ['a:\n  - b: string\n', 'a:\n  - b: string\n', 'a[1]:\n  - b: string\n'],
    'line ends and the byte order mark': ['\ufeffa:  1\r\nb:\r\n  c: 2\r\n', '\ufeffa: 1\r\nb:\r\n  c: 2\r\n'],
    'the last line end': ['a: 1', 'a: 1\n'],
    nothing: ['', ''],
  };
  for (const [name, [given, kept, strict = kept]] of Object.entries(layouts)) {
    test(`lays out ${name}`, () => {
      expect(formatToon(createSource('x.toon', given))).toMatchObject({ formatted: true, text: kept });
      expect(formatToon(createSource('x.toon', given), { strict: true }).text).toBe(strict);
    });
  }
});

function commentsOf(text: string): string[] {
  return parseToon(createSource('x.toon', text), { profile: true }).document.comments.map((c) => c.text);
}

function strings(value: ToonValue): ToonString[] {
  if (value.kind === 'string') return [value];
  if (value.kind === 'union') return [...value.members];
  if (value.kind === 'array') return value.items.flatMap(strings);
  return value.kind === 'object' ? value.entries.flatMap((entry) => strings(entry.value)) : [];
}

function checkSpans({ document, diagnostics, relaxations }: ReturnType<typeof parseToon>, text: string): void {
  const whole = { start: 0, end: text.length };
  const inside = (inner: Span, outer: Span, what: string) => {
    const right = outer.start <= inner.start && inner.start <= inner.end && inner.end <= outer.end;
    if (!right)
      throw new Error(
        `${what} ${inner.start}-${inner.end} not in ${outer.start}-${outer.end} of ${JSON.stringify(text)}`,
      );
  };
  const walk = (value: ToonValue, outer: Span) => {
    inside(value.span, outer, value.kind);
    if (value.kind === 'array') for (const item of value.items) walk(item, value.span);
    if (value.kind === 'union') for (const member of value.members) walk(member, value.span);
    if (value.kind !== 'object') return;
    for (const entry of value.entries) {
      inside(entry.span, value.span, 'entry');
      inside(entry.value.span, entry.span, 'value of entry');
      // The keys of a row stand in the header of its table.
      inside(entry.key.span, entry.key.span.start < value.span.start ? whole : entry.span, 'key');
      walk(entry.value, entry.span);
    }
  };
  walk(document.root, whole);
  for (const d of diagnostics) {
    inside(d.span, whole, d.code);
    for (const edit of d.fix?.edits ?? []) inside(edit.span, whole, `fix of ${d.code}`);
    for (const related of d.related) inside(related.span, whole, 'related');
  }
  for (const relaxation of relaxations) inside(relaxation.span, whole, relaxation.name);
}
