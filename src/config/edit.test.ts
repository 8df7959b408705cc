import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSource } from '../text/index.ts';
import { removeEntry, setEntry } from './edit.ts';
import { loadConfig } from './load.ts';
import type { TomlValue } from './render.ts';
import { readToml, type TomlNode } from './toml.ts';

fc.configureGlobal({ seed: 20 });

function set(text: string, path: string[], value: TomlValue): string {
  const result = setEntry(createSource('config.toml', text), path, value);
  if (!result.ok) throw new Error(result.diagnostic.message);
  return result.text;
}

function remove(text: string, path: string[]): string {
  const result = removeEntry(createSource('config.toml', text), path);
  if (!result.ok) throw new Error(result.diagnostic.message);
  return result.text;
}

const skill = ['skills', 'new'];
const ref = { ref: 'a/b' };

describe('setEntry', () => {
  test.each([
    ['an empty file', '', '[skills]\nnew = { ref = "a/b" }\n'],
    ['only a byte order mark', '\ufeff', '\ufeff[skills]\nnew = { ref = "a/b" }\n'],
    ['other tables', '[limits]\nusd = 1', '[limits]\nusd = 1\n\n[skills]\nnew = { ref = "a/b" }\n'],
    [
      'windows line ends',
      '[limits]\r\nusd = 1\r\n',
      '[limits]\r\nusd = 1\r\n\r\n[skills]\r\nnew = { ref = "a/b" }\r\n',
    ],
    ['an empty table', '[skills] # mine\n\n[limits]\n', '[skills] # mine\nnew = { ref = "a/b" }\n\n[limits]\n'],
    [
      'a table with entries and comments',
      '[skills]\n  # first\n  old = { ref = "x/y" } # keep\n  # about nothing\n\n[limits]\n',
      '[skills]\n  # first\n  old = { ref = "x/y" } # keep\n  new = { ref = "a/b" }\n  # about nothing\n\n[limits]\n',
    ],
    ['an old value', "[skills]\n'new' = 'x' # why\n", '[skills]\n\'new\' = { ref = "a/b" } # why\n'],
    ['an old inline table', "[skills]\nnew = {ref='x'}\n", '[skills]\nnew = {ref="a/b"}\n'],
    ['an old table of its own', '[skills.new] # a\nref = "x" # b\n', '[skills.new] # a\nref = "a/b" # b\n'],
    ['an old dotted key', 'skills.new.ref = "x" # b\n', 'skills.new.ref = "a/b" # b\n'],
    ['keys it does not have', '[skills.new]\nold = 1\n# c\n', '[skills.new]\nref = "a/b"\n# c\n'],
    ['dotted siblings', 'skills.a.ref = "x"\nz = 1\n', 'skills.a.ref = "x"\nskills.new = { ref = "a/b" }\nz = 1\n'],
    ['an inline parent', 'skills = { a = { ref = "x" } }\n', 'skills = { a = { ref = "x" }, new = { ref = "a/b" } }\n'],
    ['an empty inline parent', 'skills = {}\n', 'skills = { new = { ref = "a/b" } }\n'],
    [
      'tables below the parent',
      '[skills.a]\nref = "x"\n',
      '[skills.a]\nref = "x"\n\n[skills]\nnew = { ref = "a/b" }\n',
    ],
    ['a last line without an end', '[skills]\na = 1 # c', '[skills]\na = 1 # c\nnew = { ref = "a/b" }'],
    [
      'a value of several lines',
      '[skills]\na = [\n 1, # c\n]\n[z]\n',
      '[skills]\na = [\n 1, # c\n]\nnew = { ref = "a/b" }\n[z]\n',
    ],
  ])('%s', (_, before, after) => {
    expect(set(before, skill, ref)).toBe(after);
    expect(set(after, skill, ref)).toBe(after);
  });

  test('writes keys and texts in quotes where they need them', () => {
    expect(set('', ['models', 'aliases', 'my model'], { ref: 'a"\\\n\u0007' })).toBe(
      '[models.aliases]\n"my model" = { ref = "a\\"\\\\\\n\\u0007" }\n',
    );
    expect(set('# only\n', ['top'], [1, 0.5, true, ['x']])).toBe('top = [1, 0.5, true, ["x"]]\n# only\n');
    expect(set('a = 1\n[b]\n', ['c'], 2)).toBe('a = 1\nc = 2\n[b]\n');
    expect(set('m = { b.c = 1 }', ['m', 'b', 'd'], 2)).toBe('m = { b.c = 1, b.d = 2 }');
  });

  test('an empty table takes the place of dotted keys', () => {
    expect(set('[skills]\nnew.a = 1\n', skill, {})).toBe('[skills]\nnew = {}\n');
  });

  test.each([
    ['a list of tables', '[[skills]]\n', skill, ref],
    ['a value in the way', 'skills = 1\n', skill, ref],
    ['a table where a text is set', '[skills.new]\nref = "x"\n', skill, 'text'],
    ['half a character', '', skill, '\ud800'],
    ['no number', '', skill, Number.NaN],
    ['no key', '', [], 1],
  ])('refuses %s, and says so', (_, text, path, value) => {
    const result = setEntry(createSource('config.toml', text), path, value as TomlValue);
    expect(result).toMatchObject({ ok: false, diagnostic: { code: 'TOO5111' } });
  });

  test('does not touch a file that is not TOML', () => {
    expect(setEntry(createSource('config.toml', 'a ='), skill, ref)).toMatchObject({ diagnostic: { code: 'TOO5101' } });
    expect(removeEntry(createSource('config.toml', 'a=1\na=2'), skill)).toMatchObject({
      diagnostic: { code: 'TOO5102' },
    });
  });
});

