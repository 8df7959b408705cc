/**
 * Our reader and the reference decoder on the same texts: they agree on what is TOON and on its value, except for what
 * is named here.
 */
import { decode, encode } from '@toon-format/toon';
import { expect, test } from 'vitest';
import { createSource, type Diagnostic } from '../../src/text/index.ts';
import { parseToon, toPlain } from '../../src/toon/index.ts';
import { mutate, randomFrom, randomValue } from './mutate.ts';

/** What we refuse and the reference takes, and why. */
const refused: Readonly<Record<string, (input: string, d: Diagnostic) => boolean>> = {
  // Spec 4.2 refuses it too: a first line stands at depth 0.
  'a first line that is indented': (input, d) =>
    d.code === 'TOO3002' && /^(?:\s*#.*\n)*\s*$/.test(input.slice(0, d.span.start)),
  // The reference reads `- a: 1` as a key named "- a", or as a cell: always a mistake in a file written by hand.
  'a hyphen outside of a list': (_, d) => d.code === 'TOO3033' || d.code === 'TOO3034',
  // Spec 4.1 refuses it too.
  'a blank between a key and its bracket': (input, d) => d.code === 'TOO3032' && /^\s+$/.test(text(input, d)),
  // Nobody sees them: the reference takes the lines of old editors for one.
  'a carriage return without a line feed': (_, d) => d.code === 'TOO3005',
  'nesting of more than 64 levels': (_, d) => d.code === 'TOO3004',
};

/** What both take and read differently. */
const readOtherwise: Readonly<Record<string, (input: string) => boolean>> = {
  // It is not part of the first key.
  'a byte order mark': (input) => input.startsWith('\ufeff'),
  // The reference takes the quotes for a part of the key.
  'more than one blank between a hyphen and a quoted key': (input) => /^ *- {2,}"/m.test(input),
};

const text = (input: string, d: Diagnostic) => input.slice(d.span.start, d.span.end);

function compare(input: string, seen: Map<string, number>): string | undefined {
  let theirs: { value: unknown } | { error: string };
  try {
    theirs = { value: decode(input) };
  } catch (error) {
    theirs = { error: String(error) };
  }
  const { document, diagnostics } = parseToon(createSource('input.toon', input));
  const errors = diagnostics.filter((d) => d.severity === 'error');
  const note = (name: string) => seen.set(name, (seen.get(name) ?? 0) + 1);
  if ('error' in theirs) return errors.length > 0 ? undefined : `we take what the reference refuses: ${theirs.error}`;
  if (errors.length > 0) {
    const left = errors.filter((d) => {
      const name = Object.keys(refused).find((key) => refused[key]?.(input, d));
      if (name !== undefined) note(name);
      return name === undefined;
    });
    // One named difference may well lead to others.
    if (left.length < errors.length) return undefined;
    return `we refuse what the reference takes: ${left.map((d) => `${d.code} ${d.message}`).join('; ')}`;
  }
  const ours = JSON.stringify(toPlain(document.root));
  if (ours === JSON.stringify(theirs.value)) return undefined;
  const name = Object.keys(readOtherwise).find((key) => readOtherwise[key]?.(input));
  if (name === undefined) return `we read ${ours}, the reference ${JSON.stringify(theirs.value)}`;
  note(name);
  return undefined;
}

const deep = process.env.TOOLANG_DEEP !== undefined;
const seed = Number(process.env.TOOLANG_SEED ?? 7) || 7;

test('documents of the reference encoder mean the same', () => {
  const random = randomFrom(seed);
  const delimiters = [',', '\t', '|'] as const;
  const found: string[] = [];
  for (let i = 0; i < (deep ? 10_000 : 500) && found.length < 5; i++) {
    const input = encode(randomValue(random), { delimiter: delimiters[i % 3] ?? ',' });
    const seen = new Map<string, number>();
    const difference = compare(input, seen);
    if (difference !== undefined || seen.size > 0) found.push(`${JSON.stringify(input)}\n${difference}`);
  }
  expect(found.join('\n\n')).toBe('');
});

test('harmed documents are taken or refused alike, and mean the same', () => {
  const random = randomFrom(seed + 1);
  const seen = new Map<string, number>();
  const found: string[] = [];
  for (let i = 0; i < (deep ? 30_000 : 2_000) && found.length < 5; i++) {
    const input = mutate(random, encode(randomValue(random)));
    const difference = compare(input, seen);
    if (difference !== undefined) found.push(`${JSON.stringify(input)}\n${difference}`);
  }
  expect(found.join('\n\n')).toBe('');
});

test('every named difference is one', () => {
  const samples: Readonly<Record<string, string>> = {
    'a first line that is indented': '  a: 1',
    'a hyphen outside of a list': '- a: 1',
    'a blank between a key and its bracket': 'foo [2]: a,b',
    'a carriage return without a line feed': 'a: 1\rb: 2',
    'nesting of more than 64 levels': Array.from({ length: 70 }, (_, i) => `${'  '.repeat(i)}a:`).join('\n'),
    'a byte order mark': '\ufeffa: 1',
    'more than one blank between a hyphen and a quoted key': 'a[1]:\n  -  "k": 1',
  };
  for (const name of [...Object.keys(refused), ...Object.keys(readOtherwise)]) {
    const seen = new Map<string, number>();
    expect(compare(samples[name] ?? '', seen), name).toBeUndefined();
    expect([...seen.keys()]).toEqual([name]);
  }
});
