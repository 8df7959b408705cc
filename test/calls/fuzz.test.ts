/**
 * The scanner and `parse` against the naive reference, over generated texts, options, chunks and endings.
 * `TOOLANG_DEEP=1` tries a hundred thousand, with other seeds.
 */
import { expect, test } from 'vitest';
import type { ScanOptions } from '../../src/calls/event.ts';
import { collect, parseWhole, scanChunks } from './collect.ts';
import { cut, generateCase, type ScanCase } from './generate.ts';
import { type Reference, reference } from './reference.ts';

const deep = process.env.TOOLANG_DEEP === '1';
const rounds = deep ? 100_000 : 10_000;
const firstSeed = deep ? 100_000_000 : 0;
const batch = 5_000;

const codes = [
  'stray-end',
  'empty-header',
  'header-too-long',
  'header-bracket-suspect',
  'nested-start',
  'near-miss-end',
  'spaced-marker',
  'damaged-marker',
  'fabricated-result',
  'unterminated',
] as const;

test('the scanner, by any chunks, and parse give what the reference gives', async () => {
  const counts = new Map<string, number>(codes.map((code) => [code, 0]));
  let withCalls = 0;
  for (let i = 0; i < rounds; i++) {
    // Long work without a break would look like a hang to the runner.
    if (i % batch === 0) await new Promise(setImmediate);
    const given = generateCase(firstSeed + i);
    const wanted = referenceOf(given);
    if (differs(given, wanted)) expect.fail(describeFailure(given));
    if (wanted.segments.some((segment) => segment.type === 'call')) withCalls++;
    for (const { code } of wanted.diagnostics) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const list = [...counts].map(([code, count]) => `${code} ${count}`).join(', ');
  console.log(`${rounds} texts, ${withCalls} with calls; ${list}`);
  expect(withCalls).toBeGreaterThan(rounds / 10);
  expect([...counts].filter(([, count]) => count === 0)).toEqual([]);
  expect([...counts.keys()]).toEqual(codes);
});

test('the names of the tools may be a list, a set or the keys of a map', () => {
  const text = '\u{1f6e0}[t]a\u{1f6e0}[/end]\u{1f6e0}[u]\u{1f6e0}[run]b\u{1f6e0}[/end]';
  const wanted = reference(text, { knownTools: ['run', 't'] });
  expect(wanted.segments.map(({ type }) => type)).toEqual(['call', 'text', 'call']);
  const forms = [new Set(['run', 't']), new Map(Object.entries({ run: 1, t: 2 }))];
  for (const knownTools of forms) {
    expect(parseWhole(text, { knownTools }, {})).toEqual(wanted);
    expect(collect(scanChunks(cut(text, [1]), { knownTools }, {}).flat())).toEqual(wanted);
  }
});

function referenceOf({ pieces, options, info }: ScanCase): Reference {
  return reference(pieces.join(''), options, info);
}

function differs(given: ScanCase, wanted: Reference): boolean {
  const expected = JSON.stringify(wanted);
  return wholeOf(given) !== expected || chunkedOf(given) !== expected;
}

function wholeOf({ pieces, options, info }: ScanCase): string {
  return printed(() => parseWhole(pieces.join(''), options, info));
}

function chunkedOf({ pieces, options, info, sizes }: ScanCase): string {
  return printed(() => collect(scanChunks(cut(pieces.join(''), sizes), options, info).flat()));
}

/** What is thrown is a result too: one that the reference never gives. */
function printed(run: () => Reference): string {
  try {
    return JSON.stringify(run());
  } catch (error) {
    return error instanceof Error ? `${error.message}\n${error.stack}` : String(error);
  }
}

function describeFailure(given: ScanCase): string {
  const small = shrink(given, (part) => differs(part, referenceOf(part)));
  const { pieces, options, info, sizes } = small;
  return [
    `seed ${given.seed}: ${JSON.stringify(given.pieces.join(''))}`,
    `shrunk:    ${JSON.stringify(pieces.join(''))}`,
    `options:   ${JSON.stringify(options)}, finish ${JSON.stringify(info)}, chunks of ${sizes.join(', ')}`,
    `reference: ${JSON.stringify(referenceOf(small))}`,
    `parse:     ${wholeOf(small)}`,
    `chunks:    ${chunkedOf(small)}`,
  ].join('\n');
}

/** Without the pieces, then the units, then the options that are not needed for the failure. */
function shrink(given: ScanCase, fails: (part: ScanCase) => boolean): ScanCase {
  let small = given;
  const attempt = (part: ScanCase): boolean => {
    if (!fails(part)) return false;
    small = part;
    return true;
  };
  const dropPieces = (): void => {
    for (let at = small.pieces.length - 1; at >= 0; at--) {
      attempt({ ...small, pieces: small.pieces.filter((_, i) => i !== at) });
    }
  };
  dropPieces();
  small = { ...small, pieces: small.pieces.join('').split('') };
  dropPieces();
  dropPieces();
  for (const key of Object.keys(small.options)) {
    const rest = Object.entries(small.options).filter(([name]) => name !== key);
    attempt({ ...small, options: Object.fromEntries(rest) as ScanOptions });
  }
  attempt({ ...small, info: {} });
  for (const sizes of [[Math.max(1, small.pieces.length)], [1], [2], [3]]) if (attempt({ ...small, sizes })) break;
  dropPieces();
  return small;
}