describe('removeEntry', () => {
  test.each([
    ['a line with its comment', '[skills]\na = 1\nnew = 2 # c\nb = 3\n', '[skills]\na = 1\nb = 3\n'],
    ['the last line', '[skills]\nnew = 2', '[skills]\n'],
    ['a table, not the comments in it', '[skills.new]\n# kept\nref = 1\n[z]\n', '# kept\n[z]\n'],
    ['dotted keys', 'skills.new.ref = 1\nskills.new.x = 2\nb = 1\n', 'b = 1\n'],
    ['the first of an inline table', 'skills = { new = 1, b = 2 }\n', 'skills = { b = 2 }\n'],
    ['the last of an inline table', 'skills = { a = 1, new = { x = 1 } }\n', 'skills = { a = 1 }\n'],
    ['the only one of an inline table', 'skills = { new = 1 }\n', 'skills = {}\n'],
    ['one of several lines', 'skills = {\n  a = 1, # a\n  new = 2, # b\n}\n', 'skills = {\n  a = 1, # a\n   # b\n}\n'],
    ['several dotted ones inside', 'skills = { new.a = 1, new.b = 2, c = 3 }\n', 'skills = { c = 3 }\n'],
    ['nothing', '[skills]\na = 1\n', '[skills]\na = 1\n'],
    ['behind a byte order mark', '\ufeffskills.new = 1\n', '\ufeff'],
  ])('%s', (_, before, after) => {
    expect(remove(before, skill)).toBe(after);
  });

  test('says whether anything changed', () => {
    expect(removeEntry(createSource('c', ''), skill)).toMatchObject({ ok: true, changed: false });
    expect(removeEntry(createSource('c', 'skills.new = 1'), skill)).toMatchObject({ ok: true, changed: true });
  });
});

/** Every way to write an entry, with comments around. */
const name = fc.constantFrom('a', 'b', 'c-d', '"e f"', "'g'", '"\\u0041"');
const value = fc.constantFrom(
  '1',
  '"x" # c',
  "'y'",
  '[1, 2]',
  '[\n  "a", # c\n  "b",\n]',
  '{}',
  '{ ref = "x" }',
  '{ ref = "x", z.w = 1 }',
  'true',
);
const line = fc.oneof(
  fc.tuple(fc.constantFrom('', '  '), name, value).map(([indent, k, v]) => `${indent}${k} = ${v}`),
  fc.tuple(name, name, value).map(([a, b, v]) => `${a}.${b} = ${v}`),
  fc.constantFrom(
    '# comment',
    '',
    '[skills]',
    '[ models ]',
    '[models.aliases]',
    '[models.aliases.a] # c',
    '[skills.b]',
  ),
);
const document = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, eol, closed]) => lines.join('\n').replaceAll('\n', eol) + (closed ? eol : ''))
  .filter((text) => readToml(createSource('c', text)).diagnostics.length === 0);
const path = fc.constantFrom(
  ['skills', 'a'],
  ['skills', 'new one'],
  ['models', 'aliases', 'a'],
  ['models', 'aliases', 'a', 'ref'],
  ['a'],
  ['e f', 'b'],
);
const newValue: fc.Arbitrary<TomlValue> = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.array(fc.string({ unit: 'grapheme' })),
  fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })),
);

describe('any document', () => {
  test('an edit changes its entry and nothing else, keeps every comment, and can be undone in meaning', () => {
    let done = 0;
    fc.assert(
      fc.property(document, path, newValue, (text, at, to) => {
        const result = setEntry(createSource('c', text), at, to);
        if (!result.ok) {
          expect(result.diagnostic.code).toBe('TOO5111');
          return;
        }
        done++;
        const read = readToml(createSource('c', result.text));
        expect(read.diagnostics).toEqual([]);
        expect(comments(result.text)).toBeGreaterThanOrEqual(comments(text) - countIn(text, at));
        if (text.includes('\r\n')) expect(result.text).not.toMatch(/[^\r]\n/);
        const again = setEntry(createSource('c', result.text), at, to);
        expect(again).toEqual({ ok: true, text: result.text, changed: false });
        const without = removeEntry(createSource('c', result.text), at);
        expect(without.ok).toBe(true);
        if (without.ok) expect(valueAt(readToml(createSource('c', without.text)).table, at)).toBeUndefined();
      }),
      { numRuns: 400 },
    );
    expect(done).toBeGreaterThan(200);
  });

  test('any text at all is edited or refused, never broken', () => {
    const mess = fc.string({
      unit: fc.constantFrom('a', '=', '.', '[', ']', '{', '}', '"', "'", ',', '\n', '\r\n', ' ', '#', '1', '\t'),
      maxLength: 40,
    });
    fc.assert(
      fc.property(mess, path, (text, at) => {
        const result = setEntry(createSource('c', text), at, 'x');
        if (result.ok) expect(valueAt(readToml(createSource('c', result.text)).table, at)).toBe('x');
        const removed = removeEntry(createSource('c', text), at);
        if (removed.ok) expect(valueAt(readToml(createSource('c', removed.text)).table, at)).toBeUndefined();
        loadConfig(createSource('c', text));
      }),
      { numRuns: 2000 },
    );
  });
});

function valueAt(node: TomlNode | undefined, at: readonly string[]): unknown {
  let here = node;
  for (const key of at) here = here?.kind === 'table' ? here.entries.get(key)?.value : undefined;
  return here && 'value' in here ? here.value : here;
}

function comments(text: string): number {
  return text.match(/# c/g)?.length ?? 0;
}

/** The comments that may go: those inside the value that is replaced, or on lines of keys that go. */
function countIn(text: string, at: readonly string[]): number {
  return valueAt(readToml(createSource('c', text)).table, at) === undefined ? 0 : comments(text);
}
